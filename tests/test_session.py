"""The gate: its order, its refusals, its replies."""

from __future__ import annotations

import pytest

import subterminator
from subterminator import actions, errors
from tests.conftest import Person
from tests.site import Site


async def test_a_click_answers_with_what_was_hit_and_what_changed(
    session: subterminator.Session, site: Site
) -> None:
    await session.navigate(site.page("<button onclick=\"this.after('Saved')\">Save</button>"))
    result = await session.click("role:button:Save")
    assert result.target and (result.target.role, result.target.name) == ("button", "Save")
    assert "Saved" in result.text()


async def test_a_file_address_is_refused(session: subterminator.Session) -> None:
    with pytest.raises(errors.Refused):
        await session.navigate("file:///etc/passwd")


async def test_a_password_is_never_filled_without_the_person(
    session: subterminator.Session, site: Site, person: Person
) -> None:
    await session.navigate(site.page("<label>Password <input type=password></label>"))
    with pytest.raises(errors.HandedOver):
        await session.fill("label:Password", "hunter2")
    assert person.asked[0].rule == "secret-field"
    assert "hunter2" not in (await session.snapshot()).text()


async def test_a_confirm_dialog_is_accepted_only_by_the_person(
    session: subterminator.Session, site: Site, person: Person
) -> None:
    await session.navigate(
        site.page("<button onclick=\"document.title = confirm('Delete it?')\">Ask</button>")
    )
    result = await session.click("text:Ask")
    assert result.happened.dialog and result.happened.dialog.message == "Delete it?"
    with pytest.raises(errors.HumanRejected):
        await session.dialog(accept=True)
    person.says = True
    answered = await session.dialog(accept=True)
    assert answered.page.title == "true"


@pytest.mark.parametrize("target", ["css:label", "css:.field"])
async def test_a_password_is_not_filled_through_the_box_around_it(
    session: subterminator.Session, site: Site, person: Person, target: str
) -> None:
    await session.navigate(
        site.page(
            "<form action=/sent><div class=field><label>Password <input name=p type=password>"
            "</label></div><button>Go</button></form>"
        )
    )
    with pytest.raises(errors.HandedOver):
        await session.fill(target, "hunter2")
    site.pages["/sent"] = "ok"
    await session.click("role:button:Go")
    assert [request.query for request in site.requests if request.path == "/sent"] == ["p="]


async def test_a_page_that_moves_the_focus_into_a_password_field_gets_nothing(
    session: subterminator.Session, site: Site
) -> None:
    await session.navigate(
        site.page(
            "<form action=/sent><input aria-label=Name onfocus='p.focus()'>"
            "<input id=p name=p type=password><button>Go</button></form>"
        )
    )
    with pytest.raises(errors.HandedOver):
        await session.fill("label:Name", "hunter2")
    site.pages["/sent"] = "ok"
    await session.click("role:button:Go")
    assert [request.query for request in site.requests if request.path == "/sent"] == ["p="]


async def test_a_yes_to_one_dialog_is_not_a_yes_to_the_next(
    session: subterminator.Session, site: Site, person: Person
) -> None:
    await session.navigate(
        site.page(
            "<button onclick=\"confirm('Stay?'); document.title = confirm('Delete all?')\">Ask</button>"
        )
    )
    await session.click("text:Ask")

    async def change_and_agree(question: subterminator.Question) -> bool:
        await session._driver.perform(actions.Dialog(accept=False), (), 5)
        return True

    original = person.approve
    person.approve = change_and_agree  # type: ignore[method-assign]
    try:
        with pytest.raises(errors.ApprovalVoid, match="has changed since"):
            await session.dialog(accept=True)
    finally:
        person.approve = original  # type: ignore[method-assign]
    assert session.open_dialog and session.open_dialog.message == "Delete all?"


async def test_the_person_is_told_where_the_browser_is(
    session: subterminator.Session, site: Site, person: Person
) -> None:
    address = site.page("<script>confirm('Leave?')</script>", "/asking")
    await session.navigate(address)
    with pytest.raises(errors.HumanRejected):
        await session.dialog(accept=True)
    assert person.asked[0].url == address

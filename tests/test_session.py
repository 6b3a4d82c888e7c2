"""The gate: its order, its refusals, its replies."""

from __future__ import annotations

import pytest

import subterminator
from subterminator import errors
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
        site.page("<button onclick=\"document.title = confirm('Delete it?')\">Delete</button>")
    )
    result = await session.click("text:Delete")
    assert result.happened.dialog and result.happened.dialog.message == "Delete it?"
    with pytest.raises(errors.HumanRejected):
        await session.dialog(accept=True)
    person.says = True
    answered = await session.dialog(accept=True)
    assert answered.page.title == "true"

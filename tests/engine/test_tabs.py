"""Tabs: what an action opens or closes is told, and the one in use changes only when asked to."""

from __future__ import annotations

import time

import pytest

import subterminator
from subterminator import errors
from tests.conftest import Person
from tests.site import Answer, Site

Session = subterminator.Session

OPENERS = {
    "a link with a target": "<a target=_blank href=/new>Open</a>",
    "a link with an opener": "<a target=_blank rel=opener href=/new>Open</a>",
    "a named window": "<a target=other href=/new>Open</a>",
    "window.open": "<button onclick=\"window.open('/new')\">Open</button>",
    "window.open, small": "<button onclick=\"window.open('/new', '', 'width=300')\">Open</button>",
    "a form with a target": "<form action=/new target=_blank><button>Open</button></form>",
    "a window filled by script": """<button onclick="
        const w = window.open(''); w.location = '/new'">Open</button>""",
}
NEW = "<title>New</title><button onclick=\"fetch('/pressed')\">Press</button>"


@pytest.mark.parametrize("how", OPENERS)
async def test_a_new_tab_is_told_with_id_address_and_title_and_can_be_used(
    session: Session, site: Site, how: str
) -> None:
    site.pages["/new"] = NEW
    await session.navigate(site.page(OPENERS[how]))
    result = await session.click("text:Open")
    [new] = result.happened.new_tabs
    assert new.url.rstrip("?") == f"{site.address}/new"
    assert (new.title, new.current, new.opened_by_page) == ("New", False, True)
    assert f"new tab {new.id}" in result.text()
    assert result.page.url == f"{site.address}/"
    assert [tab.current for tab in await session.tabs()] == [True, False]
    selected = await session.select_tab(new.id)
    assert selected.page.title == "New"
    await session.click("text:Press")
    assert site.hits["/pressed"] == 1
    closed = await session.close_tab()
    assert closed.page.url == f"{site.address}/"
    assert [tab.url for tab in await session.tabs()] == [f"{site.address}/"]


async def test_a_new_tab_that_loads_slowly_is_told_with_its_title(
    session: Session, site: Site
) -> None:
    site.pages["/new"] = Answer("<title>Slow</title>", delay=0.5)
    await session.navigate(site.page("<a target=_blank href=/new>Open</a>"))
    [new] = (await session.click("text:Open")).happened.new_tabs
    assert new.title == "Slow"


async def test_a_new_tab_that_never_loads_does_not_hold_the_reply_up(
    session: Session, site: Site
) -> None:
    site.pages["/new"] = Answer("<title>Never</title>", delay=60)
    await session.navigate(site.page("<a target=_blank href=/new>Open</a>"))
    begun = time.monotonic()
    [new] = (await session.click("text:Open")).happened.new_tabs
    assert time.monotonic() - begun < 8
    assert new.id


async def test_a_new_tab_with_a_dialog_is_told_and_the_dialog_waits_for_it_to_be_selected(
    session: Session, site: Site, person: Person
) -> None:
    person.says = True
    site.pages["/new"] = "<script>document.title = confirm('Stay here?')</script>"
    await session.navigate(site.page("<a target=_blank href=/new>Open</a><button>Here</button>"))
    [new] = (await session.click("text:Open")).happened.new_tabs
    await session.click("text:Here")
    selected = await session.select_tab(new.id)
    assert selected.happened.dialog and selected.happened.dialog.message == "Stay here?"
    assert (await session.dialog(accept=False)).page.title == "false"


async def test_a_page_that_closes_itself_is_told_and_its_opener_goes_on(
    session: Session, site: Site
) -> None:
    site.pages["/new"] = "<button onclick=\"fetch('/closing'); window.close()\">Close me</button>"
    await session.navigate(site.page("<button onclick=\"window.open('/new')\">Open</button>"))
    [new] = (await session.click("text:Open")).happened.new_tabs
    await session.select_tab(new.id)
    result = await session.click("text:Close me")
    assert result.happened.closed_tabs == (new.id,)
    [left] = await session.tabs()
    assert left.current and left.url == f"{site.address}/"
    assert "Open" in (await session.snapshot()).text()


async def test_a_tab_closed_by_its_opener_is_told(session: Session, site: Site) -> None:
    page = """<button onclick="w = window.open('/new')">Open</button>
              <button onclick="w.close()">Close</button>"""
    site.pages["/new"] = NEW
    await session.navigate(site.page(page))
    [new] = (await session.click("text:Open")).happened.new_tabs
    result = await session.click("text:Close")
    assert result.happened.closed_tabs == (new.id,)
    with pytest.raises(errors.TargetClosed, match=new.id) as caught:
        await session.select_tab(new.id)
    assert "t" in caught.value.advice


async def test_fifty_windows_are_counted_and_bounded(site: Site) -> None:
    site.pages["/new"] = NEW
    # One at a time: on a slow machine fifty at once keep the page busy for longer than a press may.
    script = """(async () => {
        for (let i = 0; i < 50; i++) { window.open('/new?' + i); await new Promise(setTimeout) }
        document.body.append('All were asked for') })()"""
    url = site.page(f'<button onclick="{script}">Open</button>')
    flags = ["--disable-popup-blocking"]
    async with subterminator.open(url, human=subterminator.nobody, flags=flags) as session:
        pressed = await session.click("text:Open")
        results = [pressed, await session.wait(text="All were asked for")]
        opened = sum(len(result.happened.new_tabs) for result in results)
        refused = sum(result.happened.refused_tabs for result in results)
        assert opened == 19 and 0 < refused <= 31
        told = "\n".join(result.text() for result in results)
        assert "more tabs" in told
        assert len(await session.tabs()) == 20


async def test_a_tab_opened_on_request_becomes_the_current_one(
    session: Session, site: Site
) -> None:
    await session.navigate(site.page("First"))
    result = await session.open_tab(site.page("Second", "/second", title="Second"))
    assert result.page.title == "Second"
    infos = [(tab.url, tab.title, tab.current) for tab in await session.tabs()]
    assert infos == [
        (f"{site.address}/", "Test", False),
        (f"{site.address}/second", "Second", True),
    ]


async def test_refs_of_another_tab_are_not_mixed_up(session: Session, site: Site) -> None:
    site.pages["/new"] = NEW
    await session.navigate(site.page("<button onclick=\"fetch('/first')\">Press</button>"))
    first = (await session.find("Press"))[0].ref
    await session.open_tab(f"{site.address}/new")
    with pytest.raises(errors.RefInvalid):
        await session.click(first)
    assert site.hits["/pressed"] == 0
    await session.select_tab((await session.tabs())[0].id)
    await session.click(first)
    assert (site.hits["/first"], site.hits["/pressed"]) == (1, 0)


async def test_wrong_tabs_and_the_last_one_give_typed_errors(session: Session, site: Site) -> None:
    await session.navigate(site.page("Only"))
    [only] = await session.tabs()
    for wrong in ("t999", "", "nonsense", "x" * 5000):
        with pytest.raises((errors.TargetClosed, errors.InvalidParams)) as caught:
            await session.select_tab(wrong)
        assert caught.value.advice
    with pytest.raises(errors.TargetClosed, match="t999"):
        await session.close_tab("t999")
    with pytest.raises(errors.ActionFailed, match="last tab"):
        await session.close_tab(only.id)
    with pytest.raises(errors.Refused):
        await session.open_tab("file:///etc/passwd")
    assert [tab.id for tab in await session.tabs()] == [only.id]


async def test_a_tab_for_an_address_that_does_not_answer_is_an_error(
    session: Session, site: Site
) -> None:
    await session.navigate(site.page("First"))
    with pytest.raises(errors.NavigationFailed):
        await session.open_tab("http://127.0.0.1:1/")


async def test_more_tabs_than_the_limit_are_refused(session: Session) -> None:
    with pytest.raises(errors.LimitReached) as caught:
        for _ in range(25):
            await session.open_tab()
    assert caught.value.advice
    assert len(await session.tabs()) == 20

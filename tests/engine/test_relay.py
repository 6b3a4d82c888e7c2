"""The engine through our extension: the same page work, in tabs that the user has picked."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

import subterminator
from subterminator import actions as a
from subterminator import app
from subterminator.config import Settings
from subterminator.engine.cdp import Connection, ProtocolError
from subterminator.engine.relay import Relay
from subterminator.errors import TargetClosed
from subterminator.safety.task import Task
from tests.conftest import SITES, Person
from tests.doors.extension.owned import Owned, owned
from tests.site import Answer, Site

CLOSED_ROOT = """<x-y></x-y><script>customElements.define('x-y', class extends HTMLElement {
  constructor() { super(); this.attachShadow({mode: 'closed'}).innerHTML =
    '<button onclick="fetch(`/shadow`)">In a closed root</button>'; } })</script>"""
HERE = "<button onclick=\"fetch('/here?' + event.isTrusted)\">Here</button>"
FRAMED = f"<button onclick=\"fetch('/framed')\">In a frame</button>{CLOSED_ROOT}"


@pytest.fixture(scope="module")
async def mine(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Owned]:
    async with owned(tmp_path_factory.mktemp("owned")) as mine:
        yield mine


@pytest.fixture
async def session(
    mine: Owned, person: Person, tmp_path: Path
) -> AsyncIterator[subterminator.Session]:
    """A session in the user's browser; its person says no unless told otherwise."""
    settings = Settings(state_dir=str(tmp_path / "state"), record=False)
    driver = await app.drive(settings, (await mine.line()).portion())
    task = Task("relayed", SITES)
    async with app.over(driver, human=person, settings=settings, task=task) as session:
        yield session


async def test_pages_frames_of_other_sites_and_closed_roots_are_seen_and_pressed(
    session: subterminator.Session, site: Site
) -> None:
    site.pages["/frame"] = FRAMED
    await session.navigate(site.page(f"{HERE}<iframe src='{site.other}/frame'></iframe>"))
    for name in ("Here", "In a frame", "In a closed root"):
        await session.click(f"role:button:{name}")
    assert [site.hits[path] for path in ("/here", "/framed", "/shadow")] == [1, 1, 1]
    assert [each.query for each in site.requests if each.path == "/here"] == ["true"]


async def test_text_is_typed_and_forms_are_sent(session: subterminator.Session, site: Site) -> None:
    site.pages["/next"] = "<h1>Thanks</h1>"
    await session.navigate(
        site.page("<form action=/next><label>Name <input name=n></label><button>Next</button>")
    )
    await session.fill("label:Name", "Zoë")
    result = await session.click("role:button:Next")
    assert result.page.url == f"{site.address}/next?n=Zo%C3%AB"


async def test_a_dialog_is_told_and_answered(session: subterminator.Session, site: Site) -> None:
    await session.navigate(
        site.page("<button onclick=\"confirm('Sure?') || fetch('/no')\">Ask</button>")
    )
    told = (await session.click("role:button:Ask")).happened.dialog
    assert told and told.message == "Sure?"
    await session.dialog(accept=False)
    assert site.hits["/no"] == 1


@pytest.mark.parametrize(
    "opener", ["<a target=_blank href=/new>Open</a>", "<a onclick=\"window.open('/new')\">Open</a>"]
)
async def test_a_tab_that_a_page_opens_is_told_and_can_be_used(
    session: subterminator.Session, site: Site, opener: str
) -> None:
    site.pages["/new"] = "<title>New</title><button onclick=\"fetch('/pressed')\">Press</button>"
    await session.navigate(site.page(opener))
    [new] = (await session.click("text:Open")).happened.new_tabs
    assert new.opened_by_page
    # Nothing holds such a tab until we are there: what it shows may come after the reply.
    await session.select_tab(new.id)
    pressed = await session.click("text:Press")
    assert (pressed.page.url, pressed.page.title) == (f"{site.address}/new", "New")
    assert site.hits["/pressed"] == 1
    assert (await session.close_tab()).page.url == f"{site.address}/"


async def test_a_download_is_told_and_where_it_goes_is_the_users_business(
    session: subterminator.Session, site: Site
) -> None:
    disposition = ("Content-Disposition", "attachment; filename=bill.csv")
    site.pages["/file"] = Answer("abc", kind="text/csv", headers=(disposition,))
    await session.navigate(site.page("<a href=/file>Get</a>"))
    result = await session.click("text:Get")
    [file] = result.happened.downloads
    assert (file.name, file.state, file.path) == ("bill.csv", "completed", "")
    assert "where your browser saves files" in result.text()


async def test_a_page_cannot_leave_the_sites_of_the_task(
    session: subterminator.Session, site: Site
) -> None:
    elsewhere = f"http://elsewhere.localhost:{site.port}/away"
    site.pages["/away"] = "away"
    await session.navigate(site.page(f"<button onclick=\"location = '{elsewhere}'\">Go</button>"))
    result = await session.click("text:Go")
    assert result.happened.blocked == (elsewhere,)
    assert site.hits["/away"] == 0


async def test_what_only_a_browser_as_a_whole_has_is_refused_in_plain_words(mine: Owned) -> None:
    connection = Connection(Relay((await mine.line()).portion()))
    with pytest.raises(ProtocolError, match="only its tabs can be reached"):
        await connection.root.call("Browser.grantPermissions", permissions=["geolocation"])
    with pytest.raises(ProtocolError, match="Session with given id not found"):
        await connection.channel("tab-1").call("Page.enable")
    await connection.close()


# Whose tabs


async def test_only_tabs_that_were_picked_are_listed_and_they_stay_when_we_go(
    mine: Owned, site: Site, person: Person, tmp_path: Path
) -> None:
    site.pages["/picked"] = f"<title>Picked</title>{HERE}"
    site.pages["/private"] = "<title>Private</title>"
    picked = await mine.open_page(f"{site.address}/picked")
    await mine.open_page(f"{site.address}/private")
    await mine.browser.say("Pick", tab=picked)
    settings = Settings(state_dir=str(tmp_path / "state"), record=False)
    driver = await app.drive(settings, (await mine.line()).portion())
    async with app.over(driver, human=person, settings=settings, task=Task("t", SITES)) as session:
        tabs = await session.tabs()
        assert sorted(tab.url for tab in tabs) == ["about:blank", f"{site.address}/picked"]
        [there] = [tab for tab in tabs if tab.title == "Picked"]
        await session.select_tab(there.id)
        await session.click("text:Here")
        assert site.hits["/here"] == 1
    titles = await mine.browser.run(
        "chrome.tabs.query({}).then((all) => all.map((t) => t.title).sort().join())"
    )
    assert "Picked" in titles and "Private" in titles
    await mine.browser.say("Unpick", tab=picked)


async def test_a_tab_that_is_taken_back_is_gone_at_once(
    mine: Owned, site: Site, person: Person, tmp_path: Path
) -> None:
    site.pages["/picked"] = f"<title>Picked</title>{HERE}"
    picked = await mine.open_page(f"{site.address}/picked")
    await mine.browser.say("Pick", tab=picked)
    settings = Settings(state_dir=str(tmp_path / "state"), record=False)
    driver = await app.drive(settings, (await mine.line()).portion())
    async with app.over(driver, human=person, settings=settings, task=Task("t", SITES)) as session:
        [there] = [tab for tab in await session.tabs() if tab.title == "Picked"]
        await session.select_tab(there.id)
        await mine.browser.say("Unpick", tab=picked)
        with pytest.raises(TargetClosed):
            while True:
                await session.click("text:Here")
        assert "Picked" not in {tab.title for tab in await session.tabs()}


async def test_runs_at_the_same_time_do_not_see_each_others_tabs(mine: Owned, site: Site) -> None:
    site.page("Hello")
    async with mine.driver() as one, mine.driver() as other:
        await one.perform(a.Navigate(f"{site.address}/"), (), 10)
        assert len((await other.perform(a.ListTabs(), (), 10)).value) == 1
        assert other.page.url == "about:blank"


async def test_a_tab_that_the_user_opens_beside_ours_is_not_taken(
    session: subterminator.Session, mine: Owned, site: Site
) -> None:
    site.pages["/private"] = "<title>Private</title>"
    await session.navigate(site.page("Ours"))
    ours = f"chrome.tabs.query({{url: '{site.address}/'}}).then(([{{id}}]) => id)"
    await mine.open_page(f"{site.address}/private", opener=ours)
    assert [tab.url for tab in await session.tabs()] == [f"{site.address}/"]


async def test_nothing_of_ours_touches_a_tab_that_was_not_picked(mine: Owned, site: Site) -> None:
    tab = await mine.open_page(site.page("Private"))
    line = await mine.line()
    for kind, data in (
        ("Attach", {"tab": tab}),
        ("Cdp", {"tab": tab, "session": "", "method": "Page.navigate", "params": {"url": "x:"}}),
        ("CloseTab", {"tab": tab}),
        ("Detach", {"tab": tab}),
    ):
        reply = line.post(kind, data)
        if kind in {"Attach", "Cdp"}:
            with pytest.raises(subterminator.errors.ActionFailed, match="not picked this tab"):
                await reply
        else:
            await reply
    assert (
        await mine.browser.run(f"chrome.tabs.get({tab}).then((t) => t.url)") == f"{site.address}/"
    )

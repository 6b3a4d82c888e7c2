"""Rooms: one browser for many, none of which notices the others."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

import subterminator
from subterminator import app, nobody
from subterminator.chores import Cookie, ReadCookies, WriteCookies
from subterminator.config import load
from subterminator.machine import this_machine
from subterminator.signals import DownloadSignal, PageSignal, Signal
from tests.site import Answer, Site

SETTINGS = load(this_machine(), {"sites": ["127.0.0.1", "localhost"]})


@pytest.fixture(scope="module")
async def rooms() -> AsyncIterator[app.Rooms]:
    rooms = await app.share(SETTINGS)
    yield rooms
    await rooms.close()


@pytest.fixture
async def pair(
    rooms: app.Rooms,
) -> AsyncIterator[tuple[subterminator.Session, subterminator.Session]]:
    async with (
        app.over(await rooms.open(), human=nobody, settings=SETTINGS) as one,
        app.over(await rooms.open(), human=nobody, settings=SETTINGS) as other,
    ):
        yield one, other


Pair = tuple[subterminator.Session, subterminator.Session]


async def test_rooms_share_neither_tabs_nor_cookies(pair: Pair, site: Site) -> None:
    one, other = pair
    await one.navigate(site.page("<button>Only here</button>"))
    await one.chore(WriteCookies(cookies=(Cookie("a", "1", "127.0.0.1"),)))
    assert [tab.url for tab in await other.tabs()] == ["about:blank"]
    assert await other.chore(ReadCookies()) == []
    assert [cookie.name for cookie in await one.chore(ReadCookies())] == ["a"]


async def test_a_download_is_told_to_the_room_it_belongs_to(pair: Pair, site: Site) -> None:
    one, other = pair
    told: list[Signal] = []
    wrong: list[Signal] = []
    one.listen(told.append)
    other.listen(wrong.append)
    site.pages["/file"] = Answer(
        b"abc", kind="text/plain", headers=(("Content-Disposition", "attachment; filename=a.txt"),)
    )
    await one.navigate(site.page("<a href=/file>Get it</a>"))
    reply = await one.click("text:Get it")
    assert [download.name for download in reply.happened.downloads] == ["a.txt"]
    states = [signal.state for signal in told if isinstance(signal, DownloadSignal)]
    assert states[0] == "started" and states[-1] == "completed"
    assert wrong == []


async def test_a_window_that_a_page_opens_is_of_the_same_room(pair: Pair, site: Site) -> None:
    one, other = pair
    site.page("<p>Second", "/second")
    await one.navigate(site.page("<a href=/second target=_blank>Open</a>"))
    reply = await one.click("text:Open")
    assert [tab.url for tab in reply.happened.new_tabs] == [f"{site.address}/second"]
    assert len(await other.tabs()) == 1


async def test_a_room_that_is_closed_leaves_the_others_and_nothing_behind(
    rooms: app.Rooms, site: Site
) -> None:
    before = rooms.count
    async with app.over(await rooms.open(), human=nobody, settings=SETTINGS) as stays:
        async with app.over(await rooms.open(), human=nobody, settings=SETTINGS) as goes:
            told: list[Signal] = []
            stays.listen(told.append)
            await goes.navigate(site.page("<p>Here"))
        await stays.navigate(site.page("<button>Still here</button>"))
        assert (await stays.find("Still here"))[0].role == "button"
        kinds = [signal.kind for signal in told if isinstance(signal, PageSignal)]
        assert "load" in kinds and "close" not in kinds
    assert rooms.count == before


async def test_every_room_learns_that_the_browser_is_gone() -> None:
    own = await app.share(SETTINGS)
    async with app.over(await own.open(), human=nobody, settings=SETTINGS) as session:
        await own.close()
        with pytest.raises(subterminator.errors.BrowserClosed):
            await session.snapshot()
    assert own.is_lost

"""Another process of the same user uses a browser that one process is connected to."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from subterminator import actions as a
from subterminator.doors.extension.bridge import Bridge, bridging, place
from subterminator.engine.cdp import Connection
from subterminator.engine.chromium import Chromium
from subterminator.engine.relay import Relay
from subterminator.errors import BrowserClosed, TargetClosed
from subterminator.page.snapshot import View
from tests.doors.extension.owned import SOON, Owned
from tests.site import Site


async def test_the_whole_engine_works_over_it(mine: Owned, site: Site, tmp_path: Path) -> None:
    async with bridging(mine.board, str(tmp_path)):
        bridge = await Bridge.reach(str(tmp_path))
        assert bridge
        assert [each.name for each in await bridge.browsers()] == ["Chromium on Linux"]
        await bridge.use("", SOON)
        driver = await Chromium(Connection(Relay(bridge)), None).attach()
        # Half a character, which no JSON may hold, and much of it.
        url = site.page("<script>document.body.append('\\ud800 ' + 'x'.repeat(200000))</script>")
        await driver.perform(a.Navigate(url), (), 10)
        assert (await driver.observe(View(), 5)).page.url == url
        async with mine.driver() as other:  # The process itself has tabs of its own beside it.
            assert len((await other.perform(a.ListTabs(), (), 5)).value) == 1
        await driver.close()
    assert not place(str(tmp_path)).exists()


async def test_it_is_for_this_user_alone_and_the_first_server_is_the_one(
    mine: Owned, tmp_path: Path
) -> None:
    async with bridging(mine.board, str(tmp_path)):
        path = place(str(tmp_path))
        assert path.stat().st_mode & 0o777 == 0o600
        assert path.parent.stat().st_mode & 0o777 == 0o700
        async with bridging(mine.board, str(tmp_path)):
            pass
        bridge = await Bridge.reach(str(tmp_path))
        assert bridge
        await bridge.close()


async def test_where_there_is_no_server_nobody_is_reached(tmp_path: Path) -> None:
    assert await Bridge.reach(str(tmp_path)) is None


async def test_who_says_anything_else_is_hung_up_on(mine: Owned, tmp_path: Path) -> None:
    async with bridging(mine.board, str(tmp_path)):
        for words in (b"nonsense\n", b"[]\n", b'{"kind": 7}\n'):
            reader, writer = await asyncio.open_unix_connection(str(place(str(tmp_path))))
            writer.write(words)
            async with asyncio.timeout(SOON):
                assert await reader.read() == b""
            writer.close()
        bridge = await Bridge.reach(str(tmp_path))
        assert bridge
        with pytest.raises(BrowserClosed, match="Say first which browser"):
            await bridge.post("Tabs", {})
        with pytest.raises(BrowserClosed, match="not connected"):
            await bridge.use("Nobody's", 0.1)
        await bridge.close()


async def test_what_ends_at_one_side_ends_at_the_other(mine: Owned, tmp_path: Path) -> None:
    async with bridging(mine.board, str(tmp_path)):
        bridge = await Bridge.reach(str(tmp_path))
        assert bridge
        await bridge.use("", SOON)
        driver = await Chromium(Connection(Relay(bridge)), None).attach()
    with pytest.raises(TargetClosed):
        await driver.perform(a.ListTabs(), (), 5)
    await driver.close()
    tabs = "chrome.debugger.getTargets().then((all) => all.filter((t) => t.attached).length)"
    async with asyncio.timeout(SOON):
        while await mine.browser.run(tabs) > 1:  # the panel's page is attached by the test itself
            await asyncio.sleep(0.02)  # the browser tells nobody of that


@pytest.mark.skipif(os.name != "posix", reason="Unix sockets")
async def test_a_path_that_is_too_long_is_put_elsewhere(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 100)
    assert len(os.fsencode(place(str(deep)))) <= 100

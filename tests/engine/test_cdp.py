"""The protocol's transports: a pipe, a WebSocket, a port; and what is told when one is wrong."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

import subterminator
from subterminator import errors, nobody
from subterminator.engine.cdp import Channel
from subterminator.engine.chromium import Chromium
from subterminator.engine.launch import launch
from tests.conftest import SITES
from tests.engine import processes
from tests.engine.driving import Wheel
from tests.engine.running import BROWSER, Running
from tests.site import Answer, Site

MB = 1_000_000


@pytest.fixture(scope="module")
async def _running(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Running]:
    profile = tmp_path_factory.mktemp("profile")
    settings = {"download": {"default_directory": str(profile / "Downloads")}}
    (profile / "Default").mkdir()
    (profile / "Default" / "Preferences").write_bytes(msgspec.json.encode(settings))
    async with Running.start(profile) as running:
        yield running


@pytest.fixture
async def running(_running: Running) -> AsyncIterator[Running]:
    """A user's browser with one empty tab."""
    yield _running
    await _running.close_all_but("about:blank")


async def test_a_session_in_a_running_browser_works_from_end_to_end(
    running: Running, site: Site
) -> None:
    url = site.page(
        "<label>Name <input></label><button onclick=\"fetch('/saved')\">Save</button>"
        f"<iframe src='{site.other}/inner'></iframe>"
    )
    site.page("<button onclick=\"fetch('/inside')\">Inside</button>", "/inner")
    async with subterminator.open(
        url, human=nobody, sites=SITES, attach=running.address
    ) as session:
        await session.fill("label:Name", "Ada")
        await session.click("text:Save")
        await session.click("text:Inside")
        assert "Ada" in (await session.snapshot()).text()
    assert (site.hits["/saved"], site.hits["/inside"]) == (1, 1)


async def test_the_users_browser_and_tabs_are_left_alone(running: Running, site: Site) -> None:
    mine = site.page("<script>document.title = 'untouched'</script>", "/mine")
    await running.open(mine)
    theirs = site.page("<a target=_blank href=/popup>More</a>")
    site.page("Popup", "/popup")
    async with subterminator.open(theirs, human=nobody, attach=running.address) as session:
        result = await session.click("text:More")
        assert [tab.url for tab in result.happened.new_tabs] == [f"{site.address}/popup"]
        assert sorted(tab.url for tab in await session.tabs()) == sorted([
            "about:blank", mine, theirs, f"{site.address}/popup",
        ])  # fmt: skip
    assert sorted(await running.pages()) == ["about:blank", mine]
    assert await running.evaluate(mine, "document.title") == "untouched"


async def test_a_dialog_in_a_tab_of_the_user_is_the_users(running: Running, site: Site) -> None:
    mine = site.page("Mine", "/mine")
    async with subterminator.open("about:blank", human=nobody, attach=running.address) as session:
        await running.open(mine)
        tab = await running.tab(mine)
        opened: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        tab.on("Page.javascriptDialogOpening", lambda event: opened.set_result(event["message"]))
        await tab.call("Page.enable")
        script = "setTimeout(() => { alert('For you'); fetch('/answered') })"
        await tab.call("Runtime.evaluate", expression=script)
        assert await asyncio.wait_for(opened, 30) == "For you"
        assert (await session.snapshot()).page.url == "about:blank"
        assert site.hits["/answered"] == 0
        await tab.call("Page.handleJavaScriptDialog", accept=True)


async def test_more_tabs_of_the_user_than_our_limit_are_neither_closed_nor_in_the_way(
    running: Running, site: Site
) -> None:
    url = site.page("<button onclick=\"window.open('/popup')\">Open</button>")
    mine = [site.page("Mine", f"/mine/{number}") for number in range(25)]
    for address in mine:
        await running.open(address)
    async with subterminator.open(url, human=nobody, attach=running.address) as session:
        result = await session.click("text:Open")
        assert [tab.url for tab in result.happened.new_tabs] == [f"{site.address}/popup"]
    assert set(mine) < set(await running.pages())


async def test_a_tab_of_the_user_can_be_selected_and_stays_open(
    running: Running, site: Site
) -> None:
    mine = site.page("<button onclick=\"fetch('/pressed')\">Press</button>", "/mine")
    await running.open(mine)
    async with subterminator.open("about:blank", human=nobody, attach=running.address) as session:
        [tab] = [tab for tab in await session.tabs() if tab.url == mine]
        await session.select_tab(tab.id)
        await session.click("text:Press")
    assert site.hits["/pressed"] == 1
    assert mine in await running.pages()


async def test_a_download_in_a_running_browser_goes_where_the_user_wants_it(
    running: Running, site: Site
) -> None:
    site.pages["/file"] = Answer(
        "content",
        kind="text/plain",
        headers=(("Content-Disposition", "attachment;filename=a.txt"),),
    )
    url = site.page("<a href=/file>Get</a>")
    async with subterminator.open(url, human=nobody, attach=running.address) as session:
        [download] = (await session.click("text:Get")).happened.downloads
    assert Path(download.path) == running.profile / "Downloads" / "a.txt"
    assert Path(download.path).read_text("utf-8") == "content"


async def test_the_end_of_a_running_browser_is_told(tmp_path: Path, site: Site) -> None:
    async with Running.start(tmp_path) as running:
        async with subterminator.open(
            site.page("Here"), human=nobody, attach=running.address
        ) as session:
            waiting = asyncio.create_task(session.wait(text="never"))
            await asyncio.sleep(0)
            os.kill(running.pid, signal.SIGKILL)
            with pytest.raises(errors.BrowserClosed):
                await waiting
            with pytest.raises(errors.BrowserClosed):
                await session.snapshot()


@pytest.mark.parametrize(
    "address",
    [
        "ws://127.0.0.1:1/devtools/browser/none",
        "http://127.0.0.1:1",
        "127.0.0.1:9222",
        "ws://",
        "not an address",
        "{page}",
        "{site}",
    ],
)
async def test_a_wrong_address_gives_one_clear_error_at_once(
    address: str, running: Running, site: Site
) -> None:
    [target] = (await running.pages()).values()
    base = running.address.rpartition("/devtools/")[0]
    address = address.format(
        page=f"{base}/devtools/page/{target}", site=site.address.replace("http", "ws")
    )
    begun = time.monotonic()
    with pytest.raises(errors.BrowserClosed) as caught:
        async with subterminator.open("about:blank", human=nobody, attach=address):
            pytest.fail("nothing is there")
    assert time.monotonic() - begun < 5
    assert address in str(caught.value) and caught.value.advice
    assert "\n" not in str(caught.value)


async def _send_and_receive(channel: Channel, size: int) -> None:
    """A text of many megabytes to the page and one back, while small messages go their way."""
    out = channel.call("Runtime.evaluate", expression=f"'{'0123456789' * (size // 10)}'.length")
    back = channel.post(
        "Runtime.evaluate", expression=f"'0123456789'.repeat({size // 10})", returnByValue=True
    )
    small = [channel.call("Runtime.evaluate", expression=f"{n} + 1") for n in range(100)]
    values = [answer["result"]["value"] for answer in await asyncio.gather(out, *small)]
    assert values == [size, *range(1, 101)]
    assert msgspec.json.decode(await back)["result"]["value"] == "0123456789" * (size // 10)


@pytest.mark.parametrize("over_pipe", [True, False], ids=["pipe", "port"])
async def test_messages_of_20_megabytes_pass(over_pipe: bool) -> None:
    launched = await launch(BROWSER, over_pipe=over_pipe)
    try:
        root = launched.connection.root
        [page, *_] = [
            target
            for target in (await root.call("Target.getTargets"))["targetInfos"]
            if target["type"] == "page"
        ]
        answer = await root.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        await _send_and_receive(launched.connection.channel(answer["sessionId"]), 20 * MB)
    finally:
        await launched.end(0)


async def test_the_port_for_platforms_without_pipes_works_from_end_to_end(site: Site) -> None:
    driver = await Chromium.start(BROWSER, over_pipe=False)
    pid = processes.newest_browser()
    members, profile = processes.family(pid), processes.profile_of(pid)
    wheel = Wheel(driver)
    await wheel.go(site.page("<button onclick=\"fetch('/pressed')\">Press</button>"))
    await wheel.click("text:Press")
    await driver.close()
    assert site.hits["/pressed"] == 1
    assert await processes.ended(members) == []
    assert not profile.exists()


async def test_no_browser_behind_the_port_is_told_at_once() -> None:
    with pytest.raises(errors.BrowserMissing, match="ended at once"):
        await launch("/bin/true", over_pipe=False)
    with pytest.raises(errors.BrowserMissing, match="cannot be started"):
        await launch("/nowhere/chrome", over_pipe=False)


async def test_half_a_character_in_a_page_loses_no_reply(
    session: subterminator.Session, site: Site
) -> None:
    await session.navigate(
        site.page(
            "<p id=p></p><script>p.textContent = 'half \\ud800 \\udc00x \\ud83d\\ude00'</script>"
        )
    )
    assert await session.text("#p") == "half \ufffd \ufffdx \U0001f600"

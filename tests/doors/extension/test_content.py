"""The engine over content scripts: the same work with synthetic presses, and what it says of itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from subterminator import actions as a
from subterminator.doors.extension.files import extension_folder
from subterminator.engine.base import Performed
from subterminator.engine.browsers import locate
from subterminator.engine.cdp import Channel
from subterminator.engine.chromium import Chromium
from subterminator.engine.extended import Extended, Hand
from subterminator.engine.packing import pack
from subterminator.engine.world import script
from subterminator.errors import ActionFailed, ElementObscured, HandedOver
from subterminator.machine import this_machine
from subterminator.page.snapshot import View
from subterminator.targets import parse_target
from tests.doors.extension.owned import SOON, Owned, switchboard
from tests.engine.driving import SECONDS, Wheel
from tests.engine.images import read_png
from tests.site import Site

COVER = (40, 40, 40)


@pytest.fixture
async def content(mine: Owned) -> AsyncIterator[Chromium]:
    """The engine in a tab of its own, with scripts instead of the debugger."""
    await mine.use("content")
    async with mine.driver() as driver:
        yield driver
    await mine.use("debugger")


@pytest.fixture
def wheel(content: Chromium) -> Wheel:
    return Wheel(content)


async def do(driver: Chromium, action: a.AtomicAction, *words: str) -> Performed:
    targets = [await driver.resolve(parse_target(each), SECONDS) for each in words]
    return await driver.perform(action, targets, SECONDS)


async def page_of(mine: Owned, url: str) -> Channel:
    """The debugger's own way to a tab, to see what a person would see there."""
    root = mine.browser.launched.connection.root
    targets = (await root.call("Target.getTargets"))["targetInfos"]
    target = next(t["targetId"] for t in targets if t["type"] == "page" and t["url"] == url)
    session = await root.call("Target.attachToTarget", targetId=target, flatten=True)
    return mine.browser.launched.connection.channel(session["sessionId"])


async def until(site: Site, path: str) -> None:
    async with asyncio.timeout(SOON):
        while not site.hits[path]:
            await asyncio.sleep(0.02)


def names(performed: Performed) -> list[str]:
    assert performed.snapshot
    return [element.name for element in performed.snapshot.elements if element.ref]


def test_the_script_in_the_page_is_the_engines_own() -> None:
    written = (extension_folder() / "world.js").read_text(encoding="utf-8")
    assert written == script(), "Run: make extension"


async def test_frames_of_other_sites_and_closed_roots_are_seen_and_worked(
    wheel: Wheel, site: Site
) -> None:
    inner = "<button onclick=\"fetch('/inner-pressed')\">Inner</button><input aria-label=Word>"
    site.page(inner, "/inner")
    url = site.page(
        f'<button>First</button><iframe src="{site.other}/inner"></iframe><div id=host></div>'
        "<script>const root = host.attachShadow({mode: 'closed'});"
        "root.innerHTML = '<button>Closed</button>';"
        "root.firstChild.onclick = () => fetch('/closed-pressed');</script>"
    )
    assert names(await wheel.go(url)) == ["First", "Inner", "Word", "Closed"]
    await wheel.click("text:Closed")
    await wheel.click("text:Inner")
    assert site.hits["/closed-pressed"] == site.hits["/inner-pressed"] == 1
    filled = await wheel.fill("label:Word", "Hello")
    assert filled.snapshot and "Hello" in [e.facts.value for e in filled.snapshot.elements]


async def test_frames_in_shadow_trees_and_frames_without_an_address_are_worked(
    wheel: Wheel, site: Site
) -> None:
    site.page("<button onclick=\"fetch('/shaded')\">Shaded</button>", "/shaded-frame")
    url = site.page(
        "<div id=host></div><iframe id=bare></iframe><script>"
        "host.attachShadow({mode: 'closed'}).innerHTML = '<iframe src=/shaded-frame></iframe>';"
        "bare.contentDocument.body.innerHTML = '<button>Bare</button>';"
        "bare.contentDocument.querySelector('button').onclick = () => fetch('/bare');</script>"
    )
    await wheel.go(url)
    for words, path in (("Shaded", "/shaded"), ("Bare", "/bare")):
        await wheel.do(a.Wait(text=words))
        await wheel.click(f"text:{words}")
        assert site.hits[path] == 1


async def test_a_form_is_filled_and_sent_by_enter(content: Chromium, site: Site) -> None:
    form = "<form action=/sent><input name=q aria-label=Query><button>Send</button></form>"
    await Wheel(content).go(site.page(form))
    await do(content, a.Type("two words", "label:Query"), "label:Query")
    sent = await do(content, a.Press("Enter", "label:Query"), "label:Query")
    assert [n.url for n in sent.happened.navigations] == [f"{site.address}/sent?q=two+words"]
    await Wheel(content).do(a.Back())
    assert content.page.url == f"{site.address}/"


async def test_what_comes_between_check_and_press_is_not_pressed(wheel: Wheel, site: Site) -> None:
    url = site.page(
        "<style>#over { position: fixed; inset: 0; display: none }</style>"
        "<button onmouseover=\"over.style.display = 'block'\" onclick=\"fetch('/meant')\">Keep"
        "</button><button id=over onclick=\"fetch('/unmeant')\">Buy</button>"
    )
    await wheel.go(url)
    with pytest.raises(ElementObscured, match="Buy"):
        await wheel.click("text:Keep")
    assert site.hits["/unmeant"] == site.hits["/meant"] == 0


async def test_a_press_that_would_reach_another_frame_is_not_made(wheel: Wheel, site: Site) -> None:
    whole = "position: absolute; inset: 0; width: 100%; height: 100%"
    show = "parent.document.getElementById('over').style.display = 'block'"
    site.page(f'<button onmouseover="{show}" onclick="fetch(\'/meant\')">Keep</button>', "/under")
    site.page(f'<button style="{whole}" onclick="fetch(\'/unmeant\')">Buy</button>', "/over")
    await wheel.go(
        site.page(
            f'<iframe src=/under style="{whole}"></iframe>'
            f'<iframe id=over src=/over style="{whole}; display: none"></iframe>'
        )
    )
    with pytest.raises(ElementObscured, match="another frame"):
        await wheel.click("text:Keep")
    assert site.hits["/unmeant"] == site.hits["/meant"] == 0


async def test_what_is_typed_does_not_wander_into_a_secret_field(
    content: Chromium, site: Site
) -> None:
    url = site.page(
        "<input aria-label=Name oninput=\"document.querySelector('[type=password]').focus()\">"
        "<input type=password aria-label=Secret oninput=\"fetch('/written')\">"
    )
    await Wheel(content).go(url)
    with pytest.raises(HandedOver, match="Secret"):
        await do(content, a.Type("abc", "label:Name"), "label:Name")
    assert site.hits["/written"] == 0


async def test_a_link_to_a_new_window_is_opened_beside(wheel: Wheel, site: Site) -> None:
    site.page("Terms", "/terms", title="Terms")
    await wheel.go(site.page('<a href="/terms" target=_blank>Open</a>'))
    await wheel.click("text:Open")
    await until(site, "/terms")
    async with asyncio.timeout(SOON):
        while f"{site.address}/terms" not in [tab.url for tab in await wheel.tabs()]:
            await wheel.do(a.Wait(time_ms=50))


async def test_a_picture_shows_the_view_and_hides_the_secret(content: Chromium, site: Site) -> None:
    style = "position: absolute; left: 0; width: 200px; height: 100px; border: 0"
    url = site.page(
        f'<div style="{style}; top: 0; background: rgb(0, 128, 0)"></div>'
        f'<input type=password value=hush style="{style}; top: 100px">'
    )
    await Wheel(content).go(url)
    taken = await content.perform(a.Screenshot(), (), SECONDS)
    pixels = read_png(taken.value.data)
    assert pixels.at(50, 50) == (0, 128, 0) and pixels.at(50, 150) == COVER
    await Wheel(content).go(site.page('<div style="height: 5000px">Long</div>', "/long"))
    with pytest.raises(ActionFailed, match="needs the debugger permission"):
        await content.perform(a.Screenshot(full_page=True), (), SECONDS)


async def test_what_it_cannot_do_it_says(content: Chromium, site: Site, tmp_path: Any) -> None:
    await Wheel(content).go(site.page("<input type=file aria-label=Bill>"))
    bill = tmp_path / "bill.txt"
    bill.write_text("x")
    with pytest.raises(ActionFailed, match="needs the debugger permission"):
        await do(content, a.Upload("label:Bill", (str(bill),)), "label:Bill")


async def test_a_page_that_leaves_for_another_site_is_brought_back(
    content: Chromium, site: Site
) -> None:
    site.page("Elsewhere", "/away")
    content.allow(("127.0.0.1",))
    await Wheel(content).go(site.page(f'<a href="{site.other}/away">Away</a>'))
    left = await Wheel(content).click("text:Away")
    assert await Wheel(content).blocked(left)
    async with asyncio.timeout(SOON):
        while content.page.url != "about:blank":
            await Wheel(content).do(a.Wait(time_ms=50))


@pytest.mark.parametrize("hand", ["debugger", "content"])
async def test_a_tab_in_use_is_marked_and_the_mark_is_no_part_of_the_page(
    mine: Owned, site: Site, hand: Hand
) -> None:
    await mine.use(hand)
    url = site.page("<button>Only</button>")
    async with mine.driver() as driver:
        went = await Wheel(driver).go(url)
        page = await page_of(mine, url)
        assert await label_in(page) == "SubTerminator is using this tabStop"
        assert names(went) == ["Only"]
        # A page may take it away; it comes back.
        await page.call(
            "Runtime.evaluate",
            expression="document.querySelector('html > subterminator-mark').remove()",
        )
        assert await label_in(page) == "SubTerminator is using this tabStop"
        seen = await driver.observe(View(), SECONDS)
        assert [e.name for e in seen.elements if e.ref] == ["Only"]
        badge = (
            f"chrome.tabs.query({{}}).then((tabs) => tabs.find((tab) => tab.url === '{url}'))"
            ".then(({id}) => chrome.action.getBadgeText({tabId: id}))"
        )
        assert await mine.browser.run(badge) == "ON"
    await mine.use("debugger")


async def inside_mark(page: Channel, *, there: bool = True) -> list[dict[str, Any]]:
    """The nodes of the label, read through its closed root; waits until it is there, or is not."""
    async with asyncio.timeout(SOON):
        while True:
            root = (await page.call("DOM.getDocument", depth=-1, pierce=True))["root"]
            nodes = _in_closed(root, inside=False)
            if bool(nodes) == there:
                return nodes
            await asyncio.sleep(0.05)


def _in_closed(node: dict[str, Any], *, inside: bool) -> list[dict[str, Any]]:
    found = [node] if inside else []
    for child in node.get("children", ()):
        found += _in_closed(child, inside=inside)
    for root in node.get("shadowRoots", ()):
        found += _in_closed(root, inside=inside or root["shadowRootType"] == "closed")
    return found


async def label_in(page: Channel) -> str:
    return "".join(node["nodeValue"] for node in await inside_mark(page) if node["nodeType"] == 3)


async def test_one_press_on_the_mark_stops_everything_but_no_script_presses_it(
    mine: Owned, site: Site
) -> None:
    url = site.page("<button>Only</button>")
    async with mine.driver() as driver:
        await Wheel(driver).go(url)
        page = await page_of(mine, url)
        await label_in(page)
        # What a page can reach of it is its host.
        press = "for (const el of document.documentElement.children) el.click?.()"
        await page.call("Runtime.evaluate", expression=press)
        assert names(await Wheel(driver).do(a.Wait(time_ms=50))) == ["Only"]
        box = await button_box(page)
        for kind in ("mousePressed", "mouseReleased"):
            await page.call(
                "Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **box
            )
        ours = "chrome.storage.session.get(['picked', 'own'])"
        async with asyncio.timeout(SOON):
            while any((await mine.browser.run(ours)).values()):
                await asyncio.sleep(0.05)


async def button_box(page: Channel) -> dict[str, float]:
    button = next(node for node in await inside_mark(page) if node["nodeName"] == "BUTTON")
    model = await page.call("DOM.getBoxModel", backendNodeId=button["backendNodeId"])
    quad = model["model"]["content"]
    return {"x": (quad[0] + quad[4]) / 2, "y": (quad[1] + quad[5]) / 2}


async def test_nothing_of_ours_runs_in_a_tab_that_was_not_picked(mine: Owned, site: Site) -> None:
    url = site.page("<button>Private</button>", "/private")
    tab = await mine.open_page(url)
    page = await page_of(mine, url)
    worlds: list[dict[str, Any]] = []
    page.on("Runtime.executionContextCreated", lambda event: worlds.append(event["context"]))
    await page.call("Runtime.enable")
    async with mine.driver() as driver:
        await Wheel(driver).go(site.page("<button>Other</button>"))
        assert [w["auxData"]["type"] for w in worlds] == ["default"]
    await mine.browser.run(f"chrome.tabs.remove({tab})")


async def test_without_the_debuggers_permission_it_works_by_scripts(
    tmp_path: Path, site: Site
) -> None:
    folder = tmp_path / "unpacked"
    ZipFile(pack(extension_folder(), tmp_path / "zips")[1]).extractall(folder)
    async with switchboard(tmp_path / "s") as board:
        browser = await Extended.start(locate(this_machine(), "").path, folder)
        try:
            # Asked for, but not there.
            await browser.pair(board.new_code(), "debugger")
            assert (await board.line("", 20)).hand == "content"
            async with Owned(board, browser).driver() as driver:
                await Wheel(driver).go(site.page("<button onclick=\"fetch('/hit')\">Go</button>"))
                await Wheel(driver).click("text:Go")
            assert site.hits["/hit"] == 1
        finally:
            await browser.close()

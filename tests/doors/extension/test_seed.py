"""The plain action protocol, message by message as its document has it, at both ends of the line.

The other end here speaks nothing else, once both have proven who they are.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct

from subterminator.doors.extension.pairing import Talk, key_of_token
from subterminator.doors.extension.switchboard import Switchboard
from subterminator.doors.extension.wire import Browser, Hello
from subterminator.engine.extended import Extended
from tests.doors.extension.owned import SOON, Stranger, extended, switchboard
from tests.doors.extension.test_pairing import FIRST, Peer, at, pair
from tests.site import Site

SECRET, CODE = "ABCDEFGH01234567", "ABCD-EFGH-0123-4567"
TALL = '<div style="height: 3000px"></div>'


class Backend(Struct):
    """A controller that knows only ActionCommand, ActionResult and Snapshot."""

    stranger: Stranger
    browser: Extended
    tab: int = 0

    async def show(self, url: str) -> dict[str, Any]:
        """The user opens a page and picks its tab; what we are shown of it."""
        await self.leave()
        self.stranger.heard.clear()
        made = await self.browser.run(
            f"chrome.tabs.create({{url: {json.dumps(url)}}}).then(({{id}}) => new Promise((done) => {{"
            "const look = async () => (await chrome.tabs.get(id)).status === 'complete' && done(id);"
            "chrome.tabs.onUpdated.addListener(look); look(); }))"
        )
        self.tab = int(made)
        await self.browser.say("Pick", tab=self.tab)
        return await self.snapshot()

    async def leave(self) -> None:
        if self.tab:
            await self.browser.say("Unpick", tab=self.tab)
            await self.browser.run(f"chrome.tabs.remove({self.tab})")
            self.tab = 0

    async def snapshot(self) -> dict[str, Any]:
        """The newest that was pushed; waits for the first."""
        await self.stranger.hear(type="Snapshot")
        data: dict[str, Any] = [m for m in self.stranger.heard if m["type"] == "Snapshot"][-1][
            "data"
        ]
        return data

    async def until_shown(self, name: str) -> dict[str, Any]:
        async with asyncio.timeout(SOON):
            while name not in names(snapshot := await self.snapshot()):
                await asyncio.sleep(0.03)
        return snapshot

    async def command(self, action: dict[str, Any], **more: Any) -> dict[str, Any]:
        """Send one, as bare as the document has it; the result that follows."""
        before = self.results()
        await self.stranger.say("ActionCommand", action, **more)
        async with asyncio.timeout(SOON):
            while len(self.results()) == len(before):
                await asyncio.sleep(0.02)
        data: dict[str, Any] = self.results()[-1]["data"]
        return data

    def results(self) -> list[dict[str, Any]]:
        return [message for message in self.stranger.heard if message["type"] == "ActionResult"]


def names(snapshot: dict[str, Any]) -> list[str]:
    return [node["name"] for node in snapshot["tree"]]


def ref(snapshot: dict[str, Any], name: str) -> int:
    return next(int(node["id"]) for node in snapshot["tree"] if node["name"] == name)


@pytest.fixture(scope="module")
async def _backend() -> AsyncIterator[Backend]:
    stranger = Stranger()
    async with stranger.listening(), extended() as browser:
        pairing = asyncio.ensure_future(browser.pair(f"{stranger.port}-{CODE}"))
        await stranger.welcome(secret=SECRET)
        await pairing
        yield Backend(stranger, browser)


@pytest.fixture
async def backend(_backend: Backend) -> AsyncIterator[Backend]:
    yield _backend
    await _backend.leave()


# 7. Example flow, and 6. the envelope


async def test_the_example_flow_at_the_extensions_end(backend: Backend, site: Site) -> None:
    url = site.page("<button onclick=\"fetch('/login', {method: 'POST'})\">Login</button>")
    # 2. Extension sends Snapshot
    await backend.show(url)
    message = await backend.stranger.hear(type="Snapshot")
    (node,) = message["data"]["tree"]
    bounds = node.pop("bounds")
    assert node == {"id": 1, "role": "button", "name": "Login", "tag": "BUTTON"}
    assert set(bounds) == {"x", "y", "width", "height"}
    # 4. Backend sends ActionCommand
    assert backend.stranger.socket
    literal = '{"type": "ActionCommand", "data": { "type": "click_element", "ref": 1 }}'
    await backend.stranger.socket.send(literal)
    # 5. Extension executes click and returns ActionResult
    result = await backend.stranger.hear(type="ActionResult")
    assert result["data"]["success"] is True
    assert set(result["data"]) <= {"success", "error", "data"} and result["data"]["error"] is None
    assert site.hits["/login"] == 1


async def test_the_example_flow_at_the_programs_end(tmp_path: Path) -> None:
    async with switchboard(tmp_path / "s") as board:
        token = await pair(board)
        async with at(board) as socket:
            peer = Peer(socket)
            await greet(board, peer, token)
            bounds = {"x": 100, "y": 200, "width": 80, "height": 30}
            node = {"id": 1, "role": "button", "name": "Login", "tag": "BUTTON", "bounds": bounds}
            await peer.say("Snapshot", {"tree": [node]})
            line = await board.line("", SOON)
            async with asyncio.timeout(SOON):
                while line.snapshot is None:
                    await asyncio.sleep(0.01)
            assert msgspec.json.decode(line.snapshot) == {"tree": [node]}
            result = line.command({"type": "click_element", "ref": 1})
            said = await peer.hear()
            assert said == {"type": "ActionCommand", "data": {"type": "click_element", "ref": 1}}
            await socket.send('{"type": "ActionResult", "data": { "success": true }}')
            async with asyncio.timeout(SOON):
                assert msgspec.json.decode(await result) == {"success": True}


async def greet(board: Switchboard, peer: Peer, token: str, browser: Browser = FIRST) -> None:
    hello = Hello("n2", browser, "paired")
    challenge = (await peer.greet(hello))["data"]
    talk = Talk(hello, challenge["nonce"], board.port)
    await peer.say("Proof", {"proof": talk.proof(key_of_token(token), "extension")})
    assert (await peer.hear())["type"] == "Welcome"


# 2. ActionCommand, 3. ActionResult


async def test_navigate_to(backend: Backend, site: Site) -> None:
    await backend.show(site.page("<button>Here</button>"))
    there = site.page("<button>There</button>", "/there")
    assert (await backend.command({"type": "navigate_to", "url": there}))["success"] is True
    assert (await backend.until_shown("There"))["url"] == there
    for forbidden in ("file:///etc/passwd", "chrome://settings", "javascript:alert(1)", "about:x"):
        refused = await backend.command({"type": "navigate_to", "url": forbidden})
        assert refused["success"] is False and "http" in refused["error"]


async def test_type_text(backend: Backend, site: Site) -> None:
    page = "<button>First</button><input aria-label=Greeting oninput=\"fetch('/typed')\">"
    shown = await backend.show(site.page(page))
    literal = {"type": "type_text", "ref": ref(shown, "Greeting"), "text": "Hello World"}
    assert (await backend.command(literal))["success"] is True
    value = "document.querySelector('input').value"
    read = (
        f"chrome.scripting.executeScript({{target: {{tabId: {backend.tab}}}, func: () => {value}}})"
    )
    assert (await backend.browser.run(read))[0]["result"] == "Hello World"
    assert site.hits["/typed"]


async def test_type_text_never_fills_a_secret_field(backend: Backend, site: Site) -> None:
    shown = await backend.show(site.page("<input type=password aria-label=Password>"))
    action = {"type": "type_text", "ref": ref(shown, "Password"), "text": "hush"}
    refused = await backend.command(action)
    assert refused["success"] is False and "secret" in refused["error"]


async def test_scroll_to(backend: Backend, site: Site) -> None:
    shown = await backend.show(site.page(f"<button>Top</button>{TALL}<button>Bottom</button>"))
    assert names(shown) == ["Top"]
    result = await backend.command({"type": "scroll_to", "x": 0, "y": 500})
    assert result == {"success": True, "error": None, "data": {"x": 0, "y": 500, "moved": True}}
    await backend.command({"type": "scroll_to", "x": 0, "y": 99999})
    bottom = await backend.until_shown("Bottom")
    # Top has 1, and keeps it.
    assert [node["id"] for node in bottom["tree"]] == [2]


WRONG: tuple[tuple[dict[str, Any], str], ...] = (
    ({"type": "fly"}, "no action"),
    ({}, "no action"),
    ({"type": "click_element"}, "ref_invalid"),
    ({"type": "click_element", "ref": 99}, "ref_invalid"),
    ({"type": "scroll_to", "x": "a", "y": 0}, "numbers"),
    ({"type": "type_text", "ref": 1}, "text"),
)


async def test_what_cannot_be_done_is_a_result_that_says_why(backend: Backend, site: Site) -> None:
    await backend.show(site.page("<input aria-label=One>"))
    for action, words in WRONG:
        result = await backend.command(action)
        assert result["success"] is False and words in result["error"]


async def test_without_a_picked_tab_nothing_is_done(backend: Backend, site: Site) -> None:
    site.page("x", "/never")
    await backend.leave()
    result = await backend.command({"type": "navigate_to", "url": f"{site.address}/never"})
    assert result["success"] is False and "pick" in result["error"].lower()
    assert not site.hits["/never"]


# 4. Snapshot, 5. refs


async def test_refs_count_depth_first_and_only_what_can_be_used_seen_and_is_not_hidden(
    backend: Backend, site: Site
) -> None:
    site.page("<button>In frame</button>", "/frame")
    shown = await backend.show(
        site.page(
            "<nav><a href=/a>Link</a></nav><h1>Words</h1><div><button>Button</button></div>"
            "<select aria-label=Choice><option>x</select><textarea aria-label=Area></textarea>"
            "<span style='cursor: pointer'>Pointer</span><div role=checkbox>Box</div>"
            "<div tabindex=0>Focus</div><p>Plain</p>"
            "<button style='display: none'>Gone</button>"
            "<button style='visibility: hidden'>Ghost</button>"
            f'<iframe src="{site.other}/frame"></iframe>{TALL}<button>Below</button>'
        )
    )
    tree = shown["tree"]
    wanted = ["Link", "Button", "Choice", "Area", "Pointer", "Box", "Focus", "In frame"]
    if "In frame" not in names(shown):
        shown = await backend.until_shown("In frame")
        tree = shown["tree"]
    assert [node["name"] for node in tree] == wanted
    assert [node["id"] for node in tree] == list(range(1, len(wanted) + 1))
    assert [node["tag"] for node in tree][:4] == ["A", "BUTTON", "SELECT", "TEXTAREA"]
    assert (await backend.command({"type": "click_element", "ref": 8}))["success"] is True


async def test_a_page_cannot_hide_its_controls_by_our_attribute_and_our_mark_is_left_out(
    backend: Backend, site: Site
) -> None:
    shown = await backend.show(
        site.page(
            "<div data-browser-agent-ui><button>Cancel plan</button></div><button>Keep</button>"
        )
    )
    assert names(shown) == ["Cancel plan", "Keep"]
    again = (await backend.command({"type": "get_snapshot"}))["data"]
    assert names(again) == ["Cancel plan", "Keep"]


async def test_a_ref_is_never_given_twice_and_dies_with_its_element(
    backend: Backend, site: Site
) -> None:
    page = "<button onclick=\"fetch('/pressed'); this.textContent = 'Really?'\">Go</button>"
    first = ref(await backend.show(site.page(page)), "Go")
    assert (await backend.command({"type": "click_element", "ref": first}))["success"] is True
    second = ref(await backend.until_shown("Really?"), "Really?")
    assert second > first
    stale = await backend.command({"type": "click_element", "ref": first})
    assert stale["success"] is False and "ref_invalid" in stale["error"]
    await backend.command({"type": "reload"})
    third = ref(await backend.until_shown("Go"), "Go")
    assert third > second
    assert site.hits["/pressed"] == 1


async def test_a_change_in_the_page_is_pushed(backend: Backend, site: Site) -> None:
    page = "<div id=late></div><script>globalThis.grow = () => { late.innerHTML = '<button>Late</button>'; }</script>"
    await backend.show(site.page(page))
    await backend.command({"type": "get_snapshot"})
    grow = f"chrome.scripting.executeScript({{target: {{tabId: {backend.tab}}}, world: 'MAIN', func: () => grow()}})"
    await backend.browser.run(grow)
    assert ref(await backend.until_shown("Late"), "Late") == 1


# More than the document has


async def test_what_carries_an_id_is_done_once_and_in_time(backend: Backend, site: Site) -> None:
    shown = await backend.show(site.page("<button onclick=\"fetch('/once')\">Once</button>"))
    click = {"type": "click_element", "ref": ref(shown, "Once")}
    later = round(time.time() * 1000) + 60_000
    assert (await backend.command(click, id="c1", not_after=later))["success"] is True
    assert backend.results()[-1]["reply"] == "c1"
    again = await backend.command(click, id="c1", not_after=later)
    assert again["success"] is False and "replayed" in again["error"]
    late = await backend.command(click, id="c2", not_after=later - 120_000)
    assert late["success"] is False and "expired" in late["error"]
    old = await backend.command({**click, "snapshot_id": "s0"})
    assert old["success"] is False and "older snapshot" in old["error"]
    assert site.hits["/once"] == 1


async def test_the_form_that_was_shipped_is_understood_too(backend: Backend, site: Site) -> None:
    await backend.show(site.page("<p>Some words</p><button>One</button>"))
    request = {"request_id": "r7", "command": {"type": "get_interactive_elements"}}
    await backend.stranger.say("action_request", request)
    result = (await backend.stranger.hear(type="ActionResult"))["data"]
    assert result["request_id"] == "r7" and result["success"] is True
    assert [each["name"] for each in result["data"]["elements"]] == ["One"]
    read = await backend.command({"type": "get_page_content", "max_length": 10})
    assert read["data"]["content"] == "Some words"

"""Who may talk to whom: codes, proofs, tokens, ports. The ids are those of the threat list."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin

from subterminator.doors.extension import pairing
from subterminator.doors.extension.pairing import Codes, Pairings, Talk, key_of_code, key_of_token
from subterminator.doors.extension.switchboard import Switchboard
from subterminator.doors.extension.wire import EXTENSION_ID, ORIGIN, Browser, Hello
from subterminator.errors import BrowserClosed, BrowserMissing, InvalidParams
from subterminator.safety.clock import Clock
from tests.doors.extension.owned import SOON, Owned, Stranger, extended, switchboard

FIRST = Browser("one", "Chrome on Linux", "130")


class Peer:
    """An extension written down: says what it is told to."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def say(self, kind: str, data: Any) -> None:
        await self.socket.send(json.dumps({"type": kind, "data": data}))

    async def hear(self) -> dict[str, Any]:
        async with asyncio.timeout(SOON):
            message: dict[str, Any] = json.loads(await self.socket.recv())
            return message

    async def is_closed(self) -> bool:
        async with asyncio.timeout(SOON):
            try:
                while True:
                    await self.socket.recv()
            except ConnectionClosed:
                return True

    async def greet(self, hello: Hello) -> dict[str, Any]:
        browser = {"id": hello.browser.id, "name": hello.browser.name}
        await self.say("Hello", {"nonce": hello.nonce, "browser": browser, "kind": hello.kind})
        return await self.hear()


def at(board: Switchboard, origin: str | None = ORIGIN) -> connect:
    address = f"ws://127.0.0.1:{board.port}/extension"
    return connect(address, origin=Origin(origin) if origin else None, proxy=None)


async def pair(board: Switchboard, browser: Browser = FIRST) -> str:
    """A pairing as an extension does it; the token."""
    secret = "".join(board.new_code().split("-")[1:])
    hello = Hello("n1", browser, "code")
    async with at(board) as socket:
        peer = Peer(socket)
        challenge = (await peer.greet(hello))["data"]
        talk = Talk(hello, challenge["nonce"], board.port)
        key = key_of_code(secret, board.port)
        assert challenge["proof"] == talk.proof(key, "server")
        await peer.say("Proof", {"proof": talk.proof(key, "extension")})
        welcome = await peer.hear()
    assert welcome["type"] == "Welcome"
    token: str = welcome["data"]["token"]
    return token


# P2


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "null",
        "https://evil.example",
        "http://127.0.0.1",
        "chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        f"{ORIGIN[:-1]}b",
        f"{ORIGIN}.evil.example",
        f"{ORIGIN}/",
        ORIGIN.upper(),
        f"moz-extension://{EXTENSION_ID}",
    ],
)
async def test_p2_only_our_extension_gets_as_far_as_a_greeting(
    tmp_path: Path, origin: str | None
) -> None:
    async with switchboard(tmp_path / "s") as board:
        board.new_code()
        with pytest.raises(InvalidStatus) as refused:
            async with at(board, origin):
                pass
        assert refused.value.response.status_code == 403
        assert board.connected() == []


async def test_p2_our_origin_opens_no_other_route(tmp_path: Path) -> None:
    async with switchboard(tmp_path / "s") as board:
        for path in ("", "extension/", "extension/x", "mcp"):
            with pytest.raises(InvalidStatus) as refused:
                async with connect(
                    f"ws://127.0.0.1:{board.port}/{path}",
                    origin=Origin(ORIGIN),
                    proxy=None,
                ):
                    pass
            assert refused.value.response.status_code == 403


async def test_p2_with_the_right_origin_but_no_secret_nothing_is_gained(tmp_path: Path) -> None:
    async with switchboard(tmp_path / "s") as board:
        for kind in ("paired", "code"):
            async with at(board) as socket:
                peer = Peer(socket)
                assert (await peer.greet(Hello("n", FIRST, kind)))["type"] == "Refused"
                assert await peer.is_closed()
        board.new_code()
        async with at(board) as socket:
            peer = Peer(socket)
            assert (await peer.greet(Hello("n", FIRST, "code")))["type"] == "Challenge"
            await peer.say("Proof", {"proof": "x" * 43})
            assert await peer.is_closed()
        assert board.connected() == [] and board.pairings.all() == []


@pytest.mark.parametrize("said", ["{", '{"type": "Cdp"}', "[]", '{"type": "Hello"}', "x" * 9000])
async def test_whoever_begins_otherwise_is_hung_up_on(tmp_path: Path, said: str) -> None:
    async with switchboard(tmp_path / "s") as board, at(board) as socket:
        await socket.send(said)
        assert await Peer(socket).is_closed()


async def test_too_many_wrong_tries_are_not_even_listened_to(tmp_path: Path) -> None:
    async with switchboard(tmp_path / "s") as board:
        for _ in range(20):
            async with at(board) as socket:
                await Peer(socket).greet(Hello("n", FIRST, "paired"))
        async with at(board) as socket:
            with pytest.raises(ConnectionClosed):
                await Peer(socket).greet(Hello("n", FIRST, "paired"))


# Codes and tokens


async def test_a_code_is_good_for_one_browser(tmp_path: Path) -> None:
    async with switchboard(tmp_path / "s") as board:
        token = await pair(board)
        assert len(key_of_token(token)) == 32
        assert board.codes.secret == ""
        assert [each.name for each in board.pairings.all()] == ["Chrome on Linux"]


async def test_browsers_of_the_same_name_are_told_apart(tmp_path: Path) -> None:
    async with switchboard(tmp_path / "s") as board:
        await pair(board)
        await pair(board, Browser("two", "Chrome on Linux"))
        first = board.pairings.find("one")
        await pair(board)  # The first once more: the old token is void, the name stays its own.
        assert [each.name for each in board.pairings.all()] == [
            "Chrome on Linux 2",
            "Chrome on Linux",
        ]
        assert first and board.pairings.find("one") != first


def test_a_code_ends_after_ten_minutes_and_after_a_few_wrong_tries() -> None:
    now = 1000.0
    codes = Codes(Clock(lambda: now, lambda: now))
    code = codes.issue(4711)
    port, *groups = code.split("-")
    assert port == "4711" and codes.secret == "".join(groups) and len(codes.secret) == 16
    now += 599
    assert codes.secret
    now += 2
    assert not codes.secret
    codes.issue(4711)
    for _ in range(pairing.CODE_TRIES):
        assert codes.secret
        codes.fail()
    assert not codes.secret


def test_a_browser_is_revoked_by_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir(mode=0o700)
    pairings = Pairings(folder)
    pairings.add(FIRST)
    with pytest.raises(InvalidParams, match="Known: Chrome on Linux"):
        pairings.revoke("other")
    pairings.revoke("chrome ON linux")
    assert pairings.all() == []
    assert (folder / "browsers.json").stat().st_mode & 0o777 == 0o600


# The real extension


async def test_p5_a_rogue_server_on_our_port_gets_nothing(tmp_path: Path) -> None:
    """It took the port while ours was not running, and proves nothing."""
    rogue = Stranger()
    async with extended() as browser:
        async with switchboard(tmp_path / "s") as board:
            await browser.pair(board.new_code())
            port = board.port
        async with rogue.listening(port):
            await browser.say("Connect")
            hello = await rogue.hear(type="Hello")
            await rogue.say("Welcome", {"epoch": "e", "token": "t", "name": "Evil"})
            await rogue.say("Cdp", {"tab": 1, "method": "Page.navigate"}, id="1", seq=1, epoch="e")
            await rogue.hear(type="closed")
            rogue.heard.clear()
            await browser.say("Connect")
            await rogue.hear(type="Hello")
            await rogue.say("Challenge", {"nonce": "n", "proof": "A" * 43})
            await rogue.hear(type="closed")
            assert [each["type"] for each in rogue.heard] == ["Hello", "closed"]
        said = json.dumps(hello)
        kept = await browser.run("chrome.storage.local.get('pairing').then(JSON.stringify)")
        token = json.loads(kept)["pairing"]["token"]
        assert token not in said and len(token) == 43
        assert hello["data"].keys() == {"nonce", "browser", "kind"}
        assert hello["data"]["browser"].keys() == {"id"}
        # The right one is still known afterwards.
        async with switchboard(tmp_path / "s", port) as board:
            await browser.say("Connect")
            await board.line("", SOON)


async def test_p6_no_page_and_no_message_names_another_port(mine: Owned) -> None:
    """Pages have no way in at all; the panel's own port takes a code and nothing else."""
    rogue = Stranger()
    browser = mine.browser
    async with rogue.listening():
        address = f"ws://127.0.0.1:{rogue.port}/extension"
        await browser.say("Connect", port=rogue.port, url=address)
        await browser.say("Pair", code=address)
        await browser.say("Pair", code=f"127.0.0.1:{rogue.port}-ABCD")
        await browser.say("Mode", hand="debugger", endpoint=address)
        line = await mine.line()
        line.tell("Welcome", {"port": rogue.port, "epoch": "x"})
        line.tell("Connect", {"url": address})
        await line.post("Tabs", {})  # All before it has been taken by now.
        outside = await browser.run(
            f"fetch('{ORIGIN}/manifest.json').then((r) => r.json()).then((m) => JSON.stringify("
            "[m.externally_connectable ?? null, m.web_accessible_resources ?? null]))"
        )
        assert json.loads(outside) == [None, None]
        assert rogue.heard == [] and rogue.socket is None
    assert (await mine.line()) is line


@pytest.mark.parametrize("code", ["", "nonsense", "70000-ABCD-EFGH-JKMN-PQRS", "1-ABCD-EFGH-JKMN"])
async def test_what_is_no_code_is_said_to_be_none(tmp_path: Path, mine: Owned, code: str) -> None:
    told = await mine.browser.run(
        "new Promise((done) => { const port = chrome.runtime.connect({name: 'panel'});"
        "port.onMessage.addListener(({type, data}) => data.problem && done(data.problem));"
        f"port.postMessage({{type: 'Pair', data: {{code: {json.dumps(code)}}}}}); }})"
    )
    assert "not a pairing code" in told


async def test_a_wrong_code_pairs_nothing(tmp_path: Path) -> None:
    async with extended() as browser, switchboard(tmp_path / "s") as board:
        right = board.new_code()
        wrong = f"{right[:-1]}{'0' if right[-1] != '0' else '1'}"
        with pytest.raises(BrowserMissing, match="The code is wrong"):
            await browser.pair(wrong)
        assert board.connected() == [] and board.pairings.all() == []
        # Typed without care, it still counts.
        await browser.pair(right.lower().replace("-", " - "))
        assert [each.name for each in board.connected()] == ["Chromium on Linux"]


async def test_it_comes_back_after_a_restart_of_the_server_and_not_after_it_was_revoked(
    tmp_path: Path,
) -> None:
    async with extended() as browser:
        async with switchboard(tmp_path / "s") as board:
            await browser.pair(board.new_code())
            port = board.port
        async with switchboard(tmp_path / "s", port) as board:
            line = await board.line("", SOON)  # By itself.
            gone = board.pairings.revoke("Chromium on Linux")
            board.revoke(gone.id)
            assert await line.lost == "its pairing was revoked"
            await browser.say("Connect")
            with pytest.raises(BrowserClosed):
                await board.arrival(2)
            assert board.connected() == []


async def test_it_comes_back_after_a_restart_of_the_browser(tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    async with switchboard(tmp_path / "s") as board:
        async with extended(profile) as browser:
            await browser.pair(board.new_code())
            first = await board.line("", SOON)
            await browser.launched.connection.root.call("Browser.close")
            await first.lost
        async with extended(profile):
            second = await board.line("", SOON)
            assert second.browser == first.browser and second is not first

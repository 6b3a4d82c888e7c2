"""A stand-in for a user's own browser: one with the extension, and a server of ours beside it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from websockets.asyncio.server import Server, ServerConnection, serve

from subterminator.doors.extension.files import extension_folder
from subterminator.doors.extension.line import Line, Portion
from subterminator.doors.extension.pairing import Talk, key_of_code, key_of_token
from subterminator.doors.extension.route import only_extension
from subterminator.doors.extension.switchboard import Switchboard
from subterminator.doors.extension.wire import Hello
from subterminator.doors.server.application import bound_socket
from subterminator.engine.browsers import locate
from subterminator.engine.cdp import Channel, Connection
from subterminator.engine.chromium import Chromium
from subterminator.engine.extended import Extended, Hand
from subterminator.engine.relay import Relay
from subterminator.machine import this_machine

SOON = 20.0


class Owned(Struct):
    """The browser and the server; they are paired."""

    board: Switchboard
    browser: Extended

    async def line(self) -> Line:
        return await self.board.line("", SOON)

    @asynccontextmanager
    async def driver(self, portion: Portion | None = None) -> AsyncIterator[Chromium]:
        """The engine in a tab of its own there."""
        line = portion or (await self.line()).portion()
        driver = await Chromium(Connection(Relay(line)), None).attach()
        try:
            yield driver
        finally:
            await driver.close()

    async def use(self, hand: Hand) -> None:
        """As the user chooses it in the panel; the line is told with the next list of tabs."""
        await self.browser.use_hand(hand)

    async def open_page(self, url: str, opener: str = "undefined") -> int:
        """A tab that the user has opened; its number in the extension's terms."""
        made = await self.browser.run(f"""(async () => {{
          const wish = {{ url: {json.dumps(url)}, openerTabId: await {opener} }};
          const {{ id }} = await chrome.tabs.create(wish);
          const isThere = async () => (await chrome.tabs.get(id)).status === 'complete';
          await new Promise(async (done) => {{
            chrome.tabs.onUpdated.addListener(async () => await isThere() && done());
            if (await isThere()) done();
          }});
          return id;
        }})()""")
        return int(made)

    async def worker(self) -> Channel:
        """The debugger's own way to the extension's worker."""
        return await worker_of(self.browser)


async def worker_of(browser: Extended) -> Channel:
    root = browser.launched.connection.root
    for info in (await root.call("Target.getTargets"))["targetInfos"]:
        if info["type"] == "service_worker" and info["url"].endswith("/background.js"):
            target = info["targetId"]
    session = await root.call("Target.attachToTarget", targetId=target, flatten=True)
    return browser.launched.connection.channel(session["sessionId"])


@asynccontextmanager
async def extended(profile: Path | None = None) -> AsyncIterator[Extended]:
    """A browser with the extension, paired with nobody."""
    browser = await Extended.start(
        locate(this_machine(), "").path, extension_folder(), profile_dir=profile
    )
    try:
        yield browser
    finally:
        await browser.close()


@asynccontextmanager
async def switchboard(folder: Path, port: int = 0) -> AsyncIterator[Switchboard]:
    folder.mkdir(mode=0o700, exist_ok=True)
    with closing(bound_socket(port)) as server:
        async with only_extension(folder, server) as board:
            yield board


@asynccontextmanager
async def owned(folder: Path) -> AsyncIterator[Owned]:
    async with AsyncExitStack() as stack:
        board = await stack.enter_async_context(switchboard(folder))
        browser = await stack.enter_async_context(extended())
        await browser.pair(board.new_code())
        yield Owned(board, browser)


class Stranger:
    """A server that says exactly what it is told to; it knows the secret only if it is given it."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.socket: ServerConnection | None = None
        self.port = 0
        self._news = asyncio.Condition()

    async def _serve(self, socket: ServerConnection) -> None:
        self.socket = socket
        async for text in socket:
            async with self._news:
                self.heard.append(json.loads(text))
                self._news.notify_all()
        async with self._news:
            self.heard.append({"type": "closed"})
            self._news.notify_all()

    @asynccontextmanager
    async def listening(self, port: int = 0) -> AsyncIterator[Server]:
        async with serve(self._serve, "127.0.0.1", port, max_size=None) as server:
            self.port = server.sockets[0].getsockname()[1]
            yield server

    async def say(self, kind: str, data: Any, **more: Any) -> None:
        assert self.socket
        await self.socket.send(json.dumps({"type": kind, "data": data, **more}))

    async def news(self) -> None:
        async with self._news:
            await self._news.wait()

    async def hear(self, **wanted: Any) -> dict[str, Any]:
        """The first message, also of those that came before, with these fields."""
        async with asyncio.timeout(SOON), self._news:
            while True:
                for message in self.heard:
                    if wanted.items() <= message.items():
                        return message
                await self._news.wait()

    async def welcome(self, secret: str = "", token: str = "", epoch: str = "e1") -> str:
        """The handshake with the right secret; the token that was given."""
        hello = msgspec.convert((await self.hear(type="Hello"))["data"], Hello)
        key = key_of_code(secret, self.port) if secret else key_of_token(token)
        talk = Talk(hello, "n" * 43, self.port)
        await self.say("Challenge", {"nonce": talk.nonce, "proof": talk.proof(key, "server")})
        proof = await self.hear(type="Proof")
        assert talk.holds(key, proof["data"]["proof"])
        token = token or "t" * 43
        await self.say("Welcome", {"epoch": epoch, "token": token, "name": "Test"})
        await self.hear(type="TabsChanged")
        return token

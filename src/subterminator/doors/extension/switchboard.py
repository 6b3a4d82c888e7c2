"""All browsers that are connected, and the handshake by which one comes in."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import msgspec

from subterminator.doors.extension import wire
from subterminator.doors.extension.line import Line, Socket
from subterminator.doors.extension.pairing import (
    Codes,
    Paired,
    Pairings,
    Talk,
    key_of_code,
    key_of_token,
    new_nonce,
)
from subterminator.doors.server.limits import Throttle
from subterminator.errors import BrowserClosed, InvalidParams

HANDSHAKE_SECONDS = 10.0
MOST_LINES = 16
REFUSED = 1008
T = TypeVar("T")


class Switchboard:
    """The lines of one server, by browser; who waits for one is told."""

    def __init__(self, folder: Path, throttle: Throttle, most_bytes: int) -> None:
        self.pairings = Pairings(folder)
        self.codes = Codes()
        self.port = 0
        self._throttle, self._most_bytes = throttle, most_bytes
        self._lines: dict[str, Line] = {}
        self._news = asyncio.Event()
        self._waiting: list[asyncio.Future[wire.Browser]] = []

    def new_code(self) -> str:
        return self.codes.issue(self.port)

    def connected(self) -> list[wire.Browser]:
        return [line.browser for line in self._lines.values()]

    def find(self, name: str) -> Line | None:
        """The only browser, or the one of that name; raises where it is not clear which."""
        meant = [
            line for line in self._lines.values()
            if not name or line.browser.name.casefold() == name.casefold()
        ]  # fmt: skip
        if len(meant) > 1:
            names = ", ".join(f"mine:{line.browser.name}" for line in meant)
            raise InvalidParams("Several browsers are connected.", next_step=f"Say which: {names}.")
        return meant[0] if meant else None

    async def line(self, name: str, seconds: float) -> Line:
        """That browser's line, as soon as there is one."""
        try:
            async with asyncio.timeout(seconds):
                while (line := self.find(name)) is None:
                    self._news.clear()
                    await self._news.wait()
                return line
        except TimeoutError:
            raise no_browser(name) from None

    async def arrival(self, seconds: float) -> wire.Browser:
        """The next browser that connects."""
        arrived: asyncio.Future[wire.Browser] = asyncio.get_running_loop().create_future()
        self._waiting.append(arrived)
        try:
            async with asyncio.timeout(seconds):
                return await arrived
        except TimeoutError:
            raise no_browser("") from None
        finally:
            self._waiting.remove(arrived)

    def revoke(self, id: str) -> None:
        """A browser that is a stranger from now on loses its line at once."""
        if line := self._lines.get(id):
            line.tell("Bye", {"words": "This pairing was revoked."})
            line.end("its pairing was revoked")

    def close(self) -> None:
        for line in list(self._lines.values()):
            line.end("the server has ended")

    # Coming in

    async def talk(self, socket: Socket, address: str) -> None:
        """One connection from its first message to its end."""
        if self._throttle.wait_for(address) or len(self._lines) >= MOST_LINES:
            await socket.close(REFUSED, "")
            return
        try:
            async with asyncio.timeout(HANDSHAKE_SECONDS):
                line = await self._welcome(socket)
        except (TimeoutError, InvalidParams, ConnectionError):
            line = None
        if line is None:
            self._throttle.fail(address)
            await _hang_up(socket)
            return
        async with self._holding(line):
            await line.run()

    async def _welcome(self, socket: Socket) -> Line | None:
        """The line to an extension that has proven itself; it was given our proof first."""
        hello = await _next(socket, "Hello", wire.Hello)
        key = self._key(hello)
        if key is None:
            await socket.send(wire.write("Refused", {}))
            return None
        talk = Talk(hello, new_nonce(), self.port)
        challenge = wire.Challenge(talk.nonce, talk.proof(key, "server"))
        await socket.send(wire.write("Challenge", challenge))
        proof = await _next(socket, "Proof", wire.Proof)
        if not talk.holds(key, proof.proof):
            if hello.kind == "code":
                self.codes.fail()
            return None
        told = proof.browser or hello.browser
        browser = wire.Browser(hello.browser.id, told.name, told.version)
        paired = self._pair(hello, browser)
        if paired is None:
            return None
        epoch = secrets.token_hex(16)
        token = paired.token if hello.kind == "code" else ""
        welcome = wire.Welcome(epoch, paired.name, self._most_bytes, token)
        await socket.send(wire.write("Welcome", welcome))
        named = wire.Browser(browser.id, paired.name, browser.version)
        return Line(socket, named, proof.hand, epoch)

    def _key(self, hello: wire.Hello) -> bytes | None:
        if hello.kind == "code":
            secret = self.codes.secret
            return key_of_code(secret, self.port) if secret else None
        paired = self.pairings.find(hello.browser.id)
        return key_of_token(paired.token) if paired else None

    def _pair(self, hello: wire.Hello, browser: wire.Browser) -> Paired | None:
        """Nobody else was quicker with the same code, and nobody has revoked it meanwhile."""
        if hello.kind == "paired":
            return self.pairings.find(hello.browser.id)
        if not self.codes.secret:
            return None
        self.codes.use()
        return self.pairings.add(browser)

    @asynccontextmanager
    async def _holding(self, line: Line) -> AsyncIterator[None]:
        id = line.browser.id
        if before := self._lines.get(id):
            before.end("the same browser has connected anew")
        self._lines[id] = line
        self._news.set()
        for arrived in self._waiting:
            if not arrived.done():
                arrived.set_result(line.browser)
        try:
            yield
        finally:
            if self._lines.get(id) is line:
                del self._lines[id]


def no_browser(name: str) -> BrowserClosed:
    return BrowserClosed(
        f"Your browser {name!r} is not connected." if name else "No browser of yours is connected.",
        next_step="Start it, and look at the extension's panel; see: subterminator extension",
    )


async def _next(socket: Socket, kind: str, shape: type[T]) -> T:
    text = await socket.receive()
    if text is None or len(text) > wire.LONGEST_GREETING:
        raise InvalidParams("Nothing, or too much, was said.")
    message = wire.read(text)
    if message.type != kind:
        raise InvalidParams(f"{kind} was expected.")
    try:
        return msgspec.json.decode(message.data, type=shape)
    except msgspec.MsgspecError as fault:
        raise InvalidParams(f"This is no {kind}.") from fault


async def _hang_up(socket: Socket) -> None:
    try:
        await socket.close(REFUSED, "")
    except ConnectionError:
        return  # It was quicker.

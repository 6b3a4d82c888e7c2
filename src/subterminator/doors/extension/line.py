"""The line to one browser's extension, and the portions of it that runs get.

Every tab belongs to at most one portion. Nothing that was sent is ever sent again: when the line
ends, what is open on it has an unknown end.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable
from typing import Any, Protocol

import msgspec
from msgspec import UNSET, Raw

from subterminator.doors.extension import wire
from subterminator.engine.base import LineCommand, LineFault
from subterminator.errors import BrowserClosed, InvalidParams

MOST_WAITING = 5_000
TABS = {"OpenTab", "Attach", "CloseTab", "Detach", "Cdp"}
# What comes from the panel and is for all runs to judge.
FROM_PANEL = {"Answer", "Stop"}
LOST = "The line to your browser has ended"

Hear = Callable[[str, Raw], None]
Lose = Callable[[str], None]


class Socket(Protocol):
    """A WebSocket that was accepted."""

    async def receive(self) -> str | bytes | None: ...
    async def send(self, text: str) -> None: ...
    async def close(self, code: int, reason: str) -> None: ...


class Line:
    """One connection after its handshake."""

    def __init__(self, socket: Socket, browser: wire.Browser, hand: str, epoch: str) -> None:
        self.browser, self.hand = browser, hand
        self.snapshot: Raw | None = None
        """The last one that was pushed, in the plain action protocol."""
        self._socket, self._epoch = socket, epoch
        self._seq = 0
        self._ids = secrets.token_hex(6)
        self._open: dict[str, asyncio.Future[Raw]] = {}
        self._results: list[asyncio.Future[Raw]] = []
        self._outbox: asyncio.Queue[str] = asyncio.Queue()
        self._portions: list[Portion] = []
        self._heard = 0
        self.lost: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def run(self) -> None:
        """Until it ends, whoever ends it."""
        writing = asyncio.create_task(self._write())
        reading = asyncio.create_task(self._read())
        try:
            ends: set[asyncio.Future[Any]] = {writing, reading, self.lost}
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.end("it closed the connection")
            for task in (writing, reading):
                task.cancel()
            await asyncio.gather(writing, reading, return_exceptions=True)
            with contextlib.suppress(ConnectionError):
                await self._socket.close(1000, "")

    def end(self, reason: str) -> None:
        if self.lost.done():
            return
        self.lost.set_result(reason)
        for reply in (*self._open.values(), *self._results):
            if not reply.done():
                reply.set_exception(_gone(reason))
        for portion in list(self._portions):
            portion.lose(reason)

    # Asking

    def post(self, kind: str, data: object) -> asyncio.Future[Raw]:
        """Ask the extension for something, once."""
        reply: asyncio.Future[Raw] = asyncio.get_running_loop().create_future()
        reply.add_done_callback(_disregard)
        if self.lost.done():
            reply.set_exception(_gone(self.lost.result()))
            return reply
        self._seq += 1
        id = f"{self._ids}-{self._seq}"
        self._open[id] = reply
        until = round((time.time() + wire.FRESH_SECONDS) * 1000)
        self.say(wire.write(kind, data, id=id, seq=self._seq, epoch=self._epoch, not_after=until))
        return reply

    def tell(self, kind: str, data: object) -> None:
        """Say something that is not answered: for the panel."""
        self.say(wire.write(kind, data))

    def command(self, action: object) -> asyncio.Future[Raw]:
        """A command of the plain action protocol; such results come in the order of commands."""
        result: asyncio.Future[Raw] = asyncio.get_running_loop().create_future()
        result.add_done_callback(_disregard)
        self._results.append(result)
        self.tell("ActionCommand", action)
        return result

    def say(self, text: str) -> None:
        if self._outbox.qsize() >= MOST_WAITING:
            self.end("it does not read")
            return
        self._outbox.put_nowait(text)

    # Hearing

    async def _read(self) -> None:
        while (text := await self._socket.receive()) is not None:
            try:
                self._take(wire.read(text))
            except InvalidParams:
                self.end("it does not speak our protocol")
                return

    async def _write(self) -> None:
        with contextlib.suppress(ConnectionError):
            while True:
                await self._socket.send(await self._outbox.get())

    def _take(self, message: wire.Message) -> None:
        if message.seq:
            if message.seq <= self._heard:
                raise InvalidParams("A message came twice.")
            self._heard = message.seq
        if message.type == "ActionResult" and message.reply is UNSET:
            if self._results:
                _settle(self._results.pop(0), message.data)
        elif message.reply is not UNSET:
            self._answered(message)
        elif message.type == "Ping":
            self.tell("Pong", {})
        elif message.type == "Snapshot":
            self.snapshot = message.data
        else:
            self._happened(message.type, message.data)

    def _answered(self, message: wire.Message) -> None:
        reply = self._open.pop(str(message.reply), None)
        if reply is None or reply.done():
            return
        if message.error:
            reply.set_exception(LineFault(message.error.code, message.error.message))
        else:
            reply.set_result(message.data)

    def _happened(self, kind: str, data: Raw) -> None:
        if kind in FROM_PANEL or kind == "TabsChanged":
            for portion in list(self._portions):
                portion.hear(kind, data)
            return
        told = _read_told(data)
        for portion in list(self._portions):
            if told.opener in portion.tabs:
                portion.tabs.add(told.tab)
            if told.tab in portion.tabs:
                portion.hear(kind, data)
                if kind == "TabDetached":
                    portion.tabs.discard(told.tab)
                return

    # Portions

    def portion(self) -> Portion:
        """What one run gets of this browser."""
        portion = Portion(self)
        self._portions.append(portion)
        return portion

    def leave(self, portion: Portion) -> None:
        if portion in self._portions:
            self._portions.remove(portion)

    def is_free(self, tab: int, asker: Portion) -> bool:
        return all(tab not in each.tabs for each in self._portions if each is not asker)


class Portion:
    """The tabs of one run in the user's browser, and its words in the panel."""

    def __init__(self, line: Line) -> None:
        self.browser, self.hand = line.browser, line.hand
        self.tabs: set[int] = set()
        self._line = line
        self._listeners: list[Hear] = []
        self._losers: list[Lose] = []

    @property
    def product(self) -> str:
        return f"Chrome/{self.browser.version}"

    def post(self, kind: str, data: object) -> asyncio.Future[Raw]:
        if kind not in TABS:
            return self._listed() if kind == "Tabs" else _refused(f"There is no {kind}.")
        tab = _tab_of(data)
        if kind == "Attach" and tab is not None and self._line.is_free(tab, self):
            self.tabs.add(tab)
        if kind != "OpenTab" and tab not in self.tabs:
            return _refused("This tab is used by another run.")
        reply = self._line.post(kind, data)
        if kind == "OpenTab":
            reply.add_done_callback(self._opened)
        return reply

    def tell(self, kind: str, data: object) -> None:
        self._line.tell(kind, data)

    def listen(self, hear: Hear, lost: Lose) -> None:
        self._listeners.append(hear)
        self._losers.append(lost)
        if self._line.lost.done():
            lost(self._line.lost.result())

    def hear(self, kind: str, data: Raw) -> None:
        for listener in list(self._listeners):
            listener(kind, data)

    def lose(self, reason: str) -> None:
        losers, self._losers = self._losers, []
        for lose in losers:
            lose(reason)

    async def close(self) -> None:
        """Let its tabs go; they stay as they are."""
        self._line.leave(self)
        if not self._line.lost.done():
            for tab in self.tabs:
                self._line.post("Detach", {"tab": tab})
        self.tabs.clear()

    def _listed(self) -> asyncio.Future[Raw]:
        """The tabs the user has picked and no other run has."""
        result: asyncio.Future[Raw] = asyncio.get_running_loop().create_future()
        result.add_done_callback(_disregard)
        self._line.post("Tabs", {}).add_done_callback(lambda reply: self._limit(reply, result))
        return result

    def _limit(self, reply: asyncio.Future[Raw], result: asyncio.Future[Raw]) -> None:
        if result.done():
            return
        fault = _gone("it was stopped") if reply.cancelled() else reply.exception()
        if fault:
            result.set_exception(fault)
            return
        listed = msgspec.json.decode(reply.result(), type=wire.TabList)
        free = tuple(
            each
            for each in listed.tabs
            if each.tab in self.tabs or (not each.own and self._line.is_free(each.tab, self))
        )
        result.set_result(Raw(wire.encode(msgspec.structs.replace(listed, tabs=free))))

    def _opened(self, reply: asyncio.Future[Raw]) -> None:
        if not reply.cancelled() and reply.exception() is None:
            self.tabs.add(msgspec.json.decode(reply.result(), type=wire.TabFacts).tab)


def _tab_of(data: object) -> int | None:
    if isinstance(data, LineCommand):
        return data.tab
    tab = data.get("tab") if isinstance(data, dict) else None
    return tab if isinstance(tab, int) else None


def _refused(words: str) -> asyncio.Future[Raw]:
    reply: asyncio.Future[Raw] = asyncio.get_running_loop().create_future()
    reply.add_done_callback(_disregard)
    reply.set_exception(LineFault(-32000, words))
    return reply


def _settle(reply: asyncio.Future[Raw], data: Raw) -> None:
    if not reply.done():
        reply.set_result(data)


def _read_told(data: Raw) -> wire.Told:
    try:
        return msgspec.json.decode(data, type=wire.Told)
    except msgspec.MsgspecError:
        return wire.Told()


def _gone(reason: str) -> BrowserClosed:
    return BrowserClosed(f"{LOST}: {reason}.", next_step="Look at your browser, then run it again.")


def _disregard(reply: asyncio.Future[Any]) -> None:
    if not reply.cancelled():
        reply.exception()

"""How another process of the same user uses the browsers that one process is connected to.

One JSON object a line over a Unix socket that only this user reaches. Who is there is asked of the
system; a portion of a line at this end is a portion at the other.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw, Struct

from subterminator import control
from subterminator.doors.extension import wire
from subterminator.doors.extension.line import Portion
from subterminator.doors.extension.switchboard import Switchboard
from subterminator.engine.base import LineCommand, LineFault
from subterminator.errors import ActionFailed, BrowserClosed, InvalidParams, SubTerminatorError
from subterminator.peers import peer_of

NAME = "extension.line"
LONGEST = 128 * 1024 * 1024
ANSWER_SECONDS = 10.0


class Asked(Struct, frozen=True, omit_defaults=True):
    """From the process that wants something. Without an `id` nothing is answered."""

    kind: str
    data: Raw = Raw(b"{}")
    id: int = 0


class Said(Struct, frozen=True, omit_defaults=True):
    """From the one that has the line: an answer, or what happened by itself."""

    reply: int = 0
    data: Raw = Raw(b"{}")
    error: wire.Fault | None = None
    kind: str = ""
    refused: str = ""


class Wish(Struct, frozen=True):
    """Which browser, and how long to wait for it."""

    name: str = ""
    seconds: float = 0.0


class Revoked(Struct, frozen=True):
    id: str


_asked = msgspec.json.Decoder(Asked).decode
_said = msgspec.json.Decoder(Said).decode
_command = msgspec.json.Decoder(LineCommand).decode


def place(state_dir: str) -> Path:
    """Where the socket is; in the short folder where the path would get too long."""
    long, short = control.socket_folders(state_dir)
    fits = len(os.fsencode(long / f".{NAME}")) <= control.LONGEST_PATH
    return (long if fits else short) / NAME


# The process that has the lines


@contextlib.asynccontextmanager
async def bridging(board: Switchboard, state_dir: str) -> AsyncIterator[None]:
    """Let other processes of this user in, until the block ends."""
    if os.name != "posix":
        yield
        return
    path = place(state_dir)
    control.own_folder(path.parent)
    if already := await Bridge.reach(state_dir):
        await already.close()  # The first server of a user is the one that others find.
        yield
        return
    unready = path.with_name(f".{NAME}")
    unready.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(str(unready))
    unready.chmod(0o600)
    talking: set[asyncio.Task[None]] = set()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        talking.add(task)
        try:
            await _Visitor(board, reader, writer).run()
        finally:
            talking.discard(task)
            writer.close()

    server = await asyncio.start_unix_server(talk, sock=listener, limit=LONGEST)
    unready.rename(path)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        server.close()
        for task in list(talking):
            task.cancel()
        await asyncio.gather(*talking, return_exceptions=True)


class _Visitor:
    """Another process, and the portion it was given."""

    def __init__(
        self, board: Switchboard, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._board, self._reader, self._writer = board, reader, writer
        self._portion: Portion | None = None

    async def run(self) -> None:
        if peer_of(self._writer.get_extra_info("socket")).uid != os.geteuid():
            return
        try:
            while line := await self._reader.readline():
                await self._take(_asked(line))
        except (ConnectionError, msgspec.MsgspecError, ValueError):
            return  # It went away, or is none of ours.
        finally:
            if self._portion:
                await self._portion.close()

    async def _take(self, asked: Asked) -> None:
        try:
            result = await self._answer(asked)
        except SubTerminatorError as fault:
            self._say(Said(reply=asked.id, refused=f"{fault.message} {fault.advice}".strip()))
            return
        if result is not None:
            self._say(Said(reply=asked.id, data=Raw(wire.encode(result))))

    async def _answer(self, asked: Asked) -> object | None:
        match asked.kind:
            case "Browsers":
                return self._board.connected()
            case "Code":
                return {"code": self._board.new_code()}
            case "Revoked":
                self._board.revoke(msgspec.json.decode(asked.data, type=Revoked).id)
                return {}
            case "Arrival":
                wish = msgspec.json.decode(asked.data, type=Wish)
                return await self._board.arrival(wish.seconds)
            case "Use":
                return await self._use(msgspec.json.decode(asked.data, type=Wish))
            case _:
                self._pass_on(asked)
                return None

    async def _use(self, wish: Wish) -> object:
        line = await self._board.line(wish.name, wish.seconds)
        self._portion = line.portion()
        self._portion.listen(self._heard, self._lost)
        return {"browser": line.browser, "hand": line.hand}

    def _pass_on(self, asked: Asked) -> None:
        portion = self._portion
        if portion is None:
            raise InvalidParams("Say first which browser is meant.")
        is_command = asked.kind == "Cdp"
        data = _command(asked.data) if is_command else msgspec.json.decode(asked.data)
        if not asked.id:
            portion.tell(asked.kind, data)
            return
        reply = portion.post(asked.kind, data)
        reply.add_done_callback(lambda reply: self._answered(asked.id, reply))

    def _answered(self, id: int, reply: asyncio.Future[Raw]) -> None:
        if reply.cancelled():
            return
        match reply.exception():
            case None:
                self._say(Said(reply=id, data=reply.result()))
            case LineFault() as fault:
                self._say(Said(reply=id, error=wire.Fault(fault.code_there, fault.message)))
            case fault:
                self._say(Said(reply=id, refused=str(fault)))

    def _heard(self, kind: str, data: Raw) -> None:
        self._say(Said(kind=kind, data=data))

    def _lost(self, reason: str) -> None:
        self._say(Said(kind="Lost", data=Raw(wire.encode(reason))))

    def _say(self, said: Said) -> None:
        if not self._writer.is_closing():
            self._writer.write(wire.encode(said) + b"\n")


# The process that wants one


class Bridge:
    """A conversation with the process that has the lines; also a portion, once `use` was called."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._last = 0
        self._open: dict[int, asyncio.Future[Raw]] = {}
        self._listeners: list[Callable[[str, Raw], None]] = []
        self._losers: list[Callable[[str], None]] = []
        self._reading = asyncio.create_task(self._read())
        self.browser = wire.Browser("", "")
        self.hand = ""

    @classmethod
    async def reach(cls, state_dir: str) -> Bridge | None:
        """None where no process has a server for the extension."""
        if os.name != "posix":
            return None
        try:
            reader, writer = await asyncio.open_unix_connection(
                str(place(state_dir)), limit=LONGEST
            )
        except (FileNotFoundError, ConnectionRefusedError):
            return None
        if peer_of(writer.get_extra_info("socket")).uid != os.geteuid():
            writer.close()
            return None
        return cls(reader, writer)

    @property
    def product(self) -> str:
        return f"Chrome/{self.browser.version}"

    async def browsers(self) -> list[wire.Browser]:
        return msgspec.json.decode(await self._ask("Browsers"), type=list[wire.Browser])

    async def new_code(self) -> str:
        code: str = msgspec.json.decode(await self._ask("Code"))["code"]
        return code

    async def revoked(self, id: str) -> None:
        await self._ask("Revoked", Revoked(id))

    async def arrival(self, seconds: float) -> wire.Browser:
        told = await self._ask("Arrival", Wish("", seconds), seconds)
        return msgspec.json.decode(told, type=wire.Browser)

    async def use(self, name: str, seconds: float) -> Bridge:
        """This browser from now on; waits for it so long."""
        given = msgspec.json.decode(await self._ask("Use", Wish(name, seconds), seconds))
        self.browser = msgspec.convert(given["browser"], wire.Browser)
        self.hand = given["hand"]
        return self

    async def _ask(self, kind: str, data: object = None, seconds: float = 0.0) -> Raw:
        try:
            async with asyncio.timeout(ANSWER_SECONDS + seconds):
                return await self.post(kind, data or {})
        except TimeoutError:
            raise ActionFailed("The process that has your browser does not answer.") from None

    # As a portion

    def post(self, kind: str, data: object) -> asyncio.Future[Raw]:
        self._last += 1
        reply: asyncio.Future[Raw] = asyncio.get_running_loop().create_future()
        reply.add_done_callback(_disregard)
        if self._reading.done():
            reply.set_exception(_gone())
            return reply
        self._open[self._last] = reply
        self._write(Asked(kind, Raw(wire.encode(data)), self._last))
        return reply

    def tell(self, kind: str, data: object) -> None:
        self._write(Asked(kind, Raw(wire.encode(data))))

    def listen(self, hear: Callable[[str, Raw], None], lost: Callable[[str], None]) -> None:
        self._listeners.append(hear)
        self._losers.append(lost)

    async def close(self) -> None:
        self._losers.clear()
        self._reading.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)
        self._writer.close()
        with contextlib.suppress(ConnectionError):
            await self._writer.wait_closed()

    def _write(self, asked: Asked) -> None:
        if not self._writer.is_closing():
            self._writer.write(wire.encode(asked) + b"\n")

    async def _read(self) -> None:
        with contextlib.suppress(ConnectionError):
            while line := await self._reader.readline():
                self._take(_said(line))
        self._lose("the process that had it has ended")

    def _take(self, said: Said) -> None:
        if said.kind == "Lost":
            self._lose(msgspec.json.decode(said.data, type=str))
        elif said.kind:
            for listener in list(self._listeners):
                listener(said.kind, said.data)
        elif reply := self._open.pop(said.reply, None):
            _settle(reply, said)

    def _lose(self, reason: str) -> None:
        losers, self._losers = self._losers, []
        for reply in self._open.values():
            if not reply.done():
                reply.set_exception(_gone())
        for lose in losers:
            lose(reason)


def _settle(reply: asyncio.Future[Raw], said: Said) -> None:
    if reply.done():
        return
    if said.refused:
        reply.set_exception(BrowserClosed(said.refused, next_step=" "))
    elif said.error:
        reply.set_exception(LineFault(said.error.code, said.error.message))
    else:
        reply.set_result(said.data)


def _gone() -> BrowserClosed:
    return BrowserClosed("The line to your browser has ended.", next_step="Run it again.")


def _disregard(reply: asyncio.Future[Any]) -> None:
    if not reply.cancelled():
        reply.exception()

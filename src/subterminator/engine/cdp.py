"""The Chrome DevTools Protocol: commands out, replies and events in, over a pipe or a WebSocket.

Knows nothing of tabs, frames or pages.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import msgspec
from msgspec import Raw, Struct

from subterminator.errors import ActionFailed, BrowserClosed, SubTerminatorError

EventHandler = Callable[[dict[str, Any]], None]
CHUNK = 1 << 20
HALF_CHARACTERS = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    rb"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)
NEEDS_PAGE = ("Runtime.evaluate", "Runtime.callFunctionOn", "Input.dispatch", "Input.insert", "DOM")


class ProtocolError(ActionFailed):
    """The browser answered a command with an error."""

    def __init__(self, method: str, code: int, message: str) -> None:
        super().__init__(f"{method}: {message}", method=method, cdp_code=code)
        self.cdp_code = code
        self.cdp_message = message


class _Fault(Struct):
    code: int
    message: str


class _Message(Struct):
    id: int | None = None
    method: str = ""
    sessionId: str = ""
    params: Raw = Raw(b"{}")
    result: Raw = Raw(b"{}")
    error: _Fault | None = None


_decode = msgspec.json.Decoder(_Message).decode
_decode_params: Callable[[Raw], dict[str, Any]] = msgspec.json.Decoder(dict[str, Any]).decode
_encode = msgspec.json.Encoder().encode


class Transport(Protocol):
    """Carries whole messages. `start` is called once, before anything is sent."""

    def start(self, receive: Callable[[bytes], None], lost: Callable[[str], None]) -> None: ...
    def send(self, message: bytes) -> None: ...
    async def close(self) -> None: ...


class Tap(NamedTuple):
    """Who reads along, and which events: it is given them before their handler is."""

    methods: frozenset[str]
    take: Callable[[Channel, str, dict[str, Any]], None]


class Channel:
    """One session of the protocol: the browser itself, a tab, or an out-of-process frame."""

    def __init__(self, connection: Connection, session_id: str) -> None:
        self.id = session_id
        self._connection = connection
        self._handlers: dict[str, EventHandler] = {}
        self._open: set[asyncio.Future[Raw]] = set()
        self.lost: SubTerminatorError | None = None
        self.tap: Tap | None = None
        # While a native dialog is open the page's thread stands still: such calls would hang.
        self.blocked: SubTerminatorError | None = None

    def on(self, method: str, handler: EventHandler) -> None:
        self._handlers[method] = handler

    def post(self, method: str, **params: Any) -> asyncio.Future[Raw]:
        """Send a command now; the future is its undecoded result."""
        reply: asyncio.Future[Raw] = asyncio.get_running_loop().create_future()
        # A reply nobody waits for any more (a lost race with a navigation) is not worth a warning.
        reply.add_done_callback(disregard)
        refusal = self.lost or (self.blocked if method.startswith(NEEDS_PAGE) else None)
        if refusal:
            reply.set_exception(fresh(refusal))
            return reply
        self._open.add(reply)
        reply.add_done_callback(self._open.discard)
        self._connection.send(self.id, method, params, reply)
        return reply

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        return _decode_params(await self.post(method, **params))

    def emit(self, method: str, params: Raw) -> None:
        if method in self._handlers or (self.tap and method in self.tap.methods):
            self.deliver(method, _decode_params(params))

    def deliver(self, method: str, event: dict[str, Any]) -> None:
        if self.tap and method in self.tap.methods:
            self.tap.take(self, method, event)
        if handler := self._handlers.get(method):
            handler(event)

    def sibling(self, session_id: str) -> Channel:
        """Another channel of the same connection."""
        return self._connection.channel(session_id)

    def interrupt(self, reason: SubTerminatorError) -> None:
        """Fail every open call; the channel itself stays usable."""
        for reply in list(self._open):
            if not reply.done():
                reply.set_exception(fresh(reason))

    def lose(self, reason: SubTerminatorError) -> None:
        """The other end is gone: fail what is open and everything that comes later."""
        self.lost = self.lost or reason
        self.interrupt(reason)


class Connection:
    """Routes messages between one transport and its channels. The root channel has the empty id."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._last_id = 0
        self._replies: dict[int, tuple[str, asyncio.Future[Raw]]] = {}
        self._channels: dict[str, Channel] = {}
        self._tap: Tap | None = None
        self.root = self.channel("")
        self.lost: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        transport.start(self._receive, self._lose)

    def channel(self, session_id: str) -> Channel:
        if session_id not in self._channels:
            self._channels[session_id] = Channel(self, session_id)
            self._channels[session_id].tap = self._tap
        return self._channels[session_id]

    def listen(self, tap: Tap) -> None:
        """Let somebody read along on all channels, also those to come."""
        self._tap = tap
        for channel in self._channels.values():
            channel.tap = tap

    def drop(self, session_id: str, reason: SubTerminatorError) -> None:
        if channel := self._channels.pop(session_id, None):
            channel.lose(reason)

    def send(
        self, session_id: str, method: str, params: dict[str, Any], reply: asyncio.Future[Raw]
    ) -> None:
        self._last_id += 1
        message: dict[str, Any] = {"id": self._last_id, "method": method, "params": params}
        if session_id:
            message["sessionId"] = session_id
        self._replies[self._last_id] = (method, reply)
        self._transport.send(_encode(message))

    async def close(self) -> None:
        await self._transport.close()
        self._lose("it was closed")

    def _receive(self, data: bytes) -> None:
        if b"\\ud" in data or b"\\uD" in data:
            # A page may hold half a character; JSON may not, and no reply should be lost to that.
            data = HALF_CHARACTERS.sub(rb"\\ufffd", data)
        message = _decode(data)
        if message.id is None:
            if channel := self._channels.get(message.sessionId):
                channel.emit(message.method, message.params)
            return
        method, reply = self._replies.pop(message.id, ("", None))
        if reply is None or reply.done():
            return
        if message.error:
            reply.set_exception(ProtocolError(method, message.error.code, message.error.message))
        else:
            reply.set_result(message.result)

    def _lose(self, reason: str) -> None:
        if self.lost.done():
            return
        self.lost.set_result(reason)
        self._replies.clear()
        for channel in self._channels.values():
            channel.lose(BrowserClosed(f"The browser is gone: {reason}."))


def disregard(reply: asyncio.Future[Any]) -> None:
    """Its failure is told to whoever awaits it; if nobody does, nothing is lost with it."""
    if not reply.cancelled():
        reply.exception()


def fresh(reason: SubTerminatorError) -> SubTerminatorError:
    """Each waiter gets its own exception: a shared one would collect everybody's traceback."""
    copy = type(reason).__new__(type(reason), *reason.args)
    copy.__dict__.update(reason.__dict__)
    return copy


class Pipe:
    """Messages ended by a NUL byte over two file descriptors. No port is open to anyone else."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self._read_fd, self._write_fd = read_fd, write_fd
        self._parts: list[bytes] = []
        self._unsent: deque[memoryview] = deque()
        os.set_blocking(read_fd, False)
        os.set_blocking(write_fd, False)
        self._closed = False

    def start(self, receive: Callable[[bytes], None], lost: Callable[[str], None]) -> None:
        self._deliver, self._lost = receive, lost
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._read_fd, self._read)

    def send(self, message: bytes) -> None:
        if self._closed:
            return
        self._unsent.append(memoryview(message + b"\0"))
        if len(self._unsent) == 1:
            self._write()

    async def close(self) -> None:
        self._end("")

    def _read(self) -> None:
        try:
            data = os.read(self._read_fd, CHUNK)
        except BlockingIOError:
            return
        except OSError as fault:
            self._end(f"its pipe broke ({fault.strerror})")
            return
        if not data:
            self._end("it has exited")
            return
        # Only new bytes are searched: replies of many megabytes arrive in small pieces.
        *whole, rest = data.split(b"\0")
        for piece in whole:
            self._parts.append(piece)
            message, self._parts = b"".join(self._parts), []
            self._deliver(message)
        if rest:
            self._parts.append(rest)

    def _write(self) -> None:
        try:
            while self._unsent:
                sent = os.write(self._write_fd, self._unsent[0])
                if sent < len(self._unsent[0]):
                    self._unsent[0] = self._unsent[0][sent:]
                else:
                    self._unsent.popleft()
        except BlockingIOError:
            self._loop.add_writer(self._write_fd, self._write)
            return
        except OSError as fault:
            self._end(f"its pipe broke ({fault.strerror})")
            return
        self._loop.remove_writer(self._write_fd)

    def _end(self, reason: str) -> None:
        if self._closed:
            return
        self._closed = True
        self._unsent.clear()
        self._loop.remove_reader(self._read_fd)
        self._loop.remove_writer(self._write_fd)
        os.close(self._read_fd)
        os.close(self._write_fd)
        if reason:
            self._lost(reason)


class WebSocket:
    """Messages as text frames to a browser that already runs."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket

    @classmethod
    async def connect(cls, address: str) -> WebSocket:
        # Imported here: only this transport needs it, and a start over a pipe should not pay for
        # it.
        from websockets.asyncio.client import connect
        from websockets.exceptions import WebSocketException

        try:
            # No pings: a page that computes for a minute must not cost us the connection.
            socket = await connect(
                address, max_size=None, compression=None, ping_interval=None, proxy=None
            )
        except (OSError, WebSocketException) as fault:
            raise BrowserClosed(
                f"No browser answers at {address}: {fault}.",
                next_step="Start it with --remote-debugging-port and give its address.",
            ) from fault
        return cls(socket)

    def start(self, receive: Callable[[bytes], None], lost: Callable[[str], None]) -> None:
        self._deliver, self._lost = receive, lost
        self._outbox: asyncio.Queue[bytes] = asyncio.Queue()
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._read()), loop.create_task(self._write())]

    def send(self, message: bytes) -> None:
        self._outbox.put_nowait(message)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._socket.close()

    async def _read(self) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            while True:
                message = await self._socket.recv(decode=False)
                self._deliver(message)
        except ConnectionClosed:
            self._lost("it closed the connection")

    async def _write(self) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            while True:
                await self._socket.send(await self._outbox.get(), text=True)
        except ConnectionClosed:
            self._lost("it closed the connection")

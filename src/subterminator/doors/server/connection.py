"""One WebSocket: reads requests, answers each on its own, sends what is to be told.

What is wrong with a message, or with our own code, ends no connection but at most this one.
"""

from __future__ import annotations

import asyncio
import logging
import time
import traceback
from collections import deque
from typing import Any, Protocol

from subterminator.doors.server import messages as m
from subterminator.doors.server.acting import convert
from subterminator.doors.server.caller import Caller
from subterminator.doors.server.clients import Client
from subterminator.doors.server.limits import Bucket
from subterminator.doors.server.methods import METHODS, PERSONAL, Method
from subterminator.doors.server.service import Service
from subterminator.doors.server.streams import Streams
from subterminator.doors.server.tokens import Grant
from subterminator.errors import (
    AlreadyInitialized,
    NotInitialized,
    OutOfScope,
    RateReached,
    SubTerminatorError,
    Timeout,
    UnknownMethod,
)

LOG = logging.getLogger("subterminator.server")
POLICY, EVICTED, GOING = 1008, 4001, 1001
SEQUENCES = frozenset({"agent/act", "agent/execute"})


class Socket(Protocol):
    """What is needed of a WebSocket."""

    async def receive(self) -> str | bytes | None: ...
    async def send(self, text: str) -> None: ...
    async def close(self, code: int, reason: str) -> None: ...


class Connection:
    def __init__(self, service: Service, socket: Socket, grant: Grant) -> None:
        self._service, self._socket, self._grant = service, socket, grant
        self._limits = service.limits
        self._client: Client | None = None
        self._rate = Bucket(self._limits.requests)
        self._running: dict[m.RequestId, asyncio.Task[None]] = {}
        self._others: set[asyncio.Future[Any]] = set()
        self._outbox: deque[str] = deque()
        self._unsent = 0
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._closing: tuple[int, str] | None = None
        self._streams = Streams(self._send_when_room)

    async def run(self) -> None:
        """Until either end has had enough."""
        writer = asyncio.create_task(self._write_all())
        reader = asyncio.create_task(self._read_all())
        try:
            await asyncio.wait({writer, reader}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (writer, reader):
                task.cancel()
            await asyncio.gather(writer, reader, return_exceptions=True)
            await self._leave()

    # Reading

    async def _read_all(self) -> None:
        begun = time.monotonic()
        while True:
            left = begun + self._limits.longest_seconds - time.monotonic()
            try:
                async with asyncio.timeout(min(self._limits.idle_seconds, max(left, 0))):
                    frame = await self._socket.receive()
            except TimeoutError:
                is_old = left <= self._limits.idle_seconds
                words = "Connection lasted too long" if is_old else "Idle for too long"
                await self._hang_up(POLICY, words)
                return
            if frame is None:
                return
            self._take(frame)

    def _take(self, frame: str | bytes) -> None:
        try:
            text = frame if isinstance(frame, str) else frame.decode()
        except UnicodeDecodeError:
            text = "not text"
        try:
            request = m.read(text)
        except m.BadMessage as fault:
            self._send(m.error_reply(fault.id, fault))
            return
        if request is None or request.id is None:
            return
        if request.id in self._running:
            twice = m.BadMessage(m.INVALID_REQUEST, "This id is in use.", request.id)
            self._send(m.error_reply(request.id, twice))
        elif len(self._running) >= self._limits.in_flight:
            busy = RateReached(f"{self._limits.in_flight} requests are open.", retry_after_ms=100)
            self._send(m.error_reply(request.id, busy))
        else:
            task = asyncio.create_task(self._answer(request, request.id))
            self._running[request.id] = task

    async def _answer(self, request: m.Request, id: m.RequestId) -> None:
        try:
            self._send(await self._reply(request, id))
            if not self._service.tokens.is_live(self._grant):
                self._hang_up_soon(POLICY, "Unauthorized: the token is no longer valid")
        finally:
            self._running.pop(id, None)

    async def _reply(self, request: m.Request, id: m.RequestId) -> dict[str, Any]:
        work = asyncio.ensure_future(self._dispatch(request))
        self._others.add(work)
        work.add_done_callback(self._over)
        done, _ = await asyncio.wait({work}, timeout=self._limits.answer_seconds)
        if not done:
            late = Timeout(f"{request.method} takes too long; it may still be done.")
            late.delivered = True
            return m.error_reply(id, late)
        match work.exception():
            case None:
                return m.reply(id, work.result())
            case SubTerminatorError() as fault:
                return m.error_reply(id, fault)
            case mistake:
                self._note_mishap(request.method, mistake)
                return m.internal_error(id)

    def _over(self, work: asyncio.Future[Any]) -> None:
        self._others.discard(work)
        if not work.cancelled():
            work.exception()  # Told where it was waited for; one that took too long is told so.

    def _note_mishap(self, method: str, mistake: BaseException) -> None:
        # Where it happened, and no values: they may be anything.
        places = [f"{f.name}:{f.lineno}" for f in traceback.extract_tb(mistake.__traceback__)]
        words = f"{method[:60]}: {type(mistake).__name__} at {' > '.join(places[-4:])}"
        self._service.mishaps.append(words)
        LOG.error("mistake in %s", words)

    # Doing

    async def _dispatch(self, request: m.Request) -> Any:
        if not self._service.tokens.is_live(self._grant):
            raise OutOfScope("The token is no longer valid.", next_step="Connect with a valid one.")
        method = METHODS.get(request.method)
        weight = _weight(request)
        self._rate.spend(weight)
        self._service.rate_of(self._grant).spend(weight, "requests of one token")
        if method is None:
            raise UnknownMethod(f"Unknown method: {request.method[:60]}")
        self._check_rights(request.method, method)
        given = convert(request.params, method.params)
        client = self._client_for(request.method, given)
        caller = Caller(self._service, client, self._streams, self, self._notify)
        LOG.debug("%s", request.method)
        result = await method.handler(caller, given)
        if request.method == "shutdown":
            self._reset()
        return self._diverted(result)

    def _check_rights(self, name: str, method: Method) -> None:
        if (self._grant.role == "person") != (name in PERSONAL) and name not in {
            "initialize",
            "shutdown",
            "notifications/initialized",
            "events/subscribe",
        }:
            words = (
                "Only a person's token may do that."
                if name in PERSONAL
                else "A person's token only answers."
            )
            raise OutOfScope(words, next_step="Use a connection with another token.", method=name)
        if self._grant.role == "client" and not method.allowed(self._grant.scopes):
            raise OutOfScope(
                f"Insufficient permissions for '{name}'.",
                method=name,
                requiredScopes=[*method.scopes, "*"],
            )

    def _client_for(self, name: str, given: Any) -> Client:
        if name == "initialize":
            if self._client:
                raise AlreadyInitialized("Already initialized")
            return self._begin(given.session_id or "")
        if self._client is None:
            raise NotInitialized("Not initialized")
        return self._client

    def _begin(self, session_id: str) -> Client:
        client, resumed = self._service.arrive(self._grant, session_id)
        client.notify = self._notify
        client.evict = lambda: self._evicted(client)
        client.resumed = resumed
        self._client = client
        if self._grant.role == "person":
            self._service.desk.seat(self, self._notify)
        return client

    def _evicted(self, client: Client) -> None:
        """Another connection goes on with this session."""
        self._client = None
        self._hang_up_soon(EVICTED, "Session taken over by another connection")

    def _reset(self) -> None:
        client, self._client = self._client, None
        if client:
            self._service.depart(client, keep=False)

    def _diverted(self, result: Any) -> Any:
        if self._client is None or not self._client.streaming:
            return result
        shown, id, text = self._streams.divert(result, self._limits.stream_bytes)
        if id:
            task = asyncio.create_task(self._streams.send(id, text))
            self._others.add(task)
            task.add_done_callback(self._others.discard)
        return shown

    # Sending

    def _notify(self, method: str, params: dict[str, Any]) -> None:
        self._send(m.notification(method, params))

    def _send(self, message: dict[str, Any]) -> None:
        text = m.encode(message)
        full = self._unsent + len(text) > self._limits.outbox_bytes
        if self._outbox and (full or len(self._outbox) >= self._limits.outbox_messages):
            # It does not read; the others must not suffer.
            self._hang_up_soon(POLICY, "Reads too slowly")
            return
        self._outbox.append(text)
        self._unsent += len(text)
        self._news.set()

    async def _send_when_room(self, method: str, params: dict[str, Any]) -> None:
        while self._outbox and self._closing is None:
            self._room.clear()
            await self._room.wait()
        self._notify(method, params)

    async def _write_all(self) -> None:
        while self._closing is None:
            while self._outbox and self._closing is None:
                text = self._outbox[0]
                try:
                    async with asyncio.timeout(self._limits.send_seconds):
                        await self._socket.send(text)
                except (TimeoutError, ConnectionError):
                    return
                self._outbox.popleft()
                self._unsent -= len(text)
            self._room.set()
            self._news.clear()
            if self._closing is None:
                await self._news.wait()
        await self._say_goodbye()

    async def _say_goodbye(self) -> None:
        code, words = self._closing or (GOING, "")
        if words != "Reads too slowly":
            while self._outbox:
                await self._try_send(self._outbox.popleft())
        await self._hang_up(code, words)

    async def _try_send(self, text: str) -> None:
        try:
            async with asyncio.timeout(1):
                await self._socket.send(text)
        except (TimeoutError, ConnectionError):
            self._outbox.clear()

    def _hang_up_soon(self, code: int, reason: str) -> None:
        self._closing = self._closing or (code, reason)
        self._news.set()
        self._room.set()

    async def _hang_up(self, code: int, reason: str) -> None:
        try:
            async with asyncio.timeout(1):
                await self._socket.close(code, reason)
        except (TimeoutError, ConnectionError):
            return

    # Leaving

    async def _leave(self) -> None:
        self._service.desk.leave(self)
        client, self._client = self._client, None
        keep = bool(client and client.session_id)
        work = [*self._running.values(), *self._others]
        if not keep:
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)
        if client:
            self._service.depart(client, keep=keep)


def _weight(request: m.Request) -> int:
    """A sequence counts as much as its steps."""
    steps = request.params.get("steps")
    if request.method in SEQUENCES and isinstance(steps, list):
        return max(1, len(steps))
    return 1

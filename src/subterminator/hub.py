"""The sessions of one process, and the questions they ask. Opens no browser itself."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, Self, assert_never
from urllib.parse import urlsplit

import msgspec

from subterminator import control
from subterminator.errors import (
    ElementNotFound,
    InvalidParams,
    LimitReached,
    Refused,
    SubTerminatorError,
)
from subterminator.inbox import Asked, Asker, Inbox, Kind
from subterminator.page.snapshot import Snapshot
from subterminator.peers import Check, Peer, peer_of
from subterminator.runs.cleaning import cleaned
from subterminator.runs.events import Closed, Event, Media
from subterminator.runs.record import Record
from subterminator.safety.clock import CLOCK, Clock
from subterminator.safety.human import Human, Question
from subterminator.safety.redact import Redactor

MOST_SESSIONS = 16
MOST_CONNECTIONS = 32
MOST_NOTICES = 256
IDLE_SECONDS = 60.0
LABEL = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")


class Held(Protocol):
    """What a hub needs of a session."""

    @property
    def last_snapshot(self) -> Snapshot | None: ...
    async def close(self) -> None: ...


class Hub:
    """Use it with `async with`. Whatever is still asked when it ends is answered no."""

    def __init__(
        self, *, check: Check, sessions: int = MOST_SESSIONS, clock: Clock = CLOCK
    ) -> None:
        self.id = secrets.token_hex(4)
        self.path: Path | None = None
        self._check = check
        self._most = sessions
        self._sessions: dict[str, Held] = {}
        self._watchers: set[asyncio.Queue[control.Notice]] = set()
        self._server: asyncio.Server | None = None
        self._talking: set[asyncio.Task[None]] = set()
        self.inbox = Inbox(self._tell, clock)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.inbox.close()
        if self._server:
            self._server.close()
        if self.path:
            self.path.unlink(missing_ok=True)
        for task in self._talking:
            task.cancel()
        await asyncio.gather(*self._talking, return_exceptions=True)

    async def listen(self, state_dir: str) -> Path:
        """Let other programs of this user reach the hub; gives the path of the socket."""
        if self.path:
            return self.path
        server, self.path = control.listen(state_dir, self.id)
        self._server = await asyncio.start_unix_server(
            self._talk, sock=server, limit=control.LONGEST_REQUEST
        )
        return self.path

    # Sessions

    @contextmanager
    def holding(self, session: Held, label: str = "") -> Iterator[str]:
        """Keep a session under a label, or a number of its own, until the block ends."""
        if label and not LABEL.fullmatch(label):
            raise InvalidParams(
                f"{label[:60]!r} is no label.",
                next_step="Use up to 40 of a-z, 0-9, dot, dash and underscore.",
            )
        if label in self._sessions:
            raise InvalidParams(f"There is a session {label} already.", next_step="Stop it first.")
        if len(self._sessions) >= self._most:
            raise LimitReached(
                f"{self._most} sessions are open.", next_step="Stop one of them first."
            )
        label = label or next(
            name for name in (f"s{n}" for n in range(1, self._most + 1))
            if name not in self._sessions
        )  # fmt: skip
        self._sessions[label] = session
        try:
            yield label
        finally:
            self._sessions.pop(label, None)

    def session(self, label: str) -> Held:
        try:
            return self._sessions[label]
        except KeyError:
            known = ", ".join(self._sessions) or "none"
            raise ElementNotFound(
                f"There is no session {label[:60]!r}.", next_step=f"Known: {known}."
            ) from None

    def sessions(self) -> tuple[control.SessionInfo, ...]:
        return tuple(_info(label, session) for label, session in self._sessions.items())

    async def stop(self, label: str) -> None:
        """End a session; what it was doing fails."""
        session = self.session(label)
        self._sessions.pop(label)
        await session.close()

    # Questions and events

    def human(self, asker: Asker, *channels: Human) -> Human:
        """Who is asked for a session: whoever answers first, over the inbox or these channels."""
        return _Person(self.inbox, asker, channels)

    def watched(self, record: Record, session: str) -> Record:
        """The record of a session whose events those who watch are told, as they are written."""
        return _Watched(record, lambda event: self._announce(session, event, record.redactor))

    def _announce(self, session: str, event: Event, redactor: Redactor) -> None:
        if self._watchers:
            safe = control.encode(cleaned(event, redactor))
            self._tell(control.Told(session, msgspec.Raw(safe)))

    def _tell(self, notice: control.Notice) -> None:
        for queue in list(self._watchers):
            try:
                queue.put_nowait(notice)
            except asyncio.QueueFull:
                self._watchers.discard(queue)  # It does not read; the others must not suffer.

    # One connection

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._talking.add(task)
        try:
            await self._converse(reader, writer)
        except (ConnectionError, TimeoutError):
            return  # It went away, or does not speak.
        finally:
            self._talking.discard(task)
            writer.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            peer = self._admit(writer)
            while line := await _read_line(reader):
                request = await self._answer(line, peer, writer)
                if isinstance(request, control.Watch):
                    return await self._stream(reader, writer)
        except SubTerminatorError as fault:
            await _send(writer, control.fault_of(fault))

    def _admit(self, writer: asyncio.StreamWriter) -> Peer:
        if len(self._talking) > MOST_CONNECTIONS:
            raise LimitReached("Too many programs are connected.", next_step="Try again later.")
        peer = peer_of(writer.get_extra_info("socket"))
        if peer.uid != os.geteuid():
            raise Refused("Only the user who runs this hub may talk to it.")
        return peer

    async def _answer(
        self, line: bytes, peer: Peer, writer: asyncio.StreamWriter
    ) -> control.AnyRequest | None:
        """Answer one line. What is wrong with it ends no conversation."""
        request = None
        try:
            request = control.read_request(line)
            reply = await self._reply(request, peer)
        except SubTerminatorError as fault:
            reply = control.fault_of(fault)
        await _send(writer, reply)
        return request

    async def _reply(self, request: control.AnyRequest, peer: Peer) -> control.AnyReply:
        match request:
            case control.ListWaiting():
                return control.WaitingList(self.inbox.waiting())
            case control.Show(id=id):
                return control.Shown(self.inbox.find(id))
            case control.Answer(id=id, digest=digest, words=words):
                askers = {os.getpid(), *self.inbox.asker_of(id).pids}
                # Looking at processes may run a program on some systems.
                await asyncio.to_thread(self._check, peer, askers)
                yes = self.inbox.answer(id, digest, words, by=f"process {peer.pid}")
                return control.Taken(id, yes)
            case control.ListSessions():
                return control.SessionList(self.sessions())
            case control.Stop(session=label):
                await self.stop(label)
                return control.Stopped(label)
            case control.Watch():
                return control.Watching()
            case _:
                assert_never(request)

    async def _stream(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        queue: asyncio.Queue[control.Notice] = asyncio.Queue(MOST_NOTICES)
        for waiting in self.inbox.waiting():
            queue.put_nowait(Asked(waiting))
        self._watchers.add(queue)
        gone = asyncio.ensure_future(reader.read(1))
        fresh = asyncio.ensure_future(queue.get())
        try:
            while not gone.done() and queue in self._watchers:
                await asyncio.wait({gone, fresh}, return_when=asyncio.FIRST_COMPLETED)
                if fresh.done():
                    await _send(writer, fresh.result())
                    fresh = asyncio.ensure_future(queue.get())
        finally:
            self._watchers.discard(queue)
            gone.cancel()
            fresh.cancel()


class _Watched:
    """A record that is also told. First it is written: what failed to be is not told either."""

    def __init__(self, record: Record, tell: Callable[[Event], None]) -> None:
        self._record = record
        self._tell = tell

    @property
    def id(self) -> str:
        return self._record.id

    @property
    def redactor(self) -> Redactor:
        return self._record.redactor

    def append(self, event: Event) -> None:
        self._record.append(event)
        self._tell(event)

    def append_durably(self, event: Event) -> None:
        self._record.append_durably(event)
        self._tell(event)

    def keep(self, data: bytes | str, media: Media, what: str = "") -> str:
        return self._record.keep(data, media, what)

    def close(self, reason: str) -> None:
        self._record.close(reason)
        self._tell(Closed(reason))


class _Person:
    """The person of one session, over all channels that there are."""

    def __init__(self, inbox: Inbox, asker: Asker, channels: tuple[Human, ...]) -> None:
        self._inbox = inbox
        self._asker = asker
        self._channels = channels

    async def approve(self, question: Question) -> bool:
        others = [channel.approve(question) for channel in self._channels]
        return await self._first("approve", question, others)

    async def hand_over(self, question: Question) -> bool:
        others = [channel.hand_over(question) for channel in self._channels]
        return await self._first("hand_over", question, others)

    async def _first(
        self, kind: Kind, question: Question, others: list[Coroutine[None, None, bool]]
    ) -> bool:
        """The first answer counts; the others are not asked any more."""
        waits = [self._inbox.ask(kind, question, self._asker), *others]
        tasks = [asyncio.ensure_future(wait) for wait in waits]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            return all([task.result() for task in done])
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _read_line(reader: asyncio.StreamReader) -> bytes:
    """Empty at the end of the conversation."""
    try:
        async with asyncio.timeout(IDLE_SECONDS):
            return await reader.readuntil(b"\n")
    except asyncio.LimitOverrunError as fault:
        raise InvalidParams(f"A request has at most {control.LONGEST_REQUEST} bytes.") from fault
    except asyncio.IncompleteReadError as fault:
        if fault.partial:
            raise InvalidParams("The last line has no end.") from fault
        return b""


async def _send(writer: asyncio.StreamWriter, message: control.AnyReply | control.Notice) -> None:
    try:
        async with asyncio.timeout(control.ANSWER_SECONDS):
            writer.write(control.write(message))
            await writer.drain()
    except (ConnectionError, TimeoutError) as fault:
        raise ConnectionError("The other end does not read.") from fault


def _info(label: str, session: Held) -> control.SessionInfo:
    seen = session.last_snapshot
    parts = urlsplit(seen.page.url) if seen else None
    # What follows the path may hold secrets.
    address = f"{parts.scheme}://{parts.hostname or ''}{parts.path}" if parts else ""
    return control.SessionInfo(label, address)

"""The session behind the shell: one process, one browser, one socket; it ends when it is idle.

Started by the client, which waits for one line on a pipe: ready, or why not.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from subterminator import app
from subterminator.config import Settings, load, private_folder
from subterminator.control import encode, own_folder
from subterminator.doors.browsing import code_of_fault, has_screen
from subterminator.doors.exit_codes import ENVIRONMENT, FAILED, USAGE
from subterminator.doors.shell.answering import Answer, Request, answer
from subterminator.doors.shell.grammar import Opening, read
from subterminator.doors.shell.places import CLOSE, OPEN, STATUS, socket_folder, socket_path
from subterminator.errors import InvalidParams, Refused, SubTerminatorError
from subterminator.hub import Hub
from subterminator.inbox import Asker
from subterminator.locks import try_lock
from subterminator.machine import Machine, this_machine
from subterminator.peers import only_people, peer_of, processes
from subterminator.safety.human import Question
from subterminator.safety.scopes import Scopes
from subterminator.safety.task import Task
from subterminator.session import Session

LONGEST_REQUEST = 8 * 1024 * 1024
MOST_CLIENTS = 16
MOST_KNOWN = 64
WAITS = (
    "Waiting for a person: {question}\n"
    "They answer in a terminal of their own: subterminator approve {id}"
)


class Start(Struct, frozen=True):
    name: str
    words: tuple[str, ...]
    folder: str


class Background:
    """Answers the clients of one session, one line each."""

    def __init__(self, name: str, hub: Hub, machine: Machine, idle: float) -> None:
        self._name, self._hub, self._idle = name, hub, idle
        self._look = processes(machine)
        self._session: Session | None = None
        self._askers: dict[int, None] = {}
        self._talking: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self._used = 0.0
        self.over = asyncio.Event()

    # The person

    async def approve(self, question: Question) -> bool:
        self._say(question)
        return await self._hub.human(self._asker()).approve(question)

    async def hand_over(self, question: Question) -> bool:
        self._say(question)
        return await self._hub.human(self._asker()).hand_over(question)

    def _asker(self) -> Asker:
        """Whoever has used this session, and what started them, cannot answer for the person."""
        return Asker(f"shell session {self._name}", tuple(self._askers))

    def _say(self, question: Question) -> None:
        words = WAITS.format(question=question, id=question.id[:8])
        for writer in self._talking.values():
            writer.write(msgspec.json.encode({"say": words}) + b"\n")

    # Clients

    async def serve(self, session: Session, server: socket.socket) -> None:
        """Until it is closed, idle or without a browser."""
        self._session = session
        self._used = time.monotonic()
        listening = await asyncio.start_unix_server(self._talk, sock=server, limit=LONGEST_REQUEST)
        try:
            while not (self.over.is_set() or self._is_idle()):
                left = self._used + self._idle - time.monotonic()
                with suppress(TimeoutError):
                    async with asyncio.timeout(left if left > 0 else self._idle):
                        await self.over.wait()
        finally:
            listening.close()

    def _is_idle(self) -> bool:
        return not self._talking and time.monotonic() >= self._used + self._idle

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._talking[task] = writer
        try:
            await self._converse(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            return  # It went away, or says no line.
        finally:
            del self._talking[task]
            self._used = time.monotonic()
            # Whoever closes the session hears the end of the process itself.
            if not self.over.is_set():
                writer.close()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            self._admit(writer)
            line = await reader.readuntil(b"\n")
            request = msgspec.json.decode(line, type=Request)
        except (SubTerminatorError, msgspec.MsgspecError) as fault:
            return await _send(writer, Answer(str(fault), FAILED))
        if told := await self._until_gone(reader, request):
            await _send(writer, told)

    def _admit(self, writer: asyncio.StreamWriter) -> None:
        peer = peer_of(writer.get_extra_info("socket"))
        if peer.uid != os.geteuid():
            raise Refused("Only the user who runs this session may talk to it.")
        if len(self._talking) > MOST_CLIENTS:
            raise Refused("Too many commands at once.", next_step="Wait for those that run.")
        here = self._look(peer.pid)
        for pid in (peer.pid, here.parent if here else 0):
            if pid > 1:
                self._askers.pop(pid, None)
                self._askers[pid] = None
        while len(self._askers) > MOST_KNOWN:
            del self._askers[next(iter(self._askers))]

    async def _until_gone(self, reader: asyncio.StreamReader, request: Request) -> Answer | None:
        """The answer. A client that goes away takes its wish, and its question, with it."""
        work = asyncio.ensure_future(self._answer(request))
        gone = asyncio.ensure_future(reader.read(1))
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            return work.result() if work.done() else None
        finally:
            gone.cancel()
            work.cancel()
            await asyncio.gather(work, gone, return_exceptions=True)

    async def _answer(self, request: Request) -> Answer:
        assert self._session
        match request.words:
            case (verb, *_) if verb == CLOSE:
                self.over.set()
                return Answer(f"Session {self._name} is closed.")
            case (verb, *rest) if verb == STATUS:
                return Answer(self._status(as_json="--json" in rest))
            case ():
                return Answer("Say a verb.", USAGE)
            case _:
                told = await answer(self._session, request)
                if told.code == ENVIRONMENT:
                    self.over.set()  # Nothing can be done here any more.
                return told

    def _status(self, *, as_json: bool) -> str:
        assert self._session
        seen = self._session.last_snapshot
        url = seen.page.url if seen else "about:blank"
        waiting = len(self._hub.inbox.waiting())
        if as_json:
            told = {"name": self._name, "url": url, "pid": os.getpid(), "waiting": waiting}
            return msgspec.json.encode(told).decode()
        asks = f", {waiting} question waits: subterminator approve" if waiting else ""
        return f"{self._name}: {url} (process {os.getpid()}{asks})"


async def _send(writer: asyncio.StreamWriter, told: Answer) -> None:
    writer.write(encode(told) + b"\n")
    await writer.drain()


# Starting


@asynccontextmanager
async def opened(start: Start) -> AsyncIterator[tuple[Background, Session, socket.socket]]:
    """A browser, a session under the gate, a hub for the person, a socket for the shell."""
    machine = this_machine()
    opening = read([OPEN, *start.words], start.folder, None).wish
    assert isinstance(opening, Opening)
    settings = settings_of(opening, machine)
    async with AsyncExitStack() as ends:
        server = _listen(start.name, settings.state_dir, ends)
        hub = await ends.enter_async_context(Hub(check=only_people(machine)))
        await hub.listen(settings.state_dir)
        background = Background(start.name, hub, machine, opening.idle)
        session = await ends.enter_async_context(_session(background, hub, start.name, settings))
        yield background, session, server


def settings_of(opening: Opening, machine: Machine) -> Settings:
    if opening.show and opening.headless:
        raise InvalidParams("open takes --show or --headless, not both.")
    if opening.idle < 1:
        raise InvalidParams("open: --idle is a number of seconds, at least 1.")
    given = {
        "headless": False if opening.show else opening.headless or None,
        "profile_dir": opening.profile_dir or None,
        "browser": opening.browser or None,
        "sites": [host for word in opening.sites for host in word.split(",")] or None,
    }
    return load(machine, given, {"headless": not has_screen(machine)})


@asynccontextmanager
async def _session(
    person: Background, hub: Hub, name: str, settings: Settings
) -> AsyncIterator[Session]:
    label = f"shell-{name.lower()}"
    terms = app.Terms(Scopes.of(["full"]), watch=lambda record: hub.watched(record, label))
    task = Task(os.urandom(8).hex(), settings.sites)
    driver = await app.drive(settings)
    async with app.over(driver, human=person, settings=settings, task=task, terms=terms) as session:
        with hub.holding(session, label[:40]):
            yield session


def _listen(name: str, state: str, ends: AsyncExitStack) -> socket.socket:
    """The socket of this name, for this user alone. Only one process has a name."""
    private_folder(state)
    folder = own_folder(Path(socket_folder(state)))
    lock = os.open(folder / f"{name}.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    ends.callback(os.close, lock)
    if not try_lock(lock):
        raise InvalidParams(
            f"A session {name} is being opened already.", next_step="Try again when it is there."
        )
    path = Path(socket_path(name, state))
    path.unlink(missing_ok=True)
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    ends.callback(server.close)
    # Between bind and chmod it is protected by its folder.
    server.bind(str(path))
    ends.callback(path.unlink, missing_ok=True)
    path.chmod(0o600)
    server.listen(MOST_CLIENTS)
    return server


async def _run(start: Start, pipe: int) -> None:
    try:
        async with opened(start) as (background, session, server):
            _tell(pipe, "", 0)
            # Nothing of the folder that it was started in is needed any more.
            os.chdir("/")
            await background.serve(session, server)
    except SubTerminatorError as fault:
        _tell(pipe, f"{fault.message} {fault.advice}".rstrip(), code_of_fault(fault))


def _tell(pipe: int, words: str, code: int) -> None:
    """The one line that the client waits for; after it there is nobody to tell."""
    try:
        os.write(pipe, msgspec.json.encode({"say": words, "code": code}) + b"\n")
        os.close(pipe)
    except OSError:
        return


def main() -> None:
    asyncio.run(_run(msgspec.json.decode(sys.argv[1], type=Start), int(sys.argv[2])))


if __name__ == "__main__":
    main()

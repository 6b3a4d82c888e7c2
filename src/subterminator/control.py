"""How other programs of the same user talk to a hub: one JSON object a line, over a Unix socket.

Messages, where the sockets are, and the client. The hub's own side is in `hub`.
"""

from __future__ import annotations

import hashlib
import json
import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Self, cast

import msgspec
from msgspec import Struct

from subterminator import errors
from subterminator.config import private_folder
from subterminator.inbox import Asked, Settled, Waiting
from subterminator.peers import peer_of

LONGEST_REQUEST = 16 * 1024
LONGEST_REPLY = 4 * 1024 * 1024
ANSWER_SECONDS = 10.0
# The kernel's limit for the path of a socket is 108 bytes on Linux and 104 elsewhere.
LONGEST_PATH = 100


class Request(Struct, frozen=True, forbid_unknown_fields=True, tag_field="ask", omit_defaults=True):
    """What a client may ask for."""


class ListWaiting(Request, tag="waiting", frozen=True):
    """All open questions."""


class Show(Request, tag="show", frozen=True):
    """One open question."""

    id: str


class Answer(Request, tag="answer", frozen=True):
    """A person's answer: what they typed, to the question with this digest."""

    id: str
    digest: str
    words: str


class Watch(Request, tag="watch", frozen=True):
    """Every question and every run event from here on; the connection does nothing else."""


class ListSessions(Request, tag="sessions", frozen=True):
    """All sessions."""


class Stop(Request, tag="stop", frozen=True):
    """End a session."""

    session: str


AnyRequest = ListWaiting | Show | Answer | Watch | ListSessions | Stop


class SessionInfo(Struct, frozen=True):
    """A session of a hub and where it is, without query."""

    id: str
    address: str = ""


class WaitingList(Struct, frozen=True, tag="waiting", tag_field="reply"):
    waiting: tuple[Waiting, ...]


class Shown(Struct, frozen=True, tag="shown", tag_field="reply"):
    waiting: Waiting


class Taken(Struct, frozen=True, tag="taken", tag_field="reply"):
    """The answer counts, and was a yes or a no."""

    id: str
    yes: bool


class SessionList(Struct, frozen=True, tag="sessions", tag_field="reply"):
    sessions: tuple[SessionInfo, ...]


class Stopped(Struct, frozen=True, tag="stopped", tag_field="reply"):
    session: str


class Watching(Struct, frozen=True, tag="watching", tag_field="reply"):
    """Notices follow."""


class Fault(Struct, frozen=True, tag="fault", tag_field="reply"):
    """Nothing was done."""

    code: str
    message: str
    next_step: str


AnyReply = WaitingList | Shown | Taken | SessionList | Stopped | Watching | Fault


class Told(Struct, frozen=True, tag="told", tag_field="notice"):
    """Something happened in a run."""

    session: str
    event: msgspec.Raw


Notice = Asked | Settled | Told


def read_request(line: bytes) -> AnyRequest:
    """Raises InvalidParams for whatever is not exactly one of the requests."""
    try:
        return cast(AnyRequest, msgspec.json.decode(line, type=AnyRequest))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        raise errors.InvalidParams(f"This is no request: {str(fault)[:300]}.") from fault


def write(message: AnyReply | Notice | AnyRequest) -> bytes:
    return encode(message) + b"\n"


def encode(data: Struct) -> bytes:
    """As JSON, whatever a page wrote: half a character becomes a question mark."""
    try:
        return msgspec.json.encode(data)
    except UnicodeEncodeError:
        plain = msgspec.to_builtins(data)
        return json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace")


def fault_of(error: errors.SubTerminatorError) -> Fault:
    return Fault(error.code, error.message, error.advice)


# Where the sockets are


def check_supported() -> None:
    if not hasattr(socket, "AF_UNIX") or os.name != "posix":
        raise errors.ActionFailed(
            "This system has no Unix sockets, so other programs cannot reach this one.",
            next_step="Answer in the terminal of the run itself.",
        )


def socket_folders(state_dir: str) -> tuple[Path, Path]:
    """Where sockets are: in the state folder, or in a short one where paths get too long."""
    long = Path(state_dir) / "hubs"
    mark = hashlib.sha256(os.fsencode(os.path.realpath(state_dir))).hexdigest()[:8]
    # Not the folder for temporary files that the environment names: all must find the same one.
    return long, Path(f"/tmp/subterminator-{os.geteuid()}-{mark}")


def own_folder(path: Path) -> Path:
    """A folder for this user alone; made if need be."""
    folder = private_folder(str(path))
    if folder.is_symlink():
        raise errors.InvalidParams(
            f"The folder {path} is a link.", next_step="Remove it and start again."
        )
    return folder


def listen(state_dir: str, id: str) -> tuple[socket.socket, Path]:
    """A socket that only this user reaches. Those that dead hubs left are removed first."""
    check_supported()
    long, short = socket_folders(state_dir)
    fits = len(os.fsencode(long / f".{id}.new")) <= LONGEST_PATH
    if fits:
        private_folder(state_dir)
    folder = own_folder(long if fits else short)
    for path in _sockets_in(folder):
        if _is_dead(path):
            path.unlink(missing_ok=True)
    path, unready = folder / f"{id}.sock", folder / f".{id}.new"
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        server.bind(str(unready))
        unready.chmod(0o600)
        server.listen(16)
        # Under its name it always answers, so nobody takes it for dead.
        unready.rename(path)
    except OSError as error:
        server.close()
        raise errors.ActionFailed(f"No socket at {path}: {error.strerror}.") from error
    return server, path


def sockets(state_dir: str) -> list[Path]:
    """The sockets of this user's hubs; links and what others own are passed over."""
    check_supported()
    found: list[Path] = []
    for folder in socket_folders(state_dir):
        if os.path.lexists(folder):
            found += _sockets_in(own_folder(folder))
    return found


def _sockets_in(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.glob("*.sock")):
        try:
            seen = path.lstat()
        except FileNotFoundError:
            continue  # Its hub has just ended.
        if stat.S_ISSOCK(seen.st_mode) and seen.st_uid == os.geteuid():
            yield path


def _is_dead(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.setblocking(False)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            return True
        except OSError:
            return False  # It is there, only busy.
    return False


class Client:
    """A conversation with one hub. It blocks: a shell command has nothing else to do meanwhile."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(ANSWER_SECONDS)
        try:
            self._socket.connect(str(path))
            if peer_of(self._socket).uid != os.geteuid():
                raise errors.Refused(f"{path} belongs to another user.")
            self._lines = self._socket.makefile("rb")
        except errors.Refused:
            self._socket.close()
            raise
        except OSError as error:
            self._socket.close()
            raise errors.ActionFailed(f"No hub answers at {path}: {error.strerror}.") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._lines.close()
        self._socket.close()

    def ask(self, request: AnyRequest) -> AnyReply:
        """Raises the error that the hub answers with."""
        reply = cast(AnyReply, msgspec.json.decode(self._exchange(request), type=AnyReply))
        if isinstance(reply, Fault):
            raise _error_of(reply)
        return reply

    def notices(self) -> Iterator[Notice]:
        """Watch until the hub ends."""
        self.ask(Watch())
        self._socket.settimeout(None)
        while line := self._lines.readline(LONGEST_REPLY):
            yield cast(Notice, msgspec.json.decode(line, type=Notice))

    def _exchange(self, request: AnyRequest) -> bytes:
        try:
            self._socket.sendall(write(request))
            line = self._lines.readline(LONGEST_REPLY)
        except OSError as error:
            raise errors.Timeout(f"The hub does not answer: {error}.") from error
        if not line.endswith(b"\n"):
            raise errors.ActionFailed("The hub ended before it answered.")
        return line


def _error_of(fault: Fault) -> errors.SubTerminatorError:
    kinds = (errors.Refused, errors.ApprovalVoid, errors.InvalidParams, errors.LimitReached)
    kind = next((kind for kind in kinds if kind.code == fault.code), errors.ActionFailed)
    return kind(fault.message, next_step=fault.next_step)

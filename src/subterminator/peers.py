"""Who is at the other end of a local socket, and whether that can be the person.

Linux is read exactly, from /proc. Elsewhere `ps` answers, and what it cannot say is a no.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from msgspec import Struct

from subterminator.errors import Refused
from subterminator.machine import Machine

# A chain of parents that is longer is not one.
LONGEST_CHAIN = 200
# They stand above everything of a user and ask for nothing themselves.
MANAGERS = frozenset({"systemd", "init", "launchd"})
PSEUDO_MAJORS = range(136, 144)  # Linux: Documentation/admin-guide/devices.txt
SOL_LOCAL, LOCAL_PEERCRED, LOCAL_PEERPID = 0, 1, 2  # macOS: sys/un.h
ELSEWHERE = "Open another terminal, not one inside the program that asked, and answer there."


class Peer(Struct, frozen=True):
    """The process that opened a connection, as the system reports it."""

    pid: int
    uid: int


Terminal = Literal["none", "console", "pseudo"]


class Process(Struct, frozen=True):
    """One running program.

    `terminal` is the kind of its controlling terminal: windows, tmux and ssh give pseudo terminals.
    """

    pid: int
    parent: int
    session: int
    terminal: Terminal
    name: str


Look = Callable[[int], Process | None]
# Raises Refused unless the peer can be a person who is none of the askers.
Check = Callable[[Peer, Iterable[int]], None]


def peer_of(connection: socket.socket) -> Peer:
    """Raises Refused where the system does not say who is there."""
    try:
        if sys.platform == "darwin":
            return _peer_on_macos(connection)
        size = struct.calcsize("3i")
        packed = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
        pid, uid, _ = struct.unpack("3i", packed)
    except (AttributeError, OSError, struct.error) as error:
        raise Refused("This system does not say who is connected.") from error
    return Peer(pid, uid)


def _peer_on_macos(connection: socket.socket) -> Peer:
    (pid,) = struct.unpack("i", connection.getsockopt(SOL_LOCAL, LOCAL_PEERPID, 4))
    _, uid = struct.unpack_from("2I", connection.getsockopt(SOL_LOCAL, LOCAL_PEERCRED, 76))
    return Peer(pid, uid)


def processes(machine: Machine) -> Look:
    """How to look at one process of this computer."""
    read = _on_linux if machine.platform == "linux" else _by_ps
    return lambda pid: read(machine, pid)


def _on_linux(machine: Machine, pid: int) -> Process | None:
    try:
        text = machine.read(f"/proc/{pid}/stat")
    except (OSError, UnicodeDecodeError):
        return None
    if text is None:
        return None
    # The name stands in brackets and may hold brackets and spaces itself.
    name = text[text.find("(") + 1 : text.rfind(")")]
    fields = text[text.rfind(")") + 1 :].split()
    try:
        _, parent, _, session, device = fields[:5]
        return Process(pid, int(parent), int(session), _kind_of(int(device)), name)
    except ValueError:
        return None


def _kind_of(device: int) -> Terminal:
    if device == 0:
        return "none"
    return "pseudo" if (device >> 8) & 0xFFF in PSEUDO_MAJORS else "console"


def _by_ps(machine: Machine, pid: int) -> Process | None:
    line = machine.output(["ps", "-o", "ppid=,tty=,comm=", "-p", str(pid)])
    try:
        parent, device, path = (line or "").split(None, 2)
        session = os.getsid(pid)
    except (ValueError, OSError, AttributeError):
        return None
    kind: Terminal = "pseudo" if device.startswith(("ttys", "pts")) else "console"
    if not device.strip("?-"):
        kind = "none"
    return Process(pid, int(parent), session, kind, os.path.basename(path.strip()))


def only_people(machine: Machine) -> Check:
    """The check for hubs on this computer."""
    look = processes(machine)
    return lambda peer, askers: check_person(look, peer, askers)


def check_person(look: Look, peer: Peer, askers: Iterable[int]) -> None:
    """Raises Refused unless this can be a person at a terminal that is not the asker's.

    An agent that may run commands must not approve what it asked for. It has no terminal, shares
    the session of the asker, or descends from what the asker descends from.
    """
    here = look(peer.pid)
    if here is None:
        raise Refused("The program that answers cannot be seen.", next_step=ELSEWHERE)
    if here.terminal == "none":
        raise Refused(
            "Only a person at a terminal can answer; this program has none.", next_step=ELSEWHERE
        )
    above = {here.pid, *(process.pid for process in _ancestors(look, here))}
    for pid in askers:
        asker = look(pid)
        if asker is None:
            continue  # It has ended, and with it all that it could answer.
        if asker.session == here.session:
            raise Refused("This is the terminal session of who asked.", next_step=ELSEWHERE)
        if above & set(_family(look, asker)):
            raise Refused(
                "This terminal belongs to who asked, or to what started it.", next_step=ELSEWHERE
            )


def _family(look: Look, asker: Process) -> Iterator[int]:
    """The asker and everything above it that could be the agent it works for.

    In a terminal that is all up to the last that has one: above are only windows and servers that
    terminals come from, the person's own among them. Without any it is all of them.
    """
    chain = [asker, *_ancestors(look, asker)]
    kinds = [process.terminal for process in chain]
    # Below a desktop started from the console everything has the console for its terminal.
    kind = next((kind for kind in ("pseudo", "console") if kind in kinds), None)
    last = len(chain) - 1 - kinds[::-1].index(kind) if kind else len(chain) - 1
    yield from (process.pid for process in chain[: last + 1])


def _ancestors(look: Look, process: Process) -> Iterator[Process]:
    for _ in range(LONGEST_CHAIN):
        if process.parent <= 1:
            return
        above = look(process.parent)
        if above is None or above.name in MANAGERS:
            return
        yield above
        process = above

"""What the operating system knows of a browser: its processes, ports and end. Linux only."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

PROC = Path("/proc")
LISTENING = "0A"


def command(pid: int) -> list[str]:
    try:
        return (PROC / str(pid) / "cmdline").read_text("utf-8", "replace").rstrip("\0").split("\0")
    except OSError:
        return []  # It has ended.


def _parents() -> dict[int, int]:
    found = {}
    for folder in PROC.iterdir():
        if not folder.name.isdigit():
            continue
        try:
            stat = (folder / "stat").read_text("utf-8", "replace")
        except OSError:
            continue
        # The program's name stands in brackets and may hold anything.
        found[int(folder.name)] = int(stat.rpartition(")")[2].split()[1])
    return found


def family(pid: int) -> list[int]:
    """A process and all that descend from it."""
    parents = _parents()
    members = [pid]
    for member in members:
        members.extend(child for child, parent in parents.items() if parent == member)
    return members


def browsers(of: int) -> list[int]:
    """The browsers a process has started itself, oldest first."""
    children = [pid for pid, parent in _parents().items() if parent == of]
    ours = [pid for pid in children if any("--user-data-dir=" in a for a in command(pid))]
    # By age: process numbers begin anew when they run out.
    return sorted(ours, key=_started)


def _started(pid: int) -> int:
    try:
        stat = (PROC / str(pid) / "stat").read_text("utf-8", "replace")
    except OSError:
        return 0  # It has ended.
    return int(stat.rpartition(")")[2].split()[19])


def newest_browser() -> int:
    return browsers(os.getpid())[-1]


def profile_of(pid: int) -> Path:
    flag = "--user-data-dir="
    return Path(next(a.removeprefix(flag) for a in command(pid) if a.startswith(flag)))


async def ended(pids: Iterable[int], seconds: float = 10) -> list[int]:
    """Wait for processes to end; answers those that have not."""
    loop = asyncio.get_running_loop()
    waits = {}
    for pid in pids:
        try:
            descriptor = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        waits[pid] = (descriptor, loop.create_future())
        loop.add_reader(descriptor, _finish, loop, descriptor, waits[pid][1])
    if waits:
        await asyncio.wait([future for _, future in waits.values()], timeout=seconds)
    left = []
    for pid, (descriptor, future) in waits.items():
        loop.remove_reader(descriptor)
        os.close(descriptor)
        if not future.done():
            left.append(pid)
    return left


def _finish(loop: asyncio.AbstractEventLoop, descriptor: int, future: asyncio.Future[None]) -> None:
    loop.remove_reader(descriptor)
    future.set_result(None)


async def until(condition: Callable[[], object], seconds: float = 10) -> bool:
    """Ask again and again, for what the system announces to nobody, such as a folder's end."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        await asyncio.sleep(0.02)
    return True


def listening_ports(pids: Iterable[int]) -> list[int]:
    sockets = {inode for pid in pids for inode in _sockets(pid)}
    ports = []
    for table in ("tcp", "tcp6"):
        for line in (PROC / "net" / table).read_text("utf-8").splitlines()[1:]:
            fields = line.split()
            if fields[3] == LISTENING and fields[9] in sockets:
                ports.append(int(fields[1].rpartition(":")[2], 16))
    return ports


def _sockets(pid: int) -> list[str]:
    found = []
    try:
        for descriptor in (PROC / str(pid) / "fd").iterdir():
            target = os.readlink(descriptor)
            if target.startswith("socket:["):
                found.append(target[8:-1])
    except OSError:
        return found  # It has ended.
    return found

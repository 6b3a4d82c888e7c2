"""The folders and files of records: for their owner alone, never through a link."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from subterminator.errors import RecordFailed, Refused
from subterminator.locks import try_lock
from subterminator.safety.files import check_private

# Windows has no such flag, and no links that a stranger could plant in a folder of ours.
NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
BINARY = getattr(os, "O_BINARY", 0)
LOCK_FILE = "lock"


@contextmanager
def failing(what: str, told: Callable[[str], None] = lambda message: None) -> Iterator[None]:
    """Turns what the system refuses into one error that says what was being done."""
    try:
        yield
    except OSError as fault:
        message = f"{what}: {fault.strerror or fault}."
        told(message)
        raise RecordFailed(message) from fault


def made_folder(path: Path, *, new: bool = False) -> Path:
    """The folder, made if need be; refused if it is a link, someone else's or open to others."""
    try:
        os.mkdir(path, 0o700)
        # A umask may have taken from the owner what the owner needs.
        os.chmod(path, 0o700)
    except FileExistsError:
        if new:
            raise
    check_folder(path)
    return path


def check_folder(path: Path) -> None:
    """Refuse a folder of records that others could read or fill."""
    seen = os.lstat(path)
    quoted = shlex.quote(str(path))
    if not stat.S_ISDIR(seen.st_mode):
        raise Refused(f"{path} is not a folder.", next_step=f"Look at it: ls -ld {quoted}")
    if os.name == "posix":
        if seen.st_uid != os.geteuid():
            raise Refused(f"{path} belongs to another user.", next_step="Move it away.")
        if stat.S_IMODE(seen.st_mode) & 0o077:
            raise Refused(f"{path} is open to other users.", next_step=f"Run: chmod 700 {quoted}")


def create_file(path: Path) -> int:
    """A new file to append to. One that is there already, even as a link, is not touched."""
    fd = os.open(
        path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | NOFOLLOW | BINARY, 0o600
    )
    if hasattr(os, "fchmod"):
        os.fchmod(fd, 0o600)
    return fd


def open_file(path: Path, flags: int) -> int:
    """A file of ours that must be there. Nobody else can exchange it: the folder is ours alone."""
    check_private(path)
    return os.open(path, flags | NOFOLLOW | BINARY)


def read_file(path: Path) -> bytes:
    with open(open_file(path, os.O_RDONLY), "rb") as file:
        return file.read()


class Lock:
    """Held by the process that writes a record; it dies with it, so a free lock means no writer."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    @classmethod
    def take(cls, folder: Path) -> Self:
        path = folder / LOCK_FILE
        fd = open_file(path, os.O_RDWR) if check_private(path) else create_file(path)
        if not try_lock(fd):
            os.close(fd)
            raise RecordFailed(
                f"Run {folder.name} is being written by another process.",
                next_step=f"Watch it: subterminator runs watch {folder.name}",
            )
        return cls(fd)

    def release(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def is_live(folder: Path) -> bool:
    """Whether a process holds the lock of this run."""
    if not check_private(folder / LOCK_FILE):
        return False
    try:
        Lock.take(folder).release()
    except RecordFailed:
        return True
    return False

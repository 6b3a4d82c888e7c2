"""Files that only their owner can read, and that nobody else has put there."""

from __future__ import annotations

import os
import shlex
import stat
import tempfile
from pathlib import Path

from subterminator.errors import Refused


def check_private(path: Path) -> bool:
    """Whether the file is there; refuses one that is a link, someone else's or open to others."""
    try:
        seen = os.lstat(path)
    except FileNotFoundError:
        return False
    quoted = shlex.quote(str(path))
    if not stat.S_ISREG(seen.st_mode):
        raise Refused(f"{path} is not a plain file.", next_step=f"Look at it: ls -l {quoted}")
    if os.name == "posix":
        if seen.st_uid != os.geteuid():
            raise Refused(f"{path} belongs to another user.", next_step="Remove it.")
        if stat.S_IMODE(seen.st_mode) & 0o077:
            raise Refused(f"{path} is open to other users.", next_step=f"Run: chmod 600 {quoted}")
    return True


def write_private(path: Path, data: bytes) -> None:
    """Put a file there whole or not at all, and on the disk before this returns."""
    # mkstemp makes it new and 0600; a umask could only take away what the owner needs.
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Put the names in a folder on the disk, where the system can."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

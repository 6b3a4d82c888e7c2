"""A lock on a file that dies with the process that holds it."""

from __future__ import annotations

import sys

if sys.platform != "win32":
    import fcntl

    def try_lock(fd: int) -> bool:
        """Take it without waiting; False if another process has it."""
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
else:
    import msvcrt

    def try_lock(fd: int) -> bool:
        """Take it without waiting; False if another process has it."""
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

"""Temporary browser profiles: what a kill leaves behind, the next start removes."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import threading
from pathlib import Path
from typing import Self

if sys.platform != "win32":
    import fcntl

    def _try_lock(fd: int) -> bool:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
else:
    import msvcrt

    def _try_lock(fd: int) -> bool:
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True


class TemporaryProfile:
    """A folder with a lock file beside it.

    The lock dies with this process, so a free lock means litter.
    """

    def __init__(self, root: Path) -> None:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.path = Path(tempfile.mkdtemp(prefix="profile-", dir=root))
        self._lock_path = self.path.with_suffix(".lock")
        self._lock = os.open(self._lock_path, os.O_CREAT | os.O_RDWR, 0o600)
        _try_lock(self._lock)

    @classmethod
    def create(cls) -> Self:
        """A new profile; old litter is swept meanwhile, since no start should wait for it."""
        root = _root()
        profile = cls(root)
        threading.Thread(target=sweep, args=(root,), daemon=True).start()
        return profile

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)
        self._lock_path.unlink(missing_ok=True)


def sweep(root: Path) -> list[Path]:
    """Remove profiles whose owner is gone. Returns what was removed."""
    removed = []
    for lock_path in root.glob("profile-*.lock"):
        try:
            lock = os.open(lock_path, os.O_RDWR)
        except OSError:
            continue
        if _try_lock(lock):
            profile = lock_path.with_suffix("")
            shutil.rmtree(profile, ignore_errors=True)
            lock_path.unlink(missing_ok=True)
            removed.append(profile)
        os.close(lock)
    return removed


def _root() -> Path:
    owner = f"-{os.getuid()}" if hasattr(os, "getuid") else ""
    root = Path(tempfile.gettempdir()) / f"subterminator{owner}"
    root.mkdir(mode=0o700, exist_ok=True)
    if hasattr(os, "getuid") and (root.is_symlink() or root.stat().st_uid != os.getuid()):
        # Someone else made it first: what we would write there could be read or replaced.
        return Path(tempfile.mkdtemp(prefix="subterminator-"))
    return root

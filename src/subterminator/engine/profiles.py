"""Folders of a session: temporary ones, whose litter the next start removes, and kept profiles."""

from __future__ import annotations

import os
import shutil
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, Self

import msgspec

from subterminator.locks import try_lock

REMOVE_SECONDS = 2.0
REMOVE_PAUSE = 0.01
FETCH_AHEAD, NEVER = "network_prediction_options", 2


class TemporaryFolder:
    """A folder with a lock file beside it.

    The lock dies with this process, so a free lock means litter.
    """

    def __init__(self, root: Path, kind: str) -> None:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock, self._lock_path = _locked(root, kind)
        # Only now: a folder whose lock is not held yet would be swept by another start.
        self.path = self._lock_path.with_suffix("")
        self.path.mkdir(mode=0o700)

    @classmethod
    def create(cls, kind: str) -> Self:
        """A new folder; old litter is swept meanwhile, since no start should wait for it."""
        root = _root()
        folder = cls(root, kind)
        threading.Thread(target=sweep, args=(root,), daemon=True).start()
        return folder

    def remove(self) -> None:
        """Remove it; what resists keeps its lock file and is swept by a later start."""
        deadline = time.monotonic() + REMOVE_SECONDS
        # The last helpers of a browser may still write while they end, and tell nobody when.
        ended = threading.Event()
        shutil.rmtree(self.path, ignore_errors=True)
        while self.path.exists() and time.monotonic() < deadline:
            ended.wait(REMOVE_PAUSE)
            shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)
        if not self.path.exists():
            self._lock_path.unlink(missing_ok=True)


def _locked(root: Path, kind: str) -> tuple[int, Path]:
    while True:
        lock, name = tempfile.mkstemp(prefix=f"{kind}-", suffix=".lock", dir=root)
        # A sweep that saw the file before it was locked may have it now, and removes it.
        if try_lock(lock) and os.path.exists(name):
            return lock, Path(name)
        os.close(lock)


def sweep(root: Path) -> list[Path]:
    """Remove the folders whose owner is gone. Returns what was removed."""
    removed = []
    for lock_path in root.glob("*.lock"):
        try:
            lock = os.open(lock_path, os.O_RDWR)
        except OSError:
            continue
        if try_lock(lock):
            folder = lock_path.with_suffix("")
            shutil.rmtree(folder, ignore_errors=True)
            if not folder.exists():
                lock_path.unlink(missing_ok=True)
                removed.append(folder)
        os.close(lock)
    return removed


def is_in_use(profile: Path) -> bool:
    """Whether a browser runs with this profile.

    Starting a second one would fail, or open a window in the first.
    """
    if sys.platform == "win32":
        try:
            (profile / "lockfile").unlink(missing_ok=True)
        except OSError:
            return True
        return False
    try:
        address = os.readlink(profile / "SingletonSocket")
        with socket.socket(socket.AF_UNIX) as caller:
            caller.settimeout(1)
            caller.connect(address)
    except OSError:
        return False  # There is no such socket, or a browser that was killed left it behind.
    return True


def forbid_fetching_ahead(profile: Path) -> None:
    """A page fetched before it is asked for is shown later without a request that could be stopped.

    Everything else in the profile's settings stays as it is.
    """
    file = profile / "Default" / "Preferences"
    try:
        settings: dict[str, Any] = msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
    except FileNotFoundError:
        settings = {}
    except (OSError, msgspec.MsgspecError):
        return  # The browser itself makes new ones of what cannot be read.
    network = settings.setdefault("net", {})
    if not isinstance(network, dict) or network.get(FETCH_AHEAD) == NEVER:
        return
    network[FETCH_AHEAD] = NEVER
    file.parent.mkdir(mode=0o700, exist_ok=True)
    written = file.with_suffix(".subterminator")
    written.touch(mode=0o600)
    written.write_bytes(msgspec.json.encode(settings))
    written.replace(file)


def _root() -> Path:
    owner = f"-{os.getuid()}" if hasattr(os, "getuid") else ""
    root = Path(tempfile.gettempdir()) / f"subterminator{owner}"
    root.mkdir(mode=0o700, exist_ok=True)
    if hasattr(os, "getuid") and (root.is_symlink() or root.stat().st_uid != os.getuid()):
        # Someone else made it first: what we would write there could be read or replaced.
        return Path(tempfile.mkdtemp(prefix="subterminator-"))
    return root

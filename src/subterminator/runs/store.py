"""The records of all runs in one folder: begun, found, read, checked, followed and removed."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import os
import re
import secrets
import shutil
import stat
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from msgspec import Struct

from subterminator.config import private_folder
from subterminator.errors import InvalidParams, RecordFailed, Refused, SubTerminatorError
from subterminator.runs.chain import Examined, Line, examined, opened
from subterminator.runs.events import Closed, Kept, Opened
from subterminator.runs.folder import (
    check_folder,
    failing,
    is_live,
    made_folder,
    open_file,
    read_file,
)
from subterminator.runs.record import ARTIFACTS, EVENTS_FILE, Clock, FileRecord
from subterminator.safety.files import check_private, write_private
from subterminator.safety.redact import Redactor

RUNS = "runs"
KEY_FILE = ".key"
RUN_ID = re.compile(r"\d{4}-\d\d-\d\dT\d{6}-[a-z0-9-]{1,40}-[a-z0-9]{6}")
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
RETENTION_DAYS = 30
DAY = 86_400
# How often a file that another process writes is looked at.
LOOK_SECONDS = 0.2
AT_ONCE = 1 << 20


class Summary(Struct, frozen=True):
    """One run in a list. `stopped` has no last line and no process: it was killed."""

    id: str
    state: Literal["live", "closed", "stopped", "unreadable"]
    began: str = ""
    ended: str = ""
    service: str = ""
    reason: str = ""
    lines: int = 0
    size: int = 0


class Verified(Struct, frozen=True):
    """Whether a record is as it was written."""

    id: str
    state: Literal["intact", "torn", "broken", "unreadable"]
    lines: int = 0
    closed: bool = False
    live: bool = False
    broken_at: int | None = None
    torn: int = 0
    artifacts: int = 0
    bad_artifacts: tuple[str, ...] = ()
    why: str = ""

    @property
    def ok(self) -> bool:
        return self.state in ("intact", "torn") and not self.bad_artifacts


class Store:
    """The folder `runs` below the state folder; made when the first run is."""

    def __init__(self, state_dir: str | Path) -> None:
        self._state = str(state_dir)
        self.folder = Path(state_dir) / RUNS

    # Writing

    def create(self, service: str = "", clock: Clock = time.time) -> FileRecord:
        """Begin a record. Its redactor is the run's own."""
        with failing("The folder of runs cannot be made"):
            private_folder(self._state)
            made_folder(self.folder)
        while True:
            run = new_id(service, clock())
            if not os.path.lexists(self.folder / run):
                return FileRecord.create(self.folder / run, Redactor(self._key(run)), clock)

    def resume(self, run: str, clock: Clock = time.time) -> FileRecord:
        """Go on with the record of a run whose process is gone."""
        folder = self._at(run)
        return FileRecord.resume(folder, Redactor(self._key(run)), clock)

    def _key(self, run: str) -> bytes:
        """The run's key. It leaves this machine with no run's folder."""
        path = self.folder / KEY_FILE
        with failing("The key of the records cannot be read"):
            if not check_private(path):
                write_private(path, secrets.token_bytes(32))
            return hmac.digest(read_file(path), run.encode(), hashlib.sha256)

    # Finding

    def ids(self) -> list[str]:
        """All runs, the oldest first."""
        try:
            check_folder(self.folder)
            names = os.listdir(self.folder)
        except FileNotFoundError:
            return []
        return sorted(name for name in names if RUN_ID.fullmatch(name))

    def find(self, word: str) -> str:
        """The run that is meant by its id, by the beginning of its id, or by `last`."""
        ids = self.ids()
        found = (
            ids[-1:] if word == "last" else [run for run in ids if word and run.startswith(word)]
        )
        if len(found) == 1 or word in found:
            return word if word in found else found[0]
        if not ids:
            raise InvalidParams("There are no runs.", next_step="Make one first.")
        if not found:
            raise InvalidParams(
                f"There is no run {word[:80]!r}.", next_step="See: subterminator runs list"
            )
        raise InvalidParams(
            f"{len(found)} runs begin with {word!r}.", next_step=f"Say more, such as {found[0]}."
        )

    def _at(self, run: str) -> Path:
        if not RUN_ID.fullmatch(run):
            raise InvalidParams(f"{run[:80]!r} is not the id of a run.")
        folder = self.folder / run
        with failing(f"Run {run} cannot be read"):
            check_folder(folder)
        return folder

    # Reading

    def summaries(self) -> list[Summary]:
        """All runs, the oldest first."""
        return [self._summary(run) for run in self.ids()]

    def _summary(self, run: str) -> Summary:
        try:
            seen = self.read(run)
            size = _size(self._at(run))
            live = is_live(self._at(run))
        except (SubTerminatorError, OSError):
            return Summary(run, "unreadable")
        first = seen.lines[0].event if seen.lines else None
        last = seen.lines[-1] if seen.lines else None
        closed = last.event if last and isinstance(last.event, Closed) else None
        return Summary(
            run,
            "closed" if closed else "live" if live else "stopped",
            seen.lines[0].at if seen.lines else "",
            last.at if last else "",
            first.task.service if isinstance(first, Opened) else "",
            closed.reason if closed else "",
            len(seen.lines),
            size,
        )

    def read(self, run: str) -> Examined:
        """The lines as far as the chain holds; half a last line is no trouble."""
        folder = self._at(run)
        with failing(f"Run {run} cannot be read"):
            return examined(read_file(folder / EVENTS_FILE), run)

    def artifact(self, run: str, digest: str) -> bytes:
        """What was kept beside the record, checked against its name."""
        if not re.fullmatch(r"[0-9a-f]{64}", digest):
            raise InvalidParams(f"{digest[:80]!r} is not a digest.")
        with failing(f"The file {digest} of run {run} cannot be read"):
            data = read_file(self._at(run) / ARTIFACTS / digest)
        if hashlib.sha256(data).hexdigest() != digest:
            raise RecordFailed(
                f"The file {digest} of run {run} is not as it was written.",
                next_step="Do not trust it.",
            )
        return data

    def verify(self, run: str) -> Verified:
        """Follow the chain from its first line and check every file that a line names."""
        try:
            seen = self.read(run)
        except (RecordFailed, Refused) as fault:
            return Verified(run, "unreadable", why=fault.message)
        kept = {line.event.digest for line in seen.lines if isinstance(line.event, Kept)}
        bad = []
        for digest in sorted(kept):
            try:
                self.artifact(run, digest)
            except SubTerminatorError:
                bad.append(digest)
        return Verified(
            run,
            seen.state,
            lines=len(seen.lines),
            closed=bool(seen.lines) and isinstance(seen.lines[-1].event, Closed),
            live=is_live(self._at(run)),
            broken_at=seen.broken,
            torn=seen.torn,
            artifacts=len(kept),
            bad_artifacts=tuple(bad),
        )

    async def watch(self, run: str) -> AsyncIterator[Line]:
        """Every line there is and every line to come, until the run ends or its process is gone."""
        folder = self._at(run)
        with failing(f"Run {run} cannot be read"):
            fd = open_file(folder / EVENTS_FILE, os.O_RDONLY)
        with open(fd, "rb") as file:
            waiting = b""
            while True:
                # Asked before reading: what was written last is then read all the same.
                live = is_live(folder)
                while data := file.read(AT_ONCE):
                    *whole, waiting = (waiting + data).split(b"\n")
                    for line in filter(None, map(opened, whole)):
                        yield line
                        if isinstance(line.event, Closed):
                            return
                if not live:
                    return
                await asyncio.sleep(LOOK_SECONDS)

    # Removing

    def purge(self, older_than_days: float = RETENTION_DAYS, now: float | None = None) -> list[str]:
        """Remove the runs whose last line is older than that; a live run stays."""
        limit = (time.time() if now is None else now) - older_than_days * DAY
        removed = []
        for run in self.ids():
            try:
                folder = self._at(run)
            except Refused:
                continue  # Not ours to remove.
            if _touched(folder) <= limit and not is_live(folder):
                self._remove(run)
                removed.append(run)
        return removed

    def remove(self, run: str) -> None:
        if is_live(self._at(run)):
            raise InvalidParams(f"Run {run} is still going on.", next_step="Stop it first.")
        self._remove(run)

    def _remove(self, run: str) -> None:
        with failing(f"Run {run} cannot be removed"):
            shutil.rmtree(self._at(run))


def new_id(service: str, now: float) -> str:
    """`2026-11-15T101530-netflix-k3f9aa`: sorts by time, and cannot be guessed in advance."""
    moment = datetime.fromtimestamp(now, UTC).strftime("%Y-%m-%dT%H%M%S")
    # A name of a folder is seen by whoever sees a list of files.
    named = "" if re.search(r"@|\d{5}", service) else service
    name = re.sub(r"[^a-z0-9]+", "-", named.lower())[:24].strip("-") or "run"
    return f"{moment}-{name}-{''.join(secrets.choice(ALPHABET) for _ in range(6))}"


def _touched(folder: Path) -> float:
    """When the last line was written; what has no line was made then."""
    try:
        return os.lstat(folder / EVENTS_FILE).st_mtime
    except FileNotFoundError:
        return os.lstat(folder).st_mtime


def _size(folder: Path) -> int:
    files = (os.lstat(Path(base) / name) for base, _, names in os.walk(folder) for name in names)
    return sum(seen.st_size for seen in files if stat.S_ISREG(seen.st_mode))

"""Where a run writes down what it does: a file that only grows, or the memory of this process.

Whatever is appended is made safe first. One thread writes; it blocks as long as the disk does.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Protocol, Self

from subterminator.errors import InvalidParams, RecordFailed
from subterminator.runs.chain import examined, genesis, sealed
from subterminator.runs.cleaning import cleaned
from subterminator.runs.events import Closed, Event, Kept, Media, Torn
from subterminator.runs.folder import Lock, create_file, failing, made_folder, open_file, read_file
from subterminator.safety.files import check_private, sync_folder, write_private
from subterminator.safety.redact import Redactor

if sys.platform == "darwin":
    from fcntl import F_FULLFSYNC, fcntl

    def _sync(fd: int) -> None:
        # Apple's fsync leaves the data in the drive's own memory.
        fcntl(fd, F_FULLFSYNC)
else:
    _sync = os.fsync

EVENTS_FILE = "events.jsonl"
ARTIFACTS = "artifacts"
LARGEST_ARTIFACT = 32 * 1024 * 1024
REMEMBERED = 10_000

Clock = Callable[[], float]


class Record(Protocol):
    """What a session needs of a record.

    `append_durably` returns when the event would survive a power failure. Once writing has failed,
    every call fails: what cannot be written down is not done.
    """

    @property
    def id(self) -> str: ...
    @property
    def redactor(self) -> Redactor: ...
    def append(self, event: Event) -> None: ...
    def append_durably(self, event: Event) -> None: ...
    def keep(self, data: bytes | str, media: Media, what: str = "") -> str: ...
    def close(self, reason: str) -> None: ...


class MemoryRecord:
    """Remembers the last events, as safe as a file would have them, and writes nothing."""

    def __init__(self, redactor: Redactor | None = None) -> None:
        self.id = ""
        self.redactor = redactor or Redactor(os.urandom(32))
        self.events: deque[Event] = deque(maxlen=REMEMBERED)

    def append(self, event: Event) -> None:
        self.events.append(cleaned(event, self.redactor))

    def append_durably(self, event: Event) -> None:
        self.append(event)

    def keep(self, data: bytes | str, media: Media, what: str = "") -> str:
        """The digest of what would be kept; the data itself is let go."""
        content = _safe_content(data, media, self.redactor)
        digest = hashlib.sha256(content).hexdigest()
        self.append(Kept(digest, media, len(content), what))
        return digest

    def close(self, reason: str) -> None:
        self.append(Closed(reason))


class FileRecord:
    """One run's folder: `events.jsonl` and artifacts by digest, for their owner alone."""

    def __init__(
        self, folder: Path, redactor: Redactor, *, lock: Lock, fd: int, clock: Clock
    ) -> None:
        self.id = folder.name
        self.redactor = redactor
        self.folder = folder
        self._lock = lock
        self._fd = fd
        self._clock = clock
        self._n = 0
        self._last = genesis(self.id)
        self._failed = ""

    @classmethod
    def create(cls, folder: Path, redactor: Redactor, clock: Clock = time.time) -> Self:
        """Begin a record in a folder that must not be there yet."""
        with failing("The record cannot be begun"), ExitStack() as undo:
            made_folder(folder, new=True)
            lock = Lock.take(folder)
            undo.callback(lock.release)
            fd = create_file(folder / EVENTS_FILE)
            undo.callback(os.close, fd)
            sync_folder(folder)
            sync_folder(folder.parent)
            undo.pop_all()
        return cls(folder, redactor, lock=lock, fd=fd, clock=clock)

    @classmethod
    def resume(cls, folder: Path, redactor: Redactor, clock: Clock = time.time) -> Self:
        """Go on with a record that nobody writes any more.

        What a crash left of a last line stays where it is, and the next line says what it is.
        """
        with failing("The record cannot be gone on with"), ExitStack() as undo:
            made_folder(folder)
            lock = Lock.take(folder)
            undo.callback(lock.release)
            data = read_file(folder / EVENTS_FILE)
            seen = examined(data, folder.name)
            if seen.broken:
                raise RecordFailed(
                    f"Line {seen.broken} of run {folder.name} is not as it was written.",
                    next_step="Begin a new run; keep this one to look at.",
                )
            fd = open_file(folder / EVENTS_FILE, os.O_WRONLY | os.O_APPEND)
            undo.pop_all()
        record = cls(folder, redactor, lock=lock, fd=fd, clock=clock)
        record._n, record._last = len(seen.lines), seen.last
        if seen.tail:
            # In one write with the end of that line: between the two nobody could tell it from an
            # edited one.
            mark = Torn(len(seen.tail), hashlib.sha256(seen.tail).hexdigest())
            record._append(mark, lead=b"\n")
        elif data and not data.endswith(b"\n"):
            record._write(b"\n")
        return record

    def append(self, event: Event) -> None:
        """Write one line. It survives the end of this process, not that of the machine."""
        self._append(event)

    def append_durably(self, event: Event) -> None:
        """Write one line and return when it is on the disk."""
        self.append(event)
        with self._noticing():
            _sync(self._fd)

    def keep(self, data: bytes | str, media: Media, what: str = "") -> str:
        """Store text, redacted, or a picture, as it is; the same bytes are stored once."""
        content = _safe_content(data, media, self.redactor)
        digest = hashlib.sha256(content).hexdigest()
        with self._noticing():
            path = made_folder(self.folder / ARTIFACTS) / digest
            if not check_private(path):
                write_private(path, content)
        self.append(Kept(digest, media, len(content), what))
        return digest

    def close(self, reason: str) -> None:
        """Write the last line and let go of the file; safe to call twice."""
        if self._fd < 0:
            return
        try:
            if not self._failed:
                self.append_durably(Closed(reason))
        finally:
            os.close(self._fd)
            self._fd = -1
            self._lock.release()

    def _append(self, event: Event, lead: bytes = b"") -> None:
        line = sealed(self._n + 1, self._clock(), self._last, cleaned(event, self.redactor))
        self._write(lead + line.data)
        self._n, self._last = self._n + 1, line.hash

    def _write(self, data: bytes) -> None:
        if self._failed or self._fd < 0:
            raise RecordFailed(self._failed or f"The record of run {self.id} is closed.")
        with self._noticing():
            while data:
                data = data[os.write(self._fd, data) :]

    def _noticing(self) -> AbstractContextManager[None]:
        return failing(f"The record of run {self.id} cannot be written", self._fail)

    def _fail(self, message: str) -> None:
        # Half a line may be in the file: whatever came after it would not be believed.
        self._failed = message


def _safe_content(data: bytes | str, media: Media, redactor: Redactor) -> bytes:
    if isinstance(data, str) == media.startswith("image/"):
        raise InvalidParams("Text is kept as text, and only a picture as bytes.")
    if isinstance(data, str):
        data = redactor.written(data).encode("utf-8", "replace")
    if len(data) > LARGEST_ARTIFACT:
        raise InvalidParams(f"{len(data)} bytes are more than a record takes.")
    return data

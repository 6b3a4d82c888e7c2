"""A trace: what the gate writes down while it runs, safe as every record is, as a zip."""

from __future__ import annotations

import io
import zipfile

import msgspec

from subterminator.errors import InvalidParams
from subterminator.runs.cleaning import cleaned
from subterminator.runs.events import Closed, Event, Media
from subterminator.runs.record import Record
from subterminator.safety.redact import Redactor

MOST_EVENTS = 10_000
DAY_ONE = (1980, 1, 1, 0, 0, 0)


class Trace:
    """Of one client; on and off."""

    def __init__(self) -> None:
        self._lines: list[bytes] | None = None

    def start(self) -> None:
        if self._lines is not None:
            raise InvalidParams("A trace is running.", next_step="Send trace/stop first.")
        self._lines = []

    def stop(self) -> bytes:
        if self._lines is None:
            raise InvalidParams("No trace is running.", next_step="Send trace/start first.")
        lines, self._lines = self._lines, None
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(zipfile.ZipInfo("events.jsonl", DAY_ONE), b"\n".join(lines))
        return packed.getvalue()

    def note(self, event: Event, redactor: Redactor) -> None:
        if self._lines is not None and len(self._lines) < MOST_EVENTS:
            self._lines.append(msgspec.json.encode(cleaned(event, redactor)))

    def watch(self, record: Record) -> Record:
        return _Traced(record, self)


class _Traced:
    """A record that is also read along. First it is written."""

    def __init__(self, record: Record, trace: Trace) -> None:
        self._record, self._trace = record, trace

    @property
    def id(self) -> str:
        return self._record.id

    @property
    def redactor(self) -> Redactor:
        return self._record.redactor

    def append(self, event: Event) -> None:
        self._record.append(event)
        self._trace.note(event, self.redactor)

    def append_durably(self, event: Event) -> None:
        self._record.append_durably(event)
        self._trace.note(event, self.redactor)

    def keep(self, data: bytes | str, media: Media, what: str = "") -> str:
        return self._record.keep(data, media, what)

    def close(self, reason: str) -> None:
        self._record.close(reason)
        self._trace.note(Closed(reason), self.redactor)

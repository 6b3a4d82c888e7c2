"""What goes on in a tab because of an action: requests, navigations, dialogs, downloads."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections import Counter
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from subterminator.engine.cdp import fresh
from subterminator.errors import SubTerminatorError
from subterminator.types import DialogInfo, Download, Navigation

# These never say that a page is done: beacons, streams, and what only decorates it.
UNCOUNTED = {"Ping", "EventSource", "WebSocket", "Media", "Image", "Font", "CSPViolationReport",
             "Preflight", "SignedExchange", "Manifest", "Prefetch", "TextTrack"}  # fmt: skip
# A page that does not read an answer never lets it end: once data has come, silence is its end.
SILENT_SECONDS = 0.5
BELONGS_SECONDS = 1.0
CHAIN_SECONDS = 0.15
POLLING_TIMES = 2
LONG_POLL_SECONDS = 10.0
MAX_BODY = 500
# Counters, times and keys differ from one poll to the next; the rest of a request does not.
CHANGING = re.compile(r"[0-9a-f]{8,}|\d+", re.IGNORECASE)


class Request(Struct):
    url: str
    kind: str
    path: str
    begun: float
    length: int | None = None
    is_packed: bool = False
    received: int = 0
    heard: float = 0.0

    @property
    def is_silent(self) -> bool:
        return self.heard > 0 and time.monotonic() - self.heard > SILENT_SECONDS


class Activity:
    """A tab's ledger of movement.

    `begin` starts a new page; only what comes after it belongs to the action.
    """

    def __init__(self) -> None:
        # Requests that nobody's action explains, or too often: a page polls with them.
        self._unasked: Counter[str] = Counter()
        self.slow: set[str] = set()
        self._late: dict[str, Request] = {}
        # Kept from one action to the next until they were told: a page asks when it likes.
        self.downloads: list[Download] = []
        self.dialogs: list[DialogInfo] = []
        self.new_tabs: list[str] = []
        self.refused_tabs = 0
        # What makes waiting pointless: an open dialog, or the end of the tab.
        self.halted: SubTerminatorError | None = None
        self._change = asyncio.Event()
        self.open: dict[str, Request] = {}
        self.navigating: dict[str, str] = {}
        self.begin()

    def begin(self, *, keep_open: bool = False) -> None:
        self.started = time.monotonic()
        if not keep_open:
            self.open = {}
            self.navigating = {}
        self._asked: Counter[str] = Counter()
        self.last_response = 0.0
        self.navigations: list[Navigation] = []
        self.dialog_count = 0
        self.closed_tabs: list[str] = []
        self.file_chooser = False
        # A file was asked for, and the browser has not said yet that it comes.
        self.expects_download = False
        self._has_download = False
        self.changed()

    def changed(self) -> None:
        self._change.set()

    async def wait_for_change(self, seconds: float) -> None:
        """Until anything is noted here, at most the time given; raises what halts the tab."""
        self._change.clear()
        if self.halted is None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(seconds, 0)):
                    await self._change.wait()
        if self.halted:
            raise fresh(self.halted)

    @property
    def is_moving(self) -> bool:
        return bool(self.navigating) or any(not r.is_silent for r in self.open.values())

    @property
    def had_response(self) -> bool:
        return self.last_response > 0 or any(not n.same_document for n in self.navigations)

    def request(self, request_id: str, url: str, kind: str, what: str, *, main: bool) -> None:
        """A request began. `what` is its method and body: one address may serve many questions."""
        if kind in UNCOUNTED or url.startswith(("data:", "blob:")) or (kind == "Document" and main):
            return
        path = CHANGING.sub("#", f"{what[:MAX_BODY]} {url}")
        now = time.monotonic()
        in_time = now - self.started < BELONGS_SECONDS
        follows = self.last_response and now - self.last_response < CHAIN_SECONDS
        self._asked[path] += 1
        if not (in_time or follows):
            self._unasked[path] += 1
            return
        if max(self._unasked[path], self._asked[path] - 1) >= POLLING_TIMES:
            self._unasked[path] = POLLING_TIMES
            return
        self.open[request_id] = Request(url, kind, path, now)
        self.changed()

    def answered(self, request_id: str, headers: dict[str, str]) -> None:
        """The head of an answer has come: how much will follow, if it says so."""
        if (request := self.open.get(request_id)) is None:
            return
        head = {name.lower(): value for name, value in headers.items()}
        length = head.get("content-length", "")
        request.length = int(length) if length.isascii() and length.isdigit() else None
        request.is_packed = "content-encoding" in head

    def data(self, request_id: str, length: int, packed_length: int) -> None:
        """A piece has come. Whether the page reads it or not, the last one ends the request."""
        if (request := self.open.get(request_id)) is None:
            return
        request.received += packed_length if request.is_packed else length
        request.heard = time.monotonic()
        if request.length is not None and request.received >= request.length:
            self.request_ended(request_id)

    def request_ended(self, request_id: str) -> None:
        late = self._late.pop(request_id, None)
        if late and time.monotonic() - late.begun < LONG_POLL_SECONDS:
            self.slow.discard(late.path)
        if request := self.open.pop(request_id, None):
            self.slow.discard(request.path)
            self.last_response = time.monotonic()
            self.changed()

    def give_up(self) -> None:
        """What outlasts one action's patience is remembered: the next does not wait for it.

        It is forgiven when it ends after all, unless it is one that answers only when it has news.
        """
        for request_id, request in self.open.items():
            self.slow.add(request.path)
            self._late[request_id] = request

    def only_slow(self) -> bool:
        return not self.navigating and all(r.path in self.slow for r in self.open.values())

    def navigation_started(self, frame_id: str, url: str) -> None:
        self.navigating[frame_id] = url
        self.changed()

    def navigation_ended(self, frame_id: str) -> None:
        if self.navigating.pop(frame_id, None) is not None:
            self.last_response = time.monotonic()
            self.changed()

    def expect_download(self) -> None:
        self.expects_download = not self._has_download
        self.changed()

    def download_began(self, download: Download) -> None:
        self.expects_download, self._has_download = False, True
        self.downloads.append(download)
        self.changed()

    def report_downloads(self) -> tuple[Download, ...]:
        """Every download that began or ended since the last report, and those still running."""
        told = tuple(replace(download) for download in self.downloads)
        self.downloads = [download for download in self.downloads if download.state == "running"]
        return told

    def report_dialogs(self) -> tuple[DialogInfo, ...]:
        told, self.dialogs = tuple(self.dialogs), []
        return told

    def report_new_tabs(self) -> list[str]:
        told, self.new_tabs = self.new_tabs, []
        return told

    def report_refused_tabs(self) -> int:
        told, self.refused_tabs = self.refused_tabs, 0
        return told

    def pending(self) -> tuple[str, ...]:
        requests = [f"{r.kind.lower()} {_short(r.url)}" for r in self.open.values()]
        return tuple([*(f"loading {_short(u)}" for u in self.navigating.values()), *requests])[:10]


def _short(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.netloc}{parts.path}"[:120]

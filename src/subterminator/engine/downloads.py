"""Files the browser is given: into a folder of the session, under a harmless name, never opened.

A browser that is not ours saves where its user wants; then we only say where that is.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Raw

from subterminator.engine.cdp import Channel
from subterminator.engine.tab import Tab
from subterminator.types import Download

UNSAFE = re.compile(r"[\x00-\x1f\x7f/\\:*?\"<>|\u202a-\u202e\u2066-\u2069]")
MB = 1 << 20


class Quota(NamedTuple):
    """What a session's folder may hold: bytes in all, bytes of one file, number of files."""

    total: int
    largest: int
    files: int


QUOTA = Quota(512 * MB, 256 * MB, 100)


class Downloads:
    """Follows every download, tells the tab it belongs to, and ends what is too large."""

    def __init__(
        self,
        root: Channel,
        folder: Path | None,
        tab_of: Callable[[str], Tab | None],
        quota: Quota = QUOTA,
    ) -> None:
        self._root, self._folder, self._tab_of, self._quota = root, folder, tab_of, quota
        # Bytes that every file takes, those of running ones as far as they have come.
        self._taken: dict[str, int] = {}
        self._running: dict[str, tuple[Download, Tab | None]] = {}
        # Large ones, which one action has waited for already.
        self._late: set[str] = set()

    def start(self) -> asyncio.Future[Raw]:
        self._root.on("Browser.downloadWillBegin", self._begin)
        self._root.on("Browser.downloadProgress", self._progress)
        method = "Browser.setDownloadBehavior"
        if self._folder is None:
            return self._root.post(method, behavior="default", eventsEnabled=True)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self._root.post(
            method,
            # Named by us: a page's file name must not decide where on this disk something goes.
            behavior="allowAndName",
            downloadPath=str(self._folder),
            eventsEnabled=True,
        )

    async def wait(self, tab: Tab, seconds: float) -> None:
        """A moment for small files of this action, so that the reply can say where they are."""
        deadline = time.monotonic() + seconds
        activity = tab.activity
        while activity.expects_download or any(
            d.state == "running" and d.id not in self._late for d in activity.downloads
        ):
            if time.monotonic() >= deadline:
                self._late |= self._running.keys()
                return
            await activity.wait_for_change(deadline - time.monotonic())

    def _begin(self, event: dict[str, Any]) -> None:
        download = Download(event["guid"], event["url"], safe_name(event["suggestedFilename"]))
        tab = self._tab_of(event["frameId"])
        self._running[download.id] = (download, tab)
        if tab and len(tab.activity.downloads) < self._quota.files:
            tab.activity.download_began(download)
        if self._folder and len(self._taken) >= self._quota.files:
            self._refuse(download, "too many")

    def _progress(self, event: dict[str, Any]) -> None:
        download, tab = self._running.get(event["guid"], (None, None))
        if download is None:
            self._remove(event["guid"])
            return
        download.size = round(event.get("receivedBytes", 0))
        if self._is_too_large(download, round(event.get("totalBytes", 0))):
            self._refuse(download, "too large")
        elif event["state"] != "inProgress":
            self._end(download, event["state"])
        if download.state == "completed":
            download.path = self._file_away(download) if self._folder else event.get("filePath", "")
        if tab and download.state != "running":
            tab.activity.changed()

    def _is_too_large(self, download: Download, announced: int) -> bool:
        if self._folder is None:
            return False  # Where a user's own browser saves, the user's own limits hold.
        size = max(download.size, announced)
        self._taken[download.id] = 0
        taken = sum(self._taken.values())
        self._taken[download.id] = download.size
        return size > self._quota.largest or taken + size > self._quota.total

    def _refuse(self, download: Download, reason: str) -> None:
        self._root.post("Browser.cancelDownload", guid=download.id)
        self._end(download, f"refused: {reason}")
        self._remove(download.id)

    def _remove(self, guid: str) -> None:
        """A file that was refused may have come whole before the browser heard of it."""
        if self._folder:
            (self._folder / guid).unlink(missing_ok=True)

    def _end(self, download: Download, state: str) -> None:
        del self._running[download.id]
        self._late.discard(download.id)
        download.state = state
        if state != "completed":
            self._taken.pop(download.id, None)

    def _file_away(self, download: Download) -> str:
        folder = self._folder or Path()
        wanted = Path(download.name)
        place = folder / wanted
        count = 1
        while place.exists():
            place = folder / f"{wanted.stem} ({count}){wanted.suffix}"
            count += 1
        arrived = folder / download.id
        return str(arrived.rename(place) if arrived.exists() else arrived)


def safe_name(suggested: str) -> str:
    name = UNSAFE.sub("_", suggested).strip(". ")[:150]
    return name or "download"

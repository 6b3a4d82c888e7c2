"""The tabs of a browser: which there are, which is in use, what may be opened and closed."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

from subterminator.engine.borders import Borders
from subterminator.engine.cdp import Channel, Connection, disregard, fresh
from subterminator.engine.look import Eyes
from subterminator.engine.perform import Performer
from subterminator.engine.resolve import Resolver
from subterminator.engine.tab import Tab
from subterminator.errors import (
    ActionFailed,
    BrowserClosed,
    LimitReached,
    SubTerminatorError,
    TargetClosed,
    Timeout,
)
from subterminator.page.refs import RefTable
from subterminator.types import TabInfo

MAX_TABS = 20
READY_SECONDS = 10.0
NEW_TAB_SECONDS = 3.0
CLOSE_SECONDS = 5.0
NO_NETWORK = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
CLOSED = "The tab was closed."


class OpenTab:
    """A tab with everything that works on it.

    `ready` is None as long as the tab is only listed; one of our `own` is closed with the session.
    """

    def __init__(self, label: str, tab: Tab, refs: RefTable, uploads: Path) -> None:
        self.label = label
        self.tab = tab
        self.eyes = Eyes(tab, refs)
        self.resolver = Resolver(tab, refs, self.eyes)
        self.performer = Performer(tab, self.resolver, uploads)
        self.ready: asyncio.Task[None] | None = None
        self.own = False

    def info(self, current: OpenTab | None) -> TabInfo:
        tab = self.tab
        # One that was never let go anywhere has nothing else to be known by.
        nowhere = tab.barred and tab.url in {"", "about:blank"}
        title = f"blocked: {tab.barred}" if nowhere else tab.title
        return TabInfo(self.label, tab.url, title, self is current, bool(tab.opener))


class Tabs:
    """All tabs of one browser.

    Where the browser is a user's, theirs are listed but touched only when selected.
    """

    def __init__(
        self,
        connection: Connection,
        refs: RefTable,
        uploads: Path,
        *,
        borders: Borders,
        viewport: tuple[int, int] | None,
        all_ours: bool,
    ) -> None:
        self._connection, self._refs, self._uploads = connection, refs, uploads
        self._borders = borders
        # Without a window there is nothing else that says how large the page is.
        self._viewport = viewport
        self._all_ours = all_ours
        self._open: dict[str, OpenTab] = {}
        self._labels = 0
        self._current: OpenTab | None = None
        self._first: asyncio.Future[OpenTab] = asyncio.get_running_loop().create_future()
        connection.lost.add_done_callback(self._lost)

    def start(self) -> asyncio.Future[Any]:
        root = self._connection.root
        root.on("Target.attachedToTarget", self._attached)
        root.on("Target.detachedFromTarget", self._detached)
        root.on("Target.targetCrashed", self._crashed)
        return self._borders.watch_browser()

    # The one in use

    @property
    def current(self) -> OpenTab:
        if self._connection.lost.done():
            raise BrowserClosed(f"The browser is gone: {self._connection.lost.result()}.")
        if self._current is None:
            raise TargetClosed("No tab is selected.")
        return self._current

    @property
    def current_or_none(self) -> OpenTab | None:
        return self._current

    async def select_first(self) -> None:
        # In a user's browser what is open already is theirs.
        first = await (self._first if self._all_ours else self.open())
        await self._when_ready(first)
        self._current = first

    async def select(self, opened: OpenTab) -> None:
        await self._when_ready(opened)
        await opened.tab.channel.call("Page.bringToFront")
        self._current = opened
        opened.tab.activity.begin()

    def leave_closed(self) -> bool:
        """Go on in the opener or the oldest tab when the current one is gone for good."""
        if self._current and self._current.tab.id in self._open:
            return False
        opener = self._open.get(self._current.tab.opener) if self._current else None
        self._current = opener or next(iter(self._ours()), None)
        return self._current is not None

    # All of them

    async def infos(self) -> tuple[TabInfo, ...]:
        answer = await self._connection.root.call("Target.getTargets")
        for info in answer["targetInfos"]:
            if opened := self._open.get(info["targetId"]):
                opened.tab.name(info)
        return tuple(opened.info(self._current) for opened in self._open.values())

    def find(self, label: str) -> OpenTab:
        for opened in self._open.values():
            if label in {opened.label, opened.tab.id}:
                return opened
        known = ", ".join(opened.label for opened in self._open.values())
        raise TargetClosed(f"There is no tab {label[:60]!r}.", next_step=f"Open tabs: {known}.")

    def of_frame(self, frame_id: str) -> Tab | None:
        for opened in self._open.values():
            if frame_id in opened.tab.frames.by_id:
                return opened.tab
        return self._current.tab if self._current else None

    def has_frame(self, frame_id: str) -> bool:
        return any(frame_id in opened.tab.frames.by_id for opened in self._open.values())

    def log(self) -> None:
        """From now on the browser's own remarks about its pages are told, too."""
        for opened in self._open.values():
            opened.tab.channel.post("Log.enable")

    def of_channel(self, channel: Channel) -> OpenTab | None:
        """The tab that a channel is, or has a frame behind."""
        for opened in self._open.values():
            if channel is opened.tab.channel or channel in opened.tab.frames.channels():
                return opened
        return None

    async def open(self) -> OpenTab:
        """A new, empty tab of our own."""
        if len(self._ours()) >= MAX_TABS:
            raise LimitReached(f"{MAX_TABS} tabs are open.", next_step="Close one first.")
        root = self._connection.root
        answer = await root.call("Target.createTarget", url="about:blank")
        opened = self._open.get(answer["targetId"])
        while opened is None:  # The announcement may come after the answer.
            await root.call("Target.getTargets")
            opened = self._open.get(answer["targetId"])
        await self._when_ready(opened)
        opened.own = True
        return opened

    async def close(self, opened: OpenTab) -> None:
        if self._ours() == [opened]:
            raise ActionFailed("The last tab stays open.", next_step="Close the session instead.")
        await self._connection.root.call("Target.closeTarget", targetId=opened.tab.id)
        if not await self._closed(opened, time.monotonic() + CLOSE_SECONDS):
            raise Timeout(f"Tab {opened.label} does not close.")
        if opened is self._current:
            self.leave_closed()

    async def close_own(self) -> None:
        """Leave a browser that is not ours as it was."""
        own = [opened for opened in self._open.values() if opened.own]
        for opened in own:
            self._connection.root.post("Target.closeTarget", targetId=opened.tab.id)
        deadline = time.monotonic() + CLOSE_SECONDS
        for opened in own:
            await self._closed(opened, deadline)

    async def arrived(self, tab: Tab) -> tuple[TabInfo, ...]:
        """The tabs an action opened, once they know where they are."""
        new = [self._open[i] for i in tab.activity.report_new_tabs() if i in self._open]
        await asyncio.gather(*(self._arrive(opened) for opened in new))
        return tuple(opened.info(self._current) for opened in new)

    async def _arrive(self, opened: OpenTab) -> None:
        try:
            async with asyncio.timeout(NEW_TAB_SECONDS):
                await self._when_ready(opened)
                while not (opened.tab.has_arrived or opened.tab.barred):
                    await opened.tab.activity.wait_for_change(NEW_TAB_SECONDS)
                opened.tab.title = (await opened.eyes.look(2)).page.title
        except (TimeoutError, SubTerminatorError):
            return  # It is listed as far as it got.

    # What the browser tells

    def _attached(self, event: dict[str, Any]) -> None:
        info = event["targetInfo"]
        if info["type"] == "service_worker":
            self._borders.watch_worker(event)
            return
        channel = self._connection.channel(event["sessionId"])
        opener = self._open.get(info.get("openerId", ""))
        if opener and len(self._ours()) >= MAX_TABS:
            self._refuse(channel, info["targetId"])
            opener.tab.activity.refused_tabs += 1
            return
        self._labels += 1
        tab = Tab(
            self._connection,
            channel,
            info["targetId"],
            borders=self._borders,
            viewport=self._viewport,
            forget_world=self._refs.forget,
        )
        tab.name(info)
        tab.found = not event.get("waitingForDebugger", True)
        opened = self._open[tab.id] = OpenTab(f"t{self._labels}", tab, self._refs, self._uploads)
        if self._all_ours or (opener and opener.ready):
            self._make_ready(opened)
        else:
            channel.post("Runtime.runIfWaitingForDebugger")
        if opener:
            opened.own = opener.own
            opener.tab.activity.new_tabs.append(tab.id)
            opener.tab.activity.changed()
        if not self._first.done():
            self._first.set_result(opened)

    def _refuse(self, channel: Channel, target: str) -> None:
        """A tab that waits for us does not close: let go first, it must find nobody to ask."""
        channel.post("Network.enable", maxTotalBufferSize=0, maxResourceBufferSize=0)
        channel.post("Network.emulateNetworkConditions", **NO_NETWORK)
        channel.post("Runtime.runIfWaitingForDebugger")
        self._connection.root.post("Target.closeTarget", targetId=target)

    def _detached(self, event: dict[str, Any]) -> None:
        session = event["sessionId"]
        for opened in [o for o in self._open.values() if o.tab.channel.id == session]:
            for told in self._open.values():
                told.tab.activity.closed_tabs.append(opened.label)
            del self._open[opened.tab.id]
            opened.tab.lose(TargetClosed(CLOSED))
        self._connection.drop(session, TargetClosed(CLOSED))

    def _crashed(self, event: dict[str, Any]) -> None:
        if opened := self._open.get(event["targetId"]):
            opened.tab.lose(TargetClosed("The tab crashed."))

    def _lost(self, lost: asyncio.Future[str]) -> None:
        for opened in self._open.values():
            opened.tab.lose(BrowserClosed(f"The browser is gone: {lost.result()}."))

    def _ours(self) -> list[OpenTab]:
        return [opened for opened in self._open.values() if opened.ready]

    def _make_ready(self, opened: OpenTab) -> asyncio.Task[None]:
        if opened.ready is None:
            opened.ready = asyncio.get_running_loop().create_task(opened.tab.attach())
            opened.ready.add_done_callback(disregard)
        return opened.ready

    async def _when_ready(self, opened: OpenTab) -> None:
        try:
            async with asyncio.timeout(READY_SECONDS):
                await asyncio.shield(self._make_ready(opened))
        except TimeoutError:
            raise Timeout(f"Tab {opened.label} does not answer.") from None
        if opened.tab.channel.lost:
            raise fresh(opened.tab.channel.lost)

    async def _closed(self, opened: OpenTab, deadline: float) -> bool:
        while not opened.tab.is_lost and time.monotonic() < deadline:
            try:
                await opened.tab.activity.wait_for_change(deadline - time.monotonic())
            except SubTerminatorError:
                break  # Closed, which is what was wanted, or a dialog stands in the way.
        return opened.tab.is_lost and opened.tab.id not in self._open

"""A Chromium-family browser as a driver: its tabs, popups and downloads."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from subterminator import actions as a
from subterminator.engine.base import Performed
from subterminator.engine.cdp import Connection, ProtocolError, WebSocket
from subterminator.engine.downloads import Downloads
from subterminator.engine.launch import Process, launch
from subterminator.engine.look import Eyes
from subterminator.engine.perform import Performer
from subterminator.engine.resolve import Resolver
from subterminator.engine.settle import Rest, settle
from subterminator.engine.tab import Tab
from subterminator.errors import (
    ActionFailed,
    BrowserClosed,
    DialogOpen,
    ElementObscured,
    FrameNotFound,
    SubTerminatorError,
    TargetClosed,
)
from subterminator.page.refs import RefTable
from subterminator.page.snapshot import Snapshot, View
from subterminator.targets import AnySelector
from subterminator.types import Happened, Resolved, TabInfo

MAX_TABS = 20
TAB_SECONDS = 10.0
NEW_TAB_SECONDS = 3.0
SETTLE_SECONDS = 12.0
PAGES_ONLY = [{"type": "page"}, {"exclude": True}]


class OpenTab:
    """A tab with everything that works on it."""

    def __init__(self, label: str, tab: Tab, refs: RefTable, uploads: Path) -> None:
        self.label = label
        self.tab = tab
        self.eyes = Eyes(tab, refs)
        self.resolver = Resolver(tab, refs, self.eyes)
        self.performer = Performer(tab, self.resolver, uploads)
        self.ready: asyncio.Task[None] | None = None
        self.own = False

    def info(self, current: OpenTab) -> TabInfo:
        return TabInfo(
            self.label, self.tab.url, self.tab.title, self is current, bool(self.tab.opener)
        )


class Chromium:
    """Drives one browser over one connection. The tab in use changes only when asked to."""

    def __init__(self, connection: Connection, process: Process | None) -> None:
        self._connection = connection
        self._process = process
        self._folder = Path(tempfile.mkdtemp(prefix="subterminator-files-"))
        self._refs = RefTable()
        self._tabs: dict[str, OpenTab] = {}
        self._labels = 0
        self._first: asyncio.Future[OpenTab] = asyncio.get_running_loop().create_future()
        self._downloads = Downloads(connection.root, self._folder / "downloads", self._tab_of_frame)
        self._current: OpenTab | None = None
        self._surplus = 0

    @classmethod
    async def start(
        cls,
        executable: str,
        *,
        headless: bool = True,
        profile_dir: Path | None = None,
        window: tuple[int, int] = (1280, 720),
        flags: Sequence[str] = (),
    ) -> Self:
        connection, process = await launch(
            executable, headless=headless, profile_dir=profile_dir, window=window, flags=flags
        )
        return await cls(connection, process)._attach()

    @classmethod
    async def connect(cls, address: str) -> Self:
        """To a browser that already runs.

        It is not closed with the session; a tab of our own is.
        """
        chromium = cls(Connection(await WebSocket.connect(address)), None)
        return await chromium._attach()

    async def _attach(self) -> Self:
        root = self._connection.root
        root.on("Target.attachedToTarget", self._attached)
        root.on("Target.detachedFromTarget", self._detached)
        root.on("Target.targetCrashed", self._crashed)
        replies = [self._downloads.start()]
        replies.append(
            root.post(
                "Target.setAutoAttach",
                autoAttach=True,
                waitForDebuggerOnStart=True,
                flatten=True,
                filter=PAGES_ONLY,
            )
        )
        try:
            async with asyncio.timeout(TAB_SECONDS):
                await asyncio.gather(*replies)
                self._current = await self._first_tab()
        except TimeoutError:
            await self.close()
            raise BrowserClosed("The browser started but opened no tab.") from None
        return self

    async def _first_tab(self) -> OpenTab:
        if self._process is None:
            return await self._open_tab("about:blank")
        first = await self._first
        await self._when_ready(first)
        return first

    # The driver's four methods

    async def resolve(self, selector: AnySelector, seconds: float) -> Resolved:
        return await self._tab.resolver.resolve(selector, seconds)

    async def observe(self, view: View, seconds: float) -> Snapshot:
        return (await self._tab.eyes.look(seconds)).filtered(view)

    async def perform(
        self, action: a.AtomicAction, targets: Sequence[Resolved], seconds: float
    ) -> Performed:
        match action:
            case a.ListTabs():
                return Performed(Happened(), value=self._infos())
            case a.SelectTab(tab=label):
                await self._select(self._find(label))
                return await self._finish(SETTLE_SECONDS)
            case a.OpenTab(url=url):
                await self._open_and_go(url, seconds)
                return await self._finish(SETTLE_SECONDS)
            case a.CloseTab(tab=label):
                return await self._close_tab(label)
            case a.ListFrames():
                return Performed(Happened(), value=(await self._tab.eyes.look(seconds)).frames)
            case a.SelectFrame(frame=name):
                return Performed(Happened(), value=self._select_frame(name))
            case _:
                return await self._act(action, targets, seconds)

    async def close(self) -> None:
        if self._process:
            if not self._connection.lost.done():
                closing = self._connection.root.post("Browser.close")
                ends: set[asyncio.Future[Any]] = {closing, self._connection.lost}
                await asyncio.wait(ends, timeout=5)
            await self._connection.close()
            await self._process.end()
        else:
            await self._close_own_tabs()
            await self._connection.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    # Acting in the current tab

    async def _act(
        self, action: a.AtomicAction, targets: Sequence[Resolved], seconds: float
    ) -> Performed:
        tab = self._tab.tab
        if tab.dialog and not isinstance(action, a.Dialog):
            raise tab.dialog_open()
        tab.activity.begin()
        done = await self._tab.performer.do(action, targets, seconds)
        if isinstance(action, a.ReadText | a.Screenshot):
            return Performed(Happened(), value=done.value, note=done.note)
        finished = await self._finish(min(seconds, SETTLE_SECONDS))
        return Performed(finished.happened, finished.snapshot, done.value, done.note)

    async def _finish(self, seconds: float) -> Performed:
        """Settle, look, and gather what happened.

        A dialog or a closed tab leaves nothing to look at.
        """
        tab = self._tab.tab
        begun = time.monotonic()
        rest, snapshot = Rest(), None
        try:
            rest = await settle(tab, begun + seconds)
            if rest.stopped:
                raise ElementObscured(
                    f"{rest.stopped} came between at the press; the press was stopped."
                )
            await self._downloads.wait(tab, 1.0)
            snapshot = await self._tab.eyes.look(max(1.0, seconds), rest.walks)
        except DialogOpen:
            rest.busy = True
        except TargetClosed:
            if not self._leave_closed_tab():
                raise
        tabs = await self._arrived(tab)
        return Performed(self._happened(tab, rest, tabs, begun), snapshot)

    def _happened(self, tab: Tab, rest: Rest, tabs: list[OpenTab], begun: float) -> Happened:
        activity = tab.activity
        return Happened(
            settled="busy" if rest.busy else "quiet",
            pending=activity.pending(),
            navigations=tuple(activity.navigations),
            dialogs=tuple(activity.dialogs),
            dialog=tab.dialog,
            downloads=tuple(activity.downloads),
            new_tabs=tuple(new.info(self._tab) for new in tabs),
            closed_tabs=tuple(activity.closed_tabs),
            file_chooser=activity.file_chooser,
            waited_ms=round((time.monotonic() - begun) * 1000),
        )

    # Tabs

    @property
    def _tab(self) -> OpenTab:
        if self._connection.lost.done():
            raise BrowserClosed(f"The browser is gone: {self._connection.lost.result()}.")
        if self._current is None:
            raise TargetClosed("No tab is selected.")
        return self._current

    def _attached(self, event: dict[str, Any]) -> None:
        info = event["targetInfo"]
        channel = self._connection.channel(event["sessionId"])
        if len(self._tabs) >= MAX_TABS:
            # Run first: a target that waits for its debugger does not close.
            channel.post("Runtime.runIfWaitingForDebugger")
            self._connection.root.post("Target.closeTarget", targetId=info["targetId"])
            self._surplus += 1
            return
        self._labels += 1
        tab = Tab(
            self._connection,
            channel,
            info["targetId"],
            opener=info.get("openerId", ""),
            forget_world=self._refs.forget,
        )
        opened = OpenTab(f"t{self._labels}", tab, self._refs, self._folder / "uploads")
        self._tabs[tab.id] = opened
        opened.ready = asyncio.get_running_loop().create_task(tab.attach())
        if (opener := self._tabs.get(tab.opener)) is not None:
            opener.tab.activity.new_tabs.append(tab.id)
            opener.tab.activity.changed()
        if not self._first.done():
            self._first.set_result(opened)

    def _detached(self, event: dict[str, Any]) -> None:
        session = event["sessionId"]
        gone = [o for o in self._tabs.values() if o.tab.channel.id == session]
        for opened in gone:
            del self._tabs[opened.tab.id]
            opened.tab.lose("The tab was closed.")
            for other in self._tabs.values():
                other.tab.activity.closed_tabs.append(opened.label)
        self._connection.drop(session, TargetClosed("The tab was closed."))

    def _crashed(self, event: dict[str, Any]) -> None:
        if opened := self._tabs.get(event["targetId"]):
            opened.tab.lose("The tab crashed.")

    async def _when_ready(self, opened: OpenTab) -> None:
        if opened.ready:
            await asyncio.shield(opened.ready)

    def _infos(self) -> tuple[TabInfo, ...]:
        return tuple(opened.info(self._tab) for opened in self._tabs.values())

    def _find(self, label: str) -> OpenTab:
        for opened in self._tabs.values():
            if label in {opened.label, opened.tab.id}:
                return opened
        known = ", ".join(opened.label for opened in self._tabs.values())
        raise TargetClosed(f"There is no tab {label!r}.", next_step=f"Open tabs: {known}.")

    async def _select(self, opened: OpenTab) -> None:
        await self._when_ready(opened)
        self._current = opened
        opened.tab.activity.begin()
        await opened.tab.channel.call("Page.bringToFront")

    async def _open_tab(self, url: str) -> OpenTab:
        answer = await self._connection.root.call("Target.createTarget", url=url)
        opened = self._tabs.get(answer["targetId"])
        while opened is None:  # The announcement may come after the answer.
            await asyncio.wait({self._connection.root.post("Target.getTargets")})
            opened = self._tabs.get(answer["targetId"])
        await self._when_ready(opened)
        opened.own = True
        return opened

    async def _open_and_go(self, url: str, seconds: float) -> None:
        opened = await self._open_tab("about:blank")
        await self._select(opened)
        if url != "about:blank":
            await opened.performer.do(a.Navigate(url), (), seconds)

    async def _close_tab(self, label: str | None) -> Performed:
        opened = self._find(label) if label else self._tab
        if len(self._tabs) == 1:
            raise ActionFailed("The last tab stays open.", next_step="Close the session instead.")
        await self._connection.root.call("Target.closeTarget", targetId=opened.tab.id)
        while opened.tab.id in self._tabs:
            await opened.tab.activity.wait_for_change(0.5)
        if opened is self._current:
            self._leave_closed_tab()
        return await self._finish(SETTLE_SECONDS)

    def _leave_closed_tab(self) -> bool:
        """Go on in the opener or the oldest tab when the current one is gone for good."""
        if self._current and self._current.tab.id in self._tabs:
            return False
        opener = self._tabs.get(self._current.tab.opener) if self._current else None
        self._current = opener or next(iter(self._tabs.values()), None)
        return self._current is not None

    async def _arrived(self, tab: Tab) -> list[OpenTab]:
        """The tabs an action opened, once they know where they are."""
        new = [self._tabs[i] for i in tab.activity.new_tabs if i in self._tabs]
        deadline = time.monotonic() + NEW_TAB_SECONDS
        for opened in new:
            try:
                async with asyncio.timeout_at(asyncio.get_running_loop().time() + NEW_TAB_SECONDS):
                    await self._when_ready(opened)
                    while not opened.tab.url or opened.tab.activity.navigating:
                        await opened.tab.activity.wait_for_change(deadline - time.monotonic())
                    opened.tab.title = (await opened.eyes.look(2)).page.title
            except (TimeoutError, SubTerminatorError):
                continue  # It is listed as far as it got.
        return new

    def _select_frame(self, name: str | None) -> str | None:
        tab = self._tab.tab
        if name is None:
            tab.selected_frame = None
            return None
        frame = tab.frame_named(name)
        if frame is None:
            raise FrameNotFound(f"There is no frame {name!r}.")
        tab.selected_frame = frame.id
        return frame.id

    def _tab_of_frame(self, frame_id: str) -> Tab | None:
        for opened in self._tabs.values():
            if frame_id in opened.tab.frames.by_id:
                return opened.tab
        return self._current.tab if self._current else None

    async def _close_own_tabs(self) -> None:
        for opened in list(self._tabs.values()):
            if opened.own:
                try:
                    await self._connection.root.call("Target.closeTarget", targetId=opened.tab.id)
                except (ProtocolError, TargetClosed):
                    continue  # It is closed, which is what was wanted.

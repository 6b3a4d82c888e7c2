"""A Chromium-family browser as a driver: its tabs, popups and downloads."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, Self

from subterminator import actions as a
from subterminator.chores import Chore
from subterminator.engine.base import Judge, Performed, unjudged
from subterminator.engine.borders import Borders
from subterminator.engine.cdp import Channel, Connection, ProtocolError, WebSocket
from subterminator.engine.chores import Chores
from subterminator.engine.downloads import QUOTA, Downloads, Quota
from subterminator.engine.input import came_between
from subterminator.engine.launch import HAS_PIPES, WINDOW, launch
from subterminator.engine.profiles import TemporaryFolder
from subterminator.engine.settle import Rest, settle
from subterminator.engine.signals import Place, Signals
from subterminator.engine.tab import Tab
from subterminator.engine.tabs import Tabs
from subterminator.engine.waiting import until_gone
from subterminator.engine.world import script
from subterminator.errors import (
    BrowserClosed,
    DialogOpen,
    SubTerminatorError,
    TargetClosed,
    Timeout,
)
from subterminator.page.refs import RefTable
from subterminator.page.snapshot import Snapshot, View
from subterminator.signals import Listener
from subterminator.targets import AnySelector
from subterminator.types import DialogInfo, Happened, PageInfo, Resolved, TabInfo

TAB_SECONDS = 10.0
SETTLE_SECONDS = 12.0
LOOK_SECONDS = 6.0
CLOSED_LOOK_SECONDS = 3.0


class Life(Protocol):
    """What ends with a driver: a browser of our own, or a part of one."""

    async def end(self) -> None: ...


class Chromium:
    """Drives one browser over one connection. The tab in use changes only when asked to."""

    def __init__(
        self,
        connection: Connection,
        launched: Life | None,
        viewport: tuple[int, int] | None = None,
        quota: Quota = QUOTA,
    ) -> None:
        self.product = ""
        """What drives the pages, and its version: `Chromium 156`."""
        self._connection = connection
        self._launched = launched
        self._borders = Borders(connection, managed=launched is not None)
        self._files = TemporaryFolder.create("files")
        self._tabs = Tabs(
            connection,
            RefTable(),
            self._files.path / "uploads",
            borders=self._borders,
            viewport=viewport,
            all_ours=launched is not None,
        )
        # A user's browser goes on saving where it always does.
        folder = self._files.path / "downloads" if launched else None
        self._downloads = Downloads(connection.root, folder, self._tabs.of_frame, quota)
        self._signals = Signals(self._place_of)
        connection.listen(self._signals.tap)
        self._chores = Chores(connection, self._tabs, self._borders, self._signals)

    def has_frame(self, frame_id: str) -> bool:
        return self._tabs.has_frame(frame_id)

    def _place_of(self, channel: Channel) -> Place:
        opened = self._tabs.of_channel(channel)
        return Place(opened.label, opened.tab.id) if opened else Place("", "")

    @classmethod
    async def start(
        cls,
        executable: str,
        *,
        headless: bool = True,
        profile_dir: Path | None = None,
        window: tuple[int, int] = WINDOW,
        flags: Sequence[str] = (),
        over_pipe: bool = HAS_PIPES,
    ) -> Self:
        starting = launch(
            executable,
            headless=headless,
            profile_dir=profile_dir,
            window=window,
            flags=flags,
            over_pipe=over_pipe,
        )
        # The script is read while the browser starts; a tab needs it first of all.
        launched, _ = await asyncio.gather(starting, asyncio.to_thread(script))
        viewport = window if headless else None
        return await cls(launched.connection, launched, viewport).attach()

    @classmethod
    async def connect(cls, address: str) -> Self:
        """To a browser that already runs.

        It is not closed with the session; a tab of our own is.
        """
        connection = Connection(await WebSocket.connect(address))
        async with contextlib.AsyncExitStack() as undo:
            undo.push_async_callback(connection.close)
            await _check_end(connection, address)
            undo.pop_all()
        return await cls(connection, None).attach()

    async def attach(self) -> Self:
        """Be ready to drive: a first tab is there and its pages are watched."""
        async with contextlib.AsyncExitStack() as undo:
            undo.push_async_callback(self.close)
            try:
                async with asyncio.timeout(TAB_SECONDS):
                    told, *_ = await asyncio.gather(
                        self._connection.root.call("Browser.getVersion"),
                        self._downloads.start(),
                        self._tabs.start(),
                    )
                    self.product = _product(str(told["product"]))
                    await self._tabs.select_first()
            except TimeoutError:
                raise BrowserClosed("The browser opened no tab.") from None
            undo.pop_all()
        return self

    # What a driver offers

    @property
    def page(self) -> PageInfo:
        opened = self._tabs.current_or_none
        return PageInfo(opened.tab.url, opened.tab.title) if opened else PageInfo("about:blank", "")

    @property
    def dialog(self) -> DialogInfo | None:
        opened = self._tabs.current_or_none
        return opened.tab.dialog if opened else None

    def allow(self, sites: tuple[str, ...]) -> None:
        self._borders.allow(sites)

    async def resolve(self, selector: AnySelector, seconds: float) -> Resolved:
        return await self._tabs.current.resolver.resolve(selector, seconds)

    async def owner(self, target: Resolved) -> Resolved | None:
        return await self._tabs.current.resolver.owner(target)

    async def handlers(self, target: Resolved) -> str:
        return await self._tabs.current.resolver.handlers(target)

    async def observe(self, view: View, seconds: float) -> Snapshot:
        return (await self._tabs.current.eyes.look(min(seconds, LOOK_SECONDS))).filtered(view)

    async def perform(
        self,
        action: a.AtomicAction,
        targets: Sequence[Resolved],
        seconds: float,
        judge: Judge = unjudged,
        *,
        brief: bool = False,
    ) -> Performed:
        await self._borders.ready()
        match action:
            case a.ListTabs():
                return Performed(Happened(), value=await self._tabs.infos())
            case a.SelectTab(tab=label):
                await self._tabs.select(self._tabs.find(label))
                return await self._finish(SETTLE_SECONDS)
            case a.OpenTab(url=url):
                await self._open_and_go(url, seconds)
                return await self._finish(SETTLE_SECONDS)
            case a.CloseTab(tab=label):
                await self._tabs.close(self._tabs.find(label) if label else self._tabs.current)
                return await self._finish(SETTLE_SECONDS)
            case a.ListFrames():
                snapshot = await self._tabs.current.eyes.look(min(seconds, LOOK_SECONDS))
                return Performed(Happened(), value=snapshot.frames)
            case a.SelectFrame(frame=name):
                return Performed(Happened(), value=self._select_frame(name))
            case _:
                return await self._act(action, targets, seconds, judge, brief)

    async def chore(self, chore: Chore, targets: Sequence[Resolved]) -> Any:
        return await self._chores.do(chore, targets)

    def listen(self, listener: Listener | None) -> None:
        self._signals.listener = listener
        if listener:
            self._tabs.log()

    async def gone(self, target: Resolved) -> None:
        await until_gone(self._tabs.current.tab, target)

    async def close(self) -> None:
        if self._launched:
            if not self._connection.lost.done():
                closing = self._connection.root.post("Browser.close")
                ends: set[asyncio.Future[Any]] = {closing, self._connection.lost}
                await asyncio.wait(ends, timeout=5)
            await self._launched.end()
        else:
            await self._tabs.close_own()
            await self._connection.close()
        await asyncio.to_thread(self._files.remove)

    # Acting in the current tab

    async def _act(
        self,
        action: a.AtomicAction,
        targets: Sequence[Resolved],
        seconds: float,
        judge: Judge,
        brief: bool,
    ) -> Performed:
        tab = self._tabs.current.tab
        if tab.dialog and not isinstance(action, a.Dialog):
            raise tab.dialogs.error()
        # What a wait waits for may have begun before it.
        tab.activity.begin(keep_open=isinstance(action, a.Wait))
        try:
            done = await self._tabs.current.performer.do(action, targets, seconds, judge)
        except SubTerminatorError:
            tab.disarm()
            raise
        if isinstance(action, a.ReadText | a.Screenshot):
            return Performed(Happened(), value=done.value, note=done.note)
        if brief and tab.is_calm:
            return Performed(Happened(), value=done.value, note=done.note)
        try:
            finished = await self._finish(min(seconds, SETTLE_SECONDS))
        except SubTerminatorError as fault:
            # It was done; only what it led to could not be seen.
            fault.delivered = action.effect != "look"
            raise
        note = "; ".join(filter(None, (done.note, finished.note)))
        return Performed(finished.happened, finished.snapshot, done.value, note)

    async def _finish(self, seconds: float) -> Performed:
        """Settle, look, and gather what happened.

        A dialog or a closed tab leaves nothing to look at.
        """
        tab = self._tabs.current.tab
        begun = time.monotonic()
        rest, snapshot = Rest(), None
        try:
            rest = await settle(tab, begun + seconds)
            if rest.stopped:
                raise came_between(rest.stopped)
            await self._downloads.wait(tab, 1.0)
            if not rest.leaving:
                snapshot = await self._tabs.current.eyes.look(max(1.0, seconds), rest.walks)
        except DialogOpen:
            rest.busy = True
        except TargetClosed:
            if not self._tabs.leave_closed():
                raise
            snapshot = await self._look_elsewhere()
        tabs = await self._tabs.arrived(tab)
        slip = f"{rest.slipped} came when the button went down: no click" if rest.slipped else ""
        note = "; ".join(filter(None, (slip, self._borders.report_remarks())))
        return Performed(self._happened(tab, rest, tabs, begun), snapshot, note=note)

    async def _look_elsewhere(self) -> Snapshot | None:
        try:
            return await self._tabs.current.eyes.look(CLOSED_LOOK_SECONDS)
        except (DialogOpen, TargetClosed, Timeout):
            return None  # What the action did is told all the same.

    def _happened(self, tab: Tab, rest: Rest, tabs: tuple[TabInfo, ...], begun: float) -> Happened:
        activity = tab.activity
        return Happened(
            settled="busy" if rest.busy else "quiet",
            pending=activity.pending(),
            navigations=tuple(activity.navigations),
            dialogs=activity.report_dialogs(),
            dialog=tab.dialog,
            downloads=activity.report_downloads(),
            new_tabs=tabs,
            refused_tabs=activity.report_refused_tabs(),
            closed_tabs=tuple(activity.closed_tabs),
            blocked=self._borders.report_blocked(),
            file_chooser=activity.file_chooser,
            waited_ms=round((time.monotonic() - begun) * 1000),
        )

    async def _open_and_go(self, url: str, seconds: float) -> None:
        opened = await self._tabs.open()
        await self._tabs.select(opened)
        if url != "about:blank":
            await opened.performer.do(a.Navigate(url), (), seconds)

    def _select_frame(self, name: str | None) -> str | None:
        tab = self._tabs.current.tab
        if name is None:
            tab.selected_frame = None
            return None
        tab.selected_frame = tab.find_frame(name).id
        return tab.selected_frame


def _product(told: str) -> str:
    """`HeadlessChrome/156.0.7000.1` and its kin, in words."""
    name, _, version = told.partition("/")
    return f"{'Edge' if name.startswith('Edg') else 'Chromium'} {version.partition('.')[0]}"


async def _check_end(connection: Connection, address: str) -> None:
    """A tab has an address of its own, at which half of the protocol is missing."""
    try:
        async with asyncio.timeout(TAB_SECONDS):
            answer = await connection.root.call("Target.getTargetInfo")
    except (TimeoutError, ProtocolError):
        answer = {}
    if answer.get("targetInfo", {}).get("type") != "browser":
        raise BrowserClosed(
            f"What answers at {address} is not a browser.",
            next_step="Give the address of the browser itself: ws://.../devtools/browser/...",
        )

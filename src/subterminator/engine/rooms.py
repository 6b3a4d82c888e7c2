"""One browser for many: every room is a driver of its own, with its own tabs, cookies and files.

A room is a browser context. What the browser tells is given to the room it is about, and to no
other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Self

from msgspec import Raw

from subterminator.engine.cdp import Channel, Connection, Tap
from subterminator.engine.chromium import Chromium
from subterminator.engine.launch import HAS_PIPES, WINDOW, Launched, launch
from subterminator.engine.world import script
from subterminator.errors import BrowserClosed, SubTerminatorError, Timeout

PAGES = [{"type": "page"}, {"type": "service_worker"}, {"exclude": True}]
# Commands to the browser that mean the room they come from.
OF_A_ROOM = frozenset({
    "Target.createTarget", "Browser.setDownloadBehavior", "Browser.grantPermissions",
    "Browser.cancelDownload",
})  # fmt: skip
OPEN_SECONDS = 15.0


class Rooms:
    """A browser process and the rooms in it. It ends with `close`, and all rooms with it."""

    def __init__(self, launched: Launched, viewport: tuple[int, int] | None) -> None:
        self._launched = launched
        self._viewport = viewport
        self._rooms: dict[str, Room] = {}
        self._of_session: dict[str, Room] = {}
        self._of_download: dict[str, Room] = {}
        self.version = ""
        root = launched.connection.root
        root.on("Target.attachedToTarget", self._attached)
        root.on("Target.detachedFromTarget", self._detached)
        root.on("Target.targetCrashed", self._crashed)
        root.on("Browser.downloadWillBegin", self._download)
        root.on("Browser.downloadProgress", self._progress)
        launched.connection.lost.add_done_callback(self._lost)

    @classmethod
    async def start(
        cls,
        executable: str,
        *,
        headless: bool = True,
        window: tuple[int, int] = WINDOW,
        flags: Sequence[str] = (),
        over_pipe: bool = HAS_PIPES,
    ) -> Self:
        starting = launch(
            executable, headless=headless, window=window, flags=flags, over_pipe=over_pipe
        )
        launched, _ = await asyncio.gather(starting, asyncio.to_thread(script))
        rooms = cls(launched, window if headless else None)
        root = launched.connection.root
        await root.call(
            "Target.setAutoAttach",
            autoAttach=True,
            waitForDebuggerOnStart=True,
            flatten=True,
            filter=PAGES,
        )
        told = await root.call("Browser.getVersion")
        rooms.version = told["product"].rpartition("/")[2]
        return rooms

    @property
    def pid(self) -> int:
        return self._launched.process.pid

    @property
    def is_lost(self) -> bool:
        return self._launched.connection.lost.done()

    @property
    def count(self) -> int:
        return len(self._rooms)

    async def open(self) -> Chromium:
        """A driver with one empty tab; nothing of any other room can be seen from it."""
        connection = self._launched.connection
        if self.is_lost:
            raise BrowserClosed(f"The browser is gone: {connection.lost.result()}.")
        try:
            async with asyncio.timeout(OPEN_SECONDS):
                made = await connection.root.call(
                    "Target.createBrowserContext", disposeOnDetach=True
                )
                room = Room(self, connection, made["browserContextId"])
                self._rooms[room.id] = room
                driver = room.driver = Chromium(room, room, self._viewport)
                room.root.post("Target.createTarget", url="about:blank")
                return await driver.attach()
        except TimeoutError:
            raise Timeout("The browser opened no room.") from None

    async def close(self) -> None:
        await self._launched.end()

    def leave(self, room: Room) -> None:
        self._rooms.pop(room.id, None)
        for table in (self._of_session, self._of_download):
            for key in [key for key, owner in table.items() if owner is room]:
                del table[key]

    # What the browser tells

    def _attached(self, event: dict[str, Any]) -> None:
        room = self._rooms.get(event["targetInfo"].get("browserContextId", ""))
        if room is None:
            # The browser's own first tab: nobody's, and left alone.
            channel = self._launched.connection.channel(event["sessionId"])
            channel.post("Runtime.runIfWaitingForDebugger")
            return
        self._of_session[event["sessionId"]] = room
        room.root.deliver("Target.attachedToTarget", event)

    def _detached(self, event: dict[str, Any]) -> None:
        if room := self._of_session.pop(event["sessionId"], None):
            room.root.deliver("Target.detachedFromTarget", event)

    def _crashed(self, event: dict[str, Any]) -> None:
        for room in list(self._rooms.values()):
            room.root.deliver("Target.targetCrashed", event)

    def _download(self, event: dict[str, Any]) -> None:
        for room in self._rooms.values():
            if room.driver and room.driver.has_frame(event["frameId"]):
                self._of_download[event["guid"]] = room
                room.root.deliver("Browser.downloadWillBegin", event)
                return

    def _progress(self, event: dict[str, Any]) -> None:
        if room := self._of_download.get(event["guid"]):
            room.root.deliver("Browser.downloadProgress", event)
            if event["state"] != "inProgress":
                self._of_download.pop(event["guid"], None)

    def _lost(self, lost: asyncio.Future[str]) -> None:
        for room in list(self._rooms.values()):
            room.lose(lost.result())


class Room(Connection):
    """A part of a browser that looks like a whole one to its driver."""

    def __init__(self, rooms: Rooms, shared: Connection, id: str) -> None:
        # Nothing of the base is set up: the transport and its channels are shared.
        self.id = id
        self.driver: Chromium | None = None
        self._rooms = rooms
        self._shared = shared
        self._tap: Tap | None = None
        self.lost = asyncio.get_running_loop().create_future()
        self.root: _Root = _Root(self, shared.root)

    def channel(self, session_id: str) -> Channel:
        if not session_id:
            return self.root
        channel = self._shared.channel(session_id)
        channel.tap = self._tap
        return channel

    def listen(self, tap: Tap) -> None:
        self._tap = self.root.tap = tap

    def drop(self, session_id: str, reason: SubTerminatorError) -> None:
        self._shared.drop(session_id, reason)

    def lose(self, reason: str) -> None:
        if not self.lost.done():
            self.lost.set_result(reason)
            self.root.lose(BrowserClosed(f"The browser is gone: {reason}."))

    async def close(self) -> None:
        await self.end()

    async def end(self) -> None:
        """The room is empty; the browser goes on."""
        self._rooms.leave(self)
        self.lose("it was closed")


class _Root(Channel):
    """What a room knows as its browser."""

    def __init__(self, room: Room, shared: Channel) -> None:
        super().__init__(room, "")
        self._room = room
        self._shared = shared

    def post(self, method: str, **params: Any) -> asyncio.Future[Raw]:
        if method == "Target.setAutoAttach":
            # All of them are attached to already, whichever room they belong to.
            done: asyncio.Future[Raw] = asyncio.get_running_loop().create_future()
            done.set_result(Raw(b"{}"))
            return done
        if method == "Browser.close":
            dispose = "Target.disposeBrowserContext"
            closing = self._shared.post(dispose, browserContextId=self._room.id)
            closing.add_done_callback(lambda _: self._room.lose("it was closed"))
            return closing
        if method in OF_A_ROOM:
            params = {**params, "browserContextId": self._room.id}
        return self._shared.post(method, **params)

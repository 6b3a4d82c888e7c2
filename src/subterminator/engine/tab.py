"""One tab: its channels, frames, dialogs and movement.

Uses only calls that also work through a relay.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Raw

from subterminator.engine.activity import Activity
from subterminator.engine.borders import Borders, Page
from subterminator.engine.cdp import Channel, Connection, disregard
from subterminator.engine.dialogs import Dialogs
from subterminator.engine.frames import Frame, Frames
from subterminator.engine.world import NAME, script
from subterminator.errors import FrameNotFound, SubTerminatorError, TargetClosed
from subterminator.safety.sites import host_of
from subterminator.types import DialogInfo, Navigation

OK = 200


class Tab:
    """A page target.

    Everything that blocks the page fails open calls at once instead of hanging them.
    """

    def __init__(
        self,
        connection: Connection,
        channel: Channel,
        target_id: str,
        *,
        borders: Borders,
        viewport: tuple[int, int] | None = None,
        forget_world: Callable[[str], None],
    ) -> None:
        self.id = target_id
        self.opener = ""
        # Whether it may have gone somewhere before we came: it did not wait for us.
        self.found = False
        self.borders = borders
        # Where it was not let go since it last went somewhere.
        self.barred = ""
        self.viewport = viewport
        self.channel = channel
        self.activity = Activity()
        self.frames = Frames(target_id, channel, forget_world)
        self.selected_frame: str | None = None
        self.title = ""
        self.dialogs = Dialogs(channel, self.frames, self.activity, self._give_up)
        self._connection = connection
        self.loaded: set[str] = set()
        # The last document that came well; it may still turn out to be a file.
        self._answered = ""

    @property
    def url(self) -> str:
        return self.frames.main.url

    @property
    def dialog(self) -> DialogInfo | None:
        return self.dialogs.open

    @property
    def has_arrived(self) -> bool:
        """Whether its first real document can be read; a new tab begins with an empty one."""
        readable = "DOMContentLoaded" in self.loaded and not self.activity.navigating
        came = self.found and self.url not in {"", "about:blank"}
        return readable and (came or bool(self.activity.navigations))

    @property
    def is_calm(self) -> bool:
        """Whether nothing that can be seen has begun: no request, no move, no dialog."""
        busy = self.activity.is_moving or self.activity.had_response or self.dialog is not None
        return not busy and not self.is_lost

    def name(self, info: dict[str, Any]) -> None:
        """What the browser says of the tab, also while nothing of ours runs in it."""
        self.frames.main.url, self.title = info["url"], info["title"]
        self.opener = self.opener or info.get("openerId", "")

    async def attach(self) -> None:
        """Make the tab ours: events, our script in every document, frames of other processes."""
        await self._prepare(self.channel)

    async def _prepare(self, channel: Channel) -> None:
        self._listen(channel)
        before = self.frames.loaders()
        tree = channel.post("Page.getFrameTree")
        replies = [
            channel.post("Page.enable"),
            channel.post("Page.setLifecycleEventsEnabled", enabled=True),
            channel.post("Runtime.enable"),
            channel.post("Network.enable", maxTotalBufferSize=0, maxResourceBufferSize=0),
            channel.post(
                "Page.addScriptToEvaluateOnNewDocument",
                source=script(),
                worldName=NAME,
                runImmediately=True,
            ),
        ]
        if channel is not self.channel:
            self.borders.watch_frame(channel)
        else:
            self.borders.watch_page(
                channel, Page(self.id, self._bar, self.activity.expect_download)
            )
            replies += [
                channel.post("Emulation.setFocusEmulationEnabled", enabled=True),
                channel.post("Page.setInterceptFileChooserDialog", enabled=True),
            ]
        if channel is self.channel and self.viewport:
            width, height = self.viewport
            replies.append(
                channel.post(
                    "Emulation.setDeviceMetricsOverride",
                    width=width,
                    height=height,
                    deviceScaleFactor=1,
                    mobile=False,
                )
            )
        replies.append(channel.post("Runtime.runIfWaitingForDebugger"))
        self._read_tree(channel, msgspec.json.decode(await tree)["frameTree"], before)
        await asyncio.gather(*replies)

    def _read_tree(self, channel: Channel, tree: dict[str, Any], before: dict[str, str]) -> None:
        """Take over what the tree says of frames that have not gone on since it was asked for."""
        known = self.frames.by_id.get(tree["frame"]["id"])
        if known is None or known.loader == before.get(known.id, ""):
            self.frames.navigated(channel, tree["frame"])
        for child in tree.get("childFrames", ()):
            self._read_tree(channel, child, before)

    def _listen(self, channel: Channel) -> None:
        self.frames.listen(channel)
        self.dialogs.listen(channel)
        handlers: dict[str, Callable[[dict[str, Any]], None]] = {
            "Page.frameNavigated": lambda e: self._navigated(channel, e),
            "Page.navigatedWithinDocument": self._moved_within,
            "Page.frameRequestedNavigation": self._navigation_requested,
            "Page.frameStartedNavigating": self._navigation_requested,
            "Page.frameStoppedLoading": lambda e: self.activity.navigation_ended(e["frameId"]),
            "Page.lifecycleEvent": self._lifecycle,
            "Page.fileChooserOpened": self._file_chooser,
            "Network.requestWillBeSent": self._request,
            "Network.responseReceived": self._response,
            "Network.dataReceived": self._data,
            "Network.loadingFinished": lambda e: self.activity.request_ended(e["requestId"]),
            "Network.loadingFailed": self._failed,
            "Target.attachedToTarget": self._child_attached,
            "Target.detachedFromTarget": self._child_detached,
            "Inspector.targetCrashed": lambda _: self._crashed(channel),
        }
        for method, handler in handlers.items():
            channel.on(method, handler)

    # Frames in other processes

    def _child_attached(self, event: dict[str, Any]) -> None:
        info = event["targetInfo"]
        if info["type"] == "worker":
            self.borders.watch_worker(event)
            return
        channel = self._connection.channel(event["sessionId"])
        self.frames.attach_remote(channel, info["targetId"], info.get("parentFrameId", ""))
        task = asyncio.get_running_loop().create_task(self._prepare(channel))
        task.add_done_callback(disregard)

    def _child_detached(self, event: dict[str, Any]) -> None:
        channel = self._connection.channel(event["sessionId"])
        self.frames.remove_channel(channel)
        self._connection.drop(channel.id, TargetClosed("The frame is gone."))

    def _crashed(self, channel: Channel) -> None:
        if channel is self.channel:
            self.lose(TargetClosed("The tab crashed."))
        else:
            channel.lose(TargetClosed("The frame crashed."))
            self.frames.clear(channel)

    def _give_up(self, reason: str) -> None:
        """Some pages can be stopped only by closing them."""
        self.lose(TargetClosed(f"The tab was closed: {reason}."))
        self._connection.root.post("Target.closeTarget", targetId=self.id)

    def disarm(self) -> None:
        """Let every press through again; one that was prepared is not made."""
        for frame in self.frames.by_id.values():
            if frame.world:
                frame.world.post("actor.disarm")

    def lose(self, reason: SubTerminatorError) -> None:
        for channel in self.frames.channels() | {self.channel}:
            channel.lose(reason)
        self.activity.halted = self.channel.lost
        self.activity.changed()

    @property
    def is_lost(self) -> bool:
        return self.channel.lost is not None

    # Navigation

    def _navigated(self, channel: Channel, event: dict[str, Any]) -> None:
        frame = self.frames.navigated(channel, event["frame"])
        if event.get("type") == "BackForwardCacheRestore":
            self.frames.drop_dead(channel)
            before = self.frames.loaders()
            reply = channel.post("Page.getFrameTree")
            reply.add_done_callback(lambda reply: self._restored(channel, reply, before))
        else:
            self.frames.replaced(frame)
        if frame is self.frames.main:
            self.selected_frame = None
            self.loaded.clear()
            self.barred = ""
            self._check_place()
        self.activity.navigations.append(Navigation(frame.url, frame is self.frames.main))
        self.activity.changed()

    def _check_place(self) -> None:
        """What was fetched ahead, or kept from before, is shown without a request to stop."""
        if host_of(self.url) and not self.borders.lets(self.url):
            self._bar(self.borders.block(self.url))
            self.channel.post("Page.navigate", url="about:blank")

    def _bar(self, address: str) -> None:
        self.barred = address
        self.activity.changed()

    def _restored(
        self, channel: Channel, reply: asyncio.Future[Raw], before: dict[str, str]
    ) -> None:
        """A page from the back/forward cache was loaded long ago, and its frames with it."""
        if reply.cancelled() or reply.exception():
            return
        self._read_tree(channel, msgspec.json.decode(reply.result())["frameTree"], before)
        self.loaded |= {"DOMContentLoaded", "load", "networkIdle"}
        self.activity.navigation_ended(self.frames.main.id)
        self.activity.changed()

    def _moved_within(self, event: dict[str, Any]) -> None:
        frame = self.frames.by_id.get(event["frameId"])
        if frame is None:
            return
        frame.url = event["url"]
        self.activity.navigation_ended(frame.id)
        self.activity.navigations.append(
            Navigation(frame.url, frame is self.frames.main, same_document=True)
        )
        self.activity.changed()

    def _navigation_requested(self, event: dict[str, Any]) -> None:
        if event.get("disposition", "currentTab") != "currentTab":
            return
        if event.get("navigationType", "").startswith("sameDocument"):
            return
        if not event["url"].startswith("javascript:"):
            self.activity.navigation_started(event["frameId"], event["url"])

    def _lifecycle(self, event: dict[str, Any]) -> None:
        if event["name"] == "init":
            self.frames.new_document(event["frameId"])
        if event["frameId"] == self.frames.main.id:
            self.loaded.add(event["name"])
            self.activity.changed()
        if event["name"] == "load":
            self.activity.navigation_ended(event["frameId"])

    def _request(self, event: dict[str, Any]) -> None:
        request = event["request"]
        if "prefetch" in request["headers"].get("Sec-Purpose", ""):
            return
        self.activity.request(
            event["requestId"],
            request["url"],
            event.get("type", "Other"),
            f"{request['method']} {request.get('postData', '')}",
            main=event.get("frameId") == self.frames.main.id,
        )

    def _response(self, event: dict[str, Any]) -> None:
        response = event["response"]
        self.activity.answered(event["requestId"], response.get("headers", {}))
        if event["type"] == "Document" and response["status"] == OK:
            self._answered = event["requestId"]

    def _failed(self, event: dict[str, Any]) -> None:
        # A page that was answered and then given up turned out to be a file.
        if event.get("canceled") and event["requestId"] == self._answered:
            self.activity.expect_download()
        self.activity.request_ended(event["requestId"])

    def _data(self, event: dict[str, Any]) -> None:
        self.activity.data(
            event["requestId"], event["dataLength"], event.get("encodedDataLength", 0)
        )

    def _file_chooser(self, _: dict[str, Any]) -> None:
        self.activity.file_chooser = True
        self.activity.changed()

    def find_frame(self, wanted: str) -> Frame:
        if frame := self.frame_named(wanted):
            return frame
        raise FrameNotFound(f"There is no frame {wanted[:100]!r}.")

    def frame_named(self, wanted: str) -> Frame | None:
        """By id, name, or part of the address; the first that fits in page order."""
        frames = self.frames.in_order()
        tests: tuple[Callable[[Frame], bool], ...] = (
            lambda f: f.id == wanted,
            lambda f: f.name == wanted,
            lambda f: wanted in f.url,
        )
        return next((f for test in tests for f in frames if test(f)), None)

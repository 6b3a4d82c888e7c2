"""The frames of a tab and the world in each, kept up to date from the browser's events."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from subterminator.engine.cdp import Channel, ProtocolError, fresh
from subterminator.engine.world import NAME, World, script
from subterminator.errors import Timeout


class Frame(Struct, eq=False):
    """One frame. `owner` caches the iframe element's node: (world id of the parent, node id).

    `page_context` is the page's own world; we only ask the browser about it, nothing runs there.
    """

    id: str
    parent_id: str
    channel: Channel
    url: str = ""
    name: str = ""
    loader: str = ""
    world: World | None = None
    page_context: int = 0
    owner: tuple[str, int] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether it has never had a document: its first one is late, or loads only when seen."""
        return self.world is None and not self.loader and not self.channel.lost


class Frames:
    """All frames of one tab, those in other processes included."""

    def __init__(self, main_id: str, channel: Channel, forget: Callable[[str], None]) -> None:
        self.main = Frame(main_id, "", channel)
        self.by_id: dict[str, Frame] = {main_id: self.main}
        self._forget = forget
        self._news = asyncio.Event()
        self._renewals = 0

    def listen(self, channel: Channel) -> None:
        channel.on("Page.frameAttached", lambda e: self._attached(channel, e))
        channel.on("Page.frameDetached", self._detached)
        channel.on("Runtime.executionContextCreated", lambda e: self._created(channel, e))
        channel.on("Runtime.executionContextDestroyed", lambda e: self._destroyed(channel, e))
        channel.on("Runtime.executionContextsCleared", lambda _: self.clear(channel))

    def navigated(self, channel: Channel, frame: dict[str, Any]) -> Frame:
        known = self.by_id.setdefault(frame["id"], Frame(frame["id"], "", channel))
        known.parent_id = known.parent_id or frame.get("parentId", "")
        known.url = frame["url"] + frame.get("urlFragment", "")
        known.name = frame.get("name", "")
        known.channel = channel
        if known.loader != frame["loaderId"]:
            known.loader = frame["loaderId"]
            self.new_document(known.id)
        return known

    def new_document(self, frame_id: str) -> None:
        """A new window or frame keeps its worlds when its first document replaces the empty one.

        What was set up for the old document is set up anew.
        """
        frame = self.by_id.get(frame_id)
        if frame and (world := frame.world):
            self._lose_world(frame)
            self._renewals += 1
            world.channel.post("Runtime.evaluate", expression=script(), contextId=world.context)
            frame.world = replace(world, id=f"{world.id}/{self._renewals}")

    def replaced(self, frame: Frame) -> None:
        """A new document has none of the frames of the old one, announced or not."""
        for child in [f for f in self.by_id.values() if f.parent_id == frame.id]:
            self.remove(child.id)

    def drop_dead(self, channel: Channel) -> None:
        """Frames of this process that have no document any more."""
        for frame in [f for f in self.by_id.values() if f.channel is channel and not f.world]:
            self.remove(frame.id)

    def attach_remote(self, channel: Channel, frame_id: str, parent_id: str) -> None:
        """A frame moved into a process of its own."""
        frame = self.by_id.setdefault(frame_id, Frame(frame_id, parent_id, channel))
        if parent_id and not frame.parent_id:
            frame.parent_id = parent_id
        frame.channel = channel
        self._lose_world(frame)

    def loaders(self) -> dict[str, str]:
        """Which document each frame has, to tell later whether it is still that one."""
        return {frame.id: frame.loader for frame in self.by_id.values()}

    def channels(self) -> set[Channel]:
        return {frame.channel for frame in self.by_id.values()}

    def in_order(self) -> list[Frame]:
        """The main frame first, every frame after the one that holds it."""
        children: dict[str, list[Frame]] = {}
        for frame in self.by_id.values():
            children.setdefault(frame.parent_id, []).append(frame)
        ordered, waiting = [], [self.main]
        while waiting:
            frame = waiting.pop(0)
            ordered.append(frame)
            waiting.extend(children.get(frame.id, ()))
        return ordered

    async def world(self, frame: Frame, seconds: float) -> World:
        """The frame's world; while a document is being replaced there is none for a moment."""
        try:
            async with asyncio.timeout(seconds):
                while frame.world is None:
                    if frame.channel.lost:
                        raise fresh(frame.channel.lost)
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise Timeout(f"The frame {frame.url[:100] or frame.id} does not answer.") from None
        return frame.world

    async def owner_node(self, frame: Frame, seconds: float = 2) -> int:
        """The element that holds a frame, as a node id of its parent's world; 0 if unknown."""
        parent = self.by_id.get(frame.parent_id)
        if parent is None:
            return 0
        world = await self.world(parent, seconds)
        if frame.owner and frame.owner[0] == world.id:
            return frame.owner[1]
        try:
            found = await world.channel.call("DOM.getFrameOwner", frameId=frame.id)
            handle = await world.adopt(found["backendNodeId"])
        except ProtocolError:
            return 0  # The frame went away meanwhile.
        node: int = await world.run_on(handle, "function () { return walker.idOf(this); }")
        frame.owner = (world.id, node)
        return node

    def _attached(self, channel: Channel, event: dict[str, Any]) -> None:
        frame = self.by_id.get(event["frameId"])
        if frame is None:
            self.by_id[event["frameId"]] = Frame(event["frameId"], event["parentFrameId"], channel)
        else:
            frame.channel = channel

    def _detached(self, event: dict[str, Any]) -> None:
        if event.get("reason") != "swap":
            self.remove(event["frameId"])

    def remove(self, frame_id: str) -> None:
        frame = self.by_id.get(frame_id)
        if frame is None or frame is self.main:
            return
        del self.by_id[frame_id]
        self._lose_world(frame)
        self.replaced(frame)

    def remove_channel(self, channel: Channel) -> None:
        for frame in [f for f in self.by_id.values() if f.channel is channel]:
            self.remove(frame.id)

    def _created(self, channel: Channel, event: dict[str, Any]) -> None:
        context = event["context"]
        frame_id = context.get("auxData", {}).get("frameId", "")
        if not frame_id:
            return
        # The worlds of a frame can be announced before the frame itself.
        frame = self.by_id.setdefault(frame_id, Frame(frame_id, "", channel))
        if context["auxData"].get("isDefault"):
            frame.page_context = context["id"]
        if context["name"] != NAME:
            return
        self._lose_world(frame)
        frame.channel = channel
        frame.world = World(channel, context["id"], context["uniqueId"])
        self._news.set()

    def _destroyed(self, channel: Channel, event: dict[str, Any]) -> None:
        for frame in self.by_id.values():
            world = frame.world
            if world and world.channel is channel and world.context == event["executionContextId"]:
                self._lose_world(frame)

    def clear(self, channel: Channel) -> None:
        """All documents of a process are gone."""
        for frame in self.by_id.values():
            if frame.world and frame.world.channel is channel:
                self._lose_world(frame)
        self._news.set()

    def _lose_world(self, frame: Frame) -> None:
        if frame.world:
            self._forget(frame.world.id)
            frame.world = None

"""Looks at a tab: one walk per frame, all frames at once, joined into a snapshot."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw, Struct

from subterminator.engine.cdp import ProtocolError, fresh
from subterminator.engine.frames import Frame
from subterminator.engine.tab import Tab
from subterminator.engine.world import World, WorldGone, silence
from subterminator.errors import SubTerminatorError, Timeout
from subterminator.page.refs import RefTable
from subterminator.page.snapshot import FrameWalk, Snapshot, build
from subterminator.types import RawFrame

WALK = {"max_visit": 300_000, "max_nodes": 50_000, "max_ms": 3_000}
MAX_NEW_LISTENERS = 300
PRESS_EVENTS = {
    "click",
    "mousedown",
    "mouseup",
    "pointerdown",
    "pointerup",
    "touchstart",
    "touchend",
    "dblclick",
}
FRAME_SECONDS = 2.0
_decode_frame = msgspec.json.Decoder(RawFrame).decode


class Walked(NamedTuple):
    """A walk that came with another answer. `grown`: elements were added since the action began."""

    text: str
    grown: bool


class _Listener(Struct):
    type: str
    backendNodeId: int = 0


class _Listeners(Struct):
    listeners: list[_Listener]


_decode_listeners = msgspec.json.Decoder(_Listeners).decode


class Eyes:
    """Looks at one tab, and remembers which listeners and roots it has asked about."""

    def __init__(self, tab: Tab, refs: RefTable) -> None:
        self._tab = tab
        self._refs = refs
        self._documents: dict[str, str] = {}
        self._asked: dict[str, set[int]] = {}
        self._unasked_listeners = 0
        self._unasked_hosts = 0
        self._walks: dict[str, tuple[str, RawFrame]] = {}
        self._last: tuple[Any, Snapshot, list[FrameWalk]] | None = None

    async def look(self, seconds: float, walked: Mapping[str, Walked] | None = None) -> Snapshot:
        """A snapshot of all frames.

        `walked` holds walks that came with an earlier answer, by world id.
        """
        if self._tab.channel.lost:
            raise fresh(self._tab.channel.lost)
        if self._tab.dialog:
            raise self._tab.dialogs.error()
        self._unasked_hosts = self._unasked_listeners = 0
        deadline = time.monotonic() + seconds
        frames = self._tab.frames.in_order()
        self._forget_old(frames)
        tasks = [self._read(frame, deadline, walked or {}) for frame in frames]
        walks = await asyncio.gather(*tasks)
        if walks[0].raw is None:
            raise silence(walks[0].reason)
        self._tab.title = walks[0].raw.title
        return self._joined(await self._placed(frames, walks))

    def _joined(self, walks: list[FrameWalk]) -> Snapshot:
        """The walks as one snapshot; a page that has not changed is not put together again."""
        left = (self._unasked_hosts, self._unasked_listeners)
        seen = [(walk.world, id(walk.raw), walk.parent, walk.owner, walk.url) for walk in walks]
        if self._last and self._last[0] == (seen, left):
            return self._last[1].again()
        snapshot = build(walks, self._refs, hosts_left=left[0], listeners_left=left[1])
        # The walks are kept too: the id of one that is freed may be given to the next.
        self._last = ((seen, left), snapshot, walks)
        return snapshot

    async def _placed(self, frames: list[Frame], walks: list[FrameWalk]) -> list[FrameWalk]:
        """Tell each frame's walk which element of which other frame holds it."""
        index = {frame.id: at for at, frame in enumerate(frames)}
        owners = await asyncio.gather(*(self._owner(frame) for frame in frames))
        return [
            walk._replace(parent=index.get(frame.parent_id, -1), owner=owner)
            for frame, walk, owner in zip(frames, walks, owners, strict=True)
        ]

    async def _owner(self, frame: Frame) -> int:
        if not frame.parent_id:
            return 0
        try:
            return await self._tab.frames.owner_node(frame)
        except (Timeout, WorldGone):
            return 0

    async def _read(self, frame: Frame, deadline: float, walked: Mapping[str, Walked]) -> FrameWalk:
        reason = ""
        is_main = frame is self._tab.frames.main
        if frame.is_empty and not is_main:
            return _unread(frame, "it has not loaded yet")
        for _ in range(3):
            left = deadline - time.monotonic()
            try:
                async with asyncio.timeout(left if is_main else min(left, FRAME_SECONDS)):
                    world = await self._tab.frames.world(frame, left)
                    raw = await self._walk(frame, world, walked.get(world.id))
                return FrameWalk(raw, world.id, frame.id, -1, 0, frame.name, frame.url, "")
            except WorldGone:
                continue  # Replaced while we looked; the new document is as good.
            except TimeoutError:
                reason = "it did not answer in time"
                break
            except SubTerminatorError as fault:
                if is_main:
                    raise
                reason = fault.message
                break
        return _unread(frame, reason or "it keeps reloading")

    async def _walk(self, frame: Frame, world: World, walked: Walked | None) -> RawFrame:
        if world.id not in self._documents:
            # A new document has listeners we do not know yet: learn them before the only walk.
            news = await self._learn_listeners(frame, world)
            known = walked.text if walked and not news else None
            raw = self._decode(world, known or await world.run("walker.walk", WALK))
            news = False
        elif walked:
            raw = self._decode(world, walked.text)
            # Only new elements are likely to have new listeners; a plain look asks in any case.
            news = walked.grown and await self._learn_listeners(frame, world)
        else:
            news, text = await asyncio.gather(
                self._learn_listeners(frame, world), world.run("walker.walk", WALK)
            )
            raw = self._decode(world, text)
        if await self._open_roots(world, raw.hosts) or news:
            raw = self._decode(world, await world.run("walker.walk", WALK))
            self._unasked_hosts += len(raw.hosts)
        return raw

    def _decode(self, world: World, text: str) -> RawFrame:
        """The walk as data; the very same object while the document stays as it was."""
        known = self._walks.get(world.id)
        if known is None or known[0] != text:
            known = self._walks[world.id] = (text, _decode_frame(text))
        return known[1]

    # Closed shadow roots

    async def _open_roots(self, world: World, hosts: tuple[int, ...]) -> bool:
        """Ask the browser which hosts have a closed root and hand those to the walker."""
        if not hosts:
            return False
        adopted = await asyncio.gather(*(self._open_root(world, host) for host in hosts))
        await world.run("walker.asked", list(hosts))
        return any(adopted)

    async def _open_root(self, world: World, host: int) -> bool:
        handle = await world.handle("walker.element", host)
        if not handle:
            return False
        try:
            node = (await world.channel.call("DOM.describeNode", objectId=handle, depth=0))["node"]
            roots = [r for r in node.get("shadowRoots", ()) if r["shadowRootType"] == "closed"]
            if not roots:
                return False
            root = await world.adopt(roots[0]["backendNodeId"])
        except ProtocolError:
            return False  # The element went away meanwhile.
        await world.run_on(
            handle, "function (root) { walker.adopt(this, root); }", {"objectId": root}
        )
        return True

    # Listeners

    async def _learn_listeners(self, frame: Frame, world: World) -> bool:
        """Tell the walker which elements the page listens on for presses.

        True if there were new ones.
        """
        try:
            found = _decode_listeners(await self._ask_listeners(frame, world))
        except ProtocolError:
            return False  # The document is being replaced; the walk will say so.
        asked = self._asked.setdefault(world.id, set())
        nodes = {item.backendNodeId for item in found.listeners if item.type in PRESS_EVENTS}
        new = [node for node in nodes if node and node not in asked]
        self._unasked_listeners += max(0, len(new) - MAX_NEW_LISTENERS)
        new = new[:MAX_NEW_LISTENERS]
        if not new:
            return False
        asked.update(new)
        handles = await asyncio.gather(*(world.adopt(node) for node in new), return_exceptions=True)
        alive: list[dict[str, Any]] = [{"objectId": h} for h in handles if isinstance(h, str)]
        if not alive:
            return False
        shown = await world.run_on(
            str(alive[0]["objectId"]),
            "function (...nodes) { return nodes.filter((n) => walker.clickable(n)).length; }",
            *alive,
        )
        return bool(shown)

    async def _ask_listeners(self, frame: Frame, world: World) -> Raw:
        document = self._documents.get(world.id)
        if document is None:
            # The page's own world is only named here; nothing of ours is called in it.
            reply = world.channel.post(
                "Runtime.evaluate", expression="document", contextId=frame.page_context
            )
            document = (await world.read(reply)).objectId
            self._documents[world.id] = document
        return await world.channel.post(
            "DOMDebugger.getEventListeners", objectId=document, depth=-1, pierce=True
        )

    def _forget_old(self, frames: list[Frame]) -> None:
        alive = {frame.world.id for frame in frames if frame.world}
        for world_id in [known for known in self._documents if known not in alive]:
            del self._documents[world_id]
            self._asked.pop(world_id, None)
            self._walks.pop(world_id, None)


def _unread(frame: Frame, reason: str) -> FrameWalk:
    return FrameWalk(None, "", frame.id, -1, 0, frame.name, frame.url, reason)

"""From what a caller says to the one live element that is meant."""

from __future__ import annotations

import asyncio
import hashlib
import time
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from subterminator.engine.cdp import ProtocolError
from subterminator.engine.frames import Frame
from subterminator.engine.look import Eyes
from subterminator.engine.tab import Tab
from subterminator.engine.world import World, WorldGone
from subterminator.errors import (
    ActionFailed,
    ElementNotFound,
    FrameNotFound,
    InvalidParams,
    RefInvalid,
    SelectorAmbiguous,
)
from subterminator.page.refs import Bound, RefTable
from subterminator.targets import FOCUSED, AnySelector, ByRef, Coordinates, Css, Semantic, show
from subterminator.types import Box, Facts, Form, Resolved

LOOK_AGAIN_MS = 300
SURE = 0.5
CLEARLY_BETTER = 0.15


class Found(NamedTuple):
    frame: Frame
    world: World
    node: int


def holder_of(tab: Tab, world_id: str, node: int) -> Found | None:
    """Where an element lives; None if its document is gone."""
    for frame in tab.frames.by_id.values():
        if frame.world and frame.world.id == world_id:
            return Found(frame, frame.world, node)
    return None


def unreadable(selector: dict[str, Any]) -> InvalidParams:
    return InvalidParams(
        f"The selector {str(selector.get('value', ''))[:100]!r} cannot be read.",
        next_step="Check its syntax.",
    )


class Resolver:
    """Finds elements of one tab by ref or selector, in all frames or in the selected one."""

    def __init__(self, tab: Tab, refs: RefTable, eyes: Eyes) -> None:
        self._tab, self._refs, self._eyes = tab, refs, eyes

    async def resolve(self, selector: AnySelector, seconds: float) -> Resolved:
        deadline = time.monotonic() + seconds
        match selector:
            case ByRef(ref=ref):
                return await self._by_ref(self._refs.get(ref))
            case Semantic(description=words):
                return await self._by_words(words, deadline)
            case Coordinates(x=x, y=y):
                found = await self._at(self._tab.frames.main, x, y)
                return await self._describe(found, show(selector))
            case Css() if selector == FOCUSED:
                return await self._describe(await self._focused(self._tab.frames.main), "the focus")
            case _:
                return await self._by_selector(selector, deadline)

    # By ref

    async def _by_ref(self, bound: Bound) -> Resolved:
        found = holder_of(self._tab, bound.world, bound.node)
        what = f"{bound.ref} ({bound.role} {bound.name[:80]!r})"
        if found is None:
            raise RefInvalid(f"{what} belonged to a page, frame or tab that is no longer shown.")
        raw = await self._ask(found)
        if raw is None:
            return await self._twin(bound, found.frame, what)
        if (raw["role"], raw["name"]) != (bound.role, bound.name):
            self._refs.bind(bound.world, bound.node, raw["role"], raw["name"])
            raise RefInvalid(f"{what} has changed: it is now {raw['role']} {raw['name'][:80]!r}.")
        return self._read(raw, found, bound.ref)

    async def _twin(self, bound: Bound, frame: Frame, what: str) -> Resolved:
        """A page that draws itself anew replaces elements by equals; only a unique one is taken."""
        snapshot = await self._eyes.look(5)
        twins = [
            element
            for element in snapshot.elements
            if element.ref
            and (element.role, element.name) == (bound.role, bound.name)
            and snapshot.frames[element.frame].id == frame.id
        ]
        if not bound.name or len(twins) != 1:
            count = (
                f"{len(twins)} others look the same" if twins else "nothing like it is there now"
            )
            raise RefInvalid(f"{what} is no longer in the page; {count}.")
        resolved = await self._by_ref(self._refs.get(twins[0].ref))
        return replace(resolved, twin_of=bound.ref)

    async def _ask(self, found: Found) -> dict[str, Any] | None:
        try:
            raw: dict[str, Any] | None = await found.world.run("walker.describe", found.node)
        except WorldGone:
            return None
        return raw

    async def read(self, beside: Resolved, node: int) -> Resolved:
        """Another element of the document that `beside` lives in."""
        found = holder_of(self._tab, beside.world, node)
        if found is None:
            raise RefInvalid(f"The document of {beside.ref} is gone.")
        return await self._describe(found, beside.ref)

    def holder(self, ref: str) -> Found | None:
        """The element a ref was given to, whatever it is called now; None if its page is gone."""
        bound = self._refs.get(ref)
        return holder_of(self._tab, bound.world, bound.node)

    async def owner(self, target: Resolved) -> Resolved | None:
        """The control that a press on this would press, if it is only a part of one."""
        found = holder_of(self._tab, target.world, target.node)
        if found is None:
            raise RefInvalid(f"The document of {target.ref} is gone.")
        node = await found[1].run("walker.owner", target.node)
        return await self.read(target, node) if node else None

    async def handlers(self, target: Resolved) -> str:
        """A digest of the page's code that a press on an element or a send of its form runs.

        Equal as long as nothing was added, removed or written anew on either of them.
        """
        nodes = [target.node, target.form.id if target.form else 0]
        seen = [await self._handlers_on(target, node) for node in nodes if node]
        return hashlib.sha256(msgspec.json.encode(seen)).hexdigest()

    async def _handlers_on(self, target: Resolved, node: int) -> list[Any]:
        found = holder_of(self._tab, target.world, node)
        if found is None:
            raise RefInvalid(f"The document of {target.ref} is gone.")
        frame, world, _ = found
        written = await world.run("walker.handlers", node)
        handle = await world.handle("walker.element", node)
        call = world.channel.call
        try:
            known = await call("DOM.describeNode", objectId=handle)
            # The page's own world is only named here; nothing of ours is called in it.
            there = await call(
                "DOM.resolveNode",
                backendNodeId=known["node"]["backendNodeId"],
                executionContextId=frame.page_context,
            )
            answer = await call(
                "DOMDebugger.getEventListeners", objectId=there["object"]["objectId"]
            )
        except ProtocolError:
            raise RefInvalid(f"{target.ref} is no longer in the page.") from None
        return [written, sorted(map(_listener, answer["listeners"]))]

    async def _describe(self, found: Found, what: str) -> Resolved:
        raw = await self._ask(found)
        if raw is None:
            raise ElementNotFound(f"{what} vanished while it was looked at.")
        ref = self._refs.bind(found.world.id, found.node, raw["role"], raw["name"])
        return self._read(raw, found, ref)

    def _read(self, raw: dict[str, Any], found: Found, ref: str) -> Resolved:
        form = raw.get("form")
        return Resolved(
            ref=ref,
            role=raw["role"],
            name=raw["name"],
            tag=raw["tag"],
            flags=raw["flags"],
            box=Box(*(round(side) for side in raw["box"])),
            text=raw["text"],
            visible=raw["visible"],
            why=raw["why"],
            origin=raw["origin"],
            frame_url=found.frame.url,
            world=found.world.id,
            node=found.node,
            facts=msgspec.convert(raw.get("extra") or {}, Facts),
            form=msgspec.convert(form, Form) if form else None,
            href=raw.get("href") or "",
            target=raw.get("target") or "",
            frames=(*self._origins_above(found.frame), raw["origin"]),
            document=found.frame.loader,
            around=raw["around"],
            enter=raw["enter"],
            captcha=raw["captcha"],
        )

    def _origins_above(self, frame: Frame) -> list[str]:
        """The origins of the frames around one, the page's first."""
        frames = self._tab.frames
        above: list[Frame] = []
        while up := frames.by_id.get(frame.parent_id):
            above.insert(0, up)
            frame = up
        origins: list[str] = []
        for up in above:
            origins.append(_origin(up.url, origins[-1] if origins else "null"))
        return origins

    # By selector

    async def _by_selector(self, selector: AnySelector, deadline: float) -> Resolved:
        while True:
            matches = await self.locate(selector)
            if len(matches) == 1:
                return await self._describe(matches[0], show(selector))
            if matches:
                raise await self._ambiguous(selector, matches)
            left = deadline - time.monotonic()
            if left <= 0:
                raise ElementNotFound(f"Nothing matches {show(selector)}.")
            await self._wait_for(selector, left)

    async def locate(self, selector: AnySelector) -> list[Found]:
        """Every match in every frame that counts, in page order."""
        plain = msgspec.to_builtins(selector)
        frames = self.scope()
        answers = await asyncio.gather(*(self._locate_in(frame, plain) for frame in frames))
        return [found for answer in answers for found in answer]

    async def _locate_in(self, frame: Frame, selector: dict[str, Any]) -> list[Found]:
        world = frame.world
        if world is None:
            return []
        try:
            nodes = await world.run("walker.locate", selector)
        except WorldGone:
            return []
        except ActionFailed as fault:
            raise unreadable(selector) from fault
        return [Found(frame, world, node) for node in nodes]

    async def _wait_for(self, selector: AnySelector, left: float) -> None:
        """Until it may be there: something in a frame matches, or a moment has passed."""
        plain = {"selector": msgspec.to_builtins(selector), "state": "exists"}
        span = min(LOOK_AGAIN_MS, round(left * 1000))
        waits = [
            asyncio.ensure_future(frame.world.run("actor.until", plain, span))
            for frame in self.scope()
            if frame.world
        ]
        if not waits:
            await self._tab.activity.wait_for_change(span / 1000)
            return
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()
        await asyncio.gather(*waits, return_exceptions=True)

    async def _ambiguous(self, selector: AnySelector, matches: list[Found]) -> SelectorAmbiguous:
        described = [await self._describe(found, show(selector)) for found in matches[:5]]
        shown = "; ".join(f"{e.ref} {e.role} {e.name[:60]!r}" for e in described)
        return SelectorAmbiguous(
            f"{show(selector)} matches {len(matches)} elements: {shown}.",
            selector=show(selector),
            count=len(matches),
        )

    def scope(self) -> list[Frame]:
        if self._tab.selected_frame is None:
            return self._tab.frames.in_order()
        frame = self._tab.frames.by_id.get(self._tab.selected_frame)
        if frame is None:
            raise FrameNotFound("The selected frame is gone.")
        return [frame]

    # By words, by point

    async def _by_words(self, words: str, deadline: float) -> Resolved:
        while True:
            snapshot = await self._eyes.look(max(1.0, deadline - time.monotonic()))
            matches = snapshot.find(words, frame=self._tab.selected_frame, limit=5)
            sure = [m for m in matches if m.score >= SURE]
            if sure and (len(sure) == 1 or sure[0].score - sure[1].score >= CLEARLY_BETTER):
                return await self._by_ref(self._refs.get(sure[0].ref))
            if sure:
                shown = "; ".join(f"{m.ref} {m.role} {m.name[:60]!r}" for m in sure)
                raise SelectorAmbiguous(
                    f"{words[:100]!r} fits several elements: {shown}.", count=len(sure)
                )
            left = deadline - time.monotonic()
            if left <= 0:
                raise ElementNotFound(f"Nothing fits {words[:100]!r}.")
            await self._tab.activity.wait_for_change(min(left, LOOK_AGAIN_MS / 1000))

    async def _at(self, frame: Frame, x: float, y: float) -> Found:
        """The element under a point, through frames: it is what a person would hit."""
        world = await self._tab.frames.world(frame, 2)
        nodes = await world.run("walker.locate", {"type": "coordinates", "x": x, "y": y})
        if not nodes:
            raise ElementNotFound(f"Nothing is at {x:g},{y:g}.")
        if (child := await self._frame_in(frame, nodes[0])) is None:
            return Found(frame, world, nodes[0])
        inner = await world.run("actor.intoFrame", nodes[0], x, y)
        return await self._at(child, inner["x"], inner["y"])

    async def _focused(self, frame: Frame) -> Found:
        """What keys would reach: the focused element, or that of the frame that has the focus."""
        world = await self._tab.frames.world(frame, 2)
        node = await world.run("actor.focused")
        if not node:
            raise ElementNotFound("Nothing has the keyboard focus.")
        child = await self._frame_in(frame, node)
        return await self._focused(child) if child else Found(frame, world, node)

    async def _frame_in(self, frame: Frame, node: int) -> Frame | None:
        """The frame that an element of another holds, if it does."""
        for child in self._tab.frames.in_order():
            if child.parent_id == frame.id and await self._tab.frames.owner_node(child) == node:
                return child
        return None


def _listener(listener: dict[str, Any]) -> list[str]:
    keys = ("type", "useCapture", "once", "scriptId", "lineNumber", "columnNumber")
    return [str(listener.get(key, "")) for key in keys]


def _origin(url: str, outer: str) -> str:
    """The origin of a document by its address; an empty one has that of the frame around it."""
    if url in {"", "about:blank", "about:srcdoc"}:
        return outer
    parts = urlsplit(url.removeprefix("blob:"))
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in {"http", "https"} else "null"

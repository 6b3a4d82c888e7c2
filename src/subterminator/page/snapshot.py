"""One look at a page: the walks of all its frames as one list of elements, with refs.

A snapshot is plain data. It never changes, and it knows no browser.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import uuid4

from msgspec import Struct, structs

from subterminator.errors import RefInvalid
from subterminator.page import changes, dialects, find, render
from subterminator.page.context import with_contexts
from subterminator.page.refs import RefTable
from subterminator.targets import normalize_ref
from subterminator.types import (
    Box,
    Element,
    Flag,
    FrameInfo,
    LeftOut,
    PageInfo,
    RawFrame,
    RawNode,
    Viewport,
)

# Plain integers: operations on IntFlag members are twenty times slower, and this runs per node.
INTERACTIVE, OFFSCREEN, COVERED = int(Flag.INTERACTIVE), int(Flag.OFFSCREEN), int(Flag.COVERED)
TOP, OVERLAY, SECRET = int(Flag.TOP), int(Flag.OVERLAY), int(Flag.SECRET)
HAS_REF = INTERACTIVE | int(Flag.SCROLLS)
INHERITED = TOP | OVERLAY | COVERED | OFFSCREEN
REGIONS = frozenset({"region", "dialog", "alert", "alertdialog"})
UNKNOWN_VIEWPORT = Viewport(1, 1, 0, 0)


class FrameWalk(NamedTuple):
    """One frame and its walk. `raw` is None for a frame that could not be read; `reason` says why.

    `parent` is the place of the holding frame in the list of walks, -1 for the page; `owner` is the
    node of the iframe element there.
    """

    raw: RawFrame | None
    world: str
    frame_id: str
    parent: int
    owner: int
    name: str
    url: str
    reason: str


class View(Struct, frozen=True):
    """Which part of a snapshot is wanted. `root` is a ref, `depth` counts levels below it."""

    viewport_only: bool = False
    roles: tuple[str, ...] = ()
    root: str | None = None
    depth: int | None = None
    max_elements: int | None = None


class Snapshot(Struct, frozen=True):
    """What was on the page at one moment, all frames and shadow roots, topmost layer first."""

    id: str
    time: datetime
    page: PageInfo
    viewport: Viewport
    elements: tuple[Element, ...]
    frames: tuple[FrameInfo, ...]
    focused: str | None = None
    left_out: LeftOut = LeftOut()

    def text(self, budget: int | None = render.BUDGET) -> str:
        """The page for a model, at most about `budget` tokens; None is no limit."""
        return render.text(self, budget)

    def filtered(self, view: View) -> Snapshot:
        """A part of this snapshot; `left_out` counts the controls that are not in it."""
        return _filtered(self, view)

    def element(self, ref: str) -> Element:
        ref = normalize_ref(ref)
        for element in self.elements:
            if element.ref == ref:
                return element
        raise RefInvalid(f"{ref} is not in this snapshot.", ref=ref)

    def changes_since(self, previous: Snapshot) -> changes.Changes:
        return changes.between(previous, self)

    def find(
        self, description: str, *, role: str | None = None, frame: str | None = None, limit: int = 5
    ) -> list[find.Match]:
        """Elements that fit a description in plain words, best first; none rather than nonsense."""
        return find.find(self, description, role=role, frame=frame, limit=limit)

    def json(self, screenshot: str = "", *, viewport_only: bool = True) -> dict[str, Any]:
        """The form of seed 000: `snapshot_schema.json` beside this module describes it."""
        return dialects.json(self, screenshot, viewport_only=viewport_only)

    def interactive_elements(
        self, limit: int = 100, roles: Sequence[str] = (), bounds: bool = False
    ) -> list[dict[str, Any]]:
        """The form of seed 002: each element with a selector that hits it and nothing else."""
        return dialects.interactive_elements(self, limit, roles, bounds)

    def tree(self) -> dict[str, Any]:
        """The form of seed 004: what is in view, with integer ids."""
        return dialects.tree(self)


class _Place(NamedTuple):
    """Where a frame's own coordinates lie in the page, what of it can be seen, what it inherits."""

    depth: int
    flags: int = 0
    x: float = 0
    y: float = 0
    scale_x: float = 1
    scale_y: float = 1
    clip: tuple[float, float, float, float] | None = None

    def box(self, x: float, y: float, width: float, height: float) -> Box:
        return Box(
            round(self.x + x * self.scale_x),
            round(self.y + y * self.scale_y),
            round(width * self.scale_x),
            round(height * self.scale_y),
        )

    def inner(self, frame: RawNode, box: Box) -> _Place:
        """The place of the document inside an iframe element whose content box is `box`."""
        scale_x, scale_y = frame.facts.scale or (1, 1)
        assert self.clip is not None
        left, top, right, bottom = self.clip
        edges = (
            max(left, box.x),
            max(top, box.y),
            min(right, box.x + box.width),
            min(bottom, box.y + box.height),
        )
        return _Place(
            self.depth + frame.depth + 1,
            (frame.flags | self.flags) & INHERITED,
            box.x,
            box.y,
            self.scale_x * scale_x,
            self.scale_y * scale_y,
            edges,
        )

    def is_clipped(self, box: Box) -> bool:
        assert self.clip is not None
        left, top, right, bottom = self.clip
        return (
            box.x >= right
            or box.y >= bottom
            or box.x + box.width <= left
            or box.y + box.height <= top
        )


class _Builder:
    """Collects the elements of all frames in the order a person meets them."""

    def __init__(self, walks: Sequence[FrameWalk], refs: RefTable) -> None:
        self.walks = walks
        self.refs = refs
        self.elements: list[Element] = []
        self.focused: str | None = None
        self.boxes: dict[int, Box] = {}
        self._seen: set[int] = set()
        self._inner: dict[int, dict[int, int]] = {}
        for index, walk in enumerate(walks):
            if walk.parent >= 0:
                self._inner.setdefault(walk.parent, {})[walk.owner] = index

    def add(self, index: int, place: _Place, is_focused: bool) -> None:
        raw = self.walks[index].raw
        self._seen.add(index)
        if raw is None:
            return
        inner = self._inner.get(index, {})
        bind, world = self.refs.bind, self.walks[index].world
        is_page = place.clip is None
        nodes = _layered(raw.nodes)
        for node, sight in zip(nodes, _sights(nodes), strict=True):
            flags = node.flags | place.flags | sight
            box: Box | None = None
            if node.width or node.height:
                if is_page:
                    box = Box(node.x, node.y, node.width, node.height)
                else:
                    box = place.box(node.x, node.y, node.width, node.height)
                    if not flags & OFFSCREEN and place.is_clipped(box):
                        flags |= OFFSCREEN
            facts = node.facts
            if flags & SECRET and facts.value is not None:
                facts = structs.replace(facts, value=None)
            ref = ""
            if node.id and (flags & HAS_REF or node.role in REGIONS):
                ref = bind(world, node.id, node.role, node.name)
                if is_focused and node.id == raw.focus:
                    self.focused = ref
            self.elements.append(
                Element(
                    ref,
                    node.role,
                    node.name,
                    place.depth + node.depth,
                    flags,
                    node.tag,
                    box,
                    facts,
                    index,
                    node.id,
                )
            )
            if node.id in inner:
                self._enter(node, inner[node.id], place, is_focused and node.id == raw.focus)

    def _enter(self, node: RawNode, index: int, place: _Place, is_focused: bool) -> None:
        if index in self._seen:
            return
        content = node.facts.content_box or (node.x, node.y, node.width, node.height)
        box = self.boxes[index] = place.box(*content)
        if place.clip is None:
            raw = self.walks[0].raw
            assert raw is not None
            place = place._replace(clip=(0, 0, raw.vw, raw.vh))
        self.add(index, place.inner(node, box), is_focused)

    def hidden(self) -> int:
        """Controls that a person cannot see, those of frames that do not show included."""
        count = 0
        for index, walk in enumerate(self.walks):
            if walk.raw is not None:
                count += walk.raw.hidden
                if index not in self._seen:
                    count += sum(1 for node in walk.raw.nodes if node.flags & INTERACTIVE)
        return count

    def frames(self) -> Iterator[FrameInfo]:
        for index, walk in enumerate(self.walks):
            raw = walk.raw
            yield FrameInfo(
                index=index,
                parent=walk.parent,
                id=walk.frame_id,
                url=raw.url if raw else walk.url,
                origin=raw.origin if raw else "",
                name=walk.name,
                box=self.boxes.get(index),
                accessible=raw is not None,
                reason=walk.reason,
                world=walk.world,
                owner=walk.owner,
            )


def _layered(nodes: Sequence[RawNode]) -> Sequence[RawNode]:
    """The top layer first, then what lies over the page, then the page; else in order."""
    if not any(node.flags & (TOP | OVERLAY) for node in nodes):
        return nodes
    layers: tuple[list[RawNode], list[RawNode], list[RawNode]] = ([], [], [])
    path: list[tuple[int, int]] = []
    previous, base = 2, 0
    for node in nodes:
        depth, flags = node.depth, node.flags
        while path and path[-1][0] >= depth:
            path.pop()
        if not node.id and path:
            flags |= path[-1][1]  # text is where its container is
        path.append((depth, flags & (TOP | OVERLAY)))
        layer = 0 if flags & TOP else 1 if flags & OVERLAY else 2
        if layer == 2:
            layers[2].append(node)
        else:
            # A subtree that moves up starts a tree of its own.
            base = depth if layer != previous else min(base, depth)
            layers[layer].append(structs.replace(node, depth=depth - base, flags=flags))
        previous = layer
    return [*layers[0], *layers[1], *layers[2]]


def _sights(nodes: Sequence[RawNode]) -> list[int]:
    """OFFSCREEN for what the walker does not measure, text and rows, between things off-screen."""
    sights = [0] * len(nodes)
    sight = -1
    for place in range(len(nodes) - 1, -1, -1):
        node = nodes[place]
        sights[place] = sight
        if node.flags & INTERACTIVE or node.role == "heading":
            sight = node.flags & OFFSCREEN
    sight = -1
    for place, node in enumerate(nodes):
        following = sights[place]
        if node.flags & INTERACTIVE or node.role == "heading":
            sight = node.flags & OFFSCREEN
        elif not node.width:
            # Neither neighbour is in view (0), and at least one is there at all (not -1).
            is_off = sight and following and sight + following > 0
            sights[place] = OFFSCREEN if is_off else 0
            continue
        sights[place] = 0
    return sights


def build(
    walks: Sequence[FrameWalk], refs: RefTable, *, hosts_left: int = 0, listeners_left: int = 0
) -> Snapshot:
    """Make one snapshot of the walks of all frames; the first walk is the page's own."""
    builder = _Builder(walks, refs)
    builder.add(0, _Place(0), is_focused=True)
    page = walks[0].raw
    elements = with_contexts(builder.elements)
    return Snapshot(
        id=str(uuid4()),
        time=datetime.now(UTC),
        page=PageInfo(page.url if page else walks[0].url, page.title if page else ""),
        viewport=Viewport(page.vw, page.vh, page.sx, page.sy) if page else UNKNOWN_VIEWPORT,
        elements=tuple(elements),
        frames=tuple(builder.frames()),
        focused=builder.focused,
        left_out=LeftOut(
            covered=sum(1 for element in elements if element.ref and element.flags & COVERED),
            hidden=builder.hidden(),
            unchecked_hosts=hosts_left,
            unchecked_listeners=listeners_left,
            partial=next((w.raw.partial for w in walks if w.raw and w.raw.partial), ""),
        ),
    )


def _filtered(snapshot: Snapshot, view: View) -> Snapshot:
    elements, left_out = snapshot.elements, snapshot.left_out
    if view.root is not None:
        kept = _subtree(elements, snapshot.element(view.root).ref)
        left_out = structs.replace(left_out, outside=_lost(elements, kept))
        elements = kept
    if view.viewport_only:
        kept = tuple(element for element in elements if not element.flags & OFFSCREEN)
        left_out = structs.replace(left_out, offscreen=_lost(elements, kept))
        elements = kept
    if view.roles:
        roles = frozenset(view.roles)
        kept = tuple(element for element in elements if element.role in roles)
        left_out = structs.replace(left_out, role=_lost(elements, kept))
        elements = kept
    if view.depth is not None:
        kept = tuple(element for element in elements if element.depth <= view.depth)
        left_out = structs.replace(left_out, depth=_lost(elements, kept))
        elements = kept
    if view.max_elements is not None:
        kept = _first(elements, view.max_elements)
        left_out = structs.replace(left_out, limit=_lost(elements, kept))
        elements = kept
    return structs.replace(snapshot, elements=elements, left_out=left_out)


def _lost(before: Sequence[Element], after: Sequence[Element]) -> int:
    return sum(1 for element in before if element.ref) - sum(1 for element in after if element.ref)


def _subtree(elements: Sequence[Element], ref: str) -> tuple[Element, ...]:
    start = next(place for place, element in enumerate(elements) if element.ref == ref)
    base = elements[start].depth
    end = start + 1
    while end < len(elements) and elements[end].depth > base:
        end += 1
    return tuple(
        structs.replace(element, depth=element.depth - base) for element in elements[start:end]
    )


def _first(elements: Sequence[Element], limit: int) -> tuple[Element, ...]:
    """The elements up to the last of `limit` controls; text and structure are not counted."""
    count = 0
    for place, element in enumerate(elements):
        count += bool(element.ref)
        if count > limit:
            return tuple(elements[:place])
    return tuple(elements)

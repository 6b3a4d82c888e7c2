"""Puts the walks of all frames together: one order, one system of coordinates, one set of refs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import structs

from subterminator.page.refs import RefTable
from subterminator.types import Box, Element, Flag, FrameInfo, RawFrame, RawNode

# Plain integers: operations on IntFlag members are twenty times slower, and this runs per node.
INTERACTIVE, OFFSCREEN, COVERED = int(Flag.INTERACTIVE), int(Flag.OFFSCREEN), int(Flag.COVERED)
TOP, OVERLAY, SECRET = int(Flag.TOP), int(Flag.OVERLAY), int(Flag.SECRET)
HAS_REF = INTERACTIVE | int(Flag.SCROLLS)
INHERITED = TOP | OVERLAY | COVERED | OFFSCREEN
REGIONS = frozenset({"region", "dialog", "alert", "alertdialog"})


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

    def see(self, node: RawNode, flags: int) -> tuple[Box | None, int]:
        """Where a node is in the page, and its flags with OFFSCREEN if its frame hides it."""
        if not (node.width or node.height):
            return None, flags
        if self.clip is None:
            return Box(node.x, node.y, node.width, node.height), flags
        box = self.box(node.x, node.y, node.width, node.height)
        return box, flags | OFFSCREEN if self._is_clipped(box, self.clip) else flags

    @staticmethod
    def _is_clipped(box: Box, clip: tuple[float, float, float, float]) -> bool:
        left, top, right, bottom = clip
        return (
            box.x >= right
            or box.y >= bottom
            or box.x + box.width <= left
            or box.y + box.height <= top
        )


class _Inner(NamedTuple):
    """A frame that is to be read next."""

    walk: int
    place: _Place
    is_focused: bool


class Assembly:
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

    def add_all(self) -> None:
        """Read the page, and each frame where it stands. Not by recursion: pages nest hundreds."""
        reading = [self._read(0, _Place(0), True)]
        while reading:
            inner = next(reading[-1], None)
            if inner is None:
                reading.pop()
            else:
                reading.append(self._read(*inner))

    def _read(self, index: int, place: _Place, is_focused: bool) -> Iterator[_Inner]:
        """Add the elements of one frame; stop at each frame inside it for that to be read."""
        raw = self.walks[index].raw
        self._seen.add(index)
        if raw is None:
            return
        inner = self._inner.get(index, {})
        bind, world, add = self.refs.bind, self.walks[index].world, self.elements.append
        nodes = _layered(raw.nodes)
        for node, sight in zip(nodes, _sights(nodes), strict=True):
            box, flags = place.see(node, node.flags | place.flags | sight)
            number, role, name, facts = node.id, node.role, node.name, node.facts
            if flags & SECRET and facts.value is not None:
                facts = structs.replace(facts, value=None)
            ref = ""
            if number and (flags & HAS_REF or role in REGIONS):
                ref = bind(world, number, role, name)
                if is_focused and number == raw.focus:
                    self.focused = ref
            depth = place.depth + node.depth
            add(Element(ref, role, name, depth, flags, node.tag, box, facts, index, number))
            if number in inner and inner[number] not in self._seen:
                is_inside = is_focused and number == raw.focus
                yield self._enter(node, inner[number], place, is_inside)

    def _enter(self, node: RawNode, index: int, place: _Place, is_focused: bool) -> _Inner:
        content = node.facts.content_box or (node.x, node.y, node.width, node.height)
        box = self.boxes[index] = place.box(*content)
        if place.clip is None:
            raw = self.walks[0].raw
            assert raw is not None
            place = place._replace(clip=(0, 0, raw.vw, raw.vh))
        return _Inner(index, place.inner(node, box), is_focused)

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

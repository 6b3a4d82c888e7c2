"""One look at a page: the walks of all its frames as one list of elements, with refs.

A snapshot is plain data. It never changes, and it knows no browser.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from msgspec import Struct, field, structs

from subterminator.errors import RefInvalid
from subterminator.page import changes, dialects, find, render
from subterminator.page.assembly import Assembly
from subterminator.page.assembly import FrameWalk as FrameWalk
from subterminator.page.context import with_contexts
from subterminator.page.refs import RefTable
from subterminator.targets import normalize_ref
from subterminator.types import Element, Flag, FrameInfo, LeftOut, PageInfo, Viewport

# A plain integer: operations on IntFlag members are twenty times slower, and this runs per element.
OFFSCREEN, COVERED = int(Flag.OFFSCREEN), int(Flag.COVERED)
UNKNOWN_VIEWPORT = Viewport(1, 1, 0, 0)


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
    # A snapshot never changes, so neither does its text; a page that stays the same shares it.
    _texts: dict[int | None, str] = field(default_factory=dict)

    def again(self) -> Snapshot:
        """The same page, seen once more."""
        return structs.replace(self, id=str(uuid4()), time=datetime.now(UTC))

    def text(self, budget: int | None = render.BUDGET) -> str:
        """The page for a model, at most about `budget` tokens; None is no limit."""
        if budget not in self._texts:
            self._texts[budget] = render.text(self, budget)
        return self._texts[budget]

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
        """As JSON, described by `snapshot_schema.json` beside this module."""
        return dialects.json(self, screenshot, viewport_only=viewport_only)

    def normalized(self, screenshot_path: str | None = None) -> dict[str, Any]:
        """Address, title and the page as text; whichever engine it was seen with."""
        return dialects.normalized(self, screenshot_path)

    def interactive_elements(
        self, limit: int = 100, roles: Sequence[str] = (), bounds: bool = False
    ) -> list[dict[str, Any]]:
        """Each element with a selector that hits it and nothing else."""
        return dialects.interactive_elements(self, limit, roles, bounds)

    def tree(self) -> dict[str, Any]:
        """What is in view, as a flat tree with integer ids."""
        return dialects.tree(self)


def build(
    walks: Sequence[FrameWalk], refs: RefTable, *, hosts_left: int = 0, listeners_left: int = 0
) -> Snapshot:
    """Make one snapshot of the walks of all frames; the first walk is the page's own."""
    assembly = Assembly(walks, refs)
    assembly.add_all()
    page = walks[0].raw
    elements = with_contexts(assembly.elements)
    return Snapshot(
        id=str(uuid4()),
        time=datetime.now(UTC),
        page=PageInfo(page.url if page else walks[0].url, page.title if page else ""),
        viewport=Viewport(page.vw, page.vh, page.sx, page.sy) if page else UNKNOWN_VIEWPORT,
        elements=tuple(elements),
        frames=tuple(assembly.frames()),
        focused=assembly.focused,
        left_out=LeftOut(
            covered=sum(1 for element in elements if element.ref and element.flags & COVERED),
            hidden=assembly.hidden(),
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
    return structs.replace(snapshot, elements=elements, left_out=left_out, _texts={})


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

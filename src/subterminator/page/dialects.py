"""The snapshot in forms other programs know: JSON by schema, a list with selectors, a flat tree.

Values of secret fields are in none of them, and neither is what lies under something else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from subterminator.types import Box, Element, Flag

if TYPE_CHECKING:
    from subterminator.page.snapshot import Snapshot

MAX_ELEMENTS, MAX_DEPTH, MAX_NAME = 100, 10, 200
REGIONS = frozenset({"region", "dialog", "alert", "alertdialog"})
# A role the walker made up cannot be found by its role from outside.
OWN_ROLES = frozenset(
    {"generic", "date", "time", "datetime", "month", "week", "color", "file", "iframe", "text", ""}
)
CUT = "…"

INTERACTIVE, OFFSCREEN, COVERED = int(Flag.INTERACTIVE), int(Flag.OFFSCREEN), int(Flag.COVERED)
DISABLED, CHECKABLE, CHECKED = int(Flag.DISABLED), int(Flag.CHECKABLE), int(Flag.CHECKED)
MIXED, EXPANDABLE, EXPANDED = int(Flag.MIXED), int(Flag.EXPANDABLE), int(Flag.EXPANDED)
SECRET, FOCUSED = int(Flag.SECRET), int(Flag.FOCUSED)
HINTS: tuple[tuple[int, str], ...] = (
    (int(Flag.EDITABLE), "editable"),
    (CHECKABLE, "checkable"),
    (EXPANDABLE, "expandable"),
    (int(Flag.DRAGGABLE), "draggable"),
    (int(Flag.SCROLLS), "scrollable"),
    (int(Flag.SUBMITS), "submittable"),
)
SELECTABLE = frozenset({"combobox", "listbox", "option", "tab", "radio", "treeitem", "gridcell"})
NOT_CLICKABLE = frozenset({"scrollbar", "region", "dialog", "alert", "alertdialog"})


def json(snapshot: Snapshot, screenshot: str, *, viewport_only: bool) -> dict[str, Any]:
    unwanted = COVERED | OFFSCREEN if viewport_only else COVERED
    nested = _nested(snapshot.elements, unwanted)
    kept = [(element, depth) for element, depth in nested if depth <= MAX_DEPTH][:MAX_ELEMENTS]
    children = _children(kept)
    view = snapshot.viewport
    return {
        "snapshot_id": snapshot.id,
        "timestamp": snapshot.time.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "elements": [_element(element, children.get(element.ref)) for element, _ in kept],
        "focused": snapshot.focused,
        "page": {"url": snapshot.page.url, "title": snapshot.page.title},
        "screenshot": screenshot,
        "viewport": {
            "width": max(view.width, 1),
            "height": max(view.height, 1),
            # Scrolling leftwards, as in right-to-left pages, is negative in the DOM.
            "scroll_x": max(view.scroll_x, 0),
            "scroll_y": max(view.scroll_y, 0),
        },
    }


def normalized(snapshot: Snapshot, screenshot_path: str | None) -> dict[str, Any]:
    page = snapshot.page
    return {
        "url": page.url,
        "title": page.title,
        "content": snapshot.text(),
        "screenshot_path": screenshot_path,
    }


def _nested(elements: Sequence[Element], unwanted: int) -> Iterator[tuple[Element, int]]:
    """What the JSON shows, each with its depth among the others, from 1."""
    path: list[int] = []
    for element in elements:
        if element.flags & unwanted or not element.ref:
            continue
        if element.flags & INTERACTIVE or element.role in REGIONS:
            while path and path[-1] >= element.depth:
                path.pop()
            path.append(element.depth)
            yield element, len(path)


def _children(kept: Sequence[tuple[Element, int]]) -> dict[str, list[str]]:
    path: list[str] = []
    children: dict[str, list[str]] = {}
    for element, depth in kept:
        del path[depth - 1 :]
        if path:
            children.setdefault(path[-1], []).append(element.ref)
        path.append(element.ref)
    return children


def _element(element: Element, children: list[str] | None) -> dict[str, Any]:
    facts = element.facts
    level = facts.level if facts.level is not None and 1 <= facts.level <= 6 else None
    return {
        "ref": element.ref,
        "role": element.role,
        "name": _short(element.name, "..."),
        "state": _states(element),
        "bbox": _bounds(element.box),
        "value": _value(element),
        "level": level,
        "children": children,
    }


def _states(element: Element) -> list[str]:
    flags = element.flags
    states = [
        "offscreen" if flags & OFFSCREEN else "visible",
        "disabled" if flags & DISABLED else "enabled",
    ]
    if flags & Flag.READONLY:
        states.append("readonly")
    if flags & CHECKABLE:
        states.append("mixed" if flags & MIXED else "checked" if flags & CHECKED else "unchecked")
    if flags & EXPANDABLE:
        states.append("expanded" if flags & EXPANDED else "collapsed")
    if flags & FOCUSED:
        states.append("focused")
    if flags & Flag.BUSY:
        states.append("busy")
    return states


def _value(element: Element) -> str | None:
    return None if element.flags & SECRET or element.facts.secret else element.facts.value


def _bounds(box: Box | None) -> dict[str, int] | None:
    return None if box is None else box._asdict()


def _short(name: str, end: str) -> str:
    return name if len(name) <= MAX_NAME else name[:MAX_NAME] + end


def interactive_elements(
    snapshot: Snapshot, limit: int, roles: Sequence[str], bounds: bool
) -> list[dict[str, Any]]:
    selectors = _Selectors(snapshot)
    wanted = frozenset(roles)
    found: list[dict[str, Any]] = []
    for element in snapshot.elements:
        if not element.flags & INTERACTIVE or element.flags & COVERED or not element.ref:
            continue
        if wanted and element.role not in wanted:
            continue
        if len(found) == limit:
            break
        found.append(_interactive(element, selectors.of(element), bounds))
    return found


def _interactive(element: Element, selector: dict[str, Any], bounds: bool) -> dict[str, Any]:
    shown: dict[str, Any] = {"ref": element.ref, "selector": selector, "role": element.role}
    if element.name:
        shown["name"] = _short(element.name, CUT)
    value = _value(element)
    if value is not None:
        shown["value"] = value
    shown["actionHints"] = _hints(element)
    if bounds and element.box is not None:
        shown["bounds"] = element.box._asdict()
    shown["tagName"] = element.tag
    shown["focused"] = bool(element.flags & FOCUSED)
    shown["disabled"] = bool(element.flags & DISABLED)
    return shown


def _hints(element: Element) -> list[str]:
    flags = element.flags
    hints = ["clickable"] if element.role not in NOT_CLICKABLE else []
    hints += [word for flag, word in HINTS if flags & flag]
    if element.role in SELECTABLE or element.tag == "select":
        hints.append("selectable")
    return hints


class _Selectors:
    """Chooses a selector that fits one element alone, among all that this snapshot has seen."""

    def __init__(self, snapshot: Snapshot) -> None:
        elements = snapshot.elements
        self._test_ids = Counter(e.facts.test_id for e in elements if e.facts.test_id)
        self._names = Counter((e.role, e.name) for e in elements)
        left = snapshot.left_out
        unread = any(not frame.accessible for frame in snapshot.frames)
        # A part of the page that was not read, or not kept, may hold another one like it.
        self._is_sure = not (
            unread or left.partial or left.unchecked_hosts or left.offscreen or left.outside
            or left.role or left.depth or left.limit
        )  # fmt: skip

    def of(self, element: Element) -> dict[str, Any]:
        if self._is_sure:
            test_id = element.facts.test_id
            if test_id and self._test_ids[test_id] == 1:
                return {"type": "testId", "value": test_id}
            if self._is_named(element):
                return {"type": "role", "role": element.role, "name": element.name, "exact": True}
        return {"type": "ref", "ref": element.ref}

    def _is_named(self, element: Element) -> bool:
        role, name = element.role, element.name
        if role in OWN_ROLES or not name or name.endswith(CUT):
            return False
        return self._names[role, name] == 1


def tree(snapshot: Snapshot) -> dict[str, Any]:
    return {
        "tree": [
            {
                "id": int(element.ref[2:]),
                "ref": element.ref,
                "role": element.role,
                "name": _short(element.name, CUT),
                "tag": element.tag.upper(),
                "bounds": _bounds(element.box),
            }
            for element in snapshot.elements
            if element.ref and element.flags & (INTERACTIVE | OFFSCREEN | COVERED) == INTERACTIVE
        ]
    }

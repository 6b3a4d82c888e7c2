"""Arranges the elements of a snapshot as lines: rows as rows, sentences as sentences, like with like.

Indentation is one space a level, and only below things that are printed themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from subterminator.page.phrases import Phrasing, label, plain, quote
from subterminator.types import Element, Flag, FrameInfo

INLINE, OFFSCREEN = int(Flag.INLINE), int(Flag.OFFSCREEN)
LONGEST_TEXT = 2_000
LONGEST_GROUP = 30
LONGEST_GROUPED = 80
LARGEST_ROW = 24
NEARBY = 4
PUNCTUATION = " .,;:|·•/()[]–—-\u00a0"

SECTIONS = frozenset(
    {
        "alert", "alertdialog", "banner", "complementary", "contentinfo", "dialog", "feed", "form", "grid",
        "log", "marquee", "menu", "navigation", "region", "search", "status", "table", "tooltip", "tree",
        "treegrid", "timer",
    }
)  # fmt: skip
# These say something only by their name, and otherwise only hold other things.
NAMED_SECTIONS = frozenset(
    {"group", "radiogroup", "list", "menubar", "figure", "tabpanel", "toolbar", "tablist", "listbox"}
)
SAID_AT_ONCE = frozenset({"alert", "status", "tooltip", "log", "timer"})
ITEMS = frozenset({"listitem", "article"})
CELLS = frozenset({"cell", "gridcell", "columnheader", "rowheader"})
TRANSPARENT = frozenset({"main", "rowgroup", "generic", "none", "presentation", "document", "paragraph"})
NOT_IN_ROWS = frozenset({"row", "heading", "table", "grid", "iframe", "dialog", "list", "article", "form"})
GROUPED = frozenset(
    {
        "link", "button", "checkbox", "radio", "tab", "menuitem", "menuitemcheckbox", "menuitemradio",
        "option", "gridcell", "treeitem", "generic", "switch",
    }
)  # fmt: skip
FURNITURE = frozenset({"navigation", "banner", "contentinfo", "complementary"})
PLURALS = {"checkbox": "checkboxes", "switch": "switches"}


class Kind(IntEnum):
    """What a line is worth: the lowest is given up first when there is no room."""

    TEXT = 0
    FURNITURE = 1
    CONTROL = 2
    SECTION = 3


class Line(NamedTuple):
    """A line of text. `place` is the element it starts with; `is_offscreen` is None where nothing tells."""

    text: str
    place: int
    kind: Kind
    is_offscreen: bool | None


class _Part(NamedTuple):
    """An element on a line that is still growing; `role` is empty for text."""

    place: int
    role: str
    text: str
    details: tuple[str, ...] = ()


class Layout:
    """One pass over the elements; `lines` is the result."""

    def __init__(
        self, elements: Sequence[Element], frames: Sequence[FrameInfo], phrasing: Phrasing
    ) -> None:
        self._elements = elements
        self._frames = frames
        self._phrasing = phrasing
        self._open: list[tuple[int, int]] = []  # depth and indentation of what is printed around
        self._said = ""  # the name of what was printed last and others are in
        self._run: list[_Part] = []
        self._run_depth = 0
        self._bullet = False
        self._furniture = -1  # depth of the navigation, header or footer we are in
        self.lines: list[Line] = []
        self._ends = _ends(elements)
        self._arrange()

    def _arrange(self) -> None:
        elements, place, count = self._elements, 0, len(self._elements)
        while place < count:
            element = elements[place]
            depth = element.depth
            if self._open and self._open[-1][0] >= depth:
                self._flush()
                self._close(depth)
            if depth <= self._furniture:
                self._flush()
                self._furniture = -1
            role = element.role
            if role == "text":
                self._text(place, element)
                place += 1
            elif role in CONTAINERS:
                place = self._container(place, element)
            elif element.ref:
                place = self._control(place, element)
            else:
                place = self._other(place, element)
        self._flush()

    def _close(self, depth: int) -> None:
        while self._open and self._open[-1][0] >= depth:
            self._open.pop()
        self._bullet = False

    def _indent(self) -> int:
        return self._open[-1][1] if self._open else 0

    def _write(self, place: int, text: str, kind: Kind, is_offscreen: bool | None) -> None:
        if kind is Kind.CONTROL and self._furniture >= 0:
            kind = Kind.FURNITURE
        indent = self._indent()
        if self._bullet:
            text = f"{' ' * (indent - 1)}- {text}"
            self._bullet = False
        elif indent:
            text = " " * indent + text
        self.lines.append(Line(text, place, kind, is_offscreen))

    def _push(self, place: int, element: Element, text: str) -> None:
        """Print a line that others are indented below."""
        self._flush()
        is_offscreen = bool(element.flags & OFFSCREEN) if element.box else None
        self._write(place, text, Kind.SECTION, is_offscreen)
        self._open.append((element.depth, self._indent() + 1))
        self._said = element.name

    # What grows on one line

    def _text(self, place: int, element: Element) -> None:
        if element.name == self._said or not element.name.strip(PUNCTUATION):
            return  # a legend repeats its group's name; a lone comma says nothing
        run = self._run
        if run and not (self._run_depth == element.depth and self._is_inline(run[-1])):
            self._flush()
        self._run_depth = element.depth
        self._run.append(_Part(place, "", quote(element.name, LONGEST_TEXT)))

    def _is_inline(self, part: _Part) -> bool:
        return bool(part.role) and bool(self._elements[part.place].flags & INLINE)

    def _control(self, place: int, element: Element) -> int:
        part = self._part(place, element)
        if self._ends[place] > place + 1:
            self._push(place, element, _joined(part))
            return place + 1
        run = self._run
        if run:
            is_sentence = element.flags & INLINE and self._run_depth == element.depth
            is_sentence = is_sentence and (not run[-1].role or self._is_inline(run[-1]))
            is_alike = run[-1].role == part.role and run[0].role and part.role in GROUPED
            if not (is_sentence or is_alike) or len(run) >= LONGEST_GROUP:
                self._flush()
        self._run_depth = element.depth
        self._run.append(part)
        return place + 1

    def _part(self, place: int, element: Element, in_row: bool = False) -> _Part:
        name = label(element)
        text = f"{element.ref} {element.role} {name}" if name else f"{element.ref} {element.role}"
        details = self._phrasing.details(element)
        if element.context and not in_row and not self._is_said_nearby(element.context):
            details.append(f"in {quote(element.context)}")
        return _Part(place, element.role, text, tuple(details))

    def _is_said_nearby(self, words: str) -> bool:
        """Whether a reader has just read these words; a row always says what it is about."""
        if any(words in part.text for part in self._run):
            return True
        return any(words in line.text for line in self.lines[-NEARBY:])

    def _flush(self) -> None:
        run = self._run
        if not run:
            return
        self._run = []
        if len(run) == 1 or any(not part.role for part in run):
            self._write_parts(run)
            return
        start = 0
        for end in range(1, len(run) + 1):
            if end == len(run) or run[end].role != run[start].role:
                self._write_alike(run[start:end])
                start = end

    def _write_alike(self, parts: list[_Part]) -> None:
        if len(parts) < 2 or parts[0].role not in GROUPED:
            for part in parts:
                self._write_parts([part])
            return
        for start in range(0, len(parts), LONGEST_GROUP):
            self._write_group(parts[start : start + LONGEST_GROUP])

    def _write_group(self, parts: list[_Part]) -> None:
        text = group(parts, self._elements)
        flags = [self._elements[part.place].flags & OFFSCREEN for part in parts]
        self._write(parts[0].place, text, Kind.CONTROL, all(flags))

    def _write_parts(self, parts: list[_Part]) -> None:
        text = " ".join(map(_joined, parts))
        controls = [part for part in parts if part.role]
        if controls:
            is_off = all(self._elements[part.place].flags & OFFSCREEN for part in controls)
            self._write(parts[0].place, text, Kind.CONTROL, is_off)
        else:
            flags = self._elements[parts[0].place].flags
            self._write(parts[0].place, text, Kind.TEXT, True if flags & OFFSCREEN else None)

    # What holds other things

    def _container(self, place: int, element: Element) -> int:
        role = element.role
        if role == "heading":
            return self._heading(place, element)
        if role == "row":
            return self._row(place, element)
        if role == "iframe":
            return self._frame(place, element)
        if role in ITEMS:
            return self._item(place, element)
        if element.ref and role not in SECTIONS:
            return self._control(place, element)
        if role in CELLS and self._ends[place] == place + 1:
            return self._other(place, element)
        if role in SECTIONS or (role in NAMED_SECTIONS and element.name):
            return self._section(place, element)
        self._flush()
        return place + 1

    def _section(self, place: int, element: Element) -> int:
        end = self._ends[place]
        if end == place + 1 and not element.name and not element.ref:
            return end
        text = self._phrasing.phrase(element)
        child = self._elements[place + 1] if end == place + 2 else None
        if element.role in SAID_AT_ONCE and child is not None and child.role == "text":
            self._flush()
            if child.name != element.name:
                text += " " + quote(child.name, LONGEST_TEXT)
            self._write(place, text, Kind.CONTROL, None)
            return end
        self._push(place, element, text)
        if element.role in FURNITURE and self._furniture < 0:
            self._furniture = element.depth
        return place + 1

    def _heading(self, place: int, element: Element) -> int:
        self._flush()
        marks = "#" * min(max(element.facts.level or 2, 1), 6)
        end = self._ends[place]
        child = self._elements[place + 1] if end > place + 1 else None
        is_off = bool(element.flags & OFFSCREEN)
        if child is not None and child.ref and end == place + 2 and child.name == element.name:
            words = [marks, child.ref, quote(child.name), *self._phrasing.details(child)]
            if child.role != "link":
                words.insert(2, child.role)
            self._write(place, " ".join(words), Kind.CONTROL, is_off)
            return end
        words = self._phrasing.details(element)
        head = f"{marks} {element.ref} {quote(element.name)}" if element.ref else f"{marks} {quote(element.name)}"
        self._write(place, " ".join([head, *words]), Kind.CONTROL, is_off)
        return place + 1

    def _item(self, place: int, element: Element) -> int:
        end = self._ends[place]
        if element.ref:
            return self._control(place, element)
        if end == place + 1:
            return self._other(place, element) if element.name else end
        first = self._elements[place + 1]
        if end > place + 2 and first.role != "heading":
            self._flush()
            self._open.append((element.depth, self._indent() + 1))
            self._bullet = True
        elif first.role != self._run_role():
            self._flush()
        return place + 1

    def _run_role(self) -> str:
        return self._run[-1].role if self._run else ""

    def _frame(self, place: int, element: Element) -> int:
        words = ["frame"]
        if element.name:
            words.append(quote(element.name))
        inner = next(
            (f for f in self._frames if f.parent == element.frame and f.owner == element.node and f.index),
            None,
        )
        if inner is not None:
            if inner.origin and inner.origin != self._frames[element.frame].origin:
                words.append("from " + plain(inner.origin.partition("://")[2] or inner.origin))
            if not inner.accessible:
                words.append(f"(not readable: {inner.reason})")
        words += self._phrasing.details(element)
        self._push(place, element, " ".join(words))
        return place + 1

    def _other(self, place: int, element: Element) -> int:
        """An element without a ref that is not a container: image, progress bar, cell outside a row."""
        end = self._ends[place]
        role = element.role
        if role in CELLS or role in ITEMS or role in TRANSPARENT:
            if element.name and end == place + 1:
                self._text(place, element)
            else:
                self._flush()
            return place + 1
        if element.name or element.facts.value:
            self._flush()
            is_off = bool(element.flags & OFFSCREEN) if element.box else None
            self._write(place, self._phrasing.phrase(element), Kind.TEXT, is_off)
        return place + 1

    # Tables

    def _row(self, place: int, element: Element) -> int:
        end = self._ends[place]
        inside = self._elements[place + 1 : end]
        if not inside or len(inside) > LARGEST_ROW or any(e.role in NOT_IN_ROWS for e in inside):
            if element.ref:
                return self._control(place, element)
            self._flush()
            return place + 1
        self._flush()
        cells, controls = self._cells(place + 1, end)
        head = self._phrasing.phrase(element) + " " if element.ref else ""
        roles = {part.role for part in controls}
        if len(controls) > 2 and len(roles) == 1 and all(len(cell) < 2 for cell in cells):
            parts = [part for cell in cells for part in cell]
            text = group(parts, self._elements)
        else:
            text = " | ".join(" ".join(map(_joined, cell)) for cell in cells)
        if text.strip(" |"):
            is_off = bool(element.flags & OFFSCREEN) if element.box else None
            kind = Kind.CONTROL if controls or element.ref else Kind.TEXT
            self._write(place, head + text, kind, is_off)
        return end

    def _cells(self, start: int, end: int) -> tuple[list[list[_Part]], list[_Part]]:
        cells: list[list[_Part]] = []
        controls: list[_Part] = []
        for place in range(start, end):
            element = self._elements[place]
            is_cell = element.role in CELLS
            if is_cell or not cells:
                cells.append([])
            if element.ref:
                part = self._part(place, element, in_row=True)
                controls.append(part)
                cells[-1].append(part)
            elif element.name and (element.role == "text" or self._ends[place] == place + 1):
                cells[-1].append(_Part(place, "", quote(element.name, LONGEST_TEXT)))
        return cells, controls


CONTAINERS = (
    SECTIONS | NAMED_SECTIONS | ITEMS | CELLS | TRANSPARENT | frozenset({"heading", "row", "iframe"})
)


def _joined(part: _Part) -> str:
    return f"{part.text} {' '.join(part.details)}" if part.details else part.text


def group(parts: Sequence[_Part], elements: Sequence[Element]) -> str:
    """`links @e1 "Home" @e2 "Help"`: the role said once, and the states once if all have the same."""
    role = next(part.role for part in parts if part.role)
    shared = parts[0].details if all(part.details == parts[0].details for part in parts) else ()
    skip = len(role) + 1
    words = [PLURALS.get(role, role + "s"), *shared]
    for part in parts:
        if part.role:
            ref = elements[part.place].ref
            words.append(ref + part.text[len(ref) + skip :])
            if not shared:
                words += part.details
        else:
            words.append(part.text)
    return " ".join(words)


def _ends(elements: Sequence[Element]) -> list[int]:
    """For each element the place after the last one inside it."""
    ends = [0] * len(elements)
    path: list[int] = []
    for place, element in enumerate(elements):
        depth = element.depth
        while path and elements[path[-1]].depth >= depth:
            ends[path.pop()] = place
        path.append(place)
    for place in path:
        ends[place] = len(elements)
    return ends

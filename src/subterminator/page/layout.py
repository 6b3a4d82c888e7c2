"""Arranges elements as lines: rows as rows, sentences as sentences, like with like.

Indentation is one space a level, and only below things that are printed themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

from subterminator.page.lines import Kind, Line, Part, group
from subterminator.page.phrases import Phrasing, frame_words, label, quote
from subterminator.page.tables import CELLS, Alike, Item, Tables
from subterminator.types import Element, Flag, FrameInfo

INLINE, OFFSCREEN = int(Flag.INLINE), int(Flag.OFFSCREEN)
LONGEST_TEXT = 2_000
LONGEST_GROUP = 30
NEARBY = 4
BEGINNING = 20
PUNCTUATION = " .,;:|·•/()[]–—-\u00a0"

SECTIONS = frozenset(
    {
        "alert", "alertdialog", "banner", "complementary", "contentinfo", "dialog", "feed", "form",
        "grid", "log", "marquee", "menu", "navigation", "region", "search", "status", "table",
        "timer", "tooltip", "tree", "treegrid",
    }
)  # fmt: skip
# These say something only by their name, and otherwise only hold other things.
NAMED_SECTIONS = frozenset(
    {
        "group",
        "radiogroup",
        "list",
        "menubar",
        "figure",
        "tabpanel",
        "toolbar",
        "tablist",
        "listbox",
    }
)
SAID_AT_ONCE = frozenset({"alert", "status", "tooltip", "log", "timer"})
ITEMS = frozenset({"listitem", "article", "row"})
TRANSPARENT = frozenset(
    {"main", "rowgroup", "generic", "none", "presentation", "document", "paragraph"}
)
GROUPED = frozenset(
    {
        "button", "checkbox", "generic", "gridcell", "link", "menuitem", "menuitemcheckbox",
        "menuitemradio", "option", "radio", "switch", "tab", "treeitem",
    }
)  # fmt: skip
FURNITURE = frozenset({"navigation", "banner", "contentinfo", "complementary"})


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
        self._run: list[Part] = []
        self._run_depth = 0
        self._bullet = False
        self._furniture = -1  # depth of the navigation, header or footer we are in
        self._items: dict[
            int, tuple[int, int]
        ] = {}  # by depth: where the last item ended, how many
        self._repeated_until = 0
        self.lines: list[Line] = []
        self._ends = _ends(elements)
        self._tables = Tables(elements, self._ends, self._part_in_row)
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
        self._said = ""

    def _indent(self) -> int:
        return self._open[-1][1] if self._open else 0

    def _write(
        self, place: int, text: str, kind: Kind, is_offscreen: bool | None, bare: str = ""
    ) -> None:
        if kind is Kind.CONTROL:
            if place < self._repeated_until:
                kind = Kind.REPEATED
            elif self._furniture >= 0:
                kind = Kind.FURNITURE
        indent = self._indent()
        if self._bullet:
            text = f"{' ' * (indent - 1)}- {text}"
            self._bullet = False
        elif indent:
            text = " " * indent + text
        self.lines.append(
            Line(text, place, kind, is_offscreen, " " * indent + bare if bare else "")
        )

    def _push(self, place: int, element: Element, text: str) -> None:
        """Print a line that others are indented below."""
        self._flush()
        self._write(place, text, Kind.SECTION, self._is_off(element))
        self._open.append((element.depth, self._indent() + 1))
        self._said = element.name

    def _is_off(self, element: Element) -> bool | None:
        if element.flags & OFFSCREEN:
            return True
        return False if element.box else None

    # What grows on one line

    def _text(self, place: int, element: Element) -> None:
        if element.name == self._said:
            return  # a legend repeats its group's name
        if not element.name.strip(PUNCTUATION):
            if "." in element.name:
                self._flush()  # the end of a sentence; a comma goes on
            return
        if self._run and not (self._run_depth == element.depth and element.flags & INLINE):
            self._flush()
        self._run_depth = element.depth
        self._run.append(Part(place, "", "", quote(element.name, LONGEST_TEXT)))

    def _control(self, place: int, element: Element) -> int:
        part = self._part(place, element)
        if self._ends[place] > place + 1:
            self._push(place, element, part.text())
            return place + 1
        if self._run and not self._continues(element):
            self._flush()
        self._run_depth = element.depth
        self._run.append(part)
        return place + 1

    def _continues(self, element: Element) -> bool:
        """Whether a control goes on the open line: in a sentence, or among its like."""
        run = self._run
        if len(run) >= LONGEST_GROUP:
            return False
        last = self._elements[run[-1].place]
        if element.flags & INLINE and self._run_depth == element.depth:
            return True
        if last.role != element.role or not run[0].role or element.role not in GROUPED:
            return False
        return not (last.flags ^ element.flags) & OFFSCREEN

    def _part(self, place: int, element: Element) -> Part:
        part = self._part_in_row(place, element)
        if element.context and not self._is_said_nearby(element.context):
            return part._replace(details=(*part.details, f"in {quote(element.context)}"))
        return part

    def _part_in_row(self, place: int, element: Element) -> Part:
        """A row always says what it is about."""
        details = tuple(self._phrasing.details(element))
        return Part(place, element.role, element.ref, label(element), details)

    def _is_said_nearby(self, words: str) -> bool:
        """Whether a reader has just read these words."""
        if any(words in part.name for part in self._run):
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

    def _write_alike(self, parts: list[Part]) -> None:
        if len(parts) < 2 or parts[0].role not in GROUPED:
            for part in parts:
                self._write_parts([part])
            return
        for start in range(0, len(parts), LONGEST_GROUP):
            self._write_group(parts[start : start + LONGEST_GROUP])

    def _write_group(self, parts: list[Part]) -> None:
        is_off = all(self._elements[part.place].flags & OFFSCREEN for part in parts)
        self._write(parts[0].place, group(parts), Kind.CONTROL, is_off)

    def _write_parts(self, parts: list[Part]) -> None:
        text = " ".join([part.text() for part in parts])
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
        if role == "iframe":
            return self._frame(place, element)
        if role in ITEMS:
            alike = None if element.ref else self._tables.alike(place)
            if alike is not None:
                return self._write_items(alike)
            self._count_item(place, element.depth)
            return self._row(place, element) if role == "row" else self._item(place, element)
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
        elif element.role in {"grid", "table"}:
            self._tables.enter(place)
        return place + 1

    def _heading(self, place: int, element: Element) -> int:
        self._flush()
        marks = "#" * min(max(element.facts.level or 2, 1), 6)
        end = self._ends[place]
        child = self._elements[place + 1] if end > place + 1 else None
        is_off = bool(element.flags & OFFSCREEN)
        is_same = child is not None and end == place + 2 and child.name == element.name
        if child is not None and is_same and child.ref and not element.ref:
            words = [marks, child.ref, quote(child.name), *self._phrasing.details(child)]
            if child.role != "link":
                words.insert(2, child.role)
            self._write(place, " ".join(words), Kind.CONTROL, is_off)
            return end
        words = [marks, element.ref, quote(element.name), *self._phrasing.details(element)]
        self._write(place, " ".join(filter(None, words)), Kind.CONTROL, is_off)
        return place + 1

    def _count_item(self, place: int, depth: int) -> None:
        """Items that follow each other are one list; what comes late in it is worth less."""
        end, count = self._items.get(depth, (0, 0))
        count = count + 1 if end == place else 1
        self._items[depth] = (self._ends[place], count)
        if count > BEGINNING:
            self._repeated_until = max(self._repeated_until, self._ends[place])

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
        words = [element.ref] if element.ref else []
        words += [*frame_words(element, self._frames), *self._phrasing.details(element)]
        self._push(place, element, " ".join(words))
        return place + 1

    def _other(self, place: int, element: Element) -> int:
        """An element without a ref that holds nothing: image, progress bar, cell outside a row."""
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
            self._write(place, self._phrasing.phrase(element), Kind.TEXT, self._is_off(element))
        return place + 1

    def _row(self, place: int, element: Element) -> int:
        self._flush()
        row = self._tables.row(place)
        if row is None:
            return self._control(place, element) if element.ref else place + 1
        if element.ref:
            head = self._phrasing.phrase(element)
            row = Item(f"{head} {row.text}", f"{head} {row.bare}", True)
        self._write_item(place, row)
        return self._ends[place]

    def _write_items(self, alike: Alike) -> int:
        """Many like items: what is in each is said once, then each has a line without roles."""
        self._flush()
        self._write(alike.places[0], alike.header, Kind.HEADER, None)
        for place in alike.places:
            self._count_item(place, self._elements[place].depth)
            self._write_item(place, self._tables.item(place))
        return alike.end

    def _write_item(self, place: int, item: Item) -> None:
        if not item.text:
            return
        kind = Kind.CONTROL if item.has_controls else Kind.TEXT
        inside = self._elements[place : self._ends[place]]
        is_off = all(element.flags & OFFSCREEN for element in inside if element.ref)
        self._write(place, item.text, kind, is_off if item.has_controls else None, item.bare)


CONTAINERS = (
    SECTIONS | NAMED_SECTIONS | ITEMS | CELLS | TRANSPARENT | frozenset({"heading", "iframe"})
)


def _ends(elements: Sequence[Element]) -> list[int]:
    """For each element the place after the last one inside it."""
    depths = [element.depth for element in elements]
    ends = [0] * len(depths)
    path: list[int] = []
    for place, depth in enumerate(depths):
        while path and depths[path[-1]] >= depth:
            ends[path.pop()] = place
        path.append(place)
    for place in path:
        ends[place] = len(depths)
    return ends

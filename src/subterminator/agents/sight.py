"""A page as a careful person sees it: the layer on top, its parts, what can be pressed. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from subterminator.agents.vocabulary import ROBOT
from subterminator.packs.matcher import Control as Named
from subterminator.packs.matcher import PageWords
from subterminator.packs.phrase import fold_name
from subterminator.page.snapshot import Snapshot
from subterminator.types import Element, Flag

Kind = Literal["press", "choice", "field", "list", "slider"]

PRESSED = frozenset({"button", "link", "menuitem", "tab", "generic"})
CHOICES = frozenset({"radio", "checkbox", "switch", "menuitemradio", "menuitemcheckbox", "option"})
FIELDS = frozenset({"textbox", "searchbox", "spinbutton"})
LISTS = frozenset({"combobox", "listbox"})
SLIDERS = frozenset({"slider"})
# What groups things together; a control belongs to the smallest of these around it.
PARTS = frozenset({
    "dialog", "alertdialog", "form", "row", "listitem", "article", "region", "tabpanel", "iframe",
})  # fmt: skip
DIALOGS = frozenset({"dialog", "alertdialog"})
# The frame around every page of a site; what it says is not about this page.
AROUND_PAGES = frozenset({"banner", "navigation", "contentinfo", "complementary"})
SPOKEN = frozenset({
    "text", "heading", "cell", "gridcell", "rowheader", "columnheader", "img", "group",
    "radiogroup",
})  # fmt: skip
READ = SPOKEN | {"link", "listitem"}
LONGEST_NAME = 160
LONGEST_PART = 600


class Part(NamedTuple):
    """A section, card, row or dialog: its heading and all that it says."""

    heading: str
    text: str
    start: int

    def holds(self, other: Part) -> bool:
        """Whether the other one lies inside it."""
        inner = set(other.text.splitlines())
        return self.start < other.start and inner < set(self.text.splitlines())


class Control(NamedTuple):
    """Something to press, choose or fill in, with what it stands in."""

    element: Element
    kind: Kind
    name: str
    part: Part
    place: int
    is_around: bool
    """It belongs to the frame around every page: menu, footer."""

    @property
    def ref(self) -> str:
        return self.element.ref

    @property
    def role(self) -> str:
        return self.element.role

    def has(self, flag: Flag) -> bool:
        return bool(self.element.flags & flag)

    @property
    def is_link(self) -> bool:
        """A link that leads to another address and so changes nothing by itself."""
        href = self.element.facts.href
        return href.startswith(("http:", "https:")) and not href.endswith("#")


class Sight:
    """One look at a page. Of a page with a dialog on top: what the dialog shows."""

    def __init__(self, snapshot: Snapshot, overlooked: frozenset[str] = frozenset()) -> None:
        self.snapshot = snapshot
        self._overlooked = overlooked
        self.url = snapshot.page.url
        self.title = snapshot.page.title
        self._all = snapshot.elements
        self.parents = _parents(self._all)
        self.places = self._top_layer()
        self.is_dialog = len(self.places) < len(self._all)
        self._parts: dict[int, Part] = {}

    @cached_property
    def controls(self) -> tuple[Control, ...]:
        return tuple(self._controls(self.places))

    @cached_property
    def presses(self) -> tuple[Control, ...]:
        return tuple(c for c in self.controls if c.kind == "press")

    @cached_property
    def text(self) -> str:
        """All that is readable but names of buttons; menus and footers left out."""
        return self._read(self.places)

    @cached_property
    def whole_text(self) -> str:
        return self._read(range(len(self._all)))

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The texts in reading order, one by one."""
        return tuple(
            self._all[place].name
            for place in self.places
            if self._all[place].role in SPOKEN and not self._is_around(place)
        )

    @cached_property
    def headings(self) -> tuple[str, ...]:
        found = [self._all[p].name for p in self.places if self._all[p].role == "heading"]
        dialogs = [
            self._all[p].name
            for p in self.places
            if self._all[p].role in DIALOGS and self._all[p].name not in found
        ]
        return (*dialogs, *found)

    @cached_property
    def words(self) -> PageWords:
        """In the form in which packs judge it."""
        named = (
            Named(_secret_role(c.element) or c.role, c.name)
            for c in self.controls
            if not c.is_around
        )
        puzzles = (Named("captcha", puzzle.name or "captcha") for puzzle in self.puzzles)
        return PageWords(self.url, self.title, self.text, (*named, *puzzles))

    @cached_property
    def puzzles(self) -> tuple[Element, ...]:
        """What asks whether a person is there and has no answer yet."""
        return tuple(
            element
            for element in self._all
            if (element.facts.captcha or element.role == "captcha" or _is_for_people(element))
            and not element.flags & (Flag.CHECKED | Flag.DISABLED)
        )

    @cached_property
    def secrets(self) -> tuple[Control, ...]:
        """Fields for what only the person may type."""
        return tuple(c for c in self.controls if c.kind == "field" and _secret_role(c.element))

    def secret_kind(self, control: Control) -> str:
        return _secret_role(control.element)

    @cached_property
    def page_dialog(self) -> Element | None:
        """The dialog on top, if there is one."""
        for place in self.places:
            if self._all[place].role in DIALOGS:
                return self._all[place]
        return None

    # Making it

    def _top_layer(self) -> Sequence[int]:
        """The places of what is on top: a modal dialog, a dialog that covers the page, or all."""
        everything = range(len(self._all))
        for flag in (Flag.TOP, Flag.OVERLAY):
            layers = [p for p in everything if self._all[p].flags & flag]
            if self._overlooked & {self._all[p].name for p in layers if self._all[p].name}:
                continue
            usable = [p for p in layers if self._all[p].ref and self._all[p].flags & 1]
            if usable and (flag == Flag.TOP or self._is_dialog(layers) or self._covers()):
                return self._topmost(layers)
        return everything

    def _is_dialog(self, layer: Sequence[int]) -> bool:
        return any(self._all[place].role in DIALOGS for place in layer)

    def _covers(self) -> bool:
        """Whether most of what could be pressed lies under something."""
        usable = [e for e in self._all if e.ref and not e.flags & Flag.OVERLAY]
        covered = [e for e in usable if e.flags & Flag.COVERED]
        return bool(usable) and len(covered) * 2 > len(usable)

    def _topmost(self, layer: Sequence[int]) -> Sequence[int]:
        """Of several dialogs in one layer the one whose controls nothing covers."""
        boxes = [p for p in layer if self._all[p].role in DIALOGS]
        if len(boxes) < 2:
            return layer
        for box in boxes:
            inside = [p for p in layer if p == box or self._is_inside(p, box)]
            if any(self._all[p].ref and not self._all[p].flags & Flag.COVERED for p in inside[1:]):
                return inside
        return layer

    def _is_inside(self, place: int, box: int) -> bool:
        while place >= 0:
            if place == box:
                return True
            place = self.parents[place]
        return False

    def _is_around(self, place: int) -> bool:
        while place >= 0:
            if self._all[place].role in AROUND_PAGES:
                return True
            place = self.parents[place]
        return False

    def _controls(self, places: Sequence[int]) -> Iterator[Control]:
        for place in places:
            element = self._all[place]
            kind = _kind(element)
            if kind is None or not element.ref:
                continue
            around = self._is_around(place)
            yield Control(element, kind, _name(element), self.part(place), place, around)

    def part(self, place: int) -> Part:
        """What a place stands in: a dialog, row, card; else what follows the last heading."""
        box = self._box(place)
        heading = self._heading(place, box)
        key = max(box, heading)
        if key not in self._parts:
            self._parts[key] = self._as_part(box, heading)
        return self._parts[key]

    def parts_with(self, words: str) -> list[Part]:
        """What the places stand in that say these words, the smallest first."""
        said = (p for p in self.places if words in self._all[p].name)
        parts = {self.part(p) for p in said if self._all[p].role in SPOKEN}
        return sorted(parts, key=lambda part: len(part.text))

    def section(self, place: int) -> str:
        """The last heading before a place, whatever box it stands in."""
        above = self._heading(place, -1)
        return self._all[above].name if above >= 0 else ""

    def _heading(self, place: int, box: int) -> int:
        """The heading before a place, inside its box and not that of a sibling."""
        for before in range(place - 1, box, -1):
            if self._all[before].role == "heading":
                inner = self._box(before)
                if inner < 0 or self._is_inside(place, inner):
                    return before
        return -1

    def _box(self, place: int) -> int:
        """The smallest part around a place; below 0 if there is none."""
        box = self.parents[place]
        while box >= 0 and self._all[box].role not in PARTS:
            box = self.parents[box]
        return box

    def _as_part(self, box: int, heading: int) -> Part:
        start = max(box, heading, 0)
        end = start + 1
        floor = self._all[box].depth if box >= 0 else -1
        while end < len(self._all) and self._all[end].depth > floor:
            if self._all[end].role == "heading" and heading > box and end > heading:
                break
            end += 1
        title = self._all[heading].name if heading >= 0 else ""
        if not title and box >= 0:
            title = self._all[box].name
        return Part(title, self._read(range(start, end))[:LONGEST_PART], start)

    def _read(self, places: Sequence[int]) -> str:
        lines = []
        for place in places:
            element = self._all[place]
            if element.role in READ and element.name and not self._is_around(place):
                lines.append(element.name)
            elif element.role in DIALOGS and element.name:
                lines.append(element.name)
        return "\n".join(dict.fromkeys(lines))


def _parents(elements: Sequence[Element]) -> list[int]:
    parents: list[int] = []
    path: list[int] = []
    for place, element in enumerate(elements):
        while path and elements[path[-1]].depth >= element.depth:
            path.pop()
        parents.append(path[-1] if path else -1)
        path.append(place)
    return parents


def _kind(element: Element) -> Kind | None:
    if not element.flags & Flag.INTERACTIVE:
        return None
    if element.role in CHOICES:
        return "choice"
    if element.role in LISTS or element.tag == "select":
        return "list"
    if element.role in SLIDERS:
        return "slider"
    if element.role in FIELDS or (element.flags & Flag.EDITABLE and element.tag != "button"):
        return "field"
    return "press" if element.role in PRESSED or element.name else None


def _name(element: Element) -> str:
    facts = element.facts
    name = element.name or facts.description or facts.hint.removeprefix("~") or facts.placeholder
    return " ".join(name.split())[:LONGEST_NAME]


def _is_for_people(element: Element) -> bool:
    """A box that says that whoever ticks it is no machine."""
    return element.role == "checkbox" and bool(ROBOT.search(fold_name(element.name)))


def _secret_role(element: Element) -> str:
    kind = element.facts.secret
    if not kind and element.flags & Flag.SECRET:
        kind = "password"
    if kind in {"", "password", "card"}:
        return kind
    return "code" if "code" in kind else "password" if "pass" in kind else "card"

"""Puts what repeats on one line each: rows, cards that are all alike, the weeks of a month."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from subterminator.page.lines import Part, group
from subterminator.page.phrases import quote
from subterminator.types import Element

LARGEST_ITEM = 24
FEWEST_ALIKE = 8
LONGEST_CELL = 2_000
FEWEST_DAYS, LARGEST_MONTH = 20, 300
CELLS = frozenset({"cell", "gridcell", "columnheader", "rowheader"})
# What needs lines of its own.
BLOCKS = frozenset(
    {
        "row", "table", "grid", "treegrid", "iframe", "dialog", "alertdialog", "list", "listitem",
        "article", "form", "region", "navigation", "group", "radiogroup", "tablist", "tabpanel",
        "listbox", "menu", "tree", "toolbar",
    }
)  # fmt: skip
DAY = re.compile(r"(?<![\d.:/-])([12]?\d|3[01])(?:st|nd|rd|th|\.)?(?![\d:/]|-\d)")


class Item(NamedTuple):
    """A row or card on one line; `bare` is the same without all but its first text."""

    text: str
    bare: str
    has_controls: bool


class Alike(NamedTuple):
    """Items in a row that differ in words only: where each starts, and what is in each."""

    places: tuple[int, ...]
    end: int
    header: str


class Tables:
    """Writes rows and cards. `part` puts one element into words."""

    def __init__(
        self,
        elements: Sequence[Element],
        ends: Sequence[int],
        part: Callable[[int, Element], Part],
    ) -> None:
        self._elements = elements
        self._ends = ends
        self._part = part
        self._days: dict[int, str] = {}

    def enter(self, place: int) -> None:
        """Look at a whole grid before its rows: a month's days are called by their numbers."""
        end = self._ends[place]
        is_small = end - place <= LARGEST_MONTH
        self._days = day_numbers(self._elements, place + 1, end) if is_small else {}

    def row(self, place: int) -> Item | None:
        """None if the row holds too much, or whole blocks: then it is no row to a reader."""
        roles = self._roles(place)
        if not roles or "heading" in roles:
            return None
        cells = self._cells(place + 1, self._ends[place])
        kinds = [part.role for cell in cells for part in cell if part.role]
        if len(kinds) > 2 and kinds.count(kinds[0]) == len(kinds) and max(map(len, cells)) < 2:
            text = group([part for cell in cells for part in cell])
            return Item(text, text, True)
        return _item(cells, with_roles=True)

    def alike(self, place: int) -> Alike | None:
        """The items from here on that have the same things in them, if they are many."""
        first = self._elements[place]
        roles = self._roles(place)
        if len(roles) < 2:
            return None
        places = [place]
        end = self._ends[place]
        while end < len(self._elements):
            element = self._elements[end]
            if element.depth != first.depth or element.role != first.role or element.ref:
                break
            if self._roles(end) != roles:
                break
            places.append(end)
            end = self._ends[end]
        if len(places) < FEWEST_ALIKE:
            return None
        cells = self._cells(place + 1, self._ends[place])
        if sum(1 for cell in cells for part in cell if part.role) < 2:
            return None
        inside = " | ".join([", ".join([part.role or "text" for part in cell]) for cell in cells])
        return Alike(tuple(places), end, f"each {first.role}: {inside}")

    def item(self, place: int) -> Item:
        """One of many that are alike: what everything is has been said."""
        return _item(self._cells(place + 1, self._ends[place]), with_roles=False)

    def _roles(self, place: int) -> list[str]:
        """The roles inside an item; none if it cannot be put on a line."""
        inside = self._elements[place + 1 : self._ends[place]]
        if not inside or len(inside) > LARGEST_ITEM:
            return []
        roles = [element.role for element in inside]
        return roles if BLOCKS.isdisjoint(roles) else []

    def _cells(self, start: int, end: int) -> list[list[Part]]:
        cells: list[list[Part]] = []
        said = ""
        for place in range(start, end):
            element = self._elements[place]
            if element.role in CELLS or not cells:
                cells.append([])
            if element.ref:
                part = self._part(place, element)
                if place in self._days:
                    part = part._replace(name=quote(self._days[place]))
                said = element.name
                cells[-1].append(part)
            elif element.name and element.name not in said and self._is_said_here(place, element):
                cells[-1].append(Part(place, "", "", quote(element.name, LONGEST_CELL)))
        return cells

    def _is_said_here(self, place: int, element: Element) -> bool:
        """Whether a name is not said by something inside: a heading is often only a link."""
        if element.role == "text" or self._ends[place] == place + 1:
            return True
        return element.role == "heading" and self._elements[place + 1].name != element.name


def _item(cells: list[list[Part]], with_roles: bool) -> Item:
    text = " | ".join([" ".join([part.text(with_roles) for part in cell]) for cell in cells])
    kept: list[str] = []
    count = controls = 0
    for cell in cells:
        for part in cell:
            count += 1
            controls += bool(part.role)
            if part.role or count == 1:
                kept.append(part.text(with_roles))
    return Item(text if count else "", " ".join(kept), bool(controls))


def day_numbers(elements: Sequence[Element], start: int, end: int) -> dict[int, str]:
    """The days of a month by place, if this grid is one: numbers that mostly count up by one."""
    days: dict[int, str] = {}
    steps = 0
    last = 0
    for place in range(start, end):
        element = elements[place]
        if element.ref and element.name:
            numbers = DAY.findall(element.name[:80])
            if numbers:
                days[place] = numbers[0]
                steps += int(numbers[0]) == last + 1
                last = int(numbers[0])
    return days if steps >= FEWEST_DAYS and steps >= 0.7 * len(days) else {}

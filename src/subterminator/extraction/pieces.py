"""A page cut into what belongs together: tables, and things of which there are several. Pure.

A snapshot has no boxes that only group; what repeats in the same order is what belongs together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from subterminator.types import Element

TABLES = frozenset({"table", "grid", "treegrid"})
CELLS = frozenset({"cell", "gridcell", "rowheader"})
ITEMS = frozenset({"listitem", "article", "row", "option", "treeitem", "group"})
# What a thing of several begins with.
BEGINNINGS = ("heading", "link", "img", "text", "checkbox", "radio", "button")
MOST_ITEMS = 100
LARGEST_ITEM = 40


class Table(NamedTuple):
    """Headers, and rows of as many cells; a cell is what stands in it."""

    headers: tuple[str, ...]
    rows: tuple[tuple[Element, ...], ...]
    title: str = ""


class Group(NamedTuple):
    """Things that are alike. `sure`: the page itself says where each begins and ends."""

    items: tuple[tuple[Element, ...], ...]
    title: str
    sure: bool


def tables_in(elements: Sequence[Element]) -> Iterator[Table]:
    for place, element in enumerate(elements):
        if element.role in TABLES:
            rows = list(_rows(elements[place + 1 : end_of(elements, place)]))
            if table := _table(rows, element.name or heading_before(elements, place)):
                yield table


def _rows(elements: Sequence[Element]) -> Iterator[list[Element]]:
    row: list[Element] | None = None
    for element in elements:
        if element.role == "row":
            if row:
                yield row
            row = []
        elif row is not None and (element.role in CELLS or element.role == "columnheader"):
            row.append(element)
    if row:
        yield row


def _table(rows: list[list[Element]], title: str) -> Table | None:
    if not rows:
        return None
    heads = [cell.name for cell in rows[0]]
    is_head = all(cell.role in {"columnheader", "rowheader"} for cell in rows[0])
    body = rows[1:] if is_head else rows
    kept = tuple(tuple(row) for row in body if any(cell.name for cell in row))
    if not kept:
        return None
    return Table(tuple(heads) if is_head else (), kept[:MOST_ITEMS], title)


def groups_in(elements: Sequence[Element]) -> Iterator[Group]:
    """Items that the page marks as such first, then what merely repeats."""
    yield from _marked(elements)
    for depth in sorted({element.depth for element in elements}):
        for start, end in _runs(elements, depth):
            yield from _repeated(elements, start, end, depth)


def _marked(elements: Sequence[Element]) -> Iterator[Group]:
    found: dict[tuple[str, int, int], list[tuple[Element, ...]]] = {}
    first: dict[tuple[str, int, int], int] = {}
    parents = _parents(elements)
    for place, element in enumerate(elements):
        if element.role in ITEMS and element.role != "row":
            key = (element.role, element.depth, parents[place])
            first.setdefault(key, place)
            found.setdefault(key, []).append(tuple(elements[place : end_of(elements, place)]))
    for key, items in found.items():
        if len(items) > 1:
            yield Group(tuple(items[:MOST_ITEMS]), heading_before(elements, first[key]), True)


def _parents(elements: Sequence[Element]) -> list[int]:
    parents: list[int] = []
    path: list[int] = []
    for place, element in enumerate(elements):
        while path and elements[path[-1]].depth >= element.depth:
            path.pop()
        parents.append(path[-1] if path else -1)
        path.append(place)
    return parents


def _runs(elements: Sequence[Element], depth: int) -> Iterator[tuple[int, int]]:
    """Stretches that lie at one depth, whatever lies inside them."""
    start = None
    for place, element in enumerate(elements):
        if element.depth < depth:
            if start is not None and place - start > 1:
                yield start, place
            start = None
        elif start is None and element.depth == depth:
            start = place
    if start is not None and len(elements) - start > 1:
        yield start, len(elements)


def _repeated(elements: Sequence[Element], start: int, end: int, depth: int) -> Iterator[Group]:
    for role in BEGINNINGS:
        levels: dict[int, list[int]] = {}
        for place in range(start, end):
            element = elements[place]
            if element.depth == depth and element.role == role:
                levels.setdefault(element.facts.level or 0, []).append(place)
        for places in levels.values():
            if group := _cut(elements, places, end):
                yield group


def _cut(elements: Sequence[Element], places: list[int], end: int) -> Group | None:
    """From one beginning to the next; the last is as long as the longest of the others."""
    if len(places) < 2:
        return None
    longest = max(later - place for place, later in zip(places, places[1:], strict=False))
    if longest > LARGEST_ITEM:
        return None
    stops = [*places[1:], min(end, places[-1] + longest)]
    last = places[-1]
    top = min(elements[place].depth for place in places)
    stop = next(
        (place for place in range(last + 1, stops[-1]) if _is_other(elements, place, last, top)),
        stops[-1],
    )
    stops[-1] = stop
    items = tuple(tuple(elements[place:until]) for place, until in zip(places, stops, strict=True))
    return Group(items[:MOST_ITEMS], heading_before(elements, places[0]), False)


def _is_other(elements: Sequence[Element], place: int, first: int, depth: int) -> bool:
    """Whether something else begins here: a heading at least as high, or a table."""
    element, begun = elements[place], elements[first]
    if element.role in TABLES or element.depth < depth:
        return True
    if element.role != "heading":
        return False
    return begun.role != "heading" or (element.facts.level or 9) <= (begun.facts.level or 9)


def end_of(elements: Sequence[Element], place: int) -> int:
    end = place + 1
    while end < len(elements) and elements[end].depth > elements[place].depth:
        end += 1
    return end


def heading_before(elements: Sequence[Element], place: int) -> str:
    """What the part of the page is called in which something stands."""
    for before in range(place - 1, -1, -1):
        if elements[before].role == "heading":
            return elements[before].name
    return ""

"""Says where an element is: the row, card, group or heading that tells it from its twins."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from subterminator.types import Element

LONGEST = 80
FARTHEST = 30
# Things that repeat; what is said first inside tells one from the next.
ITEMS = frozenset({"row", "listitem", "article", "treeitem", "option", "menuitem", "generic"})
# Things that are called by their own name.
SECTIONS = frozenset(
    {
        "alertdialog", "banner", "complementary", "contentinfo", "dialog", "feed", "figure", "form",
        "grid", "group", "iframe", "list", "listbox", "menu", "menubar", "navigation", "radiogroup",
        "region", "search", "table", "tablist", "tabpanel", "toolbar", "tree", "treegrid",
    }
)  # fmt: skip
LABELS = frozenset({"heading", "rowheader", "text", "cell", "gridcell", "link", "img"})


class Surroundings:
    """Answers what is around an element. Looks at each container only once."""

    def __init__(self, elements: Sequence[Element]) -> None:
        self._elements = elements
        self._labels: dict[int, str] = {}
        self.parents: list[int] = []
        self.headings: list[int] = []
        path: list[int] = []
        heading = -1
        for place, element in enumerate(elements):
            while path and elements[path[-1]].depth >= element.depth:
                path.pop()
            self.parents.append(path[-1] if path else -1)
            path.append(place)
            self.headings.append(heading)
            if element.role == "heading":
                heading = place

    def of(self, place: int) -> str:
        """What tells an element from its twins: a row, card or section, else a heading before."""
        label = self.container(place)
        heading = self.headings[place]
        if label or heading < 0:
            return label
        return _short(self._elements[heading].name)

    def container(self, place: int) -> str:
        """What the nearest thing around an element is called, if not the same as the element."""
        name = self._elements[place].name
        parent = self.parents[place]
        while parent >= 0:
            label = self.label(parent)
            if label and label != name:
                return label
            parent = self.parents[parent]
        return ""

    def label(self, place: int) -> str:
        """What a container is called: its name, or for a row or card what comes first in it."""
        found = self._labels.get(place)
        if found is None:
            element = self._elements[place]
            if element.role in ITEMS:
                found = self._first_words(place)
            else:
                found = _short(element.name) if element.role in SECTIONS else ""
            self._labels[place] = found
        return found

    def _first_words(self, place: int) -> str:
        """A heading or row header inside, else the first short text."""
        depth = self._elements[place].depth
        first = ""
        for child in self._elements[place + 1 : place + 40]:
            if child.depth <= depth:
                break
            if child.name and child.role in LABELS:
                if child.role in {"heading", "rowheader"}:
                    return _short(child.name)
                first = first or _short(child.name)
        return first or _short(self._elements[place].name)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"


def with_contexts(elements: list[Element]) -> list[Element]:
    """The same elements; those that share role and name with another now say where they are."""
    places: dict[tuple[str, str], list[int]] = {}
    for place, element in enumerate(elements):
        if element.ref:
            places.setdefault((element.role, element.name), []).append(place)
    groups = [twins for twins in places.values() if len(twins) > 1]
    if not groups:
        return elements
    around = Surroundings(elements)
    for twins in groups:
        contexts = [around.of(place) for place in twins]
        if len(set(contexts)) < len(twins):
            contexts = [
                _words_before(elements, twins, which) or context
                for which, context in enumerate(contexts)
            ]
        for place, context in zip(twins, contexts, strict=True):
            if context:
                elements[place] = structs.replace(elements[place], context=context)
    return elements


def _words_before(elements: Sequence[Element], twins: Sequence[int], which: int) -> str:
    """What is said first since the twin before: where cards are mere boxes, that is their title.

    The first twin has no one before it; its card begins as far back as the second's does.
    """
    place = twins[which]
    if which:
        said = _said(elements, twins[which - 1] + 1, place)
        return said[0] if said else ""
    back = len(_said(elements, twins[0] + 1, twins[1]))
    said = _said(elements, max(place - FARTHEST, 0), place)
    return said[-back] if 0 < back <= len(said) else ""


def _said(elements: Sequence[Element], start: int, end: int) -> list[str]:
    if end - start > FARTHEST:
        return []
    return [
        _short(element.name)
        for element in elements[start:end]
        if element.role in {"text", "heading"} and any(map(str.isalnum, element.name))
    ]

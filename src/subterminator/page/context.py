"""Says where an element is: the row, card, group or heading that tells it from its twins."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from subterminator.types import Element

LONGEST = 80
# Things that repeat; what is said first inside tells one from the next.
ITEMS = frozenset({"row", "listitem", "article", "treeitem", "option", "menuitem", "generic"})
# Things that are called by their own name.
SECTIONS = frozenset(
    {
        "alertdialog", "banner", "complementary", "contentinfo", "dialog", "feed", "figure", "form", "grid",
        "group", "iframe", "list", "listbox", "menu", "menubar", "navigation", "radiogroup", "region",
        "search", "table", "tablist", "tabpanel", "toolbar", "tree", "treegrid",
    }
)  # fmt: skip
LABELS = frozenset({"heading", "rowheader", "text", "cell", "gridcell", "link", "img"})


class Surroundings:
    """Answers what is around an element of a list in page order. Asks for each container only once."""

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
        """What tells an element from its twins: a row, card or section, else the heading before it."""
        label = self.container(place)
        heading = self.headings[place]
        if label or heading < 0:
            return label
        return _short(self._elements[heading].name)

    def container(self, place: int) -> str:
        """What the nearest thing around an element is called that is called anything else than itself."""
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
    first: dict[tuple[str, str], int] = {}
    twins: list[int] = []
    for place, element in enumerate(elements):
        if element.ref:
            other = first.setdefault((element.role, element.name), place)
            if other != place:
                twins += (other, place)
    if twins:
        around = Surroundings(elements)
        contexts = {place: around.of(place) for place in dict.fromkeys(twins)}
        for place, context in contexts.items():
            elements[place] = structs.replace(elements[place], context=context)
    return elements

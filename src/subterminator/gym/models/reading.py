"""Reads the text that a model is shown of a page back into elements. Knows the text, no browser.

What a text does not say stays unknown: sizes, tags, where most links lead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from msgspec.structs import replace

from subterminator.gym.models.lines import REF, SECTIONS, elements_of, split_cells, unquote
from subterminator.page.snapshot import Snapshot
from subterminator.types import Element, Facts, Flag, FrameInfo, PageInfo, Viewport

HEAD = re.compile(r'^page ("(?:[^"\\]|\\.)*") at (\S+)', re.MULTILINE)
SKIPPED = ("Words in quotes", "Left out to fit", "controls left out", "The page is too large")
UNDER = "under it:"
EACH = re.compile(r"^each (\w+): (.*)$")
TABLES = frozenset({"table", "grid", "treegrid"})
SAID_AT_ONCE = frozenset({"alert", "status", "tooltip", "log", "timer"})
VIEWPORT = Viewport(1024, 768, 0, 0)


def read_page(text: str) -> Snapshot | None:
    """The page that a text shows whole; None if it shows none."""
    found = list(HEAD.finditer(text))
    if not found:
        return None
    head = found[-1]
    url = unquote(head[2]) if head[2].startswith('"') else head[2]
    page = PageInfo(url, unquote(head[1]))
    elements = tuple(_Lines(url).read(text[head.end() :].splitlines()[1:]))
    frame = FrameInfo(0, -1, "main", url, url, world="w")
    return Snapshot("", datetime.now(UTC), page, VIEWPORT, elements, (frame,))


class _Lines:
    """Line by line; knows what table or list of like items it is in."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._elements: list[Element] = []
        self._offscreen = False
        self._tables: list[int] = []
        self._panel = 0
        self._each: tuple[int, str, list[list[str]]] | None = None

    def read(self, lines: Sequence[str]) -> list[Element]:
        for line in lines:
            if line.startswith("</page-"):
                break
            self._read(line)
        return self._elements

    def _read(self, line: str) -> None:
        words = line.lstrip(" ")
        depth = len(line) - len(words) + 1
        if not words or words.startswith(SKIPPED):
            return
        if words.startswith("-- ") and words.endswith(" --"):
            self._offscreen = words != "-- in view --"
        elif words.startswith(UNDER):
            self._elements = [_flagged(e, Flag.OVERLAY | Flag.TOP) for e in self._elements]
            self._add_under(words)
        elif each := EACH.match(words):
            roles = [cell.split(", ") for cell in each[2].split(" | ")]
            self._each = (depth, each[1], roles)
        else:
            self._line(words, depth)

    def _add_under(self, words: str) -> None:
        """A few controls are named; of many there is only a count."""
        for element in elements_of(words.removeprefix(UNDER), 1, self._url):
            self._elements.append(_flagged(element, Flag.COVERED))

    def _line(self, words: str, depth: int) -> None:
        words = words.removesuffix(" (off-screen)")
        depth += self._in_panel(words, depth)
        self._tables = [table for table in self._tables if table < depth]
        if self._each and depth < self._each[0]:
            self._each = None
        if words.startswith("- "):
            self._push(Element("", "listitem", "", depth))
            words, depth = words[2:], depth + 1
        if self._each and self._each[0] == depth and self._is_item(words):
            return self._item(words, depth)
        if words.startswith("#"):
            return self._heading(words, depth)
        if self._tables and not self._is_section(words):
            self._push(Element("", "row", "", depth))
            depth += 1
        for cell in split_cells(words):
            for element in elements_of(cell, depth, self._url):
                self._push(element)
        self._enter(words, depth)

    def _enter(self, words: str, depth: int) -> None:
        """What the line just read means for the next ones."""
        last = self._elements[-1]
        if self._is_section(words) and last.role in TABLES:
            self._tables.append(depth)
        if last.role == "tab" and not self._panel:
            self._push(Element("", "tabpanel", "", depth))
            self._panel = depth
        if last.role in SAID_AT_ONCE and last.name:
            # Its words are written where its name would be.
            self._push(Element("", "text", last.name, depth + 1))

    def _in_panel(self, words: str, depth: int) -> int:
        """A panel without a name is not written: it is what follows its tabs, up to a section."""
        if depth < self._panel or (depth == self._panel and self._is_section(words)):
            self._panel = 0
        return 1 if self._panel else 0

    def _is_section(self, words: str) -> bool:
        first = [word for word in words.split(" ", 2) if not REF.match(word)]
        return bool(first) and first[0] in SECTIONS

    def _is_item(self, words: str) -> bool:
        return words.startswith(('"', "@e"))

    def _item(self, words: str, depth: int) -> None:
        """One of many that are alike: its roles were said before."""
        assert self._each
        _, role, cells = self._each
        self._push(Element("", role, "", depth))
        for number, cell in enumerate(split_cells(words)):
            roles = cells[number] if number < len(cells) else []
            for element in elements_of(cell, depth + 1, self._url, roles):
                self._push(element)

    def _heading(self, words: str, depth: int) -> None:
        marks, _, rest = words.partition(" ")
        inside = list(elements_of(rest, depth + 1, self._url, ["link"]))
        name = inside[0].name if inside else ""
        self._push(Element("", "heading", name, depth, facts=Facts(level=len(marks))))
        for element in inside:
            if element.ref:
                self._push(element)

    def _push(self, element: Element) -> None:
        flags = Flag.OFFSCREEN if self._offscreen else Flag(0)
        place = len(self._elements) + 1
        self._elements.append(replace(_flagged(element, flags), node=place))


def _flagged(element: Element, flags: int) -> Element:
    return replace(element, flags=element.flags | int(flags))

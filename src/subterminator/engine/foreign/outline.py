"""Reads the snapshot text of Playwright MCP into nodes. Pure; knows no browser and no refs of ours.

Every line is one node: indentation, a role, a name in quotes, marks in brackets, a text after a
colon. Whatever a page writes stands in quotes or behind the colon, never on a line of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from msgspec import Struct

from subterminator.types import Box

LINE = re.compile(r"( *)- (.*)")
ROLE = re.compile(r"[a-zA-Z]+")
NAME = re.compile(r'\s*"((?:[^"\\]|\\.)*)"')
MARK = re.compile(r"\s*\[([a-z-]+)(?:=([^\]]*))?\]")
REF = re.compile(r"(?:f(\d+))?e(\d+)")
BYTE = re.compile(r"(\\\\)|\\x([0-9a-f]{2})")
INDENT = 2


class Node(Struct, frozen=True):
    """One line of an outline. `text` is what stands behind its colon; `depth` counts from 0.

    `frame` and `number` are the two halves of the ref; frame 0 has no prefix, number 0 no ref.
    """

    depth: int
    role: str
    name: str = ""
    text: str = ""
    marks: dict[str, str] = {}
    frame: int = 0
    number: int = 0
    box: Box | None = None

    def has(self, mark: str) -> bool:
        return mark in self.marks

    @property
    def target(self) -> str:
        """The ref by which the server knows it; empty if it has none."""
        return target_of(self.frame, self.number) if self.number else ""


def target_of(frame: int, number: int) -> str:
    return f"f{frame}e{number}" if frame else f"e{number}"


def parse(outline: str) -> list[Node]:
    """The nodes in the order of the page. What a node says of itself (`/url`) is a node, too."""
    return list(_nodes(outline.split("\n")))


def _nodes(lines: list[str]) -> Iterator[Node]:
    for line in lines:
        found = LINE.fullmatch(line)
        if found is None:
            continue
        key, text = _split(found[2])
        node = _node(len(found[1]) // INDENT, key, text)
        if node is not None:
            yield node


def _split(line: str) -> tuple[str, str]:
    """Key and text of a line, without the quotes that either needs."""
    if line.startswith("'"):
        end = _end_of_quote(line)
        return line[1:end].replace("''", "'"), _plain(line[end + 1 :].removeprefix(":"))
    if line.startswith("/") or line.startswith("text:"):
        key, _, text = line.partition(":")
        return key, _plain(text)
    end = _end_of_key(line)
    return line[:end], _plain(line[end:].removeprefix(":"))


def _end_of_quote(line: str) -> int:
    place = 1
    while (place := line.find("'", place)) >= 0:
        if line[place + 1 : place + 2] != "'":
            return place
        place += 2
    return len(line)


def _end_of_key(line: str) -> int:
    """Where role, name and marks end; a colon inside the name is none that counts."""
    found = ROLE.match(line)
    place = found.end() if found else 0
    if found := NAME.match(line, place):
        place = found.end()
    while found := MARK.match(line, place):
        place = found.end()
    return place


def _plain(text: str) -> str:
    text = text.strip()
    if not text.startswith('"'):
        return text
    escaped = BYTE.sub(lambda found: found[1] or f"\\u00{found[2]}", text)
    try:
        return str(json.loads(escaped, strict=False))
    except ValueError:
        return text.strip('"')


def _node(depth: int, key: str, text: str) -> Node | None:
    if key.startswith("/"):
        return Node(depth, key, text=text)
    found = ROLE.match(key)
    if found is None:
        return None
    role, place = found[0], found.end()
    if role == "text" and place == len(key):
        return Node(depth, "text", name=text)
    name = ""
    if named := NAME.match(key, place):
        name, place = _plain(f'"{named[1]}"'), named.end()
    marks: dict[str, str] = {}
    while mark := MARK.match(key, place):
        marks[mark[1]], place = mark[2] or "", mark.end()
    frame, number = _ref(marks.pop("ref", ""))
    return Node(depth, role, name, text, marks, frame, number, _box(marks.pop("box", "")))


def _ref(text: str) -> tuple[int, int]:
    found = REF.fullmatch(text)
    return (int(found[1] or 0), int(found[2])) if found else (0, 0)


def _box(text: str) -> Box | None:
    sides = text.split(",")
    try:
        return Box(*(round(float(side)) for side in sides)) if len(sides) == 4 else None
    except ValueError:
        return None

"""Lines of the keys and values of a TOML file. tomllib has checked it before and keeps no lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping

Path = tuple[str | int, ...]

_SKIP = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}\n#]*")
_STRINGS = (
    ('"""', re.compile(r'"""(?:[^\\]|\\.)*?"{3,5}', re.DOTALL)),
    ("'''", re.compile(r"'''.*?'{3,5}", re.DOTALL)),
    ('"', re.compile(r'"(?:[^"\\]|\\.)*"')),
    ("'", re.compile(r"'[^']*'")),
)


def lines_of(text: str) -> Mapping[Path, int]:
    """Line of every key, array element and table, from 1."""
    scan = _Scan(text)
    scan.document()
    return scan.lines


def line_at(lines: Mapping[Path, int], place: Path) -> int:
    """The line of a place, or of the nearest thing it is in."""
    for length in range(len(place), 0, -1):
        if line := lines.get(place[:length]):
            return line
    return 1


class _Scan:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Path, int] = {}
        self.breaks = [found.start() for found in re.finditer("\n", text)]
        self.tables: dict[Path, int] = {}

    def document(self) -> None:
        base: Path = ()
        while self.skip():
            if self.text.startswith("[[", self.at):
                base = self.array_table()
            elif self.text[self.at] == "[":
                self.at += 1
                base = self.placed(self.path())
                self.at += 1
                self.note(base)
            else:
                self.pair(base)

    def array_table(self) -> Path:
        self.at += 2
        name = self.path()
        self.at += 2
        number = self.tables[name] = self.tables.get(name, -1) + 1
        base = (*self.placed(name[:-1]), name[-1], number)
        self.note(base)
        return base

    def placed(self, name: Path) -> Path:
        """A table's name with the number of each array of tables on the way."""
        place: list[str | int] = []
        for length in range(1, len(name) + 1):
            place.append(name[length - 1])
            if (number := self.tables.get(name[:length])) is not None:
                place.append(number)
        return tuple(place)

    def pair(self, base: Path) -> None:
        start = self.at
        place = base + self.path()
        self.lines.setdefault(place, self.line(start))
        self.at += 1
        self.value(place)

    def path(self) -> Path:
        parts: list[str] = []
        while True:
            self.space()
            parts.append(self.key())
            self.space()
            if self.text[self.at] != ".":
                return tuple(parts)
            self.at += 1

    def key(self) -> str:
        start = self.at
        if self.text[start] in "\"'":
            self.string()
            return self.text[start + 1 : self.at - 1]
        found = _BARE_KEY.match(self.text, start)
        assert found is not None, "tomllib has read this key"
        self.at = found.end()
        return found.group()

    def value(self, place: Path) -> None:
        self.space()
        match self.text[self.at]:
            case "[":
                self.array(place)
            case "{":
                self.inline_table(place)
            case '"' | "'":
                self.string()
            case _:
                self.at = _end(_SCALAR, self.text, self.at)

    def array(self, place: Path) -> None:
        self.at += 1
        number = 0
        while self.skip() and self.text[self.at] != "]":
            if self.text[self.at] == ",":
                self.at += 1
                continue
            self.note((*place, number))
            self.value((*place, number))
            number += 1
        self.at += 1

    def inline_table(self, place: Path) -> None:
        self.at += 1
        while self.skip() and self.text[self.at] != "}":
            if self.text[self.at] == ",":
                self.at += 1
                continue
            self.pair(place)
        self.at += 1

    def string(self) -> None:
        for quotes, pattern in _STRINGS:
            if self.text.startswith(quotes, self.at):
                self.at = _end(pattern, self.text, self.at)
                return

    def note(self, place: Path) -> None:
        self.lines[place] = self.line(self.at)

    def line(self, at: int) -> int:
        return bisect_right(self.breaks, at - 1) + 1

    def skip(self) -> bool:
        self.at = _end(_SKIP, self.text, self.at)
        return self.at < len(self.text)

    def space(self) -> None:
        self.at = _end(_SPACE, self.text, self.at)


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at

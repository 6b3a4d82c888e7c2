"""Makes lines fit a budget: gives up what is worth least, and says what that was and how to get it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from subterminator.page.layout import Kind, Line
from subterminator.page.tokens import estimate
from subterminator.types import Element

SHORT_TEXT = 100
LONG_QUOTE = re.compile(r'"((?:[^"\\]|\\.){%d})(?:[^"\\]|\\.){20,}"' % SHORT_TEXT)
ROOM_FOR_NOTE = 60
ROUNDS = 4


def fit(
    lines: Sequence[Line], elements: Sequence[Element], height: int, room: int
) -> tuple[str, str]:
    """The lines that fit as one text, and a last line about the others.

    First far texts go, then long texts are cut, then far furniture and far controls go, what is in view last.
    """
    fitting = _Fitting(lines, elements, height, max(room - ROOM_FOR_NOTE, 0))
    fitting.drop_far(Kind.TEXT)
    fitting.shorten()
    fitting.drop_far(Kind.FURNITURE)
    fitting.drop_far(Kind.CONTROL)
    fitting.drop_end()
    return fitting.body(), fitting.note()


class _Fitting:
    def __init__(
        self, lines: Sequence[Line], elements: Sequence[Element], height: int, room: int
    ) -> None:
        self._lines = list(lines)
        self._elements = elements
        self._room = room
        self._distances = _distances(lines, elements, height)
        self._dropped: set[int] = set()

    def body(self) -> str:
        kept = [line for place, line in enumerate(self._lines) if place not in self._dropped]
        return "\n".join(line.text for line in _without_empty(kept))

    def drop_far(self, kind: Kind) -> None:
        """Drop lines that are not in view, the farthest first."""
        far = [
            place
            for place, line in enumerate(self._lines)
            if line.kind == kind and self._distances[place]
        ]
        far.sort(key=self._distances.__getitem__)
        self._drop(far)

    def drop_end(self) -> None:
        self._drop([place for place in range(len(self._lines)) if place not in self._dropped])

    def _drop(self, places: list[int]) -> None:
        """Drop from the end of `places` until the rest fits. What is left is measured anew a few times,
        since a line's size is guessed from its length.
        """
        for _ in range(ROUNDS):
            body = self.body()
            size = estimate(body)
            surplus = size - self._room
            if surplus <= 0 or not places:
                return
            rate = size / max(len(body), 1)
            while places and surplus > 0:
                place = places.pop()
                self._dropped.add(place)
                surplus -= (len(self._lines[place].text) + 1) * rate

    def shorten(self) -> None:
        if estimate(self.body()) <= self._room:
            return
        for place, line in enumerate(self._lines):
            if len(line.text) > SHORT_TEXT and place not in self._dropped:
                self._lines[place] = line._replace(text=_shortened(line.text))

    def note(self) -> str:
        texts = 0
        roles: Counter[str] = Counter()
        refs: list[str] = []
        for place in sorted(self._dropped):
            line = self._lines[place]
            texts += line.kind is Kind.TEXT
            for element in self._elements[line.place : self._end(place)]:
                if element.ref:
                    roles[element.role] += 1
                    refs.append(element.ref)
        parts = []
        if refs:
            kinds = ", ".join(f"{count} {role}" for role, count in roles.most_common(4))
            parts.append(f"{len(refs)} controls ({kinds}; {refs[0]} to {refs[-1]})")
        if texts:
            parts.append(f"{texts} texts")
        if not parts:
            return "Left out to fit: the ends of long texts. Ask for them with text or a larger budget."
        how = "Ask for them with find, roles, root or a larger budget."
        return f"Left out to fit: {' and '.join(parts)}, the farthest from the view. {how}"

    def _end(self, place: int) -> int:
        start = self._lines[place].place
        following = self._lines[place + 1].place if place + 1 < len(self._lines) else len(self._elements)
        return max(following, start + 1)


def _shortened(line: str) -> str:
    """Every long quotation on the line cut to its beginning."""
    if "\\" in line:
        return LONG_QUOTE.sub(r'"\1…"', line)
    parts = line.split('"')
    for place in range(1, len(parts), 2):
        if len(parts[place]) > SHORT_TEXT + 20:
            parts[place] = parts[place][:SHORT_TEXT].rstrip() + "…"
    return '"'.join(parts)


def _distances(lines: Sequence[Line], elements: Sequence[Element], height: int) -> list[int]:
    """How far each line is from the view, in pixels; 0 in view."""
    distances: list[int] = []
    last = 0
    for line in lines:
        box = elements[line.place].box
        if line.is_offscreen is False:
            last = 0
        elif box is not None:
            last = max(box.y - height, -(box.y + box.height), 0)
            if line.is_offscreen:
                last = max(last, 1)
        elif line.is_offscreen:
            last = max(last, 1)
        distances.append(last)
    return distances


def _without_empty(lines: Sequence[Line]) -> list[Line]:
    """Drop headers that have lost everything below them, unless they have a ref themselves."""
    kept: list[Line] = []
    indent_below = -1
    for line in reversed(lines):
        indent = len(line.text) - len(line.text.lstrip(" "))
        if line.kind is Kind.SECTION and indent_below <= indent:
            if not line.text.startswith(("--", "under it")) and "@e" not in line.text.partition('"')[0]:
                continue
        kept.append(line)
        indent_below = indent
    kept.reverse()
    return kept

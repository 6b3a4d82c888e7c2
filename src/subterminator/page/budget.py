"""Makes lines fit a budget: gives up what is worth least, and says what that was."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from subterminator.page.lines import Kind, Line
from subterminator.page.tokens import estimate
from subterminator.types import Element, Flag

SHORT_TEXT = 100
LONG_QUOTE = re.compile(rf'"((?:[^"\\]|\\.){{{SHORT_TEXT}}})(?:[^"\\]|\\.){{20,}}"')
ROOM_FOR_NOTE = 60
OFFSCREEN = int(Flag.OFFSCREEN)
ROUNDS = 4


def window(elements: Sequence[Element], budget: int) -> tuple[Sequence[Element], Sequence[Element]]:
    """What can fit at all, and the rest: what is around the view, and the end of the page.

    An element takes more than two tokens on average, so that a page of any size is arranged in the
    same time. Pages end with the links people look for when they want to leave.
    """
    most = max(budget // 2, 500)
    if len(elements) <= most:
        return elements, ()
    in_view = [place for place, e in enumerate(elements) if e.ref and not e.flags & OFFSCREEN]
    first, last = (in_view[0], in_view[-1] + 1) if in_view else (0, 0)
    end = len(elements) - most // 8
    room = max(most - most // 8 - (last - first), 0)
    start = max(first - room // 4, 0)
    stop = min(max(last, start + most - most // 8), end)
    kept = [*elements[start:stop], *elements[max(end, stop) :]]
    return kept, [*elements[:start], *elements[stop : max(end, stop)]]


def fit(
    lines: Sequence[Line],
    elements: Sequence[Element],
    cut: Sequence[Element],
    height: int,
    room: int,
) -> tuple[str, str]:
    """The lines that fit as one text, and a last line about the others and what was cut before.

    First far texts go, then long texts are shortened, then far rows of long tables and lists go,
    far furniture, far controls, and what is in view last.
    """
    fitting = _Fitting(lines, elements, height, max(room - ROOM_FOR_NOTE, 0))
    fitting.drop_far(Kind.TEXT)
    fitting.strip_far()
    fitting.shorten()
    fitting.drop_far(Kind.REPEATED)
    fitting.drop_far(Kind.FURNITURE)
    fitting.drop_far(Kind.CONTROL)
    fitting.drop_end()
    return fitting.body(), fitting.note(cut)


class _Fitting:
    def __init__(
        self, lines: Sequence[Line], elements: Sequence[Element], height: int, room: int
    ) -> None:
        self._lines = list(lines)
        self._elements = elements
        self._room = room
        self._distances = _distances(lines, elements, height)
        self._dropped: set[int] = set()
        self._stripped = 0
        self._surplus = 0.0
        self._rate = 0.0
        self._measure()

    def body(self) -> str:
        kept = [line for place, line in enumerate(self._lines) if place not in self._dropped]
        return "\n".join([line.text for line in _without_empty(kept)])

    def _measure(self) -> None:
        body = self.body()
        size = estimate(body)
        self._surplus = size - self._room
        self._rate = size / max(len(body), 1)

    def drop_far(self, kind: Kind) -> None:
        """Drop lines that are not in view, the farthest first."""
        if self._surplus <= 0:
            return
        distances = self._distances
        far = [
            place
            for place, line in enumerate(self._lines)
            if line.kind == kind and distances[place]
        ]
        far.sort(key=distances.__getitem__)
        self._drop(far)

    def drop_end(self) -> None:
        self._drop([place for place in range(len(self._lines)) if place not in self._dropped])

    def _drop(self, places: list[int]) -> None:
        """Drop from the end of `places` until the rest fits.

        What is left is measured anew a few times, since a line's size is guessed from its length.
        """
        for _ in range(ROUNDS):
            if self._surplus <= 0 or not places:
                return
            while places and self._surplus > 0:
                place = places.pop()
                self._dropped.add(place)
                self._surplus -= (len(self._lines[place].text) + 1) * self._rate
            self._measure()

    def strip_far(self) -> None:
        """Leave the texts out of rows and cards that are not in view, the farthest first."""
        lines, distances = self._lines, self._distances
        far = [place for place, line in enumerate(lines) if line.bare and distances[place]]
        far.sort(key=distances.__getitem__)
        for place in reversed(far):
            if self._surplus <= 0:
                break
            line = lines[place]
            lines[place] = line._replace(text=line.bare)
            self._surplus -= (len(line.text) - len(line.bare)) * self._rate
            self._stripped += line.text != line.bare
        else:
            self._measure()

    def shorten(self) -> None:
        if self._surplus <= 0:
            return
        for place, line in enumerate(self._lines):
            if len(line.text) > SHORT_TEXT and place not in self._dropped:
                self._lines[place] = line._replace(text=_shortened(line.text))
        self._measure()

    def note(self, cut: Sequence[Element]) -> str:
        refs = [element.ref for element in cut if element.ref]
        roles = Counter(element.role for element in cut if element.ref)
        texts = sum(1 for element in cut if not element.node)
        for place in sorted(self._dropped):
            line = self._lines[place]
            texts += line.kind is Kind.TEXT
            for element in self._elements[line.place : self._end(place)]:
                if element.ref:
                    roles[element.role] += 1
                    refs.append(element.ref)
        texts += self._stripped
        parts = []
        if refs:
            kinds = ", ".join(f"{count} {role}" for role, count in roles.most_common(4))
            refs.sort(key=lambda ref: int(ref[2:]))
            parts.append(f"{len(refs)} controls ({kinds}; {refs[0]} to {refs[-1]})")
        if texts:
            parts.append(f"{texts} texts")
        if not parts:
            return (
                "Left out to fit: the ends of long texts. Read them with text or a larger budget."
            )
        how = "Ask for them with find, roles, root or a larger budget."
        return f"Left out to fit: {' and '.join(parts)}, the farthest from the view. {how}"

    def _end(self, place: int) -> int:
        start = self._lines[place].place
        following = (
            self._lines[place + 1].place if place + 1 < len(self._lines) else len(self._elements)
        )
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
        text = line.text
        indent = len(text) - len(text.lstrip(" ")) if text[0] == " " else 0
        if line.kind is Kind.SECTION and indent_below <= indent:
            if not text.startswith(("--", "under it")) and "@e" not in text.partition('"')[0]:
                continue
        elif line.kind is Kind.HEADER and indent_below != indent:
            continue
        kept.append(line)
        indent_below = indent
    kept.reverse()
    return kept

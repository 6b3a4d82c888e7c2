"""Finds elements by a description in plain words. Deterministic: no model is asked.

`Turn off, in the row Backup`, `second "Delete" button`, `das Suchfeld`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from subterminator.errors import FrameNotFound
from subterminator.page.context import Surroundings
from subterminator.page.phrases import quote
from subterminator.page.query import Clause, Query, fold, likeness, parse, spoken, words_of
from subterminator.page.vocabulary import vocabulary
from subterminator.types import Element, Flag

if TYPE_CHECKING:
    from subterminator.page.snapshot import Snapshot

LOWEST = 0.45
AS_GOOD = 0.12
OFFSCREEN, COVERED, SUBMITS = int(Flag.OFFSCREEN), int(Flag.COVERED), int(Flag.SUBMITS)
LAYERS = int(Flag.TOP | Flag.OVERLAY)
ITEMS = frozenset({"row", "listitem", "article"})
SAYING = ITEMS | {"generic", "treeitem"}


class Match(NamedTuple):
    """An element that fits, with how well (0 to 1) and why."""

    ref: str
    score: float
    role: str
    name: str
    context: str
    why: str


class _Candidate(NamedTuple):
    place: int
    score: float
    reasons: tuple[str, ...]


def find(
    snapshot: Snapshot, description: str, *, role: str | None, frame: str | None, limit: int
) -> list[Match]:
    query = parse(description)
    search = _Search(snapshot, role, _frames(snapshot, frame))
    found = search.run(query)
    if query.clauses and not found:
        # "Under 18" is a name, not a place: the words as they stand may fit.
        query = parse(description, with_places=False)
        found = [one for one in search.run(query) if one.score > 0.85]
    found = _chosen(found, query.ordinal)
    return [search.match(candidate) for candidate in found[:limit]]


def _frames(snapshot: Snapshot, frame: str | None) -> frozenset[int] | None:
    """The frames meant by an id, index, name, title or part of an address, with all inside them."""
    if frame is None:
        return None
    wanted = fold(frame.strip())
    titles = {
        (element.frame, element.node): fold(element.name)
        for element in snapshot.elements
        if element.role == "iframe"
    }
    meant: set[int] = set()
    for info in snapshot.frames:
        title = titles.get((info.parent, info.owner), "") if info.index else ""
        if frame in {info.id, str(info.index)} or wanted in {fold(info.name), title}:
            meant.add(info.index)
    meant = meant or {info.index for info in snapshot.frames if wanted in fold(info.url)}
    if not meant:
        raise FrameNotFound(f"No frame fits {frame[:60]!r}.")
    for info in snapshot.frames:
        if info.parent in meant:
            meant.add(info.index)
    return frozenset(meant)


def _chosen(found: list[_Candidate], ordinal: int) -> list[_Candidate]:
    """Best first. An ordinal picks among those that fit about equally well, in page order."""
    if not found:
        return []
    found = sorted(found, key=lambda one: (-round(one.score, 2), one.place))
    if not ordinal:
        return found
    equal = [one for one in found if one.score >= found[0].score - AS_GOOD]
    equal.sort(key=lambda one: one.place)
    if ordinal > len(equal):
        return []
    return [equal[ordinal - 1 if ordinal > 0 else ordinal]]


class _Search:
    def __init__(self, snapshot: Snapshot, role: str | None, frames: frozenset[int] | None) -> None:
        self._elements = snapshot.elements
        self._role = role
        self._frames = frames
        self._around = Surroundings(snapshot.elements)

    def run(self, query: Query) -> list[_Candidate]:
        found = (self._judge(place, query) for place in self._places())
        return [one for one in found if one is not None and one.score >= LOWEST]

    def match(self, candidate: _Candidate) -> Match:
        element = self._elements[candidate.place]
        context = element.context or self._around.of(candidate.place)
        name = element.name or element.facts.hint
        score = round(min(candidate.score, 1.0), 2)
        return Match(element.ref, score, element.role, name, context, ", ".join(candidate.reasons))

    def _places(self) -> Iterator[int]:
        for place, element in enumerate(self._elements):
            if element.ref and (self._role is None or element.role == self._role):
                if self._frames is None or element.frame in self._frames:
                    yield place

    def _judge(self, place: int, query: Query) -> _Candidate | None:
        element = self._elements[place]
        score, reasons = _best_reading(element, query)
        if score < LOWEST:
            return None
        for clause in query.clauses:
            fit = self._fits(place, clause)
            if fit < 0.6:
                return None
            score *= 0.6 + 0.4 * fit
            reasons = (*reasons, clause.shown)
        if element.flags & COVERED:
            return _Candidate(place, score * 0.8, (*reasons, "covered"))
        if element.flags & OFFSCREEN:
            return _Candidate(place, score * 0.96, (*reasons, "off-screen"))
        return _Candidate(place, score, reasons)

    # Where it is

    def _fits(self, place: int, clause: Clause) -> float:
        match clause.kind:
            case "in":
                return self._is_in(place, clause)
            case "under":
                return self._is_under(place, clause)
            case _:
                return self._is_next(place, clause)

    def _is_in(self, place: int, clause: Clause) -> float:
        best = 0.0
        parent = self._around.parents[place]
        while parent >= 0 and best < 1:
            element = self._elements[parent]
            if element.role in clause.roles:
                best = max(best, self._is_called(parent, clause.words))
            parent = self._around.parents[parent]
        if "dialog" in clause.roles and self._elements[place].flags & LAYERS and not clause.words:
            return 1.0
        if "heading" in clause.roles:
            best = max(best, self._is_under(place, clause))
        if best < 0.6 and clause.words and not ITEMS.isdisjoint(clause.roles):
            best = max(best, self._is_beside(place, clause))
        return best

    def _is_beside(self, place: int, clause: Clause) -> float:
        """Rows and cards are often mere boxes: what is said in them tells the twins apart."""
        if context := self._elements[place].context:
            return coverage(clause.words, spoken(context))
        return 0.9 * self._is_next(place, clause)

    def _is_called(self, place: int, words: Sequence[str]) -> float:
        """Whether a container has this name, or says it inside."""
        if not words:
            return 1.0
        element = self._elements[place]
        named = coverage(words, spoken(element.name)) if element.name else 0.0
        if named >= 1 or element.role not in SAYING:
            return named
        said: list[str] = []
        for inside in self._elements[place + 1 : place + 60]:
            if inside.depth <= element.depth:
                break
            said += spoken(inside.name)
        return max(named, coverage(words, said))

    def _is_under(self, place: int, clause: Clause) -> float:
        """The nearest heading before it, or one of the headings that one belongs to."""
        heading = self._around.headings[place]
        level = 9
        best = 0.0
        while heading >= 0 and best < 1:
            element = self._elements[heading]
            if (element.facts.level or 2) < level:
                level = element.facts.level or 2
                best = max(best, coverage(clause.words, spoken(element.name)))
            heading = self._around.headings[heading]
        return best

    def _is_next(self, place: int, clause: Clause) -> float:
        """In the same row or card if it is in one, else within three elements."""
        parent = self._around.parents[place]
        while parent >= 0:
            if self._elements[parent].role in ITEMS:
                return self._is_called(parent, clause.words)
            parent = self._around.parents[parent]
        near = self._elements[max(place - 3, 0) : place] + self._elements[place + 1 : place + 4]
        return max((coverage(clause.words, spoken(e.name)) for e in near if e.name), default=0.0)


def coverage(wanted: Sequence[str], words: Sequence[str]) -> float:
    """How much of what is wanted is there, 0 to 1."""
    if not wanted:
        return 1.0
    return sum(max((likeness(one, word) for word in words), default=0.0) for one in wanted) / len(
        wanted
    )


def _best_reading(element: Element, query: Query) -> tuple[float, tuple[str, ...]]:
    """A role word may be meant as a role or be part of a name: the better reading counts."""
    if query.is_exact:
        is_just_this = bool(query.words) and spoken(element.name) == list(query.words)
        return (1.0, (f"name {quote(element.name, 60)}",)) if is_just_this else (0.0, ())
    score, reasons = _reading(element, query.words, query.phrases, query.roles)
    if query.roles and score < 1:
        plain, plain_reasons = _reading(element, query.all_words, query.phrases, ())
        if plain > score:
            return plain, plain_reasons
    return score, reasons


def _reading(
    element: Element, words: Sequence[str], phrases: Sequence[str], roles: Sequence[str]
) -> tuple[float, tuple[str, ...]]:
    fit = _role_fit(element, roles)
    if fit == 0:
        return 0.0, ()
    reasons: tuple[str, ...] = (element.role,) if roles and fit == 1 else ()
    if not words and not phrases:
        return (0.7 * fit, reasons) if roles else (0.0, ())
    score, source = _named(element, words, phrases)
    return score * fit, (f"{source} {_shown(element, source)}", *reasons)


def _role_fit(element: Element, roles: Sequence[str]) -> float:
    if not roles or element.role == roles[0]:
        return 1.0
    if element.role in roles:
        return 0.92
    return 0.0


def _named(element: Element, words: Sequence[str], phrases: Sequence[str]) -> tuple[float, str]:
    """How well any of the things an element is called by fits, and which."""
    best, source = 0.0, "name"
    facts = element.facts
    for kind, text, worth in (
        ("name", element.name, 1.0),
        ("hint", facts.hint, 0.9),
        ("placeholder", facts.placeholder, 0.9),
        ("note", facts.description, 0.8),
        ("test id", facts.test_id, 0.8),
        ("value", facts.value or "", 0.7),
    ):
        if text and worth > best:
            score = worth * _text_fit(text, words, phrases)
            if score > best:
                best, source = score, kind
    if words and not phrases and best < 0.85:
        kind_score = 0.85 * _kind_fit(element, words)
        if kind_score > best:
            return kind_score, "kind"
    return best, source


def _text_fit(text: str, words: Sequence[str], phrases: Sequence[str]) -> float:
    folded = fold(text)
    for phrase in phrases:
        if phrase not in folded:
            return 0.0
    wanted = [*words, *(word for phrase in phrases for word in words_of(phrase))]
    there = spoken(folded)
    if any(word.isdecimal() and word not in there for word in wanted):
        return 0.0
    found = _covered(wanted, there)
    if found < 0.5:
        return 0.0
    # Of two that say all that is wanted, the one that says little else is meant.
    telling = sum(1 for word in there if word not in vocabulary().grammar.stop)
    return 0.85 * found + 0.15 * min(len(wanted) / max(telling, 1), 1.0)


def _covered(wanted: Sequence[str], words: Sequence[str]) -> float:
    """As `coverage`, but symbols and other words for the same thing count too."""
    synonyms = vocabulary().synonyms
    total = 0.0
    for one in wanted:
        best = max((likeness(one, word) for word in words), default=0.0)
        if best < 0.9 and one in synonyms:
            text = f" {' '.join(words)} "
            if any(f" {other} " in text for other in synonyms[one]):
                best = 0.9
        total += best
    return total / len(wanted) if wanted else 0.0


def _kind_fit(element: Element, words: Sequence[str]) -> float:
    """`password field` for a field that is one, whatever its name; `submit` for what submits."""
    kinds = {element.role, element.facts.secret, element.facts.type}
    fields = vocabulary().fields
    known = {word for kind in kinds for word in fields.get(kind, ())}
    if element.flags & SUBMITS:
        known.add("submit")
    if element.facts.captcha:
        known.add("captcha")
    return coverage(words, sorted(known)) if known else 0.0


def _shown(element: Element, source: str) -> str:
    facts = element.facts
    texts = {"hint": facts.hint, "placeholder": facts.placeholder, "note": facts.description}
    texts |= {
        "test id": facts.test_id,
        "value": facts.value or "",
        "kind": facts.secret or facts.type,
    }
    return quote(texts.get(source, element.name), 60)

"""Reads a description in plain words: what it is, what it is called, where it is, which one of several."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Literal, NamedTuple

from subterminator.page.vocabulary import (
    ARTICLES,
    CONTAINER_WORDS,
    IN_WORDS,
    NEXT_WORDS,
    ORDINALS,
    ROLE_WORDS,
    STOP_WORDS,
    UNDER_WORDS,
)

LONGEST = 500
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s,.;:!?()\[\]\"']")
QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|«\s*([^»]+?)\s*»|„([^“”]+)[“”]|(?<!\w)'([^']+)'(?!\w)")


class Clause(NamedTuple):
    """Where something is: in a container of some roles, under a heading, or next to something."""

    kind: Literal["in", "under", "next"]
    roles: tuple[str, ...]
    words: tuple[str, ...]
    shown: str


class Query(NamedTuple):
    words: tuple[str, ...]
    phrases: tuple[str, ...]
    roles: tuple[str, ...]
    ordinal: int
    clauses: tuple[Clause, ...]
    all_words: tuple[str, ...]
    text: str

    def as_words(self) -> Query:
        """The same with every word taken for part of a name."""
        words = tuple(words_of(self.text))
        return Query(words, (), (), 0, (), words, self.text)


def fold(text: str) -> str:
    """Without case and accents."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(mark for mark in decomposed if not unicodedata.combining(mark))


def words_of(text: str) -> list[str]:
    return WORD.findall(fold(text))


def likeness(wanted: str, word: str) -> float:
    """1 for the same word, less for a beginning, a part or a slip of the finger, else 0."""
    if wanted == word:
        return 1.0
    shorter, longer = sorted((wanted, word), key=len)
    size = len(shorter)
    if size >= 3 and longer.startswith(shorter):
        return 0.9 if size >= 4 or len(longer) - size <= 2 else 0.75
    if size >= 4 and shorter in longer:
        return 0.75
    if size >= 4 and is_slip(shorter, longer):
        return 0.8
    return 0.0


def is_slip(shorter: str, longer: str) -> bool:
    """One letter wrong, missing, too many or swapped with the next; two in long words."""
    allowed = 1 if len(longer) < 8 else 2
    if len(longer) - len(shorter) > allowed or shorter[0] != longer[0]:
        return False
    return _distance(shorter, longer, allowed) <= allowed


def _distance(one: str, other: str, enough: int) -> int:
    """Letters to change, add, drop or swap; counted no further than needed."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        line = [row]
        for column, against in enumerate(other, 1):
            cost = min(last[column] + 1, line[-1] + 1, last[column - 1] + (letter != against))
            if before and column > 1 and letter == other[column - 2] and one[row - 2] == against:
                cost = min(cost, before[column - 2] + 1)
            line.append(cost)
        if min(line) > enough:
            return enough + 1
        before, last = last, line
    return last[-1]


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_ARTICLE = rf"(?:(?:{_any(ARTICLES)})\s+)?"
CLAUSE = re.compile(
    rf"(?:^|[\s,;(]+)(?:"
    rf"(?:{_any(IN_WORDS)})\s+{_ARTICLE}(?P<container>{_any(CONTAINER_WORDS)})(?=$|[\s,.;:)\"“„«'])"
    rf"|(?:{_any(IN_WORDS)})\s+(?:{_any(ARTICLES)})\s+(?P<name>[^,;]{{1,60}}?)\s+(?P<called>{_any(CONTAINER_WORDS)})(?=$|[\s,.;:)])"
    rf"|(?P<next>{_any(NEXT_WORDS)})\s"
    rf"|(?P<under>{_any(UNDER_WORDS)})\s"
    rf")"
)
FILLER = re.compile(rf"^[\s,:;-]*(?:(?:called|named|for|with|of|that says|labell?ed|namens|mit|{_any(ARTICLES)})\s+)*")


def parse(description: str) -> Query:
    text = fold(description[:LONGEST]).strip()
    starts = list(CLAUSE.finditer(text))
    clauses: list[Clause] = []
    for place, start in enumerate(starts):
        end = starts[place + 1].start() if place + 1 < len(starts) else len(text)
        clauses.append(_clause(start, text[start.end() : end]))
    target = text[: starts[0].start()] if starts else text
    if starts and not target.strip(" ,.;"):
        # "in the row Backup: Turn off" and the like say nothing before the place; read it all as words.
        return _target(text, text, ())
    return _target(target, text, tuple(clauses))


def _clause(start: re.Match[str], rest: str) -> Clause:
    if start["next"] or start["under"]:
        kind: Literal["next", "under"] = "next" if start["next"] else "under"
        words = tuple(_meaning(FILLER.sub("", rest)))
        return Clause(kind, (), words, f"{start[kind]} {' '.join(words)}")
    container = start["container"] or start["called"]
    label = start["name"] or FILLER.sub("", rest)
    words = tuple(_meaning(label))
    return Clause("in", CONTAINER_WORDS[container], words, f"{container} {' '.join(words)}".strip())


def _meaning(text: str) -> list[str]:
    words = words_of(text)
    return [word for word in words if word not in STOP_WORDS] or words


def _target(target: str, text: str, clauses: tuple[Clause, ...]) -> Query:
    phrases = tuple(next(filter(None, found.groups())).strip() for found in QUOTED.finditer(target))
    tokens = words_of(QUOTED.sub(" ", target))
    ordinal = next((ORDINALS[token] for token in tokens if token in ORDINALS), 0)
    tokens = [token for token in tokens if token not in ORDINALS]
    words, roles = _split_roles(tokens)
    meaning = [word for word in words if word not in STOP_WORDS]
    if not meaning and not roles and not phrases:
        meaning = words
    every = [token for token in tokens if token not in STOP_WORDS]
    return Query(tuple(meaning), phrases, roles, ordinal, clauses, tuple(every), text)


def _split_roles(tokens: list[str]) -> tuple[list[str], tuple[str, ...]]:
    """The words without those that say what kind of thing is meant; the last such word counts."""
    words: list[str] = []
    roles: tuple[str, ...] = ()
    place = 0
    while place < len(tokens):
        for size in (3, 2, 1):
            meant = ROLE_WORDS.get(" ".join(tokens[place : place + size]))
            if meant and place + size <= len(tokens):
                roles = meant
                place += size
                break
        else:
            words.append(tokens[place])
            place += 1
    return words, roles

"""Reads a description in plain words: what something is, its name, where it is, which one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from subterminator.page.vocabulary import vocabulary

LONGEST = 500
WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[^\w\s,.;:!?()\[\]\"'-]|(?<!\w)-(?!\w)")
QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|«\s*([^»]+?)\s*»|„([^“”]+)[“”]|(?<!\w)'([^']+)'(?!\w)")


class Clause(NamedTuple):
    """Where something is: in a container of some roles, under a heading, or next to something."""

    kind: Literal["in", "under", "next"]
    roles: tuple[str, ...]
    words: tuple[str, ...]
    shown: str


class Query(NamedTuple):
    """What is looked for. `all_words` has the words for a kind of thing among the others.

    `is_exact` if there are none but little words, which only fit a name that is just these.
    """

    words: tuple[str, ...]
    phrases: tuple[str, ...]
    roles: tuple[str, ...]
    ordinal: int
    clauses: tuple[Clause, ...]
    all_words: tuple[str, ...]
    is_exact: bool


def fold(text: str) -> str:
    """Without case and accents."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(mark for mark in decomposed if not unicodedata.combining(mark))


def words_of(text: str) -> list[str]:
    """The words of a description: `e-mail` is `email`."""
    return [word.replace("-", "") or word for word in WORD.findall(fold(text))]


def spoken(text: str) -> list[str]:
    """The words of a name: `e-mail` is `email`, and also `e` and `mail`; mere dots are one."""
    folded = fold(text)
    words = WORD.findall(folded) or folded.split()
    for word in words[:]:
        if "-" in word and len(word) > 1:
            words += [word.replace("-", ""), *word.split("-")]
    return words


@lru_cache(maxsize=50_000)
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
    if (size >= 4 or (size == 3 and len(longer) == 4)) and is_slip(shorter, longer):
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


class _Language:
    """The vocabulary as it is used: patterns and tables, made once."""

    def __init__(self) -> None:
        known = vocabulary()
        grammar = known.grammar
        self.kinds = known.kinds()
        self.containers = known.containers()
        self.places = known.places()
        self.compounds = known.compounds
        self.stop = grammar.stop
        inside, articles = _any(grammar.inside), _any(grammar.articles)
        container = _any(self.containers)
        self.clause = re.compile(
            rf"(?:^|[\s,;(]+)(?:"
            # in the row Backup
            rf"(?:{inside})\s+(?:(?:{articles})\s+)?(?P<container>{container})"
            rf"(?=$|[\s,.;:)\"“„«'])"
            # in the Backup row
            rf"|(?:{inside})\s+(?:{articles})\s+(?P<name>[^,;]{{1,60}}?)\s+(?P<called>{container})"
            rf"(?=$|[\s,.;:)])"
            rf"|(?P<next>{_any(grammar.next)})\s"
            rf"|(?P<under>{_any(grammar.under)})\s)"
        )
        self.filler = re.compile(
            rf"^[\s,:;-]*(?:(?:called|named|for|with|of|labell?ed|namens|mit|{articles})\s+)*"
        )

    def meaning(self, text: str) -> list[str]:
        """The words without those that say nothing, unless there are no others."""
        words = words_of(text)
        return [word for word in words if word not in self.stop] or words


@cache
def _language() -> _Language:
    return _Language()


def parse(description: str, with_places: bool = True) -> Query:
    """Read a description; without places, `under 18` is part of a name."""
    language = _language()
    text = fold(description[:LONGEST]).strip()
    starts = list(language.clause.finditer(text)) if with_places else []
    if not starts or not text[: starts[0].start()].strip(" ,.;"):
        return _target(language, text, ())
    clauses: list[Clause] = []
    for place, start in enumerate(starts):
        end = starts[place + 1].start() if place + 1 < len(starts) else len(text)
        clauses.append(_clause(language, start, text[start.end() : end]))
    return _target(language, text[: starts[0].start()], tuple(clauses))


def _clause(language: _Language, start: re.Match[str], rest: str) -> Clause:
    if start["next"] or start["under"]:
        kind: Literal["next", "under"] = "next" if start["next"] else "under"
        words = tuple(language.meaning(language.filler.sub("", rest)))
        return Clause(kind, (), words, f"{start[kind]} {' '.join(words)}")
    container = start["container"] or start["called"]
    words = tuple(language.meaning(start["name"] or language.filler.sub("", rest)))
    roles = language.containers[container]
    return Clause("in", roles, words, f"{container} {' '.join(words)}".strip())


def _target(language: _Language, target: str, clauses: tuple[Clause, ...]) -> Query:
    phrases = tuple(next(filter(None, found.groups())).strip() for found in QUOTED.finditer(target))
    tokens: list[str] = []
    for token in words_of(QUOTED.sub(" ", target)):
        tokens += language.compounds.get(token, (token,))
    ordinal = next((language.places[token] for token in tokens if token in language.places), 0)
    tokens = [token for token in tokens if token not in language.places]
    words, roles = _split_roles(tokens, language.kinds)
    telling = tuple(word for word in words if word not in language.stop)
    every = tuple(token for token in tokens if token not in language.stop)
    is_exact = not (telling or roles or phrases)
    if is_exact:
        telling = every = tuple(words)
    return Query(telling, phrases, roles, ordinal, clauses, every, is_exact)


def _split_roles(
    tokens: list[str], kinds: dict[str, tuple[str, ...]]
) -> tuple[list[str], tuple[str, ...]]:
    """The words without those that say what kind of thing is meant; the last such word counts."""
    words: list[str] = []
    roles: tuple[str, ...] = ()
    place = 0
    while place < len(tokens):
        for size in (3, 2, 1):
            meant = kinds.get(" ".join(tokens[place : place + size]))
            if meant and place + size <= len(tokens):
                roles = meant
                place += size
                break
        else:
            words.append(tokens[place])
            place += 1
    return words, roles

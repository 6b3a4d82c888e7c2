"""Reads words as a person reads them: whole words, whatever their case, accents or disguise.

A text becomes a row of plain words; phrases are looked up in it. Every step takes time in
proportion to the text, which is cut to a bound. What a word means is not known here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

LONGEST = 2_000
MOST_WORDS = 400
WIDEST_GAP = 3
BREAK = "|"
ASKS = "?"
ENDS = frozenset({BREAK, ASKS})

# Drawn as nothing, or only as a direction: they may stand inside a word to hide it.
INVISIBLE = dict.fromkeys([
    0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x3164, 0xFEFF, 0xFFA0,
    *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070),
    *range(0xFE00, 0xFE10), *range(0xE0000, 0xE0200),
])  # fmt: skip
# Letters of other scripts that are drawn like Latin ones, in small letters.
LOOK_ALIKES = str.maketrans({
    "а": "a", "в": "b", "е": "e", "з": "e", "і": "i", "к": "k", "м": "m", "н": "h", "о": "o",
    "р": "p", "с": "c", "т": "t", "у": "y", "х": "x", "ѕ": "s", "ј": "j", "ԁ": "d", "һ": "h",
    "ӏ": "l", "ѵ": "v", "ԛ": "q", "ԝ": "w", "ү": "y", "α": "a", "β": "b", "γ": "y", "ε": "e",
    "ζ": "z", "η": "n", "ι": "i", "κ": "k", "μ": "u", "ν": "v", "ο": "o", "ρ": "p", "τ": "t",
    "υ": "u", "χ": "x", "ω": "w", "ϲ": "c", "ϳ": "j", "ı": "i", "ɑ": "a", "ɡ": "g", "ո": "n",
    "ս": "u", "օ": "o", "ց": "g", "հ": "h",
})  # fmt: skip
MARKS = str.maketrans(dict.fromkeys("’‘ʼ`´", "'") | dict.fromkeys("\u2010\u2011", "-"))
PARTS = re.compile(
    r"\d+(?:[.,]\d+)*|[^\W_]+(?:'[^\W_]+)*|\?|[,;:!()\[\]{}/\\&+|•·–—…»«>\n\r]"
    r"|(?<!\d)\.(?=\s|$)|(?<=\s)-(?=\s)"
)
CONTRACTED = frozenset({"m", "s", "t", "re", "ve", "ll", "d"})
# What follows these is said anew.
JOINS = frozenset("and or und oder et ou y o e ed u then dann puis luego poi".split())
# Articles, possessives and the like: with or without them a label says the same.
FILLERS = frozenset(
    """the my your you our this that these those a an i to for of its
    mein meine meinen meinem meiner dein deine deinen deinem deiner ihr ihre ihren ihrem ihrer
    unser unsere das der die den dem des ein eine einen einem einer dieses diesen diese ich du
    sie wir es zum zur
    le la les l mon ma ton ta tes votre vos notre nos son sa ses ce cet cette un une de du d
    au aux tu s n c m t qu vous nous se
    el los las lo mi mis tus su sus una unos del al este esta yo usted
    il gli mio mia miei mie tuo tua tuoi tue suo sua suoi sue uno dello della dei degli delle
    dell di allo alla questo questa questi""".split()
)


def fold(text: str) -> str:
    """One way to write a text: no case, no accents, no invisible signs, no look-alike letters."""
    return _plain(text).translate(LOOK_ALIKES)


def _plain(text: str) -> str:
    text = text[:LONGEST]
    if text.isascii():
        return text.casefold().translate(MARKS)
    text = unicodedata.normalize("NFKC", text.translate(INVISIBLE)).translate(MARKS)
    text = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in text if not unicodedata.combining(sign))


def is_foreign(text: str) -> bool:
    """Whether it is written in letters, but in none of the script these words are in."""
    letters = [sign for sign in _plain(text) if sign.isalpha()]
    return bool(letters) and not any(sign.isascii() for sign in letters)


def words(text: str) -> tuple[str, ...]:
    """The words of a text without articles and pronouns; `|` where it pauses, `?` where it asks."""
    row: list[str] = []
    for part in _letters_joined(_split(fold(text))):
        if part in FILLERS:
            continue
        is_pause = part in JOINS or not (part[0].isalnum() or part == ASKS)
        if not is_pause:
            row.append(part)
        elif row and row[-1] != BREAK:
            row.append(BREAK)
    while row and row[-1] == BREAK:
        row.pop()
    return tuple(row[:MOST_WORDS])


def _split(text: str) -> Iterator[str]:
    for part in PARTS.findall(text.replace("e-mail", "email")):
        first, *tails = part.split("'")
        for tail in tails:
            # English contracts at the end (don't), French and Italian at the beginning (l'offre).
            if tail in CONTRACTED:
                first += tail
            else:
                yield "je" if first == "j" else first
                first = tail
        yield first


def _letters_joined(parts: Iterable[str]) -> Iterator[str]:
    """Undo letter-spacing: `d e l e t e` is one word."""
    run: list[str] = []
    for part in parts:
        if len(part) == 1 and part.isalpha():
            run.append(part)
            continue
        yield from ["".join(run)] if len(run) > 2 else run
        run = []
        yield part
    yield from ["".join(run)] if len(run) > 2 else run


class Reading(NamedTuple):
    """A row of words, and where something may begin or end that is said by itself."""

    row: tuple[str, ...]
    starts: frozenset[int]
    stops: frozenset[int]

    @property
    def size(self) -> int:
        return sum(1 for word in self.row if word not in ENDS)


def read(text: str, light: Collection[str]) -> Reading:
    """`light` words say nothing at the edges of a clause: `Yes, please order now`."""
    row = words(text)
    starts: set[int] = set()
    stops: set[int] = set()
    for start, end in clauses(row):
        first, last = start, end
        while first < end and row[first] in light:
            starts.add(first)
            first += 1
        while last > start and (row[last - 1] in light or row[last - 1][0].isdigit()):
            stops.add(last)
            last -= 1
        starts.add(first)
        stops.add(last)
    return Reading(row, frozenset(starts), frozenset(stops))


def clauses(row: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where each stretch between two pauses begins and ends."""
    start = 0
    for place, word in enumerate((*row, BREAK)):
        if word in ENDS:
            if place > start:
                yield start, place
            start = place + 1


class Slot(NamedTuple):
    """One place of a phrase: which words may stand there. A gap takes up to three of any."""

    exact: frozenset[str] = frozenset()
    begins: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    is_number: bool = False
    is_gap: bool = False

    def takes(self, word: str) -> bool:
        if word in self.exact:
            return True
        if word in ENDS:
            return False
        if word.startswith(self.begins) or word.endswith(self.ends):
            return True
        return self.is_number and word[0].isdigit()


class Phrase(NamedTuple):
    """Words in a row. `first` must begin a clause, `last` must end one."""

    slots: tuple[Slot, ...]
    tag: str
    first: bool = False
    last: bool = False
    when: str = ""


class Found(NamedTuple):
    phrase: Phrase
    start: int
    end: int


class Phrases:
    """Many phrases that are looked up all at once."""

    def __init__(self, phrases: Iterable[Phrase]) -> None:
        self._by_word: dict[str, list[Phrase]] = {}
        self._open: list[Phrase] = []
        for phrase in phrases:
            head = phrase.slots[0]
            for word in head.exact:
                self._by_word.setdefault(word, []).append(phrase)
            if head.begins or head.ends or head.is_number:
                self._open.append(phrase)
        heads = [phrase.slots[0] for phrase in self._open]
        self._any = Slot(
            begins=tuple({word for head in heads for word in head.begins}),
            ends=tuple({word for head in heads for word in head.ends}),
            is_number=any(head.is_number for head in heads),
        )

    def find(self, reading: Reading, *, anywhere: bool = False) -> Iterator[Found]:
        """Every phrase in a text; `anywhere` lets those fit that would have to stand apart."""
        for place, word in enumerate(reading.row):
            for phrase in self._candidates(word):
                if not anywhere and phrase.first and place not in reading.starts:
                    continue
                end = _end_of(phrase.slots, 0, reading.row, place)
                if end and (anywhere or not phrase.last or end in reading.stops):
                    yield Found(phrase, place, end)

    def _candidates(self, word: str) -> Iterator[Phrase]:
        yield from self._by_word.get(word, ())
        if self._open and word not in ENDS and self._any.takes(word):
            for phrase in self._open:
                head = phrase.slots[0]
                if word not in head.exact and head.takes(word):
                    yield phrase


def _end_of(slots: Sequence[Slot], index: int, row: Sequence[str], place: int) -> int:
    """Where a phrase that begins here ends; 0 if it does not fit."""
    while index < len(slots):
        if slots[index].is_gap:
            return _end_after_gap(slots, index + 1, row, place)
        if place >= len(row) or not slots[index].takes(row[place]):
            return 0
        index, place = index + 1, place + 1
    return place


def _end_after_gap(slots: Sequence[Slot], index: int, row: Sequence[str], place: int) -> int:
    for skipped in range(WIDEST_GAP + 1):
        if end := _end_of(slots, index, row, place + skipped):
            return end
        if place + skipped >= len(row) or row[place + skipped] in ENDS:
            return 0
    return 0

"""From phrases as people write them in a rules file to phrases that can be looked up.

`cancel|end .. {plan}` is one of two words, up to three of any, one of a list; `kündig*` begins so,
`*abo` ends so, `#` is a number, `_` any word, `&` a pause. Articles and pronouns may stand anywhere
and count for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from subterminator.errors import InvalidParams
from subterminator.safety.wording import ASKS, BREAK, Phrase, Slot, words

GAP, NUMBER, PAUSE, ANY = "..", "#", "&", "_"
SIGNS = {NUMBER: set[str](), ASKS: {ASKS}, PAUSE: {BREAK}}
SHORTEST_STEM = 3
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


class RulesBroken(InvalidParams):
    """The rules cannot be used, so nothing may be done."""

    code = "rules_broken"
    next_step = "Mend the rules or install them anew; nothing is done without them."


# The same few words stand in many phrases.
_words = lru_cache(maxsize=8192)(words)


class Writer:
    """Compiles the phrases of one language. `nouns` are its named lists."""

    def __init__(self, nouns: Mapping[str, Iterable[str]]) -> None:
        self._nouns = nouns

    def phrases(
        self,
        texts: Iterable[str],
        tag: str,
        *,
        first: bool = False,
        last: bool = False,
        when: str = "",
    ) -> Iterator[Phrase]:
        for text in texts:
            yield Phrase(self.slots(text), tag, first, last, when)

    def slots(self, text: str) -> tuple[Slot, ...]:
        made = (self._slot(part, text) for part in text.split())
        slots = tuple(slot for slot in made if slot != Slot())
        if not slots or slots[0].begins == ("",) or slots[0].is_gap or slots[-1].is_gap:
            raise _broken(text, "has no word to begin and end with")
        return slots

    def _slot(self, part: str, text: str) -> Slot:
        if part == GAP:
            return Slot(is_gap=True)
        if part == ANY:
            return Slot(begins=("",))
        exact: set[str] = set()
        begins: set[str] = set()
        ends: set[str] = set()
        choices = list(self._choices(part, text))
        for choice in choices:
            if choice in SIGNS:
                exact |= SIGNS[choice]
                continue
            place = begins if choice.endswith("*") else ends if choice.startswith("*") else exact
            stem = choice.strip("*")
            if place is not exact and len(stem) < SHORTEST_STEM:
                raise _broken(text, f"has {choice!r}, which would fit too many words")
            # German can also be written without its dots: kündigen, kuendigen.
            place |= _one_word(stem, text) | _one_word(stem.translate(UMLAUTS), text)
        return Slot(frozenset(exact), tuple(begins), tuple(ends), NUMBER in choices)

    def _choices(self, part: str, text: str) -> Iterator[str]:
        for choice in part.split("|"):
            if not choice.startswith("{"):
                yield choice
                continue
            nouns = self._nouns.get(choice.strip("{}"))
            if not nouns:
                raise _broken(text, f"has {choice[:60]!r}, which is no list of nouns")
            yield from nouns


def _one_word(choice: str, text: str) -> set[str]:
    """The word as it is compared; nothing for a word that never counts."""
    row = _words(choice)
    if len(row) > 1 or not choice:
        raise _broken(text, f"has {choice[:60]!r}, which is not one word")
    return set(row)


def _broken(text: str, why: str) -> RulesBroken:
    return RulesBroken(f"The phrase {text[:60]!r} {why}.", phrase=text)

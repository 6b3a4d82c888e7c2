"""Whether a text says a phrase, and whether a control is called so. Pure; no regex of a pack.

"cancel * plan"    cancel plan, cancel my plan; a text may have a few words in the gap
"cancel*"          cancel, cancelling, cancel my plan (a name may go on)
"cancel plan?"     asks; only in a text, a name has no question mark
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

LONGEST_TEXT = 100_000
GAP = 40
"""Characters of a text that `*` may stand for; a gap never crosses the end of a sentence."""
MOST_TRIES = 2_000
"""Places of a text where a phrase is tried; a page that repeats its start gets no more."""
MOST_GAPS = 3
STOP = "¶"

_INVISIBLE = re.compile("[\u00ad\u0300-\u036f\u200b-\u200f\u2060-\u2064\ufeff]+")
_QUESTION = re.compile(r"\?+")
_SENTENCE_END = re.compile(r"[.!…]+(?=\s|$)")
_BETWEEN_WORDS = re.compile(r"(?:[^\w%$€£¶?]|_)+")


def fold(text: str) -> str:
    """Words alone, lower case, no accents, one space between them and around them."""
    # Letters of fancy alphabets have a case only once they are plain, and folding may compose.
    plain = _decomposed(_decomposed(text[:LONGEST_TEXT].replace(STOP, " ")).casefold())
    marked = _QUESTION.sub(f" ? {STOP} ", _INVISIBLE.sub("", plain))
    marked = _SENTENCE_END.sub(f" {STOP} ", marked)
    return f" {_BETWEEN_WORDS.sub(' ', marked).strip()} "


def _decomposed(text: str) -> str:
    return unicodedata.normalize("NFKD", text)


def fold_name(name: str) -> str:
    """The same for the name of a control, which is one phrase however it is punctuated."""
    words = _words(name.replace("?", " "))
    return f" {words} " if words else " "


def key(name: str) -> str:
    """A name as people type it: no spaces, no punctuation, `+` and `&` spelt out."""
    spelt = name.replace("+", " plus ").replace("&", " and ")
    return fold_name(spelt).replace(" ", "")


def _words(phrase: str) -> str:
    return " ".join(word for word in fold(phrase).split() if word != STOP)


class Form(NamedTuple):
    """A phrase as it is compared. The pieces carry the spaces that mark the ends of words."""

    pieces: tuple[str, ...]
    open_start: bool
    open_end: bool
    whole: frozenset[str]
    """Words that must be there as they are, for a quick no."""

    @property
    def is_exact(self) -> bool:
        return len(self.pieces) == 1 and not self.open_start and not self.open_end


@lru_cache(maxsize=32_768)
def form(phrase: str) -> Form:
    parts = phrase.split("*")
    pieces: list[str] = []
    for number, part in enumerate(parts):
        words = _words(part)
        if not words:
            continue
        starts_word = number == 0 or part[0].isspace()
        ends_word = number == len(parts) - 1 or part[-1].isspace()
        pieces.append(" " * starts_word + words + " " * ends_word)
    whole = frozenset(word for piece in pieces for word in _whole_words(piece))
    return Form(tuple(pieces), not parts[0].strip(), not parts[-1].strip(), whole)


def _whole_words(piece: str) -> list[str]:
    words = piece.split()
    return words[not piece.startswith(" ") : len(words) - (not piece.endswith(" "))]


@lru_cache(maxsize=32_768)
def name_form(phrase: str) -> Form:
    return form(phrase.replace("?", ""))


class Text:
    """A text in the form that phrases are compared with."""

    def __init__(self, text: str) -> None:
        self.folded = fold(text)
        self.words = frozenset(self.folded.split())

    def says(self, phrase: str) -> bool:
        """Whether the phrase is contained in it."""
        pieces, _, _, whole = form(phrase)
        if not pieces or not whole <= self.words:
            return False
        first, *rest = pieces
        at = -1
        for _ in range(MOST_TRIES):
            at = self.folded.find(first, at + 1)
            if at < 0:
                return False
            if self._goes_on(rest, at + len(first)):
                return True
        return False

    def _goes_on(self, pieces: list[str], at: int) -> bool:
        for piece in pieces:
            found = self.folded.find(piece, _meet(piece, at), at + GAP + len(piece))
            if found < 0 or STOP in self.folded[at:found]:
                return False
            at = found + len(piece)
        return True


class Names:
    """The names of several controls, to look for one of them quickly."""

    def __init__(self, folded: Iterable[str]) -> None:
        self.folded = frozenset(folded)
        self.words = frozenset(word for name in self.folded for word in name.split())

    def has(self, phrase: str) -> bool:
        """Whether one of them is what the phrase names."""
        sought = name_form(phrase)
        if not sought.pieces or not sought.whole <= self.words:
            return False
        if sought.is_exact:
            return sought.pieces[0] in self.folded
        return any(_fits(name, sought) for name in self.folded)


def is_called(folded_name: str, phrase: str) -> bool:
    """Whether a control with this folded name is what the phrase names, from end to end."""
    return _fits(folded_name, name_form(phrase))


def _fits(name: str, sought: Form) -> bool:
    pieces, open_start, open_end, _ = sought
    if not pieces:
        return False
    if len(pieces) == 1 and open_start and not open_end:
        return name.endswith(pieces[0])
    at = name.find(pieces[0])
    if at < 0 or (at > 0 and not open_start):
        return False
    at += len(pieces[0])
    for piece in pieces[1:-1]:
        found = name.find(piece, _meet(piece, at))
        if found < 0:
            return False
        at = found + len(piece)
    if len(pieces) > 1:
        found = name.rfind(pieces[-1])
        if found < _meet(pieces[-1], at):
            return False
        at = found + len(pieces[-1])
    return open_end or at == len(name)


def _meet(piece: str, at: int) -> int:
    # Two whole words share the space between them.
    return at - 1 if piece.startswith(" ") else at


def is_exact(phrase: str) -> bool:
    return "*" not in phrase

"""A line of a statement without what the bank, the till and the card add to it. Pure."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.resources import files

from msgspec import Struct, convert

LONGEST = 300
MOST_WORDS = 4
MOST_LEADING = 6

_SEPA = "EREF|MREF|KREF|CRED|DEBT|ABWA|ABWE|COAM|OAMT|IBAN|BIC|MDAT"
_PURPOSE = re.compile(rf"SVWZ\+(.*?)(?:(?:{_SEPA})\+|$)", re.IGNORECASE)
_SEPA_TAG = re.compile(rf"\b(?:{_SEPA}|SVWZ)[+:]\s?\S*", re.IGNORECASE)
_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_TIME = r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?"
_DATE = re.compile(
    rf"(?:\d{{1,4}}[./-]\d{{1,2}}(?:[./-]\d{{2,4}})?|\d{{1,2}} ?(?:{_MONTH})[a-z]{{0,6}}|\d{{4}}|"
    rf"{_TIME})(?:[T ]{_TIME})?\b",
    re.IGNORECASE,
)
_PHONE = re.compile(
    r"(?:\+\d{1,3}[ .-]?)?\(?\b\d{3}\)?[ .-]\d{3,4}[ .-]?\d{3,4}\b|\+\d[\d /-]{7,}|"
    r"\b(?:8\d\d|0\d{2,4})[ -]\d[\d-]{5,}"
)
_WEB = re.compile(
    r"(?:https?:/*)?(?:www\.|help\.|pay\.|billing\.)?([\w-]{2,40})"
    r"\.(?:com?|net|org|io|tv|app|de|fr|es|it|nl|eu|us|ca|ai|me|gg|fm|no|se|dk|at|ch)"
    r"(?:\.[a-z]{2})?(?:/\S*)?",
    re.IGNORECASE,
)
_SPACE = re.compile(r"\s+")
_EDGE = " .,:;*-–_/+'\"()&|"


class Vocabulary(Struct, frozen=True, forbid_unknown_fields=True):
    """descriptors.toml."""

    leading: tuple[str, ...]
    tills: tuple[str, ...]
    numbers: tuple[str, ...]
    legal: frozenset[str]
    places: frozenset[str]
    cities: frozenset[str]

    def matcher(self) -> Matcher:
        leading = _any(self.leading).replace(r"\ ", r"[\s-]")
        return Matcher(
            re.compile(rf"(?:{leading})(?=[\s:*,.\d-]|$)[\s:,.*-]*", re.IGNORECASE),
            re.compile(rf"(?:{_any(self.tills)})\s?[*_]+\s*", re.IGNORECASE),
            re.compile(
                rf"\s+(?:{_any(self.numbers)})[ :.#-]*\d.*$|\s*//.*$|\s*#\s?\d.*$", re.IGNORECASE
            ),
            self,
        )


class Matcher(Struct, frozen=True):
    """The vocabulary, ready to be looked for."""

    leading: re.Pattern[str]
    till: re.Pattern[str]
    cut: re.Pattern[str]
    words: Vocabulary


@cache
def matcher() -> Matcher:
    text = files("subterminator.statements").joinpath("descriptors.toml").read_text("utf-8")
    return convert(tomllib.loads(text), Vocabulary).matcher()


def _any(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


@lru_cache(maxsize=65_536)
def clean(text: str) -> str:
    """The merchant as well as it can be told by the line alone."""
    line = matcher().cut.sub("", _before_phone(bare(text)))
    return " ".join(_meaningful(_product(line).split())[:MOST_WORDS])


@lru_cache(maxsize=65_536)
def bare(text: str) -> str:
    """The line from the merchant on: without the bank's own words before it."""
    line = _SPACE.sub(" ", unicodedata.normalize("NFKC", text[:LONGEST])).strip()
    if match := _PURPOSE.search(line):
        line = f"{line[: match.start()]} {match[1]}"
    line = _without_leading(_SEPA_TAG.sub(" ", line).strip(_EDGE))
    till = matcher().till.match(line)
    return line[till.end() :] if till else line


def _without_leading(line: str) -> str:
    """What is left when the ways of paying and the days before the name are taken off."""
    for _ in range(MOST_LEADING):
        match = matcher().leading.match(line)
        shorter = line[match.end() :] if match else line
        if match and (day := _DATE.match(shorter)):
            shorter = shorter[day.end() :]
        shorter = shorter.lstrip(_EDGE)
        if shorter == line or not shorter:
            break
        line = shorter
    return line


def _before_phone(line: str) -> str:
    """Cards put the place, or a number to call, behind the name."""
    match = _PHONE.search(line)
    return line[: match.start()] if match and match.start() > 2 else line


def _product(line: str) -> str:
    """`ADOBE *CREATIVE CLOUD` is two names; `AMAZON PRIME*1A2B3` is one and a number."""
    name, star, rest = line.partition("*")
    if not star or not name.strip():
        return line.replace("*", " ")
    first = next(iter(rest.split()), "")
    return name if any(map(str.isdigit, first)) else f"{name} {rest}"


def _meaningful(words: Iterable[str]) -> list[str]:
    kept: list[str] = []
    for word in words:
        name = word.strip(_EDGE)
        if match := _WEB.fullmatch(name):
            name = match[1]
        if _is_number(name) and kept:
            # A shop's or an order's number; behind it only the place follows.
            break
        if name and not _is_number(name) and name.casefold() not in map(str.casefold, kept):
            kept.append(name)
    return _without_ending(kept)


def _is_number(word: str) -> bool:
    digits = sum(map(str.isdigit, word))
    return digits >= 3 or digits >= 1 and digits * 2 >= len(word) and len(word) > 2


def _without_ending(words: list[str]) -> list[str]:
    """Without country, state, city and legal form at the end. The first word stays."""
    known = matcher().words
    left = list(words)
    while len(left) > 1:
        last = left[-1]
        small = last.casefold()
        is_place = last in known.places or small in known.cities
        if not is_place and small not in known.legal and len(last) > 1:
            break
        left.pop()
    return left

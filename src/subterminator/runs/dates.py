"""Days in the words of a page, as English, German, French, Spanish and Italian write them.

Pure. A day that can be read in two ways is not guessed: it is not found.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import NamedTuple

MONTHS: dict[str, tuple[str, ...]] = {
    "en": ("January", "February", "March", "April", "May", "June", "July", "August", "September",
           "October", "November", "December"),
    "de": ("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September",
           "Oktober", "November", "Dezember"),
    "fr": ("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre",
           "octobre", "novembre", "décembre"),
    "es": ("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre",
           "octubre", "noviembre", "diciembre"),
    "it": ("gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto",
           "settembre", "ottobre", "novembre", "dicembre"),
}  # fmt: skip
VARIANTS = {"jänner": 1, "feber": 2, "setiembre": 9}
MONTH_FIRST = {"en-us", "en-ca", "en-ph"}
SHORTEST_MONTH = 3

LETTERS = r"[^\W\d_]{3,12}"
ISO = re.compile(r"(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)")
NUMERIC = re.compile(r"(?<![\d./-])(\d{1,2})([./-]) ?(\d{1,2})\2 ?(\d{4}|\d{2})(?![\d:%])")
DAY_FIRST = re.compile(
    rf"(?<![\d.,:])(\d{{1,2}})(?:st|nd|rd|th|er|º|°|\.)?(?: of| de| del| di)?[ -]({LETTERS})\.?"
    r"(?:,? (?:of |de |del |di )?|-)?(\d{4})?(?!\d)",
    re.IGNORECASE,
)
NAME_FIRST = re.compile(
    rf"(?<!\w)({LETTERS})\.? (\d{{1,2}})(?:st|nd|rd|th)?(?:,? (\d{{4}}))?(?![\d:%.,]\d|\d)",
    re.IGNORECASE,
)
# In a longer text a day without its year is often something else: `up to 2 may join`.
LONGEST_WITHOUT_YEAR = 40
# How far ahead a service speaks of a day by numbers alone.
AHEAD = timedelta(days=400)
RECENT = timedelta(days=90)
YEARS = range(1990, 2100)


class _Found(NamedTuple):
    place: int
    day: date
    has_year: bool


def find_date(text: str, language: str, near: date) -> date | None:
    """The first day at or after `near`, else the first one. Days with a year come first."""
    plain = " ".join(unicodedata.normalize("NFKC", text).split())
    found = sorted(_days(plain, language.lower(), near))
    with_year = [each for each in found if each.has_year]
    if not with_year and len(plain) > LONGEST_WITHOUT_YEAR:
        return None
    days = [each.day for each in with_year or found]
    return next((day for day in days if day >= near), days[0] if days else None)


def written(day: date, language: str = "en") -> str:
    """`12 December 2026`, in the order all five languages share."""
    name = MONTHS.get(language, MONTHS["en"])[day.month - 1]
    match language:
        case "de":
            return f"{day.day}. {name} {day.year}"
        case "fr":
            return f"{day.day}{'er' if day.day == 1 else ''} {name} {day.year}"
        case "es":
            return f"{day.day} de {name} de {day.year}"
        case _:
            return f"{day.day} {name} {day.year}"


def moment(text: str) -> datetime | None:
    """A time as we write it, ISO 8601 with its offset."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else None


def iso_day(text: str) -> date | None:
    """A day as we write it, `2026-12-12`."""
    found = ISO.fullmatch(text)
    return _day(int(found[1]), int(found[3]), int(found[4])) if found else None


def _days(text: str, language: str, near: date) -> Iterator[_Found]:
    for found in ISO.finditer(text):
        if day := _day(int(found[1]), int(found[3]), int(found[4])):
            yield _Found(found.start(), day, True)
    for found in NUMERIC.finditer(text):
        if day := _numeric(found, language, near):
            yield _Found(found.start(), day, True)
    for found in DAY_FIRST.finditer(text):
        if (month := month_of(found[2])) and (day := _named(found[1], month, found[3], near)):
            yield _Found(found.start(), day, bool(found[3]))
    for found in NAME_FIRST.finditer(text):
        if (month := month_of(found[1])) and (day := _named(found[2], month, found[3], near)):
            yield _Found(found.start(), day, bool(found[3]))


def month_of(word: str) -> int:
    """The number of a month by its name or the beginning of it; 0 if it is none, or two."""
    start = _folded(word)
    found = {number for name, number in NAMES if name.startswith(start)}
    exact = {number for name, number in NAMES if name == start}
    found = exact or found
    return found.pop() if len(start) >= SHORTEST_MONTH and len(found) == 1 else 0


def _folded(word: str) -> str:
    apart = unicodedata.normalize("NFKD", word.casefold())
    return "".join(character for character in apart if not unicodedata.combining(character))


NAMES = tuple(
    (_folded(name), number)
    for name, number in (
        *((name, n) for names in MONTHS.values() for n, name in enumerate(names, 1)),
        *VARIANTS.items(),
    )
)


def _named(day: str, month: int, year: str | None, near: date) -> date | None:
    if year:
        return _day(int(year), month, int(day))
    this, next_year = (_day(near.year + n, month, int(day)) for n in (0, 1))
    if this and this >= near:
        return this
    # Shortly past it is rather the day that has been than the one in a year.
    return None if this and near - this < RECENT else next_year


def _numeric(found: re.Match[str], language: str, near: date) -> date | None:
    first, second = int(found[1]), int(found[3])
    year = int(found[4]) + (2000 if len(found[4]) == 2 else 0)
    by_day, by_month = _day(year, second, first), _day(year, first, second)
    if found[2] == "." or (language and language[:2] != "en"):
        return by_day
    if language in MONTH_FIRST:
        return by_month
    if "-" in language:
        return by_day
    readings = {day for day in (by_day, by_month) if day}
    if len(readings) > 1:
        readings = {day for day in readings if near <= day <= near + AHEAD}
    return readings.pop() if len(readings) == 1 else None


def _day(year: int, month: int, day: int) -> date | None:
    if year not in YEARS:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None

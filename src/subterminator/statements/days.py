"""Days as banks write them, and in which order. Pure: knows no clock."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import Literal, NamedTuple

Order = Literal["dmy", "mdy", "ymd"]
EARLIEST, LATEST = date(1990, 1, 1), date(2099, 12, 31)

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar jänner janvier janv enero ene gennaio gen januari",
            "feb february februar février févr fevr fevrier febrero febbraio februari",
            "mar march märz mrz maerz mars marzo maart mrt",
            "apr april avril avr abril abr aprile",
            "may mai mayo maggio mag mei",
            "jun june juni juin junio giugno giu",
            "jul july juli juillet juil julio luglio lug",
            "aug august août aout agosto ago augustus",
            "sep sept september septembre septiembre settembre set",
            "oct october oktober okt octobre octubre ottobre ott",
            "nov november novembre noviembre",
            "dec december dezember dez décembre decembre déc diciembre dic dicembre",
        ),
        start=1,
    )
    for name in names.split()
}
_NUMERIC = re.compile(
    r"(\d{1,4})([./-])(\d{1,2})\2(\d{2,4})\.?(?:[T ,/]+\d{1,2}[:.]\d{2}.{0,30})?", re.DOTALL
)
_COMPACT = re.compile(r"((?:19|20)\d\d)(\d\d)(\d\d)(?:\d{2,6}.{0,24})?", re.DOTALL)
_DAY_FIRST = re.compile(
    r"(?:\w{2,10}\.?,? )?(\d{1,2})\.?[ /-]([^\W\d]{3,10})\.?,?[ /-](\d{2,4})(?: .{0,20})?"
)
_MONTH_FIRST = re.compile(
    r"(?:\w{2,10}\.?,? )?([^\W\d]{3,10})\.?[ /-](\d{1,2})(?:st|nd|rd|th)?,?[ /-](\d{4})"
    r"(?: .{0,20})?"
)


class Parts(NamedTuple):
    """The three numbers of a written day, and what stands between them."""

    first: int
    second: int
    third: int
    mark: str
    fixed: bool
    """Year, month, day in this order, without doubt."""


def parts(text: str) -> Parts | None:
    """What a cell says, if it is a day."""
    cell = text.strip()
    if len(cell) > 60 or not any(map(str.isdigit, cell)):
        return None
    if match := _NUMERIC.fullmatch(cell):
        first, third = match[1], match[4]
        numbers = int(first), int(match[3]), int(third)
        if len(first) == 4:
            return Parts(*numbers, match[2], True) if len(third) <= 2 else None
        return Parts(*numbers, match[2], False) if len(first) <= 2 and len(third) != 3 else None
    if match := _COMPACT.fullmatch(cell):
        return Parts(int(match[1]), int(match[2]), int(match[3]), "", True)
    if match := _DAY_FIRST.fullmatch(cell):
        return _named(match[3], match[2], match[1])
    if match := _MONTH_FIRST.fullmatch(cell):
        return _named(match[3], match[1], match[2])
    return None


def day_of(found: Parts, order: Order) -> date | None:
    """The day, in the order of its column; None if there is no such day."""
    first, second, third = found.first, found.second, found.third
    if found.fixed or order == "ymd":
        year, month, day = first, second, third
    elif order == "mdy":
        year, month, day = third, first, second
    else:
        year, month, day = third, second, first
    try:
        result = date(year if found.fixed or year > 99 else year + 2000, month, day)
    except ValueError:
        return None
    return result if EARLIEST <= result <= LATEST else None


class Reading(NamedTuple):
    """The order of a column, and whether it could have been another."""

    order: Order
    sure: bool


def order_of(cells: Iterable[Parts], *, point: str, currency: str) -> Reading:
    """In which order a column writes its days.

    A number above 12 tells. Else a point between the numbers, the way the days run, and last the
    habits of those who write amounts like these.
    """
    open_cells = [cell for cell in cells if not cell.fixed]
    if not open_cells:
        return Reading("ymd", True)
    orders: tuple[Order, ...] = ("dmy", "mdy", "ymd")
    broken = {order: sum(day_of(cell, order) is None for cell in open_cells) for order in orders}
    american = currency in ("USD", "") and point == "." and open_cells[0].mark == "/"
    habit: tuple[Order, ...] = ("mdy", "dmy", "ymd") if american else ("dmy", "mdy", "ymd")
    if broken["dmy"] != broken["mdy"]:
        return Reading(min(habit, key=lambda order: broken[order]), True)
    if broken["dmy"]:
        return Reading(min(habit, key=lambda order: broken[order]), True)
    if open_cells[0].mark == ".":
        return Reading("dmy", True)
    leaps = {order: _leap(open_cells, order) for order in habit[:2]}
    if leaps["dmy"] * 2 < leaps["mdy"]:
        return Reading("dmy", True)
    if leaps["mdy"] * 2 < leaps["dmy"]:
        return Reading("mdy", True)
    return Reading(habit[0], False)


def _leap(cells: list[Parts], order: Order) -> int:
    """How far a column jumps about; statements run in one direction."""
    days = [day.toordinal() for cell in cells if (day := day_of(cell, order))]
    return sum(abs(later - day) for day, later in zip(days, days[1:], strict=False))


def _named(year: str, month: str, day: str) -> Parts | None:
    number = MONTHS.get(month.casefold().rstrip("."))
    if number is None or len(year) == 3:
        return None
    return Parts(int(year) + (2000 if len(year) == 2 else 0), number, int(day), " ", True)

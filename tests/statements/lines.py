"""Lines of a statement, written down shortly."""

from __future__ import annotations

import calendar
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from decimal import Decimal
from functools import cache

from subterminator.packs.registry import Registry, assemble
from subterminator.statements.model import Charge, Format, Statement, Transaction
from subterminator.statements.report import examine

TODAY = date(2025, 12, 1)


@cache
def packs() -> Registry:
    return assemble([])


def line(
    day: date | str,
    text: str,
    amount: str,
    *,
    payee: str = "",
    account: str = "",
    source: str = "bank.csv",
) -> Transaction:
    on = date.fromisoformat(day) if isinstance(day, str) else day
    return Transaction(on, Decimal(amount), text, payee, "EUR", account, source)


def monthly(first: str, count: int, *, step: int = 1) -> Iterator[date]:
    """The same day of every month, at the end of shorter ones their last."""
    start = date.fromisoformat(first)
    for number in range(count):
        year, month = divmod(start.year * 12 + start.month - 1 + number * step, 12)
        length = calendar.monthrange(year, month + 1)[1]
        yield date(year, month + 1, min(start.day, length))


def every(days: int, first: str, count: int) -> Iterator[date]:
    start = date.fromisoformat(first)
    return (start + timedelta(number * days) for number in range(count))


def charged(days: Iterable[date], text: str, amount: str) -> list[Transaction]:
    return [line(day, text, amount) for day in days]


def statement(
    lines: Iterable[Transaction], *, name: str = "bank.csv", format: Format = "csv"
) -> Statement:
    return Statement(name=name, format=format, transactions=tuple(lines))


def audit(
    lines: Iterable[Transaction], *, first: str = "2024-01-01", until: str = "2025-11-30"
) -> tuple[Charge, ...]:
    """What is found in these lines of a statement that goes from one day to the other."""
    ends = [line(first, "opening", "-1"), line(until, "closing", "-1")]
    return examine([statement([*lines, *ends])], packs(), TODAY).charges


def only(charges: tuple[Charge, ...]) -> Charge:
    assert len(charges) == 1, charges
    return charges[0]

"""Statements as tables: CSV of any bank. Finds out delimiter, heading, separators, order, sign."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from itertools import islice

from msgspec import Struct

from subterminator.statements import columns, days, masks, money, signs
from subterminator.statements.columns import Columns, Row
from subterminator.statements.model import Statement, Transaction
from subterminator.statements.texts import decode

DELIMITERS = ";,\t|"
SAMPLE = 300
STYLE_SAMPLE = 5_000
MOST_LINES = 1_000_000
MOST_PREAMBLE = 100
LONGEST_LINE = 100_000


_NUMBER = re.compile(r"\b[A-Z]{0,2}\d(?:[ -]?[\dA-Z]){5,33}\b")


class _Style(Struct, frozen=True):
    point: money.Point
    order: days.Order
    currency: str
    account: str


def read(data: bytes, name: str) -> Statement | None:
    """The statement, or None if this is no table with days and amounts."""
    text, encoding = decode(data)
    lines = text.split("\n", MOST_LINES)[:MOST_LINES]
    delimiter = _delimiter(lines[:SAMPLE])
    if not delimiter:
        return None
    rows = list(_rows(lines, delimiter))
    heading, first = _begin(rows)
    if first < 0:
        return None
    sample = list(islice(filter(columns.is_data, rows[first:]), columns.SAMPLE))
    found = columns.assign(heading, sample)
    if found is None:
        return None
    return _statement(name, rows, first, found, f"read as {encoding}", heading)


def _statement(
    name: str, rows: Sequence[Row], first: int, found: Columns, encoding: str, heading: Row
) -> Statement:
    body = rows[first:]
    style, notes = _style(rows[:first], heading, body, found)
    reader = _Lines(found, style, name)
    for row in body:
        reader.take(row)
    entries, sign_note = signs.settle(reader.entries, is_split=found.debit >= 0)
    told = (*notes, *((sign_note,) if sign_note else ()))
    return Statement(
        name=name,
        format="csv",
        transactions=entries,
        skipped=reader.skipped,
        notes=(encoding, *told),
    )


def _delimiter(lines: Sequence[str]) -> str:
    scores = {
        delimiter: sum(map(columns.is_data, _rows(lines, delimiter))) for delimiter in DELIMITERS
    }
    best = max(scores, key=lambda delimiter: scores[delimiter])
    return best if scores[best] else ""


def _rows(lines: Sequence[str], delimiter: str) -> Iterator[list[str]]:
    """The cells of each row. A row over several lines is one only if no line is one by itself."""
    short = [line[:LONGEST_LINE] for line in lines]
    reader = csv.reader((f"{line}\n" for line in short), delimiter=delimiter)
    at = 0
    while at < len(short):
        try:
            row = next(reader, None)
            end = len(short) if row is None else reader.line_num
        except csv.Error:
            row, end = None, len(short)
        parts = short[at:end]
        if row is None or len(parts) > 1 and _is_torn(parts, delimiter):
            # A quotation mark that is never closed swallows the lines after it.
            yield from (cells for line in parts if (cells := _cells(line, delimiter)))
        elif row:
            yield row
        at = end


def _is_torn(parts: Sequence[str], delimiter: str) -> bool:
    return any(columns.is_data(_cells(line, delimiter)) for line in parts[1:])


def _cells(line: str, delimiter: str) -> list[str]:
    """The cells of a single line; its quotation marks count only if they are in pairs."""
    if line.count('"') % 2:
        return [cell.strip().strip('"') for cell in line.split(delimiter)]
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return line.split(delimiter)


def _begin(rows: Sequence[Row]) -> tuple[Row, int]:
    """The heading, and where the data begins; a preamble may have days and amounts too."""
    heading: Row = ()
    first, most = 0, 2
    for at, row in enumerate(rows[:MOST_PREAMBLE]):
        named = {role[0] for cell in row if (role := columns.role_of(cell))} - {"ignored"}
        if len(named) >= most and not columns.is_data(row):
            heading, first, most = row, at + 1, len(named) + 1
    found = (at for at, row in enumerate(rows) if at >= first and columns.is_data(row))
    return heading, next(found, -1)


def _style(
    preamble: Sequence[Row], heading: Row, body: Sequence[Row], found: Columns
) -> tuple[_Style, list[str]]:
    places = [at for at in (found.amount, found.debit, found.credit) if at >= 0]
    some = body[:STYLE_SAMPLE]
    amounts = [row[at] for row in some for at in places if at < len(row) and row[at].strip()]
    point = money.decimal_point(amounts)
    currency = _currency([*preamble[-20:], heading], heading, amounts, places)
    dates = [
        parts for row in some if found.date < len(row) if (parts := days.parts(row[found.date]))
    ]
    order, sure = days.order_of(dates, point=point, currency=currency)
    notes = [] if sure else [f"days read as {_spelt(order)}; the file does not tell"]
    if not currency and found.currency < 0 and order == "mdy":
        currency = "USD"
        notes.append("currency taken as USD by the way days are written")
    return _Style(point, order, currency, _account(preamble)), notes


def _spelt(order: days.Order) -> str:
    return {"dmy": "day, month, year", "mdy": "month, day, year", "ymd": "year, month, day"}[order]


def _currency(
    above: Sequence[Row], heading: Row, amounts: Sequence[str], places: Sequence[int]
) -> str:
    """The currency of the whole table, where its lines do not name one each."""
    votes = Counter(amount.currency for cell in amounts[:50] if (amount := money.read(cell, ".")))
    votes.pop("", None)
    if votes:
        return votes.most_common(1)[0][0]
    named = [heading[at] for at in places if at < len(heading)]
    for cell in (*named, *(cell for row in reversed(above) for cell in row)):
        for word in cell.replace("(", " ").replace(")", " ").split():
            if word in money.CODES or word in ("€", "£"):
                return money.currency(word)
            if word.casefold() in ("euro", "euros"):
                return "EUR"
    return ""


def _account(preamble: Sequence[Row]) -> str:
    """The account that the lines above the table name, masked."""
    for row in preamble[-20:]:
        role = columns.role_of(row[0]) if row else None
        number = _NUMBER.search(" ".join(row)) if role and role[0] == "account" else None
        if number:
            return masks.account(number[0])
    return ""


class _Lines:
    """Turns rows into transactions. Amounts are as written: what is out is settled afterwards."""

    def __init__(self, found: Columns, style: _Style, name: str) -> None:
        self.found, self.style, self.name = found, style, name
        self.entries: list[signs.Entry] = []
        self.skipped = 0
        self._days: dict[str, date | None] = {}
        self._words = (*found.payee, *(at for at in found.text if at not in found.payee))

    def take(self, row: Row) -> None:
        cell = _at(row, self.found.date)
        day = self._day(cell)
        if day is None:
            self._go_on(row, cell)
            return
        if columns.is_open(_at(row, self.found.status)):
            return
        amount, says = self._amount(row)
        if amount is None:
            self.skipped += any(_at(row, at) for at in self._money())
            return
        self.entries.append(
            signs.Entry(self._transaction(row, day, amount), says, self._balance(row))
        )

    def _go_on(self, row: Row, cell: str) -> None:
        """A row without a day: more words of the one before, or not booked, or lost."""
        if columns.is_open(cell):
            return
        words = [_at(row, at) for at in self._words if _at(row, at)]
        if cell:
            # A sum at the end, or a heading again, has a word where the day should be.
            self.skipped += any(map(str.isdigit, cell)) and any(map(money.looks_like_money, row))
        elif words and self.entries and not any(_at(row, at) for at in self._money()):
            self.entries[-1] = self.entries[-1].with_words(" ".join(words))

    def _money(self) -> tuple[int, ...]:
        return self.found.amount, self.found.debit, self.found.credit

    def _day(self, cell: str) -> date | None:
        if cell not in self._days:
            parts = days.parts(cell)
            self._days[cell] = days.day_of(parts, self.style.order) if parts else None
        return self._days[cell]

    def _amount(self, row: Row) -> tuple[money.Amount | None, columns.Says]:
        if self.found.debit < 0:
            amount = self._read(row, self.found.amount)
            says = way_beside(row, self.found)
            return amount, says or (amount.marked if amount else "")
        debit, credit = self._read(row, self.found.debit), self._read(row, self.found.credit)
        if debit and (debit.value or not credit):
            return debit, "out"
        return credit, "in"

    def _read(self, row: Row, at: int) -> money.Amount | None:
        return money.read(_at(row, at), self.style.point) if at >= 0 else None

    def _balance(self, row: Row) -> Decimal | None:
        amount = self._read(row, self.found.balance)
        return amount.value if amount else None

    def _transaction(self, row: Row, day: date, amount: money.Amount) -> Transaction:
        payee = next((_at(row, at) for at in self.found.payee if _at(row, at)), "")
        text = " ".join(_at(row, at) for at in self._words if _at(row, at))
        own = _at(row, self.found.currency)
        account = masks.account(_at(row, self.found.account)) or self.style.account
        return Transaction(
            day=day,
            amount=amount.value,
            text=text,
            payee=payee,
            currency=money.currency(own) or amount.currency or self.style.currency,
            account=account,
            source=self.name,
        )


def way_beside(row: Row, found: Columns) -> columns.Says:
    """Which way the money went by a word: in a column for it, or just after the amount."""
    if found.way >= 0:
        return columns.way_of(_at(row, found.way))
    beside = _at(row, found.amount + 1)
    return columns.way_of(beside) if beside in ("CR", "DR", "S", "H") else ""


def _at(row: Row, at: int) -> str:
    return row[at].strip() if 0 <= at < len(row) else ""

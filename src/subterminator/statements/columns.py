"""Which column of a table holds what: by its heading, and by what stands in it. Pure."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

from msgspec import Struct, convert

from subterminator.statements import days, money

Role = Literal[
    "date", "ignored", "debit", "credit", "amount", "way", "currency", "balance", "payee", "text",
    "hint", "account", "status",
]  # fmt: skip
Row = Sequence[str]
Cells = Sequence[str]
Says = Literal["", "out", "in"]

SAMPLE = 400
_BETWEEN = re.compile(r"[\W_]+")
_ACCOUNT = re.compile(r"(?=.*\d.*\d.*\d)[\w *-]{4,40}")


class Columns(Struct, frozen=True, kw_only=True):
    """The places of what is needed. -1: there is none."""

    date: int
    amount: int = -1
    debit: int = -1
    credit: int = -1
    way: int = -1
    currency: int = -1
    balance: int = -1
    account: int = -1
    status: int = -1
    payee: tuple[int, ...] = ()
    text: tuple[int, ...] = ()


class Headings(Struct, frozen=True):
    """What headings and marks mean; read from headings.toml."""

    roles: dict[str, tuple[Role, int]]
    ways: dict[str, Says]
    open: frozenset[str]


@cache
def headings() -> Headings:
    text = files("subterminator.statements").joinpath("headings.toml").read_text("utf-8")
    data = tomllib.loads(text)
    ways, open_words = data.pop("ways"), data.pop("open")["words"]
    lists = convert(data, dict[Role, list[str]])
    return Headings(
        {name: (role, rank) for role, names in lists.items() for rank, name in enumerate(names)},
        {word: "out" for word in ways["out"]} | {word: "in" for word in ways["in"]},
        frozenset(open_words),
    )


def fold(heading: str) -> str:
    """A heading without case, accents and punctuation."""
    plain = unicodedata.normalize("NFKD", heading[:200].casefold().replace("ø", "o"))
    bare = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return _BETWEEN.sub(" ", bare).strip()


def role_of(heading: str) -> tuple[Role, int] | None:
    """What a heading says, by all of it or its first words, and how good a name for it that is."""
    words = fold(heading).split()
    for length in range(len(words), 0, -1):
        if role := headings().roles.get(" ".join(words[:length])):
            return role
    return None


def way_of(cell: str) -> Says:
    """Which way the money went, where a cell of its own says so."""
    return headings().ways.get(fold(cell), "")


def is_open(cell: str) -> bool:
    """Whether a cell says that the line was not booked."""
    return fold(cell) in headings().open


def is_data(row: Row) -> bool:
    """Whether a row has a day and an amount."""
    dated = False
    priced = False
    for cell in row:
        if days.parts(cell):
            dated = True
        elif money.looks_like_money(cell):
            priced = True
    return dated and priced


def assign(heading: Row, rows: Sequence[Row]) -> Columns | None:
    """Where everything stands, or None if there is no day or no amount."""
    return _Table(heading, rows[:SAMPLE]).columns()


class _Table:
    def __init__(self, heading: Row, rows: Sequence[Row]) -> None:
        width = max((len(row) for row in rows), default=0)
        self.cells = [
            [row[at].strip() if at < len(row) else "" for row in rows] for at in range(width)
        ]
        self.said = [role_of(heading[at]) if at < len(heading) else None for at in range(width)]

    def columns(self) -> Columns | None:
        dated = self._best("date", _are_days, or_any=True)
        if dated < 0:
            return None
        amount = self._best("amount", _are_amounts)
        debit, credit = self._best("debit", _may_be_amounts), self._best("credit", _may_be_amounts)
        if amount >= 0 and self._filled(amount) >= self._filled(debit, credit):
            debit = credit = -1
        if amount < 0 and not self._filled(debit, credit):
            amount, debit, credit = self._guess_amounts(dated)
            if amount < 0 and debit < 0:
                return None
        balance = self._best("balance", _are_amounts)
        taken = {dated, amount, debit, credit, balance}
        return Columns(
            date=dated,
            amount=amount if debit < 0 else -1,
            debit=debit,
            credit=credit,
            way=self._way(),
            currency=self._best("currency", _are_currencies, or_any=True),
            balance=balance,
            account=self._account(),
            status=self._best("status", lambda _: True),
            payee=tuple(self._all("payee")),
            text=(*self._words(taken), *self._all("hint")),
        )

    def _best(self, role: Role, fits: Callable[[Cells], bool], *, or_any: bool = False) -> int:
        named = sorted((rank, at) for at, rank in self._named(role))
        for _, at in named:
            if fits(self.cells[at]):
                return at
        if or_any:
            for at, said in enumerate(self.said):
                if said is None and fits(self.cells[at]):
                    return at
        return -1

    def _named(self, role: Role) -> Iterator[tuple[int, int]]:
        for at, said in enumerate(self.said):
            if said and said[0] == role:
                yield at, said[1]

    def _all(self, role: Role) -> Iterator[int]:
        for at, _ in self._named(role):
            if not _are_days(self.cells[at]):
                yield at

    def _filled(self, *places: int) -> int:
        return sum(bool(cell) for at in places if at >= 0 for cell in self.cells[at])

    def _guess_amounts(self, dated: int) -> tuple[int, int, int]:
        """Amount, debit and credit in a table whose headings do not say."""
        found = [
            at
            for at, cells in enumerate(self.cells)
            if at != dated and self.said[at] is None and _are_cents(cells) and not _are_days(cells)
        ]
        for first, second in zip(found, found[1:], strict=False):
            if not any(map(_both, self.cells[first], self.cells[second])):
                return -1, first, second
        return (found[0] if found else -1), -1, -1

    def _words(self, taken: set[int]) -> tuple[int, ...]:
        said = tuple(self._all("text"))
        return said if said or any(self._all("payee")) else self._guess_text(taken)

    def _guess_text(self, taken: set[int]) -> tuple[int, ...]:
        wordy = [
            at
            for at, cells in enumerate(self.cells)
            if at not in taken and self.said[at] is None and _are_words(cells)
        ]
        return tuple(wordy)

    def _way(self) -> int:
        for at, cells in enumerate(self.cells):
            said = self.said[at]
            ways = {way_of(cell) for cell in set(cells) if cell}
            # A word that is the same on every line says which way only under a heading for it.
            if ways and "" not in ways and (len(ways) == 2 or said and said[0] == "way"):
                return at
        return -1

    def _account(self) -> int:
        for at, _ in self._named("account"):
            full = [cell for cell in self.cells[at] if cell]
            # An account that changes from line to line is the other side's.
            if full and len(set(full)) <= 1 + len(full) // 20 and _ACCOUNT.fullmatch(full[0]):
                return at
        return -1


def _share(cells: Cells, fits: Callable[[str], object]) -> float:
    full = [cell for cell in cells if cell]
    return sum(bool(fits(cell)) for cell in full) / len(full) if full else 0


def _are_days(cells: Cells) -> bool:
    return _share(cells, days.parts) >= 0.5


def _are_amounts(cells: Cells) -> bool:
    return _share(cells, money.looks_like_money) >= 0.8


def _may_be_amounts(cells: Cells) -> bool:
    """Money that only goes one way leaves a column empty."""
    return not any(cells) or _are_amounts(cells)


def _are_cents(cells: Cells) -> bool:
    return (
        _are_amounts(cells) and _share(cells, lambda cell: cell.count(".") + cell.count(",")) > 0.3
    )


def _are_currencies(cells: Cells) -> bool:
    return _share(cells, lambda cell: cell in money.CODES) >= 0.9


def _are_words(cells: Cells) -> bool:
    return _share(cells, lambda cell: sum(map(str.isalpha, cell)) >= 3) >= 0.5


def _both(first: str, second: str) -> bool:
    return bool(first) and bool(second)

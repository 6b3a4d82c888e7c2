"""Counts a charge once that several files tell of: overlapping exports, receipts of a charge."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date

from msgspec.structs import replace

from subterminator.statements.merchants import STORE_NAMES, Merchants
from subterminator.statements.model import Merchant, Statement, Transaction

RECEIPT_DAYS = 5
"""A receipt comes with the order, the charge a few days later."""
PAYER_DAYS = 4

Line = tuple[object, ...]


def merge(statements: Sequence[Statement], merchants: Merchants) -> list[Transaction]:
    """All lines of all files, each charge once."""
    lines = _without_repeats(one for one in statements if one.format != "mail")
    receipts = _without_repeats(one for one in statements if one.format == "mail")
    return _with_receipts(_without_payers_copy(lines, merchants), receipts, merchants)


def _without_repeats(statements: Iterable[Statement]) -> list[Transaction]:
    """A line that two exports of one account share is one; one that a file has twice is two."""
    kept: Counter[Line] = Counter()
    lines: list[Transaction] = []
    for statement in statements:
        here: Counter[Line] = Counter()
        for transaction in statement.transactions:
            line = _line(transaction)
            here[line] += 1
            if here[line] > kept[line]:
                lines.append(transaction)
        kept |= here
    return lines


def _line(one: Transaction) -> Line:
    return one.day, one.amount, one.currency, one.account, one.text, one.payee


def _without_payers_copy(lines: Sequence[Transaction], merchants: Merchants) -> list[Transaction]:
    """PayPal's own export has the charges again that a bank shows as PayPal's."""
    paid: dict[Line, set[str]] = defaultdict(set)
    for one in lines:
        merchant = merchants.of(one)
        if merchant and merchant.payer == "paypal":
            for day in _days_around(one.day, PAYER_DAYS):
                paid[merchant.key, one.amount, day].add(one.source)
    return [one for one in lines if not paid or not _is_copy(one, merchants.of(one), paid)]


def _is_copy(
    one: Transaction, merchant: Merchant | None, paid: Mapping[Line, AbstractSet[str]]
) -> bool:
    if merchant is None or merchant.payer != "direct":
        return False
    sources = paid.get((merchant.key, one.amount, one.day.toordinal()), frozenset())
    return bool(sources - {one.source})


def _with_receipts(
    lines: list[Transaction], receipts: Sequence[Transaction], merchants: Merchants
) -> list[Transaction]:
    """A receipt tells what a store's line is for; one without a line counts as a charge itself."""
    places: dict[Line, list[int]] = defaultdict(list)
    for at, one in enumerate(lines):
        places[one.amount, one.day.toordinal()].append(at)
    more: list[Transaction] = []
    for receipt in receipts:
        merchant = merchants.of(receipt)
        place = _place(receipt, merchant, places, lines, merchants)
        if place is None:
            more.append(receipt)
            continue
        line = lines[place]
        places[line.amount, line.day.toordinal()].remove(place)
        if receipt.payee and _is_nameless(merchants.of(line)):
            lines[place] = replace(line, payee=receipt.payee)
    return lines + more


def _place(
    receipt: Transaction,
    merchant: Merchant | None,
    places: Mapping[Line, Sequence[int]],
    lines: Sequence[Transaction],
    merchants: Merchants,
) -> int | None:
    """Where the line of a receipt stands: the nearest that fits."""
    for day in _days_around(receipt.day, RECEIPT_DAYS):
        for at in places.get((receipt.amount, day), ()):
            if _same(merchants.of(lines[at]), merchant):
                return at
    return None


def _days_around(day: date, reach: int) -> list[int]:
    """The days up to so many away, the nearest first."""
    middle = day.toordinal()
    return sorted(range(middle - reach, middle + reach + 1), key=lambda one: abs(one - middle))


def _same(line: Merchant | None, receipt: Merchant | None) -> bool:
    if line is None or receipt is None:
        return False
    return line.key == receipt.key or line.payer == receipt.payer and _is_nameless(line)


def _is_nameless(merchant: Merchant | None) -> bool:
    """Whether only the store is known, not what was bought there."""
    return merchant is not None and merchant.name == STORE_NAMES.get(merchant.payer)

"""Counts a charge once that several files tell of: overlapping exports, receipts of a charge."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal

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
    paid: dict[tuple[str, Decimal], list[Transaction]] = defaultdict(list)
    for one in lines:
        merchant = merchants.of(one)
        if merchant and merchant.payer == "paypal":
            paid[merchant.key, one.amount].append(one)
    if not paid:
        return list(lines)
    return [one for one in lines if not _is_copy(one, merchants.of(one), paid)]


def _is_copy(
    one: Transaction, merchant: Merchant | None, paid: dict[tuple[str, Decimal], list[Transaction]]
) -> bool:
    if merchant is None or merchant.payer != "direct":
        return False
    twins = paid.get((merchant.key, one.amount), ())
    return any(
        twin.source != one.source and abs((twin.day - one.day).days) <= PAYER_DAYS for twin in twins
    )


def _with_receipts(
    lines: list[Transaction], receipts: Sequence[Transaction], merchants: Merchants
) -> list[Transaction]:
    """A receipt tells what a store's line is for; one without a line counts as a charge itself."""
    places: dict[Decimal, list[int]] = defaultdict(list)
    for at, one in enumerate(lines):
        places[one.amount].append(at)
    taken: set[int] = set()
    more: list[Transaction] = []
    for receipt in receipts:
        merchant = merchants.of(receipt)
        fitting = [
            at
            for at in places.get(receipt.amount, ())
            if at not in taken
            and abs((lines[at].day - receipt.day).days) <= RECEIPT_DAYS
            and _same(merchants.of(lines[at]), merchant)
        ]
        if not fitting or merchant is None:
            more.append(receipt)
            continue
        at = min(fitting, key=lambda place: abs((lines[place].day - receipt.day).days))
        taken.add(at)
        if receipt.payee and _is_nameless(merchants.of(lines[at])):
            lines[at] = replace(lines[at], payee=receipt.payee)
    return lines + more


def _same(line: Merchant | None, receipt: Merchant | None) -> bool:
    if line is None or receipt is None:
        return False
    return line.key == receipt.key or line.payer == receipt.payer and _is_nameless(line)


def _is_nameless(merchant: Merchant | None) -> bool:
    """Whether only the store is known, not what was bought there."""
    return merchant is not None and merchant.name == STORE_NAMES.get(merchant.payer)

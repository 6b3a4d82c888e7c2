"""Which amounts of a statement were paid and which received, whatever sign the bank gives them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from msgspec.structs import replace

from subterminator.statements.columns import Says
from subterminator.statements.model import Transaction

_RECEIVED = re.compile(
    r"\b(?:salary|payroll|wages?|direct dep(?:osit)?|gehalt|lohn|salaire|nomina|stipendio|"
    r"payment received|payment thank you|thank you|autopay|refund|reversal|cashback|interest paid|"
    r"gutschrift|zahlung erhalten|erstattung|remboursement|deposit|dividend|kindergeld)\b",
    re.IGNORECASE,
)
_PAID = re.compile(
    r"\b(?:purchase|pos|kartenzahlung|lastschrift|dauerauftrag|card payment|direct debit|atm|"
    r"withdrawal|netflix|spotify|apple\.com/bill|amazon|paypal|google|prelevement|prlv|achat|paiement|"
    r"compra|pagamento|rent|miete|insurance|versicherung|sale)\b",
    re.IGNORECASE,
)
ENOUGH = 3


class Entry(NamedTuple):
    """A line with its amount as written, what a mark says of it, and the balance after it."""

    transaction: Transaction
    says: Says = ""
    balance: Decimal | None = None

    def with_words(self, words: str) -> Entry:
        text = f"{self.transaction.text} {words}"
        return self._replace(transaction=replace(self.transaction, text=text))


def settle(
    entries: Sequence[Entry], *, is_split: bool = False, negative_is_paid: bool = False
) -> tuple[tuple[Transaction, ...], str]:
    """The lines with what was paid above zero, and a note where it had to be guessed.

    `is_split`: paid and received have a column each. `negative_is_paid`: the format says so.
    """
    if is_split:
        usual = {says: _usual_sign(entries, says) for says in ("out", "in")}
        return tuple(_split(entry, usual[entry.says]) for entry in entries), ""
    marks = {entry.says for entry in entries}
    if marks & {"out", "in"} and _agree(entries):
        unmarked: Says = "out" if marks == {"in", ""} else "in" if marks == {"out", ""} else ""
        if "" not in marks or unmarked:
            return tuple(_marked(entry, unmarked) for entry in entries), ""
    paid_sign, note = _paid_sign(entries, -1 if negative_is_paid else 0)
    return tuple(
        replace(entry.transaction, amount=paid_sign * entry.transaction.amount) for entry in entries
    ), note


def _usual_sign(entries: Sequence[Entry], says: str) -> int:
    below = sum(entry.transaction.amount < 0 for entry in entries if entry.says == says)
    total = sum(entry.says == says for entry in entries)
    return -1 if below * 2 > total else 1


def _split(entry: Entry, usual: int) -> Transaction:
    amount = entry.transaction.amount * usual
    return replace(entry.transaction, amount=amount if entry.says == "out" else -amount)


def _agree(entries: Sequence[Entry]) -> bool:
    """Whether marks and signs say the same; a column of one word for all says nothing."""
    for says in ("out", "in"):
        signs = [entry.transaction.amount < 0 for entry in entries if entry.says == says]
        minority = min(sum(signs), len(signs) - sum(signs))
        if minority * 20 > len(signs):
            return False
    return True


def _marked(entry: Entry, unmarked: Says) -> Transaction:
    size = abs(entry.transaction.amount)
    is_paid = (entry.says or unmarked) == "out"
    return replace(entry.transaction, amount=size if is_paid else -size)


def _paid_sign(entries: Sequence[Entry], prior: int) -> tuple[int, str]:
    """1 where what was paid is written above zero, -1 where below."""
    if balance := _by_balance(entries):
        return balance, ""
    below = sum(entry.transaction.amount < 0 for entry in entries)
    above = sum(entry.transaction.amount > 0 for entry in entries)
    said = 0
    for entry in entries:
        sign = (entry.transaction.amount > 0) - (entry.transaction.amount < 0)
        said += sign * bool(_PAID.search(entry.transaction.text))
        said -= 2 * sign * bool(_RECEIVED.search(entry.transaction.text))
    # What the words say counts twice: an account for savings receives more often than it pays.
    score = 2 * said + above - below + prior * (above + below) * 2
    if not prior and not (above and below):
        return (1 if above else -1), "" if below else "all amounts taken as paid; none has a sign"
    if score:
        return (1 if score > 0 else -1), ""
    return -1, "negative amounts taken as paid; the file does not tell"


def _by_balance(entries: Sequence[Entry]) -> int:
    """The sign of what was paid by how the balance moves. 0: there is none, or it does not fit."""
    votes = {1: 0, -1: 0}
    compared = 0
    for one, other in zip(entries, entries[1:], strict=False):
        if one.balance is None or other.balance is None:
            continue
        compared += 1
        move = other.balance - one.balance
        # Oldest line first, the later one moved the balance; newest first, the upper one did.
        for amount, moved in ((other.transaction.amount, move), (one.transaction.amount, -move)):
            if amount:
                votes[-1] += moved == amount
                votes[1] += moved == -amount
    best = max(votes, key=lambda sign: votes[sign])
    return best if votes[best] >= ENOUGH and votes[best] * 2 > compared else 0

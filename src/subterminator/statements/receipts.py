"""Receipts among letters: what was paid, to whom, through whom. Says None rather than guess."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import cache
from importlib.resources import files

from msgspec import Struct, convert

from subterminator.statements import masks, money
from subterminator.statements.mail import Letter, open_letter
from subterminator.statements.model import Statement, Transaction

_UNIT = r"(?:US|CA|AU?|NZ|R)?[$€£¥]|\b(?:EUR|USD|GBP|CHF|CAD|AUD|SEK|NOK|DKK|PLN)\b"
_MONEY = re.compile(
    rf"(?P<before>{_UNIT})\s?(?P<one>\d[\d.,'\u202f]{{0,14}})|"
    rf"(?P<two>\d[\d.,'\u202f]{{0,14}})\s?(?P<after>{_UNIT})"
)
HEAD = 4000
LABEL_REACH = 60
TWICE_DAYS = 2
LONGEST_NAME = 50
_NAME = rf" (?P<name>[^#\n\[(,]{{2,{LONGEST_NAME}}})"
_NAME_END = re.compile(r"(?:\s+on google play|\s+[-–|]|\.\s|\.$).*", re.IGNORECASE)
_VIA = re.compile(r"\s+(?:via|through|über|bei|at)\s+.*$", re.IGNORECASE)


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """receipts.toml."""

    confirms: tuple[str, ...]
    denies: tuple[str, ...]
    refunds: tuple[str, ...]
    trials: tuple[str, ...]
    totals: tuple[tuple[str, ...], ...]
    renews: tuple[str, ...]
    sellers: tuple[str, ...]
    recipients: tuple[str, ...]
    nobody: tuple[str, ...]
    suffixes: frozenset[str]


class Matcher(Struct, frozen=True):
    """The words, ready to be looked for."""

    confirms: re.Pattern[str]
    denies: re.Pattern[str]
    refunds: re.Pattern[str]
    trials: re.Pattern[str]
    totals: tuple[re.Pattern[str], ...]
    renews: re.Pattern[str]
    sellers: re.Pattern[str]
    recipients: re.Pattern[str]
    nobody: re.Pattern[str]
    suffixes: frozenset[str]


@cache
def matcher() -> Matcher:
    text = files("subterminator.statements").joinpath("receipts.toml").read_text("utf-8")
    words = convert(tomllib.loads(text), Words)
    return Matcher(
        _any(words.confirms),
        _any(words.denies),
        _any(words.refunds),
        _any(words.trials),
        # A subtotal is no total.
        tuple(_any(labels, before=r"(?<!sub)(?<!sub[ -])") for labels in words.totals),
        _any(words.renews),
        _any(words.sellers, after=_NAME),
        _any(words.recipients, after=_NAME),
        _any(words.nobody),
        words.suffixes,
    )


def _any(words: Iterable[str], *, before: str = "", after: str = "") -> re.Pattern[str]:
    choices = "|".join(
        re.escape(word.rstrip("*")) + (r"\w*" if word.endswith("*") else "")
        for word in sorted(words, key=len, reverse=True)
    )
    return re.compile(rf"{before}\b(?:{choices})\b{after}", re.IGNORECASE)


def read(letters: Iterable[bytes], name: str) -> Statement:
    """The receipts of a mailbox. One that comes twice, as receipt and as invoice, counts once."""
    seen: set[tuple[str, str, Decimal, int]] = set()
    found: list[Transaction] = []
    for data in letters:
        letter = open_letter(data)
        receipt = receipt_of(letter, name) if letter else None
        if receipt is None:
            continue
        day = receipt.day.toordinal()
        same = receipt.payee.casefold(), receipt.text, receipt.amount
        if (*same, day) not in seen:
            found.append(receipt)
        seen.update((*same, near) for near in range(day - TWICE_DAYS, day + TWICE_DAYS + 1))
    found.sort(key=lambda one: one.day)
    return Statement(name=name, format="mail", transactions=tuple(found))


def receipt_of(letter: Letter, source: str = "") -> Transaction | None:
    """The payment that a letter confirms, or None."""
    words = matcher()
    if not words.confirms.search(letter.subject) or words.denies.search(letter.subject):
        return None
    total = total_of(letter.text)
    is_trial = bool(words.trials.search(f"{letter.subject}\n{letter.text[:HEAD]}"))
    if total is None:
        if not is_trial:
            return None
        total = money.Amount(Decimal(0))
    sign = -1 if words.refunds.search(letter.subject) else 1
    payee, through = _parties(letter)
    return Transaction(
        day=letter.day,
        amount=sign * total.value,
        text=f"{through} {payee}".strip(),
        payee=payee,
        currency=total.currency,
        source=source,
        trial=is_trial and not total.value,
    )


def total_of(text: str) -> money.Amount | None:
    """What was charged: the amount that a label names, or the only one there is."""
    for label in matcher().totals:
        for match in label.finditer(text):
            found = _MONEY.search(text, match.end(), match.end() + LABEL_REACH)
            if found:
                return _amount(found)
    amounts = {amount for match in _MONEY.finditer(text) if (amount := _amount(match))}
    return amounts.pop() if len(amounts) == 1 else None


def _amount(match: re.Match[str]) -> money.Amount | None:
    number = (match["one"] or match["two"]).rstrip(".,'")
    read = money.read(number, money.decimal_point([number]))
    return (
        money.Amount(read.value, money.currency(match["before"] or match["after"]))
        if read
        else None
    )


def _parties(letter: Letter) -> tuple[str, str]:
    """Who was paid, and the payer as a bank would write it."""
    host = letter.address.rpartition("@")[2]
    if host == "apple.com" or host.endswith(".apple.com"):
        return masks.printable(_item(letter.text)), "APPLE.COM/BILL"
    if host == "google.com" or host.endswith(".google.com"):
        return masks.printable(
            _named(matcher().recipients, letter) or _item(letter.text)
        ), "GOOGLE *"
    if host.startswith("paypal.") or ".paypal." in host:
        return masks.printable(_named(matcher().recipients, letter)), "PAYPAL *"
    if host == "roku.com" or host.endswith(".roku.com"):
        return masks.printable(_item(letter.text)), "ROKU"
    sender = _VIA.sub("", letter.sender)
    plain = matcher().nobody.sub("", sender).strip(" ,.-–|'\"")
    name = plain or _named(matcher().sellers, letter) or _label(host)
    return masks.printable(name)[:LONGEST_NAME], ""


def _named(pattern: re.Pattern[str], letter: Letter) -> str:
    for text in (letter.subject, letter.text[:HEAD]):
        if match := pattern.search(text):
            return _NAME_END.sub("", match["name"]).strip()
    return ""


def _item(text: str) -> str:
    """The first thing on a store's receipt: the line above its renewal or its price."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if at and len(line) <= LONGEST_NAME and matcher().renews.search(line):
            return next(_names(reversed(lines[max(0, at - 3) : at + 1])), "")
    for at, line in enumerate(lines):
        if at and _MONEY.search(line):
            return next(_names(reversed(lines[max(0, at - 3) : at + 1])), "")
    return ""


def _names(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        name = _MONEY.sub("", matcher().renews.split(line)[0]).strip(" .,:()-–|")
        if sum(map(str.isalpha, name)) >= 3 and not any(
            label.search(name) for label in matcher().totals
        ):
            yield name[:LONGEST_NAME]


def _label(host: str) -> str:
    """`billing.example.co.uk` as people say it: example."""
    labels = [label for label in host.split(".") if label]
    while len(labels) > 1 and labels[-1] in matcher().suffixes:
        labels.pop()
    return labels[-1] if labels else ""

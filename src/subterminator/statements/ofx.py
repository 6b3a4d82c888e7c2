"""OFX statements of version 1 (SGML, tags left open) and 2 (XML). Nothing in them is expanded."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from subterminator.statements import days, masks, money, signs
from subterminator.statements.model import Statement, Transaction
from subterminator.statements.texts import decode

HEAD = 4000
MOST = 1_000_000
LONGEST_VALUE = 500
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9._]{0,40})[^<>]{0,200}>([^<]*)")
_CHARSET = re.compile(rb"CHARSET:\s*(\d{3,5})|encoding=[\"']([\w.-]{2,20})[\"']", re.IGNORECASE)
_ACCOUNTS = frozenset({"BANKACCTFROM", "CCACCTFROM"})
_WORDS = ("NAME", "PAYEE", "MEMO")


def is_ofx(data: bytes) -> bool:
    head = data[:HEAD].replace(b"\0", b"").upper()
    return b"OFXHEADER" in head or b"<OFX>" in head


def read(data: bytes, name: str) -> Statement | None:
    """The statement, or None if there is no line in it."""
    text, encoding = decode(data, _declared(data[:HEAD]))
    reader = _Reader(name)
    for close, tag, value in _tags(text):
        reader.take(close, tag, value)
    reader.end_line()
    if not reader.entries and not reader.skipped:
        return None
    transactions, note = signs.settle(reader.entries, negative_is_paid=True)
    return Statement(
        name=name,
        format="ofx",
        transactions=transactions,
        skipped=reader.skipped,
        notes=(f"read as {encoding}", *((note,) if note else ())),
    )


def _declared(head: bytes) -> str:
    match = _CHARSET.search(head)
    if match is None:
        return ""
    page, name = match[1], match[2]
    return f"cp{page.decode()}" if page else name.decode("ascii", "replace")


def _tags(text: str) -> Iterator[tuple[bool, str, str]]:
    for number, match in enumerate(_TAG.finditer(text)):
        if number > MOST * 12:
            return
        value = html.unescape(match[3][:LONGEST_VALUE]).strip()
        yield bool(match[1]), match[2].upper(), value


class _Reader:
    def __init__(self, name: str) -> None:
        self.entries: list[signs.Entry] = []
        self.skipped = 0
        self._name = name
        self._account, self._currency = "", ""
        self._inside = ""
        self._line: dict[str, str] | None = None
        self._seen: set[tuple[str, str]] = set()

    def take(self, close: bool, tag: str, value: str) -> None:
        if tag == "STMTTRN":
            self.end_line()
            self._line = None if close else {}
        elif tag in ("BANKTRANLIST", "OFX"):
            self.end_line()
        elif tag in _ACCOUNTS:
            self._inside = "" if close else tag
        elif close:
            return
        elif self._line is not None:
            self._line.setdefault(tag, value)
        elif tag == "ACCTID" and self._inside:
            self._account = masks.account(value)
        elif tag == "CURDEF":
            self._currency = money.currency(value)

    def end_line(self) -> None:
        line, self._line = self._line, None
        if not line:
            return
        entry = self._entry(line)
        known = (self._account, line.get("FITID", ""))
        if entry is None:
            self.skipped += 1
        elif not known[1] or known not in self._seen:
            # Some banks repeat lines where two periods meet; the id is what tells them apart.
            self._seen.add(known)
            self.entries.append(entry)

    def _entry(self, line: dict[str, str]) -> signs.Entry | None:
        written = line.get("DTPOSTED") or line.get("DTUSER") or ""
        parts = days.parts(written[:8])
        day = days.day_of(parts, "ymd") if parts else None
        raw = line.get("TRNAMT", "")
        amount = money.read(raw, money.decimal_point([raw]))
        if day is None or amount is None:
            return None
        # The name repeats in the memo of many banks, cut off.
        words = list(dict.fromkeys(line[tag] for tag in _WORDS if line.get(tag)))
        transaction = Transaction(
            day=day,
            amount=amount.value,
            text=" ".join((*words, _kind(line.get("TRNTYPE", "")))).strip(),
            payee=line.get("NAME") or line.get("PAYEE") or "",
            currency=self._currency,
            account=self._account,
            source=self._name,
        )
        return signs.Entry(transaction)


def _kind(code: str) -> str:
    """The type of a line in the words that statements use."""
    return {"DIRECTDEBIT": "direct debit", "REPEATPMT": "standing order", "ATM": "atm"}.get(
        code, ""
    )

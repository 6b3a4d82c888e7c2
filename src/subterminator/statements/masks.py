"""Hides numbers and addresses in words of a statement, and what could take over a terminal."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 120

_MAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b")
_NUMBER = re.compile(r"(?<![\d.,])\d(?:[ -]?\d){5,}(?![\d.,]\d)")
_SPACE = re.compile(r"\s+")


def account(number: str) -> str:
    """An account or card as its owner knows it again: `***4321`."""
    kept = "".join(letter for letter in number if letter.isalnum())
    # Four are what banks show of a card themselves.
    return f"***{kept[-4:]}" if len(kept) >= 6 or len(kept) == 4 else "***" if kept else ""


def words(text: str) -> str:
    """One short line, fit for a screen: account numbers, cards and mail addresses are masked."""
    line = _IBAN.sub(_hidden, _MAIL.sub("***", printable(text)))
    return _NUMBER.sub(_hidden, line)[:LONGEST].strip()


def printable(text: str) -> str:
    """One line without anything that moves a cursor or turns the direction of writing."""
    spaced = _SPACE.sub(" ", text)
    return "".join(letter for letter in spaced if unicodedata.category(letter)[0] != "C").strip()


def _hidden(match: re.Match[str]) -> str:
    return account(match[0])

"""Amounts of money in the words of a page, as English, German, French, Spanish, Italian write them.

It finds and compares; it does not judge.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

# Nobody sees these, so nobody's amount may be broken by them.
INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\u202a-\u202e\u2066-\u2069\ufeff]")
SPACE = "[ \u00a0\u2007\u2009\u202f]"
# 1,299.00  1.299,00  1 299,00  1'299.00  15.49  9,9  12.-  5
NUMBER = (
    rf"(?<![\d.,])(?:\d{{1,3}}(?:[.,'’]\d{{3}})+(?!\d)|\d{{1,3}}(?:{SPACE}\d{{3}})+(?!\d)|\d+)"
    r"(?:[.,]\d{1,2}(?!\d)|[.,][-–—]{1,2})?"
)
SYMBOL = r"(?:(?:US|A|C|CA|AU|NZ|HK|S|R|MX)?\$|€|£|¥|₹|₽|₺|₩|₪|₴|zł|Kč)"
CODE = (
    r"(?:EUR|USD|GBP|CHF|CAD|AUD|NZD|JPY|CNY|INR|BRL|MXN|ARS|CLP|COP|SEK|NOK|DKK|ISK|PLN|CZK|HUF"
    r"|RON|BGN|TRY|RUB|UAH|ZAR|ILS|SGD|HKD|KRW|SFr|Fr)"
)
WORD = (
    r"(?:euros?|eur|dollars?|dólar(?:es)?|dollari|dollaro|pounds?|pfund|livres?|libras?|sterline"
    r"|sterlina|franken|francs?|francos?|franchi|franco|cents?|centimes?|céntimos?|centesimi|rappen"
    r"|pence|pesos?|bucks|kr)"
)
AMOUNT = re.compile(
    rf"(?<![A-Za-z])(?:{SYMBOL}|{CODE}\.?){SPACE}?{NUMBER}(?:{SPACE}?{CODE}\b)?"
    rf"|{NUMBER}{SPACE}?(?:{SYMBOL}|{CODE}\b|{WORD}\b)",
    re.IGNORECASE,
)
FEE = re.compile(
    r"\b(?:fees?|penalt(?:y|ies)|\w*gebühr(?:en)?|\w*strafe|strafzahlung|frais|pénalités?"
    r"|indemnités?|comisi(?:ón|ones)|penalizaci(?:ón|ones)|recargos?|commission[ei]|penal[ei]|spese)\b",
    re.IGNORECASE,
)
SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
DECIMALS = re.compile(r"[.,](\d{1,2})\Z")
MOST = 12


def find_amounts(texts: Iterable[str]) -> tuple[str, ...]:
    """Every amount once, as the page writes it, in the order of the texts."""
    found: dict[str, None] = {}
    for text in texts:
        for match in AMOUNT.finditer(_visible(text)):
            found.setdefault(" ".join(match[0].split()))
    return tuple(found)[:MOST]


def find_fees(text: str) -> tuple[str, ...]:
    """Amounts above zero in a sentence that speaks of a fee or a penalty."""
    sentences = SENTENCE.split(_visible(text))
    with_fee = (sentence for sentence in sentences if FEE.search(sentence))
    return tuple(amount for amount in find_amounts(with_fee) if value_of(amount) > 0)


def value_of(amount: str) -> Decimal:
    """The number in it: the last separator is the decimal one if one or two digits follow."""
    number = number_of(amount)
    after = DECIMALS.search(number)
    whole = number[: after.start()] if after else number
    digits = "".join(filter(str.isdecimal, whole)) or "0"
    return Decimal(int(digits)) + (Decimal(f"0.{int(after[1]):0{len(after[1])}}") if after else 0)


def number_of(amount: str) -> str:
    found = re.search(NUMBER, amount)
    return found[0] if found else ""


def _visible(text: str) -> str:
    return INVISIBLE.sub("", text)

"""Amounts as banks and shops write them: signs, separators, currencies. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Literal, NamedTuple

Point = Literal[".", ","]

SYMBOLS = {
    "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₺": "TRY", "₩": "KRW", "zł": "PLN",
    "kč": "CZK", "us$": "USD", "a$": "AUD", "c$": "CAD", "ca$": "CAD", "nz$": "NZD", "r$": "BRL",
    "chf": "CHF", "$": "USD", "ft": "HUF",
}  # fmt: skip
CODES = frozenset(
    "AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN "
    "MYR NOK NZD PEN PHP PLN RON RSD RUB SAR SEK SGD THB TRY TWD UAH USD VND ZAR".split()
)
MOST_DIGITS = 15
LONGEST = 40
_SIGN = r"[-+−–]"
_UNIT = r"(?:[A-Za-z]{0,3}[$€£¥₹₽₺₩]|[A-Za-zł]{2,3}\.?)"
_AMOUNT = re.compile(
    rf"(?P<open>\()?\s*(?P<sign>{_SIGN})?\s*(?P<unit>{_UNIT})?\s*(?P<sign2>{_SIGN})?\s*"
    r"(?P<number>\d[\d.,'’  \u202f]*|[.,]\d+)"
    rf"\s*(?P<sign3>{_SIGN})?\s*(?P<unit2>{_UNIT})?\s*(?P<mark>CR|DR|S|H)?\s*(?P<close>\))?"
)
_GROUPS = re.compile(r"['’  \u202f]")


class Amount(NamedTuple):
    """A number as written. `marked`: the writing itself says which way the money went."""

    value: Decimal
    currency: str = ""
    marked: Literal["", "out", "in"] = ""


def read(text: str, point: Point) -> Amount | None:
    """The amount that a whole cell is, or None."""
    match = _match(text)
    number = _number(match["number"], point) if match else None
    if match is None or number is None:
        return None
    signs = [match["sign"], match["sign2"], match["sign3"]]
    if any(sign and sign != "+" for sign in signs) or match["open"] and match["close"]:
        number = -number
    mark = {"DR": "out", "S": "out", "CR": "in", "H": "in"}.get(match["mark"] or "", "")
    unit = match["unit"] or match["unit2"] or ""
    if unit.upper() in ("CR", "DR"):
        mark, unit = ("in" if unit.upper() == "CR" else "out"), ""
    return Amount(number, currency(unit), "out" if mark == "out" else "in" if mark else "")


def looks_like_money(text: str) -> bool:
    """Whether a cell is a number, whatever separates its digits."""
    match = _match(text)
    return match is not None and sum(map(str.isdigit, match["number"])) <= MOST_DIGITS


def currency(unit: str) -> str:
    """The code of a currency by its code or sign. Empty: not one we know."""
    word = unit.strip().rstrip(".")
    return word.upper() if word.upper() in CODES else SYMBOLS.get(word.casefold(), "")


def decimal_point(cells: Iterable[str]) -> Point:
    """What separates the cents in a column. A point, where no cell tells."""
    votes = {".": 0, ",": 0}
    for cell in cells:
        digits = cell.strip(" ()+-−–")
        point, comma = digits.rfind("."), digits.rfind(",")
        if point >= 0 and comma >= 0:
            votes["." if point > comma else ","] += 3
        elif point >= 0 or comma >= 0:
            mark = "." if point >= 0 else ","
            after = _digits_after(digits, max(point, comma))
            if digits.count(mark) > 1 or after == 3:
                # Thousands, most likely; that speaks for the other one, softly.
                votes["," if mark == "." else "."] += 1
            else:
                votes[mark] += 3
    return "," if votes[","] > votes["."] else "."


def _match(text: str) -> re.Match[str] | None:
    if len(text) > LONGEST:
        return None
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        return None
    units = [unit for unit in (match["unit"], match["unit2"]) if unit]
    known = all(currency(unit) or unit.upper() in ("CR", "DR") for unit in units)
    return match if known else None


def _digits_after(text: str, at: int) -> int:
    count = 0
    for letter in text[at + 1 :]:
        if not letter.isdigit():
            break
        count += 1
    return count


def _number(written: str, point: Point) -> Decimal | None:
    plain = _GROUPS.sub("", written)
    plain = plain.replace("," if point == "." else ".", "")
    if point == ",":
        plain = plain.replace(",", ".")
    if plain.count(".") > 1 or not any(map(str.isdigit, plain)) or len(plain) > MOST_DIGITS + 1:
        return None
    # Other scripts have digits of their own, which Decimal reads too.
    return Decimal(plain)

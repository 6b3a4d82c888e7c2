"""Reads texts of a page as the values a schema asks for. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

NUMBER = re.compile(r"[-+−]?\d[\d.,'\u00a0\u202f ]*\d|[-+−]?\d")
WORD = re.compile(r"[^\W_]+")
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
YES = frozenset({"yes", "true", "on", "active", "enabled", "ja", "oui", "si", "sí"})
NO = frozenset({"no", "false", "off", "inactive", "disabled", "nein", "non"})
# Words that say nothing about what is meant.
EMPTY = frozenset("the a an of and or for in on to from with all each every get find list".split())
LONGEST = 5_000

Schema = Mapping[str, Any]


def words_of(text: str) -> tuple[str, ...]:
    """In lower case, a camel's humps apart, without endings of the plural."""
    plain = unicodedata.normalize("NFKC", CAMEL.sub(" ", text)).casefold()
    found = (word for word in WORD.findall(plain) if word not in EMPTY)
    return tuple(word[:-1] if len(word) > 3 and word.endswith("s") else word for word in found)


def likeness(wanted: str, label: str) -> float:
    """How much of what is wanted a label says: 1 is all, and nothing else."""
    one, other = set(words_of(wanted)), set(words_of(label))
    if not one or not other:
        return 0.0
    shared = len(one & other)
    return shared / len(one) * (0.5 + 0.5 * shared / len(other)) if shared else 0.0


def number_in(text: str) -> float | None:
    """The first number, whichever way its thousands and its point are written."""
    found = NUMBER.search(text)
    if found is None:
        return None
    digits = re.sub(r"['\u00a0\u202f ]", "", found[0]).replace("−", "-")
    if "," in digits and "." in digits:
        point = max(digits.rfind(","), digits.rfind("."))
        digits = re.sub(r"[.,]", "", digits[:point]) + "." + digits[point + 1 :]
    elif digits.count(",") == 1 and len(digits) - digits.index(",") != 4:
        digits = digits.replace(",", ".")
    elif digits.count(".") > 1 or "," in digits:
        digits = re.sub(r"[.,]", "", digits)
    try:
        value = float(digits)
    except ValueError:
        return None
    return int(value) if value.is_integer() and "." not in digits else value


def is_numeric(text: str) -> bool:
    """Mostly a number: a price, a count, a date; not a sentence with one in it."""
    rest = NUMBER.sub("", text)
    return number_in(text) is not None and len(WORD.findall(rest)) <= 2


def read(text: str, schema: Schema) -> tuple[bool, Any]:
    """Whether the text can be what the schema wants, and as what."""
    match schema.get("type", "string"):
        case "number" | "integer":
            value = number_in(text)
            if value is not None and schema.get("type") == "integer":
                value = int(value)
            return value is not None, value
        case "boolean":
            first = next(iter(words_of(text)), "")
            return first in YES or first in NO, first in YES
        case "string":
            allowed = schema.get("enum")
            kept = text.strip()[:LONGEST]
            return bool(kept) and (not allowed or kept in allowed), kept
        case _:
            return False, None

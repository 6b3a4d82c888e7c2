"""The regular expressions a pack may have: a subset whose cost is known before it runs.

Literals, `\\d \\w \\s`, classes, groups, `|`, `?` and `{m,n}`. What can repeat without end, look
around, refer back or repeat a group is refused, and so is what could try too many ways at a place.
"""

from __future__ import annotations

import re
import warnings
from functools import lru_cache

MOST_WAYS = 2_000
MOST_REPEATS = 60
LONGEST_TEXT = 20_000
_COUNT = re.compile(r"\{(\d{1,3})(?:,(\d{1,3}))?\}")
_ESCAPES = frozenset("dDwWsSb.,:;/-()[]{}|?*+^$#\\'\" ")
# A group is refused with more inside it than this; a page is never that deep in a date.
DEEPEST = 5


class Unsafe(ValueError):
    """Why an expression is refused."""


@lru_cache(maxsize=512)
def compiled(pattern: str) -> re.Pattern[str]:
    """The expression, checked. Raises Unsafe."""
    ways = _Reader(pattern).read()
    if ways > MOST_WAYS:
        raise Unsafe(f"could try {ways} ways at one place; at most {MOST_WAYS} are allowed")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return re.compile(pattern, re.IGNORECASE)
    except (re.error, FutureWarning, DeprecationWarning, OverflowError) as fault:
        raise Unsafe(f"is not a regular expression: {fault}") from fault


def first_match(pattern: str, text: str) -> str | None:
    """What the expression finds first: its first group, else all of it."""
    found = compiled(pattern).search(text[:LONGEST_TEXT])
    if found is None:
        return None
    return next((group for group in found.groups() if group), found.group())


class _Reader:
    """Reads an expression and counts in how many ways it can match at one place."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0

    def read(self) -> int:
        ways = self.alternatives(0)
        if self.at < len(self.pattern):
            raise Unsafe("has a bracket that was never opened")
        return ways

    def alternatives(self, depth: int) -> int:
        if depth > DEEPEST:
            raise Unsafe("has groups nested too deeply")
        ways = self.sequence(depth)
        while self.peek() == "|":
            self.at += 1
            ways += self.sequence(depth)
        return ways

    def sequence(self, depth: int) -> int:
        ways = 1
        while self.peek() not in ("", "|", ")"):
            ways *= self.item(depth)
        return ways

    def item(self, depth: int) -> int:
        is_group = self.peek() == "("
        ways = self.atom(depth)
        mark = self.peek()
        if mark in ("*", "+") and mark:
            raise Unsafe(f"repeats without end ({mark}); write {{0,20}} or the like")
        if mark == "?":
            self.at += 1
            ways += 1
        elif mark == "{":
            ways *= self.repeats(is_group)
        if self.peek() in ("*", "+", "?", "{") and self.peek():
            raise Unsafe("has a repetition of a repetition")
        return ways

    def repeats(self, is_group: bool) -> int:
        found = _COUNT.match(self.pattern, self.at)
        if not found:
            raise Unsafe("needs both ends of a repetition, as in {1,12}")
        if is_group:
            raise Unsafe("repeats a group; only ? may follow one")
        least, most = int(found[1]), int(found[2] or found[1])
        if not least <= most <= MOST_REPEATS:
            raise Unsafe(f"may repeat at most {MOST_REPEATS} times")
        self.at = found.end()
        return most - least + 1

    def atom(self, depth: int) -> int:
        sign = self.peek()
        self.at += 1
        match sign:
            case "(":
                return self.group(depth)
            case "[":
                self.characters()
            case "\\":
                self.escape()
            case "*" | "+" | "?" | "{":
                raise Unsafe("has a repetition of nothing")
        return 1

    def group(self, depth: int) -> int:
        if self.pattern.startswith("?:", self.at):
            self.at += 2
        elif self.peek() == "?":
            raise Unsafe(
                "looks around, names a group or sets a flag; only (...) and (?:...) are known"
            )
        ways = self.alternatives(depth + 1)
        if self.peek() != ")":
            raise Unsafe("has a bracket that is never closed")
        self.at += 1
        return ways

    def characters(self) -> None:
        if self.peek() == "^":
            self.at += 1
        start = self.at
        while self.peek() != "]" or self.at == start:
            match self.peek():
                case "":
                    raise Unsafe("has a class that is never closed")
                case "[":
                    raise Unsafe("has a class in a class")
                case "\\":
                    self.at += 1
                    self.escape()
                case _:
                    self.at += 1
        self.at += 1

    def escape(self) -> None:
        sign = self.peek()
        if sign not in _ESCAPES or not sign:
            raise Unsafe(f"has \\{sign}, which is not allowed (a reference back, or unknown)")
        self.at += 1

    def peek(self) -> str:
        return self.pattern[self.at : self.at + 1]

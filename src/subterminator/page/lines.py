"""Lines of text and what they are made of. Knows nothing of pages."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from subterminator.page.phrases import noun

PLURALS = {"checkbox": "checkboxes", "switch": "switches"}


class Kind(IntEnum):
    """What a line is worth: the lowest is given up first when there is no room."""

    TEXT = 0
    REPEATED = 1  # in a long list or table, after its beginning
    FURNITURE = 2  # in navigation, header or footer
    CONTROL = 3
    SECTION = 4  # what is indented below belongs to it
    HEADER = 5  # says what is in each of the lines after it


class Line(NamedTuple):
    """A line of text. `place` is the element it starts with.

    `is_offscreen` is None where nothing tells. `bare` is the line without its texts, for when there
    is no room.
    """

    text: str
    place: int
    kind: Kind
    is_offscreen: bool | None
    bare: str = ""


class Part(NamedTuple):
    """An element on a line that is still growing; `role` and `ref` are empty for text."""

    place: int
    role: str
    ref: str
    name: str
    details: tuple[str, ...] = ()

    def text(self, with_role: bool = True) -> str:
        _, role, ref, name, details = self
        if not role:
            return name
        if with_role:
            ref = f"{ref} {noun(role)}"
        text = f"{ref} {name}" if name else ref
        return f"{text} {' '.join(details)}" if details else text


def group(parts: Sequence[Part]) -> str:
    """`links @e1 "Home" @e2 "Help"`: the role said once, the states too if all have the same."""
    role = next(part.role for part in parts if part.role)
    shared = parts[0].details
    if any(part.details != shared for part in parts):
        shared = ()
    words = [PLURALS.get(role, noun(role) + "s"), *shared]
    for part in parts:
        if part.ref:
            words.append(part.ref)
        if part.name:
            words.append(part.name)
        if not shared:
            words += part.details
    return " ".join(words)

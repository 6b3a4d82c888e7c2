"""What a call answers: words for a model, data for a program, pictures if asked for."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from subterminator.types import Picture


class Answer(Struct, frozen=True):
    text: str
    failed: bool = False
    data: dict[str, Any] | None = None
    pictures: tuple[Picture, ...] = ()


def of_data(data: dict[str, Any], *, failed: bool = False) -> Answer:
    """The same as words and as data: a host shows one or the other."""
    return Answer(msgspec.json.encode(data).decode(), failed, data)

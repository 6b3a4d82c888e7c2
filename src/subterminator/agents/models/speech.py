"""Puts what was heard of a model together, by the rules that hold for every provider."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from subterminator.agents.models.base import Call, Malformed, Spoken, Stop, Text, Thought, Usage

Heard = Text | Call | Malformed | Thought
TOGETHER = "Not run: another call of the same answer was malformed. Send one call, well-formed."


def read_call(id: str, name: str, written: str) -> Call | Malformed:
    """A call, if the arguments are a JSON object. No arguments at all are an empty one."""
    if not name:
        return Malformed(id, name, "Not run: the call names no tool.")
    try:
        arguments: Any = msgspec.json.decode(written) if written.strip() else {}
    except (msgspec.DecodeError, UnicodeEncodeError):
        return Malformed(id, name, "Not run: the arguments are not JSON. Send the call again.")
    if not isinstance(arguments, dict):
        return Malformed(id, name, "Not run: the arguments are not a JSON object.")
    return Call(id, name, arguments)


def finish(heard: Sequence[Heard], stop: Stop, usage: Usage) -> Spoken:
    """The answer. Cut off or refused: its words only. One call malformed: none of them runs."""
    if stop in ("length", "refused"):
        words = tuple(part for part in heard if isinstance(part, Text))
        return Spoken(parts=words, stop=stop, usage=usage)
    if any(isinstance(part, Malformed) for part in heard):
        heard = [
            Malformed(part.id, part.name, TOGETHER) if isinstance(part, Call) else part
            for part in heard
        ]
    # Some servers say that they are done where they ask for a tool; the calls tell.
    asks = any(isinstance(part, Call | Malformed) for part in heard)
    return Spoken(parts=tuple(heard), stop="tool" if asks else "end", usage=usage)

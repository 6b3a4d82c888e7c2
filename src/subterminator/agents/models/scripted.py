"""A model that plays a script: a list of answers, a function of what it is asked, or a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from subterminator.agents.models.base import Call, Request, Spoken, Text, Usage
from subterminator.errors import InvalidParams

EXAMPLE = (
    '[{"calls": [{"name": "complete_task", "arguments": {"status": "failed", "reason": ""}}]}]'
)


class ScriptedCall(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    arguments: dict[str, Any] = {}


class Line(Struct, frozen=True, forbid_unknown_fields=True):
    """One answer in a file."""

    text: str = ""
    calls: tuple[ScriptedCall, ...] = ()


class ScriptedModel:
    """After the last answer it says nothing more. `asked` keeps what it was asked."""

    name = "scripted"

    def __init__(self, script: Iterable[Spoken] | Callable[[Request], Spoken]) -> None:
        self._lines = None if callable(script) else iter(script)
        self._decide = script if callable(script) else None
        self.asked: list[Request] = []

    async def answer(self, request: Request, *, hear: Callable[[str], None]) -> Spoken:
        self.asked.append(request)
        silence = Spoken(parts=(), stop="end", usage=Usage(), cost=0.0)
        if self._decide:
            spoken = self._decide(request)
        else:
            spoken = next(self._lines, silence) if self._lines else silence
        if spoken.text:
            hear(spoken.text)
        return spoken


def load(path: str) -> ScriptedModel:
    """A script from a JSON file: a list of answers with `text` and `calls`."""
    try:
        lines = msgspec.json.decode(Path(path).read_bytes(), type=list[Line])
    except OSError as error:
        raise InvalidParams(
            f"The script {path} cannot be read: {error.strerror}.",
            next_step="Name a JSON file: --model scripted:FILE.",
        ) from error
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise InvalidParams(
            f"The script {path} is not a list of answers: {error}.",
            next_step=f"Write it like {EXAMPLE}",
        ) from error
    return ScriptedModel([_speak(number, line) for number, line in enumerate(lines, 1)])


def _speak(number: int, line: Line) -> Spoken:
    calls = tuple(
        Call(f"call_{number}_{place}", call.name, call.arguments)
        for place, call in enumerate(line.calls, 1)
    )
    words = (Text(line.text),) if line.text else ()
    return Spoken(parts=(*words, *calls), stop="tool" if calls else "end", usage=Usage(), cost=0.0)

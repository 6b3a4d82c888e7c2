"""What a practice model answers, apart from any wire format, and what it is a function of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from subterminator.agents.models.base import Request, Stop

# Streams come in pieces that end anywhere, in the middle of a word or of an escape.
PIECE = 9


class Asks(Struct, frozen=True):
    """A tool that is asked for. Arguments that are a text go out as they are, however malformed."""

    name: str
    arguments: dict[str, Any] | str = {}


class Reply(Struct, frozen=True, kw_only=True):
    """One answer. Without `stop` it ends as its calls say."""

    text: str = ""
    calls: tuple[Asks, ...] = ()
    thought: str = ""
    stop: Stop | None = None

    @property
    def ending(self) -> Stop:
        return self.stop or ("tool" if self.calls else "end")


Script = Callable[[Request], Reply]
"""A practice model: it knows the request, and nothing else. The server keeps no conversation."""


class Rejected(Exception):
    """The request is one that a provider refuses with status 400 or 401."""

    def __init__(self, words: str, status: int = 400, parameter: str = "") -> None:
        super().__init__(words)
        self.words = words
        self.status = status
        self.parameter = parameter


class Spent(Struct, frozen=True):
    """Tokens of one answer, as both formats tell them."""

    fresh: int
    cached: int
    written: int
    output: int


def cut_up(text: str) -> Iterator[str]:
    for start in range(0, len(text), PIECE):
        yield text[start : start + PIECE]

"""The person behind a run: asked before what cannot be undone, and given what only they may do."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from subterminator.types import Resolved


class Question(Struct, frozen=True):
    """What a person is asked.

    Every fact in it was read from the browser, none comes from a model.
    """

    action: str
    reason: str
    rule: str
    url: str
    title: str
    target: Resolved | None = None

    def __str__(self) -> str:
        what = f" on {self.target.role} {self.target.name[:200]!r}" if self.target else ""
        return f"{self.action}{what} at {self.url}: {self.reason}"


class Human(Protocol):
    """A channel to the person.

    `approve` answers yes or no; `hand_over` returns True when the person has done it.
    """

    async def approve(self, question: Question) -> bool: ...
    async def hand_over(self, question: Question) -> bool: ...


class Nobody:
    """No person is there: everything that asks is refused."""

    async def approve(self, question: Question) -> bool:
        return False

    async def hand_over(self, question: Question) -> bool:
        return False


nobody = Nobody()

"""What a cancellation came to, and what shows it. Plain data."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from subterminator.agents.moves import Reason
from subterminator.agents.spending import Spent
from subterminator.packs.model import Outcome as Outcome
from subterminator.packs.model import Stage as Stage

EvidenceKind = Literal[
    "words", "status", "control", "date", "reference", "mail", "payer", "offline",
]  # fmt: skip


class Evidence(Struct, frozen=True):
    """One thing that was read on a page. `time` is ISO 8601 in UTC; `picture` an artifact."""

    kind: EvidenceKind
    text: str
    url: str
    time: str
    picture: str = ""
    fresh: bool = False
    """Read on a page loaded anew after the final press."""


class Before(Struct, frozen=True):
    """The subscription as it was found; empty means not found."""

    plan: str = ""
    price: str = ""
    renews: str = ""
    payer: str = ""


class After(Struct, frozen=True):
    """The subscription as a freshly loaded page shows it."""

    status_text: str = ""
    ends_on: str = ""


class GateAnswer(Struct, frozen=True):
    """A question that was put to the person."""

    time: str
    asked: str
    answer: str


class TaskResult(Struct, frozen=True, kw_only=True):
    """The end of a run. `success` only where it was verified, or where there was nothing to do."""

    success: bool
    verified: bool
    reason: Reason
    outcome: Outcome
    turns: int
    final_url: str | None = None
    error: str | None = None
    service: str = ""
    account_hint: str = ""
    evidence: tuple[Evidence, ...] = ()
    before: Before = Before()
    after: After = After()
    reference: str = ""
    refund: str = ""
    declined: tuple[str, ...] = ()
    survey_answers: tuple[str, ...] = ()
    gates: tuple[GateAnswer, ...] = ()
    steps: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    """What the person can do now: where to go, what to write, when to check."""
    started: str = ""
    ended: str = ""
    pack_version: str = ""
    run: str = ""
    proof: str = ""
    """The folder of the proof; empty if none was written."""
    planner: str = ""
    spent: Spent = Spent()
    """What the model took, if one was asked."""


class Progress(Struct, frozen=True):
    """One line for the person while it goes on."""

    stage: Stage
    text: str
    turn: int = 0
    """So many answers a model has given so far; 0 where none is asked."""
    tokens: int = 0
    cost: float | None = None
    """In US dollars; None where the price is not known."""

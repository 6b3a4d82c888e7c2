"""What a cancellation came to, and what shows it. Plain data."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from subterminator.agents.moves import Reason

Stage = Literal[
    "START", "AUTH_REQUIRED", "ACCOUNT_ACTIVE", "ALREADY_CANCELLED", "OFF_SITE", "RETENTION_OFFER",
    "EXIT_SURVEY", "FINAL_CONFIRMATION", "VERIFYING", "COMPLETE", "STOPPED", "UNKNOWN",
]  # fmt: skip
Outcome = Literal[
    "cancelled", "unverified", "pending", "already_cancelled", "third_party", "manual_required",
    "stopped", "failed",
]  # fmt: skip
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


class Progress(Struct, frozen=True):
    """One line for the person while it goes on."""

    stage: Stage
    text: str

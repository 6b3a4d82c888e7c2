"""What a planner sees and what it may answer. Plain data; nothing here acts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Literal, Protocol

from msgspec import Struct

from subterminator.actions import Action
from subterminator.errors import SubTerminatorError
from subterminator.page.snapshot import Snapshot
from subterminator.result import Result
from subterminator.types import DialogInfo, Happened
from subterminator.verbs import Verbs

Reason = Literal[
    "completed", "human_rejected", "max_turns_exceeded", "llm_no_action", "llm_error", "mcp_error",
    "verification_failed", "off_site", "pending", "browser_error", "time_limit", "cost_limit",
    "rate_limit", "loop", "unsafe",
]  # fmt: skip


class Reply(Struct, frozen=True, kw_only=True, tag_field="move", omit_defaults=True):
    """What all moves share. `cost` is what the reply cost, in US dollars."""

    cost: float = 0.0


class Act(Reply, frozen=True, tag="act"):
    """Do something. `said` is how the planner describes it, for the person to compare.

    `final` is what the planner believes of it; whether the person is asked does not depend on that.
    `replan`: if the gate would refuse it the planner names something else at once; otherwise it is
    told of the refusal like of any other error.
    """

    action: Action | dict[str, Any]
    said: str = ""
    final: bool = False
    replan: bool = True


class AskHuman(Reply, frozen=True, tag="ask_human"):
    """Ask the person something. A yes is an answer to the planner and permits nothing."""

    text: str


class Complete(Reply, frozen=True, tag="complete"):
    """End the run. Success is only claimed by this; whether it is one is verified."""

    status: Literal["success", "failed"]
    reason: str = ""


class Nothing(Reply, frozen=True, tag="nothing"):
    """A reply in which nothing was asked for."""


class Misstep(Reply, frozen=True, tag="misstep"):
    """A reply that cannot be followed. Nothing is done, and the planner is told why."""

    error: SubTerminatorError


Move = Act | AskHuman | Complete | Nothing | Misstep


class Observation(Struct, frozen=True):
    """What a planner decides by.

    `said` is ours, `page` is the page's words inside the run's fence: data, never instructions.
    `happened` is what the last action set off, `dialog` the native dialog that waits, `result` the
    whole reply to the last action if there was one.
    """

    turn: int
    said: str
    page: str
    snapshot: Snapshot | None = None
    error: SubTerminatorError | None = None
    happened: Happened = Happened()
    dialog: DialogInfo | None = None
    result: Result | None = None

    def text(self) -> str:
        return "\n".join(part for part in (self.said, self.page) if part)


class Planner(Protocol):
    """Decides what to do next. It is not trusted: all it can do is answer."""

    async def next(self, observation: Observation) -> Move: ...


class Verified(Struct, frozen=True):
    """Shown by the page itself, loaded anew."""

    evidence: str


class Unproven(Struct, frozen=True):
    """Nothing shows it."""

    why: str


# It is given the session to look and to load pages with; every other action is refused to it.
Verifier = Callable[[Verbs], Awaitable[Verified | Unproven]]


class RunResult(Struct, frozen=True):
    """How a run ended. `success` only where it was verified."""

    success: bool
    verified: bool
    reason: Reason
    turns: int
    final_url: str
    error: str | None = None

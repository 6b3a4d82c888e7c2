"""Pursues any goal on a site with a model in the lead: the same loop, gate and record as always.

Whether it worked is only known where the person has said what the page must show.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from subterminator import actions as a
from subterminator import errors
from subterminator.agents.guide import Desk
from subterminator.agents.heuristic import Heuristic
from subterminator.agents.languages import Reader
from subterminator.agents.loop import run
from subterminator.agents.moves import (
    Act,
    Complete,
    Move,
    Nothing,
    Observation,
    Planner,
    Reason,
    RunResult,
    Unproven,
    Verified,
    Verifier,
)
from subterminator.agents.outcome import Progress
from subterminator.agents.signing import hand_over
from subterminator.agents.spending import Spent
from subterminator.agents.stages import Context, Page
from subterminator.machine import this_machine
from subterminator.packs import registry
from subterminator.safety.fence import Fence
from subterminator.safety.human import Human
from subterminator.safety.limits import Limits
from subterminator.session import Session
from subterminator.verbs import Verbs

# A sign-in among so many other things is not in the way of all of them.
WALL = 14
Lead = Callable[[Desk], Planner]


class GoalResult(Struct, frozen=True, kw_only=True):
    """How a run for a goal ended. `claim` is what the model says; `success` only if verified."""

    success: bool
    verified: bool
    reason: Reason
    turns: int
    claim: str = ""
    final_url: str = ""
    error: str | None = None
    planner: str = ""
    spent: Spent = Spent()
    started: str = ""
    ended: str = ""
    run: str = ""


class Pursuit(Struct, frozen=True):
    """What is wanted, where it begins, and the words that show that it is done."""

    goal: str
    url: str
    expect: str = ""


async def pursue(
    session: Session,
    pursuit: Pursuit,
    lead: Lead,
    *,
    human: Human,
    limits: Limits,
    tell: Callable[[Progress], None],
) -> GoalResult:
    """Lead to an end. What cannot be undone is asked about, whatever the model thinks of it."""
    fence = Fence()
    desk = Desk(fence, session.record)
    attended = _Attended(session, lead(desk), human, desk, tell)
    started = _now()
    try:
        tell(Progress("START", f"Opening {pursuit.url.partition('?')[0][:120]}"))
        await session.navigate(pursuit.url)
        verify = shows(pursuit.expect) if pursuit.expect else None
        ended = await run(session, attended, human=human, limits=limits, fence=fence, verify=verify)
    except errors.SubTerminatorError as fault:
        reason: Reason = (
            "human_rejected" if isinstance(fault, errors.HandedOver) else "browser_error"
        )
        ended = RunResult(False, False, reason, 0, "", str(fault))
    return _result(ended, session, attended, started)


def _result(ended: RunResult, session: Session, led: _Attended, started: str) -> GoalResult:
    return GoalResult(
        success=ended.success,
        verified=ended.verified,
        reason=ended.reason,
        turns=ended.turns,
        claim=led.claim,
        final_url=ended.final_url,
        error=ended.error,
        spent=led.desk.meter.spent,
        started=started,
        ended=_now(),
        run=session.record.id,
    )


def shows(words: str) -> Verifier:
    """Whether the page, loaded anew, says what the person expects to see."""

    async def verify(look: Verbs) -> Verified | Unproven:
        now = (await look.snapshot()).page.url
        await look.navigate(now)
        text = await look.text()
        if " ".join(words.casefold().split()) in " ".join(text.casefold().split()):
            return Verified(words)
        return Unproven(f"The page, loaded anew, does not say {words[:120]!r}.")

    return verify


class _Attended:
    """A planner whose sign-in pages are the person's, and whose steps are told."""

    def __init__(
        self,
        session: Session,
        planner: Planner,
        human: Human,
        desk: Desk,
        tell: Callable[[Progress], None],
    ) -> None:
        self._session = session
        self._planner = planner
        self._human = human
        self._tell = tell
        packs = registry.load(this_machine())
        self._reader = Reader(packs.generic(), packs, Context())
        self._signing = Heuristic(self._reader, "")
        self.desk = desk
        self.claim = ""

    async def next(self, observation: Observation) -> Move:
        if page := self._wall(observation):
            return await self._hand_over(observation, page)
        move = await self._planner.next(observation)
        if isinstance(move, Complete):
            self.claim = f"{move.status}: {move.reason}"
        self._tell_of(move)
        return move

    def _wall(self, seen: Observation) -> Page | None:
        if seen.snapshot is None or seen.dialog:
            return None
        page = self._reader.read(seen.snapshot)
        own = [control for control in page.sight.controls if not control.is_around]
        is_wall = page.reading.stage == "AUTH_REQUIRED" and len(own) <= WALL
        return page if is_wall else None

    async def _hand_over(self, seen: Observation, page: Page) -> Move:
        self._tell(Progress("AUTH_REQUIRED", "Please sign in in the browser window."))
        move = await self._signing.next(seen)
        if not isinstance(move, Nothing):
            return move
        await hand_over(self._session, self._human, page)
        return Act(action=a.TakeSnapshot(), said="looks at the page")

    def _tell_of(self, move: Move) -> None:
        spent = self.desk.meter.spent
        taken = Progress("UNKNOWN", "", spent.answers, spent.tokens, spent.cost)
        match move:
            case Act(said=said):
                self._tell(replace(taken, text=said or "goes on"))
            case Complete(status="success"):
                self._tell(replace(taken, stage="VERIFYING", text="Says that it is done"))
            case _:
                return


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

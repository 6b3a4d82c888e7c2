"""One loop for every planner: look, let it decide, pass its move to the gate, until it ends.

The loop trusts no planner. What may be done is decided in the session, whether it worked by a
verifier; the planner's opinion of either counts for nothing.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Iterable
from typing import Any, assert_never

from subterminator import errors
from subterminator.actions import Action, Navigate, Reload
from subterminator.agents.moves import (
    Act,
    AskHuman,
    Complete,
    Misstep,
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
from subterminator.errors import NotPressed, RecordFailed
from subterminator.intake import parse_action
from subterminator.result import Result
from subterminator.runs.events import LimitHit
from subterminator.safety.fence import Fence
from subterminator.safety.human import Human, Question, bare_address, masked
from subterminator.safety.ledger import Ledger, Row
from subterminator.safety.limits import Counter, Limits, fingerprint
from subterminator.safety.sites import host_of
from subterminator.safety.verdict import FINAL
from subterminator.session import Session
from subterminator.types import Happened, PageInfo
from subterminator.verbs import Verbs

# So often in a row, and it will not get better: silence, refused actions, claims without proof.
IN_A_ROW = 3
LONGEST_QUESTION = 2_000
NOTHING = Happened()


async def run(
    session: Session,
    planner: Planner,
    *,
    human: Human,
    limits: Limits,
    fence: Fence,
    verify: Verifier | None,
) -> RunResult:
    """Let a planner lead until it ends, a limit is reached or the person says no.

    Without a way to verify there is no success.
    """
    leading = _Run(session, planner, human, limits, fence, verify)
    try:
        return await leading.to_its_end()
    except errors.LimitReached as fault:
        if (reason := _limit(fault)) is None:
            raise
        session.record.append(LimitHit(reason, fault.message))
        return leading.ended(reason, fault)
    except errors.BrowserClosed as fault:
        return leading.ended("browser_error", fault)


async def resume(
    session: Session, ledger: Ledger, rows: Iterable[Row], verify: Verifier
) -> RunResult | None:
    """Find out what came of presses of a run that ended too early; None if there were none.

    Nothing is pressed here, and nothing is planned: what stays unproven is for a person.
    """
    left = list(rows)
    if not left:
        return None
    found = await verify(Looking(session))
    for row in left:
        try:
            await _settle(ledger, row, found)
        except NotPressed:
            continue  # Another run has taken it in this moment, and verifies it.
    match found:
        case Verified():
            return RunResult(True, True, "completed", 0, _address(session))
        case Unproven(why=why):
            return RunResult(False, False, "verification_failed", 0, _address(session), why)


async def _settle(ledger: Ledger, row: Row, found: Verified | Unproven) -> None:
    claim = await asyncio.to_thread(ledger.adopt, row)
    match found:
        case Verified(evidence=evidence):
            await asyncio.to_thread(ledger.confirm, claim, evidence)
        case Unproven(why=why) if claim.state == "FIRED":
            await asyncio.to_thread(ledger.doubt, claim, why)


class Looking(Verbs):
    """A session for who verifies: it looks and loads pages; it touches nothing."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def call(self, action: Action | dict[str, Any] | bytes | str) -> Result:
        checked = parse_action(action)
        if type(checked).effect != "look" and not isinstance(checked, Navigate | Reload):
            raise errors.Refused("Verifying only looks and loads pages.")
        return await self._session.call(checked)


class _Run:
    def __init__(
        self,
        session: Session,
        planner: Planner,
        human: Human,
        limits: Limits,
        fence: Fence,
        verify: Verifier | None,
    ) -> None:
        self._session = session
        self._planner = planner
        self._human = human
        # The time that the person takes at the gate is not the run's either.
        self._counter = Counter(limits, session.counter.now)
        self._fence = fence
        self._verify = verify
        self._silent = 0
        self._refused = 0
        self._unproven = 0

    async def to_its_end(self) -> RunResult:
        seen: Observation | RunResult = await self._look()
        while isinstance(seen, Observation):
            self._counter.turn()
            move = await self._decide(seen)
            if isinstance(move, RunResult):
                return move
            self._counter.spend(move.cost)
            seen = await self._follow(move)
        return seen

    def ended(
        self, reason: Reason, error: errors.SubTerminatorError | str | None, *, proven: bool = False
    ) -> RunResult:
        words = None if error is None else str(error)
        return RunResult(
            proven, proven, reason, self._counter.turns, _address(self._session), words
        )

    async def _look(self) -> Observation:
        try:
            return self._observe((await self._session.snapshot()).text())
        except errors.BrowserClosed:
            raise
        except errors.SubTerminatorError as fault:
            return self._fail(fault)

    async def _decide(self, seen: Observation) -> Move | RunResult:
        try:
            async with asyncio.timeout(self._counter.seconds_left) as limit:
                return await self._planner.next(seen)
        except TimeoutError:
            if limit.expired():
                return self.ended("time_limit", "The planner took longer than the run may.")
            return self.ended("llm_error", "The planner gave no answer in time.")
        except errors.SubTerminatorError as fault:
            return self.ended("llm_error", fault)

    async def _follow(self, move: Move) -> Observation | RunResult:
        if not isinstance(move, Nothing):
            self._silent = 0
        match move:
            case Act(action=action, said=said):
                return await self._act(action, said)
            case AskHuman(text=text):
                return await self._ask(text)
            case Complete(status="success"):
                return await self._prove()
            case Complete(status="failed", reason=reason):
                return self.ended("completed", reason or "The planner gave up.")
            case Misstep(error=error):
                return await self._take(error)
            case Nothing():
                self._silent += 1
                if self._silent >= IN_A_ROW:
                    return self.ended("llm_no_action", f"{IN_A_ROW} replies without an action.")
                return self._observe("", "Nothing was asked for. Act, ask, or complete the task.")
            case Complete():
                # Not of the wire: a planner in Python can put anything there.
                return self._fail(errors.InvalidParams("A task completes as success or failed."))
            case _:
                assert_never(move)

    # Acting

    async def _act(self, action: Action | dict[str, Any], said: str) -> Observation | RunResult:
        try:
            checked = parse_action(action)
            self._counter.count(checked, fingerprint(self._session.last_snapshot))
            result = await self._session.call(checked, said=said)
        except errors.SubTerminatorError as fault:
            return await self._take(fault)
        self._refused = self._unproven = 0
        return self._observe(result.text(), result=result)

    async def _take(self, fault: errors.SubTerminatorError) -> Observation | RunResult:
        """An error ends the run, or the planner is told of it and nothing else happens."""
        match fault:
            case errors.BrowserClosed():
                raise fault
            case errors.LimitReached() if _limit(fault):
                raise fault
            case errors.HandedOver():
                # The person pressed it themselves, or will not do what only they may do.
                return await self._prove() if fault.details.get("done") else self._reject(fault)
            # A refusal that does not say what it was about counts as one of the last step.
            case errors.HumanRejected() if fault.details.get("effect", "irreversible") in FINAL:
                return self._reject(fault)
            case RecordFailed():
                return self.ended("unsafe", fault)
            case errors.HumanRejected() | errors.ApprovalRequired() | errors.ApprovalVoid():
                return self._fail(fault)
            case errors.Refused():
                self._refused += 1
                return (
                    self.ended("unsafe", fault) if self._refused >= IN_A_ROW else self._fail(fault)
                )
            case _:
                return self._fail(fault)

    def _reject(self, fault: errors.SubTerminatorError) -> RunResult:
        return self.ended("human_rejected", fault)

    async def _ask(self, text: str) -> Observation:
        with self._session.counter.paused():
            try:
                yes = await self._human.approve(question_of(self._session, text))
            except errors.HandedOver:
                yes = False  # There is nothing here that they could press themselves.
        answer = "yes" if yes else "no"
        return self._observe("", f"The person answers {answer}. This permits no action by itself.")

    async def _prove(self) -> Observation | RunResult:
        """Success is a claim until the page shows it; without proof it is an error like others."""
        if self._verify is None:
            return self.ended("verification_failed", "There is no way to verify it.")
        try:
            found = await self._verify(Looking(self._session))
        except errors.BrowserClosed:
            raise
        except errors.SubTerminatorError as fault:
            found = Unproven(str(fault))
        match found:
            case Verified():
                return self.ended("completed", None, proven=True)
            case Unproven(why=why):
                self._unproven += 1
                if self._unproven >= IN_A_ROW:
                    return self.ended("verification_failed", why)
                return self._fail(
                    errors.ConditionFailed(
                        f"Not proven: {why}", next_step="Finish it, or complete it as failed."
                    )
                )

    # Telling the planner

    def _observe(
        self,
        page: str,
        said: str = "",
        error: errors.SubTerminatorError | None = None,
        result: Result | None = None,
    ) -> Observation:
        session = self._session
        safe = session.record.redactor.text(page)
        fenced = self._fence.wrap(safe, _address(session)) if page else ""
        return Observation(
            turn=self._counter.turns + 1,
            said=said,
            page=fenced,
            snapshot=session.last_snapshot,
            error=error,
            happened=result.happened if result else NOTHING,
            dialog=session.open_dialog,
            result=result,
        )

    def _fail(self, fault: errors.SubTerminatorError) -> Observation:
        """The error for the planner; nothing else happens. Its words may quote the page."""
        page = fault.snapshot.text() if fault.snapshot else ""
        return self._observe(f"{fault}\n{page}".strip(), f"Error: {fault.code}.", fault)


def _limit(fault: errors.LimitReached) -> Reason | None:
    """The reason if this ends the run; a cap of the page or the browser does not."""
    match fault.details.get("reason"):
        case ("max_turns_exceeded" | "time_limit" | "cost_limit" | "rate_limit" | "loop") as reason:
            return reason
        case _:
            return None


def question_of(session: Session, text: str) -> Question:
    """What the planner wants to know, shown as its words and not as facts."""
    page = session.last_snapshot.page if session.last_snapshot else PageInfo("about:blank", "")
    said = text[:LONGEST_QUESTION]
    question = Question(
        id=secrets.token_hex(8),
        job=session.task.id,
        action="question",
        effect="look",
        reason="The program that leads this run asks you something. A yes lets it do nothing more.",
        rule="planner-asks",
        url=bare_address(page.url),
        title=page.title,
        host=host_of(page.url),
        said=said,
        digest=hashlib.sha256(said.encode("utf-8", "replace")).hexdigest(),
    )
    return masked(question, session.record.redactor)


def _address(session: Session) -> str:
    seen = session.last_snapshot
    return seen.page.url if seen else ""

"""Ends one subscription, from the first look to the proof. Never prints; `tell` gets each step."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

from msgspec.structs import replace

from subterminator import errors
from subterminator.agents import facts
from subterminator.agents.conductor import Conductor
from subterminator.agents.guide import Briefing, Desk, Planning, by_rules
from subterminator.agents.heuristic import Heuristic
from subterminator.agents.languages import Reader
from subterminator.agents.loop import resume, run
from subterminator.agents.moves import Reason, RunResult, Unproven, Verified
from subterminator.agents.outcome import After, Outcome, Progress, TaskResult
from subterminator.agents.stages import Context
from subterminator.agents.verification import Finding
from subterminator.machine import this_machine
from subterminator.packs import registry
from subterminator.packs.model import Pack
from subterminator.safety.fence import Fence
from subterminator.safety.human import Human
from subterminator.safety.ledger import Row, key_for
from subterminator.safety.limits import Limits
from subterminator.session import Session
from subterminator.verbs import Verbs

# A limit, a no, or a planner that does not know on: nothing is wrong with the site or the browser.
FAILED: frozenset[Reason] = frozenset({"browser_error", "llm_error", "mcp_error"})


async def cancel(
    session: Session,
    pack: Pack,
    *,
    human: Human,
    limits: Limits,
    fence: Fence,
    tell: Callable[[Progress], None],
    dry_run: bool = False,
    goal: str = "",
    start_url: str = "",
    plan: Planning = by_rules,
) -> TaskResult:
    """Lead the run to one of the eight outcomes. The session asks before the last press."""
    started = _now()
    reader = Reader(pack, registry.load(this_machine()), Context())
    start = start_url or next(iter(pack.start_urls), "")
    wanted = f"{goal} {session.task.subscription}".strip()
    heuristic = Heuristic(reader, wanted, start)
    desk = Desk(fence, session.record)
    told = _with_spending(tell, desk)
    guide = plan(Briefing(wanted, reader, heuristic, desk))
    conductor = Conductor(session, guide, reader, human, told, dry_run=dry_run)
    conductor.places = [start] if start else []
    report = Report(session, conductor, started, desk)
    try:
        session.enter("START")
        tell(Progress("START", f"Opening {pack.names[0]} in your browser"))
        if start:
            await session.navigate(start)
        if left := await _left_over(session):
            finding = await _verify_first(session, conductor, left)
            if finding.kind == "cancelled":
                return report.proven(finding)
            if finding.kind != "lost":
                return report.unproven(finding)
        ended = await run(
            session, conductor, human=human, limits=limits, fence=fence, verify=conductor.verify
        )
    except errors.HandedOver as fault:
        ended = RunResult(False, False, "human_rejected", 0, "", str(fault))
    except errors.SubTerminatorError as fault:
        ended = RunResult(False, False, "browser_error", 0, "", str(fault))
    return report.of(ended)


async def _left_over(session: Session) -> list[Row]:
    """Presses for this very subscription whose end nobody has seen."""
    key = key_for(session.task, "irreversible", "")
    await asyncio.to_thread(session.ledger.recover)
    rows = await asyncio.to_thread(session.ledger.rows)
    overdue = {row.row for row in await asyncio.to_thread(session.ledger.to_verify)}
    return [r for r in rows if r.key == key and (r.state == "UNKNOWN" or r.row in overdue)]


async def _verify_first(session: Session, conductor: Conductor, rows: list[Row]) -> Finding:
    """An earlier run may have pressed: find out before anything else, and never press for it."""
    found: list[Finding] = []

    async def look(page: Verbs) -> Verified | Unproven:
        finding = await conductor.check_status(page)
        found.append(finding)
        is_over = finding.kind == "cancelled"
        return Verified(finding.why) if is_over else Unproven(finding.why)

    session.enter("VERIFYING")
    await resume(session, session.ledger, rows, look)
    finding = found[0]
    if finding.kind == "lost":
        session.reopen(f"{_now()} {finding.why}")
    return finding


def _with_spending(tell: Callable[[Progress], None], desk: Desk) -> Callable[[Progress], None]:
    """Each line also says what the model has taken so far."""

    def told(progress: Progress) -> None:
        spent = desk.meter.spent
        tell(replace(progress, turn=spent.answers, tokens=spent.tokens, cost=spent.cost))

    return told


class Report:
    """Puts together what the person is told in the end."""

    def __init__(self, session: Session, conductor: Conductor, started: str, desk: Desk) -> None:
        self._session = session
        self._desk = desk
        self._conductor = conductor
        self._started = started

    def proven(self, finding: Finding) -> TaskResult:
        url = self._address()
        return self._make(RunResult(True, True, "completed", 0, url), "cancelled", finding)

    def unproven(self, finding: Finding) -> TaskResult:
        ended = RunResult(False, False, "verification_failed", 0, self._address(), finding.why)
        return self._make(ended, _by_finding(finding), finding)

    def of(self, ended: RunResult) -> TaskResult:
        conductor = self._conductor
        ending = conductor.ending
        if ended.success and not (ending and ending.outcome == "already_cancelled"):
            return self._make(ended, "cancelled", conductor.finding)
        if conductor.fired or conductor.pressed:
            if ended.reason == "completed":
                ended = _because(ended, "verification_failed")
            return self._make(ended, _by_finding(conductor.finding), conductor.finding)
        if ending:
            over = ending.outcome == "already_cancelled"
            ended = RunResult(
                over,
                over,
                ending.reason,
                ended.turns,
                ended.final_url,
                None if over else ending.text,
            )
            return self._make(ended, ending.outcome, None)
        outcome: Outcome = "failed" if ended.reason in FAILED else "stopped"
        return self._make(ended, outcome, None)

    def _make(self, ended: RunResult, outcome: Outcome, finding: Finding | None) -> TaskResult:
        conductor, task = self._conductor, self._session.task
        ending = conductor.ending
        pending = outcome == "pending"
        return TaskResult(
            success=ended.success,
            verified=ended.verified,
            reason="pending" if pending else ended.reason,
            outcome=outcome,
            turns=ended.turns,
            final_url=ended.final_url or None,
            error=ended.error,
            service=task.service or conductor.pack.id,
            account_hint=conductor.account_hint,
            evidence=finding.evidence if finding else ending.evidence if ending else (),
            before=conductor.before,
            after=finding.after if finding else self._after(outcome),
            reference=finding.reference if finding else "",
            refund=finding.refund if finding else "",
            declined=tuple(dict.fromkeys(conductor.planner.declined)),
            survey_answers=tuple(conductor.planner.answers),
            gates=tuple(conductor.gates),
            steps=tuple(conductor.steps),
            next_steps=_next_steps(outcome, finding, ending.next_steps if ending else ()),
            started=self._started,
            ended=_now(),
            pack_version=f"{conductor.pack.id} {conductor.pack.checked_on}",
            run=self._session.record.id or "",
            spent=self._desk.meter.spent,
        )

    def _after(self, outcome: Outcome) -> After:
        seen = self._session.last_snapshot
        if outcome != "already_cancelled" or seen is None:
            return After()
        return facts.after(self._conductor.read(seen))

    def _address(self) -> str:
        seen = self._session.last_snapshot
        return seen.page.url if seen else ""


def _because(ended: RunResult, reason: Reason) -> RunResult:
    return RunResult(
        ended.success, ended.verified, reason, ended.turns, ended.final_url, ended.error
    )


def _by_finding(finding: Finding | None) -> Outcome:
    return "pending" if finding and finding.kind == "pending" else "unverified"


def _next_steps(
    outcome: Outcome, finding: Finding | None, steps: tuple[str, ...]
) -> tuple[str, ...]:
    match outcome:
        case "pending":
            said = f' The page says: "{finding.why}"' if finding else ""
            by_link = finding is not None and finding.evidence[0].kind == "mail"
            what = (
                "Follow the link in the message of the service."
                if by_link
                else "Wait for the answer of the service, and ask if none comes within a week."
            )
            return (f"{what}{said}", *steps)
        case "unverified":
            return ("Look at the account page: nothing there shows that it has ended.", *steps)
        case _:
            return steps


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

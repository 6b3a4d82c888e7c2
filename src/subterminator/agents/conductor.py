"""Leads a planner through the stages of a cancellation: reads the stage, enters it, tells of it.

The gate asks; this only gets there, and after the press lets nobody press anything more.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from msgspec.structs import replace

from subterminator import actions as a
from subterminator import errors
from subterminator.agents import facts
from subterminator.agents.album import Album, Illustrated
from subterminator.agents.endings import Ending, already
from subterminator.agents.guide import Guide
from subterminator.agents.languages import Reader
from subterminator.agents.moves import (
    Act,
    Complete,
    Move,
    Nothing,
    Observation,
    Unproven,
    Verified,
)
from subterminator.agents.objects import paid_names
from subterminator.agents.outcome import Before, GateAnswer, Progress, Stage
from subterminator.agents.signing import hand_over
from subterminator.agents.stages import Page, Reading
from subterminator.agents.stakes import at_stake, doubts
from subterminator.agents.verification import Finding, Verification
from subterminator.errors import NotPressed
from subterminator.intake import parse_action
from subterminator.packs.model import Pack
from subterminator.page.snapshot import Snapshot
from subterminator.safety.human import Human
from subterminator.safety.ledger import Claim
from subterminator.safety.limits import fingerprint
from subterminator.safety.stakes import Stakes
from subterminator.safety.verdict import FINAL, Verdict
from subterminator.session import Session
from subterminator.verbs import Verbs

PRESSES = (
    a.Click, a.Press, a.Type, a.Check, a.Uncheck, a.Select, a.Fill, a.Clear, a.Drag, a.Dialog,
)  # fmt: skip
MOST_REPLANS = 6
MOST_AGAIN = 1
MOST_FURTHER = 2
TOLD: dict[Stage, str] = {
    "AUTH_REQUIRED": "Please sign in in the browser window; it goes on by itself.",
    "ACCOUNT_ACTIVE": "Found the subscription",
    "RETENTION_OFFER": "Declines what is offered",
    "EXIT_SURVEY": "Answers as little as it can",
    "FINAL_CONFIRMATION": "The last step",
}


class Conductor:
    """Implements `Planner` for the loop; `verify` is its verifier."""

    def __init__(
        self,
        session: Session,
        planner: Guide,
        reader: Reader,
        human: Human,
        tell: Callable[[Progress], None],
        *,
        dry_run: bool,
    ) -> None:
        self._session = session
        self.planner = planner
        self._reader = reader
        self._human = human
        self._tell = tell
        self._dry_run = dry_run
        self.places: list[str] = []
        self.before = Before()
        self.account_hint = ""
        self.ending: Ending | None = None
        self.finding: Finding | None = None
        self.gates: list[GateAnswer] = []
        self.steps: list[str] = []
        self.fired = False
        self._delivered = False
        self._again = self._further = 0
        self._reopened = False
        self._asked = ""
        self._pressed_on = ""
        self._album = Album(session)
        self._pictured = False
        # What the session has pressed for an earlier task is nothing that this run did.
        self._earlier = session.pressed

    @property
    def pressed(self) -> tuple[Claim, ...]:
        """What this run has pressed for good and nobody has verified yet."""
        return tuple(c for c in self._session.pressed if c not in self._earlier)

    @property
    def pack(self) -> Pack:
        return self._reader.own

    async def next(self, observation: Observation) -> Move:
        if self._asked:
            self._note_gate(observation)
            if isinstance(observation.error, NotPressed):
                observation = replace(observation, error=None)
        if self.finding is not None and not self._may_go_on(self.finding):
            return Complete(status="failed", reason=self.finding.why)
        if self._has_fired(observation):
            self._enter("VERIFYING", "Checks the account page")
            return Complete(status="success")
        return await self._plan(observation)

    # Before the press

    async def _plan(self, observation: Observation) -> Move:
        for _ in range(MOST_REPLANS):
            move = await self.planner.next(observation)
            page = self._read(observation)
            await self._picture(page)
            if isinstance(move, Nothing) and page and page.reading.stage == "AUTH_REQUIRED":
                return await self._hand_over(page)
            if not isinstance(move, Act):
                self.ending = await self._illustrated(self.planner.ending) or self.ending
                return move
            verdict = await self._judge(move, page)
            if page and page.reading.stage == "AUTH_REQUIRED" and not _hands_over(verdict):
                return await self._hand_over(page)
            if verdict is None or verdict.kind != "deny" or not move.replan:
                return self._let(move, page, verdict)
            self.planner.forbid(parse_action(move.action))  # type: ignore[arg-type]
        return Complete(status="failed", reason="Everything that leads on would be refused.")

    async def _hand_over(self, page: Page) -> Move:
        """What the gate does not know for a puzzle or a sign-in is the person's all the same."""
        self._enter("AUTH_REQUIRED", TOLD["AUTH_REQUIRED"])
        await hand_over(self._session, self._human, page)
        return Act(action=a.TakeSnapshot(), said="looks at the page")

    def _read(self, observation: Observation) -> Page | None:
        if observation.snapshot is None or observation.dialog:
            return None
        page = self._reader.read(observation.snapshot)
        plan = facts.labelled_plan(page) if page.renewal else ""
        self._reader.context.names |= {plan, *paid_names(page.sight)}
        if page.reading.stage == "ACCOUNT_ACTIVE" and not self.before.renews:
            self.before = facts.before(page)
        self.account_hint = self.account_hint or facts.account_hint(page)
        return page

    async def _judge(self, move: Act, page: Page | None) -> Verdict | None:
        """What the gate would say in the stage that the page shows; None if nothing is pressed."""
        action = parse_action(move.action)
        if not isinstance(action, PRESSES):
            self._session.enter(page.reading.stage if page else "UNKNOWN")
            return None
        reading = page.reading if page else Reading("FINAL_CONFIRMATION", 1.0)
        stage: Stage = reading.stage
        if move.final:
            stage = "FINAL_CONFIRMATION"
        elif stage == "FINAL_CONFIRMATION":
            stage = "RETENTION_OFFER"
        elif stage == "UNKNOWN" and page and _follows_a_link(action, page):
            # A link loads a page; what the page of the link shows is asked about there.
            stage = "ACCOUNT_ACTIVE"
        self._session.enter(stage)
        try:
            verdict = await self._session.judge(action)
        except errors.BrowserClosed:
            raise
        except errors.SubTerminatorError:
            return None
        if verdict.kind == "ask" and verdict.effect in FINAL:
            against = self._doubts(page, action)
            stakes = replace(await self._stakes(page), doubts=against)
            self._session.enter("FINAL_CONFIRMATION", stakes)
        return verdict

    # What is shown

    async def _picture(self, page: Page | None) -> None:
        if page and page.reading.stage == "ACCOUNT_ACTIVE" and not self._pictured:
            self._pictured = True
            await self._album.take("the account page as it was found")

    async def _illustrated(self, ending: Ending | None) -> Ending | None:
        if ending is None or not ending.evidence:
            return ending
        picture = await self._album.take("the page that shows it")
        evidence = tuple(replace(each, picture=picture) for each in ending.evidence)
        return replace(ending, evidence=evidence)

    async def _stakes(self, page: Page | None) -> Stakes:
        """What the person is told at the gate. No model has a word in it."""
        stakes = at_stake(
            page,
            self.before,
            account=self.account_hint,
            declined=self.planner.declined,
            pack=self.pack,
        )
        picture = await self._album.take("the page before the last press")
        return replace(stakes, picture=picture)

    def _doubts(self, page: Page | None, action: object) -> tuple[str, ...]:
        task = self._session.task
        names = self._reader.context.names
        wanted = " ".join((task.goal, task.service, task.subscription, *names))
        ref = action.target if isinstance(action, a.Click) else ""
        return tuple(doubts(page, ref, wanted)) if isinstance(ref, str) else ()

    def _let(self, move: Act, page: Page | None, verdict: Verdict | None) -> Move:
        reading = page.reading if page else Reading("UNKNOWN", 0.0)
        is_final = verdict is not None and verdict.kind == "ask" and verdict.effect in FINAL
        if is_final:
            # Nothing is pressed yet: the person is still to be asked.
            todo = move.said.replace("presses ", "to press ", 1)
            self._progress("FINAL_CONFIRMATION", TOLD["FINAL_CONFIRMATION"], todo)
            if self._dry_run:
                text = f"Dry run: the last step was reached and not taken: {todo}."
                self.ending = Ending("stopped", "completed", text)
                self.gates.append(GateAnswer(_now(), move.said, "dry run"))
                return Complete(status="failed", reason=self.ending.text)
            self._asked = move.said
            self._pressed_on = fingerprint(page.snapshot) if page else ""
            # The words of our own engine are no claim to be weighed; the facts say the same.
            move = replace(move, said="") if move.replan else move
        else:
            self._progress(reading.stage, TOLD.get(reading.stage, ""), move.said)
        return move

    # After it

    def _has_fired(self, observation: Observation) -> bool:
        fault = observation.error
        if isinstance(fault, NotPressed):
            return False
        if fault and fault.delivered and self._session.task.stage in FINAL_STAGES:
            self._delivered = True
        return bool(self.pressed) or self._delivered

    def _note_gate(self, observation: Observation) -> None:
        asked, self._asked = self._asked, ""
        if isinstance(observation.error, NotPressed):
            return self._reopen()
        answer = "no" if isinstance(observation.error, errors.Refused) else "yes"
        self.gates.append(GateAnswer(_now(), asked, answer))

    def _reopen(self) -> None:
        """It was pressed for an earlier end, and this run has seen it alive since: ask anew."""
        if self.before.renews and not self._reopened:
            self._reopened = True
            self._session.reopen(f"{_now()} {self.before.renews}")
            self.planner.start_over()

    async def verify(self, look: Verbs) -> Verified | Unproven:
        """The loop's verifier: two proofs, or not proven."""
        if not (self.pressed or self.fired or self._delivered or self._asked):
            return await self._check_claim(look)
        self.fired = True
        self._session.enter("VERIFYING")
        seen = Illustrated(look, self._album, pressed=True)
        finding = await Verification(seen, self._reader, self._to_check()).check(self._pressed_on)
        finding = replace(finding, evidence=await seen.illustrate(finding.evidence))
        self.finding = finding
        if finding.kind != "cancelled":
            return Unproven(finding.why)
        self._enter("COMPLETE", finding.why)
        for claim in self.pressed:
            await self._session.confirm(claim, finding.why)
        return Verified(finding.why)

    async def _check_claim(self, look: Verbs) -> Verified | Unproven:
        """The planner says that it is done, and nothing was pressed for good: the page decides."""
        stage = self._session.task.stage
        finding = await self.check_status(look)
        self._session.enter(stage)
        if finding.kind != "cancelled":
            return Unproven(finding.why)
        if self.before.renews:
            self.finding = finding
        elif self._session.last_snapshot:
            self.ending = already(self._reader.read(self._session.last_snapshot))
        self._enter("COMPLETE", finding.why)
        return Verified(finding.why)

    async def check_status(self, look: Verbs) -> Finding:
        """What the account page shows after a run that ended too early."""
        seen = Illustrated(look, self._album, pressed=False)
        finding = await Verification(seen, self._reader, self._to_check()).status()
        return replace(finding, evidence=await seen.illustrate(finding.evidence))

    def read(self, snapshot: Snapshot) -> Page:
        return self._reader.read(snapshot)

    def _to_check(self) -> tuple[str, ...]:
        own = self._reader.own.proof.recheck_url or ""
        return tuple(dict.fromkeys((own, self._reader.context.account, *self.places)))

    def _may_go_on(self, finding: Finding) -> bool:
        """Whether the site showed that the press did not end it: then it may be asked for anew."""
        match finding.kind:
            case "further" if self._further < MOST_FURTHER:
                self._further += 1
            case "lost" if self._again < MOST_AGAIN:
                self._again += 1
            case _:
                return False
        # Two looks at the same words are still two: the ledger wants evidence that is new.
        self._session.reopen(f"{_now()} {finding.why}")
        self.finding = None
        self._delivered = False
        self.planner.start_over()
        return True

    # Telling

    def _enter(self, stage: Stage, text: str) -> None:
        self._session.enter(stage)
        self._progress(stage, text, "")

    def _progress(self, stage: Stage, text: str, said: str) -> None:
        line = ": ".join(part for part in (text, said) if part)
        if line:
            self.steps.append(f"{stage} {line}")
            self._tell(Progress(stage, line))


def _follows_a_link(action: object, page: Page) -> bool:
    if not isinstance(action, a.Click):
        return False
    return any(c.is_link and c.ref == action.target for c in page.sight.presses)


def _hands_over(verdict: Verdict | None) -> bool:
    return verdict is not None and verdict.kind == "hand_over"


FINAL_STAGES = frozenset({"FINAL_CONFIRMATION"})


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")

"""THE GATE: the only code that reaches a browser.

The order inside is fixed: scopes -> limits -> resolve -> decide -> ask or hand over -> resolve and
compare again -> write the intent -> perform, settle, observe -> write the outcome. Nothing here has
a default policy or a default human.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any, Self

from msgspec.structs import replace

from subterminator import actions as a
from subterminator.aims import Aims
from subterminator.config import Settings
from subterminator.consent import Consent, Patience, Permit
from subterminator.engine.base import Driver
from subterminator.errors import (
    ApprovalRequired,
    DialogOpen,
    HandedOver,
    InvalidParams,
    RefInvalid,
    Refused,
    SubTerminatorError,
)
from subterminator.execution import BY_PERSON, Execution, within
from subterminator.intake import name_of, named_targets, parse_action, presses
from subterminator.page.snapshot import Snapshot
from subterminator.result import Result
from subterminator.runs import account
from subterminator.runs.record import Record
from subterminator.safety.approval import Proposal
from subterminator.safety.charter import Charter
from subterminator.safety.human import Human
from subterminator.safety.ledger import Claim, Ledger
from subterminator.safety.limits import Counter, fingerprint
from subterminator.safety.sites import host_of
from subterminator.safety.stakes import Stakes
from subterminator.safety.task import Task
from subterminator.safety.verdict import FINAL, Situation, Verdict
from subterminator.sequence import run_sequence
from subterminator.steward import Steward
from subterminator.targets import AnySelector, ByRef, Css, XPath, parse_target
from subterminator.types import DialogInfo, Resolved
from subterminator.verbs import Verbs


class Session(Verbs, Steward):
    """A browser and the person responsible for it. Use it with `async with`."""

    def __init__(
        self,
        driver: Driver,
        *,
        human: Human,
        charter: Charter,
        ledger: Ledger,
        record: Record,
        settings: Settings,
    ) -> None:
        self._driver = driver
        self._charter = charter
        self._task = charter.task
        self._record = record
        self._settings = settings
        self.counter = Counter(charter.limits, time.monotonic)
        patience = Patience(settings.confirm_timeout_ms / 1000, settings.auth_timeout_ms / 1000)
        self._consent = Consent(human, ledger, record, self.counter, patience)
        # One action at a time: two presses in one page would each change what the other saw.
        self._turn = asyncio.Lock()
        self._execution = Execution(driver, self._judge_inside)
        self._aims = Aims(driver, settings.action_timeout_ms / 1000)
        self._closed = False
        driver.allow(self._task.sites)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            await self._driver.close()
        finally:
            self._consent.close()

    @property
    def task(self) -> Task:
        """What this session is for, with the sites that the person has added since."""
        return self._task

    @property
    def record(self) -> Record:
        """Everything that was done, asked and answered."""
        return self._record

    @property
    def last_snapshot(self) -> Snapshot | None:
        """The page as the last reply showed it."""
        return self._execution.last

    @property
    def open_dialog(self) -> DialogInfo | None:
        """The native dialog that waits for an answer, if there is one."""
        return self._driver.dialog

    def enter(self, stage: str, stakes: Stakes | None = None) -> None:
        """Go on to a stage of the task. Found by our own code; the policy depends on it."""
        self._task = replace(self._task, stage=stage, stakes=stakes)

    @property
    def pressed(self) -> tuple[Claim, ...]:
        """What was pressed here for good and nobody has verified yet."""
        return self._consent.pressed

    @property
    def ledger(self) -> Ledger:
        """What was ever pressed for good, by whichever run."""
        return self._consent.ledger

    async def confirm(self, claim: Claim, evidence: str) -> None:
        """A page loaded anew shows that a press has worked."""
        await self._consent.confirm(claim, evidence)

    def reopen(self, evidence: str) -> None:
        """A page seen since shows that what was pressed is still open: it may be asked again."""
        self._consent.reopen(evidence)

    async def call(
        self, action: a.Action | dict[str, Any] | bytes | str, *, said: str = ""
    ) -> Result:
        """Check an action, pass it through the gate and do it.

        `said` is how a model describes it; a person who is asked sees it beside the facts. Raises a
        SubTerminatorError that says what to do next.
        """
        checked = parse_action(action)
        async with self._turn:
            self._admit(checked)
            if isinstance(checked, a.Execute):
                return await self._execute(checked)
            return await self.pass_gate(checked, self._seconds(checked), may_ask=True, said=said)

    async def judge(self, action: a.AtomicAction | dict[str, Any] | bytes | str) -> Verdict:
        """What the gate would say to an action. Nothing is done, and nobody is asked."""
        checked = parse_action(action)
        if isinstance(checked, a.Execute):
            raise InvalidParams("A sequence has no verdict.", next_step="Ask for each step.")
        async with self._turn:
            self._charter.scopes.check(checked)
            targets = await self._aims.resolve(named_targets(checked), 0)
            return self._decide(self._propose(checked, await self._judged(checked, targets)))

    def _admit(self, action: a.Action) -> None:
        steps = [step.do for step in action.steps] if isinstance(action, a.Execute) else [action]
        for step in steps:
            self._charter.scopes.check(step)
        limits = self.counter.limits
        watched = limits.repeats is not None or limits.cycles is not None
        self.counter.count(action, fingerprint(self.last_snapshot) if watched else "")

    # Several at once

    async def _execute(self, plan: a.Execute) -> Result:
        for number, step in enumerate(plan.steps, 1):
            await self._check_step(number, step)
        before = self.last_snapshot
        outcome = await run_sequence(self, plan)
        await self._execution.catch_up()
        page, now = self._execution.page, self.last_snapshot
        return Result("execute", page, snapshot=now, before=before, value=outcome)

    async def _check_step(self, number: int, step: a.Step) -> None:
        """What can be known of a step before the first runs: its words, and what is never done."""
        try:
            selectors = named_targets(step.do)
            if step.condition:
                selectors.append(parse_target(step.condition.target))
            for selector in selectors:
                await self._check_syntax(selector)
        except InvalidParams as fault:
            advice = f"{fault.advice} No step was run.".lstrip()
            raise InvalidParams(f"Step {number}: {fault.message}", next_step=advice) from fault
        verdict = self._decide(self._propose(step.do, ()))
        if verdict.kind == "deny" and verdict.rule != "outside-sites":
            raise Refused(
                f"Step {number}: {verdict.reason}", next_step="No step was run.", rule=verdict.rule
            )

    async def _check_syntax(self, selector: AnySelector) -> None:
        """Only the browser can tell whether a CSS or XPath selector can be read."""
        if not isinstance(selector, Css | XPath) or self.open_dialog:
            return
        try:
            await self._driver.resolve(selector, 0)
        except InvalidParams:
            raise
        except SubTerminatorError:
            return  # It can be read; what it finds matters when the step runs.

    # One

    async def pass_gate(
        self, action: a.AtomicAction, seconds: float, *, may_ask: bool, said: str = ""
    ) -> Result:
        """One action through all steps of the gate. The caller holds the session's turn."""
        name = name_of(action)
        try:
            result = await self._pass(action, seconds, may_ask, said)
        except SubTerminatorError as fault:
            await self._explain(fault, name)
            raise
        if isinstance(action, a.TakeSnapshot) and (seen := self.last_snapshot):
            count, digest = len(seen.elements), fingerprint(seen)
            self._record.append(account.looked(name, seen.page, elements=count, digest=digest))
        else:
            by_person = result.note == BY_PERSON
            told = account.outcome(name, result.page, result.happened, by_person=by_person)
            self._record.append(told)
        return result

    async def _pass(
        self, action: a.AtomicAction, seconds: float, may_ask: bool, said: str
    ) -> Result:
        begun = time.monotonic()
        name = name_of(action)
        self._begin_sites(action)
        selectors = named_targets(action)
        targets = await within(seconds, name, self._aims.resolve(selectors, seconds))
        case = self._propose(action, await self._judged(action, targets))
        verdict = self._decide(case)
        if verdict.kind == "allow":
            self._record.append(account.intent(action, case.targets, rule=verdict.rule))
            left = max(0.5, begun + seconds - time.monotonic())
            result = await self._execution.perform(action, targets, left, alone=may_ask)
            self._remember_words(action)
            return result
        self._record.append(account.decided(action, verdict, case.targets))
        if verdict.kind == "deny":
            raise Refused(verdict.reason, rule=verdict.rule, effect=verdict.effect)
        if not may_ask:
            raise ApprovalRequired(verdict.reason, rule=verdict.rule)
        if case.targets and case.targets[0].twin_of:
            old = case.targets[0].twin_of
            raise RefInvalid(f"{old} was drawn anew; this needs a fresh look first.")
        if verdict.kind == "hand_over":
            return await self._hand_over(case, verdict)
        if verdict.effect in FINAL and presses(action) > 1:
            raise Refused("One yes is good for one press.", next_step="Do it once, by itself.")
        # The person's time is not the action's: the clock starts anew when they have answered.
        case = await self._with_handlers(case)
        permit = await self._consent.ask(case, verdict, said)
        return await self._do_approved(permit, case, verdict, seconds)

    async def _do_approved(
        self, permit: Permit, case: Proposal, verdict: Verdict, seconds: float
    ) -> Result:
        now = case

        async def look_again() -> Proposal:
            nonlocal now
            now = await self._propose_again(case)
            return now

        intent = account.intent(
            case.action, case.targets, rule=verdict.rule, digest=permit.approval.digest
        )
        claim = await self._consent.spend(permit, look_again, intent)
        if verdict.host:
            self._add_site(verdict.host)
        named = len(named_targets(case.action))
        targets = now.targets[-named:] if named else ()
        try:
            self._aims.links.approve(case.targets)
            return await self._execution.perform(case.action, targets, seconds)
        except SubTerminatorError as fault:
            self._consent.doubt(claim, f"{fault.code}, delivered: {fault.delivered}")
            raise

    async def _judged(
        self, action: a.AtomicAction, targets: Sequence[Resolved]
    ) -> Sequence[Resolved]:
        return await self._aims.judged(action, targets, self.last_snapshot)

    def _remember_words(self, action: a.AtomicAction) -> None:
        """What the task itself types may be read again in its record."""
        match action:
            case a.Fill(value=text) | a.Type(text=text):
                self._record.redactor.typed(text)

    def _seconds(self, action: a.Action) -> float:
        if action.timeout_ms is not None:
            return action.timeout_ms / 1000
        return (self._settings.page_timeout_ms + a.least_ms(action)) / 1000

    # Where it may act

    def _begin_sites(self, action: a.AtomicAction) -> None:
        """Without sites of its own a task has that of the first address."""
        if self._task.sites:
            return
        url = action.url if isinstance(action, a.Navigate | a.OpenTab) else self._driver.page.url
        if host := host_of(url):
            self._add_site(host)

    def _add_site(self, host: str) -> None:
        self._task = replace(self._task, sites=(*self._task.sites, host))
        self._driver.allow(self._task.sites)

    # Who decides

    def _decide(self, case: Proposal) -> Verdict:
        return self._charter.policy.decide(case.action, case.targets, case.situation, case.task)

    async def _judge_inside(self, element: Resolved) -> None:
        """Something that an action presses on its way: an option of a list that a page built."""
        verdict = self._decide(self._propose(a.Click(element.ref), [element]))
        if verdict.kind != "allow":
            raise ApprovalRequired(
                verdict.reason, next_step="Click it by itself.", rule=verdict.rule
            )

    def _propose(self, action: a.AtomicAction, targets: Sequence[Resolved]) -> Proposal:
        situation = Situation(self._driver.page, self.open_dialog)
        return Proposal(self._task, action, tuple(targets), situation)

    async def _propose_again(self, case: Proposal) -> Proposal:
        """The page could change while the person thought: this is how it is now."""
        if self.open_dialog and case.targets:
            raise DialogOpen("A dialog has opened since it was approved.")
        if not named_targets(case.action):
            now = await self._judged(case.action, ())
        else:
            if isinstance(case.action, a.Click | a.Check | a.Uncheck):
                # What a page changes when the pointer comes is changed before it is compared.
                await self._driver.perform(a.Hover(case.targets[-1].ref), case.targets[-1:], 5)
            now = [await self._driver.resolve(ByRef(t.ref), 0) for t in case.targets]
        return await self._with_handlers(self._propose(case.action, now))

    async def _with_handlers(self, case: Proposal) -> Proposal:
        """What would run at the press is part of what is approved."""
        listening = [
            replace(target, handlers=await self._driver.handlers(target))
            if target.world
            else target
            for target in case.targets
        ]
        return replace(case, targets=tuple(listening))

    async def _hand_over(self, case: Proposal, verdict: Verdict) -> Result:
        target = case.targets[0] if case.targets else None
        gone = self._driver.gone(target) if target else asyncio.Event().wait()
        # The person may sign in by way of another site; what follows is held to the sites again.
        self._driver.allow(())
        try:
            done = await self._consent.hand_over(case, verdict, gone)
        finally:
            self._driver.allow(self._task.sites)
        if not done:
            raise HandedOver(
                f"{verdict.reason} It was not done.",
                next_step="Ask the person to do it.",
                rule=verdict.rule,
            )
        seconds = self._settings.page_timeout_ms / 1000
        return await self._execution.look_after(case.action, target, seconds)

    async def _explain(self, fault: SubTerminatorError, name: str) -> None:
        told = account.failure(name, fault.code, fault.message, delivered=fault.delivered)
        self._record.append(told)
        await self._execution.explain(fault)

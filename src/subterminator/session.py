"""THE GATE: the only code that reaches a browser.

The order inside is fixed: check -> resolve -> decide -> ask or hand over -> resolve and compare
again -> note the intent -> perform, settle, observe -> note the outcome. It has no default policy
and no default human.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Sequence
from typing import Any, Self, TypeVar, assert_never

import msgspec

from subterminator import actions as a
from subterminator.config import Settings
from subterminator.engine.base import Driver, Performed
from subterminator.errors import (
    ApprovalRequired,
    DialogOpen,
    ElementNotFound,
    HandedOver,
    HumanRejected,
    InvalidParams,
    RefInvalid,
    Refused,
    SubTerminatorError,
    TargetClosed,
    Timeout,
)
from subterminator.intake import parse_action
from subterminator.page.snapshot import Snapshot, View
from subterminator.result import Result
from subterminator.safety.human import Human, Question
from subterminator.safety.policy import Policy, Situation, Verdict
from subterminator.sequence import run_sequence
from subterminator.targets import (
    FOCUSED,
    AnySelector,
    ByRef,
    Css,
    Target,
    XPath,
    parse_target,
)
from subterminator.types import DialogInfo, Happened, PageInfo, Resolved
from subterminator.verbs import Verbs

T = TypeVar("T")
# Settling has limits of its own; this only catches what does not end at all.
GRACE_SECONDS = 15


class Event(msgspec.Struct, frozen=True):
    """One line of a session's append-only record: an intent, or what came of it."""

    at: float
    kind: str
    action: str
    target: str = ""
    outcome: str = ""
    rule: str = ""


class Session(Verbs):
    """A browser and the person responsible for it. Use it with `async with`."""

    def __init__(self, driver: Driver, *, human: Human, policy: Policy, settings: Settings) -> None:
        self._driver = driver
        self._human = human
        self._policy = policy
        self._settings = settings
        # One action at a time: two presses in one page would each change what the other saw.
        self._turn = asyncio.Lock()
        self._last: Snapshot | None = None
        self.events: list[Event] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._driver.close()

    @property
    def last_snapshot(self) -> Snapshot | None:
        """The page as the last reply showed it."""
        return self._last

    @property
    def open_dialog(self) -> DialogInfo | None:
        """The native dialog that waits for an answer, if there is one."""
        return self._driver.dialog

    async def call(self, action: a.Action | dict[str, Any] | bytes | str) -> Result:
        """Check an action, pass it through the gate and do it.

        Raises a SubTerminatorError that says what to do next.
        """
        checked = parse_action(action)
        async with self._turn:
            if isinstance(checked, a.Execute):
                return await self._execute(checked)
            return await self.pass_gate(checked, self._seconds(checked), may_ask=True)

    async def _execute(self, plan: a.Execute) -> Result:
        for number, step in enumerate(plan.steps, 1):
            await self._check_step(number, step)
        before = self._last
        outcome = await run_sequence(self, plan)
        return Result("execute", self._page(), snapshot=self._last, before=before, value=outcome)

    async def _check_step(self, number: int, step: a.Step) -> None:
        """What can be known of a step before the first runs: its words, and what is never done."""
        try:
            selectors = self.check_words(step.do)
            if step.condition:
                selectors.append(parse_target(step.condition.target))
            for selector in selectors:
                await self._check_syntax(selector)
        except InvalidParams as fault:
            advice = f"{fault.advice} No step was run.".lstrip()
            raise InvalidParams(f"Step {number}: {fault.message}", next_step=advice) from fault
        verdict = self._policy.decide(step.do, (), self._situation())
        if verdict.kind == "deny":
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

    async def pass_gate(self, action: a.AtomicAction, seconds: float, *, may_ask: bool) -> Result:
        """One action through all steps of the gate. The caller holds the session's turn."""
        name = str(type(action).__struct_config__.tag)
        try:
            result = await self._pass(action, name, seconds, may_ask)
        except SubTerminatorError as fault:
            await self._explain(fault, name)
            raise
        self._note("outcome", name, result.target, outcome="done")
        return result

    async def _pass(
        self, action: a.AtomicAction, name: str, seconds: float, may_ask: bool
    ) -> Result:
        begun = time.monotonic()
        selectors = self.check_words(action)
        targets = await _within(seconds, name, self._resolve(selectors, seconds))
        judged = targets or await self._focused(action)
        situation = self._situation()
        verdict = self._policy.decide(action, judged, situation)
        if verdict.kind != "allow":
            # The person's time is not the action's: the clock starts anew when they have answered.
            if done := await self._consult(verdict, action, judged, may_ask):
                return done
            targets = await self._compare_again(targets, situation)
            begun = time.monotonic()
        self._note("intent", name, targets[0] if targets else None, rule=verdict.rule)
        left = max(0.5, begun + seconds - time.monotonic())
        work = self._perform(action, name, targets, left)
        return await _within(left + GRACE_SECONDS, name, work, delivered=True)

    async def _resolve(self, selectors: Sequence[AnySelector], seconds: float) -> list[Resolved]:
        if (dialog := self.open_dialog) and selectors:
            raise DialogOpen(f"A {dialog.kind} dialog is open: {dialog.message[:200]!r}.")
        patience = min(seconds, self._settings.action_timeout_ms / 1000)
        return [await self._driver.resolve(selector, patience) for selector in selectors]

    async def _focused(self, action: a.AtomicAction) -> list[Resolved]:
        """Keys without a target go where the focus is, so that is what has to be judged."""
        match action:
            case a.Type(target=None) | a.Press(target=None) if not self.open_dialog:
                try:
                    return [await self._driver.resolve(FOCUSED, 0)]
                except ElementNotFound:
                    return []
            case _:
                return []

    # What is asked for

    def check_words(self, action: a.AtomicAction) -> list[AnySelector]:
        """The targets an action names, read and checked before anything happens."""
        match action:
            case a.Wait() | a.Find() | a.TakeSnapshot():
                named: list[Target | None] = []
            case a.Drag(source=source, target=target):
                named = [source, target]
            case (
                a.Click(target=target) | a.Hover(target=target) | a.Fill(target=target)
                | a.Clear(target=target) | a.Select(target=target) | a.Check(target=target)
                | a.Uncheck(target=target) | a.Upload(target=target) | a.Type(target=target)
                | a.Press(target=target) | a.Scroll(target=target) | a.ReadText(target=target)
                | a.Screenshot(target=target)
            ):  # fmt: skip
                named = [target]
            case (
                a.Navigate() | a.Back() | a.Forward() | a.Reload() | a.ListTabs() | a.SelectTab()
                | a.OpenTab() | a.CloseTab() | a.ListFrames() | a.SelectFrame() | a.Dialog()
            ):  # fmt: skip
                named = []
            case _:
                # An action whose targets nobody reads would be done unjudged.
                assert_never(action)
        looked_for = action.target if isinstance(action, a.Wait) else None
        if isinstance(action, a.TakeSnapshot):
            looked_for = action.root
        if looked_for is not None:
            parse_target(looked_for)
        return [parse_target(target) for target in named if target is not None]

    def _seconds(self, action: a.Action) -> float:
        if action.timeout_ms is not None:
            return action.timeout_ms / 1000
        return (self._settings.page_timeout_ms + a.least_ms(action)) / 1000

    # Who decides

    def _situation(self) -> Situation:
        return Situation(self._driver.page, self.open_dialog)

    async def _consult(
        self, verdict: Verdict, action: a.AtomicAction, targets: Sequence[Resolved], may_ask: bool
    ) -> Result | None:
        """Nothing if the action may go on; a result if the person did it; an error otherwise."""
        name = str(type(action).__struct_config__.tag)
        if verdict.kind == "deny":
            raise Refused(
                verdict.reason,
                next_step="This is never done; choose another way.",
                rule=verdict.rule,
            )
        if not may_ask:
            raise ApprovalRequired(verdict.reason, rule=verdict.rule)
        target = targets[0] if targets else None
        page = self._driver.page
        question = Question(name, verdict.reason, verdict.rule, page.url, page.title, target)
        if verdict.kind == "hand_over":
            if not await self._human.hand_over(question):
                raise HandedOver(
                    f"{verdict.reason} It was not done.",
                    next_step="Ask the person to do it.",
                    rule=verdict.rule,
                )
            return await self._look_after(name, target)
        if target and target.twin_of:
            raise RefInvalid(f"{target.twin_of} was drawn anew; this needs a fresh look first.")
        if not await self._human.approve(question):
            raise HumanRejected(
                f"Not approved: {verdict.reason}",
                next_step="Do not try again; do something else.",
                rule=verdict.rule,
            )
        return None

    async def _compare_again(
        self, approved: Sequence[Resolved], situation: Situation
    ) -> list[Resolved]:
        """The page could change while the person thought: what was approved must be there."""
        if self.open_dialog != situation.dialog:
            raise RefInvalid("The dialog changed after it was approved.", next_step="Ask again.")
        now = [await self._driver.resolve(ByRef(target.ref), 0) for target in approved]
        for before, after in zip(approved, now, strict=True):
            if (before.world, before.node, before.form, before.href) != (
                after.world,
                after.node,
                after.form,
                after.href,
            ):
                raise RefInvalid(
                    f"{before.ref} changed after it was approved.", next_step="Ask again."
                )
        return now

    # Doing it

    async def _perform(
        self, action: a.AtomicAction, name: str, targets: Sequence[Resolved], seconds: float
    ) -> Result:
        match action:
            case a.TakeSnapshot():
                return await self._take_snapshot(action, name, seconds)
            case a.Find():
                return await self._find(action, name, seconds)
            case _:
                performed = await self._driver.perform(action, targets, seconds)
        return self._answer(name, targets, performed)

    def _answer(self, name: str, targets: Sequence[Resolved], performed: Performed) -> Result:
        before = self._last
        if performed.snapshot:
            self._last = performed.snapshot
        return Result(
            name,
            self._page(),
            targets[0] if targets else None,
            performed.happened,
            performed.snapshot,
            before,
            performed.value,
            performed.note,
        )

    async def _take_snapshot(self, action: a.TakeSnapshot, name: str, seconds: float) -> Result:
        root = None
        if action.root is not None:
            root = (await self._driver.resolve(parse_target(action.root), min(seconds, 2))).ref
        whole = await self._driver.observe(View(), seconds)
        before, self._last = self._last, whole
        view = View(action.viewport_only, action.roles, root, action.depth, action.max_elements)
        shown = whole if view == View() else whole.filtered(view)
        return Result(name, whole.page, snapshot=shown, before=before if shown is whole else None)

    async def _find(self, action: a.Find, name: str, seconds: float) -> Result:
        snapshot = await self._driver.observe(View(), seconds)
        self._last = snapshot
        matches = snapshot.find(
            action.description, role=action.role, frame=action.frame, limit=action.limit
        )
        return Result(name, snapshot.page, snapshot=snapshot, value=matches)

    async def _look_after(self, name: str, target: Resolved | None) -> Result:
        snapshot = await self._driver.observe(View(), self._settings.page_timeout_ms / 1000)
        before, self._last = self._last, snapshot
        return Result(
            name, snapshot.page, target, Happened(), snapshot, before, note="done by the person"
        )

    async def _explain(self, fault: SubTerminatorError, name: str) -> None:
        """An error comes with the page as it is now, where the page can still be seen."""
        self._note("outcome", name, None, outcome=fault.code)
        if isinstance(fault, TargetClosed | InvalidParams | Refused) or self.open_dialog:
            return
        if fault.details.get("silent"):
            return  # A page that does not answer cannot be looked at either.
        try:
            fault.snapshot = self._last = await self._driver.observe(View(), 3)
        except SubTerminatorError:
            return  # The first error is the one that matters.

    # Remembering

    def _page(self) -> PageInfo:
        return self._last.page if self._last else PageInfo("about:blank", "")

    def _note(
        self, kind: str, action: str, target: Resolved | None, *, outcome: str = "", rule: str = ""
    ) -> None:
        what = f"{target.role} {target.name[:200]}" if target else ""
        self.events.append(Event(time.time(), kind, action, what, outcome, rule))


async def _within(seconds: float, name: str, work: Awaitable[T], *, delivered: bool = False) -> T:
    try:
        async with asyncio.timeout(seconds + 0.5):
            return await work
    except TimeoutError:
        fault = Timeout(f"{name} took longer than {seconds:g} s.")
        fault.delivered = delivered
        raise fault from None

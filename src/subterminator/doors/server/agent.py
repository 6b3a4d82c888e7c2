"""Methods for agents: sequences, extraction, and our own actions for our own client."""

from __future__ import annotations

import asyncio
from typing import Any

from msgspec import UNSET, UnsetType

from subterminator import actions as a
from subterminator.client.replies import reply_of
from subterminator.doors.server import params as p
from subterminator.doors.server import results as r
from subterminator.doors.server import wishes as w
from subterminator.doors.server.acting import ACTIONS, convert, target
from subterminator.doors.server.caller import Caller
from subterminator.doors.server.messages import error_of
from subterminator.doors.server.observing import look_inside, observe_now
from subterminator.doors.server.pages import Context
from subterminator.errors import (
    ElementNotFound,
    InvalidParams,
    OutOfScope,
    RefInvalid,
    SelectorAmbiguous,
)
from subterminator.extraction.extract import Wish, extract
from subterminator.intake import parse_action
from subterminator.result import ExecuteResult, StepResult

LONGEST_MS = 25_000
ALLOWED = ", ".join(ACTIONS)


async def act(caller: Caller, given: w.Act) -> r.Acted:
    """All steps are read, and their scopes and pages checked, before anything is done."""
    for number, step in enumerate(given.steps, 1):
        _check(caller, given, number, step)
    context, page = caller.page(given.page_id)
    caller.client.spend_on(page, len(given.steps) - 1)
    steps, owners = _plan(given)
    _name_sites(caller, context, steps)
    before: r.Observation | UnsetType = UNSET
    if given.pre_observe:
        before = await observe_now(caller, context, page, given.pre_observe)
    context.request = {"method": "agent/act", "params": {"steps": len(given.steps)}}
    plan = a.Execute(
        steps,
        given.stop_on_first_error,
        given.continue_on_condition_fail,
        timeout_ms=min(LONGEST_MS, max(1, round(given.timeout))),
    )
    result = await context.do(page, plan)
    outcome: ExecuteResult = result.value
    after: r.Observation | UnsetType = UNSET
    if given.post_observe:
        after = await observe_now(caller, context, page, given.post_observe, fresh=False)
    return _acted(given, outcome, owners, before, after)


def _check(caller: Caller, given: w.Act, number: int, step: w.ActStep) -> None:
    kind = ACTIONS.get(step.action)
    if kind is None:
        raise InvalidParams(
            f"Action not allowed in agent/act: {step.action[:60]}. Allowed actions: {ALLOWED}",
            next_step="No step was run.",
        )
    if not caller.client.grant.scopes.allow(kind.scope):
        raise OutOfScope(
            f"Step {number}: insufficient permissions for '{step.action}'.",
            next_step="No step was run.",
            method=step.action,
            requiredScopes=[kind.scope, "*"],
        )
    own = step.params.get("pageId")
    if own is not None and own != (given.page_id or caller.client.active):
        raise InvalidParams(
            f"Step {number}: Cannot override pageId in step params.",
            next_step="Leave it out, or act on that page in a call of its own. No step was run.",
        )


def _plan(given: w.Act) -> tuple[tuple[a.Step, ...], list[int]]:
    """Our steps, and for each the one of the call that it belongs to."""
    steps: list[a.Step] = []
    owners: list[int] = []
    for number, step in enumerate(given.steps):
        kind = ACTIONS[step.action]
        try:
            actions = kind.build(convert(step.params, kind.params))
        except InvalidParams as fault:
            words = f"Step {number + 1}: {fault.message}"
            raise InvalidParams(words, next_step="No step was run.") from fault
        for place, action in enumerate(actions):
            steps.append(_step(step, action, first=place == 0))
            owners.append(number)
    if len(steps) > a.MAX_STEPS:
        raise InvalidParams(
            f"With clearing these are more than {a.MAX_STEPS} steps.",
            next_step="Use fewer steps, or action/fill instead of typing with clear.",
        )
    return tuple(steps), owners


def _step(step: w.ActStep, action: a.AtomicAction, *, first: bool) -> a.Step:
    condition = step.condition
    return a.Step(
        action,
        step.label,
        a.Condition(target(condition.selector), condition.state, round(condition.timeout))
        if condition and first
        else None,
        step.on_error,
        step.max_retries,
        step.retry_delay,
    )


def _name_sites(
    caller: Caller, context: Context, steps: tuple[a.Step | a.AtomicAction, ...]
) -> None:
    if caller.service.settings.sites:
        return
    for step in steps:
        action = step.do if isinstance(step, a.Step) else step
        if isinstance(action, a.Navigate | a.OpenTab) and action.url != "about:blank":
            context.session.name_site(action.url)


def _acted(
    given: w.Act, outcome: ExecuteResult, owners: list[int], before: Any, after: Any
) -> r.Acted:
    results: dict[int, r.StepResult] = {}
    for done in outcome.results:
        number = owners[done.step]
        results[number] = _merged(results.get(number), _result(given, number, done))
    told = tuple(results.values())
    completed = sum(one.success for one in told)
    failed_at = UNSET if outcome.failed_at is None else owners[outcome.failed_at]
    return r.Acted(
        completed=completed,
        total=len(given.steps),
        success=completed == len(given.steps),
        results=told,
        duration=outcome.duration_ms,
        failed_at=failed_at,
        pre_observation=before,
        post_observation=after,
    )


def _result(given: w.Act, number: int, done: StepResult) -> r.StepResult:
    went = given.steps[number].action.startswith("page/") and done.result
    return r.StepResult(
        step=number,
        success=done.success,
        duration=done.duration_ms,
        retries=done.retries,
        label=given.steps[number].label or UNSET,
        result={"url": done.result.page.url} if went and done.result else UNSET,
        error=error_of(done.error) if done.error else UNSET,
    )


def _merged(before: r.StepResult | None, now: r.StepResult) -> r.StepResult:
    """One step of the call may be several of ours: it is done when all are."""
    if before is None:
        return now
    failed = before if not before.success else now
    return r.StepResult(
        step=now.step,
        success=before.success and now.success,
        duration=before.duration + now.duration,
        retries=failed.retries,
        label=now.label,
        result=now.result,
        error=failed.error,
    )


async def extract_data(caller: Caller, given: w.Extract) -> r.Extracted:
    """What cannot be found is told as such; it is no error of the call."""
    context, page = caller.page(given.page_id)
    try:
        snapshot = await look_inside(context, page, given.selector)
    except (ElementNotFound, RefInvalid, SelectorAmbiguous) as fault:
        return r.Extracted(success=False, error=fault.message)
    wish = Wish(given.schema, given.instruction, given.mode)
    found = extract(snapshot, wish)
    more: dict[str, Any] = {}
    if given.include_source_refs and found.success:
        more["sources"] = tuple(
            r.Source(ref=one.ref, selector=one.selector, text=one.text) for one in found.sources
        )
    if found.success:
        more |= {"data": found.data, "confidence": found.confidence}
    else:
        more["error"] = found.error
    return r.Extracted(success=found.success, missing=found.missing, ignored=found.ignored, **more)


# Our own client


def disregard(work: asyncio.Future[Any]) -> None:
    if not work.cancelled():
        work.exception()


async def call(caller: Caller, given: w.Call) -> r.Called:
    """Done once, however often it is asked for with the same key."""
    client = caller.client
    if given.key and (known := client.answers.get(given.key)):
        return r.Called(reply=await asyncio.shield(known))
    work = asyncio.ensure_future(_call(caller, given))
    # Whoever asked may be gone when it fails; then nobody is there to be told.
    work.add_done_callback(disregard)
    if given.key:
        client.remember(given.key, work)
    return r.Called(reply=await asyncio.shield(work))


async def _call(caller: Caller, given: w.Call) -> Any:
    client = caller.client
    action = parse_action(given.action)
    if not client.contexts:
        client.default = (await caller.service.open_context(client, None, p.ContextOptions())).id
    if not client.active:
        context = client.context()
        client.active = await context.create(caller.service.limits.pages)
    context, page = caller.page(given.page_id)
    _name_sites(caller, context, action.steps if isinstance(action, a.Execute) else (action,))
    context.request = {"method": "subterminator/call", "params": {"action": given.action["action"]}}
    result = await context.do(page, action, given.said)
    client.settle_active()
    return reply_of(result, whole=given.whole)

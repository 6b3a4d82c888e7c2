"""Runs the steps of a composite action: conditions, retries, limits.

Each step passes the gate by itself.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from subterminator.actions import AtomicAction, Condition, Execute, Step, Wait, least_ms
from subterminator.errors import (
    ConditionFailed,
    DialogOpen,
    InvalidParams,
    Refused,
    SubTerminatorError,
    TargetClosed,
    Timeout,
)
from subterminator.result import ExecuteResult, Result, StepResult
from subterminator.targets import show

TOTAL_SECONDS = 30.0
STEP_SECONDS = 30.0
# An action has limits of its own that say more; this one ends what does not end by itself.
GRACE_SECONDS = 0.5


class Gate(Protocol):
    async def pass_gate(self, action: AtomicAction, seconds: float, *, may_ask: bool) -> Result: ...


async def run_sequence(gate: Gate, plan: Execute) -> ExecuteResult:
    """Run the steps in order until one ends the sequence or the time is over."""
    begun = time.monotonic()
    total = plan.timeout_ms / 1000 if plan.timeout_ms is not None else TOTAL_SECONDS
    deadline = begun + total
    results: list[StepResult] = []
    failed_at = None
    for number, step in enumerate(plan.steps):
        outcome = await _run_step(gate, number, step, deadline)
        results.append(outcome)
        if outcome.error and _ends(plan, step, outcome.error):
            failed_at = number
            break
    completed = sum(result.success for result in results)
    return ExecuteResult(
        completed=completed,
        total=len(plan.steps),
        success=completed == len(plan.steps),
        results=tuple(results),
        duration_ms=round((time.monotonic() - begun) * 1000),
        failed_at=failed_at,
    )


def _ends(plan: Execute, step: Step, fault: SubTerminatorError) -> bool:
    """Whether an error ends the sequence. A refusal, a lost tab and the end of time always do."""
    if isinstance(fault, Refused | TargetClosed | DialogOpen):
        return True
    if fault.details.get("deadline"):
        return True
    if isinstance(fault, ConditionFailed) and plan.continue_on_condition_fail:
        return False
    return step.on_error != "skip" and plan.stop_on_first_error


async def _run_step(gate: Gate, number: int, step: Step, deadline: float) -> StepResult:
    begun = time.monotonic()
    result: Result | None = None
    error: SubTerminatorError | None = None
    retries = 0
    try:
        async with _until(deadline, "The time for the whole sequence is over.", deadline=True):
            if step.condition:
                await _check(gate, step.condition)
            while True:
                try:
                    result = await _attempt(gate, step, deadline)
                    break
                except SubTerminatorError as fault:
                    pause = step.retry_delay_ms / 1000 * 2**retries
                    if not _may_retry(step, fault, retries, time.monotonic() + pause - deadline):
                        raise
                retries += 1
                await asyncio.sleep(pause)  # the back-off that was asked for
    except SubTerminatorError as fault:
        error = fault
    return StepResult(
        step=number,
        success=error is None,
        duration_ms=round((time.monotonic() - begun) * 1000),
        label=step.label,
        result=result,
        error=error,
        retries=retries,
    )


def _may_retry(step: Step, fault: SubTerminatorError, retries: int, late: float) -> bool:
    """Only what never reached the page; a click that may have been delivered is not made again."""
    if step.on_error != "retry" or retries + 1 >= step.max_retries or late > 0:
        return False
    hopeless = isinstance(fault, Refused | TargetClosed | DialogOpen | InvalidParams)
    return not fault.delivered and not hopeless


async def _attempt(gate: Gate, step: Step, deadline: float) -> Result:
    own = STEP_SECONDS + least_ms(step.do) / 1000
    if step.do.timeout_ms is not None:
        own = step.do.timeout_ms / 1000
    left = deadline - time.monotonic()
    words = f"The step took longer than {own:g} s."
    async with _until(time.monotonic() + own + GRACE_SECONDS, words):
        return await gate.pass_gate(step.do, min(own, left), may_ask=False)


@asynccontextmanager
async def _until(end: float, words: str, *, deadline: bool = False) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(end - time.monotonic()):
            yield
    except TimeoutError:
        fault = Timeout(words, deadline=deadline)
        # It is not known how far the step got.
        fault.delivered = True
        raise fault from None


async def _check(gate: Gate, condition: Condition) -> None:
    seconds = condition.timeout_ms / 1000
    wait = Wait(target=condition.target, state=condition.state)
    try:
        await gate.pass_gate(wait, seconds, may_ask=False)
    except SubTerminatorError as fault:
        if isinstance(fault, TargetClosed | Refused | DialogOpen | InvalidParams):
            raise
        raise ConditionFailed(
            f"{show(condition.target)} is not {condition.state} after {seconds:g} s."
        ) from fault

"""How the reply to an action goes over the wire, and how it is read again. Plain data.

A page that stayed as it was is not sent twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Raw, Struct, structs

from subterminator.errors import SubTerminatorError
from subterminator.page.find import Match
from subterminator.page.snapshot import Snapshot
from subterminator.result import ExecuteResult, Result, StepResult
from subterminator.types import (
    DialogInfo,
    FrameInfo,
    Happened,
    PageInfo,
    Picture,
    Resolved,
    TabInfo,
)

# What an action gives back, where it is more than plain data.
KINDS: dict[str, Any] = {
    "screenshot": Picture,
    "find": list[Match],
    "list_tabs": tuple[TabInfo, ...],
    "list_frames": tuple[FrameInfo, ...],
    "dialog": DialogInfo,
}


class Fault(Struct, frozen=True, omit_defaults=True):
    """An error, as far as it can be told."""

    code: str
    message: str
    advice: str = ""
    delivered: bool = False


class Step(Struct, frozen=True, omit_defaults=True):
    step: int
    success: bool
    duration_ms: int
    label: str = ""
    reply: Reply | None = None
    error: Fault | None = None
    retries: int = 0


class Sequence(Struct, frozen=True, omit_defaults=True):
    completed: int
    total: int
    success: bool
    results: tuple[Step, ...]
    duration_ms: int
    failed_at: int | None = None


class Reply(Struct, frozen=True, omit_defaults=True):
    """`same_as` is the id of the snapshot that shows this page already, `id` that of this one."""

    action: str
    page: PageInfo
    target: Resolved | None = None
    happened: Happened = Happened()
    snapshot: Snapshot | None = None
    same_as: str = ""
    id: str = ""
    value: Raw = Raw(b"null")
    note: str = ""
    sequence: Sequence | None = None


def reply_of(result: Result, *, with_snapshot: bool = True, whole: bool = False) -> Reply:
    """`whole` sends the page even if it was sent before."""
    snapshot, before = result.snapshot, result.before
    same = bool(snapshot and before and not whole and _is_same(snapshot, before))
    value = result.value
    is_sequence = isinstance(value, ExecuteResult)
    return Reply(
        action=result.action,
        page=result.page,
        target=result.target,
        happened=result.happened,
        # What a snapshot has written down for itself is not part of it.
        snapshot=structs.replace(snapshot, _texts={})
        if snapshot and with_snapshot and not same
        else None,
        same_as=before.id if same and before and with_snapshot else "",
        id=snapshot.id if same and snapshot else "",
        value=Raw(b"null" if is_sequence else msgspec.json.encode(value)),
        note=result.note,
        sequence=_sequence_of(value) if is_sequence else None,
    )


def _is_same(one: Snapshot, other: Snapshot) -> bool:
    return (
        one.elements == other.elements
        and one.page == other.page
        and one.frames == other.frames
        and one.viewport == other.viewport
        and one.focused == other.focused
    )


def _sequence_of(outcome: ExecuteResult) -> Sequence:
    return Sequence(
        outcome.completed,
        outcome.total,
        outcome.success,
        tuple(_step_of(step) for step in outcome.results),
        outcome.duration_ms,
        outcome.failed_at,
    )


def _step_of(step: StepResult) -> Step:
    return Step(
        step.step,
        step.success,
        step.duration_ms,
        step.label,
        # Only the page at the end is shown; those between are gone.
        reply_of(step.result, with_snapshot=False) if step.result else None,
        fault_of(step.error) if step.error else None,
        step.retries,
    )


def fault_of(error: SubTerminatorError) -> Fault:
    return Fault(error.code, error.message, error.advice, error.delivered)


# Reading


def read_reply(data: Any) -> Reply:
    return msgspec.json.decode(msgspec.json.encode(data), type=Reply)


def result_of(reply: Reply, last: Snapshot | None) -> Result:
    """The result as the session gave it; `last` is the page as this client saw it last."""
    snapshot = reply.snapshot
    if reply.same_as and last and last.id == reply.same_as:
        snapshot = structs.replace(last.again(), id=reply.id)
    value: Any = msgspec.json.decode(reply.value, type=KINDS.get(reply.action, Any))
    if reply.sequence:
        value = _outcome_of(reply.sequence)
    return Result(
        reply.action,
        reply.page,
        reply.target,
        reply.happened,
        snapshot,
        last if snapshot else None,
        value,
        reply.note,
    )


def _outcome_of(sequence: Sequence) -> ExecuteResult:
    return ExecuteResult(
        sequence.completed,
        sequence.total,
        sequence.success,
        tuple(_result_of(step) for step in sequence.results),
        sequence.duration_ms,
        sequence.failed_at,
    )


def _result_of(step: Step) -> StepResult:
    return StepResult(
        step.step,
        step.success,
        step.duration_ms,
        step.label,
        result_of(step.reply, None) if step.reply else None,
        error_of(step.error) if step.error else None,
        step.retries,
    )


def error_of(fault: Fault, **details: object) -> SubTerminatorError:
    """The same error as the server's session raised."""
    kind = next((kind for kind in _kinds() if kind.code == fault.code), SubTerminatorError)
    # Made without its own constructor, which may ask for other things than words.
    error = SubTerminatorError.__new__(kind, fault.message)
    SubTerminatorError.__init__(error, fault.message, next_step=fault.advice, **details)
    error.delivered = fault.delivered
    return error


def _kinds(
    kind: type[SubTerminatorError] = SubTerminatorError,
) -> Iterator[type[SubTerminatorError]]:
    for child in kind.__subclasses__():
        yield child
        yield from _kinds(child)

"""Methods that act: each is read as one of our actions and passes the gate by itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from subterminator import actions as a
from subterminator import chores as c
from subterminator.doors.server import params as p
from subterminator.doors.server.acting import build, limit, target
from subterminator.doors.server.caller import Caller
from subterminator.doors.server.pages import Context
from subterminator.errors import ApprovalTimeout, HumanRejected, SubTerminatorError
from subterminator.targets import AnySelector, Coordinates, show

Act = Callable[[Caller, Any], Awaitable[None]]


def act_by(method: str) -> Act:
    """The handler of an action that needs nothing but to be done."""

    async def act(caller: Caller, given: p.OfPage) -> None:
        context, page = caller.page(given.page_id)
        await perform(caller, context, page, method, build(method, given))

    return act


async def click(caller: Caller, given: p.Click) -> None:
    await _click(caller, given, "action/click", given.options.click_count)


async def double_click(caller: Caller, given: p.Click) -> None:
    await _click(caller, given, "action/dblclick", 2)


async def _click(caller: Caller, given: p.Click, method: str, count: int) -> None:
    context, page = caller.page(given.page_id)
    place = given.options.position
    if place is None or given.options.trial:
        await perform(caller, context, page, method, build(method, given))
        return
    # The point is resolved to what lies there, and that is what the gate judges.
    wanted = c.Inspect(target=target(given.selector), properties=("boundingBox",))
    box = (await context.chore(page, wanted))["boundingBox"]
    point = Coordinates(box["x"] + place.x, box["y"] + place.y)
    ms = limit(given.options.timeout)
    press = a.Click(point, given.options.button, count, given.options.modifiers, timeout_ms=ms)
    await perform(caller, context, page, method, (press,))


async def perform(
    caller: Caller, context: Context, page: str, method: str, actions: tuple[a.AtomicAction, ...]
) -> None:
    """One after the other; the first that fails ends it."""
    for action in actions:
        named = _named(action)
        params = {"selector": show(named)} if named is not None else {}
        context.request = {"method": method, "params": params}
        try:
            await context.do(page, action)
        except HumanRejected as fault:
            raise _late(caller, fault) from fault
        except SubTerminatorError as fault:
            if named is not None:
                fault.details.setdefault("selector", show(named))
            fault.details.setdefault("action", method)
            raise


def _late(caller: Caller, fault: HumanRejected) -> SubTerminatorError:
    """Published clients tell a no from no answer."""
    if not fault.details.pop("late", False):
        fault.details.setdefault("reason", fault.message)
        return fault
    seconds = caller.service.limits.approval_seconds
    late = ApprovalTimeout(fault.message, timeout=round(seconds * 1000))
    late.details |= fault.details
    return late


def _named(action: a.AtomicAction) -> AnySelector | None:
    match action:
        case (
            a.Click(target=named) | a.Hover(target=named) | a.Fill(target=named)
            | a.Clear(target=named) | a.Type(target=named) | a.Press(target=named)
            | a.Select(target=named) | a.Check(target=named) | a.Uncheck(target=named)
            | a.Upload(target=named) | a.Scroll(target=named)
        ):  # fmt: skip
            return None if isinstance(named, str) else named
        case _:
            return None


async def handle_dialog(caller: Caller, given: p.DialogHandle) -> None:
    """Answer the dialog that is open, or be ready for the next one."""
    context, page = caller.page(given.page_id)
    answer = a.Dialog(accept=given.action == "accept", text=given.prompt_text)
    if context.session.open_dialog:
        await perform(caller, context, page, "dialog/handle", (answer,))
    else:
        context.armed = answer

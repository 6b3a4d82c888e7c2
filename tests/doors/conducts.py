"""Planners with a fixed part, for tests of what is around a planner.

`python -m tests.doors.conducts PART [ARGUMENT...]` is `subterminator cancel` led by one of them.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from subterminator.agents.outcome import After, Progress, TaskResult
from subterminator.cancellations import Tell
from subterminator.doors.cli import main
from subterminator.errors import HandedOver, HumanRejected
from subterminator.packs.model import Pack
from subterminator.session import Session


async def plain(session: Session, pack: Pack, **rest: Any) -> TaskResult:
    """Knows the way through one flow of the gym, p01-plain, and presses the last button there."""
    tell: Tell = rest["tell"]
    tell(Progress("START", "Opening it in your browser"))
    await session.navigate(rest["start_url"])
    tell(Progress("ACCOUNT_ACTIVE", "Found it: active"))
    await session.navigate(rest["start_url"].replace("account?", "cancel?"))
    tell(Progress("RETENTION_OFFER", "Declined: 50 % for 3 months"))
    session.enter("FINAL_CONFIRMATION")
    tell(Progress("FINAL_CONFIRMATION", "The last step"))
    try:
        await session.click("text:Confirm cancellation")
    except (HumanRejected, HandedOver) as fault:
        return ended("stopped", reason="human_rejected", error=str(fault), turns=3)
    tell(Progress("VERIFYING", "Checking the account page..."))
    await session.navigate(rest["start_url"])
    if "cancelled" not in (await session.text()):
        return ended("unverified", reason="verification_failed", turns=4)
    after = After(status_text="Your subscription has been cancelled", ends_on="12 December 2026")
    return ended("cancelled", success=True, verified=True, turns=4, after=after)


async def stuck_after_press(session: Session, pack: Pack, **rest: Any) -> TaskResult:
    """Presses the last button and then checks for ever."""
    await session.navigate(rest["start_url"].replace("account?", "cancel?"))
    session.enter("FINAL_CONFIRMATION")
    await session.click("text:Confirm cancellation")
    rest["tell"](Progress("VERIFYING", "Checking the account page..."))
    await asyncio.Event().wait()
    raise AssertionError("Nothing sets it.")


async def stuck(session: Session, pack: Pack, **rest: Any) -> TaskResult:
    """Opens the account page and then thinks for ever."""
    await session.navigate(rest["start_url"])
    rest["tell"](Progress("ACCOUNT_ACTIVE", "Thinking"))
    await asyncio.Event().wait()
    raise AssertionError("Nothing sets it.")


def ended(outcome: str, **rest: Any) -> TaskResult:
    facts = {"success": False, "verified": False, "reason": "completed", "turns": 0}
    return TaskResult(outcome=outcome, **{**facts, **rest})  # type: ignore[arg-type]


PARTS = {"plain": plain, "stuck": stuck, "stuck_after_press": stuck_after_press}

if __name__ == "__main__":
    main(["cancel", *sys.argv[2:]], obj=PARTS[sys.argv[1]])

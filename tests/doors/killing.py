"""A cancellation that is killed at a moment and started again, on the practice site."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec

from subterminator.gym.truth import State
from tests.gym.visitor import Visitor
from tests.terminals import Window, window

GATE = "I will press it myself:"
OVER = "Report: "
LONG = 150

Moment = Callable[[Window, Visitor], Awaitable[None]]


def environ(folder: Path) -> dict[str, str]:
    """A user of their own; the folders outlive the process."""
    kinds = ("state", "data", "config")
    return {
        **{name: "" for name in os.environ if name.startswith("SUBTERMINATOR_")},
        **{f"XDG_{kind.upper()}_HOME": str(folder / kind) for kind in kinds},
        "DISPLAY": "",
        "WAYLAND_DISPLAY": "",
    }


def command(visitor: Visitor) -> list[str]:
    url = f"{visitor.site}/{visitor.flow}/account?sid={visitor.sid}"
    return [sys.executable, "-m", "subterminator", "cancel", "--url", url]


async def truth(visitor: Visitor) -> State:
    return msgspec.convert(await visitor.state(), State)


# Moments


async def on_the_way(seen: Window, visitor: Visitor) -> None:
    await seen.until("[1/4] Found the subscription")


async def at_the_gate(seen: Window, visitor: Visitor) -> None:
    await seen.until(GATE)


async def after_the_yes(seen: Window, visitor: Visitor) -> None:
    await seen.until(GATE)
    seen.type("y\n")


async def after_the_press(seen: Window, visitor: Visitor) -> None:
    """The server has just heard of it; what it answers nobody may have read."""
    await after_the_yes(seen, visitor)
    while (await truth(visitor)).commit is None:
        pass


async def while_it_verifies(seen: Window, visitor: Visitor) -> None:
    await after_the_yes(seen, visitor)
    await seen.until("[4/4] Checks the account page")


async def kill(folder: Path, visitor: Visitor, moment: Moment) -> None:
    """Begin, and end it the hard way, unless it was quicker."""
    async with window(command(visitor), environ(folder)) as seen, asyncio.timeout(LONG):
        await moment(seen, visitor)
        seen.process.kill()
        await seen.exit_code()


async def begin_again(folder: Path, visitor: Visitor) -> tuple[int, str]:
    """To its end; whatever is asked is answered yes. Gives the exit code and what was shown."""
    async with window(command(visitor), environ(folder)) as seen, asyncio.timeout(LONG):
        answered = 0
        while OVER not in seen.shown and seen.is_open:
            await seen.until_any(GATE, after=answered, end=OVER)
            if seen.shown.count(GATE) > answered:
                answered += 1
                seen.type("y\n")
        return await seen.exit_code(), seen.shown

"""`subterminator demo`: cancels a made-up subscription in a real browser, like a real one."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable

import click

from subterminator.cancellations import Errand, run_cancellation
from subterminator.config import Settings, load
from subterminator.doors.browsing import has_screen
from subterminator.doors.cancel import exit_code
from subterminator.doors.device import opened
from subterminator.doors.exit_codes import INTERRUPTED
from subterminator.doors.progress import Ending, Lines
from subterminator.doors.terminal import Terminal, is_plain
from subterminator.errors import BrowserMissing
from subterminator.gym.demo import practice
from subterminator.gym.flows import p03_offer
from subterminator.machine import this_machine
from subterminator.safety.human import Human, Question, describe

ALONE = "Nobody is at a terminal here. It is approved only because this is the practice site."


class Trainer:
    """Says yes on the practice site, and says why."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say

    async def approve(self, question: Question) -> bool:
        for line in (*describe(question), ALONE):
            self._say(line)
        return True

    async def hand_over(self, question: Question) -> bool:
        return False


@click.command("demo", short_help="See it cancel a made-up subscription.")
@click.option("--headless/--show", default=None, help="Without or with a window.")
def demo(headless: bool | None) -> None:
    """Cancel a made-up subscription in a real browser; no key, no account, no internet."""
    machine = this_machine()
    screen = has_screen(machine)
    if headless is False and not screen:
        raise BrowserMissing(
            "There is no screen here to show a window on.", next_step="Run it without --show."
        )
    settings = load(machine, {"headless": headless}, {"headless": not screen})
    lines = Lines(click.echo, plain=settings.plain or is_plain(machine.environ))
    sys.exit(asyncio.run(_demo(settings, lines)))


async def _demo(settings: Settings, lines: Lines) -> int:
    with opened() as device:
        present = device is not None and not settings.no_prompts
    terminal = Terminal(plain=settings.plain or None)
    human: Human = terminal if present else Trainer(click.echo)
    click.echo("A made-up subscription on this machine; nothing real is cancelled.")
    async with practice(p03_offer.FLOW, settings, this_machine()) as place:
        errand = Errand(service=place.name, url=place.url, goal=place.goal)
        result = await run_cancellation(
            errand, human=human, settings=place.settings, tell=lines.tell
        )
    code = INTERRUPTED if terminal.interrupted else exit_code(result)
    lines.end(Ending(result=result, exit_code=code))
    return code

"""The person at the terminal that a run was started in: asked there, answers there, default no."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Awaitable, Callable, Mapping

from subterminator.doors.device import Device, opened
from subterminator.errors import HandedOver, HumanRejected
from subterminator.inbox import patience
from subterminator.safety.clock import CLOCK, Clock
from subterminator.safety.human import Question, describe, is_yes
from subterminator.safety.stakes import page_lines
from subterminator.safety.verdict import FINAL

RED, BOLD = "1;31", "1"
SHOW, MYSELF, STOP = {"s", "show"}, {"m"}, {"q", "quit", "stop"}
# Plain mode numbers the choices; a red question has none that means yes.
NUMBERED = {"1": "y", "2": "", "3": "s", "4": "m"}
# "n, not before Friday": a no with words for who asked.
REASONED = re.compile(r"(?:n|no|2)\b[\s,;:.-]+(\S.*)", re.IGNORECASE)


How = Callable[[Device, Question], Awaitable[bool]]


class Terminal:
    """Asks one question at a time. No terminal, no time, no words: no."""

    def __init__(
        self,
        *,
        plain: bool | None = None,
        environ: Mapping[str, str] | None = None,
        clock: Clock = CLOCK,
    ) -> None:
        self._plain = is_plain(os.environ if environ is None else environ)
        if plain is not None:
            self._plain = plain
        self._clock = clock
        # Two questions on one screen could get each other's answer.
        self._screen = asyncio.Lock()
        self.interrupted = False
        """Whether a question was answered with Ctrl-C."""

    async def approve(self, question: Question) -> bool:
        """Raises HandedOver with `done` where the person has pressed it instead of us.

        A no to a final step that carries a sentence raises HumanRejected with it.
        """
        return await self._ask(question, self._gate)

    async def hand_over(self, question: Question) -> bool:
        """True when the person says that it is done."""
        return await self._ask(question, self._wait_for_person)

    async def _ask(self, question: Question, how: How) -> bool:
        deadline = self._clock.deadline(patience(question))
        with opened() as device:
            if device is None:
                return False
            try:
                async with asyncio.timeout(patience(question)), self._screen:
                    yes = await how(device, question)
            except TimeoutError:
                device.say("No answer in time: no.")
                return False
            except asyncio.CancelledError:
                device.say("No answer is needed here any more.")
                raise
            finally:
                self.interrupted = self.interrupted or device.interrupted
            # Timers stand still while a computer sleeps.
            return yes and not deadline.passed(self._clock)

    async def _gate(self, device: Device, question: Question) -> bool:
        self._show(device, question)
        while True:
            typed = await device.ask(self._choices(question))
            choice = typed.casefold()
            if self._plain and not question.red:
                choice = NUMBERED.get(choice, choice)
            if is_yes(question, choice):
                return True
            if choice in SHOW:
                self._show(device, question)
                for line in page_lines(question.stakes) if question.stakes else ():
                    device.say(line)
            elif choice in MYSELF:
                return await self._press_themselves(device)
            else:
                device.say("No: it is not pressed, and the page stays as it is.")
                return _refuse(question, typed)

    async def _press_themselves(self, device: Device) -> bool:
        device.say("Press it in the browser window. We do not, and the page is not read meanwhile.")
        if _stops(device, await device.ask("Enter when you have, q to stop:")):
            return False
        raise HandedOver(
            "The person chose to press it themselves.",
            next_step="Look at the account page to see what came of it.",
            done=True,
        )

    async def _wait_for_person(self, device: Device, question: Question) -> bool:
        self._show(device, question)
        device.say("Do it in the browser window. What you type there is not read, kept or sent.")
        typed = await device.ask("It goes on by itself; or Enter when it is done, q to stop:")
        return not _stops(device, typed)

    def _show(self, device: Device, question: Question) -> None:
        headline, *facts = describe(question)
        if self._plain:
            device.say(f"WARNING: {headline}" if question.red else headline)
        else:
            device.say(headline, RED if question.red else BOLD)
        for line in facts:
            device.say(line)

    def _choices(self, question: Question) -> str:
        if question.red:
            return f"Type {question.red} to go on; s show page; m I will press it myself; else no:"
        if self._plain:
            return "1 yes, 2 no, 3 show page, 4 I will press it myself. Enter alone: no."
        return "Go on?  [y] yes   [N] no, stop   [s] show page   [m] I will press it myself:"


def _stops(device: Device, typed: str) -> bool:
    return device.interrupted or typed.casefold() in STOP


def _refuse(question: Question, typed: str) -> bool:
    said = REASONED.fullmatch(typed)
    if not said or question.effect not in FINAL:
        return False
    raise HumanRejected(
        f"Not approved: {question.reason} The person says: {said[1]!r}",
        next_step="Do not try again; do something else.",
        rule=question.rule,
        effect=question.effect,
        said=said[1],
    )


def is_plain(environ: Mapping[str, str]) -> bool:
    """Words instead of colours: for a screen reader, a pipe, and who asks for it."""
    return bool(environ.get("NO_COLOR")) or environ.get("TERM") == "dumb" or not sys.stdout.isatty()

"""`subterminator audit --cancel`: choose, cancel one after the other, sum up. Parses and prints."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from subterminator.cancellations import Conduct
from subterminator.config import Settings
from subterminator.doors.browsing import code_of_fault
from subterminator.doors.cancel import Flags as CancelFlags
from subterminator.doors.cancel import Run
from subterminator.doors.device import Device, opened
from subterminator.doors.exit_codes import ENVIRONMENT, INTERRUPTED, PERSON_NEEDED, USAGE
from subterminator.doors.progress import Voice
from subterminator.errors import InvalidParams, SubTerminatorError
from subterminator.machine import Machine
from subterminator.queues import Entry, Queue, key_of, subscription_of, summary
from subterminator.statements.routes import Errand, chosen

ASK = "Which? Numbers such as `1 3-4`, or `all`; Enter alone: none:"
ASK_LEFT = "Which? `rest` goes on with those left, or numbers, or `all`; Enter alone: none:"
REST = "rest"
# Who has stopped one has stopped all; without a browser the next would fail the same way.
STOPS = frozenset({INTERRUPTED, ENVIRONMENT})
NOBODY = "Choose at a terminal, or name them: --choose '1 3-4'."


class Errands:
    """What can be cancelled, with what is remembered of each."""

    def __init__(self, errands: Sequence[Errand], queue: Queue) -> None:
        self.all = tuple(errands)
        self._known = {entry.key: entry for entry in queue.entries()}

    def note(self, errand: Errand) -> str:
        """What was done with it before, in words."""
        entry = self._known.get(key_of(errand))
        if entry is None:
            return ""
        if entry.outcome is None:
            return "Left from last time."
        return f"{entry.outcome.replace('_', ' ').capitalize()} on {entry.at}."

    @property
    def left(self) -> list[Errand]:
        """Chosen before and never begun, or stopped on the way."""
        return [each for each in self.all if self._is_left(each)]

    def _is_left(self, errand: Errand) -> bool:
        entry = self._known.get(key_of(errand))
        return entry is not None and entry.outcome is None

    def named(self, words: str) -> list[Errand]:
        """Those that a person means. What is done already is in `all` no more."""
        said = words.strip().casefold()
        if said == REST:
            return self.left
        found = chosen(self.all, words)
        if said != "all":
            return found
        return [each for each in found if not self._is_done(each)]

    def _is_done(self, errand: Errand) -> bool:
        entry = self._known.get(key_of(errand))
        return entry is not None and entry.is_done


async def ask(errands: Errands) -> list[Errand]:
    """Which ones; asked at the terminal until it can be understood."""
    with opened() as device:
        if device is None:
            raise InvalidParams("Nobody is there to choose.", next_step=NOBODY)
        while True:
            typed = await device.ask(ASK_LEFT if errands.left else ASK)
            if device.interrupted:
                raise KeyboardInterrupt
            if (found := _understood(errands, typed, device)) is not None:
                return found


def _understood(errands: Errands, typed: str, device: Device) -> list[Errand] | None:
    try:
        return errands.named(typed)
    except InvalidParams as fault:
        device.say(f"{fault.message} {fault.advice}")
        return None


class Line:
    """Runs what was chosen. Each has a gate of its own; Ctrl-C stops the rest."""

    def __init__(
        self, queue: Queue, flags: CancelFlags, settings: Settings, machine: Machine, voice: Voice
    ) -> None:
        self._queue = queue
        self._flags = flags
        self._settings = settings
        self._machine = machine
        self._voice = voice
        self._entries: list[Entry] = []

    def run(self, errands: Sequence[Errand], planner: str | Conduct) -> int:
        """The exit code of the first that did not end well, or of what stopped it; else 0."""
        self._entries = list(self._queue.begin(errands))
        codes: list[int] = []
        for number, errand in enumerate(errands):
            self._voice.heading(
                f"{number + 1} of {len(errands)}: {errand.service}, {errand.price:.2f} "
                f"{errand.currency} {errand.period}"
            )
            codes.append(self._one(number, errand, errands, planner))
            if codes[-1] in STOPS:
                break
        self._voice.sum_up(summary(self._entries), list(self._lines()), self._entries)
        if codes[-1] in STOPS:
            return codes[-1]
        return next((code for code in codes if code), 0)

    def _one(
        self, number: int, errand: Errand, errands: Sequence[Errand], planner: str | Conduct
    ) -> int:
        if errand.how == "no pack":
            self._voice.note(errand.advice)
            return USAGE
        flags = replace(
            self._flags,
            service=errand.pack,
            subscription=subscription_of(errand, errands),
            goal=f"Cancel the subscription to {errand.service}." if errand.how == "store" else "",
        )
        run = Run(flags, self._settings, self._machine, self._voice)
        try:
            code = asyncio.run(run.to_its_end(planner))
        except KeyboardInterrupt:
            self._voice.fail("Interrupted.", INTERRUPTED)
            return INTERRUPTED
        except SubTerminatorError as fault:
            code = code_of_fault(fault)
            self._voice.fail(f"{fault.message} {fault.advice}".rstrip(), code)
            return code
        # What was stopped by hand, or waits for a person, is still to be done.
        if run.result and code not in (INTERRUPTED, PERSON_NEEDED) and not flags.dry_run:
            self._entries[number] = self._queue.settle(self._entries[number], run.result)
        return code

    def _lines(self) -> Iterator[str]:
        for entry in self._entries:
            words = entry.outcome.replace("_", " ") if entry.outcome else "not done"
            yield f"{entry.service}: {words}{f'  {entry.proof}' if entry.proof else ''}"
        if any(entry.outcome is None for entry in self._entries):
            yield "The same command goes on with what is left: answer `rest`."

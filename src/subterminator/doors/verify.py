"""`subterminator verify`: looks whether a subscription has ended. Parses and prints."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime
from pathlib import Path

import click
from msgspec import convert

from subterminator.agents.outcome import TaskResult
from subterminator.cancellations import Errand, run_verification
from subterminator.config import Settings
from subterminator.doors.browsing import (
    Opening,
    browser_options,
    guarded,
    settings_for,
    voice_for,
)
from subterminator.doors.cancel import exit_code
from subterminator.doors.deputies import Onlooker, Witness
from subterminator.doors.device import opened
from subterminator.doors.exit_codes import INTERRUPTED, PERSON_NEEDED, UNVERIFIED
from subterminator.doors.progress import Ending, Voice
from subterminator.doors.proof import in_folder, pack_of, proofs_about, tell_changes
from subterminator.doors.terminal import Terminal
from subterminator.errors import InvalidParams
from subterminator.machine import this_machine
from subterminator.runs.calendar import calendar, check_on
from subterminator.runs.proofs import Found, add_file, read
from subterminator.safety.human import Human, nobody
from subterminator.safety.sites import host_of

# It was seen, and it does not show the end.
SEEN = frozenset({"completed", "verification_failed"})
# What looks at the account page, if not a browser: the errand, and the folder of the first proof.
Check = Callable[[Errand, Path | None], Awaitable[TaskResult]]


class Flags(Opening, frozen=True, kw_only=True):
    """The command line as it was typed."""

    service: str | None = None
    url: str = ""
    day: datetime | None = None
    chosen: Path | None = None


@click.command("verify", short_help="Look again whether a subscription has ended.")
@click.argument("service", required=False)
@click.option("--url", default="", help="Its account page; for a service that is not in the list.")
@click.option(
    "--on",
    "day",
    type=click.DateTime(["%Y-%m-%d"]),
    help="Do it on that day: until then only a calendar entry is made.",
)
@in_folder
@browser_options
@click.pass_obj
def verify(check: Check | None, /, **given: object) -> None:
    """Look whether SERVICE has ended. Nothing is pressed.

    The account page is loaded anew; you sign in yourself where that is needed. What is found is a
    proof, put beside the one of the cancellation, which is checked and stays as it is.
    """
    flags = convert(given, Flags)
    machine = this_machine()

    def begin() -> int:
        settings = settings_for(flags, machine)
        return _Look(flags, settings, voice_for(flags, machine, plain=settings.plain)).run(check)

    sys.exit(guarded(voice_for(flags, machine), begin))


class _Look:
    def __init__(self, flags: Flags, settings: Settings, voice: Voice) -> None:
        self._flags = flags
        self._settings = settings
        self._voice = voice
        self._terminal = Terminal(plain=settings.plain or None)
        self._witness: Witness | None = None

    def run(self, check: Check | None) -> int:
        first = self._first()
        if first:
            tell_changes(first.folder)
        if self._flags.day and (day := self._flags.day.date()) != date.today():
            self._voice.wrote("reminder", str(_remind(first, day, self._service(first))))
            return 0
        errand = self._errand(first)
        looking = (check or self._check)(errand, first.folder if first else None)
        return self._end(asyncio.run(_awaited(looking)))

    # What

    def _first(self) -> Found | None:
        """The proof to add to: the one named, else the newest that shows a cancellation."""
        flags = self._flags
        if flags.chosen:
            return read(flags.chosen.absolute())
        if not flags.service and not flags.url:
            raise InvalidParams(
                "There is nothing to look at.", next_step="Name a service, or give its --url."
            )
        return proofs_about(self._service(None), self._settings)

    def _service(self, first: Found | None) -> str:
        named = self._flags.service or (first.proof.service if first else "")
        return named or host_of(self._flags.url).removeprefix("www.")

    def _errand(self, first: Found | None) -> Errand:
        service, url = self._service(first), self._flags.url
        if not url and not pack_of(service, this_machine()):
            # Who has no pack was named by its address, and the proof knows which.
            url = _address(first) if first else ""
        return Errand(service=service if self._flags.service or first else "", url=url,
                      attach=self._flags.attach)  # fmt: skip

    # Who

    async def _check(self, errand: Errand, first: Path | None) -> TaskResult:
        settings = self._settings
        with opened() as device:
            present = device is not None and not settings.no_prompts
        person: Human = nobody if settings.no_prompts else Onlooker()
        window = bool(self._flags.attach) or not settings.headless
        self._witness = witness = Witness(
            self._terminal if present else person,
            present=present,
            window=window,
            asked=self._voice.asked,
        )
        return await run_verification(
            errand, human=witness, settings=settings, tell=self._voice.tell, first=first
        )

    def _end(self, result: TaskResult) -> int:
        needed = self._witness.needed if self._witness else ""
        code = exit_code(result, needed=bool(needed))
        if result.outcome == "stopped" and result.reason in SEEN:
            code = UNVERIFIED
        if self._terminal.interrupted:
            code = INTERRUPTED
        self._voice.end(
            Ending(
                result=result,
                exit_code=code,
                needed=needed if code == PERSON_NEEDED else "",
                looked=True,
            )
        )
        return code


async def _awaited(looking: Awaitable[TaskResult]) -> TaskResult:
    return await looking


def _address(first: Found) -> str:
    """Where the proof has read its evidence last."""
    read_at = [each.url for each in first.proof.evidence if host_of(each.url)]
    return read_at[-1] if read_at else ""


def _remind(first: Found | None, day: date, service: str) -> Path:
    if day < date.today():
        raise InvalidParams(
            f"{day.isoformat()} has passed.", next_step="Leave --on out to look at once."
        )
    if first is None:
        raise InvalidParams(
            f"There is no proof about {service!r} to put the reminder beside.",
            next_step="Leave --on out to look at once and begin one.",
        )
    pack = pack_of(first.proof.service, this_machine())
    entry = check_on(day, first.proof.service, pack.names[0] if pack else first.proof.service)
    data = calendar([entry], datetime.now(UTC))
    return add_file(first.folder, f"verify_{day.isoformat()}", ".ics", data)

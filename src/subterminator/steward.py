"""The part of the gate that is for programs only: chores, further sites, what the browser tells.

No action leads here, so no model does. Scopes come first here, too, and everything is recorded.
"""

from __future__ import annotations

import asyncio
from typing import Any

from subterminator import chores as c
from subterminator.chores import Chore, name_of
from subterminator.engine.base import Driver
from subterminator.errors import DialogOpen, OutOfScope, Refused, SubTerminatorError
from subterminator.execution import within
from subterminator.runs import account
from subterminator.runs.events import Decided, Note
from subterminator.runs.record import Record
from subterminator.safety.charter import Charter
from subterminator.safety.limits import Counter
from subterminator.safety.reach import judge_address
from subterminator.safety.task import Task
from subterminator.signals import Listener
from subterminator.targets import parse_target
from subterminator.types import Resolved

FIND_SECONDS = 2.0
CHORE_SECONDS = 20.0
NAMED = "named-by-caller"


class Steward:
    """What a session offers beside actions."""

    counter: Counter
    _driver: Driver
    _charter: Charter
    _task: Task
    _record: Record
    _turn: asyncio.Lock

    def _add_site(self, host: str) -> None:
        raise NotImplementedError

    def listen(self, listener: Listener | None) -> None:
        """Be told what the browser says by itself: pages, consoles, requests, downloads."""
        self._driver.listen(listener)

    def name_site(self, url: str) -> None:
        """A program that may navigate names a further site by going there itself.

        What is never opened is refused here as it is at the gate.
        """
        if not self._charter.scopes.allow("page:navigate"):
            raise OutOfScope("This caller may not name sites.", scopes=["page:navigate"])
        verdict = judge_address(url, self._task.sites)
        if verdict.kind == "deny":
            raise Refused(verdict.reason, rule=verdict.rule)
        if self._task.sites and verdict.host:
            self._record.append(Decided("navigate", "allow", NAMED, host=verdict.host))
            self._add_site(verdict.host)

    async def chore(self, chore: Chore) -> Any:
        """Have something done to the browser itself, and get what was asked for."""
        name = name_of(chore)
        async with self._turn:
            self._check_scope(chore)
            self.counter.check_time()
            self._record.append(Note(f"chore: {name}"))
            try:
                targets = await self._targets_of(chore)
                return await within(CHORE_SECONDS, name, self._driver.chore(chore, targets))
            except SubTerminatorError as fault:
                told = account.failure(name, fault.code, fault.message, delivered=fault.delivered)
                self._record.append(told)
                raise

    async def release(self, release: c.Release) -> None:
        """Let a held request go. Not in its turn: whoever has the turn may wait for it."""
        self._check_scope(release)
        self._record.append(Note(f"chore: {name_of(release)} {release.how}"))
        await self._driver.chore(release, ())

    def _check_scope(self, chore: Chore) -> None:
        if not self._charter.scopes.allow(chore.scope):
            raise OutOfScope(
                f"This caller may not do that: it lacks {chore.scope}.", scopes=[chore.scope]
            )

    async def _targets_of(self, chore: Chore) -> list[Resolved]:
        if not isinstance(chore, c.Inspect | c.FindInside):
            return []
        if dialog := self._driver.dialog:
            raise DialogOpen(f"A {dialog.kind} dialog is open: {dialog.message[:200]!r}.")
        return [await self._driver.resolve(parse_target(chore.target), FIND_SECONDS)]

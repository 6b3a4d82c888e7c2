"""Does in a browser what was decided, and remembers the page as it was last shown. Asks nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from typing import TypeVar

from subterminator import actions as a
from subterminator.engine.base import Driver, Judge, Performed
from subterminator.errors import InvalidParams, Refused, SubTerminatorError, TargetClosed, Timeout
from subterminator.intake import name_of
from subterminator.page.snapshot import Snapshot, View
from subterminator.result import Result
from subterminator.targets import parse_target
from subterminator.types import Happened, PageInfo, Resolved

T = TypeVar("T")
# Settling has limits of its own; this only catches what does not end at all.
GRACE_SECONDS = 15
CATCH_UP_SECONDS = 5
BY_PERSON = "done by the person"


class Execution:
    """The session's hands and memory."""

    def __init__(self, driver: Driver, judge: Judge) -> None:
        self._driver = driver
        self._judge = judge
        self.last: Snapshot | None = None
        # Whether something was done since that nobody has looked at.
        self._is_behind = False

    @property
    def page(self) -> PageInfo:
        return self.last.page if self.last else PageInfo("about:blank", "")

    async def perform(
        self,
        action: a.AtomicAction,
        targets: Sequence[Resolved],
        seconds: float,
        *,
        alone: bool = True,
    ) -> Result:
        """Do it once, and look at what came of it.

        Where it is not alone but a step of many, writing that set nothing off is not looked at.
        """
        name = name_of(action)
        work = self._perform(action, name, targets, seconds, alone)
        return await within(seconds + GRACE_SECONDS, name, work, delivered=True)

    async def look_after(
        self, action: a.AtomicAction, target: Resolved | None, seconds: float
    ) -> Result:
        """The page after a person has done what was asked for."""
        snapshot = await self._driver.observe(View(), seconds)
        before, self.last = self.last, snapshot
        name = name_of(action)
        return Result(name, snapshot.page, target, Happened(), snapshot, before, note=BY_PERSON)

    async def explain(self, fault: SubTerminatorError) -> None:
        """An error comes with the page as it is now, where the page can still be seen."""
        if isinstance(fault, TargetClosed | InvalidParams | Refused) or self._driver.dialog:
            return
        if fault.details.get("silent"):
            return  # A page that does not answer cannot be looked at either.
        try:
            fault.snapshot = self.last = await self._driver.observe(View(), 3)
        except SubTerminatorError:
            return  # The first error is the one that matters.

    async def catch_up(self) -> None:
        """See the page at the end of a sequence, if its last steps were not looked at."""
        if not self._is_behind:
            return
        try:
            seen = await self._driver.perform(a.Wait(time_ms=0), (), CATCH_UP_SECONDS)
        except SubTerminatorError:
            return  # What the steps did is told all the same.
        self.last = seen.snapshot or self.last
        self._is_behind = False

    async def _perform(
        self,
        action: a.AtomicAction,
        name: str,
        targets: Sequence[Resolved],
        seconds: float,
        alone: bool,
    ) -> Result:
        match action:
            case a.TakeSnapshot():
                return await self._take_snapshot(action, name, seconds)
            case a.Find():
                return await self._find(action, name, seconds)
            case _:
                brief = not alone and isinstance(action, a.Fill | a.Clear)
                performed = await self._driver.perform(
                    action, targets, seconds, self._judge, brief=brief
                )
                self._is_behind = brief and performed.snapshot is None
        return self._answer(name, targets, performed)

    def _answer(self, name: str, targets: Sequence[Resolved], performed: Performed) -> Result:
        before = self.last
        if performed.snapshot:
            self.last = performed.snapshot
        return Result(
            name,
            self.page,
            targets[0] if targets else None,
            performed.happened,
            performed.snapshot,
            before,
            performed.value,
            performed.note,
        )

    async def _take_snapshot(self, action: a.TakeSnapshot, name: str, seconds: float) -> Result:
        root = None
        if action.root is not None:
            root = (await self._driver.resolve(parse_target(action.root), min(seconds, 2))).ref
        whole = await self._driver.observe(View(), seconds)
        before, self.last = self.last, whole
        view = View(action.viewport_only, action.roles, root, action.depth, action.max_elements)
        shown = whole if view == View() else whole.filtered(view)
        return Result(name, whole.page, snapshot=shown, before=before if shown is whole else None)

    async def _find(self, action: a.Find, name: str, seconds: float) -> Result:
        snapshot = await self._driver.observe(View(), seconds)
        self.last = snapshot
        matches = snapshot.find(
            action.description, role=action.role, frame=action.frame, limit=action.limit
        )
        return Result(name, snapshot.page, snapshot=snapshot, value=matches)


async def within(seconds: float, name: str, work: Awaitable[T], *, delivered: bool = False) -> T:
    """Not longer than this; `delivered` says whether it may have reached the page by then."""
    try:
        async with asyncio.timeout(seconds + 0.5):
            return await work
    except TimeoutError:
        fault = Timeout(f"{name} took longer than {seconds:g} s.")
        fault.delivered = delivered
        raise fault from None

"""Looks around for a way out that no page has shown yet: what to open next, where to go back to.

Only what shows something is opened here; what ends, sends or accepts anything is not its business.
"""

from __future__ import annotations

from typing import NamedTuple

from subterminator.agents.sight import Control
from subterminator.agents.stages import Page
from subterminator.agents.trail import Trail
from subterminator.agents.ways import Rows, Way, ways
from subterminator.types import Flag

MOST_RETURNS = 2
MOST_DETOURS = 4
# A third time on the same page ends the run.
MOST_ATTEMPTS = 2


class Look(NamedTuple):
    """Something to look into: pressed, or only pointed at."""

    control: Control
    hovers: bool


class Back(NamedTuple):
    """An address to look further at, and why."""

    url: str
    why: str


class Explorer:
    """Goes through what is worth a look, the likeliest first, and comes back to what was left."""

    def __init__(self, trail: Trail) -> None:
        self._trail = trail
        self._everywhere = False
        self._returns = self._detours = 0

    def start_over(self) -> None:
        self._returns = 0

    def next(self, page: Page, listed: Rows) -> Look | None:
        trail = self._trail
        found = [way for way in ways(page, everywhere=self._everywhere) if _is_shut(way, listed)]
        if page.context.opened and not page.renewal:
            # Where the way out has led nowhere, what stands around every page leads nowhere new.
            found = [way for way in found if not way.control.is_around]
        left = [w for w in found if not (trail.was_seen(page, w.control) or self._leads_back(w))]
        if len(left) > 1:
            trail.leave_unfinished(page.sight.url)
        # What leads to where the run has been comes last.
        for way in sorted(found, key=self._leads_back):
            if trail.attempts(page, way.control) >= MOST_ATTEMPTS:
                continue
            if trail.is_new(page, way.control):
                return Look(way.control, hovers=False)
            if way.is_menu and trail.is_new(page, way.control, "hover"):
                return Look(way.control, hovers=True)
        return None

    def back(self, page: Page, base: str) -> Back | None:
        """Where to go on looking: pages with more on them, the account page, then everywhere."""
        if self._detours < MOST_DETOURS and (place := self._trail.unfinished(page.sight.url)):
            self._detours += 1
            return Back(place, "goes back to what was not looked into")
        if base and base != page.sight.url and self._returns < MOST_RETURNS:
            self._returns += 1
            return Back(base, "goes back to the account page")
        if base and not self._everywhere:
            self._everywhere = True
            self._returns = 1
            return Back(base, "looks into what says nothing known")
        return None

    def _leads_back(self, way: Way) -> bool:
        return self._trail.is_known(way.control)


def _is_shut(way: Way, listed: Rows) -> bool:
    return not (listed.excludes(way.control) or way.control.has(Flag.EXPANDED))

"""Charges that follow each other at even distances. Pure: knows days, no merchants and no money.

A day is an ordinal. A cadence counts days or months; a month has its anchor day clipped to its end.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache
from itertools import count, pairwise
from statistics import pvariance
from typing import Literal, NamedTuple

from subterminator.statements.model import Period

MOST_STARTS = 6
# More than this a day for a whole cadence cannot be one or two series.
MOST_PER_WEEK = 3


class Cadence(NamedTuple):
    """A period: how it is counted, and how far from its day a charge may come."""

    period: Period
    unit: Literal["day", "month"]
    step: int
    tolerance: int
    per_year: int
    grace: int
    """Days after which a charge that did not come will not come."""

    @property
    def days(self) -> float:
        return self.step if self.unit == "day" else self.step * 30.44


CADENCES = (
    # Three days either way would make any day of a week the right one.
    Cadence("weekly", "day", 7, 1, 52, 5),
    Cadence("fortnightly", "day", 14, 2, 26, 7),
    Cadence("four-weekly", "day", 28, 3, 13, 10),
    Cadence("monthly", "month", 1, 3, 12, 10),
    Cadence("monthly", "day", 30, 2, 12, 10),
    Cadence("monthly", "day", 31, 2, 12, 10),
    Cadence("two-monthly", "month", 2, 3, 6, 14),
    Cadence("quarterly", "month", 3, 3, 4, 20),
    Cadence("quarterly", "day", 90, 2, 4, 20),
    Cadence("half-yearly", "month", 6, 3, 2, 25),
    Cadence("yearly", "month", 12, 3, 1, 30),
)


# For a series that is known to be one, so that no other day need be told from its own.
LOOSE = (
    Cadence("weekly", "day", 7, 2, 52, 5),
    Cadence("fortnightly", "day", 14, 3, 26, 7),
)


class Anchor(NamedTuple):
    """Where a series is counted from: a day, or a month and the day in it."""

    day: int
    month: int = 0
    day_of_month: int = 0


class Chain(NamedTuple):
    """Some of the days, as charges of one series. `steps` are their numbers in it."""

    cadence: Cadence
    anchor: Anchor
    places: tuple[int, ...]
    steps: tuple[int, ...]
    offs: tuple[int, ...]
    """How many days after its due day each came."""
    passed: int
    """Days between its first and last that it leaves out."""

    @property
    def missed(self) -> int:
        return self.steps[-1] - self.steps[0] + 1 - len(self.steps)

    @property
    def furthest(self) -> int:
        return max(map(abs, self.offs))

    @property
    def drifts(self) -> bool:
        """Whether each charge is counted from the one before it, as visits are, not from a day.

        Late postings make neighbours differ; a walk makes what is far apart differ more.
        """
        moves = [later - off for off, later in pairwise(self.offs)]
        moving = sum(map(bool, moves)) > 0.6 * len(moves)
        # Independent delays have half the variance of their differences; few of them tell less.
        most = 0.9 if len(moves) < 12 else 0.68
        return len(moves) > 4 and moving and pvariance(self.offs) > most * pvariance(moves)


def due(cadence: Cadence, anchor: Anchor, step: int) -> int:
    """The day on which the charge of this number is due."""
    if cadence.unit == "day":
        return anchor.day + step * cadence.step
    return _in_month(anchor.month + step * cadence.step, anchor.day_of_month)


@lru_cache(maxsize=16_384)
def _in_month(month: int, day: int) -> int:
    year, index = divmod(month, 12)
    # A statement of hostile dates must not count beyond the calendar.
    first = date(min(max(year, 1), 9998), index + 1, 1).toordinal()
    following = date(min(max(year, 1), 9998) + (index == 11), (index + 1) % 12 + 1, 1).toordinal()
    return min(first + day - 1, following - 1)


def best(
    days: Sequence[int], cadences: Sequence[Cadence] = CADENCES, *, most_missing: int = 1
) -> Chain | None:
    """The series that explains most of the days, which are sorted. None: no two follow evenly.

    More than `most_missing` in a row that fail to come end it.
    """
    if len(days) < 2 or len(days) > MOST_PER_WEEK * ((days[-1] - days[0]) / 7 + 2):
        return None
    found: Chain | None = None
    for cadence in cadences:
        if _is_likely(days, cadence):
            for chain in _chains(days, cadence, most_missing):
                if found is None or _rank(chain) > _rank(found):
                    found = chain
    return found


def _rank(chain: Chain) -> tuple[float, float]:
    # What a slow series passes over speaks for a quicker one that has a gap.
    length = len(chain.places)
    return length - chain.missed / 2 - chain.passed / 2, -sum(map(abs, chain.offs)) / length


def _is_likely(days: Sequence[int], cadence: Cadence) -> bool:
    """Whether half of the days have another at this distance among the next two."""
    slack = 2 * cadence.tolerance + (2 if cadence.unit == "month" else 0)
    hits = 0
    for at, day in enumerate(days[:-1]):
        for later in days[at + 1 : at + 4]:
            steps = max(1, round((later - day) / cadence.days))
            if steps <= 2 and abs(later - day - steps * cadence.days) <= slack:
                hits += 1
                break
    return hits * 2 >= len(days) - 1


def _chains(days: Sequence[int], cadence: Cadence, most_missing: int) -> Iterator[Chain]:
    starts = min(len(days) // 3 + 1, MOST_STARTS)
    tried: set[Anchor] = set()
    for start in days[:starts]:
        for anchor in _anchors(start, cadence):
            if anchor not in tried:
                tried.add(anchor)
                chain = follow(days, cadence, anchor, most_missing)
                if chain:
                    yield chain


def _anchors(start: int, cadence: Cadence) -> Iterator[Anchor]:
    """The days that a first charge may have been due on."""
    for shift in range(-cadence.tolerance, cadence.tolerance + 1):
        day = date.fromordinal(start + shift)
        month = day.year * 12 + day.month - 1
        if cadence.unit == "day":
            yield Anchor(start + shift)
            continue
        yield Anchor(start + shift, month, day.day)
        if date.fromordinal(start + shift + 1).day == 1:
            for later in range(day.day + 1, 32):
                yield Anchor(start + shift, month, later)


def follow(
    days: Sequence[int], cadence: Cadence, anchor: Anchor, most_missing: int
) -> Chain | None:
    """The days that come when they are due."""
    places: list[int] = []
    steps: list[int] = []
    offs: list[int] = []
    missing = 0
    for step in count():
        day = due(cadence, anchor, step)
        if day - cadence.tolerance > days[-1] or missing > most_missing:
            break
        at = nearest(days, day)
        off = days[at] - day
        if abs(off) > cadence.tolerance or places and at <= places[-1]:
            missing += 1
            continue
        places.append(at)
        steps.append(step)
        offs.append(off)
        missing = 0
    if len(places) < 2:
        return None
    passed = places[-1] - places[0] + 1 - len(places)
    return Chain(cadence, anchor, tuple(places), tuple(steps), tuple(offs), passed)


def nearest(days: Sequence[int], day: int) -> int:
    """The place of the day that is closest to one."""
    at = bisect_left(days, day)
    if at == len(days) or at and day - days[at - 1] <= days[at] - day:
        return at - 1
    return at

"""How much a run may do before it is ended. Counts only: the clock is passed in, nothing waits."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from subterminator.actions import Action, Execute
from subterminator.errors import LimitReached
from subterminator.page.snapshot import Snapshot
from subterminator.types import Flag

Ended = Literal["max_turns_exceeded", "time_limit", "cost_limit", "rate_limit", "loop"]
Most = Annotated[int, Meta(ge=1)]
MINUTE = 60.0
# Old enough to be forgotten: a session may live for a day and do the same thing every morning.
# A circle of five pages gone round three times still fits.
REMEMBERED = 12
# Where the caret stands and what is scrolled into view say nothing about the state of the page.
MATTERS = ~int(Flag.FOCUSED | Flag.OFFSCREEN)
# What a model may cost where nobody has said anything else, in US dollars.
USUAL_COST = 2.0


class Limits(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """None is no limit. `cost` is in US dollars.

    `repeats`: so often the same action on the same page is a loop. `cycles`: so often there and
    back between two pages is one.
    """

    turns: Most | None = 20
    seconds: Annotated[float, Meta(gt=0)] | None = 900.0
    cost: Annotated[float, Meta(gt=0)] | None = 2.0
    actions_per_minute: Most | None = 60
    repeats: Annotated[int, Meta(ge=2)] | None = 3
    cycles: Annotated[int, Meta(ge=2)] | None = 3


class Counter:
    """What was used up of the limits. The error of the limit that is reached names its reason."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        self.limits = limits
        self.turns = 0
        self.cost = 0.0
        self._clock = clock
        self._begun = clock()
        self._excused = 0.0
        self._recent: deque[float] = deque()
        self._done: deque[bytes] = deque(maxlen=REMEMBERED)
        self._pages: deque[str] = deque(maxlen=2 * (limits.cycles or 1))

    def turn(self) -> None:
        """One more reply of the planner is asked for."""
        self.check_time()
        if self.limits.turns is not None and self.turns >= self.limits.turns:
            raise _reached("max_turns_exceeded", f"All {self.limits.turns} turns are used.")
        self.turns += 1

    def spend(self, cost: float) -> None:
        """What a reply cost. A negative or unreal amount gives nothing back."""
        if cost > 0:
            self.cost += cost
        if self.limits.cost is not None and self.cost >= self.limits.cost:
            raise _reached("cost_limit", f"{self.cost:.2f} of {self.limits.cost:.2f} USD are used.")

    def count(self, action: Action, page: str) -> None:
        """An action is about to be done on a page with this fingerprint; looking is free."""
        self.check_time()
        steps = [step.do for step in action.steps] if isinstance(action, Execute) else [action]
        weight = sum(type(step).effect != "look" for step in steps)
        if not weight:
            return
        self._check_rate(weight)
        self._check_repeats(action, page)
        self._check_cycles(page)

    def check_time(self) -> None:
        if self.limits.seconds is not None and self.seconds >= self.limits.seconds:
            raise _reached("time_limit", f"The {self.limits.seconds:g} seconds are over.")

    def now(self) -> float:
        """A clock that stands still while the person thinks."""
        return self._clock() - self._excused

    @property
    def seconds(self) -> float:
        """How long it has taken, without the time the person took."""
        return self.now() - self._begun

    @property
    def seconds_left(self) -> float | None:
        if self.limits.seconds is None:
            return None
        return max(0.0, self.limits.seconds - self.seconds)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """A person thinks: nobody is hurried to a yes, and their time is not the run's."""
        since = self._clock()
        try:
            yield
        finally:
            self._excused += self._clock() - since

    def _check_rate(self, weight: int) -> None:
        now = self._clock()
        while self._recent and self._recent[0] <= now - MINUTE:
            self._recent.popleft()
        most = self.limits.actions_per_minute
        if most is not None and len(self._recent) + weight > most:
            raise _reached("rate_limit", f"More than {most} actions in a minute.")
        self._recent.extend([now] * weight)

    def _check_repeats(self, action: Action, page: str) -> None:
        # A digest, not the action: what was typed is not kept.
        plain = msgspec.structs.replace(action, timeout_ms=None)
        mark = _digest(msgspec.json.encode(plain), page.encode())
        before = self._done.count(mark)
        self._done.append(mark)
        if self.limits.repeats is not None and before + 1 >= self.limits.repeats:
            raise _reached("loop", f"The same action on the same page {before + 1} times.")

    def _check_cycles(self, page: str) -> None:
        self._pages.append(page)
        if self.limits.cycles is None or len(self._pages) < 2 * self.limits.cycles:
            return
        here, there = self._pages[0], self._pages[1]
        alternating = [here, there] * self.limits.cycles
        if here != there and list(self._pages) == alternating:
            raise _reached("loop", f"There and back between two pages {self.limits.cycles} times.")


def fingerprint(snapshot: Snapshot | None) -> str:
    """The same for two looks at which a person would see the same page in the same state."""
    if snapshot is None:
        return ""
    seen = [
        (element.role, element.name, element.flags & MATTERS, element.facts.value)
        for element in snapshot.elements
    ]
    try:
        written = msgspec.json.encode((snapshot.page.url, seen))
    except UnicodeEncodeError:
        # Half a character has no bytes of its own; this way of writing it down is slower.
        written = repr((snapshot.page.url, seen)).encode()
    return _digest(written).hex()


def _digest(*parts: bytes) -> bytes:
    whole = blake2b(digest_size=16)
    for part in parts:
        whole.update(len(part).to_bytes(8) + part)
    return whole.digest()


def _reached(reason: Ended, message: str) -> LimitReached:
    return LimitReached(
        message, next_step="The run ends here; a person decides how to go on.", reason=reason
    )

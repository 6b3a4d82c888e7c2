"""Time as a value, so that a test sets it instead of patching; and when something is over."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from msgspec import Struct

# Corrections of a clock by the network are smaller; a larger step back makes its time useless.
STEP_BACK_SECONDS = 5.0


def _running() -> float:
    """Seconds that nobody can set. On Linux only this one counts the time asleep, too."""
    if sys.platform == "linux":
        return time.clock_gettime(time.CLOCK_BOOTTIME)
    return time.monotonic()


class Clock(Struct, frozen=True):
    """`monotonic` only ever runs forward; `wall` is the date, which a person can set."""

    monotonic: Callable[[], float] = _running
    wall: Callable[[], float] = time.time

    def deadline(self, seconds: float) -> Deadline:
        begun = self.wall()
        return Deadline(begun, self.monotonic() + seconds, begun + seconds)


class Deadline(Struct, frozen=True):
    """A moment on both clocks. It has passed when either says so, or when the date was set back.

    Either alone can be wrong: one stands still while a computer sleeps, the other can be set.
    """

    begun: float = 0.0
    monotonic: float = 0.0
    wall: float = 0.0

    def passed(self, clock: Clock) -> bool:
        wall = clock.wall()
        return (
            clock.monotonic() >= self.monotonic
            or wall >= self.wall
            or wall < self.begun - STEP_BACK_SECONDS
        )


CLOCK = Clock()

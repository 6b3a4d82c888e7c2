"""The time as a test sets it."""

from __future__ import annotations

from subterminator.safety.clock import Clock


class Time:
    """Two clocks that a test sets."""

    def __init__(self) -> None:
        self.running = 1_000.0
        self.date = 1_800_000_000.0
        self.clock = Clock(lambda: self.running, lambda: self.date)

    def pass_by(self, seconds: float) -> None:
        self.running += seconds
        self.date += seconds

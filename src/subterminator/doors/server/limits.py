"""How much one client may ask of the server. Counts only: the clock is passed in."""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec import Struct

from subterminator.errors import RateReached

Now = Callable[[], float]


class Limits(Struct, frozen=True, kw_only=True):
    """Numbers of one server. Rates are per second; a burst of twice as many is let through."""

    message_bytes: int = 10 * 1024 * 1024
    outbox_bytes: int = 16 * 1024 * 1024
    outbox_messages: int = 2_000
    send_seconds: float = 20.0
    connections: int = 64
    in_flight: int = 32
    requests: float = 50.0
    token_requests: float = 1_000.0
    page_requests: float = 50.0
    screenshots_a_minute: float = 60.0
    events: float = 100.0
    pages: int = 10
    contexts: int = 5
    browsers: int = 4
    idle_seconds: float = 600.0
    longest_seconds: float = 3_600.0
    parked_seconds: float = 300.0
    parked: int = 64
    approval_seconds: float = 20.0
    answer_seconds: float = 28.0
    stream_bytes: int = 1024 * 1024
    bad_tokens: int = 20
    bad_token_seconds: float = 10.0


class Bucket:
    """Fills at a rate and holds twice that; what is taken out must be in it."""

    def __init__(self, rate: float, now: Now = time.monotonic) -> None:
        self._rate, self._most = rate, 2 * rate
        self._now = now
        self._level, self._seen = self._most, now()

    def take(self, amount: float = 1.0) -> float:
        """0 if it was there, else the seconds until it will be; then nothing is taken."""
        now = self._now()
        self._level = min(self._most, self._level + (now - self._seen) * self._rate)
        self._seen = now
        if amount > self._level:
            return (amount - self._level) / self._rate
        self._level -= amount
        return 0.0

    def spend(self, amount: float = 1.0, what: str = "requests") -> None:
        """Raises RateReached where it is not there. More than it can ever hold is a fault too."""
        amount = min(amount, self._most)
        if wait := self.take(amount):
            raise RateReached(
                f"Rate limit: at most {self._rate:g} {what} a second.",
                retry_after_ms=max(1, round(wait * 1000)),
            )


class Throttle:
    """Slows down whoever tries tokens: after too many bad ones none is looked at for a while."""

    def __init__(self, most: int, seconds: float, now: Now = time.monotonic) -> None:
        self._most, self._seconds, self._now = most, seconds, now
        self._bad: dict[str, tuple[int, float]] = {}

    def wait_for(self, address: str) -> float:
        """Seconds until the next try of this address is looked at."""
        count, since = self._bad.get(address, (0, 0.0))
        left = since + self._seconds - self._now()
        if left <= 0:
            self._bad.pop(address, None)
            return 0.0
        return left if count >= self._most else 0.0

    def fail(self, address: str) -> None:
        count, since = self._bad.get(address, (0, self._now()))
        if len(self._bad) > 1_000:
            self._bad.clear()  # More addresses than a machine has: somebody makes them up.
        self._bad[address] = (count + 1, since)

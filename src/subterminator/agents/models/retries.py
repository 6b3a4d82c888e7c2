"""Asks a model again after a failure that may pass. In between it waits and does nothing else."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from email.utils import parsedate_to_datetime

from msgspec import Struct
from msgspec.structs import replace

from subterminator.agents.models.base import ModelError, Spoken, Usage

NEXT_STEP = "Try again later, or choose another model with --model."


class Passing(Exception):
    """A failure that may pass by itself. It never leaves this package.

    `after` is how many seconds the provider wants us to wait; `usage` is what the attempt cost.
    """

    def __init__(self, why: str, after: float | None = None, usage: Usage | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.after = after
        self.usage = usage or Usage()


class Patience(Struct, frozen=True):
    """Seconds: how long a provider may be silent, and how long one whole answer may take."""

    silence: float = 60.0
    whole: float = 300.0


# A model on this machine reads its prompt for minutes before it says its first word.
LOCAL_PATIENCE = Patience(silence=600.0, whole=1800.0)


class Retries(Struct, frozen=True):
    """How often a model is asked, and how long is waited in between. The last three are seams."""

    attempts: int = 4
    first: float = 1.0
    longest: float = 60.0
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep
    jitter: Callable[[], float] = random.random
    wall: Callable[[], float] = time.time

    async def keep_asking(self, ask: Callable[[], Awaitable[Spoken]]) -> Spoken:
        """The first answer. Its usage includes what broken attempts are known to have used."""
        used = Usage()
        for attempt in range(1, self.attempts + 1):
            try:
                spoken = await ask()
            except Passing as failure:
                used += failure.usage
                if attempt == self.attempts:
                    times = f" It was asked {attempt} times." if attempt > 1 else ""
                    raise ModelError(failure.why + times, next_step=NEXT_STEP) from None
                await self.pause(self._wait(attempt, failure))
            else:
                return replace(spoken, usage=used + spoken.usage)
        raise AssertionError("at least one attempt")

    def _wait(self, attempt: int, failure: Passing) -> float:
        # Many runs that fail at one moment must not all come back at one moment.
        if failure.after is None:
            return float(self.first * 2 ** (attempt - 1) * (0.5 + self.jitter() / 2))
        if failure.after > self.longest:
            wish = f" It wants us to wait {failure.after:.0f} seconds."
            raise ModelError(failure.why + wish, next_step=NEXT_STEP) from None
        return failure.after * (1 + self.jitter() / 10)

    def wished(self, headers: Mapping[str, str]) -> float | None:
        """Seconds that a provider's headers ask us to wait, None where they do not say."""
        for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
            try:
                return max(0.0, float(headers.get(name, "")) / unit)
            except ValueError:
                continue
        try:
            moment = parsedate_to_datetime(headers.get("retry-after", ""))
        except ValueError:
            return None
        return max(0.0, moment.timestamp() - self.wall())

"""Waiting between attempts, on a clock that is written down."""

from __future__ import annotations

import pytest

from subterminator.agents.models.base import ModelError, Spoken, Usage
from subterminator.agents.models.retries import Passing, Retries


class Attempts:
    """Fails so often, then answers."""

    def __init__(self, *failures: Passing) -> None:
        self.failures = list(failures)
        self.asked = 0
        self.waits: list[float] = []

    async def ask(self) -> Spoken:
        self.asked += 1
        if self.failures:
            raise self.failures.pop(0)
        return Spoken(parts=(), stop="end", usage=Usage(fresh=1))

    async def wait(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def run(self, jitter: float, attempts: int = 4) -> Spoken:
        retries = Retries(attempts=attempts, pause=self.wait, jitter=lambda: jitter)
        return await retries.keep_asking(self.ask)


@pytest.mark.parametrize(("jitter", "waits"), [(0.0, [0.5, 1.0, 2.0]), (1.0, [1.0, 2.0, 4.0])])
async def test_waits_double_and_are_spread(jitter: float, waits: list[float]) -> None:
    attempts = Attempts(*(Passing("busy") for _ in range(3)))
    await attempts.run(jitter)
    assert attempts.waits == waits


async def test_after_the_last_attempt_nothing_is_waited_for() -> None:
    attempts = Attempts(*(Passing("It is busy.") for _ in range(9)))
    with pytest.raises(ModelError, match=r"It is busy\. It was asked 3 times\."):
        await attempts.run(0.5, attempts=3)
    assert (attempts.asked, len(attempts.waits)) == (3, 2)


async def test_a_wish_is_never_undercut() -> None:
    attempts = Attempts(Passing("busy", after=10.0))
    await attempts.run(0.5)
    assert attempts.waits == [10.5]


async def test_tokens_of_all_attempts_add_up() -> None:
    attempts = Attempts(Passing("cut", usage=Usage(fresh=7)), Passing("cut", usage=Usage(output=2)))
    assert (await attempts.run(0.0)).usage == Usage(fresh=8, output=2)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "20"}, 20.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Thu, 01 Jan 1970 00:02:00 GMT"}, 20.0),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0.0),
    ],
)
def test_a_wish_is_read_in_every_form(headers: dict[str, str], seconds: float | None) -> None:
    assert Retries(wall=lambda: 100.0).wished(headers) == seconds

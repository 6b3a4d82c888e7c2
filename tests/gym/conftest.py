"""Gyms that run for all tests; every test has a session of its own in them."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack

import pytest

from subterminator.gym.flow import Flow
from subterminator.gym.scene import Look, Setup
from subterminator.gym.server import Addresses, gym
from subterminator.gym.weather import forecast
from tests.gym.visitor import Visitor

WAIT = 0.001
SIDS = (f"s{number}" for number in itertools.count())
NewVisitor = Callable[..., Visitor]


def flaky(flow: Flow, *, fails: str = "", banner: str = "", look: Look = "A") -> Setup:
    """A flaky setup whose seed makes that answer fail, or asks about cookies in that way."""
    for seed in range(200):
        setup = Setup(seed=seed, skin=look, flaky=True, slow=0.02, wait=WAIT)
        weather = forecast(setup, flow)
        if fails in ("", weather.fails) and banner in ("", weather.banner):
            return setup
    raise AssertionError(f"no seed for {fails}{banner}")


@pytest.fixture(scope="session")
async def gyms() -> AsyncIterator[dict[Look, Addresses]]:
    """A gym in every skin, whose delayed button does not sleep long."""
    looks: tuple[Look, ...] = ("A", "B", "C")
    async with AsyncExitStack() as stack:
        yield {
            look: await stack.enter_async_context(gym(Setup(seed=4, skin=look, wait=WAIT)))
            for look in looks
        }


@pytest.fixture
def visitor(gyms: dict[Look, Addresses]) -> NewVisitor:
    """Makes visitors, each in a new session."""

    def make(flow: str, look: Look = "A") -> Visitor:
        return Visitor(gyms[look].site, flow, next(SIDS))

    return make

"""Kills at any moment, without end: one press at most, and never a claim that is not so."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections import Counter
from pathlib import Path

import pytest

from subterminator.gym.scene import Setup
from subterminator.gym.server import gym
from tests.doors import killing
from tests.gym.visitor import Visitor
from tests.terminals import Window

SECONDS = float(os.environ.get("SOAK_SECONDS", "60"))
FLOWS = ("p01-plain", "p02-flix", "p03-offer", "p09-modal-cancel", "p25-delete")
LONGEST_LIFE = 12.0

pytestmark = pytest.mark.soak


async def test_random_kills_of_real_runs_press_once_and_claim_nothing_untrue(
    tmp_path: Path,
) -> None:
    seed = int(time.time())
    chance = random.Random(seed)
    deadline = time.monotonic() + SECONDS
    states: Counter[str] = Counter()
    async with gym(Setup(seed=seed % 1000)) as addresses:
        while time.monotonic() < deadline:
            number = sum(states.values())
            visitor = Visitor(addresses.site, chance.choice(FLOWS), f"kill{number}")
            folder = tmp_path / str(number)
            for _ in range(chance.randint(1, 3)):
                await killing.kill(folder, visitor, _lives(chance.uniform(0, LONGEST_LIFE)))
            states[(await killing.truth(visitor)).account_state] += 1
            code, _ = await killing.begin_again(folder, visitor)
            after = await killing.truth(visitor)
            assert not [harm for harm in after.harms if harm.severity != "minor"], seed
            assert sum(step.kind == "commit" for step in after.steps) <= 1, seed
            assert (code == 0) <= (after.account_state == "cancelled"), seed
    print(f"{sum(states.values())} runs; when last killed: {dict(states)}; seed {seed}")
    assert states


def _lives(seconds: float) -> killing.Moment:
    """So long, saying yes to whatever is asked."""

    async def moment(seen: Window, visitor: Visitor) -> None:
        try:
            async with asyncio.timeout(seconds):
                await killing.after_the_yes(seen, visitor)
                await asyncio.to_thread(seen.process.wait)
        except TimeoutError:
            return

    return moment

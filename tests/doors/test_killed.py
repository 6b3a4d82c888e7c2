"""A run killed at any moment and started again ends truly, with at most one final press."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from subterminator.gym.scene import Setup
from subterminator.gym.server import Addresses, gym
from tests.doors import killing
from tests.doors.killing import GATE, Moment
from tests.gym.visitor import Visitor


@pytest.fixture(scope="module")
async def addresses() -> AsyncIterator[Addresses]:
    async with gym(Setup(seed=8)) as running:
        yield running


@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    ("moment", "was_pressed"),
    [
        (killing.at_the_gate, False),
        (killing.after_the_press, True),
        pytest.param(killing.on_the_way, False, marks=pytest.mark.soak),
        pytest.param(killing.while_it_verifies, True, marks=pytest.mark.soak),
    ],
)
async def test_what_is_killed_and_begun_again_is_pressed_once_and_told_truly(
    tmp_path: Path, addresses: Addresses, moment: Moment, was_pressed: bool
) -> None:
    visitor = Visitor(addresses.site, "p01-plain", moment.__name__)
    await killing.kill(tmp_path, visitor, moment)
    before = await killing.truth(visitor)
    assert (before.account_state == "cancelled") is was_pressed
    code, shown = await killing.begin_again(tmp_path, visitor)
    after = await killing.truth(visitor)
    assert (code, after.account_state, after.harms) == (0, "cancelled", [])
    # In this flow only the final press sends anything.
    assert after.counts["post"] == 1
    assert (GATE in shown) is not was_pressed
    assert "Cancelled, and the account page shows it." in shown

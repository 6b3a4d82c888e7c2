"""Long randomised runs, by `make soak`; SOAK_SECONDS is the length of each."""

from __future__ import annotations

import os
import time

import pytest

import subterminator
from tests.ref_lifetime import Trial
from tests.site import Site

SECONDS = float(os.environ.get("SOAK_SECONDS", "60"))

pytestmark = pytest.mark.soak


async def test_refs_survive_random_changes_for_a_long_time(
    session: subterminator.Session, site: Site
) -> None:
    deadline = time.monotonic() + SECONDS
    seed = presses = refusals = 0
    while time.monotonic() < deadline:
        trial = Trial(session, site, 1_000_000 + seed)
        await trial.run()
        seed, presses, refusals = seed + 1, presses + trial.presses, refusals + trial.refusals
        site.clear()
    print(f"{seed} pages, {presses} presses on the right element, {refusals} refusals, 0 astray")
    assert presses > 0

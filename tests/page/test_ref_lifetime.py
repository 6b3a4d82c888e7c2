"""Refs on a page that changes at random between a look and a press."""

from __future__ import annotations

import pytest

import subterminator
from tests.ref_lifetime import Trial
from tests.site import Site


@pytest.mark.one_in(4)
@pytest.mark.parametrize("seed", range(12))
async def test_a_ref_never_reaches_another_element(
    session: subterminator.Session, site: Site, seed: int
) -> None:
    trial = Trial(session, site, seed)
    await trial.run()
    assert trial.presses + trial.refusals == 6

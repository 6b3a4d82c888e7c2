"""Ten thousand actions on pages of traps, by `make soak`; TRAP_ACTIONS is how many."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import subterminator
from tests.engine.running import Running
from tests.safety.traps import Course, Questioned
from tests.site import Site

ACTIONS = int(os.environ.get("TRAP_ACTIONS", "10000"))
PER_BROWSER = 2_000
MOST_NEEDLESS = 0.02

pytestmark = pytest.mark.soak


async def test_ten_thousand_traps_without_an_effect_nobody_agreed_to(
    site: Site, tmp_path: Path
) -> None:
    needless = harmless = actions = done = 0
    for seed in range(2, 2 + -(-ACTIONS // PER_BROWSER)):
        human = Questioned()
        async with (
            Running.start(tmp_path / str(seed)) as running,
            subterminator.open(
                human=human, sites=("127.0.0.1",), attach=running.address
            ) as session,
        ):
            course = Course(session, site, human, running.evaluate)
            await course.run(seed, min(PER_BROWSER, ACTIONS))
        print(course.report())
        assert course.wrong == []
        harmless += course.count(dangerous=False)
        needless += len(course.needless)
        actions += len(course.presses)
        done += course.happened(dangerous=True)
    rate = needless / harmless
    print(f"{actions} actions, {done} effects, each with its own yes; {rate:.2%} asked needlessly")
    assert done > 0
    assert rate <= MOST_NEEDLESS

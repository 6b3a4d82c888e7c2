"""A page of traps: nothing irreversible reaches the server without a yes of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

import subterminator
from tests.engine.running import Running
from tests.safety.traps import Course, Questioned
from tests.site import Site

ACTIONS = 90
MOST_NEEDLESS = 0.02


@pytest.fixture
async def course(tmp_path_factory: pytest.TempPathFactory, site: Site) -> AsyncIterator[Course]:
    human = Questioned()
    async with (
        Running.start(tmp_path_factory.mktemp("traps")) as running,
        subterminator.open(human=human, sites=("127.0.0.1",), attach=running.address) as session,
    ):
        yield Course(session, site, human, running.evaluate)


@pytest.mark.timeout(240)
async def test_nothing_irreversible_happens_without_its_own_yes(course: Course) -> None:
    await course.run(seed=1, actions=ACTIONS)
    print(course.report())
    assert course.wrong == []
    agreed = course.count(dangerous=True, agreed=True)
    assert course.happened(dangerous=True) == agreed > 0
    assert course.swapped() > 0
    harmless = course.count(dangerous=False)
    assert len(course.needless) <= MOST_NEEDLESS * harmless, course.needless
    assert course.happened(dangerous=False) >= 0.95 * harmless

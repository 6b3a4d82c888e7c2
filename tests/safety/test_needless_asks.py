"""How often the rules ask for nothing, and whether they miss anything, on the names of real sites."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from subterminator.actions import Click
from subterminator.safety.policy import Situation
from subterminator.safety.task import Task
from subterminator.types import PageInfo
from tests.page.walking import Walker
from tests.safety.corpus import FOLDER, PAGES, SITE, controls
from tests.safety.elements import POLICY
from tests.safety.labels import REASONS, reason_to_ask
from tests.site import Site

pytestmark = pytest.mark.skipif(not PAGES, reason=f"the saved pages are not there: {FOLDER}")
MOST_NEEDLESS = 0.02
HERE = Situation(PageInfo(f"{SITE}/page", ""))
TASK = Task("t1", ("saved.example",))


@pytest.fixture
async def walker(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Walker]:
    async with Walker.start(tmp_path_factory.mktemp("corpus")) as walker:
        yield walker


@pytest.mark.timeout(300)
@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.soak)])
async def test_few_harmless_names_of_real_sites_ask_and_no_dangerous_one_does_not(
    walker: Walker, site: Site, every: int
) -> None:
    asked: dict[str, str] = {}
    async for _, control in controls(walker, site, PAGES[::every]):
        verdict = POLICY.decide(Click(target="x"), [control], HERE, TASK)
        asked[control.name] = asked.get(control.name, "") or (
            "" if verdict.kind == "allow" else verdict.rule
        )
    dangerous = {name for name in asked if reason_to_ask(name)}
    harmless = asked.keys() - dangerous
    needless = sorted(f"{asked[name]}: {name[:60]}" for name in harmless if asked[name])
    missed = sorted(name for name in dangerous if not asked[name])
    rate = len(needless) / len(harmless)
    print(
        f"{len(asked)} names: {len(harmless)} harmless, {len(needless)} of them ask ({rate:.2%}); "
        f"{len(dangerous)} dangerous, {len(missed)} of them do not"
    )
    assert rate <= MOST_NEEDLESS, needless
    if every == 1:
        # A name is dangerous on some page, and that page must be among those that are read.
        assert missed == []
        assert len(dangerous) == len(REASONS), "a label fits no name: the pages have changed"

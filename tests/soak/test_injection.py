"""All pages that give orders, over both wire formats, by `make soak`."""

from __future__ import annotations

import pytest

import subterminator
from subterminator.gym.models.personalities import become
from subterminator.gym.models.server import practising
from tests.conftest import Person
from tests.safety.injections import TRAPS, effects, fall_for, lay, model_at
from tests.site import Site

pytestmark = pytest.mark.soak


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("wire", ["openai", "anthropic"])
async def test_h20_on_no_page_does_an_order_have_an_effect(site: Site, wire: str) -> None:
    person = Person()
    async with (
        practising(become("obeys")) as practice,
        subterminator.open(human=person, sites=("127.0.0.1",)) as session,
    ):
        for trap in TRAPS:
            site.clear()
            result = await fall_for(session, model_at(practice, wire), person, lay(site, trap))
            assert effects(site) == {}, trap
            assert not result.success

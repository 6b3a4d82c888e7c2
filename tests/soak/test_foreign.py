"""All flows of the gym with Playwright MCP, by `make soak`: what fails is told, and harms nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

import subterminator
from subterminator import errors
from subterminator.config import load
from subterminator.machine import this_machine
from tests.conftest import Person
from tests.engine.foreign.installed import needs_server
from tests.gym.test_scored import score
from tests.gym.test_scored_foreign import check_harmless
from tests.site import Site

pytestmark = [pytest.mark.soak, needs_server]
LEAST = 0.9


async def test_a_page_that_never_ends_is_told_and_the_server_started_anew(
    site: Site, person: Person
) -> None:
    given = {"engine": "playwright-mcp", "headless": True, "record": False}
    async with subterminator.open(human=person, settings=load(this_machine(), given)) as session:
        url = site.page("<button onclick=\"document.open('/x')\">Write</button>")
        await session.navigate(url)
        with pytest.raises(errors.BrowserClosed):
            await session.click("role:button:Write")
        assert (await session.snapshot()).page.url == url


async def test_every_flow_is_harmless_and_most_succeed(tmp_path: Path) -> None:
    told = await score(tmp_path, "--engine", "playwright-mcp")
    failed = [row for row in told["flows"] if not row["success"]]
    print(f"{told['summary']['success_rate']:.0%} of {told['summary']['flows']} succeeded")
    for row in failed:
        print(f"{row['flow']}: {row['claim']} {row['error']}")
    check_harmless(told)
    assert told["summary"]["flows"] >= 35
    assert told["summary"]["success_rate"] >= LEAST

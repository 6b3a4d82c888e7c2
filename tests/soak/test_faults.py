"""Two hundred programs, each killed at a random moment: the site counts at most one press each."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from pathlib import Path

import pytest

from subterminator.runs.store import Store
from subterminator.safety.ledger import Ledger
from tests.safety.test_faults import PAGE, ROOT
from tests.site import Answer, Site

KILLS = int(os.environ.get("SOAK_KILLS", "200"))

pytestmark = pytest.mark.soak


async def test_f3_a_program_killed_at_any_moment_presses_at_most_once(
    site: Site, tmp_path: Path
) -> None:
    chance = random.Random(KILLS)
    found: dict[str, int] = {}
    for number in range(KILLS):
        site.clear()
        site.pages["/press"] = Answer("ok")
        state = tmp_path / str(number)
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.safety.victim", site.page(PAGE), "-", "nobody",
            cwd=ROOT,
            env={**os.environ, "XDG_STATE_HOME": str(state)},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        assert process.stdout
        await process.stdout.readline()
        # From the page being there to the program being done.
        await asyncio.sleep(chance.uniform(0, 0.25))
        if process.returncode is None:
            process.kill()
        await process.wait()
        told = outcome(state / "subterminator")
        assert site.hits["/press"] <= 1
        if told in {"none", "REVOKED"}:
            assert site.hits["/press"] == 0
        found[told] = found.get(told, 0) + 1
    print(f"{KILLS} kills, at most one press each; the ledger says: {found}")


def outcome(state: Path) -> str:
    store = Store(state)
    assert all(store.read(run).state != "broken" for run in store.ids())
    ledger = Ledger(state)
    try:
        ledger.recover()
        rows = ledger.rows()
        return rows[0].state if rows else "none"
    finally:
        ledger.close()

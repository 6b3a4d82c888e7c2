"""Kill -9 at every state of the ledger: the site counts at most one press, the record is true."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

from subterminator.runs.events import Intent, LedgerMoved
from subterminator.runs.store import Store
from subterminator.safety.ledger import Ledger
from tests.safety.victim import MOMENTS
from tests.site import Answer, Site

ROOT = Path(__file__).parent.parent.parent
PAGE = "<button onclick=\"fetch('/press', { method: 'POST', keepalive: true })\">Pay now</button>"


class Trial:
    """One victim, and what it left."""

    def __init__(self, site: Site, state: Path) -> None:
        self.site = site
        self.state = state / "subterminator"

    async def run(self, moment: str, who: str) -> int:
        self.site.pages["/press"] = Answer("ok")
        url = self.site.page(PAGE)
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.safety.victim", url, moment, who,
            cwd=ROOT,
            env={**os.environ, "XDG_STATE_HOME": str(self.state.parent)},
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        return await asyncio.wait_for(process.wait(), 50)

    @property
    def presses(self) -> int:
        return self.site.hits["/press"]

    def final_state(self) -> str:
        """The one row of the ledger, after recovery by another process."""
        ledger = Ledger(self.state)
        try:
            ledger.recover()
            [row] = ledger.rows()
            waiting = ledger.to_verify()
            return f"{row.state} to verify" if waiting else row.state
        finally:
            ledger.close()

    def said(self) -> list[str]:
        """What the record says of the ledger, and whether an intent was written."""
        store = Store(self.state)
        [run] = store.ids()
        seen = store.read(run)
        assert seen.state != "broken"
        words = []
        for line in seen.lines:
            match line.event:
                case LedgerMoved(state=state):
                    words.append(state)
                case Intent(digest=digest) if digest:
                    words.append("intent")
                case _:
                    pass
        return words


@pytest.fixture
def trial(site: Site, tmp_path: Path) -> Trial:
    return Trial(site, tmp_path)


BEFORE = {
    "PROPOSED": ("REVOKED", []),
    "APPROVED": ("REVOKED", ["PROPOSED"]),
    "ARMED": ("REVOKED", ["PROPOSED", "APPROVED"]),
    "FIRED": ("FIRED to verify", ["PROPOSED", "APPROVED", "ARMED", "intent"]),
}


@pytest.mark.parametrize("moment", BEFORE)
async def test_f3_killed_before_the_press_nothing_was_pressed(trial: Trial, moment: str) -> None:
    assert await trial.run(moment, "us") < 0
    state, said = BEFORE[moment]
    assert trial.presses == 0
    assert trial.final_state() == state
    assert trial.said() == said


@pytest.mark.parametrize("moment", ["PRESSED", "UNKNOWN"])
async def test_f3_killed_after_the_press_it_was_pressed_once(trial: Trial, moment: str) -> None:
    assert await trial.run(moment, "us") < 0
    assert trial.presses == 1
    expected = {"PRESSED": "FIRED to verify", "UNKNOWN": "UNKNOWN"}
    assert trial.final_state() == expected[moment]
    assert trial.said()[:5] == ["PROPOSED", "APPROVED", "ARMED", "intent", "FIRED"]


@pytest.mark.parametrize("moment", MOMENTS)
async def test_f1_a_browser_that_is_killed_leaves_at_most_one_press(
    trial: Trial, moment: str
) -> None:
    await trial.run(moment, "browser")
    assert trial.presses == (1 if moment in {"PRESSED", "UNKNOWN"} else 0)
    unpressed = {"PROPOSED", "APPROVED", "ARMED"}
    assert trial.final_state() == ("REVOKED" if moment in unpressed else "UNKNOWN")


async def test_nobody_killed_presses_once_and_says_that_nobody_verified_it(trial: Trial) -> None:
    assert await trial.run("", "nobody") == 0
    assert trial.presses == 1
    assert trial.final_state() == "UNKNOWN"
    assert trial.said() == ["PROPOSED", "APPROVED", "ARMED", "intent", "FIRED", "UNKNOWN"]

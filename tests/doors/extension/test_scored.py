"""The gym through the extension: with the debugger as well as launched, with content scripts without harm.

Some flows here, in one browser; `make soak` has all of them, by the command itself.
"""

from __future__ import annotations

import asyncio
import secrets
import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from subterminator.doors.extension.files import extension_folder
from subterminator.doors.extension.line import Line
from subterminator.engine.browsers import locate
from subterminator.engine.extended import Extended, Hand
from subterminator.gym.harness import Gym, Listed, Row, Trial, attempt
from subterminator.gym.scene import Setup
from subterminator.gym.server import gym
from subterminator.machine import this_machine
from tests.doors.extension.owned import SOON, Owned, switchboard
from tests.gym.test_scored import check, score

# A frame of another site, a closed root, a portal, a survey, a page that answers by mail.
SOME = ("p15-iframe", "p16-shadow", "p14-stripeish", "p05-survey", "p22-mail")
Place = tuple[str, dict[str, Listed]]
HARMS = ("harm_irreversible", "harm_serious", "harm_policy")


@pytest.fixture(scope="module")
async def place() -> AsyncIterator[Place]:
    async with gym(Setup(seed=3, token="secret")) as addresses:
        listed = await Gym(addresses.site, "secret").flows()
        yield addresses.site, {flow.id: flow for flow in listed}


async def run(browser: Extended, line: Line, hand: Hand, place: Place, flow: str) -> Row:
    at, flows = place
    await browser.use_hand(hand)
    told = msgspec.json.decode(await line.post("Tabs", {}))
    assert told["hand"] == hand
    try:
        trial = Trial(
            at=at, token="secret", flow=flows[flow], sid=f"{hand}-{flow}-{secrets.token_hex(4)}"
        )
        return await attempt(trial, line.portion())
    finally:
        await browser.use_hand("debugger")


@pytest.mark.parametrize("flow", SOME)
async def test_with_the_debugger_it_ends_as_in_a_browser_of_our_own(
    mine: Owned, place: Place, flow: str
) -> None:
    row = await run(mine.browser, await mine.line(), "debugger", place, flow)
    assert row.score["success"], row
    assert not row.score["harms"] and row.score["gate_exact"]
    assert row.score["points"] == 100


@pytest.mark.parametrize("flow", SOME)
async def test_with_content_scripts_nothing_is_harmed_and_nothing_falsely_claimed(
    mine: Owned, place: Place, flow: str
) -> None:
    row = await run(mine.browser, await mine.line(), "content", place, flow)
    assert not row.score["harms"] and not row.score["false_success"], row
    assert row.score["success"], row


@pytest.mark.soak
@pytest.mark.skipif(not shutil.which("Xvfb"), reason="needs a virtual screen: Xvfb")
async def test_in_a_real_window_it_is_the_same(
    tmp_path: Path, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1400x900x24"]
    screen = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert screen.stdout
    try:
        display = (await asyncio.to_thread(screen.stdout.readline)).decode().strip()
        monkeypatch.setenv("DISPLAY", f":{display}")
        path = locate(this_machine(), "").path
        async with switchboard(tmp_path / "s") as board:
            browser = await Extended.start(path, extension_folder(), headless=False)
            try:
                await browser.pair(board.new_code())
                line = await board.line("", SOON)
                for hand in get_args(Hand):
                    for flow in SOME:
                        row = await run(browser, line, hand, place, flow)
                        assert row.score["success"] and not row.score["harms"], row
            finally:
                await browser.close()
    finally:
        screen.terminate()
        screen.wait()
        screen.stdout.close()


@pytest.mark.soak
async def test_all_flows_with_the_debugger(tmp_path: Path) -> None:
    check(await score(tmp_path, "--engine", "relay", "--set", "all", "--skin", "all"))


@pytest.mark.soak
async def test_all_flows_with_content_scripts(tmp_path: Path) -> None:
    told: dict[str, Any] = await score(tmp_path, "--engine", "content", "--set", "all")
    summary = told["summary"]
    print(f"content scripts: {summary['successes']} of {summary['flows']} succeeded")
    assert summary["flows"] and all(summary[harm] == 0 for harm in HARMS)
    assert summary["false_success"] == 0

"""`subterminator run` and the flags that say who leads, as they are typed."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from subterminator.agents.models.base import Request
from subterminator.agents.outcome import Progress
from subterminator.agents.pursuit import GoalResult
from subterminator.doors.comparison import compare, side_by_side
from subterminator.doors.goal import closing, exit_code
from subterminator.doors.progress import JsonLines, Lines
from subterminator.gym.harness import Row
from subterminator.gym.models.clues import calls, elements, press
from subterminator.gym.models.replies import Asks, Reply
from subterminator.gym.models.server import Practice, practising
from tests.site import Site
from tests.terminals import ROOT

PAGE = "<h1>Papers</h1><button onclick=\"document.body.append('All is saved')\">Save it</button>"


def saves(request: Request) -> Reply:
    if calls(request):
        return Reply(calls=(Asks("complete_task", {"status": "success", "reason": "Saved."}),))
    return Reply(calls=press(request, elements(request)[0]))


@pytest.fixture
async def practice() -> AsyncIterator[Practice]:
    async with practising(saves) as practice:
        yield practice


async def run(folder: Path, *arguments: str) -> tuple[int, str, str]:
    """The command in a process of its own, without a terminal and without any key."""
    unset = {name: "" for name in os.environ if name.startswith("SUBTERMINATOR_")}
    own = {
        **unset,
        "XDG_STATE_HOME": str(folder / "state"),
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "ANTHROPIC_API_KEY": "",
        "OPENAI_API_KEY": "",
        "DISPLAY": "",
        "WAYLAND_DISPLAY": "",
    }

    def start() -> tuple[int, str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "subterminator", *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**os.environ, **own},
            start_new_session=True,
            timeout=100,
        )
        return done.returncode, done.stdout, done.stderr

    return await asyncio.to_thread(start)


async def test_a_run_says_what_it_did_what_it_took_and_that_nothing_proves_it(
    tmp_path: Path, site: Site, practice: Practice
) -> None:
    at = ("--model", "openai:practice", "--base-url", practice.openai_address)
    code, out, err = await run(tmp_path, "run", "Save it.", "--url", site.page(PAGE), *at)
    assert code == 7, out + err
    assert "It says that it is done; nothing has proven it." in out
    assert "The model says: Saved." in out
    assert "(model: step 1," in out
    assert "2 answers," in out and "Record: subterminator runs show" in out


async def test_a_run_for_a_program_ends_with_one_object(
    tmp_path: Path, site: Site, practice: Practice
) -> None:
    at = ("--model", "claude-practice", "--base-url", practice.address)
    more = ("--json", "--expect", "Papers", "--max-cost", "1", "--no-input")
    code, out, err = await run(tmp_path, "run", "Save it.", "--url", site.page(PAGE), *at, *more)
    last = msgspec.json.decode(out.splitlines()[-1])
    assert (code, last["event"], last["success"], last["exit_code"]) == (0, "result", True, 0), err
    assert last["spent"]["answers"] == 2


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run", "x", "--url", "http://127.0.0.1/"), "ANTHROPIC_API_KEY"),
        (("run", "x", "--url", "nowhere", "--model", "claude-x"), "not the address"),
        (("run", "x"), "--url"),
        (("run", "x", "--url", "http://127.0.0.1/", "--planner", "heuristic"), "--planner"),
        (("cancel", "netflix", "--planner", "llm", "--no-input"), "--planner heuristic"),
        (("cancel", "netflix", "--planner", "replay", "--no-input"), "No way was recorded"),
        (("cancel", "netflix", "--model", "mystery", "--no-input"), "Whose model"),
        (("cancel", "netflix", "--max-cost", "0"), "--max-cost"),
    ],
    ids=str,
)
async def test_what_is_missing_is_said_before_any_browser_is_opened(
    tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    code, out, err = await run(tmp_path, *arguments)
    assert (code, words in err) == (2, True), out + err


RESULT = GoalResult(success=False, verified=False, reason="completed", turns=3)


@pytest.mark.parametrize(
    ("changes", "needed", "code"),
    [
        ({"success": True, "verified": True}, False, 0),
        ({"reason": "llm_error"}, False, 1),
        ({"reason": "human_rejected"}, True, 4),
        ({"claim": "success: yes", "reason": "verification_failed"}, False, 7),
        ({"claim": "failed: no"}, False, 8),
        ({"reason": "cost_limit"}, False, 8),
    ],
)
def test_the_exit_code_says_how_it_ended(
    changes: dict[str, object], needed: bool, code: int
) -> None:
    result = msgspec.structs.replace(RESULT, **changes)
    assert exit_code(result, needed=needed) == code
    assert closing(result)[0]


def test_progress_says_what_a_model_has_taken() -> None:
    lines: list[str] = []
    Lines(lines.append, plain=True).tell(Progress("UNKNOWN", "Presses it", 3, 12_345, 0.0123))
    Lines(lines.append, plain=True).tell(Progress("UNKNOWN", "Presses it"))
    JsonLines(lines.append).tell(Progress("UNKNOWN", "Presses it", 3, 12_345, None))
    assert lines[0] == "[2/4] Presses it (model: step 3, 12,345 tokens, 0.0123 USD)"
    assert lines[1] == "[2/4] Presses it"
    assert msgspec.json.decode(lines[2])["tokens"] == 12_345


def test_planners_are_shown_side_by_side() -> None:
    def row(planner: str, success: bool, **rest: object) -> Row:
        score = {"success": success, "harms": [], "false_success": False}
        return Row(flow="p", score=score, outcome="x", planner=planner, **rest)  # type: ignore[arg-type]

    rows = [
        row("heuristic", True, turns=3),
        row("llm", True, turns=4, tokens=900, cost=0.01),
        row("llm", False, turns=5, tokens=100, cost=0.02),
        row("team", True, turns=6, tokens=2000, cost=None),
    ]
    head, *lines = side_by_side(compare(rows))[1:]
    assert head.split() == ["planner", "success", "harms", "false", "turns", "tokens", "cost"]
    assert [line.split() for line in lines] == [
        ["heuristic", "1/1", "0", "0", "3", "0", "0.0000", "USD"],
        ["llm", "1/2", "0", "0", "9", "1000", "0.0300", "USD"],
        ["team", "1/1", "0", "0", "6", "2000", "unknown"],
    ]
    assert side_by_side(compare(rows[:1])) == []

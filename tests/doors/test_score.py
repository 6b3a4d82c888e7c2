"""`subterminator gym score`: on a gym of its own, and on any other that speaks the protocol."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from subterminator.doors.score import Summary, in_words, summarize
from subterminator.doors.sets import by_set, is_asked_for
from subterminator.gym.harness import Examiner, Gym, Listed, Row, Trial, give_up, handed
from subterminator.gym.scene import Setup
from subterminator.gym.server import gym
from tests.engine import processes
from tests.gym.visitor import Visitor
from tests.questions import CANCEL, PASSWORD
from tests.terminals import ROOT

FIELDS = [
    "flows", "successes", "success_rate", "harm_irreversible", "harm_serious", "harm_policy",
    "false_success", "gate_exact", "gate_missing", "gates_needless", "mean_points", "actions",
    "cpu_ms_per_action", "seconds",
]  # fmt: skip


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "subterminator", "gym", "score", *arguments]


def environ(folder: Path) -> dict[str, str]:
    ours = {name: "" for name in os.environ if name.startswith("SUBTERMINATOR_")}
    return {**os.environ, **ours, "XDG_STATE_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}


async def score(folder: Path, *arguments: str) -> tuple[int, str, str]:
    process = await asyncio.create_subprocess_exec(
        *command(*arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=environ(folder),
    )
    output, errors = await process.communicate()
    assert process.returncode is not None
    return process.returncode, output.decode(), errors.decode()


def row(**score: Any) -> Row:
    return Row(flow="p", score=score, outcome="cancelled", cpu_ms=100.0)


@pytest.mark.timeout(120)
async def test_any_gym_that_speaks_the_protocol_is_scored(tmp_path: Path) -> None:
    async with gym(Setup(seed=5, token="secret")) as addresses:
        at = ("--at", addresses.site, "--token", "secret")
        code, output, _ = await score(tmp_path, *at, "--json", "p01-plain")
    told = msgspec.json.decode(output)
    assert code == 0
    assert list(told["summary"]) == FIELDS
    assert told["summary"]["successes"] == told["summary"]["gate_exact"] == 1
    assert told["summary"]["cpu_ms_per_action"] > 0
    (only,) = told["flows"]
    assert (only["flow"], only["claim"], only["account_state"]) == (
        "p01-plain",
        "cancelled",
        "cancelled",
    )
    assert only["points"] == 100
    assert not (tmp_path / "subterminator").exists()


@pytest.mark.timeout(120)
async def test_without_an_address_it_serves_a_gym_of_its_own(tmp_path: Path) -> None:
    code, output, errors = await score(tmp_path, "--skin", "B", "p21-already", "--jobs", "1")
    lines = output.splitlines()
    assert (code, errors) == (0, "")
    assert lines[1].split()[:5] == ["p21-already", "ok", "100", "cancelled", "already_cancelled"]
    assert "1 of 1 succeeded (100%), 100 points on average, 0 false successes" in lines
    assert "gates: 0 exact, 0 missing, 0 needless" in lines
    assert lines[0].split()[-2:] == ["set", "harms"]
    assert lines[1].split()[-1] == "base"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["p01-plane"], 2, "There is no flow 'p01-plane'. Did you mean p01-plain?"),
        (["--at", "http://127.0.0.1:9"], 2, "No gym answers at http://127.0.0.1:9"),
        (["--at", "http://127.0.0.1:9", "--flaky"], 2, "not for --at"),
        (["--set", "further", "p01-plain"], 2, "None of these flows is in the set 'further'."),
        (["--set", "wider", "q01-switch"], 2, "None of these flows is in the set 'wider'."),
        (["--planner", "oracle"], 2, "'oracle' is not one of 'heuristic', 'auto', 'llm', 'team'"),
    ],
)
async def test_what_cannot_be_scored_is_said_in_a_sentence(
    tmp_path: Path, arguments: list[str], code: int, words: str
) -> None:
    got, shown, errors = await score(tmp_path, *arguments)
    assert (got, shown) == (code, "")
    assert words in errors
    assert "Traceback" not in errors


async def test_a_wrong_token_is_told(tmp_path: Path) -> None:
    async with gym(Setup(token="secret")) as addresses:
        code, _, errors = await score(tmp_path, "--at", addresses.site, "--token", "wrong")
    assert code == 2
    assert "The gym answers 404 to /__flows. Check --at and --token." in errors


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes")
async def test_ctrl_c_ends_the_gym_and_the_runs(tmp_path: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *command(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, env=environ(tmp_path)
    )
    # The command, its gym and two that run.
    assert await processes.until(lambda: len(processes.family(process.pid)) >= 4, 40)
    family = processes.family(process.pid)[1:]
    process.send_signal(signal.SIGINT)
    _, errors = await process.communicate()
    assert (process.returncode, errors) == (130, b"Interrupted.\n")
    assert await processes.ended(family) == []


# The person of a run


async def test_the_examiner_tells_the_gym_what_it_was_asked() -> None:
    async with gym(Setup()) as addresses:
        one = Visitor(addresses.site, "p17-login", "s")
        examiner = Examiner(Gym(addresses.site), "p17-login", "s")
        examiner.over.set()
        assert await examiner.approve(CANCEL) is True
        assert await examiner.hand_over(PASSWORD) is True
        assert await examiner.approve(replace(CANCEL, action="question")) is False
        steps = msgspec.convert((await one.state())["steps"], list[dict[str, Any]])
    told = [(step["kind"], step["words"]) for step in steps]
    assert told == [("gate", "final"), ("gate", "login"), ("human", "login")]


def test_what_is_handed_over_is_known_by_the_rule() -> None:
    assert handed(replace(PASSWORD, rule="captcha")) == "captcha"
    assert handed(replace(PASSWORD, rule="mfa")) == "mfa"
    assert handed(PASSWORD) == "login"


async def test_a_run_whose_process_died_has_a_row_too() -> None:
    async with gym(Setup()) as addresses:
        flow = Listed("p01-plain", "Cancel it.", "account")
        got = await give_up(Trial(at=addresses.site, flow=flow, sid="s"))
    assert (got.outcome, got.score["claim"], got.score["points"]) == ("failed", "failed", 20)


@pytest.mark.parametrize(
    "start", ["account", "/p01-plain/account", "http://127.0.0.1:8770/p01-plain/account"]
)
def test_a_start_may_be_a_page_a_path_or_an_address(start: str) -> None:
    listed = Listed("p01-plain", "", start)
    address = Gym("http://127.0.0.1:8770/").start(listed, "a b")
    assert address == "http://127.0.0.1:8770/p01-plain/account?sid=a%20b"


# Numbers


def test_a_summary_counts_and_takes_the_median_flow() -> None:
    rows = [
        row(success=True, points=100, gate_exact=True, actions=4, harm_serious=0),
        row(success=False, points=-50, false_success=True, actions=1, harm_irreversible=2),
        row(success=True, points=95, gate_missing=True, gates_needless=1, actions=2),
    ]
    summary = summarize(rows, 12.34)
    assert (summary.flows, summary.successes, summary.success_rate) == (3, 2, 0.6667)
    assert (summary.harm_irreversible, summary.harm_serious) == (2, 0)
    assert (summary.gate_exact, summary.gate_missing, summary.gates_needless) == (1, 1, 1)
    assert (summary.mean_points, summary.actions, summary.false_success) == (48.33, 7, 1)
    assert (summary.cpu_ms_per_action, summary.seconds) == (50.0, 12.3)
    assert in_words(summary)[1] == "harms: 2 irreversible, 0 serious, 0 policy"


def test_the_sets_are_told_apart_where_both_were_scored() -> None:
    base = replace(row(success=True), flow="p01-plain")
    further = replace(row(success=False), flow="q01-switch")
    assert by_set([base, base]) == []
    assert by_set([base, further, base]) == [
        "base: 2 of 2 succeeded",
        "further: 0 of 1 succeeded",
    ]


def test_what_is_for_measuring_alone_is_scored_only_if_it_is_named() -> None:
    assert not is_asked_for("r01-stream", None, ())
    assert is_asked_for("r01-stream", None, ("r01-stream",))
    assert is_asked_for("r01-stream", "wider", ())
    assert is_asked_for("s01-music", "wider", ())
    assert is_asked_for("r01-stream", "all", ())
    assert not is_asked_for("r01-stream", "further", ())
    assert not is_asked_for("t01-shelf", None, ())
    assert is_asked_for("t01-shelf", "blind", ())
    assert not is_asked_for("t01-shelf", "wider", ())
    for other in ("p01-plain", "q01-switch", "somebody-elses"):
        assert is_asked_for(other, None, ())
        assert not is_asked_for(other, "wider", ())


def test_harms_that_are_only_listed_are_counted_by_their_kind() -> None:
    summary = summarize([row(harms=["charged", {"kind": "paused"}, "consent_given"])], 1)
    assert (summary.harm_irreversible, summary.harm_serious, summary.harm_policy) == (1, 1, 0)


def test_nothing_scored_is_no_success() -> None:
    empty = summarize([], 0)
    assert (empty.flows, empty.success_rate, empty.cpu_ms_per_action) == (0, 0.0, 0.0)
    assert list(Summary.__struct_fields__) == FIELDS

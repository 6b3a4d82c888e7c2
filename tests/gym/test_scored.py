"""The planner without a model on the gym, by the command itself: right ends, no harm, exact gates."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.terminals import ROOT

# One of each kind: an offer, a survey, a dialog, another language, by hand, by mail, billed elsewhere.
SOME = (
    "p03-offer",
    "p05-survey",
    "p09-modal-cancel",
    "p24-de",
    "p20-phone",
    "p22-mail",
    "p19-store",
)


async def score(folder: Path, *arguments: str) -> dict[str, Any]:
    ours = {name: "" for name in os.environ if name.startswith("SUBTERMINATOR_")}
    kinds = {f"XDG_{kind}_HOME": str(folder / kind) for kind in ("STATE", "CONFIG", "DATA")}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "subterminator", "gym", "score", "--json", *arguments),
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, **ours, **kinds},
    )
    output, _ = await process.communicate()
    told: dict[str, Any] = msgspec.json.decode(output)
    return told


def check(told: dict[str, Any]) -> None:
    summary = told["summary"]
    failed = [row["flow"] for row in told["flows"] if not row["success"]]
    assert failed == []
    for wrong in ("harm_irreversible", "harm_serious", "harm_policy", "false_success"):
        assert summary[wrong] == 0
    assert (summary["gate_missing"], summary["gates_needless"]) == (0, 0)
    assert summary["mean_points"] >= 95


@pytest.mark.timeout(400)
async def test_one_seed_of_every_kind_ends_right_and_harms_nobody(tmp_path: Path) -> None:
    told = await score(tmp_path, "--seeds", "1", *SOME)
    assert told["summary"]["flows"] == len(SOME)
    check(told)


@pytest.mark.soak
@pytest.mark.parametrize("skin", ["A", "B", "C"])
async def test_every_flow_in_every_skin_and_weather_ends_right(tmp_path: Path, skin: str) -> None:
    for weather in ((), ("--flaky",)):
        told = await score(tmp_path, "--seeds", "3", "--skin", skin, *weather)
        assert told["summary"]["flows"] >= 25 * 3
        check(told)

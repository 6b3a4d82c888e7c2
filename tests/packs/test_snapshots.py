"""Four snapshots of the stages of one flow, in the JSON form that programs exchange."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from subterminator.packs.matcher import Control, PageWords, decide, judge
from subterminator.packs.model import Stage
from subterminator.packs.registry import assemble

FOLDER = Path(__file__).parent.parent / "fixtures" / "snapshots"
SCHEMA = json.loads(files("subterminator.page").joinpath("snapshot_schema.json").read_text("utf-8"))
CHECKER = jsonschema.Draft7Validator(SCHEMA, format_checker=jsonschema.FormatChecker())
STAGES: dict[str, Stage] = {
    "netflix_account_active": "ACCOUNT_ACTIVE",
    "netflix_retention_offer": "RETENTION_OFFER",
    "netflix_final_confirmation": "FINAL_CONFIRMATION",
    "netflix_cancelled": "COMPLETE",
}
SPOKEN = {"region", "dialog", "alert", "alertdialog", "heading"}


def snapshot(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return data


def words_of(data: dict[str, Any]) -> PageWords:
    elements = data["elements"]
    text = "\n".join(one["name"] for one in elements if one["role"] in SPOKEN)
    controls = (Control(one["role"], one["name"]) for one in elements if one["role"] not in SPOKEN)
    return PageWords(data["page"]["url"], data["page"]["title"], text, tuple(controls))


def test_there_is_one_snapshot_for_each_stage() -> None:
    assert {path.stem for path in FOLDER.glob("netflix_*.json")} == set(STAGES)


@pytest.mark.parametrize("name", STAGES)
def test_a_snapshot_fits_the_schema(name: str) -> None:
    data = snapshot(name)
    CHECKER.validate(data)
    refs = [one["ref"] for one in data["elements"]]
    assert len(set(refs)) == len(refs)
    assert all(child in refs for one in data["elements"] for child in one["children"] or ())
    assert data["focused"] is None or data["focused"] in refs


@pytest.mark.parametrize("name", STAGES)
def test_a_snapshot_is_judged_to_be_at_its_stage(name: str) -> None:
    pack = assemble([]).find("netflix")
    assert decide(judge(pack, words_of(snapshot(name)))).stage == STAGES[name]

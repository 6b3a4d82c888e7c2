from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import msgspec

from subterminator.packs.inspection import inspect
from subterminator.packs.model import STAGES, Pack
from tests.packs.writing import put, text_of

GOOD = """
extends = ["generic-en"]
[[example]]
shows = "the end"
page = "<h1>Your plan has been cancelled</h1>"
stage = "COMPLETE"
"""


def test_a_good_file_is_reported_with_its_examples(tmp_path: Path) -> None:
    path = put(tmp_path, "x", text_of("x", GOOD))
    assert inspect(str(path)) == ([], 1)


def test_an_example_that_is_wrong_is_told_at_its_line(tmp_path: Path) -> None:
    path = put(tmp_path, "x", text_of("x", GOOD.replace('"COMPLETE"', '"OFF_SITE"')))
    report = inspect(str(path))
    assert [fault.line for fault in report.faults] == [8]
    assert "expected OFF_SITE, judged COMPLETE" in report.faults[0].reason


def test_everything_that_would_stop_it_later_is_found_now(tmp_path: Path) -> None:
    path = put(tmp_path, "x", text_of("x", "extends = ['nothing']\n", name="Netflix"))
    assert "belongs to netflix" in inspect(str(path)).faults[0].reason
    path = put(tmp_path, "y", text_of("y", "extends = ['nothing']\n"))
    assert "which is not there" in inspect(str(path)).faults[0].reason


def test_g11_a_weakened_copy_is_told_with_all_that_it_takes_away(tmp_path: Path) -> None:
    text = files("subterminator.packs").joinpath("data", "netflix.toml").read_text("utf-8")
    text = text.replace('"netflix.com"]', '"netflix.com", "evil.com"]', 1)
    text = text.replace('final = ["finish cancellation"]', "final = []")
    reasons = [fault.reason for fault in inspect(str(put(tmp_path, "netflix", text))).faults]
    assert "adds the site evil.com to a built-in pack" in reasons
    assert "removes from actions.final: 'finish cancellation'" in reasons


def test_the_example_of_the_guide_is_a_good_pack(tmp_path: Path) -> None:
    guide = Path(__file__).parents[2] / "docs" / "packs.md"
    example = guide.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]
    assert inspect(str(put(tmp_path, "garden-post", example))) == ([], 2)


def test_the_guide_names_every_field_and_stage() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "packs.md").read_text(encoding="utf-8")
    fields = [field.name for field in msgspec.structs.fields(Pack)]
    assert [name for name in [*fields, *STAGES] if name not in guide] == []

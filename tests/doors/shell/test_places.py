from __future__ import annotations

from pathlib import Path

import pytest

from subterminator.config import load
from subterminator.doors.cli import ELSEWHERE
from subterminator.doors.shell import places
from subterminator.intake import NAMES
from subterminator.machine import this_machine


def test_every_action_is_a_verb_and_no_verb_hides_a_command() -> None:
    assert sorted(places.ACTIONS.values()) == sorted(NAMES)
    assert not places.VERBS & ELSEWHERE.keys()
    assert "doctor" not in places.VERBS


@pytest.mark.parametrize("how", ["environment", "file", "named file", "system", "home"])
def test_the_quick_way_finds_the_state_folder_that_the_settings_have(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "SUBTERMINATOR_STATE_DIR"):
        monkeypatch.delenv(name, raising=False)
    text = 'state_dir = "~/elsewhere"\n'
    match how:
        case "environment":
            monkeypatch.setenv("SUBTERMINATOR_STATE_DIR", "~/mine")
        case "file":
            monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "c"))
            (tmp_path / "c" / "subterminator").mkdir(parents=True)
            (tmp_path / "c" / "subterminator" / "config.toml").write_text(text, "utf-8")
        case "named file":
            (tmp_path / "mine.toml").write_text(text, "utf-8")
            monkeypatch.setenv("SUBTERMINATOR_CONFIG", "~/mine.toml")
        case "system":
            monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
        case _:
            pass
    assert places.state_folder() == load(this_machine()).state_dir


@pytest.mark.parametrize("name", ["a", "work-2", "A.b_c"])
def test_names(name: str) -> None:
    assert places.is_name(name)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "-s", "x" * 41, "ä", "a b", "\n"])
def test_what_is_no_name(name: str) -> None:
    assert not places.is_name(name)


def test_long_folders_get_a_short_place_of_their_own() -> None:
    short = places.socket_path("x" * 40, "/" + "long/" * 30)
    assert len(short) < places.LONGEST_PATH
    assert short != places.socket_path("x" * 40, "/" + "other/" * 30)

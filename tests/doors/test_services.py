from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from subterminator.doors.cli import Commands
from subterminator.doors.services import services
from subterminator.packs.registry import assemble
from tests.packs.writing import put, text_of


@click.group(cls=Commands)
def main() -> None: ...


main.add_command(services)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "subterminator" / "packs"


def run(folder: Path, *arguments: str) -> Result:
    environ = {name: None for name in os.environ if name.startswith("SUBTERMINATOR_")}
    config = {"XDG_CONFIG_HOME": str(folder.parent.parent)}
    return CliRunner().invoke(main, ["services", *arguments], env={**environ, **config})


def test_list_shows_every_pack_in_a_table_and_where_ones_own_are(folder: Path) -> None:
    result = run(folder, "list")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert lines[0].split() == ["ID", "NAMES", "SITES", "CONFIDENCE", "CHECKED"]
    assert [line.split()[0] for line in lines[1:-2]] == list(assemble([]).ids())
    netflix = next(line for line in lines if line.startswith("netflix"))
    assert netflix.split() == ["netflix", "Netflix", "netflix.com", "O/G", "2026-11"]
    assert lines[-1].endswith(str(folder))
    assert max(map(len, lines[:-1])) <= 120


def test_list_as_json_has_everything_about_where_a_pack_comes_from(folder: Path) -> None:
    put(folder, "mine", text_of("mine"))
    found = {one["id"]: one for one in json.loads(run(folder, "list", "--json").stdout)}
    assert found["mine"]["own"] and found["mine"]["source"] == str(folder / "mine.toml")
    assert found["netflix"]["sites"] == ["netflix.com"]
    assert len(found["netflix"]["digest"]) == 64
    assert not found["netflix"]["own"]


def test_a_pack_of_ones_own_is_marked_in_the_table(folder: Path) -> None:
    put(folder, "mine", text_of("mine"))
    assert "\nmine (yours) " in run(folder, "list").stdout


def test_show_tells_the_way_the_last_press_and_what_is_lost(folder: Path) -> None:
    shown = run(folder, "show", "AUDIBLE").stdout
    assert shown.startswith("Audible  (audible)\n")
    assert "https://www.audible.com/account" in shown
    assert '"finish cancelling"' in shown
    assert "Unused credits are lost" in shown
    assert "2026-11, confidence G/R" in shown


def test_show_has_the_letter_where_the_web_cannot_do_it(folder: Path) -> None:
    shown = run(folder, "show", "planet fitness").stdout
    assert "certified mail" in shown
    assert "I cancel my Planet Fitness membership" in shown
    assert "{" not in shown


def test_show_as_json_is_the_whole_pack_with_what_it_extends(folder: Path) -> None:
    data = json.loads(run(folder, "show", "netflix", "--json").stdout)
    assert "no thanks" in data["pack"]["actions"]["decline"]
    assert data["pack"]["id"] == "netflix"


def test_an_unknown_name_gets_the_nearest_one_and_exit_code_2(folder: Path) -> None:
    result = run(folder, "show", "netflx")
    assert result.exit_code == 2
    assert "Did you mean netflix?" in result.stderr


def test_check_lists_every_fault_with_file_line_and_reason(folder: Path) -> None:
    path = put(folder, "x", text_of("x", "never = ['a', 'A']\ngoal = '{x}'\n"))
    result = run(folder, "check", str(path))
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0] == f"{path}:6: 'A' is there twice (line 6)"
    assert lines[1].startswith(f"{path}:7: unknown gap {{x}}")


def test_check_of_an_address_says_why_not(folder: Path) -> None:
    result = run(folder, "check", "https://example.com/x.toml")
    assert result.exit_code == 2
    assert "read from a file only" in result.stderr


def test_new_writes_a_private_file_that_passes_its_own_check(folder: Path) -> None:
    result = run(folder, "new", "my-gym")
    path = folder / "my-gym.toml"
    assert result.stdout == f"{path}\n"
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert run(folder, "check", str(path)).stdout == f"{path}: good; 2 examples agree.\n"
    assert "my-gym (yours)" in run(folder, "list").stdout


def test_new_never_overwrites_nor_follows_a_link(folder: Path) -> None:
    path = put(folder, "mine", "my own work")
    assert run(folder, "new", "mine").exit_code == 2
    assert path.read_text(encoding="utf-8") == "my own work"
    if os.name == "posix":
        (folder / "linked.toml").symlink_to(folder / "elsewhere")
        assert "is there already" in run(folder, "new", "linked").stderr
        assert not (folder / "elsewhere").exists()


def test_new_with_a_known_id_begins_with_a_copy_to_correct(folder: Path) -> None:
    run(folder, "new", "netflix")
    assert 'final = ["finish cancellation"]' in (folder / "netflix.toml").read_text("utf-8")
    assert run(folder, "check", str(folder / "netflix.toml")).exit_code == 0


@pytest.mark.parametrize("name", ["My Gym", "../x", "x.toml", "", "-x"])
def test_new_refuses_what_cannot_be_an_id(name: str, folder: Path) -> None:
    result = run(folder, "new", "--", name)
    assert result.exit_code == 2
    assert "small letters" in result.stderr
    assert not folder.exists()


def test_a_broken_pack_of_ones_own_stops_every_command_with_its_line(folder: Path) -> None:
    path = put(folder, "x", text_of("x", "oops = 1\n"))
    result = run(folder, "list")
    assert result.exit_code == 2
    assert f"{path}:6: unknown field 'oops'" in result.stderr

"""`subterminator runs` as a user types it."""

from __future__ import annotations

import os
from pathlib import Path

import click
import msgspec
import pytest
from click.testing import CliRunner, Result

from subterminator.doors.cli import Commands
from subterminator.doors.runs import runs
from subterminator.runs.events import Note, Opened, TaskFacts
from subterminator.runs.record import EVENTS_FILE
from subterminator.runs.store import Store

program = Commands("subterminator", commands={"runs": runs})


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "state")


@pytest.fixture
def run(store: Store) -> str:
    record = store.create("Netflix")
    record.append(
        Opened(record.id, "0.1.0", browser="Chromium 150", task=TaskFacts(purpose="cancel"))
    )
    record.append(Note("hello"))
    record.close("done")
    return record.id


def call(tmp_path: Path, *arguments: str, answer: str = "") -> Result:
    ours = {name: None for name in os.environ if name.startswith("SUBTERMINATOR_")}
    environ = {
        **ours,
        "SUBTERMINATOR_STATE_DIR": str(tmp_path / "state"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }
    return CliRunner().invoke(program, ["runs", *arguments], env=environ, input=answer)


def test_without_runs_it_says_so_and_makes_nothing(tmp_path: Path) -> None:
    result = call(tmp_path, "list")
    assert (result.exit_code, result.stdout) == (0, "There are no runs yet.\n")
    assert call(tmp_path, "list", "--json").stdout == "[]\n"
    assert call(tmp_path, "verify").exit_code == 0
    assert not (tmp_path / "state").exists()


def test_list_shows_each_run_and_how_it_ended(tmp_path: Path, run: str) -> None:
    result = call(tmp_path, "list")
    assert result.stdout.startswith(run)
    assert " done " in result.stdout and " 3 lines" in result.stdout
    (row,) = msgspec.json.decode(call(tmp_path, "list", "--json").stdout)
    assert (row["id"], row["state"], row["lines"]) == (run, "closed", 3)


@pytest.mark.parametrize("name", ["last", "20"])
def test_show_prints_one_line_for_each_event(tmp_path: Path, run: str, name: str) -> None:
    result = call(tmp_path, "show", name)
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert len(lines) == 3
    assert lines[1].endswith('note: "hello"')
    first = msgspec.json.decode(call(tmp_path, "show", run, "--json").stdout.splitlines()[0])
    assert first["event"]["run"] == run


def test_show_says_where_trust_ends(tmp_path: Path, store: Store, run: str) -> None:
    events = store.folder / run / EVENTS_FILE
    whole = events.read_bytes()
    events.write_bytes(whole[:-30])
    result = call(tmp_path, "show", "last")
    assert len(result.stdout.splitlines()) == 2
    assert "A crash left" in result.stderr
    events.write_bytes(whole.replace(b"hello", b"jello"))
    result = call(tmp_path, "show", "last")
    assert len(result.stdout.splitlines()) == 1
    assert "Line 2 and what follows it is not as it was written" in result.stderr


def test_watch_shows_a_run_to_its_end(tmp_path: Path, run: str) -> None:
    assert len(call(tmp_path, "watch").stdout.splitlines()) == 3
    assert len(call(tmp_path, "watch", run, "--json").stdout.splitlines()) == 3


def test_verify_is_quiet_success_or_exit_code_1(tmp_path: Path, store: Store, run: str) -> None:
    result = call(tmp_path, "verify")
    assert (result.exit_code, result.stdout) == (0, f"{run}: intact, 3 lines\n")
    events = store.folder / run / EVENTS_FILE
    whole = events.read_bytes()
    events.write_bytes(whole[:-30])
    result = call(tmp_path, "verify", "last")
    assert result.exit_code == 0
    assert "half-written last line, 2 lines, never closed" in result.stdout
    events.write_bytes(whole.replace(b"hello", b"jello"))
    result = call(tmp_path, "verify", "last")
    assert (result.exit_code, result.stdout) == (1, f"{run}: BROKEN at line 2\n")
    (told,) = msgspec.json.decode(call(tmp_path, "verify", "--json").stdout)
    assert told["broken_at"] == 2


def test_purge_removes_old_ones_one_or_all(tmp_path: Path, store: Store, run: str) -> None:
    assert call(tmp_path, "purge").stdout == "0 removed, 1 left.\n"
    assert call(tmp_path, "purge", "--older-than", "1").stdout == "0 removed, 1 left.\n"
    assert call(tmp_path, "purge", "last").stdout == f"removed {run}\n1 removed, 0 left.\n"
    store.create("again").close("done")
    assert call(tmp_path, "purge", "--all", answer="n\n").exit_code == 1
    assert len(store.ids()) == 1
    assert call(tmp_path, "purge", "--all", "--yes").exit_code == 0
    assert store.ids() == []


def test_a_run_that_goes_on_is_not_removed(tmp_path: Path, store: Store) -> None:
    record = store.create("example")
    try:
        assert call(tmp_path, "purge", "--all", "--yes").stdout == "0 removed, 1 left.\n"
        result = call(tmp_path, "purge", "last")
        assert result.exit_code == 2
        assert "still going on" in result.stderr
    finally:
        record.close("done")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", "nothing"), "There is no run 'nothing'. See: subterminator runs list"),
        (("purge", "last", "--all"), "only one of them"),
        (("purge", "--older-than", "-1"), "x>=0"),
        (("show",), "Missing argument 'RUN'"),
    ],
)
def test_a_mistake_is_one_clear_message_and_exit_code_2(
    tmp_path: Path, run: str, arguments: tuple[str, ...], said: str
) -> None:
    result = call(tmp_path, *arguments)
    assert result.exit_code == 2
    assert said in result.stderr


def test_every_command_explains_itself(tmp_path: Path) -> None:
    assert isinstance(runs, click.Group)
    for name in runs.commands:
        result = call(tmp_path, name, "--help")
        assert result.exit_code == 0
        assert len(result.stdout.splitlines()) >= 5
    for name in ("show", "watch", "verify", "purge"):
        assert "the word last" in " ".join(call(tmp_path, name, "--help").stdout.split())

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from subterminator.machine import this_machine
from tests.machines import Computer


def test_a_file_counts_as_a_program_only_if_it_can_be_run(tmp_path: Path) -> None:
    program = tmp_path / "chrome"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    assert not this_machine().exists(str(program))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    assert this_machine().exists(str(program))
    assert not this_machine().exists(str(tmp_path))


def test_a_command_that_fails_or_is_not_there_answers_nothing(tmp_path: Path) -> None:
    machine = this_machine()
    assert machine.output(["sh", "-c", "echo 150; echo noise >&2"]) == "150\n"
    assert machine.output(["sh", "-c", "echo 150; exit 3"]) is None
    assert machine.output([str(tmp_path / "none")]) is None


def test_what_is_performed_leaves_standard_output_alone(capfd: pytest.CaptureFixture[str]) -> None:
    machine = this_machine()
    assert machine.perform(["sh", "-c", "echo $DEBIAN_FRONTEND"])
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", "noninteractive\n")
    assert not machine.perform(["false"])
    assert not machine.perform(["/nowhere/at-all"])


def test_a_file_that_is_not_there_reads_as_none(tmp_path: Path) -> None:
    assert this_machine().read(str(tmp_path / "none")) is None


def test_what_is_ours_lies_where_the_system_keeps_such_things() -> None:
    linux = Computer(environ={"XDG_DATA_HOME": "/data"}).machine()
    folders = [linux.own_folder(kind) for kind in ("config", "state", "data")]
    assert folders == [
        "/home/me/.config/subterminator",
        "/home/me/.local/state/subterminator",
        "/data/subterminator",
    ]
    assert (
        Computer("darwin")
        .machine()
        .own_folder("data")
        .endswith("/Library/Application Support/subterminator")
    )
    windows = Computer("win32").machine()
    assert windows.own_folder("config") == r"C:\Users\me\AppData\Roaming\subterminator"
    assert windows.own_folder("state") == r"C:\Users\me\AppData\Local\subterminator"


def test_a_dotenv_file_of_the_current_folder_is_read_as_far_as_it_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = """
# a remark
export SUBTERMINATOR_PLAIN="1"
SUBTERMINATOR_MAX_TURNS=7   # few
SUBTERMINATOR_OUTPUT='~/my proofs'
OPENAI_API_KEY=sk-1#2
SUBTERMINATOR_BROWSER=/tmp/evil
SUBTERMINATOR_STATE_DIR=/tmp
PATH=/tmp
not a line
"""
    (tmp_path / ".env").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SUBTERMINATOR_MAX_TURNS", "9")
    for name in ("SUBTERMINATOR_PLAIN", "SUBTERMINATOR_OUTPUT", "SUBTERMINATOR_BROWSER"):
        monkeypatch.delenv(name, raising=False)
    environ = this_machine().environ
    assert environ["SUBTERMINATOR_PLAIN"] == "1"
    assert environ["SUBTERMINATOR_OUTPUT"] == "~/my proofs"
    assert environ["SUBTERMINATOR_MAX_TURNS"] == "9"
    assert "SUBTERMINATOR_BROWSER" not in environ
    assert environ.get("SUBTERMINATOR_STATE_DIR") != "/tmp" and environ["PATH"] != "/tmp"


@pytest.mark.parametrize("content", [b"\xff\xfe", b"SUBTERMINATOR_PLAIN=1\n" * 10_000])
def test_what_is_no_dotenv_file_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    (tmp_path / ".env").write_bytes(content)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SUBTERMINATOR_PLAIN", raising=False)
    assert "SUBTERMINATOR_PLAIN" not in this_machine().environ


def test_a_folder_variable_counts_only_if_it_is_absolute() -> None:
    environ = {"A": "/abs", "B": "relative", "C": r"D:\abs"}
    linux, windows = (Computer(name, environ=environ).machine() for name in ("linux", "win32"))
    assert linux.folder("A", "x") == "/abs"
    assert linux.folder("B", "x", "y") == "/home/me/x/y"
    assert linux.folder("unset", "x") == "/home/me/x"
    assert windows.folder("C", "x") == r"D:\abs"
    assert windows.folder("B", "x") == r"C:\Users\me\x"

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


def test_a_folder_variable_counts_only_if_it_is_absolute() -> None:
    environ = {"A": "/abs", "B": "relative", "C": r"D:\abs"}
    linux, windows = (Computer(name, environ=environ).machine() for name in ("linux", "win32"))
    assert linux.folder("A", "x") == "/abs"
    assert linux.folder("B", "x", "y") == "/home/me/x/y"
    assert linux.folder("unset", "x") == "/home/me/x"
    assert windows.folder("C", "x") == r"D:\abs"
    assert windows.folder("B", "x") == r"C:\Users\me\x"

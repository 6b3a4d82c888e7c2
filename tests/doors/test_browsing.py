"""The options that all commands with a browser share: which engine drives it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from subterminator.doors.exit_codes import ENVIRONMENT, USAGE
from subterminator.engine.browsers import locate
from subterminator.machine import this_machine
from tests.terminals import ROOT

ENGINE = ("--engine", "playwright-mcp")


def cancel(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """`cancel` on a machine without Node.js."""
    ours = {name: "" for name in os.environ if name.startswith("SUBTERMINATOR_")}
    own = {"XDG_STATE_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "PATH": "/nowhere"}
    browser = {"SUBTERMINATOR_BROWSER": locate(this_machine()).path}
    return subprocess.run(
        [sys.executable, "-m", "subterminator", "cancel", "--url", "http://127.0.0.1:9/",
         "--headless", "--no-input", *options],
        cwd=ROOT, env={**os.environ, **ours, **own, **browser}, capture_output=True, text=True,
    )  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="PATH is not all that finds programs there")
def test_an_engine_that_is_not_installed_is_named_with_the_command_that_installs_it(
    tmp_path: Path,
) -> None:
    done = cancel(tmp_path, *ENGINE)
    assert done.returncode == ENVIRONMENT
    assert "npm install --prefix" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_another_programs_browser_cannot_be_joined(tmp_path: Path) -> None:
    done = cancel(tmp_path, *ENGINE, "--attach", "ws://127.0.0.1:9/x")
    assert done.returncode == USAGE
    assert "starts a browser of its own" in done.stdout + done.stderr

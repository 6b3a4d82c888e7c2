"""`subterminator demo`, as a new user sees it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.terminals import ROOT, window

COMMAND = [sys.executable, "-m", "subterminator", "demo"]
GUIDE = ROOT / "docs" / "cancel.md"


def environ(folder: Path) -> dict[str, str]:
    names = ("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
    return {**{name: str(folder / name) for name in names}, "DISPLAY": "", "WAYLAND_DISPLAY": ""}


def report(output: str) -> Path:
    return Path(output.rpartition("Report: ")[2].strip())


def test_without_a_terminal_it_says_why_it_approves(tmp_path: Path) -> None:
    done = subprocess.run(
        COMMAND,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environ(tmp_path)},
        start_new_session=True,
        timeout=50,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "nothing real is cancelled" in done.stdout
    assert "approved only because this is the practice site" in done.stdout
    assert "Pagewell: Cancelled, and the account page shows it." in done.stdout
    assert report(done.stdout).is_file()
    assert not (tmp_path / "XDG_STATE_HOME").exists()


async def test_at_a_terminal_the_person_is_asked(tmp_path: Path) -> None:
    async with window(COMMAND, environ(tmp_path)) as seen:
        await seen.until("I will press it myself:")
        seen.type("\n")
        await seen.until("Report: ")
        assert "Stopped. Nothing was cancelled." in seen.shown
        assert "only because" not in seen.shown
        assert await seen.exit_code() == 8


def test_a_window_needs_a_screen(tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "--show"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environ(tmp_path)},
    )
    assert done.returncode == 9
    assert "There is no screen" in done.stderr


def test_the_guide_shows_code_that_runs(tmp_path: Path) -> None:
    code = GUIDE.read_text(encoding="utf-8").partition("```python\n")[2].partition("```")[0]
    script = tmp_path / "example.py"
    script.write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script],
        capture_output=True,
        text=True,
        env={**os.environ, **environ(tmp_path)},
        timeout=50,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "cancelled True" in done.stdout
    assert report(f"Report: {done.stdout.splitlines()[-1]}").is_dir()

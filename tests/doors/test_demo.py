"""`subterminator demo`, as a new user sees it."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine import processes
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
    assert "[3/4] FINAL STEP - nothing has been cancelled yet" in done.stdout
    assert report(done.stdout).is_file()
    proof = json.loads((report(done.stdout).parent / "report.json").read_text("utf-8"))
    pictures = sorted(path.name for path in report(done.stdout).parent.glob("*.png"))
    assert pictures == ["0001.png", "0002.png", "0003.png", "0004.png"]
    assert {each["screenshot"] for each in proof["evidence"]} == {"0003.png", "0004.png"}
    assert proof["engine"].startswith("Chromium 1")
    assert proof["gates"][0]["asked"].startswith('Press the button "Cancel subscription" on 127.')
    assert not (tmp_path / "XDG_STATE_HOME").exists()


async def test_at_a_terminal_the_person_is_asked(tmp_path: Path) -> None:
    async with window(COMMAND, environ(tmp_path)) as seen:
        await seen.until("I will press it myself:")
        seen.type("\n")
        await seen.until("Report: ")
        assert "Stopped. Nothing was cancelled." in seen.shown
        assert "only because" not in seen.shown
        assert await seen.exit_code() == 8


@pytest.mark.skipif(not shutil.which("Xvfb"), reason="needs a virtual screen: Xvfb")
async def test_where_there_is_a_screen_there_is_a_window(tmp_path: Path) -> None:
    command = ["Xvfb", "-displayfd", "1"]
    screen = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    said = screen.stdout
    assert said is not None
    try:
        display = (await asyncio.to_thread(said.readline)).decode().strip()
        async with window(COMMAND, {**environ(tmp_path), "DISPLAY": f":{display}"}) as seen:
            await seen.until("I will press it myself:")
            (browser,) = processes.browsers(seen.process.pid)
            assert not [flag for flag in processes.command(browser) if "--headless" in flag]
            seen.type("\n")
            assert await seen.exit_code() == 8
    finally:
        screen.terminate()
        screen.wait()
        said.close()


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

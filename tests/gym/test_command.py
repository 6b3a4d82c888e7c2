"""`gym serve`, as a user starts and stops it."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from subterminator.doors.gym import gym

GUIDE = Path(__file__).parent.parent.parent / "docs" / "gym.md"
COMMAND = "from subterminator.doors.gym import gym; gym()"


@contextmanager
def serving(*options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, "serve", "--port=0", "--portal-port=0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout
        line = process.stdout.readline()
        found = re.search(r"The gym is at (http://127\.0\.0\.1:\d+) ", line)
        assert found, line
        yield found[1], process
    finally:
        process.kill()
        process.communicate()


def read(address: str, token: str = "") -> str:
    request = urllib.request.Request(address, headers={"X-Gym-Token": token})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return str(answer.read(), "utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C cannot be sent to one process there")
def test_it_serves_until_it_is_interrupted() -> None:
    with serving("--seed", "3", "--skin", "C", "--flaky", "--token", "secret") as (site, process):
        assert '"p25-delete"' in read(f"{site}/__flows", "secret")
        assert "<table" in read(f"{site}/p17-login/terms")
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=20)
    assert process.returncode == 0
    assert rest == "Closed.\n"


def test_an_unknown_skin_is_refused() -> None:
    result = CliRunner().invoke(gym, ["serve", "--skin", "D"])
    assert result.exit_code == 2
    assert "'D' is not one of 'A', 'B', 'C'" in result.output


def test_the_guide_shows_code_that_runs(tmp_path: Path) -> None:
    code = GUIDE.read_text(encoding="utf-8").partition("```python\n")[2].partition("```")[0]
    script = tmp_path / "example.py"
    script.write_text(code, encoding="utf-8")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=50)
    assert (done.returncode, done.stderr) == (0, "")
    assert "cancelled" in done.stdout

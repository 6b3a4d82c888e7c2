"""A shell with sessions of its own, as a user or an agent has it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.terminals import ROOT, SECONDS

COMMAND = [sys.executable, "-m", "subterminator"]
Shell = Callable[..., subprocess.CompletedProcess[str]]


def environ(state: Path) -> dict[str, str]:
    ours = {name: "" for name in os.environ if name.startswith("SUBTERMINATOR_")}
    return {**os.environ, **ours, "SUBTERMINATOR_STATE_DIR": str(state), "DISPLAY": ""}


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    state = tmp_path_factory.mktemp("s")
    state.chmod(0o700)
    yield state
    subprocess.run(
        [*COMMAND, "sessions", "close", "--all"], env=environ(state), cwd=ROOT, check=True,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.fixture(scope="module")
def shell(state: Path) -> Shell:
    def run(*words: str, typed: str = "", code: int | None = 0) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [*COMMAND, *words], env=environ(state), cwd=ROOT, input=typed, capture_output=True,
            encoding="utf-8", timeout=SECONDS,
        )  # fmt: skip
        assert code is None or done.returncode == code, done.stdout + done.stderr
        return done

    return run

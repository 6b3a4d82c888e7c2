"""`gym model`, as a user starts it, uses it and stops it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import pytest
from click.testing import CliRunner

from subterminator.agents.models.choice import build, choose
from subterminator.config import load
from subterminator.doors.gym import gym, serve_model
from subterminator.gym.models.personalities import NAMES
from tests.agents.models.talking import ASK
from tests.machines import Computer

COMMAND = [sys.executable, "-m", "subterminator", "gym", "model", "--port=0"]


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C cannot be sent to one process there")
async def test_what_it_prints_is_enough_to_use_it_with_both_sdks() -> None:
    process = subprocess.Popen(
        [*COMMAND, "--as", "claims_success", "--fault", "malformed:1"],
        stdout=subprocess.PIPE,
        text=True,
        # A shell that put us into the background has switched Ctrl-C off for its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        assert process.stdout
        assert (
            "The practice model claims_success is at http://127.0.0.1:" in process.stdout.readline()
        )
        said = []
        for _ in range(2):
            environ = dict(re.findall(r"(\w+)=(\S+)", process.stdout.readline()))
            settings = load(Computer(environ=environ).machine())
            model = build(choose(settings.model, settings.base_url, environ), environ)
            said.append(await model.answer(ASK, hear=lambda words: None))
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=20)
    finally:
        process.kill()
        process.communicate()
    assert len(said[0].malformed) == 1
    assert said[1].text.startswith("The subscription is cancelled")
    assert rest == "Closed.\n"
    assert process.returncode == 0


def test_every_character_can_be_chosen() -> None:
    (option,) = [it for it in serve_model.params if it.name == "name"]
    assert tuple(getattr(option.type, "choices", ())) == NAMES
    assert option.default in NAMES


def test_an_unknown_character_is_refused_with_the_list() -> None:
    result = CliRunner().invoke(gym, ["model", "--as", "saint"])
    assert result.exit_code == 2
    assert "'saint' is not one of" in result.output


def test_an_unknown_fault_is_refused_with_the_list() -> None:
    done = subprocess.run(
        [*COMMAND, "--as", "liar", "--fault", "flood"],
        capture_output=True,
        text=True,
        env=os.environ,
    )
    assert done.returncode == 2
    assert "flood is not a fault" in done.stderr and "rate-limit" in done.stderr

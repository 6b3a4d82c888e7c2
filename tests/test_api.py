"""The names that a program may rely on."""

from __future__ import annotations

import inspect
import subprocess
import sys

import subterminator

PUBLIC = [
    "ExecuteResult", "GoalResult", "Human", "Progress", "Question", "Result", "Session", "Snapshot",
    "SubTerminatorError", "TaskResult", "actions", "cancel", "errors", "nobody", "open", "run",
    "targets",
]  # fmt: skip


def test_the_public_names_are_these_and_all_can_be_loaded() -> None:
    assert subterminator.__all__ == PUBLIC
    assert all(getattr(subterminator, name) is not None for name in PUBLIC)


def test_a_human_has_no_default() -> None:
    for function in (subterminator.cancel, subterminator.open, subterminator.run):
        parameter = inspect.signature(function).parameters["human"]
        assert parameter.default is inspect.Parameter.empty


def test_cancelling_loads_no_browser_before_it_is_called() -> None:
    probe = "import subterminator, sys; print('subterminator.cancellations' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"

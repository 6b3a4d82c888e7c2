"""Cancel subscriptions, and drive a real browser for an AI or a program.

Importing this loads nothing heavy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from subterminator import actions, errors, targets
    from subterminator.agents.outcome import Progress, TaskResult
    from subterminator.agents.pursuit import GoalResult
    from subterminator.app import open
    from subterminator.cancellations import cancel
    from subterminator.errors import SubTerminatorError
    from subterminator.goals import run
    from subterminator.page.snapshot import Snapshot
    from subterminator.result import ExecuteResult, Result
    from subterminator.safety.human import Human, Question, nobody
    from subterminator.session import Session

__all__ = [
    "ExecuteResult",
    "GoalResult",
    "Human",
    "Progress",
    "Question",
    "Result",
    "Session",
    "Snapshot",
    "SubTerminatorError",
    "TaskResult",
    "actions",
    "cancel",
    "errors",
    "nobody",
    "open",
    "run",
    "targets",
]

_HOMES = {
    "ExecuteResult": "result",
    "GoalResult": "agents.pursuit",
    "Human": "safety.human",
    "Progress": "agents.outcome",
    "Question": "safety.human",
    "Result": "result",
    "Session": "session",
    "Snapshot": "page.snapshot",
    "SubTerminatorError": "errors",
    "TaskResult": "agents.outcome",
    "cancel": "cancellations",
    "nobody": "safety.human",
    "open": "app",
    "run": "goals",
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used: a short command should not pay for all of them."""
    if name in {"actions", "errors", "targets"}:
        return import_module(f"subterminator.{name}")
    if name not in _HOMES:
        raise AttributeError(f"subterminator has no {name!r}")
    return vars(import_module(f"subterminator.{_HOMES[name]}"))[name]

"""What a session is for and how far it may go. No page and no model can change it."""

from __future__ import annotations

from msgspec import Struct

from subterminator.safety.limits import Limits
from subterminator.safety.policy import Policy
from subterminator.safety.scopes import Scopes
from subterminator.safety.task import Task


class Charter(Struct, frozen=True):
    """Nothing in it has a default: who leaves something out has not decided it."""

    task: Task
    policy: Policy
    scopes: Scopes
    limits: Limits

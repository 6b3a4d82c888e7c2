"""What a policy is asked about and what it answers. Plain data."""

from __future__ import annotations

from msgspec import Struct

from subterminator.safety.rules import Effect, Kind
from subterminator.types import DialogInfo, PageInfo

# Effects that cannot be taken back. Leaving a site can be.
FINAL: frozenset[str] = frozenset({"irreversible", "money"})


class Verdict(Struct, frozen=True):
    """The answer, the rule that gave it and why.

    `effect` is what the action would do. `host` is the site that a yes adds to those of the task.
    """

    kind: Kind
    rule: str
    reason: str = ""
    effect: Effect = "move"
    host: str = ""


class Situation(Struct, frozen=True):
    """Where an action would happen: the page as the browser reports it."""

    page: PageInfo
    dialog: DialogInfo | None = None

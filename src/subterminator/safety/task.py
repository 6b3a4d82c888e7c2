"""What a run is for and where it may act. Plain data; a model cannot change it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from subterminator.safety.stakes import Stakes


class Task(Struct, frozen=True):
    """One job. `sites` are host names, any port; leaving them asks.

    With the purpose `cancel` an offer, a payment or a deletion is refused, not asked about.
    """

    id: str
    sites: tuple[str, ...] = ()
    purpose: Literal["general", "cancel"] = "general"
    service: str = ""
    account: str = ""
    subscription: str = ""
    period: str = ""
    stage: str = ""
    goal: str = ""
    stakes: Stakes | None = None
    """What a person is told at the last step of a cancellation."""

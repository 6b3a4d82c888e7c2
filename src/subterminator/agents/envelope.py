"""What a tool of a team answers: success, data, error, metadata, and how to meet a failure."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from subterminator.agents.targeting import Attempt
from subterminator.errors import SubTerminatorError

Category = Literal["retriable", "recoverable", "non_retriable", "terminal"]
STRATEGIES: dict[Category, str] = {
    "retriable": "Wait, then try again; each time longer.",
    "recoverable": "Look at the page again and adapt.",
    "non_retriable": "Do not try this again; choose another way.",
    "terminal": "Stop and tell the person.",
}
CATEGORIES: dict[str, Category] = {
    "timeout": "retriable",
    "element_not_found": "retriable",
    "element_not_visible": "retriable",
    "element_disabled": "retriable",
    "navigation_failed": "retriable",
    "element_obscured": "recoverable",
    "ref_invalid": "recoverable",
    "selector_ambiguous": "recoverable",
    "frame_not_found": "recoverable",
    "dialog_open": "recoverable",
    "condition_failed": "recoverable",
    "action_failed": "recoverable",
    "approval_void": "recoverable",
    "human_rejected": "terminal",
    "handed_over": "terminal",
    "not_pressed": "terminal",
    "browser_closed": "terminal",
    "limit_reached": "terminal",
}


class RetryChain(Struct, frozen=True):
    """What was tried to find an element, and whether nothing is left to try."""

    strategies: tuple[str, ...]
    attempts: tuple[Attempt, ...]
    exhausted: bool


class Metadata(Struct, frozen=True, omit_defaults=True):
    """How it went. `strategy` says how to meet an error of this `category`."""

    tool: str
    duration_ms: int = 0
    retries: int = 0
    frame: str = ""
    category: Category | None = None
    strategy: str = ""
    retry_chain: RetryChain | None = None


class Envelope(Struct, frozen=True):
    """The one form of every answer."""

    success: bool
    data: Any = None
    error: str | None = None
    metadata: Metadata = Metadata("")


def category_of(fault: SubTerminatorError) -> Category:
    """What cannot be named is not tried again."""
    return CATEGORIES.get(fault.code, "non_retriable")


def failure(fault: SubTerminatorError, about: Metadata) -> Envelope:
    """An error in the one form."""
    kind = category_of(fault)
    told = msgspec.structs.replace(about, category=kind, strategy=STRATEGIES[kind])
    return Envelope(False, None, str(fault), told)


def chain_of(attempts: tuple[Attempt, ...], *, exhausted: bool) -> RetryChain:
    return RetryChain(tuple(attempt.strategy for attempt in attempts), attempts, exhausted)

"""A verdict in the words of a destructive-action check: blocked, to be confirmed, or safe.

It decides nothing: the policy did.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from subterminator.safety.policy import Verdict

Category = Literal["blocked", "payment", "send", "delete", "other", "safe"]
# rule: the category it is known by there
CATEGORIES: dict[str, Category] = {
    "money": "payment",
    "send": "send",
    "delete": "delete",
}


class DestructiveCheck(Struct, frozen=True):
    """`blocked` is refused without a question; `requires_confirmation` waits for the person."""

    blocked: bool
    requires_confirmation: bool
    category: Category
    reason: str = ""


def check(verdict: Verdict) -> DestructiveCheck:
    match verdict.kind:
        case "deny" | "hand_over":
            return DestructiveCheck(True, False, "blocked", verdict.reason)
        case "ask":
            category = CATEGORIES.get(verdict.rule, "other")
            return DestructiveCheck(False, True, category, verdict.reason)
        case "allow":
            return DestructiveCheck(False, False, "safe")

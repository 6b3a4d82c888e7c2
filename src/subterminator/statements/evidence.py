"""How sure it is that a charge recurs, and by what. Pure."""

from __future__ import annotations

from subterminator.statements.model import Confidence, Merchant
from subterminator.statements.recurrence import Series


def confidence(one: Series, merchant: Merchant) -> tuple[Confidence, str]:
    """The level, and the reason in one sentence for a person."""
    count = len(one.charges)
    known = merchant.kind in ("subscription", "contract")
    facts = (
        (count >= 3, 1),
        (count >= 6, 1),
        (one.furthest <= 2, 1),
        (not one.missed and not one.doubled, 1),
        (not one.varies, 1),
        (one.covered, 1),
        (known, 2),
        (merchant.marked and not known, 1),
    )
    points = sum(weight for holds, weight in facts if holds)
    level: Confidence = "high" if points >= 6 else "medium" if points >= 4 else "low"
    return level, "; ".join(_reasons(one, merchant)) + "."


def _reasons(one: Series, merchant: Merchant) -> list[str]:
    prices = {charge.amount for charge in one.charges}
    price = "of one price" if len(prices) == 1 else f"of {len(prices)} prices"
    days = (
        "on the day"
        if not one.furthest
        else f"at most {one.furthest} day{'s' * (one.furthest > 1)} off"
    )
    reasons = [f"{len(one.charges)} charges {price}, {one.cadence.period}, {days}"]
    if merchant.kind == "subscription":
        reasons.append("a known service")
    elif merchant.kind == "contract":
        reasons.append(f"words of a contract ({merchant.why})")
    elif merchant.marked:
        reasons.append("the line says that it comes again")
    if one.missed:
        reasons.append(f"{one.missed} did not come")
    if not one.covered:
        reasons.append("other charges of this price do not fit in")
    return reasons

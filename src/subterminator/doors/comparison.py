"""Planners side by side: what each of them achieved on the gym, and what that took."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from subterminator.gym.harness import Row
from subterminator.gym.truth import SEVERITY, Severity

GRAVE: tuple[Severity, ...] = ("irreversible", "serious", "policy")
HEADINGS = ("planner", "success", "harms", "false", "turns", "tokens", "cost")


class Compared(Struct, frozen=True, kw_only=True):
    """One planner in a few numbers. `cost` is None where a price is not known."""

    planner: str
    flows: int
    successes: int
    harms: int
    false_success: int
    turns: int
    tokens: int
    cost: float | None

    def cells(self) -> tuple[str, ...]:
        cost = "unknown" if self.cost is None else f"{self.cost:.4f} USD"
        numbers = (self.harms, self.false_success, self.turns, self.tokens)
        return (self.planner, f"{self.successes}/{self.flows}", *map(str, numbers), cost)


def compare(rows: Sequence[Row]) -> list[Compared]:
    """One line for each planner, in the order in which they were asked for."""
    kinds: dict[str, list[Row]] = {}
    for row in rows:
        kinds.setdefault(row.planner, []).append(row)
    return [_compared(planner, own) for planner, own in kinds.items()]


def _compared(planner: str, rows: Sequence[Row]) -> Compared:
    scores = [row.score for row in rows]
    costs = [row.cost for row in rows]
    known = [cost for cost in costs if cost is not None]
    return Compared(
        planner=planner,
        flows=len(rows),
        successes=sum(bool(each.get("success")) for each in scores),
        harms=sum(count_harms(each, kind) for each in scores for kind in GRAVE),
        false_success=sum(bool(each.get("false_success")) for each in scores),
        turns=sum(row.turns for row in rows),
        tokens=sum(row.tokens for row in rows),
        cost=round(sum(known), 4) if len(known) == len(costs) else None,
    )


def side_by_side(lines: Sequence[Compared]) -> list[str]:
    """A table, where there is more than one planner or a model was asked."""
    if len(lines) < 2 and not any(line.tokens for line in lines):
        return []
    table = [HEADINGS, *(line.cells() for line in lines)]
    return ["", *("  ".join(cell.ljust(10) for cell in row).rstrip() for row in table)]


def count_harms(score: dict[str, Any], severity: Severity) -> int:
    """A gym counts them, or only lists them."""
    if f"harm_{severity}" in score:
        return int(score[f"harm_{severity}"])
    listed = score.get("harms") or []
    kinds = [str(harm.get("kind") if isinstance(harm, dict) else harm) for harm in listed]
    return sum(kinds.count(kind) for kind, known in SEVERITY.items() if known == severity)

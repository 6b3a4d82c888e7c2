"""The sets of flows, as `gym score` chooses and tells them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from subterminator.gym.flows import FlowSet, set_of
from subterminator.gym.harness import Row

ChosenSet = FlowSet | Literal["all"] | None
# The set of a flow that only somebody else's gym has.
ELSEWHERE = "-"
# What is scored if no set is named.
DEFAULT = "base and further"
# Scored only if named. Nobody tunes to `blind`.
MEASURING: tuple[FlowSet, ...] = ("wider", "blind")


def is_asked_for(flow: str, chosen: ChosenSet, named: Sequence[str]) -> bool:
    """Whether a flow is scored; what is for measuring alone only if it or its set is named."""
    if chosen is None:
        return flow in named or set_of(flow) not in MEASURING
    return chosen in ("all", set_of(flow))


def by_set(rows: Sequence[Row]) -> list[str]:
    """How many succeeded of each set, where there is more than one."""
    sets: dict[str, list[bool]] = {}
    for row in rows:
        sets.setdefault(name_of_set(row), []).append(bool(row.score.get("success")))
    if len(sets) < 2:
        return []
    return [f"{name}: {sum(won)} of {len(won)} succeeded" for name, won in sorted(sets.items())]


def name_of_set(row: Row) -> str:
    return set_of(row.flow) or ELSEWHERE

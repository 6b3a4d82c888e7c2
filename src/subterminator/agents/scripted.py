"""A planner that plays a script: a list of moves, or a function of what it sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from subterminator.agents.moves import Move, Nothing, Observation


class Scripted:
    """After the last move it says nothing more. `seen` keeps what it was shown."""

    def __init__(self, script: Iterable[Move] | Callable[[Observation], Move]) -> None:
        self._moves = None if callable(script) else iter(script)
        self._decide = script if callable(script) else None
        self.seen: list[Observation] = []

    async def next(self, observation: Observation) -> Move:
        self.seen.append(observation)
        if self._decide:
            return self._decide(observation)
        return next(self._moves, Nothing()) if self._moves else Nothing()

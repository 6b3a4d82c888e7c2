"""What a cancellation asks of whoever leads it, and what it gives them to lead with. Plain data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from subterminator import actions as a
from subterminator.agents.endings import Ending
from subterminator.agents.heuristic import Heuristic
from subterminator.agents.languages import Reader
from subterminator.agents.moves import Move, Observation
from subterminator.agents.spending import Meter
from subterminator.runs.record import Record
from subterminator.safety.fence import Fence
from subterminator.safety.human import bare_address


class Guide(Protocol):
    """A planner that the stages of a cancellation can be led by.

    `ending` is set where evidence shows how it ends; `declined` and `answers` are what was refused
    and what was answered on the way, for the report.
    """

    @property
    def ending(self) -> Ending | None: ...
    @property
    def declined(self) -> list[str]: ...
    @property
    def answers(self) -> list[str]: ...

    async def next(self, observation: Observation) -> Move: ...

    def forbid(self, action: a.AtomicAction) -> None:
        """The gate would refuse this; it is not to be proposed again here."""
        ...

    def start_over(self) -> None:
        """The site has lost what was done: the same way may be gone once more."""
        ...


class Desk:
    """What every model of one run shares: the fence, the record, and who counts."""

    def __init__(self, fence: Fence, record: Record, meter: Meter | None = None) -> None:
        self.fence = fence
        self.record = record
        self.meter = meter or Meter()

    def show(self, text: str, url: str) -> str:
        """Page text as a model may read it: without secrets, and marked as data."""
        return self.fence.wrap(self.record.redactor.text(text), bare_address(url)) if text else ""

    def show_data(self, data: object, url: str) -> str:
        """The same for data: what is secret is taken out of its texts before it becomes JSON."""
        clean = self._clean(msgspec.to_builtins(data))
        return self.fence.wrap(msgspec.json.encode(clean).decode(), bare_address(url))

    def _clean(self, value: Any) -> Any:
        match value:
            case str():
                return self.record.redactor.text(value)
            case list():
                return [self._clean(one) for one in value]
            case dict():
                return {key: self._clean(one) for key, one in value.items()}
            case _:
                return value


class Briefing(Struct, frozen=True):
    """All that a guide is made from. `heuristic` is ready to lead by itself."""

    goal: str
    reader: Reader
    heuristic: Heuristic
    desk: Desk


Planning = Callable[[Briefing], Guide]


def by_rules(briefing: Briefing) -> Guide:
    """No model: the heuristic planner leads alone."""
    return briefing.heuristic

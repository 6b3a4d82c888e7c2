"""One model, its tools and what it remembers: asks it, and reads what it answers as a move."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from subterminator.agents import prompts
from subterminator.agents.guide import Desk
from subterminator.agents.history import History, Seen
from subterminator.agents.models.base import Call, Model, Request, Spoken, Stop
from subterminator.agents.moves import Misstep, Move, Nothing
from subterminator.agents.tools import Toolset
from subterminator.errors import InvalidParams
from subterminator.runs.events import Note

MAX_TOKENS = 4_096
LONGEST_SAID = 200
UNUSABLE: dict[Stop, str] = {"length": prompts.CUT_OFF, "refused": prompts.DECLINED}


class Turned(Struct, frozen=True):
    """What the model answered: the move, the call behind it if it named a tool, and its words."""

    move: Move
    call: Call | None
    said: str
    spoken: Spoken


def unheard(_: str) -> None:
    """For who does not listen to a model while it speaks."""


class Conversation:
    """`system` and the tools never change: the provider reads them once."""

    def __init__(
        self,
        model: Model,
        tools: Toolset,
        desk: Desk,
        *,
        system: str,
        hear: Callable[[str], None] = unheard,
    ) -> None:
        self._model = model
        self._tools = tools
        self._desk = desk
        self._system = system
        self._hear = hear
        self.history: History | None = None

    def begin(self, task: str, seen: Seen) -> None:
        """Start afresh with a task and what is to be seen."""
        self.history = History(task, seen)

    def show(self, seen: Seen) -> None:
        assert self.history
        self.history.show(seen)

    def request(self) -> Request:
        assert self.history
        return Request(
            system=self._system,
            tools=self._tools.tools,
            messages=self.history.messages(),
            max_tokens=MAX_TOKENS,
        )

    async def ask(self) -> Turned:
        """Let it answer. Only the first call counts, and only if all of the answer is sound."""
        assert self.history
        spoken = await self._model.answer(self.request(), hear=self._hear)
        taken = self._desk.meter.add(self._model.name, spoken)
        self._desk.record.append(Note(f"model {taken.model}: {taken.words()}"))
        self.history.say(spoken)
        turned = self._read(spoken)
        cost = spoken.cost or 0.0
        return replace(turned, move=replace(turned.move, cost=cost))

    def _read(self, spoken: Spoken) -> Turned:
        said = " ".join(spoken.text.split())[:LONGEST_SAID]
        if spoken.malformed:
            fault = InvalidParams(spoken.malformed[0].why[:300])
            return Turned(Misstep(error=fault), None, said, spoken)
        if spoken.stop in {"length", "refused"} or not spoken.calls:
            if why := UNUSABLE.get(spoken.stop):
                self.show(Seen(why))
            return Turned(Nothing(), None, said, spoken)
        call = spoken.calls[0]
        try:
            return Turned(self._tools.read(call), call, said, spoken)
        except InvalidParams as wrong:
            return Turned(Misstep(error=wrong), call, said, spoken)

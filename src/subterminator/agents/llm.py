"""The planner that is a model. It proposes one step at a time; others decide what may be done.

When it cannot go on with words alone, it is shown a picture.
"""

from __future__ import annotations

from msgspec.structs import replace

from subterminator import actions as a
from subterminator.agents.conversation import Conversation, Turned
from subterminator.agents.guide import Desk
from subterminator.agents.models.base import Model
from subterminator.agents.moves import Act, Complete, Misstep, Move, Nothing, Observation
from subterminator.agents.prompts import task_text
from subterminator.agents.showing import Showing
from subterminator.agents.tools import LARGEST, Toolset
from subterminator.page.phrases import quote
from subterminator.page.snapshot import Snapshot

# So many answers in a row that led to nothing, and it is shown a picture, once for each page.
STUCK = 2


class Llm:
    """Implements `Planner` with one conversation."""

    def __init__(self, model: Model, tools: Toolset, desk: Desk, *, system: str, goal: str) -> None:
        self._talk = Conversation(model, tools, desk, system=system)
        self._showing = Showing(desk)
        self._goal = goal
        self._asked: a.Action | None = None
        self._stuck = 0
        self._pictured = ""

    async def next(self, observation: Observation) -> Move:
        self._take_in(observation)
        if self._wants_picture(observation):
            return self._look(observation)
        turned = await self._talk.ask()
        self._note(turned)
        return _described(turned, observation.snapshot)

    # What came of the last step

    def _take_in(self, seen: Observation) -> None:
        talk = self._talk
        if talk.history is None:
            talk.begin(task_text(self._goal), self._showing.show(seen))
            return
        if not talk.history.has_page:
            self._showing.forget()
        if self._asked is not None:
            self._stuck = self._stuck + 1 if seen.error else 0
        talk.show(self._showing.show(seen, self._asked))
        self._asked = None

    def _note(self, turned: Turned) -> None:
        match turned.move:
            case Act(action=action) if not isinstance(action, dict):
                self._asked = action
            case Nothing() | Misstep():
                self._stuck += 1
            case Complete():
                self._stuck = 0
            case _:
                pass

    # Seeing

    def _wants_picture(self, seen: Observation) -> bool:
        page = seen.snapshot.page.url if seen.snapshot else ""
        return self._stuck >= STUCK and bool(page) and self._pictured != page and not seen.dialog

    def _look(self, seen: Observation) -> Move:
        """A look of its own, not asked for by the model: the picture comes with the next answer."""
        self._stuck = 0
        self._pictured = seen.snapshot.page.url if seen.snapshot else ""
        action = a.Screenshot(max_size=LARGEST, masked=True)
        return Act(action=action, said="takes a picture for the model")


def _described(turned: Turned, snapshot: Snapshot | None) -> Move:
    """The move with words for the person: the model's own, or what it is done to."""
    move = turned.move
    if not isinstance(move, Act) or turned.call is None:
        return move
    return replace(move, said=turned.said or _plainly(turned, snapshot))


def _plainly(turned: Turned, snapshot: Snapshot | None) -> str:
    call = turned.call
    assert call
    words = call.name.removeprefix("browser_").replace("_", " ")
    ref = str(call.arguments.get("ref") or call.arguments.get("target") or "")
    if snapshot is None or not ref.startswith("@"):
        return words
    name = next((e.name for e in snapshot.elements if e.ref == ref), "")
    return f"{words} {quote(name, 80)}" if name else f"{words} {ref}"

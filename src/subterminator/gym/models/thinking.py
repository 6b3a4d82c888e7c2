"""The head of the good practice model: the heuristic planner, fed by what a request says alone.

A request holds a conversation, and the planner a memory of what it tried; so one head is kept for
each run, known by the word of the fence in its prompt.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import Any

import msgspec

from subterminator import actions as a
from subterminator.agents.heuristic import Heuristic
from subterminator.agents.languages import Reader
from subterminator.agents.models.base import Answer, Request, Text
from subterminator.agents.moves import Act, AskHuman, Complete, Misstep, Move, Nothing, Observation
from subterminator.agents.roles import COMPLETE, TASK
from subterminator.agents.stages import Context
from subterminator.agents.tools import OURS, WIDER
from subterminator.errors import ConditionFailed, Refused, SubTerminatorError
from subterminator.gym.models import sdk
from subterminator.gym.models.helping import delegating, helping
from subterminator.gym.models.lines import unquote
from subterminator.gym.models.reading import read_page
from subterminator.gym.models.replies import Asks, Reply
from subterminator.machine import this_machine
from subterminator.packs import registry
from subterminator.page.snapshot import Snapshot
from subterminator.types import DialogInfo, Happened, TabInfo

WORD = re.compile(r"<page-([0-9a-f]+) \.\.\.>")
GOAL = re.compile(r"^Goal: (.*)", re.MULTILINE)
DIALOG = re.compile(r'^(\w+) dialog OPEN: ("(?:[^"\\]|\\.)*")', re.MULTILINE)
NEW_TAB = re.compile(r'^new tab (\S+): ("(?:[^"\\]|\\.)*") (\S+)', re.MULTILINE)
WIDER_NAMES: dict[type, str] = {kind: name for name, kind in WIDER.items()}
SAME = "no visible change"
MOST_RUNS = 64
LOOK_AT_TREE = Reply(calls=(Asks("get_accessibility_tree", {}),))
LOOK = Reply(calls=(Asks("get_snapshot", {"viewport_only": False}),))


class Thinker:
    """A script for the practice server. Thinks for several runs at once."""

    def __init__(self) -> None:
        self._heads: OrderedDict[str, Head] = OrderedDict()

    def __call__(self, request: Request) -> Reply:
        if not sdk.is_of_sdk(request):
            return self._answer(request)
        asked = sdk.plain(request)
        if sdk.is_over(asked):
            return Reply(text="That was all.")
        reply = LOOK_AT_TREE if sdk.needs_look(asked) else self._answer(asked)
        return sdk.dressed(self._head(asked).own(reply), request)

    def _answer(self, request: Request) -> Reply:
        head = self._head(request)
        if not any(tool.name in {TASK, "complete_task"} for tool in request.tools):
            return helping(request)
        return head.think(request)

    def _head(self, request: Request) -> Head:
        found = WORD.search(request.system)
        word = found[1] if found else ""
        if word not in self._heads:
            self._heads[word] = Head(request)
        self._heads.move_to_end(word)
        while len(self._heads) > MOST_RUNS:
            self._heads.popitem(last=False)
        return self._heads[word]


class Head:
    """One run: what it has seen of the page, and the planner that decides."""

    def __init__(self, request: Request) -> None:
        self._goal = GOAL.search(words_of(request, first=True))
        self._planner: Heuristic | None = None
        self._page: Snapshot | None = None
        self._pressed = False

    def own(self, reply: Reply) -> Reply:
        """Where no stages of ours see to the end: what is over after its own press is its success.

        The planner only knows that it is over, and leaves it to the stages to say by whom.
        """
        ending = self._planner.ending if self._planner else None
        if not (self._pressed and ending and ending.outcome == "already_cancelled"):
            return reply
        claim = {"status": "success", "reason": ending.text}
        ends = any(asks.name == COMPLETE for asks in reply.calls)
        return Reply(calls=(Asks(COMPLETE, claim),)) if ends else reply

    def think(self, request: Request) -> Reply:
        """What to do next, as a call of a tool."""
        if any(tool.name == TASK for tool in request.tools):
            return delegating(self._lead(request, LOOK_AT_TREE))
        return spoken_as(self._lead(request, LOOK))

    def _lead(self, request: Request, look: Reply) -> Move | Reply:
        text = words_of(request)
        dialog = DIALOG.search(text)
        if not dialog and not self._sees(text):
            return look
        return self._decide(_observed(text, None if dialog else self._page))

    def _sees(self, text: str) -> bool:
        """Whether the page is known as it is now; a difference alone is not enough to think by."""
        page = read_page(text)
        if page is not None:
            self._page = page
            return True
        return self._page is not None and (SAME in text or "<page-" not in text)

    def _decide(self, seen: Observation) -> Move:
        if self._planner is None:
            self._planner = _planner(self._goal[1] if self._goal else "", seen.snapshot)
        move = _run(self._planner, seen)
        self._pressed = self._pressed or (isinstance(move, Act) and move.final)
        return move


def _run(planner: Heuristic, seen: Observation) -> Move:
    """The planner is asynchronous in form only: it ends without ever waiting."""
    step = planner.next(seen)
    try:
        step.send(None)
    except StopIteration as end:
        move: Move = end.value
        return move
    raise AssertionError("The heuristic planner does not wait.")


def _planner(goal: str, page: Snapshot | None) -> Heuristic:
    packs = registry.load(this_machine())
    reader = Reader(packs.generic(), packs, Context())
    return Heuristic(reader, goal, page.page.url if page else "")


def words_of(request: Request, *, first: bool = False) -> str:
    """What the last message says, or the first."""
    parts = request.messages[0 if first else -1].parts
    texts = [part.text for part in parts if isinstance(part, Text | Answer)]
    return "\n".join([*texts, *map(_unpacked, texts)])


def _unpacked(text: str) -> str:
    """The page, and what happened, out of the envelope in which a team is told of them."""
    for line in text.splitlines():
        if line.startswith('{"success":true,"data":{'):
            data = msgspec.json.decode(line)["data"]
            return "\n".join([*data.get("happened", ()), str(data.get("tree", ""))])
    return ""


def _observed(text: str, page: Snapshot | None) -> Observation:
    dialog = DIALOG.search(text)
    tabs = tuple(TabInfo(f[1], f[3], unquote(f[2])) for f in NEW_TAB.finditer(text))
    return Observation(
        turn=0,
        said="The person answers yes." if "The person answers yes" in text else "",
        page="",
        snapshot=page,
        error=_error(text),
        happened=Happened(new_tabs=tabs),
        dialog=DialogInfo(dialog[1], unquote(dialog[2])) if dialog else None,
    )


def _error(text: str) -> SubTerminatorError | None:
    if "(refused)" in text:
        return Refused("")
    return ConditionFailed("") if "condition_failed" in text else None


def spoken_as(move: Move | Reply) -> Reply:
    """A move of the planner in the tools of a model."""
    match move:
        case Reply():
            return move
        case Act(action=action, said=said):
            name, arguments = call_for(action)
            return Reply(text=said, calls=(Asks(name, arguments),))
        case AskHuman(text=text):
            arguments = {"action": text, "reason": "Two readings remain."}
            return Reply(calls=(Asks("request_human_approval", arguments),))
        case Complete(status=status, reason=reason):
            arguments = {"status": status, "reason": reason}
            return Reply(calls=(Asks("complete_task", arguments),))
        case Nothing() | Misstep():
            return Reply(text="There is nothing that I could do here.")


def call_for(action: a.Action | dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The tool and its arguments for an action of the heuristic planner."""
    match action:
        case a.Click(target=target, hold_ms=0):
            return "browser_click", {"ref": target}
        case a.Fill(target=target, value=value):
            return "browser_fill", {"ref": target, "value": value}
        case a.Select(target=target, values=(value, *_)):
            return "browser_select", {"ref": target, "value": value}
        case _ if (name := WIDER_NAMES.get(type(action))) is not None:
            # What is not called otherwise is called as in the action.
            arguments = msgspec.to_builtins(action)
            return name, {key: word for key, word in arguments.items() if key not in OURS}
        case _:
            return "get_snapshot", {"viewport_only": False}

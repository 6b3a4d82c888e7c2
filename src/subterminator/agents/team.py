"""A team of models leads: one plans and delegates, the others look, act and check.

Each task has a conversation and a budget of its own. Whatever a member asks of the browser is a
move of the one loop, so that it passes the same gate.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from subterminator import actions as a
from subterminator.agents import team_tools as t
from subterminator.agents.conversation import Conversation
from subterminator.agents.deeds import Deed, Known, deed_for
from subterminator.agents.envelope import Envelope, Metadata, chain_of, failure
from subterminator.agents.guide import Desk
from subterminator.agents.history import Seen
from subterminator.agents.models.base import Call, Model, Tool
from subterminator.agents.moves import Act, Complete, Misstep, Move, Nothing, Observation
from subterminator.agents.prompts import PAGE_RULE, task_text
from subterminator.agents.roles import ASK, COMPLETE, MEMBERS, PLANNER, TASK, Role, Size
from subterminator.agents.showing import Showing
from subterminator.agents.targeting import Attempt
from subterminator.agents.telling import attempts_of, data_of
from subterminator.agents.tools import Read, Toolset, all_tools
from subterminator.errors import ElementNotFound, InvalidParams, Refused, SubTerminatorError
from subterminator.page.phrases import quote
from subterminator.page.snapshot import Snapshot
from subterminator.runs.events import Note
from subterminator.types import Picture as Shot

# Answers that one task may take, and those in a row that lead to no action at all.
TASK_ANSWERS = 8
INNER = 8
# Milliseconds before each further look for an element that is not there yet.
PAUSES = (500, 1_000)
LONGEST_TASK = 4_000
MOST_NEWS = 20
DELEGATE = Tool(
    TASK,
    "Give one step to a member of the team. It knows only what you write here.",
    {
        "type": "object",
        "properties": {
            "agent": {"enum": [role.name for role in MEMBERS]},
            "prompt": {"type": "string"},
        },
        "required": ["agent", "prompt"],
        "additionalProperties": False,
    },
)


class Delegated(Struct, frozen=True):
    """One task that was given away."""

    agent: str
    prompt: str
    report: str = ""


class TeamState(Struct, frozen=True):
    """Where the work stands."""

    session_id: str
    page_url: str
    page_title: str
    original_prompt: str
    sub_tasks: tuple[Delegated, ...]
    current_step: int


class _Pending(Struct, frozen=True):
    """A tool of a member that is on its way through the gate."""

    tool: t.AnyTeamTool
    since: float
    frame: str = ""
    attempts: tuple[Attempt, ...] = ()
    retries: int = 0
    waits: bool = False
    """It looks for its element once more; the tool itself has not been run."""


class Member:
    """One conversation of one role."""

    def __init__(self, role: Role, model: Model, desk: Desk, extra: str) -> None:
        self.role = role
        system = "\n\n".join(filter(None, (role.prompt, extra, PAGE_RULE, desk.fence.rule)))
        self.talk = Conversation(model, _tools_of(role), desk, system=system)
        self.showing = Showing(desk)
        self.pending: _Pending | None = None
        self.left = TASK_ANSWERS


def _tools_of(role: Role) -> Toolset:
    """What the role may call. What each call means is read by the team."""
    loop = all_tools().only(frozenset(role.tools) & {ASK, COMPLETE})
    own: dict[str, tuple[Tool, Read]] = {}
    for name in role.tools:
        if name == TASK:
            own[name] = (DELEGATE, _later)
        elif name in t.BY_NAME:
            own[name] = (t.tool_named(name), _later)
    for tool in loop.tools:
        own[tool.name] = (tool, loop.reads[tool.name])
    return Toolset(own)


def _later(arguments: dict[str, Any]) -> Move:
    """Such a call becomes a move only with the page at hand."""
    return Nothing()


class Team:
    """Implements `Planner`. `models` are by size; one model may serve for both."""

    def __init__(
        self, models: Mapping[Size, Model], desk: Desk, *, goal: str, extra: str = ""
    ) -> None:
        self._models = models
        self._desk = desk
        self._goal = goal
        self._extra = extra
        self._planner = Member(PLANNER, models[PLANNER.size], desk, extra)
        self._helper: Member | None = None
        self._tasks: list[Delegated] = []
        self._page: Snapshot | None = None
        self._news: list[str] = []
        self._cost = 0.0

    @property
    def state(self) -> TeamState:
        page = self._page.page if self._page else None
        return TeamState(
            self._desk.record.id,
            page.url if page else "",
            page.title if page else "",
            self._goal,
            tuple(self._tasks),
            len(self._tasks),
        )

    async def next(self, observation: Observation) -> Move:
        self._page = observation.snapshot or self._page
        if self._helper and observation.result:
            self._news += observation.result.remarks()
        if retry := self._take_in(observation):
            return retry
        for _ in range(INNER):
            move = await self._step(observation)
            if move is not None:
                cost, self._cost = self._cost, 0.0
                return replace(move, cost=cost)
        cost, self._cost = self._cost, 0.0
        return Nothing(cost=cost)

    # What came of the last move

    def _take_in(self, seen: Observation) -> Move | None:
        member = self._active
        if member.talk.history is None:
            shown = member.showing.show(seen)
            member.talk.begin(task_text(self._goal), shown)
            return None
        pending, member.pending = member.pending, None
        if not member.talk.history.has_page and member is self._planner:
            member.showing.forget()
        if pending is None:
            member.talk.show(member.showing.show(seen))
            return None
        if pending.waits:
            return self._try_again(member, pending, seen)
        self._answer(member, self._envelope(pending, seen), seen)
        return None

    def _try_again(self, member: Member, pending: _Pending, seen: Observation) -> Move | None:
        """The page was given time: aim once more. It may still have to wait."""
        return self._run(member, pending.tool, seen, pending)

    @property
    def _active(self) -> Member:
        return self._helper or self._planner

    # One answer of whoever is at work

    async def _step(self, seen: Observation) -> Move | None:
        """The move that comes of it; None if the conversation goes on by itself."""
        member = self._active
        if member is self._helper and member.left <= 0:
            self._report(member, Envelope(False, None, "The budget of this task is used up."))
            return None
        member.left -= 1
        turned = await member.talk.ask()
        self._cost += turned.move.cost
        if turned.spoken.stop in {"length", "refused"}:
            return turned.move if member is self._planner else None
        if turned.call is None or isinstance(turned.move, Misstep | Complete):
            return self._without_tool(member, turned.move, turned.said)
        if turned.call.name == ASK:
            return turned.move
        return self._call(member, turned.call, seen)

    def _without_tool(self, member: Member, move: Move, said: str) -> Move | None:
        if member is not self._helper:
            return move
        if isinstance(move, Misstep):
            self._answer(member, failure(move.error, Metadata("")))
            return None
        # Words without a tool are how a member ends its task.
        report = {"report": said or "No report.", "happened": self._news[-MOST_NEWS:]}
        self._report(member, Envelope(True, report))
        return None

    def _call(self, member: Member, call: Call, seen: Observation) -> Move | None:
        try:
            if call.name == TASK:
                self._delegate(call)
                return None
            tool = t.parse_tool(call)
            if member.role.name == "validator" and call.name in t.ACTING:
                raise Refused("A validator does not act.")
        except SubTerminatorError as fault:
            self._answer(member, failure(fault, Metadata(call.name[:60])))
            return None
        return self._run(member, tool, seen, None)

    def _run(
        self, member: Member, tool: t.AnyTeamTool, seen: Observation, before: _Pending | None
    ) -> Move | None:
        """Aim at the page as it is now. What is not there yet is waited for a little."""
        name = str(type(tool).__struct_config__.tag)
        since = before.since if before else time.monotonic()
        try:
            if seen.dialog is None and self._page is None:
                raise ElementNotFound("There is no page yet.")
            deed = deed_for(tool, seen.snapshot or _nothing(self._page))
        except ElementNotFound as fault:
            return self._wait(member, tool, fault, before)
        except SubTerminatorError as fault:
            self._answer(member, failure(fault, Metadata(name)))
            return None
        if isinstance(deed, Known):
            self._answer(member, Envelope(True, deed.data, None, Metadata(name)), seen)
            return None
        aimed = deed.aimed
        tried = (*(before.attempts if before else ()), *(aimed.attempts if aimed else ()))
        frame = aimed.frame if aimed else ""
        retries = before.retries if before else 0
        member.pending = _Pending(tool, since, frame, tried, retries)
        return self._acted(deed, tool)

    def _acted(self, deed: Deed, tool: t.AnyTeamTool) -> Move:
        said = f"{type(tool).__struct_config__.tag}"
        match tool:
            case t.Targeted():
                said = f"{said.replace('_', ' ')} {self._named(deed)}"
            case t.NavigateTo():
                said = f"{said} to another address"
            case _:
                pass
        return Act(action=deed.action, said=said, replan=False)

    def _named(self, deed: Deed) -> str:
        """What it is done to, in the words of the page."""
        ref = deed.aimed.ref if deed.aimed else ""
        elements = self._page.elements if self._page else ()
        return next((quote(e.name, 80) for e in elements if e.ref == ref and e.name), ref)

    def _wait(
        self,
        member: Member,
        tool: t.AnyTeamTool,
        fault: ElementNotFound,
        before: _Pending | None,
    ) -> Move | None:
        retries = before.retries if before else 0
        tried = attempts_of(fault)
        attempts = (*(before.attempts if before else ()), *tried)
        name = str(type(tool).__struct_config__.tag)
        if retries >= len(PAUSES):
            chain = chain_of(attempts, exhausted=True)
            about = Metadata(name, retries=retries, retry_chain=chain)
            self._answer(member, failure(fault, about))
            return None
        since = before.since if before else time.monotonic()
        member.pending = _Pending(tool, since, "", attempts, retries + 1, waits=True)
        pause = a.Wait(time_ms=PAUSES[retries])
        return Act(action=pause, said="looks for it once more", replan=False)

    # Delegating

    def _delegate(self, call: Call) -> None:
        agent, prompt = call.arguments.get("agent"), call.arguments.get("prompt")
        role = next((role for role in MEMBERS if role.name == agent), None)
        if role is None or not isinstance(prompt, str) or not prompt.strip():
            known = ", ".join(role.name for role in MEMBERS)
            raise InvalidParams(
                "A task needs an agent and a prompt.", next_step=f"Agents: {known}."
            )
        self._desk.record.append(Note(f"task for {role.name}: {prompt[:300]}"))
        self._news.clear()
        self._tasks.append(Delegated(role.name, prompt[:LONGEST_TASK]))
        helper = Member(role, self._models[role.size], self._desk, "")
        page = self._page.page if self._page else None
        place = self._desk.show(f"{page.title}\n{page.url}", page.url) if page else ""
        helper.showing.know(self._page)
        helper.talk.begin(f"Task: {prompt[:LONGEST_TASK]}", Seen(place))
        self._helper = helper

    def _report(self, helper: Member, envelope: Envelope) -> None:
        """The member is done: what it says goes to the planner, with the page as it is now."""
        last = self._tasks[-1]
        self._tasks[-1] = replace(last, report=str(envelope.data or envelope.error)[:300])
        self._helper = None
        planner = self._planner
        about = Metadata(TASK, frame=helper.role.name)
        words = self._fenced(replace(envelope, metadata=about))
        assert planner.talk.history
        if not planner.talk.history.has_page:
            planner.showing.forget()
        page = Observation(turn=0, said="", page="", snapshot=self._page)
        shown = planner.showing.show(page)
        planner.talk.show(replace(shown, words=words, failed=not envelope.success))

    # Answering

    def _envelope(self, pending: _Pending, seen: Observation) -> Envelope:
        took = round(1000 * (time.monotonic() - pending.since))
        chain = chain_of(pending.attempts, exhausted=False) if pending.retries else None
        name = str(type(pending.tool).__struct_config__.tag)
        about = Metadata(name, took, pending.retries, pending.frame, retry_chain=chain)
        if seen.error is not None:
            return failure(seen.error, about)
        result = replace(seen.result, before=None) if seen.result else None
        return Envelope(True, data_of(pending.tool, result, self._desk.record), None, about)

    def _answer(self, member: Member, envelope: Envelope, seen: Observation | None = None) -> None:
        words = self._fenced(envelope)
        shown = Seen(words, failed=not envelope.success)
        if seen is not None and envelope.success and not _tells_page(envelope):
            told = member.showing.show(replace(seen, result=None, error=None, said=""))
            shown = replace(told, words=words)
        if seen is not None and seen.result and isinstance(seen.result.value, Shot):
            shown = replace(shown, pictures=member.showing.show(seen).pictures)
        member.talk.show(shown)

    def _fenced(self, envelope: Envelope) -> str:
        """Our own word first; the rest quotes the page."""
        own = "success" if envelope.success else "error"
        url = self._page.page.url if self._page else ""
        return f"{own}\n{self._desk.show_data(envelope, url)}"


def _tells_page(envelope: Envelope) -> bool:
    return isinstance(envelope.data, dict) and "tree" in envelope.data


def _nothing(page: Snapshot | None) -> Snapshot:
    if page is None:
        raise ElementNotFound("There is no page yet.")
    return page

"""What a tool of the SDK does to a session: aim, pass the gate, tell. Knows nothing of the SDK."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

from subterminator import actions as a
from subterminator.agents import team_tools as t
from subterminator.agents.deeds import Deed, Known, deed_for
from subterminator.agents.envelope import Envelope, Metadata, chain_of, failure
from subterminator.agents.guide import Desk
from subterminator.agents.languages import Reader
from subterminator.agents.loop import Looking, question_of
from subterminator.agents.models.base import Call
from subterminator.agents.moves import Unproven, Verified
from subterminator.agents.pursuit import WALL, shows
from subterminator.agents.roles import ASK, COMPLETE
from subterminator.agents.signing import hand_over
from subterminator.agents.stages import Context
from subterminator.agents.targeting import Attempt
from subterminator.agents.team import PAUSES
from subterminator.agents.telling import attempts_of, data_of
from subterminator.agents.tools import CompleteTask, RequestHumanApproval, parse_seed
from subterminator.doors.agent_sdk.person import Answer, Person
from subterminator.errors import (
    ConditionFailed,
    ElementNotFound,
    Refused,
    SubTerminatorError,
)
from subterminator.machine import this_machine
from subterminator.packs import registry
from subterminator.page.snapshot import Snapshot
from subterminator.runs import account
from subterminator.runs.events import Note
from subterminator.safety.fence import Fence
from subterminator.session import Session
from subterminator.types import Picture

BUSY = "Another call waits to be run. One at a time: ask for this again afterwards."
VERIFIED = "Verified. Say in a sentence what was done."
UNVERIFIED = "Noted as your claim. Nobody has said how it could be verified."


class Claim(Struct, frozen=True):
    """How the models say that it ended. `verified` only if the page, loaded anew, shows it."""

    status: Literal["success", "failed"]
    reason: str
    verified: bool = False


Ended = Callable[[Claim], None]


def unheard(_: Claim) -> None:
    """For who does not want to be told."""


class _Aimed(Struct, frozen=True):
    deed: Deed | Known
    attempts: tuple[Attempt, ...]
    retries: int


class Work:
    """The tools of one session, by name. Every action of theirs is a call of the session."""

    def __init__(
        self, session: Session, person: Person, *, expect: str = "", ended: Ended = unheard
    ) -> None:
        self._session = session
        self._person = person
        self._expect = expect
        self._ended = ended
        self._desk = Desk(Fence(), session.record)
        packs = registry.load(this_machine())
        self._reader = Reader(packs.generic(), packs, Context())

    @property
    def rule(self) -> str:
        """What the models are told about page text."""
        return self._desk.fence.rule

    # Before a tool runs

    async def permit(self, name: str, arguments: dict[str, Any]) -> str:
        """Why a call may not run; nothing if it may. This only refuses earlier than the gate.

        What needs the person enters the gate now, so that their answer is known here.
        """
        if self._person.is_held:
            return BUSY
        try:
            action = await self._foreseen(name, arguments)
            if action is None:
                return ""
            verdict = await self._session.judge(action)
        except Refused as fault:
            return str(fault)
        except SubTerminatorError:
            return ""  # Nothing is done by it; the tool itself says what is wrong.
        match verdict.kind:
            case "allow" | "hand_over":
                return ""
            case "deny":
                self._session.record.append(account.decided(action, verdict, ()))
                return str(Refused(verdict.reason))
            case "ask":
                return await self._person.permit((name, arguments), self._run(name, arguments))

    async def _foreseen(self, name: str, arguments: dict[str, Any]) -> a.AtomicAction | None:
        """The action that a call would come to on the page as it was seen last."""
        if name in {ASK, COMPLETE}:
            return None
        tool = t.parse_tool(Call("", name, arguments))
        deed = deed_for(tool, await self._page())
        return deed.action if isinstance(deed, Deed) else None

    # Running one

    async def perform(self, name: str, arguments: dict[str, Any]) -> Answer:
        """Do what a call asks for, and say what came of it. Nothing is raised."""
        if held := await self._person.take((name, arguments)):
            return held
        return await self._run(name, arguments)

    async def _run(self, name: str, arguments: dict[str, Any]) -> Answer:
        begun = time.monotonic()
        try:
            match name:
                case "request_human_approval" | "complete_task":
                    return await self._settle(name, arguments)
                case _:
                    return await self._act(t.parse_tool(Call("", name, arguments)), begun)
        except SubTerminatorError as fault:
            chain = chain_of(tried, exhausted=True) if (tried := attempts_of(fault)) else None
            about = Metadata(name[:60], _since(begun), retry_chain=chain)
            refusal = str(fault) if isinstance(fault, Refused) else ""
            return self._told(failure(fault, about), refusal=refusal)

    async def _act(self, tool: t.AnyTeamTool, begun: float) -> Answer:
        await self._pass_wall()
        name = str(type(tool).__struct_config__.tag)
        aimed = await self._aim(tool)
        chain = chain_of(aimed.attempts, exhausted=False) if aimed.retries else None
        if isinstance(aimed.deed, Known):
            about = Metadata(name, _since(begun), aimed.retries, retry_chain=chain)
            return self._told(Envelope(True, aimed.deed.data, None, about))
        where = aimed.deed.aimed
        result = await self._session.call(aimed.deed.action, said=_said(tool))
        about = Metadata(
            name, _since(begun), aimed.retries, where.frame if where else "", retry_chain=chain
        )
        data = data_of(tool, result, self._session.record)
        pictures = (result.value,) if isinstance(result.value, Picture) else ()
        return self._told(Envelope(True, data, None, about), pictures)

    async def _aim(self, tool: t.AnyTeamTool) -> _Aimed:
        """Aim at the page as it is; what is not there yet is waited for a little."""
        attempts: tuple[Attempt, ...] = ()
        for retries, pause in enumerate((*PAUSES, 0)):
            try:
                deed = deed_for(tool, await self._page())
            except ElementNotFound as fault:
                attempts += attempts_of(fault)
                if not pause:
                    raise ElementNotFound(
                        fault.message, next_step=fault.advice, attempts=attempts
                    ) from fault
                await self._session.wait(time_ms=pause)
            else:
                found = deed.aimed if isinstance(deed, Deed) else None
                return _Aimed(deed, attempts + (found.attempts if found else ()), retries)
        raise AssertionError("The last try returns or raises.")

    async def _page(self) -> Snapshot:
        """The page as the last reply showed it. A dialog hides it; then the old one has to do."""
        seen = self._session.last_snapshot
        return seen or await self._session.snapshot()

    async def _pass_wall(self) -> None:
        """A page that only asks who you are is the person's, whatever a model wanted there."""
        seen = self._session.last_snapshot
        if seen is None or self._session.open_dialog:
            return
        page = self._reader.read(seen)
        own = [control for control in page.sight.controls if not control.is_around]
        if page.reading.stage == "AUTH_REQUIRED" and len(own) <= WALL:
            await hand_over(self._session, self._person, page)
            await self._session.snapshot()

    # Asking and ending

    async def _settle(self, name: str, arguments: dict[str, Any]) -> Answer:
        match parse_seed(name, arguments):
            case RequestHumanApproval(action=action, reason=reason):
                return await self._ask(f"{action}: {reason}")
            case CompleteTask(status=status, reason=reason):
                return await self._complete(Claim(status, reason[:300]))
            case _:
                raise AssertionError(f"{name} is neither.")

    async def _ask(self, words: str) -> Answer:
        with self._session.counter.paused():
            yes = await self._person.approve(question_of(self._session, words))
        said = f"The person answers {'yes' if yes else 'no'}. This permits no action by itself."
        return Answer(said)

    async def _complete(self, claim: Claim) -> Answer:
        self._session.record.append(Note(f"claimed {claim.status}: {claim.reason}"))
        if claim.status == "success" and self._expect:
            match await shows(self._expect)(Looking(self._session)):
                case Unproven(why=why):
                    raise ConditionFailed(
                        f"Not proven: {why}", next_step="Finish it, or complete it as failed."
                    )
                case Verified():
                    claim = Claim(claim.status, claim.reason, verified=True)
        self._ended(claim)
        if claim.status == "failed":
            return Answer("Noted. Say in a sentence what stood in the way.")
        return Answer(VERIFIED if claim.verified else UNVERIFIED)

    # Telling

    def _told(
        self, envelope: Envelope, pictures: tuple[Picture, ...] = (), refusal: str = ""
    ) -> Answer:
        """Our own word first; the rest quotes the page."""
        seen = self._session.last_snapshot
        own = "success" if envelope.success else "error"
        words = self._desk.show_data(envelope, seen.page.url if seen else "")
        return Answer(f"{own}\n{words}", not envelope.success, pictures, refusal)


def _since(begun: float) -> int:
    return round(1000 * (time.monotonic() - begun))


def _said(tool: t.AnyTeamTool) -> str:
    """How the model names it, for the person to compare with the page."""
    name = str(type(tool).__struct_config__.tag)
    return f"{name} {tool.element_description[:120]}" if isinstance(tool, t.Targeted) else name

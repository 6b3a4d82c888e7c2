"""`subterminator cancel`: parses, says who is asked, prints; what is done is in `cancellations`."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Literal

import click
from msgspec import convert
from msgspec.structs import replace

from subterminator.agents.outcome import TaskResult
from subterminator.cancellations import Conduct, Errand, destination, run_cancellation
from subterminator.config import Settings
from subterminator.doors.browsing import (
    Opening,
    browser_options,
    guarded,
    own_browser_of,
    settings_for,
    voice_for,
)
from subterminator.doors.deputies import Onlooker, Rehearsal, Standing, Unbothered, Witness
from subterminator.doors.device import opened
from subterminator.doors.exit_codes import (
    AT_THE_GATE,
    BROKEN,
    ELSEWHERE,
    FAILED,
    INTERRUPTED,
    PENDING,
    PERSON_NEEDED,
    STOPPED,
    UNVERIFIED,
)
from subterminator.doors.leading import planner_options
from subterminator.doors.menu import choose
from subterminator.doors.progress import ENDS, Ending, Voice
from subterminator.doors.terminal import Terminal, is_plain
from subterminator.errors import InvalidParams
from subterminator.hub import Hub
from subterminator.inbox import Asker
from subterminator.machine import Machine, this_machine
from subterminator.packs import registry
from subterminator.peers import only_people
from subterminator.runs.record import ARTIFACTS
from subterminator.runs.store import Store
from subterminator.safety.human import Human, nobody
from subterminator.safety.task import Task
from subterminator.session import Session

if TYPE_CHECKING:
    from subterminator.doors.extension.mine import Mine

LIMITS = frozenset({"max_turns_exceeded", "time_limit", "cost_limit", "rate_limit", "loop"})
# So long the last lines of a record may take to be read when the run is over.
FOLLOW_SECONDS = 2.0
STOPPED_THERE = "Stopped in the panel of your browser. Look at the account page to be sure."


class Flags(Opening, frozen=True, kw_only=True):
    """The command line as it was typed. None: not given."""

    name: str | None = None
    service: str | None = None
    url: str | None = None
    goal: str = ""
    dry_run: bool = False
    verbose: bool = False
    approve: Literal["final"] | None = None
    wait: bool = False
    max_turns: int | None = None
    no_checkpoint: bool = False
    target: Literal["live", "mock"] = "live"
    planner: str | None = None
    model: str | None = None
    small_model: str | None = None
    base_url: str | None = None
    max_cost: float | None = None
    subscription: str = ""
    """Which one, where several are ended at the same place; of the queue, no option."""


@click.command("cancel", short_help="Cancel a subscription and prove it.")
@click.argument("name", required=False)
@click.option("--service", "-s", metavar="NAME", help="The same as NAME.")
@click.option("--url", help="Its account page; for a service that is not in the list.")
@click.option("--goal", default="", help="What to cancel there, in your words.")
@click.option("--dry-run", "-n", is_flag=True, help="Walk to the last step and stop there.")
@click.option("--verbose", "-V", is_flag=True, help="Also tell every action.")
@click.option(
    "--approve",
    type=click.Choice(["final"]),
    help="With --no-input: press the last button if it is as in your dry run of the last 24 hours.",
)
@click.option("--wait", is_flag=True, help="No terminal: wait for `subterminator approve`.")
@click.option("--max-turns", type=click.IntRange(1, 1000), help="Steps it may take; 20.")
@click.option(
    "--no-checkpoint",
    is_flag=True,
    help="Do not ask before going to another site. The last step, money and deleting always ask.",
)
@click.option(
    "--target", type=click.Choice(["live", "mock"]), default="live", help="mock: practise."
)
@planner_options
@browser_options
@click.pass_obj
def cancel(planner: Conduct | None, /, **chosen: object) -> None:
    """Cancel a subscription. You are asked once, before the last click.

    NAME is a service of `subterminator services list`. Without it you can choose.
    """
    flags = convert(chosen, Flags)
    sys.exit(_carry_out(flags, planner or ""))


def _carry_out(flags: Flags, planner: str | Conduct) -> int:
    machine = this_machine()

    def begin() -> int:
        started = replace(flags, browser=None) if own_browser_of(flags) is not None else flags
        settings = settings_for(started, machine, led_by(flags))
        voice = voice_for(flags, machine, plain=settings.plain)
        return asyncio.run(Run(flags, settings, machine, voice).to_its_end(planner))

    return guarded(voice_for(flags, machine), begin)


def led_by(flags: Flags) -> dict[str, object]:
    """The settings that say who leads, and how far."""
    return {
        "max_turns": flags.max_turns,
        "planner": flags.planner,
        "model": flags.model,
        "small_model": flags.small_model,
        "base_url": flags.base_url,
        "max_cost": flags.max_cost,
    }


class Run:
    """One cancellation: who is asked, what is told, what it comes to."""

    def __init__(self, flags: Flags, settings: Settings, machine: Machine, voice: Voice) -> None:
        self._flags = flags
        self._settings = settings
        self._machine = machine
        self._voice = voice
        # Where others look for what is asked; a practice run keeps all else elsewhere.
        self._home = settings.state_dir
        self.result: TaskResult | None = None
        self._terminal = Terminal(plain=settings.plain or None)
        self._rehearsal: Rehearsal | None = None
        self._standing: Standing | None = None
        self._sessions: list[Session] = []
        self._following: asyncio.Task[None] | None = None

    async def to_its_end(self, planner: str | Conduct) -> int:
        self._check()
        async with AsyncExitStack() as stack:
            errand = await self._errand(planner, stack)
            mine = await self._own_browser(stack)
            hub = await stack.enter_async_context(Hub(check=only_people(self._machine)))
            witness = await self._witness(hub, errand, mine)
            work = run_cancellation(
                replace(errand, attach=mine.portion) if mine else errand,
                human=witness,
                settings=self._settings,
                tell=mine.told(self._voice.tell) if mine else self._voice.tell,
                begun=lambda session: self._begin(session, hub, stack, mine),
            )
            result = await (mine.unless_stopped(work) if mine else work)
            await self._stop_following()
            if result is None:
                self._voice.fail(STOPPED_THERE, STOPPED)
                return STOPPED
            code = self._end(result, witness)
            if mine:
                mine.end(result, ENDS[result.outcome][1])
        return code

    async def _own_browser(self, stack: AsyncExitStack) -> Mine | None:
        name = own_browser_of(self._flags)
        if name is None:
            return None
        from subterminator.doors.extension.mine import own_browser

        return await stack.enter_async_context(
            own_browser(replace(self._settings, state_dir=self._home), name, self._voice.note)
        )

    def _check(self) -> None:
        flags = self._flags
        if flags.approve and not self._settings.no_prompts:
            raise InvalidParams(
                "--approve goes with --no-input.", next_step="At a terminal you are asked."
            )
        if flags.approve and flags.dry_run:
            raise InvalidParams("--approve presses what --dry-run does not.")
        if flags.attach and own_browser_of(flags) is not None:
            raise InvalidParams(
                "--attach and --browser mine name two browsers.", next_step="Give one of them."
            )
        if flags.name and flags.service and flags.name != flags.service:
            raise InvalidParams("Two services are named.", next_step="Name one.")
        if flags.no_checkpoint:
            self._voice.note("The last step, money and deleting still ask: no flag covers these.")

    # What

    async def _errand(self, planner: str | Conduct, stack: AsyncExitStack) -> Errand:
        flags = self._flags
        errand = Errand(
            service=flags.service or flags.name or "",
            url=flags.url or "",
            goal=flags.goal,
            subscription=flags.subscription,
            planner=planner,
            attach=flags.attach,
            dry_run=flags.dry_run,
        )
        packs = registry.load(self._machine)
        if not errand.service and not errand.url:
            if self._settings.no_prompts:
                raise InvalidParams("Name the service.", next_step="Or give its --url.")
            plain = self._settings.plain or is_plain(self._machine.environ)
            errand = replace(errand, service=await choose(packs, plain=plain))
        destination(errand, packs)
        return await self._practise(errand, stack) if flags.target == "mock" else errand

    async def _practise(self, errand: Errand, stack: AsyncExitStack) -> Errand:
        """The same on a site of our own, which leaves nothing in the user's ledger."""
        from subterminator.gym.demo import practice
        from subterminator.gym.flows import p01_plain, p02_flix

        flow = p02_flix.FLOW if errand.service == "netflix" else p01_plain.FLOW
        place = await stack.enter_async_context(practice(flow, self._settings, self._machine))
        self._settings = place.settings
        self._voice.note("This is the practice site: nothing real is cancelled.")
        goal = errand.goal or place.goal
        return replace(errand, service=place.name, url=place.url, goal=goal)

    # Who

    async def _witness(self, hub: Hub, errand: Errand, mine: Mine | None) -> Witness:
        flags, settings = self._flags, self._settings
        with opened() as device:
            present = device is not None and not settings.no_prompts
        person: Human = nobody if settings.no_prompts else Onlooker()
        waits = (flags.wait or mine is not None) and not settings.no_prompts
        panel = [mine.panel] if mine and not settings.no_prompts else []
        if (present or waits) and (panel or sys.platform != "win32"):
            if sys.platform != "win32":
                await hub.listen(self._home)
            asker = Asker(f"cancel {errand.service or errand.url}", (os.getpid(),))
            person = hub.human(asker, *([self._terminal] if present else []), *panel)
        if flags.no_checkpoint:
            person = Unbothered(person)
        if flags.dry_run:
            person = self._rehearsal = Rehearsal(person, settings.state_dir, self._task)
        if flags.approve:
            person = self._standing = Standing(person, settings.state_dir, self._task)
        window = bool(flags.attach) or mine is not None or not settings.headless
        return Witness(
            person,
            present=present or waits,
            window=window,
            asked=self._voice.asked,
            picture=self._picture,
        )

    def _task(self) -> Task:
        return self._sessions[-1].task

    def _picture(self, digest: str) -> str:
        kept = Store(self._settings.state_dir).folder / self._sessions[-1].record.id / ARTIFACTS
        return str(kept / digest)

    def _begin(self, session: Session, hub: Hub, stack: AsyncExitStack, mine: Mine | None) -> None:
        self._sessions.append(session)
        if mine:
            mine.panel.begin(session.record.id, session.task.service, session.task.goal)
        stack.enter_context(hub.holding(session))
        if self._flags.verbose and session.record.id:
            self._following = asyncio.create_task(self._follow(session.record.id))

    # What is told

    async def _follow(self, run: str) -> None:
        async for line in Store(self._settings.state_dir).watch(run):
            self._voice.recorded(line)

    async def _stop_following(self) -> None:
        if self._following:
            await asyncio.wait([self._following], timeout=FOLLOW_SECONDS)
            self._following.cancel()

    def _end(self, result: TaskResult, witness: Witness) -> int:
        self.result = result
        rehearsal = self._rehearsal
        rehearsed = bool(rehearsal and rehearsal.reached and result.outcome == "stopped")
        why = self._standing.why if self._standing else ""
        needed = " ".join(filter(None, (witness.needed, why)))
        code = exit_code(result, rehearsed=rehearsed, needed=bool(needed))
        if self._terminal.interrupted:
            code = INTERRUPTED
        is_live = self._flags.target == "live"
        file = rehearsal.file if rehearsal and rehearsed and is_live else None
        unapproved = rehearsal.why if rehearsal else ""
        self._voice.end(
            Ending(
                result=result,
                exit_code=code,
                needed=needed if code == PERSON_NEEDED else "",
                said=witness.said,
                rehearsed=rehearsed,
                approval=str(file or ""),
                unapproved=unapproved if is_live else "this is the practice site",
            )
        )
        return code


def exit_code(result: TaskResult, *, rehearsed: bool = False, needed: bool = False) -> int:
    """The number that a script reads; `needed`: nobody was there to answer."""
    match result.outcome:
        case "cancelled" | "already_cancelled":
            # A claim without its proof is no success, whoever makes it.
            return 0 if result.success else UNVERIFIED
        case "third_party" | "manual_required":
            return ELSEWHERE
        case "pending":
            return PENDING
        case "unverified":
            return UNVERIFIED
    if rehearsed:
        return AT_THE_GATE
    if needed and result.reason not in LIMITS:
        return PERSON_NEEDED
    broken = result.outcome == "failed" or result.reason in BROKEN
    return FAILED if broken else STOPPED

"""`subterminator cancel`: parses, says who is asked, prints; what is done is in `cancellations`."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Literal

import click
from msgspec import Struct, convert
from msgspec.structs import replace

from subterminator import app
from subterminator.agents.outcome import TaskResult
from subterminator.cancellations import Conduct, Errand, destination, run_cancellation
from subterminator.config import Settings, load
from subterminator.doors.deputies import Onlooker, Rehearsal, Standing, Unbothered, Witness
from subterminator.doors.device import opened
from subterminator.doors.exit_codes import (
    AT_THE_GATE,
    ELSEWHERE,
    ENVIRONMENT,
    FAILED,
    INTERRUPTED,
    PENDING,
    PERSON_NEEDED,
    STOPPED,
    UNVERIFIED,
    USAGE,
)
from subterminator.doors.menu import choose
from subterminator.doors.progress import Ending, JsonLines, Lines, Voice
from subterminator.doors.terminal import Terminal, is_plain
from subterminator.errors import (
    BrowserClosed,
    BrowserMissing,
    InvalidParams,
    SubTerminatorError,
)
from subterminator.hub import Hub
from subterminator.inbox import Asker
from subterminator.machine import Machine, this_machine
from subterminator.packs import registry
from subterminator.peers import only_people
from subterminator.runs.store import Store
from subterminator.safety.human import Human, nobody
from subterminator.safety.task import Task
from subterminator.session import Session

BROKEN = frozenset({"browser_error", "llm_error", "llm_no_action", "mcp_error"})
LIMITS = frozenset({"max_turns_exceeded", "time_limit", "cost_limit", "rate_limit", "loop"})
# So long the last lines of a record may take to be read when the run is over.
FOLLOW_SECONDS = 2.0


class Flags(Struct, frozen=True, kw_only=True):
    """The command line as it was typed. None: not given."""

    name: str | None
    service: str | None
    url: str | None
    goal: str
    dry_run: bool
    headless: bool | None
    verbose: bool
    no_input: bool
    approve: Literal["final"] | None
    wait: bool
    plain: bool
    as_json: bool
    profile_dir: str | None
    browser: str | None
    use_chromium: bool
    attach: str
    max_turns: int | None
    no_checkpoint: bool
    target: Literal["live", "mock"]
    output_dir: str | None


@click.command("cancel", short_help="Cancel a subscription and prove it.")
@click.argument("name", required=False)
@click.option("--service", "-s", metavar="NAME", help="The same as NAME.")
@click.option("--url", help="Its account page; for a service that is not in the list.")
@click.option("--goal", default="", help="What to cancel there, in your words.")
@click.option("--dry-run", "-n", is_flag=True, help="Walk to the last step and stop there.")
@click.option("--headless/--show", default=None, help="Without or with a window.")
@click.option("--verbose", "-V", is_flag=True, help="Also tell every action.")
@click.option("--no-input", "--non-interactive", is_flag=True, help="Ask nobody; stop instead.")
@click.option(
    "--approve",
    type=click.Choice(["final"]),
    help="With --no-input: press the last button if it is as in your dry run of the last 24 hours.",
)
@click.option("--wait", is_flag=True, help="No terminal: wait for `subterminator approve`.")
@click.option("--plain", is_flag=True, help="Words instead of colours, numbered choices.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.option("--profile-dir", metavar="FOLDER", help="A browser profile of your own.")
@click.option("--browser", metavar="PATH", help="The browser to start.")
@click.option("--use-chromium", is_flag=True, help="Start Chromium even where there is Chrome.")
@click.option("--attach", "--cdp-url", default="", metavar="ADDRESS", help="Use a running browser.")
@click.option("--max-turns", type=click.IntRange(1, 1000), help="Steps it may take; 20.")
@click.option(
    "--no-checkpoint",
    is_flag=True,
    help="Do not ask before going to another site. The last step, money and deleting always ask.",
)
@click.option(
    "--target", type=click.Choice(["live", "mock"]), default="live", help="mock: practise."
)
@click.option("--output-dir", metavar="FOLDER", help="Where the proof goes.")
@click.pass_obj
def cancel(planner: Conduct | None, /, **chosen: object) -> None:
    """Cancel a subscription. You are asked once, before the last click.

    NAME is a service of `subterminator services list`. Without it you can choose.
    """
    flags = convert(chosen, Flags)
    sys.exit(_carry_out(flags, planner or "heuristic"))


def _carry_out(flags: Flags, planner: str | Conduct) -> int:
    machine = this_machine()
    plain = flags.plain or is_plain(machine.environ)
    voice: Voice = JsonLines(click.echo) if flags.as_json else _lines(plain)
    try:
        settings = _settings(flags, machine)
        if settings.plain and not flags.as_json:
            voice = _lines(True)
        run = _Run(flags, settings, machine, voice)
        return asyncio.run(run.to_its_end(planner))
    except KeyboardInterrupt:
        voice.fail("Interrupted.", INTERRUPTED)
        return INTERRUPTED
    except SubTerminatorError as fault:
        code = _code_of_fault(fault)
        voice.fail(f"{fault.message} {fault.advice}".rstrip(), code)
        return code


def _settings(flags: Flags, machine: Machine) -> Settings:
    screen = has_screen(machine)
    if flags.headless is False and not screen:
        raise BrowserMissing(
            "There is no screen here to show a window on.",
            next_step="Run it where there is one, or use --headless with a --profile-dir.",
        )
    browser = app.chromium_of(machine) if flags.use_chromium else flags.browser
    given = {
        "headless": flags.headless,
        "browser": browser,
        "profile_dir": _absolute(flags.profile_dir),
        "output_dir": _absolute(flags.output_dir),
        "max_turns": flags.max_turns,
        "no_prompts": flags.no_input or None,
        "plain": flags.plain or None,
    }
    return load(machine, given, {"headless": not screen})


class _Run:
    """One command: who is asked, what is told, what it comes to."""

    def __init__(self, flags: Flags, settings: Settings, machine: Machine, voice: Voice) -> None:
        self._flags = flags
        self._settings = settings
        self._machine = machine
        self._voice = voice
        self._terminal = Terminal(plain=settings.plain or None)
        self._rehearsal: Rehearsal | None = None
        self._standing: Standing | None = None
        self._sessions: list[Session] = []
        self._following: asyncio.Task[None] | None = None

    async def to_its_end(self, planner: str | Conduct) -> int:
        self._check()
        async with AsyncExitStack() as stack:
            errand = await self._errand(planner, stack)
            hub = await stack.enter_async_context(Hub(check=only_people(self._machine)))
            witness = await self._witness(hub, errand)
            result = await run_cancellation(
                errand,
                human=witness,
                settings=self._settings,
                tell=self._voice.tell,
                begun=lambda session: self._begin(session, hub, stack),
            )
            await self._stop_following()
        return self._end(result, witness)

    def _check(self) -> None:
        flags = self._flags
        if flags.approve and not self._settings.no_prompts:
            raise InvalidParams(
                "--approve goes with --no-input.", next_step="At a terminal you are asked."
            )
        if flags.approve and flags.dry_run:
            raise InvalidParams("--approve presses what --dry-run does not.")
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

    async def _witness(self, hub: Hub, errand: Errand) -> Witness:
        flags, settings = self._flags, self._settings
        with opened() as device:
            present = device is not None and not settings.no_prompts
        person: Human = nobody if settings.no_prompts else Onlooker()
        waits = flags.wait and not settings.no_prompts
        if (present or waits) and sys.platform != "win32":
            await hub.listen(settings.state_dir)
            asker = Asker(f"cancel {errand.service or errand.url}", (os.getpid(),))
            person = hub.human(asker, *([self._terminal] if present else []))
        if flags.no_checkpoint:
            person = Unbothered(person)
        if flags.dry_run:
            person = self._rehearsal = Rehearsal(person, settings.state_dir, self._task)
        if flags.approve:
            person = self._standing = Standing(person, settings.state_dir, self._task)
        window = bool(flags.attach) or not settings.headless
        return Witness(person, present=present or waits, window=window, asked=self._voice.asked)

    def _task(self) -> Task:
        return self._sessions[-1].task

    def _begin(self, session: Session, hub: Hub, stack: AsyncExitStack) -> None:
        self._sessions.append(session)
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
        rehearsal = self._rehearsal
        rehearsed = bool(rehearsal and rehearsal.reached and result.outcome == "stopped")
        why = self._standing.why if self._standing else ""
        needed = " ".join(filter(None, (witness.needed, why)))
        code = exit_code(result, rehearsed=rehearsed, needed=bool(needed))
        if self._terminal.interrupted:
            code = INTERRUPTED
        is_live = self._flags.target == "live"
        file = rehearsal.file if rehearsal and rehearsed and is_live else None
        self._voice.end(
            Ending(
                result=result,
                exit_code=code,
                needed=needed if code == PERSON_NEEDED else "",
                said=witness.said,
                rehearsed=rehearsed,
                approval=str(file or ""),
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


def has_screen(machine: Machine) -> bool:
    if machine.platform in ("darwin", "win32"):
        return True
    return bool(machine.environ.get("DISPLAY") or machine.environ.get("WAYLAND_DISPLAY"))


def _code_of_fault(fault: SubTerminatorError) -> int:
    match fault:
        case InvalidParams():
            return USAGE
        case BrowserMissing() | BrowserClosed():
            return ENVIRONMENT
        case _:
            return FAILED


def _absolute(path: str | None) -> str | None:
    return str(Path(path).expanduser().absolute()) if path else None


def _lines(plain: bool) -> Lines:
    return Lines(click.echo, plain=plain, write_error=lambda text: click.echo(text, err=True))

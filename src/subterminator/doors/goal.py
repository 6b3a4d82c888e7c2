"""`subterminator run`: parses, says who is asked, prints; what is done is in `goals`."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import click
import msgspec
from msgspec import convert

from subterminator.config import Settings
from subterminator.doors.browsing import (
    Opening,
    browser_options,
    guarded,
    settings_for,
    voice_for,
)
from subterminator.doors.deputies import Onlooker, Witness
from subterminator.doors.device import opened, printable
from subterminator.doors.exit_codes import BROKEN, FAILED, PERSON_NEEDED, STOPPED, UNVERIFIED
from subterminator.doors.leading import model_options
from subterminator.doors.progress import Voice
from subterminator.doors.terminal import Terminal
from subterminator.goals import Wanted, run_goal
from subterminator.hub import Hub
from subterminator.inbox import Asker
from subterminator.machine import Machine, this_machine
from subterminator.peers import only_people
from subterminator.safety.human import Human, nobody
from subterminator.session import Session

if TYPE_CHECKING:
    from subterminator.agents.pursuit import GoalResult

ENDS = {
    "proven": "Done, and the page shows it.",
    "claimed": "It says that it is done; nothing has proven it.",
    "gave_up": "It was given up.",
    "stopped": "Stopped.",
}


class Flags(Opening, frozen=True, kw_only=True):
    """The command line as it was typed. None: not given."""

    goal: str
    url: str
    expect: str = ""
    max_turns: int | None = None
    planner: str | None = None
    model: str | None = None
    small_model: str | None = None
    base_url: str | None = None
    max_cost: float | None = None


@click.command("run", short_help="Let a model pursue any goal on a site; you stay in charge.")
@click.argument("goal")
@click.option("--url", required=True, metavar="ADDRESS", help="Where it begins.")
@click.option("--expect", default="", metavar="TEXT", help="Words that the page shows at the end.")
@click.option("--max-turns", type=click.IntRange(1, 1000), help="Steps it may take; 20.")
@click.option("--planner", type=click.Choice(["llm", "team"]), help="One model, or a team; llm.")
@model_options
@browser_options
def run(**chosen: object) -> None:
    """Let a model pursue GOAL, beginning at an address.

    You are asked before anything that cannot be undone, and you sign in yourself. It stays on that
    site. Without --expect nothing can prove that it worked, and the exit code says so.
    """
    flags = convert(chosen, Flags)
    machine = this_machine()

    def begin() -> int:
        given = {
            name: msgspec.structs.asdict(flags)[name]
            for name in ("max_turns", "planner", "model", "small_model", "base_url", "max_cost")
        }
        settings = settings_for(flags, machine, given)
        voice = voice_for(flags, machine, plain=settings.plain)
        return asyncio.run(_carry_out(flags, settings, machine, voice))

    sys.exit(guarded(voice_for(flags, machine), begin))


async def _carry_out(flags: Flags, settings: Settings, machine: Machine, voice: Voice) -> int:
    async with AsyncExitStack() as stack:
        hub = await stack.enter_async_context(Hub(check=only_people(machine)))
        witness = await _witness(flags, settings, hub, voice)
        result = await run_goal(
            Wanted(goal=flags.goal, url=flags.url, expect=flags.expect, attach=flags.attach),
            human=witness,
            settings=settings,
            tell=voice.tell,
            begun=lambda session: _hold(stack, hub, session),
        )
    code = exit_code(result, needed=bool(witness.needed))
    if flags.as_json:
        facts = {"event": "result", "exit_code": code, **msgspec.structs.asdict(result)}
        click.echo(msgspec.json.encode(facts).decode())
    else:
        for line in closing(result, witness.needed):
            click.echo(printable(line))
    return code


def _hold(stack: AsyncExitStack, hub: Hub, session: Session) -> None:
    stack.enter_context(hub.holding(session))


async def _witness(flags: Flags, settings: Settings, hub: Hub, voice: Voice) -> Witness:
    with opened() as device:
        present = device is not None and not settings.no_prompts
    person: Human = nobody if settings.no_prompts else Onlooker()
    if present and sys.platform != "win32":
        await hub.listen(settings.state_dir)
        asker = Asker(f"run {flags.url.partition('?')[0]}", (os.getpid(),))
        person = hub.human(asker, Terminal(plain=settings.plain or None))
    window = bool(flags.attach) or not settings.headless
    return Witness(person, present=present, window=window, asked=voice.asked)


def exit_code(result: GoalResult, *, needed: bool = False) -> int:
    """The number that a script reads."""
    if result.success:
        return 0
    if result.reason in BROKEN:
        return FAILED
    if needed:
        return PERSON_NEEDED
    return UNVERIFIED if result.claim.startswith("success") else STOPPED


def closing(result: GoalResult, needed: str = "") -> list[str]:
    """The last lines: what it came to, why, what it took, where the record is."""
    says_done = result.claim.startswith("success")
    gave_up = result.claim.startswith("failed")
    how = "proven" if result.success else "claimed" if says_done else "gave_up" if gave_up else ""
    lines = [ENDS[how or "stopped"]]
    if result.claim:
        lines.append(f"The model says: {result.claim.partition(': ')[2]}")
    if needed or (result.error and not gave_up):
        lines.append(f"Why: {needed or result.error}")
    lines.append(f"{result.turns} turns; {result.spent.words()}")
    if result.run:
        lines.append(f"Record: subterminator runs show {result.run}")
    return lines

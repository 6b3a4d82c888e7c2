"""`subterminator approve`: answers what runs of this user ask, from a terminal of its own."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import NamedTuple

import click
import msgspec

from subterminator.config import load
from subterminator.control import Answer, Client, ListWaiting, Taken, WaitingList, sockets
from subterminator.doors.device import opened, printable
from subterminator.doors.exit_codes import STOPPED
from subterminator.errors import InvalidParams, Refused, SubTerminatorError
from subterminator.inbox import Waiting
from subterminator.machine import this_machine
from subterminator.safety.human import describe


class Found(NamedTuple):
    """An open question and the socket of the hub that asks it."""

    path: Path
    waiting: Waiting


@click.command("approve", context_settings={"ignore_unknown_options": True})
@click.argument("id", required=False)
@click.option("--list", "only_list", is_flag=True, help="List what waits and answer nothing.")
@click.option("--json", "as_json", is_flag=True, help="List it as JSON, one object a line.")
def approve(id: str | None, only_list: bool, as_json: bool) -> None:
    """Answer a question that a run asks. Only a person at a terminal can; no flag says yes."""
    found = look_around(load(this_machine()).state_dir)
    if as_json:
        for each in found:
            click.echo(msgspec.json.encode(each.waiting).decode())
        return
    if not found and not id:
        click.echo("Nothing waits for an answer.")
        return
    if only_list:
        for each in found:
            click.echo(_line(each))
        return
    sys.exit(0 if answer(choose(found, id)) else STOPPED)


def look_around(state_dir: str) -> list[Found]:
    """What all hubs of this user ask."""
    found: list[Found] = []
    for path in sockets(state_dir):
        try:
            with Client(path) as hub:
                reply = hub.ask(ListWaiting())
        except SubTerminatorError:
            continue  # It ended, or is not to be trusted; the others still count.
        if isinstance(reply, WaitingList):
            found += [Found(path, waiting) for waiting in reply.waiting]
    return found


def choose(found: list[Found], id: str | None) -> Found:
    """The question meant: by the beginning of its id, or the only one."""
    meant = [each for each in found if each.waiting.question.id.startswith(id or "")]
    if len(meant) == 1:
        return meant[0]
    if not meant:
        raise InvalidParams(
            f"No question {id!r} waits.", next_step="See what does: subterminator approve --list"
        )
    listed = "\n".join(_line(each) for each in found)
    raise InvalidParams(
        f"{len(meant)} questions wait.", next_step=f"Say which one, by its id:\n{listed}"
    )


def answer(found: Found) -> bool:
    """Show it, take the words that are typed, and hand them to the hub, which judges them."""
    question = found.waiting.question
    words = asyncio.run(_ask(found.waiting))
    with Client(found.path) as hub:
        reply = hub.ask(Answer(question.id, question.digest, words))
    yes = isinstance(reply, Taken) and reply.yes
    click.echo("Answered: yes." if yes else "Answered: no.")
    return yes


async def _ask(waiting: Waiting) -> str:
    with opened() as device:
        if device is None:
            raise Refused(
                "Only a person at a terminal can answer, and there is none here.",
                next_step="Run `subterminator approve` in a terminal window of your own.",
            )
        for line in describe(waiting.question):
            device.say(line)
        device.say(f"Asked by  {waiting.asker}, open for {waiting.seconds_left:.0f} s more")
        if waiting.kind == "hand_over":
            return await device.ask("Type done when you have done it; anything else: it is not:")
        return await device.ask(f"Type {waiting.question.red or 'yes'} to agree; Enter alone: no:")


def _line(found: Found) -> str:
    waiting = found.waiting
    return printable(f"{waiting.question.id}  {waiting.asker}: {waiting.question}")

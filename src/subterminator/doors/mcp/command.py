"""`subterminator mcp`: parses options, opens desks, serves stdio. Standard output is the wire."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Literal

import click
from msgspec import Struct, convert

from subterminator import app
from subterminator.config import Settings, load
from subterminator.doors.browsing import has_screen
from subterminator.doors.mcp.hosts import HOSTS, snippet
from subterminator.errors import ActionFailed
from subterminator.hub import Hub
from subterminator.inbox import Asker
from subterminator.machine import this_machine
from subterminator.peers import only_people
from subterminator.safety.human import Human
from subterminator.safety.scopes import Scopes
from subterminator.safety.task import Task
from subterminator.session import Session

if TYPE_CHECKING:
    from subterminator.doors.mcp.desk import Desk
    from subterminator.doors.mcp.jobs import Asks

MISSING = "MCP needs packages that are not installed."
INSTALL = "Run: python3 -m pip install 'subterminator[mcp]'"
PACKAGES = frozenset({"mcp", "mcp_types"})
# A person who was called needs longer to find the terminal than one who sits before it.
LONG_MS = 600_000
LABEL = "mcp"


class Flags(Struct, frozen=True, kw_only=True):
    """The command line as it was typed. None: not given."""

    headless: bool | None
    tools: Literal["default", "full", "seeds"]
    approve_by: Literal["terminal", "elicitation"]
    wait_seconds: float
    sites: str | None
    profile_dir: str | None
    browser: str | None
    print_config: str | None


@click.command("mcp", short_help="Be a browser for an AI host, over MCP.")
@click.option("--headless/--show", default=None, help="Without or with a window.")
@click.option(
    "--tools",
    type=click.Choice(["default", "full", "seeds"]),
    default="default",
    show_default=True,
    help="Few strong tools; one for every action, too; names of other contracts.",
)
@click.option(
    "--approve-by",
    type=click.Choice(["terminal", "elicitation"]),
    default="terminal",
    show_default=True,
    help="Who takes a yes to what cannot be undone: only `subterminator approve`, or the host too.",
)
@click.option(
    "--wait-seconds",
    type=click.FloatRange(1, 600),
    default=45.0,
    show_default=True,
    help="How long a call waits for a person before it answers that it is pending.",
)
@click.option("--sites", metavar="HOSTS", help="Only these hosts, without asking; comma list.")
@click.option("--profile-dir", metavar="FOLDER", help="A browser profile of your own.")
@click.option("--browser", metavar="PATH", help="The browser to start.")
@click.option("--print-config", type=click.Choice(HOSTS), help="What to paste into a host; ends.")
def mcp(**chosen: object) -> None:
    """Serve MCP on standard input and output, for a host that starts this.

    What cannot be undone waits until you answer `subterminator approve` in a terminal of your own.
    """
    flags = convert(chosen, Flags)
    if flags.print_config:
        click.echo(snippet(flags.print_config, _options(flags)))
        return
    machine = this_machine()
    given = {
        "headless": flags.headless,
        "browser": flags.browser,
        "profile_dir": os.path.abspath(os.path.expanduser(flags.profile_dir))
        if flags.profile_dir else None,
        "sites": [host for host in flags.sites.split(",") if host] if flags.sites else None,
    }  # fmt: skip
    usual = {"headless": not has_screen(machine), "confirm_timeout_ms": LONG_MS}
    try:
        asyncio.run(serve(flags, load(machine, given, usual)))
    except KeyboardInterrupt:
        return


def _options(flags: Flags) -> list[str]:
    """The options of this call, for the host to repeat."""
    found: list[str] = []
    if flags.headless is not None:
        found.append("--headless" if flags.headless else "--show")
    if flags.tools != "default":
        found += ["--tools", flags.tools]
    if flags.approve_by != "terminal":
        found += ["--approve-by", flags.approve_by]
    for name, value in (
        ("--sites", flags.sites),
        ("--profile-dir", flags.profile_dir),
        ("--browser", flags.browser),
    ):
        found += [name, value] if value else []
    return found


async def serve(flags: Flags, settings: Settings) -> None:
    try:
        from mcp.server.stdio import stdio_server

        from subterminator.doors.mcp.server import Door
    except ModuleNotFoundError as missing:
        if missing.name not in PACKAGES:
            raise
        raise ActionFailed(MISSING, next_step=INSTALL) from missing
    async with at_desk(settings) as desk:
        door = Door(lambda _: desk, flags.tools, flags.approve_by, flags.wait_seconds)
        server = door.server()
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())


@asynccontextmanager
async def at_desk(settings: Settings) -> AsyncIterator[Desk]:
    """The desk of the one client of this process, reachable by `subterminator approve`."""
    from subterminator.doors.mcp.desk import Desk

    # The host that started us cannot answer for its person, nor can what it starts.
    asker = Asker(f"MCP host, process {os.getppid()}", (os.getpid(), os.getppid()))
    async with Hub(check=only_people(this_machine())) as hub:
        await hub.listen(settings.state_dir)

        def person_of(asks: Asks) -> Human:
            return hub.human(asker, asks)

        desk = Desk(lambda human: browsing(hub, settings, human), person_of, settings)
        try:
            yield desk
        finally:
            await desk.close()


@asynccontextmanager
async def browsing(hub: Hub, settings: Settings, human: Human) -> AsyncIterator[Session]:
    """A browser of its own for a desk, with what a model may do and nothing more."""
    terms = app.Terms(Scopes.of(["full"]), watch=lambda record: hub.watched(record, LABEL))
    task = Task(os.urandom(8).hex(), settings.sites)
    driver = await app.drive(settings)
    async with app.over(driver, human=human, settings=settings, task=task, terms=terms) as session:
        with hub.holding(session, LABEL):
            yield session

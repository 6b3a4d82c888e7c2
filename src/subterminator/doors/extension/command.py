"""`subterminator extension`: how it is installed, which browsers are paired, pair and revoke."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress

import click
import msgspec
from msgspec import Struct

from subterminator.config import Settings, load
from subterminator.doors.device import printable
from subterminator.doors.extension.bridge import Bridge
from subterminator.doors.extension.files import extension_folder
from subterminator.doors.extension.mine import hosting, server_folder
from subterminator.doors.extension.pairing import CODE_SECONDS, Pairings
from subterminator.doors.extension.wire import EXTENSION_ID
from subterminator.machine import this_machine

INSTALL = """To install it in Chrome, Edge, Brave or Chromium (116 or newer):
  1. Open chrome://extensions and switch on "Developer mode".
  2. "Load unpacked", and choose this folder:
         {folder}
  3. Pin its icon; a click on it opens the panel.
To pair a browser: subterminator extension pair
To use it:         subterminator cancel NAME --browser mine
"""
TYPE = """Open the extension's panel in your browser and type this code, within 10 minutes:

    {code}
"""


class Known(Struct, frozen=True):
    """A paired browser as it is listed; without its token."""

    name: str
    id: str
    since: str
    connected: bool


@click.group(
    "extension",
    invoke_without_command=True,
    short_help="Work in your own browser: install, pair, revoke.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the pairing state as JSON.")
@click.pass_context
def extension(ctx: click.Context, as_json: bool) -> None:
    """Work in your own, logged-in browser: install our extension there, and pair it."""
    if ctx.invoked_subcommand:
        return
    known = asyncio.run(_known(load(this_machine())))
    folder = str(extension_folder())
    if as_json:
        whole = {"folder": folder, "extension": EXTENSION_ID, "browsers": known}
        click.echo(msgspec.json.format(msgspec.json.encode(whole)))
        return
    click.echo(INSTALL.format(folder=folder))
    for each in known:
        state = "connected" if each.connected else "not connected"
        click.echo(printable(f"{each.name}: paired {each.since[:10]}, {state}"))
    if not known:
        click.echo("No browser is paired yet.")


@extension.command("pair", short_help="Show a code and wait until a browser is paired by it.")
def pair_command() -> None:
    """Show a one-time code for the extension's panel, and wait until it was typed there."""
    with suppress(KeyboardInterrupt):
        sys.exit(asyncio.run(_pair(load(this_machine()))))
    click.echo("Nothing was paired.", err=True)


@extension.command("revoke", short_help="Forget a browser; it is a stranger from then on.")
@click.argument("name")
def revoke_command(name: str) -> None:
    """Forget the browser NAME. If it is connected now, it loses its line at once."""
    settings = load(this_machine())
    gone = Pairings(server_folder(settings)).revoke(name)
    asyncio.run(_tell_revoked(settings, gone.id))
    click.echo(printable(f"{gone.name} is no longer paired."))


async def _known(settings: Settings) -> list[Known]:
    connected = set[str]()
    if bridge := await Bridge.reach(settings.state_dir):
        connected = {each.id for each in await bridge.browsers()}
        await bridge.close()
    paired = Pairings(server_folder(settings)).all()
    return [Known(each.name, each.id, each.since, each.id in connected) for each in paired]


async def _pair(settings: Settings) -> int:
    pairings = Pairings(server_folder(settings))
    before = {each.id: each.token for each in pairings.all()}
    async with hosting(settings) as host:
        click.echo(TYPE.format(code=await host.new_code()))
        new = None
        while new is None:  # Others that are paired already may come back meanwhile.
            there = pairings.find((await host.arrival(CODE_SECONDS)).id)
            new = there if there and before.get(there.id) != there.token else None
    click.echo(printable(f"Paired: {new.name}. Use it with: --browser mine"))
    return 0


async def _tell_revoked(settings: Settings, id: str) -> None:
    if bridge := await Bridge.reach(settings.state_dir):
        await bridge.revoked(id)
        await bridge.close()

"""The command line. Parses and prints; what a command does is elsewhere."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import NamedTuple

import click

from subterminator.doors.exit_codes import ENVIRONMENT, INTERRUPTED, USAGE
from subterminator.doors.shell.places import VERBS
from subterminator.errors import BrowserClosed, BrowserMissing, SubTerminatorError


class Elsewhere(NamedTuple):
    """A command of a module that is imported when the command is called: help has to be quick."""

    module: str
    name: str
    help: str


ELSEWHERE = {
    "approve": Elsewhere("approval", "approve", "Answer a question that a run asks."),
    "audit": Elsewhere("audit", "audit", "Find recurring charges in statements and receipts."),
    "cancel": Elsewhere("cancel", "cancel", "Cancel a subscription and prove it."),
    "demo": Elsewhere("demo", "demo", "See it cancel a made-up subscription."),
    "dispute": Elsewhere("proof", "dispute_command", "Write a letter with the facts of a proof."),
    "extension": Elsewhere(
        "extension.command", "extension", "Work in your own browser: install, pair, revoke."
    ),
    "gym": Elsewhere("gym", "gym", "Made-up subscriptions to practise on."),
    "run": Elsewhere("goal", "run", "Let a model pursue any goal on a site; you stay in charge."),
    "runs": Elsewhere("runs", "runs", "What was recorded: list, show, watch, verify, purge."),
    "verify": Elsewhere("verify", "verify", "Look again whether a subscription has ended."),
    "mcp": Elsewhere("mcp.command", "mcp", "Be a browser for an AI host, over MCP."),
    "serve": Elsewhere("serve", "serve", "Let programs drive a browser over a WebSocket."),
    "skill": Elsewhere("skill", "skill", "How coding agents use the shell verbs."),
    "services": Elsewhere("services", "services", "The services we know, and packs of your own."),
}


class Commands(click.Group):
    """Turns our errors into one line and an exit code; nobody is shown a traceback."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except SubTerminatorError as error:
            # The code in front of an error is for programs.
            click.echo(f"{error.message} {error.advice}".rstrip(), err=True)
            missing = isinstance(error, BrowserMissing | BrowserClosed)
            ctx.exit(ENVIRONMENT if missing else USAGE)
        except KeyboardInterrupt:
            click.echo("Interrupted.", err=True)
            ctx.exit(INTERRUPTED)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *ELSEWHERE})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if there := ELSEWHERE.get(cmd_name):
            module = import_module(f"subterminator.doors.{there.module}")
            command: click.Command = getattr(module, there.name)
            return command
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        here = {name: command.get_short_help_str(80) for name, command in self.commands.items()}
        helps = here | {name: there.help for name, there in ELSEWHERE.items()}
        with formatter.section("Commands"):
            formatter.write_dl([(name, helps[name]) for name in self.list_commands(ctx)])
        with formatter.section("One step each, in a browser that stays open (VERB --help)"):
            formatter.write_text(", ".join(sorted(VERBS)))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(None, "-v", "--version", package_name="subterminator")
def main() -> None:
    """Cancel subscriptions in a real browser. You are asked once, before the final click."""


@main.command("doctor", short_help="What was found here, what is missing, what to do.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.option("--browser", metavar="PATH", help="Look at this browser instead of searching.")
def doctor_command(as_json: bool, browser: str | None) -> None:
    """Say what was found on this machine, what is missing and what to do about it."""
    import asyncio

    import msgspec

    from subterminator import doctor
    from subterminator.config import load
    from subterminator.machine import this_machine

    machine = this_machine()
    settings = load(machine, {"browser": browser})
    report = asyncio.run(doctor.examine(machine, settings, doctor.start_once))
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(report)))
    else:
        for finding in report.findings:
            mark = "ok" if finding.ok else "MISSING" if finding.essential else "-"
            todo = f"\n{'':28}{finding.todo}" if finding.todo else ""
            click.echo(f"{mark:8}{finding.name:20}{finding.found}{todo}")
    sys.exit(0 if report.ok else 1)

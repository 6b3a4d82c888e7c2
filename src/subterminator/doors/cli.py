"""The command line. Parses and prints; what a command does is elsewhere."""

from __future__ import annotations

import asyncio
import sys

import click
import msgspec

from subterminator import doctor
from subterminator.config import load
from subterminator.errors import SubTerminatorError
from subterminator.machine import this_machine


class Commands(click.Group):
    """Turns our errors into one line and exit code 2; nobody is shown a traceback."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except SubTerminatorError as error:
            click.echo(str(error), err=True)
            ctx.exit(2)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="subterminator")
def main() -> None:
    """Cancel subscriptions in a real browser. You are asked once, before the final click."""


@main.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.option("--browser", metavar="PATH", help="Look at this browser instead of searching.")
def doctor_command(as_json: bool, browser: str | None) -> None:
    """Say what was found on this machine, what is missing and what to do about it."""
    machine = this_machine()
    settings = load(machine, {"browser": browser})
    report = asyncio.run(doctor.examine(machine, settings, doctor.start_once))
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(report)))
    else:
        for finding in report.findings:
            click.echo(_line(finding))
    sys.exit(0 if report.ok else 1)


@main.command()
@click.option("--show", is_flag=True, help="Show the browser window.")
def demo(show: bool) -> None:
    """See the engine at work on a small page of our own; no key, no account, no internet."""
    from subterminator.gym.demo import run

    asyncio.run(run(click.echo, headless=not show))


def _line(finding: doctor.Finding) -> str:
    mark = "ok" if finding.ok else "MISSING" if finding.essential else "-"
    todo = f"\n{'':28}{finding.todo}" if finding.todo else ""
    return f"{mark:8}{finding.name:20}{finding.found}{todo}"

"""The commands of the gym. Parses and prints; the gym itself is elsewhere."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from subterminator.gym.models.faults import Fault
    from subterminator.gym.scene import Setup


@click.group("gym", short_help="Made-up subscriptions to practise on.")
def gym() -> None:
    """Serve made-up subscription sites on this machine, to practise and to measure on."""


@gym.command()
@click.option("--port", type=click.IntRange(0, 65535), default=8770, help="0: any free one.")
@click.option("--portal-port", type=click.IntRange(0, 65535), default=8771, help="0: any free one.")
@click.option("--seed", type=int, default=0, help="Other ids, names, prices and order.")
@click.option("--skin", type=click.Choice(["A", "B", "C"]), default="A", help="How pages look.")
@click.option("--flaky", is_flag=True, help="Slow answers, one error, questions about cookies.")
@click.option("--token", default="", help="Hide the calls of the harness behind X-Gym-Token.")
@click.option("--until-eof", is_flag=True, hidden=True)
def serve(port: int, portal_port: int, until_eof: bool, **chosen: object) -> None:
    """Serve all sites until Ctrl-C, to this machine only."""
    from msgspec import convert

    from subterminator.gym.scene import Setup

    try:
        asyncio.run(_serve(convert(chosen, Setup), port, portal_port, until_eof))
    except KeyboardInterrupt:
        click.echo("Closed.")


@gym.command(short_help="Score a planner on all flows.")
@click.argument("flows", nargs=-1, metavar="[FLOW]...")
@click.option(
    "--set",
    "flow_set",
    type=click.Choice(["base", "further", "wider", "blind", "all"]),
    help="The 25 that the planner was written with, the 10 that came later, 20 wider ones, "
    "the 10 that it has never met, or all. Without it: base and further.",
)
@click.option("--at", default="", metavar="ADDRESS", help="Score this gym, not one of our own.")
@click.option("--token", default="", help="The token of that gym.")
@click.option(
    "--planner",
    "planners",
    type=click.Choice(["heuristic", "auto", "llm", "team"]),
    multiple=True,
    default=["heuristic"],
    help="Who leads; several are shown side by side.",
)
@click.option("--model", default="", metavar="NAME", help="The model of llm and team.")
@click.option("--base-url", default="", metavar="ADDRESS", help="Where that model is served.")
@click.option(
    "--practice-model",
    "practice",
    type=click.Choice(
        ["good", "claims_success", "clicks_everything", "never_ends", "liar", "obeys"]
    ),
    help="A made-up model of our own instead, offline.",
)
@click.option("--wire", type=click.Choice(["openai", "anthropic"]), default="openai", hidden=True)
@click.option(
    "--engine",
    type=click.Choice(["chromium", "relay", "content", "playwright-mcp"]),
    default="chromium",
    help="A browser we start; or through our extension, with the debugger or content scripts; or "
    "that of an installed Playwright MCP server.",
)
@click.option("--seeds", type=click.IntRange(1, 1000), default=1, help="So many seeds, from 0.")
@click.option("--skin", type=click.Choice(["A", "B", "C", "all"]), default="A")
@click.option("--flaky", is_flag=True, help="Slow answers, one error, questions about cookies.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--jobs", type=click.IntRange(1, 64), default=2, help="So many runs at once.")
def score(**chosen: object) -> None:
    """Let a planner cancel every subscription of a gym and print what it came to.

    FLOW limits it to some, --set to one of the sets. The exit code is 0 only if every flow
    succeeded. With --at the seed, the skin and the weather are those of that gym; --seeds then
    says how often each flow is run.
    """
    if chosen["at"] and (chosen["flaky"] or chosen["skin"] != "A"):
        raise click.UsageError("--skin and --flaky are for a gym of our own, not for --at.")
    from subterminator.doors.score import score as run

    run(**chosen)


@gym.command("model", short_help="Serve a made-up language model.")
@click.option("--port", type=click.IntRange(0, 65535), default=8772, help="0: any free one.")
@click.option(
    "--as",
    "name",
    type=click.Choice(
        ["good", "claims_success", "clicks_everything", "never_ends", "liar", "obeys"]
    ),
    default="good",
    help="Its character.",
)
@click.option(
    "--fault",
    "faults",
    multiple=True,
    metavar="KIND[:TIMES]",
    help="What goes wrong: rate-limit, overloaded, cut, hang, malformed, ...; one after the other.",
)
def serve_model(port: int, name: str, faults: tuple[str, ...]) -> None:
    """Serve a made-up model to this machine until Ctrl-C, as Anthropic and OpenAI would.

    It prints what to set so that the real SDKs talk to it. No key is needed, nothing is paid.
    """
    from subterminator.gym.models.faults import parse

    planned = [parse(fault) for fault in faults]
    try:
        asyncio.run(_serve_model(port, name, planned))
    except KeyboardInterrupt:
        click.echo("Closed.")


async def _serve_model(port: int, name: str, faults: list[Fault]) -> None:
    from subterminator.gym.models.personalities import become
    from subterminator.gym.models.server import practising

    async with practising(become(name), faults, port=port) as practice:
        click.echo(f"The practice model {name} is at {practice.address}. Stop it with Ctrl-C.")
        for address, model in (
            (practice.openai_address, "openai:practice"),
            (practice.address, "claude-practice"),
        ):
            click.echo(f"export SUBTERMINATOR_MODEL={model} SUBTERMINATOR_BASE_URL={address}")
        await asyncio.Event().wait()


async def _serve(setup: Setup, port: int, portal_port: int, until_eof: bool) -> None:
    from subterminator.gym.server import gym as running

    async with running(setup, port=port, portal_port=portal_port) as addresses:
        click.echo(
            f"The gym is at {addresses.site} (billing portal: {addresses.portal}). "
            "Stop it with Ctrl-C."
        )
        if until_eof:
            # Whoever has started us for itself is gone when this returns, however it went.
            await asyncio.to_thread(sys.stdin.buffer.read)
        else:
            await asyncio.Event().wait()

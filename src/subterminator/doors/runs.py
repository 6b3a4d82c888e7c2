"""`subterminator runs`: looks at what was recorded. Parses and prints; the rest is in `runs`."""

from __future__ import annotations

import asyncio

import click
import msgspec

from subterminator.config import load
from subterminator.machine import this_machine
from subterminator.runs.chain import Line
from subterminator.runs.sentences import sentence
from subterminator.runs.store import RETENTION_DAYS, Store, Summary, Verified

RUN = "RUN is the id of a run, the beginning of one, or the word last."
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group("runs", short_help="What was recorded: list, show, watch, verify, purge.")
def runs() -> None:
    """Look at the records of runs: what was decided, asked, answered, done.

    They lie in the folder `runs` of the state folder, readable by you alone, and hold no passwords,
    codes, card numbers, cookies, keys or whole mail addresses.
    """


@runs.command("list")
@as_json
def list_command(as_json: bool) -> None:
    """List all runs, the oldest first."""
    found = _store().summaries()
    if as_json:
        click.echo(msgspec.json.encode(found).decode())
    elif not found:
        click.echo("There are no runs yet.")
    for summary in () if as_json else found:
        click.echo(_row(summary))


@runs.command("show", help=f"Show a run line by line.\n\n{RUN}")
@click.argument("run")
@as_json
def show_command(run: str, as_json: bool) -> None:
    store = _store()
    seen = store.read(store.find(run))
    for line in seen.lines:
        click.echo(_printed(line, as_json))
    if seen.broken:
        click.echo(f"Line {seen.broken} and what follows it is not as it was written.", err=True)
    elif seen.tail:
        click.echo(f"A crash left {len(seen.tail)} bytes of one more line.", err=True)


@runs.command("watch", help=f"Show a run while it goes on, until it ends.\n\n{RUN}")
@click.argument("run", default="last")
@as_json
def watch_command(run: str, as_json: bool) -> None:
    store = _store()
    asyncio.run(_watch(store, store.find(run), as_json))


async def _watch(store: Store, run: str, as_json: bool) -> None:
    async for line in store.watch(run):
        click.echo(_printed(line, as_json))


@runs.command(
    "verify",
    help="Check that records are as they were written, all of them if no run is named.\n\n"
    f"{RUN} The exit code is 1 if one is not.",
)
@click.argument("run", required=False)
@as_json
def verify_command(run: str | None, as_json: bool) -> None:
    store = _store()
    results = [store.verify(each) for each in ([store.find(run)] if run else store.ids())]
    if as_json:
        click.echo(msgspec.json.encode(results).decode())
    for result in () if as_json else results:
        click.echo(_verdict(result))
    raise SystemExit(0 if all(result.ok for result in results) else 1)


@runs.command("purge", help=f"Remove old records, those of one run, or all.\n\n{RUN}")
@click.argument("run", required=False)
@click.option(
    "--older-than",
    "days",
    type=click.FloatRange(min=0),
    help=f"Days since the last line; {RETENTION_DAYS} if nothing is said.",
)
@click.option("--all", "everything", is_flag=True, help="Every run but those that still go on.")
@click.option("--yes", is_flag=True, help="Do not ask before removing all.")
def purge_command(run: str | None, days: float | None, everything: bool, yes: bool) -> None:
    if sum((run is not None, days is not None, everything)) > 1:
        raise click.UsageError("Name a run, or --older-than, or --all: only one of them.")
    store = _store()
    if run is not None:
        removed = [store.find(run)]
        store.remove(removed[0])
    elif everything:
        if not yes:
            click.confirm(f"Remove all {len(store.ids())} records?", abort=True)
        removed = store.purge(0)
    else:
        removed = store.purge(RETENTION_DAYS if days is None else days)
    for name in removed:
        click.echo(f"removed {name}")
    click.echo(f"{len(removed)} removed, {len(store.ids())} left.")


def _store() -> Store:
    return Store(load(this_machine()).state_dir)


def _row(summary: Summary) -> str:
    how = summary.reason or summary.state
    return f"{summary.id:48} {how:20} {summary.lines:>5} lines {summary.size / 1000:>8.1f} kB"


def _printed(line: Line, as_json: bool) -> str:
    if as_json:
        shown = {"n": line.n, "at": line.at, "event": msgspec.Raw(line.raw)}
        return msgspec.json.encode(shown).decode()
    return sentence(line)


def _verdict(result: Verified) -> str:
    words = {
        "intact": f"intact, {result.lines} lines",
        "torn": f"intact but for a half-written last line, {result.lines} lines",
        "broken": f"BROKEN at line {result.broken_at}",
        "unreadable": f"NOT READABLE: {result.why}",
    }[result.state]
    if result.ok and not result.closed:
        words += ", still going on" if result.live else ", never closed"
    if result.bad_artifacts:
        words += f", {len(result.bad_artifacts)} of {result.artifacts} files MISSING OR CHANGED"
    return f"{result.id}: {words}"

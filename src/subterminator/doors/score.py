"""`subterminator gym score`: a run for each flow of a gym, several at once, and what came of it."""

from __future__ import annotations

import asyncio
import contextlib
import difflib
import re
import secrets
import signal
import statistics
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal

import click
import msgspec
from msgspec import Struct, convert
from msgspec.structs import replace

from subterminator.config import load
from subterminator.doors.comparison import compare, count_harms, side_by_side
from subterminator.doors.device import printable
from subterminator.doors.sets import DEFAULT, ChosenSet, by_set, is_asked_for, name_of_set
from subterminator.errors import ActionFailed, BrowserMissing, InvalidParams
from subterminator.gym.harness import Gym, Listed, Row, Trial, give_up
from subterminator.gym.worker import Reply
from subterminator.machine import this_machine

ADDRESS = re.compile(rb"The gym is at (http://\S+) ")
SKINS = ("A", "B", "C")
LONGEST_ROW = 1 << 20
# What makes the runs: in a browser we start, or through our extension in one that has it.
WORKERS = {
    "chromium": ("subterminator.gym.worker",),
    "playwright-mcp": ("subterminator.gym.worker",),
    "relay": ("subterminator.doors.extension.scoring", "debugger"),
    "content": ("subterminator.doors.extension.scoring", "content"),
}
HEADINGS = (
    "flow", "", "points", "state", "claim", "gate", "actions", "ms/action", "s", "set", "harms",
)  # fmt: skip
WIDTHS = (20, 4, 6, 10, 17, 8, 7, 9, 6, 7)


class Wanted(Struct, frozen=True, kw_only=True):
    """The command line as it was typed."""

    at: str
    token: str
    planners: tuple[str, ...]
    model: str
    base_url: str
    practice: str | None
    wire: Literal["openai", "anthropic"]
    engine: str
    seeds: int
    skin: str
    flaky: bool
    as_json: bool
    jobs: int
    flows: tuple[str, ...]
    flow_set: ChosenSet


class Variant(Struct, frozen=True):
    """One way in which a gym of our own shows its flows."""

    seed: int
    skin: str
    flaky: bool

    def __str__(self) -> str:
        return f"seed {self.seed}, skin {self.skin}{', flaky' if self.flaky else ''}"


class Scored(Struct, frozen=True):
    """A row and where it comes from; None: a gym that is not ours."""

    row: Row
    variant: Variant | None


class Summary(Struct, frozen=True, kw_only=True):
    """All rows in a few numbers. CPU is that of the median flow."""

    flows: int
    successes: int
    success_rate: float
    harm_irreversible: int
    harm_serious: int
    harm_policy: int
    false_success: int
    gate_exact: int
    gate_missing: int
    gates_needless: int
    mean_points: float
    actions: int
    cpu_ms_per_action: float
    seconds: float


def score(**chosen: object) -> None:
    """Run, print, and exit with 0 only if every flow succeeded."""
    wanted = convert(chosen, Wanted)
    begun = time.monotonic()
    told = _silent if wanted.as_json else _table()
    rows = asyncio.run(_score(wanted, told))
    summary = summarize([scored.row for scored in rows], time.monotonic() - begun)
    if wanted.as_json:
        compared = [msgspec.to_builtins(line) for line in compare([it.row for it in rows])]
        whole = {
            "summary": summary,
            "planners": compared,
            "flows": [_as_json(scored) for scored in rows],
        }
        click.echo(msgspec.json.format(msgspec.json.encode(whole)))
    else:
        told_rows = [it.row for it in rows]
        lines = [*by_set(told_rows), *in_words(summary), *side_by_side(compare(told_rows))]
        click.echo("\n" + "\n".join(lines))
    sys.exit(0 if summary.flows and summary.successes == summary.flows else 1)


# Running


async def _score(wanted: Wanted, told: Callable[[Scored], None]) -> list[Scored]:
    async with Crew(wanted.jobs, WORKERS[wanted.engine]) as crew, _with_model(wanted) as wanted:
        if wanted.at:
            return await _score_gym(wanted, crew, told, wanted.at, wanted.token, None)
        rows: list[Scored] = []
        for variant in _variants(wanted):
            token = secrets.token_hex(16)
            async with _own_gym(variant, token) as at:
                rows += await _score_gym(wanted, crew, told, at, token, variant)
        return rows


@asynccontextmanager
async def _with_model(wanted: Wanted) -> AsyncIterator[Wanted]:
    """A practice model is served for as long as it is scored."""
    if not wanted.practice:
        yield wanted
        return
    from subterminator.gym.models.personalities import become
    from subterminator.gym.models.server import practising

    async with practising(become(wanted.practice), ()) as practice:
        if wanted.wire == "anthropic":
            yield replace(wanted, model="claude-practice", base_url=practice.address)
        else:
            yield replace(wanted, model="openai:practice", base_url=practice.openai_address)


def _variants(wanted: Wanted) -> Iterable[Variant]:
    for seed in range(wanted.seeds):
        for skin in SKINS if wanted.skin == "all" else wanted.skin:
            yield Variant(seed, skin, wanted.flaky)


async def _score_gym(
    wanted: Wanted,
    crew: Crew,
    told: Callable[[Scored], None],
    at: str,
    token: str,
    variant: Variant | None,
) -> list[Scored]:
    flows = _chosen(await Gym(at, token).flows(), wanted)
    browser = load(this_machine()).browser
    times = 1 if variant else wanted.seeds
    trials = [
        Trial(
            at=at,
            token=token,
            flow=flow,
            sid=f"score-{secrets.token_hex(6)}",
            planner=planner,
            model=wanted.model,
            base_url=wanted.base_url,
            browser=browser,
            engine="playwright-mcp" if wanted.engine == "playwright-mcp" else "chromium",
        )
        for planner in wanted.planners
        for _ in range(times)
        for flow in flows
    ]

    async def one(trial: Trial) -> Scored:
        scored = Scored(await crew.make(trial) or await give_up(trial), variant)
        told(scored)
        return scored

    tasks = [asyncio.ensure_future(one(trial)) for trial in trials]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _chosen(flows: Sequence[Listed], wanted: Wanted) -> list[Listed]:
    known = {flow.id: flow for flow in flows}
    for name in wanted.flows:
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            advice = f"Did you mean {close[0]}?" if close else f"Known: {', '.join(known)}."
            raise InvalidParams(f"There is no flow {name!r}.", next_step=advice)
    named = [known[name] for name in wanted.flows] if wanted.flows else list(flows)
    chosen = [flow for flow in named if is_asked_for(flow.id, wanted.flow_set, wanted.flows)]
    if not chosen:
        raise InvalidParams(
            f"None of these flows is in the set {wanted.flow_set or DEFAULT!r}.",
            next_step="Leave --set out, or name other flows.",
        )
    return chosen


@asynccontextmanager
async def _own_gym(variant: Variant, token: str) -> AsyncIterator[str]:
    """A gym in a process of its own: its work is not ours."""
    options = ["--port=0", "--portal-port=0", f"--seed={variant.seed}", f"--skin={variant.skin}"]
    options += ["--flaky"] * variant.flaky
    async with _process(
        "-m", "subterminator", "gym", "serve", "--until-eof", *options, f"--token={token}"
    ) as gym:
        assert gym.stdout
        line = await gym.stdout.readline()
        found = ADDRESS.match(line)
        if not found:
            raise ActionFailed("The gym did not start.", next_step="Try: subterminator gym serve")
        yield found[1].decode()


class Crew:
    """Processes that make runs, one each at a time."""

    def __init__(self, jobs: int, worker: Sequence[str] = ("subterminator.gym.worker",)) -> None:
        self._worker = worker
        self._free: asyncio.Queue[asyncio.subprocess.Process | None] = asyncio.Queue()
        self._stack = contextlib.AsyncExitStack()
        for _ in range(jobs):
            self._free.put_nowait(None)

    async def __aenter__(self) -> Crew:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def make(self, trial: Trial) -> Row | None:
        """None if the process ended in the middle of it."""
        worker = await self._free.get()
        try:
            if worker is None:
                worker = await self._stack.enter_async_context(_process("-m", *self._worker))
            assert worker.stdin and worker.stdout
            worker.stdin.write(msgspec.json.encode(trial) + b"\n")
            line = await worker.stdout.readline()
            if not line:
                worker = None
                return None
        finally:
            self._free.put_nowait(worker)
        reply = msgspec.json.decode(line, type=Reply)
        if reply.row is None:
            kind = BrowserMissing if reply.code == BrowserMissing.code else ActionFailed
            raise kind(reply.message, next_step=reply.advice)
        return reply.row


@asynccontextmanager
async def _process(*arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process of ours, ended with the block. Ctrl-C reaches us alone, and we end it."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *arguments,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=LONGEST_ROW,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        await process.wait()


# Telling


def summarize(rows: Sequence[Row], seconds: float) -> Summary:
    """The numbers of `gym score --json`."""
    scores = [row.score for row in rows]
    won = sum(bool(each.get("success")) for each in scores)
    return Summary(
        flows=len(rows),
        successes=won,
        success_rate=round(won / len(rows), 4) if rows else 0.0,
        harm_irreversible=sum(count_harms(each, "irreversible") for each in scores),
        harm_serious=sum(count_harms(each, "serious") for each in scores),
        harm_policy=sum(count_harms(each, "policy") for each in scores),
        false_success=sum(bool(each.get("false_success")) for each in scores),
        gate_exact=sum(bool(each.get("gate_exact")) for each in scores),
        gate_missing=sum(bool(each.get("gate_missing")) for each in scores),
        gates_needless=sum(int(each.get("gates_needless") or 0) for each in scores),
        mean_points=round(statistics.fmean(_points(each) for each in scores), 2) if rows else 0.0,
        actions=sum(row.actions for row in rows),
        cpu_ms_per_action=round(_median(row.cpu_ms_per_action for row in rows), 1),
        seconds=round(seconds, 1),
    )


def in_words(summary: Summary) -> list[str]:
    s = summary
    return [
        f"{s.successes} of {s.flows} succeeded ({s.success_rate:.0%}), {s.mean_points:g} points on "
        f"average, {s.false_success} false successes",
        f"harms: {s.harm_irreversible} irreversible, {s.harm_serious} serious, "
        f"{s.harm_policy} policy",
        f"gates: {s.gate_exact} exact, {s.gate_missing} missing, {s.gates_needless} needless",
        f"{s.actions} actions, {s.cpu_ms_per_action:g} ms of our CPU for one (median flow), "
        f"{s.seconds:g} s in all",
    ]


def _points(score: dict[str, Any]) -> float:
    return float(score.get("points") or 0)


def _median(numbers: Iterable[float]) -> float:
    known = list(numbers)
    return statistics.median(known) if known else 0.0


def _as_json(scored: Scored) -> dict[str, object]:
    row = scored.row
    ours = {
        "set": name_of_set(row),
        "outcome": row.outcome,
        "cpu_ms_per_action": round(row.cpu_ms_per_action, 1),
    }
    variant = msgspec.to_builtins(scored.variant) if scored.variant else {}
    return {**row.score, **ours, "wall_seconds": row.seconds, "error": row.error, **variant}


def _silent(_: Scored) -> None:
    """JSON is printed at the end."""


def _table() -> Callable[[Scored], None]:
    """Prints rows as they come; the headings with the first, so that an error stands alone."""
    headings = iter((_line(HEADINGS),))

    def tell(scored: Scored) -> None:
        for line in headings:
            click.echo(line)
        _tell_row(scored)

    return tell


def _tell_row(scored: Scored) -> None:
    row, score = scored.row, scored.row.score
    gate = "exact" if score.get("gate_exact") else "MISSING" if score.get("gate_missing") else "-"
    if score.get("gate_due") and gate == "-":
        gate = "none"
    harms = score.get("harms") or []
    cells = (
        row.flow,
        "ok" if score.get("success") else "NO",
        f"{_points(score):g}",
        str(score.get("account_state", "")),
        str(score.get("claim", row.outcome)),
        gate,
        f"{row.actions}/{score.get('optimal', '?')}",
        f"{row.cpu_ms_per_action:.0f}",
        f"{row.seconds:.1f}",
        name_of_set(row),
        " ".join(str(harm) for harm in harms),
    )
    click.echo(_line(cells))
    if not score.get("success"):
        where = f" ({scored.variant})" if scored.variant else ""
        click.echo(printable(f"    {row.error or row.outcome}{where}"))


def _line(cells: Sequence[str]) -> str:
    *first, last = cells
    padded = (cell.ljust(width) for cell, width in zip(first, WIDTHS, strict=True))
    return printable(f"{'  '.join(padded)}  {last}").rstrip()

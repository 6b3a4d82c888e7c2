"""`subterminator audit`: recurring charges in statements and receipts. Parses and prints."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime

import click
import msgspec
from msgspec import convert
from msgspec.structs import asdict, replace

from subterminator.cancellations import Conduct
from subterminator.config import Settings
from subterminator.doors.browsing import (
    Opening,
    guarded,
    only_browser_options,
    settings_for,
    voice_for,
)
from subterminator.doors.cancel import Flags as CancelFlags
from subterminator.doors.device import opened
from subterminator.doors.exit_codes import PERSON_NEEDED
from subterminator.doors.queue import NOBODY, Errands, Line, ask
from subterminator.errors import InvalidParams
from subterminator.machine import Machine, this_machine
from subterminator.packs import registry
from subterminator.queues import Queue
from subterminator.statements import files
from subterminator.statements.model import Charge, Once, Payer, Report, Source, Total
from subterminator.statements.report import examine, totals
from subterminator.statements.routes import Errand, queue

HEADINGS = ("SERVICE", "PRICE", "PERIOD", "NEXT", "PAYER", "SINCE", "PACK", "CHECKED", "LEAVING")
WIDEST = 28
NO_WORD = "-"
OLD_DAYS = 45
PAYERS: dict[Payer, str] = {
    "direct": "directly",
    "apple": "by Apple",
    "google": "by Google",
    "paypal": "through PayPal",
    "roku": "by Roku",
    "amazon": "by Amazon",
    "carrier": "with the phone bill",
}
SECTIONS = ("Subscriptions", "Contracts, not subscriptions", "Stopped")


class Flags(Opening, frozen=True, kw_only=True):
    """The command line as it was typed."""

    since: datetime | None = None
    cancel: bool = False
    choose: str | None = None
    dry_run: bool = False


@click.command("audit", short_help="Find recurring charges in statements and receipts.")
@click.argument("paths", metavar="FILE...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print everything that was found as JSON.")
@click.option("--plain", is_flag=True, help="A sentence for each charge instead of a table.")
@click.option(
    "--since",
    metavar="YYYY-MM-DD",
    type=click.DateTime(["%Y-%m-%d"]),
    help="Leave out what was last charged before this day.",
)
@click.option("--cancel", is_flag=True, help="Then choose what to cancel, one after the other.")
@click.option(
    "--choose",
    metavar="NUMBERS",
    help="With --cancel: these, such as '1 3-4', 'all' or 'rest'; nobody is asked which.",
)
@click.option("--dry-run", "-n", is_flag=True, help="With --cancel: walk to each last step only.")
@only_browser_options
@click.pass_obj
def audit(planner: Conduct | None, /, paths: tuple[str, ...], **chosen: object) -> None:
    """Find what is charged again and again: how much, how often, by whom, and how to end it.

    FILE is a bank statement as CSV or OFX, or mail with receipts as mbox or eml; several are read
    together. Nothing leaves this computer. Account numbers are masked.
    """
    flags = convert(chosen, Flags)
    machine = this_machine()
    if not flags.cancel and (flags.choose is not None or flags.dry_run):
        raise InvalidParams("--choose and --dry-run go with --cancel.")
    today = date.today()
    report = examine(files.read_all(paths), registry.load(machine), today)
    if flags.since:
        report = _since(report, flags.since.date())
    errands = queue(report.charges) if flags.cancel else []
    if flags.as_json and flags.choose is None:
        found = msgspec.to_builtins(report) | ({"queue": errands} if flags.cancel else {})
        click.echo(msgspec.json.format(msgspec.json.encode(found)))
        return
    if not flags.as_json:
        for line in (*(_source(each, today) for each in report.sources), *_printed(report, flags)):
            click.echo(line)
    if flags.cancel:
        sys.exit(_cancel(flags, machine, errands, planner or ""))


def _cancel(
    flags: Flags, machine: Machine, errands: Sequence[Errand], planner: str | Conduct
) -> int:
    def begin() -> int:
        settings = settings_for(flags, machine)
        voice = voice_for(flags, machine, plain=settings.plain)
        waiting = Queue(settings.state_dir)
        known = Errands(errands, waiting)
        if not flags.as_json:
            for line in _queued(known):
                click.echo(line)
        if not errands:
            return 0
        if flags.choose is None and not _is_asked(settings):
            click.echo(f"\n{NOBODY}")
            return PERSON_NEEDED
        asked = asyncio.run(ask(known)) if flags.choose is None else known.named(flags.choose)
        if not asked:
            click.echo("Nothing was chosen, and nothing was done.", err=flags.as_json)
            return 0
        each = convert(asdict(flags), CancelFlags)
        return Line(waiting, each, settings, machine, voice).run(asked, planner)

    return guarded(voice_for(flags, machine), begin)


def _is_asked(settings: Settings) -> bool:
    with opened() as device:
        return device is not None and not settings.no_prompts


def _since(report: Report, day: date) -> Report:
    charges = tuple(charge for charge in report.charges if charge.last_on >= day)
    once = tuple(one for one in report.once if one.on >= day)
    return replace(report, charges=charges, once=once, totals=totals(charges))


def _printed(report: Report, flags: Flags) -> Iterator[str]:
    if not report.charges:
        yield "\nNo charge comes again and again in these files."
    sections = list(zip(SECTIONS, _sections(report.charges), strict=True))
    if flags.plain or not _fits(report.charges):
        for title, charges in sections:
            yield from _sentences(title, charges)
    else:
        rows = [_row(charge) for charge in report.charges]
        widths = [max(map(len, column)) for column in zip(HEADINGS, *rows, strict=True)]
        for title, charges in sections:
            yield from _table(title, charges, widths)
    if report.once:
        yield "\nSeen once, from a service that usually renews"
        yield from map(_once, report.once)
    if report.totals:
        yield ""
        yield from map(_total, report.totals)


def _sections(charges: Iterable[Charge]) -> tuple[list[Charge], list[Charge], list[Charge]]:
    own: list[Charge] = []
    contracts: list[Charge] = []
    stopped: list[Charge] = []
    for charge in charges:
        part = stopped if not charge.running else contracts if charge.contract else own
        part.append(charge)
    return own, contracts, stopped


def _source(source: Source, today: date) -> str:
    facts = [f"{source.lines} {'receipts' if source.format == 'mail' else 'lines'}"]
    if source.first and source.last:
        facts.append(f"{source.first} to {source.last}")
    if source.accounts:
        facts.append(f"account {', '.join(source.accounts)}")
    facts.extend(source.notes)
    if source.last and (today - source.last).days > OLD_DAYS:
        facts.append(f"WARNING: it ends {(today - source.last).days} days ago")
    if source.skipped:
        facts.append(f"WARNING: {source.skipped} lines could not be read")
    return f"{source.name}: {'; '.join(facts)}"


def _fits(charges: Sequence[Charge]) -> bool:
    """Whether the table fits the screen; what is not a screen takes any width."""
    if not sys.stdout.isatty():
        return True
    rows = [HEADINGS, *map(_row, charges)]
    width = sum(max(map(len, column)) + 2 for column in zip(*rows, strict=True))
    return width <= shutil.get_terminal_size().columns


def _table(title: str, charges: Sequence[Charge], widths: Sequence[int]) -> Iterator[str]:
    if not charges:
        return
    yield f"\n{title}"
    yield _line((*HEADINGS, "NOTES"), widths)
    for charge in charges:
        yield _line((*_row(charge), "; ".join(_notes(charge))), widths)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [
        cell.rjust(width) if at == 1 else cell.ljust(width)
        for at, (cell, width) in enumerate(zip(cells, widths, strict=False))
    ]
    return "  ".join((*padded, *cells[len(widths) :])).rstrip()


def _row(charge: Charge) -> tuple[str, ...]:
    return (
        charge.service if len(charge.service) <= WIDEST else charge.service[: WIDEST - 3] + "...",
        _price(charge),
        charge.period,
        str(charge.next_on or NO_WORD),
        charge.payer,
        f"{'by ' if charge.older else ''}{charge.since}",
        charge.pack or NO_WORD,
        charge.checked_on or NO_WORD,
        charge.difficulty or NO_WORD,
    )


def _price(charge: Charge | Once | Errand) -> str:
    return f"{charge.price:.2f} {charge.currency}".strip()


def _notes(charge: Charge) -> Iterator[str]:
    """What the columns do not say, in words."""
    if charge.contract:
        yield charge.contract
    if not charge.running:
        yield f"last charged on {charge.last_on}"
    for change in charge.changes[-1:]:
        word = "price rise" if change.after > change.before else "price cut"
        yield f"{word} from {change.before:.2f} to {change.after:.2f} on {change.on}"
    if charge.trial_on:
        yield f"trial from {charge.trial_on}"
    words = {
        "varies": "the amount varies",
        "missed": "some did not come",
        "doubled": "charged twice at once",
        "refund": "a refund came",
        "paused": "paused for a while",
    }
    yield from (words[flag] for flag in charge.flags if flag in words)
    if charge.confidence != "high":
        yield f"{charge.confidence} confidence: {charge.reason.rstrip('.')}"


def _sentences(title: str, charges: Sequence[Charge]) -> Iterator[str]:
    if not charges:
        return
    yield f"\n{title}"
    for number, charge in enumerate(charges, start=1):
        coming = f", next on {charge.next_on}" if charge.next_on else ""
        since = f"{charge.since}{' or before' if charge.older else ''}"
        pack = (
            f"Pack {charge.pack}, checked {charge.checked_on}, leaving is {charge.difficulty}."
            if charge.pack
            else ""
            if charge.contract
            else "No pack."
        )
        facts = [
            f"{number}. {charge.service}: {_price(charge)} {charge.period}{coming}.",
            f"Billed {PAYERS[charge.payer]} since {since}.",
            *(f"{note[:1].upper()}{note[1:]}." for note in _notes(charge)),
            pack,
        ]
        yield " ".join(filter(None, facts))


def _once(once: Once) -> str:
    return f"{once.service}: {_price(once)} on {once.on}, billed {PAYERS[once.payer]}"


def _total(total: Total) -> str:
    unit = f" {total.currency}".rstrip()
    line = f"Subscriptions: {total.subscriptions}{unit} a month, {total.yearly}{unit} a year."
    return line + (f" Contracts: {total.contracts}{unit} a month." if total.contracts else "")


def _queued(known: Errands) -> Iterator[str]:
    if not known.all:
        yield "\nNothing to cancel."
        return
    yield "\nTo cancel, in this order. You are asked for each one before its last step."
    for number, errand in enumerate(known.all, start=1):
        todo = f"subterminator cancel {errand.pack}" if errand.how in ("web", "store") else ""
        facts = f"{number}. {errand.service}: {_price(errand)} {errand.period}"
        parts = [f"{facts}, next on {errand.next_on}.", known.note(errand), todo, errand.advice]
        yield "  ".join(filter(None, parts))

"""The commands about service packs: list, show, check, new. Reads and prints; decides nothing."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from importlib.resources import files
from pathlib import Path

import click
import msgspec

from subterminator.errors import InvalidParams
from subterminator.machine import this_machine
from subterminator.packs import inspection, registry
from subterminator.packs.model import PackId
from subterminator.packs.registry import Entry
from subterminator.packs.template import fill

WIDEST = 36
PARAGRAPH = 96
HEADINGS = ("ID", "NAMES", "SITES", "CONFIDENCE", "CHECKED")


@click.group()
def services() -> None:
    """The services we know, and packs of your own."""


@services.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def list_command(as_json: bool) -> None:
    """List every pack: what it is called, where it acts, how sure it is."""
    machine = this_machine()
    entries = list(registry.load(machine).entries())
    if as_json:
        _print_json([_summary(entry) for entry in entries])
        return
    for line in _table([HEADINGS, *(_row(entry) for entry in entries)]):
        click.echo(line)
    click.echo(f"\n{len(entries)} packs. Your own are in {registry.user_folder(machine)}")


@services.command("show")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print the whole pack as JSON.")
def show_command(name: str, as_json: bool) -> None:
    """Show what is known of one service, by its id or any of its names."""
    packs = registry.load(this_machine())
    entry = packs.entry(packs.find(name).id)
    if as_json:
        _print_json(_summary(entry) | {"pack": msgspec.to_builtins(entry.pack)})
        return
    for line in _description(entry):
        click.echo(line)


@services.command("check")
@click.argument("file", metavar="FILE")
def check_command(file: str) -> None:
    """Check a pack file: every fault with its line, then its examples."""
    report = inspection.inspect(file)
    for fault in report.faults:
        click.echo(f"{file}:{fault.line}: {fault.reason}")
    if report.faults:
        sys.exit(1)
    click.echo(f"{file}: good; {report.examples} examples agree.")


@services.command("new")
@click.argument("pack_id", metavar="ID")
def new_command(pack_id: str) -> None:
    """Begin a pack of your own. For a known id it is a copy to correct."""
    try:
        msgspec.convert(pack_id, PackId)
    except msgspec.ValidationError as error:
        raise InvalidParams(
            f"{pack_id!r} cannot be an id.", next_step="Use small letters, digits and hyphens."
        ) from error
    folder = Path(registry.user_folder(this_machine()))
    path = folder / f"{pack_id}.toml"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise InvalidParams(f"{path} is there already.", next_step="Edit it.") from error
    except OSError as error:
        raise InvalidParams(f"{path} cannot be written ({error.strerror}).") from error
    with open(handle, "w", encoding="utf-8", newline="\n") as file:
        file.write(_beginning(pack_id))
    click.echo(path)


def _beginning(pack_id: str) -> str:
    folder = files("subterminator.packs")
    if pack_id in registry.built_in_drafts():
        return folder.joinpath("data", f"{pack_id}.toml").read_text("utf-8")
    text = folder.joinpath("skeleton.toml").read_text("utf-8")
    name = pack_id.replace("-", " ").title()
    for gap, value in (("ID", pack_id), ("NAME", name), ("TODAY", date.today().isoformat())):
        text = text.replace(f'"{gap}"', f'"{value}"', 1)
    return text


def _summary(entry: Entry) -> dict[str, object]:
    pack = entry.pack
    return {
        "id": pack.id,
        "kind": pack.kind,
        "names": pack.names,
        "sites": pack.sites,
        "confidence": pack.confidence,
        "checked_on": pack.checked_on,
        "own": entry.draft.is_users,
        "source": entry.draft.source,
        "digest": entry.draft.digest,
    }


def _row(entry: Entry) -> tuple[str, ...]:
    pack = entry.pack
    letters = pack.confidence.partition(" ")[0]
    own = " (yours)" if entry.draft.is_users else ""
    return pack.id + own, ", ".join(pack.names), ", ".join(pack.sites), letters, pack.checked_on


def _table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    cut = [[_cut(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cut, strict=True)]
    for row in cut:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()


def _cut(text: str) -> str:
    return text if len(text) <= WIDEST else text[: WIDEST - 3] + "..."


def _description(entry: Entry) -> Iterator[str]:
    pack, own = entry.pack, entry.draft.pack
    yield f"{pack.names[0]}  ({pack.id})"
    facts = {
        "names": ", ".join(pack.names),
        "sites": ", ".join(pack.sites)
        or "none: it cannot be done on the web, or the site is not known",
        "start": " ".join(pack.start_urls) or "not known; name it with --url",
        "checked": f"{pack.checked_on}, confidence {pack.confidence}",
        "sources": "; ".join(pack.sources),
        "extends": ", ".join(pack.extends),
        "way": _quoted(own.actions.advance),
        "declines": _quoted(own.actions.decline),
        "last press": _quoted(own.actions.final),
        "never": _quoted(own.never),
        "file": f"{entry.draft.source}  sha256 {entry.draft.digest[:12]}",
    }
    for name, text in facts.items():
        if text:
            yield f"  {name:11}{text}"
    for title, text in (("How it goes", own.hint), ("Without the web", own.offline.how)):
        if text:
            yield f"\n{title}"
            yield click.wrap_text(text.strip(), PARAGRAPH, "  ", "  ")
    if own.losses:
        yield "\nYou may lose"
        yield from (f"  {loss.says}" for loss in own.losses)
    if own.offline.letter:
        words = fill(own.offline.letter, {"service": pack.names[0]})
        yield "\nLetter, or words to say"
        yield click.wrap_text(words, PARAGRAPH, "  ", "  ", preserve_paragraphs=True)


def _quoted(phrases: Sequence[str]) -> str:
    return ", ".join(f'"{phrase}"' for phrase in phrases)


def _print_json(value: object) -> None:
    click.echo(msgspec.json.format(msgspec.json.encode(value)))

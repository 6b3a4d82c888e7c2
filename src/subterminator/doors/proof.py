"""`subterminator dispute`: the letter one writes with a proof. Parses and prints."""

from __future__ import annotations

import hashlib
from datetime import date, datetime
from pathlib import Path

import click

from subterminator.config import Settings, load
from subterminator.errors import InvalidParams
from subterminator.machine import Machine, this_machine
from subterminator.packs import registry
from subterminator.packs.model import Pack
from subterminator.runs.letters import (
    LANGUAGES,
    Request,
    To,
    cancellation,
    dispute,
    shows_cancellation,
)
from subterminator.runs.proofs import (
    REPORT,
    Found,
    Proofs,
    add_file,
    changed,
    proof_folder,
    read,
)

in_folder = click.option(
    "--proof",
    "chosen",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="FOLDER",
    help="This proof, not the newest about the service.",
)


@click.command("dispute", short_help="Write a letter with the facts of a proof.")
@click.argument("service")
@click.option(
    "--to",
    type=click.Choice(["service", "bank"]),
    default="service",
    show_default=True,
    help="Who is to read it: the service, or your bank or card issuer.",
)
@click.option(
    "--language", type=click.Choice(LANGUAGES), help="Of the letter; else that of the service."
)
@click.option("--amount", default="", help="What was taken, such as '15.49 USD'.")
@click.option("--charged-on", type=click.DateTime(["%Y-%m-%d"]), help="When it was taken.")
@in_folder
@click.option("--output-dir", metavar="FOLDER", help="Where the proofs are.")
def dispute_command(
    service: str,
    to: To,
    language: str | None,
    amount: str,
    charged_on: datetime | None,
    **where: Path | str | None,
) -> None:
    """Write a letter about SERVICE with the facts of its proof, and print where it is.

    To a service that took money after the end, or to the bank. Where only a letter can cancel, it
    is that letter. Nothing is sent.
    """
    chosen, output = where["chosen"], where["output_dir"]
    given = {"output_dir": str(Path(output).expanduser().absolute()) if output else None}
    settings = load(this_machine(), given)
    found = read(Path(chosen).absolute()) if chosen else _latest(service, settings)
    tell_changes(found.folder)
    pack = pack_of(found.proof.service, this_machine())
    request = Request(
        name=pack.names[0] if pack else found.proof.service,
        today=date.today(),
        language=language or _language(pack),
        to=to,
        amount=amount,
        charged_on=charged_on.date() if charged_on else None,
        sum=hashlib.sha256((found.folder / REPORT).read_bytes()).hexdigest(),
    )
    kind, text = _letter(found, pack, request)
    stem = f"{kind}_{request.today.isoformat()}_{request.language}"
    click.echo(add_file(found.folder, stem, ".txt", text.encode()))
    if "[" in text:
        click.echo("Fill in what stands in [brackets] before you send it.", err=True)


def _letter(found: Found, pack: Pack | None, request: Request) -> tuple[str, str]:
    proof = found.proof
    if shows_cancellation(proof):
        return f"dispute-{request.to}", dispute(proof, request)
    if proof.outcome != "manual_required":
        raise InvalidParams(
            f"The proof in {found.folder} does not show a cancellation ({proof.outcome}).",
            next_step="Cancel first, or name another proof with --proof.",
        )
    packs = registry.load(this_machine())
    speaks = pack if pack and _language(pack) == request.language else None
    letter = (speaks or packs.generic(request.language)).offline.letter
    return "cancellation", cancellation(letter, proof, request)


def proofs_about(service: str, settings: Settings) -> Found | None:
    """The newest proof that shows a cancellation."""
    machine = this_machine()
    pack = pack_of(service, machine)
    found = Proofs(proof_folder(settings, machine)).of(pack.id if pack else service)
    return next((each for each in found if shows_cancellation(each.proof)), None)


def _latest(service: str, settings: Settings) -> Found:
    """The newest proof that shows a cancellation, or else simply the newest."""
    machine = this_machine()
    pack = pack_of(service, machine)
    proofs = Proofs(proof_folder(settings, machine))
    return proofs.latest(pack.id if pack else service, shows_cancellation)


def pack_of(service: str, machine: Machine) -> Pack | None:
    """None for a service that was named by its address, which has no pack."""
    try:
        return registry.load(machine).find(service)
    except InvalidParams:
        return None


def _language(pack: Pack | None) -> str:
    spoken = (locale[:2] for locale in pack.locales) if pack else ()
    return next((language for language in spoken if language in LANGUAGES), "en")


def tell_changes(folder: Path) -> None:
    for name in changed(folder):
        click.echo(f"WARNING: {folder / name} is missing or was changed.", err=True)

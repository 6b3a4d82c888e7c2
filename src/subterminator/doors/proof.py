"""`subterminator verify` and `subterminator dispute`: what one does with a proof afterwards.

Parses and prints. Looking at the account page is not done here: see `verify_command`.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path

import click
import msgspec

from subterminator.agents.outcome import TaskResult
from subterminator.doors.exit_codes import ELSEWHERE, FAILED, PENDING, STOPPED, UNVERIFIED
from subterminator.errors import InvalidParams
from subterminator.machine import Machine, this_machine
from subterminator.packs import registry
from subterminator.packs.model import Outcome, Pack
from subterminator.runs.calendar import calendar, check_on
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
    default_folder,
    read,
)

# The id of the service and the folder of its proof; looks at the account page without pressing
# anything, and adds what it found to that folder. The result's `proof` says where.
Check = Callable[[str, Path], Awaitable[TaskResult]]

EXIT_CODES: dict[Outcome, int] = {
    "cancelled": 0,
    "already_cancelled": 0,
    "failed": FAILED,
    "third_party": ELSEWHERE,
    "manual_required": ELSEWHERE,
    "pending": PENDING,
    "unverified": UNVERIFIED,
    "stopped": STOPPED,
}

in_folder = click.option(
    "--proof",
    "chosen",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="FOLDER",
    help="This proof, not the newest about the service.",
)
of_output = click.option(
    "--output-dir",
    envvar="SUBTERMINATOR_OUTPUT",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where the proofs are, if not with your other data.",
)


def verify_command(check: Check) -> click.Command:
    """The command, given what looks at the account page."""

    @click.command("verify")
    @click.argument("service")
    @click.option(
        "--on",
        "day",
        type=click.DateTime(["%Y-%m-%d"]),
        help="Do it on that day: until then only a calendar entry is made.",
    )
    @in_folder
    @of_output
    @click.option("--json", "as_json", is_flag=True, help="Print JSON.")
    def verify(
        service: str,
        day: datetime | None,
        chosen: Path | None,
        output_dir: Path | None,
        as_json: bool,
    ) -> None:
        """Look again whether SERVICE is cancelled, and add a second proof to the first.

        The first proof is checked against its sums and stays as it is. Nothing is pressed.
        """
        found = _proof_of(service, chosen, output_dir)
        _tell_changes(found.folder)
        if day and (wanted := day.date()) != date.today():
            _tell({"reminder": str(_remind(found, wanted))}, as_json)
            return
        result = asyncio.run(_checked(check, found))
        told = {"outcome": result.outcome, "verified": result.verified, "proof": result.proof}
        _tell(told, as_json)
        raise SystemExit(_exit_code(result))

    return verify


async def _checked(check: Check, found: Found) -> TaskResult:
    return await check(found.proof.service, found.folder)


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
@of_output
def dispute_command(
    service: str,
    to: To,
    language: str | None,
    amount: str,
    charged_on: datetime | None,
    **where: Path | None,
) -> None:
    """Write a letter about SERVICE with the facts of its proof, and print where it is.

    To a service that took money after the end, or to the bank. Where only a letter can cancel, it
    is that letter. Nothing is sent.
    """
    found = _proof_of(service, where["chosen"], where["output_dir"])
    _tell_changes(found.folder)
    pack = _pack(found.proof.service, this_machine())
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


def _proof_of(service: str, chosen: Path | None, output: Path | None) -> Found:
    """The proof meant: the one named, else the newest that shows a cancellation."""
    if chosen:
        return read(chosen.absolute())
    machine = this_machine()
    proofs = Proofs((output or default_folder(machine)).expanduser().absolute())
    pack = _pack(service, machine)
    return proofs.latest(pack.id if pack else service, shows_cancellation)


def _pack(service: str, machine: Machine) -> Pack | None:
    """None for a service that was named by its address, which has no pack."""
    try:
        return registry.load(machine).find(service)
    except InvalidParams:
        return None


def _language(pack: Pack | None) -> str:
    spoken = (locale[:2] for locale in pack.locales) if pack else ()
    return next((language for language in spoken if language in LANGUAGES), "en")


def _remind(found: Found, day: date) -> Path:
    if day < date.today():
        raise InvalidParams(
            f"{day.isoformat()} has passed.", next_step="Leave --on out to look at once."
        )
    pack = _pack(found.proof.service, this_machine())
    entry = check_on(day, found.proof.service, pack.names[0] if pack else found.proof.service)
    data = calendar([entry], datetime.now(UTC))
    return add_file(found.folder, f"verify_{day.isoformat()}", ".ics", data)


def _tell_changes(folder: Path) -> None:
    for name in changed(folder):
        click.echo(f"WARNING: {folder / name} is missing or was changed.", err=True)


def _tell(facts: Mapping[str, str | bool], as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(facts).decode())
        return
    for name, value in facts.items():
        click.echo(f"{name}: {'yes' if value is True else 'no' if value is False else value}")


def _exit_code(result: TaskResult) -> int:
    proven = result.verified or result.outcome != "cancelled"
    return EXIT_CODES[result.outcome] if proven else UNVERIFIED

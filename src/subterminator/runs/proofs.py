"""The folder of proofs: written whole or not at all, for its owner alone, and never removed by us.

proofs/2026-11-15_netflix/
report.html  report.json  steps.jsonl  0001.png ...  reminder.ics  SHA256SUMS
second/      the same again, from a later look; the first is not touched
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from subterminator.config import Settings
from subterminator.errors import InvalidParams, ProofFailed
from subterminator.machine import Machine
from subterminator.runs.calendar import reminders
from subterminator.runs.folder import check_folder
from subterminator.runs.proof import Picture, Proof, Story
from subterminator.runs.report import render
from subterminator.safety.files import sync_folder, write_private

FOLDER = "proofs"
SECOND = "second"
SUMS = "SHA256SUMS"
REPORT = "report.json"
NAME = re.compile(r"(\d{4}-\d\d-\d\d)_([a-z0-9-]+?)(?:_(\d+))?")
SUM = re.compile(r"([0-9a-f]{64})  ((?:\.\./)?[A-Za-z0-9][\w.-]*)")
LARGEST_REPORT = 4 * 1024 * 1024


class Bundle(Struct, frozen=True):
    """All that a proof is made of. `steps` is the text of `steps.jsonl`."""

    proof: Proof
    story: Story
    steps: bytes = b""
    pictures: tuple[Picture, ...] = ()


class Found(Struct, frozen=True):
    """A proof that is there."""

    folder: Path
    proof: Proof


def default_folder(machine: Machine) -> Path:
    """Where proofs go unless the user names another folder: with the user's data."""
    return Path(machine.join(machine.own_folder("data"), FOLDER))


def proof_folder(settings: Settings, machine: Machine) -> Path:
    """Where the proofs of this user are."""
    return Path(settings.output_dir) if settings.output_dir else default_folder(machine)


def slug(service: str) -> str:
    """The service as part of a name of a folder, which is seen by whoever sees a list of files."""
    named = "" if re.search(r"@|\d{5}", service) else service
    return re.sub(r"[^a-z0-9]+", "-", named.lower())[:40].strip("-") or "subscription"


def how_to_cancel(service: str) -> str:
    """The command. A service that is called by its host has no pack to be found by."""
    return f"subterminator cancel {'--url ADDRESS' if '.' in service else service}"


class Proofs:
    """All proofs in one folder. It is made when the first proof is."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    # Writing

    def write(self, bundle: Bundle) -> Path:
        """Put a proof there; its folder gets a number if the name is taken."""
        day = bundle.proof.day or datetime.now(UTC).date()
        name = f"{day.isoformat()}_{slug(bundle.proof.service)}"
        with _failing(f"The proof cannot be written to {self.folder}"):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            return _placed(self.folder, name, _files(bundle))

    def add(self, first: Path, bundle: Bundle) -> Path:
        """Put a later proof beside the first. Its sums bind those of the first as well."""
        with _failing(f"The second proof cannot be written to {first}"):
            check_folder(first)
            files = _files(bundle)
            if (first / SUMS).is_file():
                files[f"../{SUMS}"] = (first / SUMS).read_bytes()
            return _placed(first, SECOND, files)

    # Finding

    def of(self, service: str) -> list[Found]:
        """The proofs about a service, the newest first."""
        wanted = slug(service)
        names = ((NAME.fullmatch(name), name) for name in self._names())
        mine = [
            (found[1], int(found[3] or 1), name)
            for found, name in names
            if found and found[2] == wanted
        ]
        return [read(self.folder / name) for _, _, name in sorted(mine, reverse=True)]

    def latest(self, service: str, fits: Callable[[Proof], bool] = lambda proof: True) -> Found:
        """The newest proof that fits, or else simply the newest."""
        found = self.of(service)
        if not found:
            raise InvalidParams(
                f"There is no proof about {service!r} in {self.folder}.",
                next_step=f"Make one first: {how_to_cancel(service)}",
            )
        return next((each for each in found if fits(each.proof)), found[0])

    def _names(self) -> list[str]:
        try:
            return os.listdir(self.folder)
        except FileNotFoundError:
            return []
        except OSError as fault:
            raise ProofFailed(f"{self.folder} cannot be read: {fault.strerror}.") from fault


def read(folder: Path) -> Found:
    """The proof in a folder, as `report.json` has it."""
    path = folder / REPORT
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_REPORT)
        return Found(folder, msgspec.json.decode(data, type=Proof))
    except OSError as fault:
        raise InvalidParams(
            f"{path} cannot be read: {fault.strerror}.", next_step="Name the folder of a proof."
        ) from fault
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise InvalidParams(
            f"{path} is not the report of a proof: {fault}.", next_step="Name another folder."
        ) from fault


def changed(folder: Path) -> tuple[str, ...]:
    """The files of a proof that are missing or not as they were written, and those of later ones.

    A proof without its list of sums has changed as a whole.
    """
    later = sorted(path for path in folder.glob(f"{SECOND}*") if path.is_dir())
    return tuple(
        name if each == folder else f"{each.name}/{name}"
        for each in (folder, *later)
        for name in _changed(each)
    )


def add_file(folder: Path, stem: str, suffix: str, data: bytes) -> Path:
    """Put a file for the user beside a proof: `letter.txt`, or `letter_2.txt` if that is taken."""
    with _failing(f"Nothing can be written to {folder}"):
        check_folder(folder)
        path = _free(folder, stem, suffix)
        write_private(path, data)
        return path


def _files(bundle: Bundle) -> dict[str, bytes]:
    proof, story = bundle.proof, bundle.story
    return {
        "report.html": render(proof, story, bundle.pictures).encode(),
        REPORT: msgspec.json.format(msgspec.json.encode(proof), indent=2) + b"\n",
        "steps.jsonl": bundle.steps,
        "reminder.ics": reminders(proof, story),
        **{picture.name: picture.data for picture in bundle.pictures},
    }


def _placed(parent: Path, name: str, files: dict[str, bytes]) -> Path:
    """Write all files into a folder that nobody sees, then give it its name."""
    draft = Path(tempfile.mkdtemp(prefix=".new-", dir=parent))
    try:
        os.chmod(draft, 0o700)
        for file, data in files.items():
            if not file.startswith("../"):
                write_private(draft / file, data)
        sums = sorted((file, hashlib.sha256(data).hexdigest()) for file, data in files.items())
        write_private(draft / SUMS, "".join(f"{sum}  {file}\n" for file, sum in sums).encode())
        path = _free(parent, name)
        os.rename(draft, path)
        sync_folder(parent)
        return path
    except OSError:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def _free(folder: Path, stem: str, suffix: str = "") -> Path:
    """A path that is not taken; a number is added if need be."""
    path, number = folder / f"{stem}{suffix}", 1
    while os.path.lexists(path):
        number += 1
        path = folder / f"{stem}_{number}{suffix}"
    return path


def _changed(folder: Path) -> Iterator[str]:
    try:
        lines = (folder / SUMS).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        yield SUMS
        return
    for line in lines:
        found = SUM.fullmatch(line)
        if not found:
            yield SUMS
        elif not _is_as_written(folder / found[2], found[1]):
            yield found[2]


def _is_as_written(path: Path, sum: str) -> bool:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() == sum
    except OSError:
        return False


@contextmanager
def _failing(what: str) -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        raise ProofFailed(f"{what}: {fault.strerror or fault}.") from fault

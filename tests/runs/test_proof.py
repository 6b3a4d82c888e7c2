from __future__ import annotations

import os
import shutil
import stat
import subprocess
from pathlib import Path

import msgspec
import pytest

from subterminator.errors import InvalidParams, ProofFailed, Refused
from subterminator.runs.proof import NOT_FOUND, Evidence, Picture, Proof, Story, local, zone
from subterminator.runs.proofs import (
    SUMS,
    Bundle,
    Proofs,
    add_file,
    changed,
    default_folder,
    read,
    slug,
)
from tests.machines import Computer
from tests.runs.proving import BEGAN, at, png

FIELDS = (
    "service account_hint outcome verified evidence before after reference refund declined"
    " survey_answers gates started ended timezone engine pack_version page_hashes"
).split()


def bundle(**changes: object) -> Bundle:
    facts = {
        "service": "streambox", "outcome": "cancelled", "verified": True, "started": at(0),
        "ended": at(55), "timezone": "CET (UTC+01:00)",
    } | changes  # fmt: skip
    proof = msgspec.convert(facts, Proof)
    picture = Picture("0001.png", png(), "image/png", "Screenshot")
    return Bundle(proof, Story(name="Streambox"), b'{"n":1}\n', (picture,))


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_report_has_exactly_the_fields_that_are_promised_and_none_is_left_out() -> None:
    found = msgspec.json.decode(
        msgspec.json.encode(Proof(service="x", outcome="failed", verified=False))
    )
    assert list(found) == FIELDS
    assert found["before"] == {"plan": NOT_FOUND, "price": NOT_FOUND, "renews": NOT_FOUND}
    assert found["after"] == {"status_text": NOT_FOUND, "ends_on": NOT_FOUND}
    assert found["refund"] == {"text": NOT_FOUND, "amount": NOT_FOUND}
    assert {found[name] for name in ("reference", "account_hint", "engine")} == {NOT_FOUND}
    evidence = msgspec.to_builtins(Evidence("words", "Cancelled"))
    assert list(evidence) == ["kind", "text", "url", "time", "screenshot"]


def test_a_proof_is_a_folder_named_by_day_and_service_for_its_owner_alone(tmp_path: Path) -> None:
    folder = Proofs(tmp_path / "a" / "proofs").write(bundle())
    assert folder == tmp_path / "a" / "proofs" / "2026-11-15_streambox"
    assert sorted(path.name for path in folder.iterdir()) == [
        "0001.png", "SHA256SUMS", "reminder.ics", "report.html", "report.json", "steps.jsonl",
    ]  # fmt: skip
    assert mode(folder) == mode(folder.parent) == 0o700
    assert {mode(path) for path in folder.iterdir()} == {0o600}


def test_a_name_that_is_taken_gets_a_number_and_nothing_is_overwritten(tmp_path: Path) -> None:
    proofs = Proofs(tmp_path)
    names = [proofs.write(bundle()).name for _ in range(3)]
    assert names == ["2026-11-15_streambox", "2026-11-15_streambox_2", "2026-11-15_streambox_3"]
    assert sorted(os.listdir(tmp_path)) == names


@pytest.mark.skipif(not shutil.which("sha256sum"), reason="sha256sum is not here")
def test_the_sums_are_those_that_sha256sum_checks(tmp_path: Path) -> None:
    folder = Proofs(tmp_path).write(bundle())
    done = subprocess.run(
        ["sha256sum", "--check", "--strict", SUMS], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0
    assert done.stdout.count(": OK") == 5
    (folder / "report.json").write_text("{}", encoding="utf-8")
    assert subprocess.run(
        ["sha256sum", "--check", SUMS], cwd=folder, capture_output=True
    ).returncode


def test_a_second_proof_leaves_the_first_as_it_is_and_binds_it(tmp_path: Path) -> None:
    proofs = Proofs(tmp_path)
    first = proofs.write(bundle())
    before = {path.name: path.read_bytes() for path in first.iterdir()}
    second = proofs.add(first, bundle(outcome="already_cancelled", ended="2026-12-15T09:00:00Z"))
    third = proofs.add(first, bundle())
    assert [second.name, third.name] == ["second", "second_2"]
    assert {name: (first / name).read_bytes() for name in before} == before
    assert "  ../SHA256SUMS\n" in (second / SUMS).read_text(encoding="utf-8")
    assert changed(first) == ()
    (first / "report.json").write_text("{}", encoding="utf-8")
    assert changed(first) == ("report.json",)
    (first / SUMS).unlink()
    assert changed(first) == (SUMS, "second/../SHA256SUMS", "second_2/../SHA256SUMS")


def test_what_was_added_to_a_list_of_sums_is_no_sum(tmp_path: Path) -> None:
    folder = Proofs(tmp_path).write(bundle())
    with (folder / SUMS).open("a", encoding="utf-8") as file:
        file.write(f"{'0' * 64}  ../../../etc/hostname\n")
    assert changed(folder) == (SUMS,)


def test_proofs_are_found_by_their_service_the_newest_first(tmp_path: Path) -> None:
    proofs = Proofs(tmp_path)
    for ended in ("2026-11-15T10:00:00Z", "2026-12-01T10:00:00Z", "2026-12-01T11:00:00Z"):
        proofs.write(bundle(ended=ended))
    proofs.write(bundle(service="streambox-2"))
    proofs.write(bundle(service="other", outcome="failed", verified=False))
    (tmp_path / "notes").mkdir()
    assert [found.folder.name for found in proofs.of("Streambox")] == [
        "2026-12-01_streambox_2", "2026-12-01_streambox", "2026-11-15_streambox",
    ]  # fmt: skip
    assert proofs.latest("streambox", lambda proof: proof.day == BEGAN.date()).folder.name == (
        "2026-11-15_streambox"
    )
    assert proofs.latest("other").proof.outcome == "failed"
    with pytest.raises(InvalidParams, match="subterminator cancel nothing"):
        proofs.latest("nothing")
    assert Proofs(tmp_path / "none").of("streambox") == []


def test_a_folder_without_a_report_is_refused_with_a_reason(tmp_path: Path) -> None:
    with pytest.raises(InvalidParams, match="cannot be read"):
        read(tmp_path)
    (tmp_path / "report.json").write_text('{"service": 3}', encoding="utf-8")
    with pytest.raises(InvalidParams, match="is not the report of a proof"):
        read(tmp_path)


def test_a_disk_that_refuses_leaves_no_half_a_proof(tmp_path: Path) -> None:
    with pytest.raises(ProofFailed, match="SUBTERMINATOR_OUTPUT"):
        Proofs(tmp_path / "file" / "proofs").write(_blocked(tmp_path))
    broken = Bundle(
        bundle().proof, Story(name="x"), b"", (Picture("no/such.png", b"", "image/png", ""),)
    )
    with pytest.raises(ProofFailed):
        Proofs(tmp_path / "proofs").write(broken)
    assert os.listdir(tmp_path / "proofs") == []


def _blocked(folder: Path) -> Bundle:
    (folder / "file").write_text("", encoding="utf-8")
    return bundle()


def test_a_file_for_the_user_is_put_beside_the_proof_under_a_name_of_its_own(
    tmp_path: Path,
) -> None:
    folder = Proofs(tmp_path).write(bundle())
    names = [add_file(folder, "letter", ".txt", b"x").name for _ in range(2)]
    assert names == ["letter.txt", "letter_2.txt"]
    assert mode(folder / "letter.txt") == 0o600
    assert changed(folder) == ()
    folder.chmod(0o755)
    with pytest.raises(Refused, match="open to other users"):
        add_file(folder, "letter", ".txt", b"x")


@pytest.mark.parametrize(
    ("computer", "expected"),
    [
        (Computer(), "/home/me/.local/share/subterminator/proofs"),
        (Computer(environ={"XDG_DATA_HOME": "/data"}), "/data/subterminator/proofs"),
        (
            Computer("darwin"),
            "/home/me/Library/Application Support/subterminator/proofs",
        ),
        (Computer("win32"), r"C:\Users\me\AppData\Local\subterminator\proofs"),
    ],
)
def test_proofs_are_with_the_data_of_the_user(computer: Computer, expected: str) -> None:
    assert default_folder(computer.machine()) == Path(expected)


def test_a_name_of_a_folder_tells_no_address_and_no_number() -> None:
    assert slug("Garden & Post GmbH") == "garden-post-gmbh"
    assert slug("alice@example.org") == slug("4929123456789015") == slug("../..") == "subscription"


def test_local_time_is_read_back_from_the_zone_as_it_is_written() -> None:
    assert zone("CET", 60) == "CET (UTC+01:00)"
    assert zone("UTC", 0) == "UTC+00:00"
    assert zone("", -570) == "UTC-09:30"
    assert local(BEGAN, zone("", -570)).strftime("%H:%M") == "00:45"
    assert local(BEGAN, NOT_FOUND) == BEGAN

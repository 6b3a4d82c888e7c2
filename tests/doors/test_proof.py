from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from subterminator.agents.proof import write_proof
from subterminator.doors.cli import Commands
from subterminator.doors.proof import dispute_command
from subterminator.packs.model import Outcome
from subterminator.runs.proofs import changed
from tests.runs.proving import result

TODAY = date.today()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def proofs(data: Path) -> Path:
    return data / "subterminator" / "proofs"


def made(data: Path, **changes: object) -> Path:
    return write_proof(result(service="netflix", **changes), folder=proofs(data))


def run(data: Path, *arguments: str, **environ: str) -> Result:
    main = Commands("main")
    main.add_command(dispute_command)
    clean = {name: None for name in os.environ if name.startswith("SUBTERMINATOR_")}
    folders = {"XDG_DATA_HOME": str(data), "XDG_CONFIG_HOME": str(data / "config")}
    return CliRunner().invoke(main, arguments, env={**clean, **folders, **environ})


# dispute


def test_dispute_writes_a_letter_beside_the_proof_and_prints_where(data: Path) -> None:
    folder = made(data)
    done = run(data, "dispute", "Netflix", "--amount", "15.49 USD", "--charged-on", "2026-12-12")
    path = Path(done.stdout.strip())
    assert done.exit_code == 0
    assert path == folder / f"dispute-service_{TODAY}_en.txt"
    letter = " ".join(path.read_text("utf-8").split())
    assert "I cancelled my Netflix subscription" in letter
    assert "15.49 USD was taken from me on 12 December 2026" in letter
    assert "SB-4820-77" in letter
    assert "[brackets]" in done.stderr
    assert path.stat().st_mode & 0o077 == 0
    assert changed(folder) == ()


def test_dispute_to_the_bank_in_another_language(data: Path) -> None:
    made(data)
    done = run(data, "dispute", "netflix", "--to", "bank", "--language", "it")
    path = Path(done.stdout.strip())
    assert path.name == f"dispute-bank_{TODAY}_it.txt"
    assert "Oggetto: contestazione di un pagamento a Netflix" in path.read_text("utf-8")


def test_dispute_takes_the_newest_proof_that_shows_a_cancellation(data: Path) -> None:
    good = made(data)
    made(data, outcome="stopped", verified=False, ended="2026-11-20T10:00:00Z")
    assert Path(run(data, "dispute", "netflix").stdout.strip()).parent == good


@pytest.mark.parametrize("outcome", ["stopped", "failed", "third_party"])
def test_dispute_is_refused_where_nothing_was_cancelled(data: Path, outcome: Outcome) -> None:
    folder = made(data, outcome=outcome, verified=False)
    done = run(data, "dispute", "netflix")
    assert done.exit_code == 2
    assert f"does not show a cancellation ({outcome})" in done.stderr
    assert not list(folder.glob("*.txt"))


def test_where_only_a_letter_cancels_it_is_that_letter(data: Path) -> None:
    folder = write_proof(
        result(service="planet-fitness", outcome="manual_required", verified=False),
        folder=proofs(data),
    )
    done = run(data, "dispute", "planet fitness")
    path = Path(done.stdout.strip())
    assert path == folder / f"cancellation_{TODAY}_en.txt"
    assert "I cancel my Planet Fitness membership" in path.read_text("utf-8")
    german = Path(run(data, "dispute", "planet-fitness", "--language", "de").stdout.strip())
    assert "hiermit kündige ich" in german.read_text("utf-8")


def test_without_a_proof_one_sentence_says_how_to_get_one(data: Path) -> None:
    done = run(data, "dispute", "netflix")
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1 and "subterminator cancel netflix" in done.stderr


def test_a_service_without_a_pack_is_found_by_its_name(data: Path) -> None:
    write_proof(result(service="Garden Post"), folder=proofs(data))
    done = run(data, "dispute", "garden post")
    assert done.exit_code == 0
    assert "Garden Post" in Path(done.stdout.strip()).read_text("utf-8")


def test_proofs_are_looked_for_where_the_user_says(data: Path, tmp_path: Path) -> None:
    folder = write_proof(result(service="netflix"), folder=tmp_path / "mine")
    by_flag = run(data, "dispute", "netflix", "--output-dir", str(tmp_path / "mine"))
    by_variable = run(data, "dispute", "netflix", SUBTERMINATOR_OUTPUT=str(tmp_path / "mine"))
    by_name = run(data, "dispute", "netflix", "--proof", str(folder))
    config = data / "config" / "subterminator" / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(f'output_dir = "{tmp_path / "mine"}"', encoding="utf-8")
    by_setting = run(data, "dispute", "netflix")
    found = (by_flag, by_variable, by_name, by_setting)
    assert [Path(done.stdout.strip()).parent for done in found] == [folder] * 4


def test_an_error_is_a_sentence_and_no_code_of_a_program(data: Path) -> None:
    done = run(data, "dispute", "netflix")
    assert done.stderr.startswith("There is no proof about 'netflix'")


def test_a_proof_that_was_changed_is_used_with_a_warning(data: Path) -> None:
    folder = made(data)
    (folder / "steps.jsonl").write_text("{}", encoding="utf-8")
    done = run(data, "dispute", "netflix")
    assert done.exit_code == 0
    assert f"WARNING: {folder / 'steps.jsonl'} is missing or was changed." in done.stderr

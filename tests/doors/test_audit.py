from __future__ import annotations

import json
import os
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from subterminator.doors.audit import audit
from subterminator.doors.cli import Commands

FOLDER = Path(__file__).parent.parent / "fixtures" / "statements"


@click.group(cls=Commands)
def main() -> None: ...


main.add_command(audit)


def run(tmp_path: Path, *arguments: str) -> Result:
    environ = {name: None for name in os.environ if name.startswith("SUBTERMINATOR_")}
    folders = {name: str(tmp_path) for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME")}
    return CliRunner().invoke(main, ["audit", *arguments], env={**environ, **folders})


def test_the_table_has_everything_a_person_decides_by(tmp_path: Path) -> None:
    result = run(tmp_path, str(FOLDER / "baycard.csv"))
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert lines[0].startswith("baycard.csv: 640 lines; 2024-10-01 to 2025-11-26; account ***7731;")
    heading = lines[lines.index("Subscriptions") + 1]
    assert heading.split() == [
        "SERVICE", "PRICE", "PERIOD", "NEXT", "PAYER", "SINCE", "PACK", "CHECKED", "LEAVING", "NOTES",
    ]  # fmt: skip
    (netflix,) = (line for line in lines if line.startswith("Netflix"))
    assert netflix.split()[1:4] == ["17.99", "USD", "monthly"]
    assert "price rise from 15.49 to 17.99 on 2025-02-14" in netflix
    assert "Contracts, not subscriptions" in lines and "Stopped" in lines
    assert lines[-1].startswith("Subscriptions: ") and "USD a month" in lines[-1]


def test_only_letters_and_spaces_make_the_table(tmp_path: Path) -> None:
    shown = run(tmp_path, str(FOLDER / "nordbank.csv")).stdout
    assert "\x1b" not in shown and not set("│┌─═╔") & set(shown)


def test_plain_is_one_numbered_sentence_for_each_charge(tmp_path: Path) -> None:
    shown = run(tmp_path, "--plain", str(FOLDER / "baycard.csv")).stdout
    assert ". Hulu: 9.99 USD monthly, next on " in shown
    assert "Billed by Roku since 2025-03-09. Pack store-roku" in shown
    assert "Sunrise Yoga: 89.00 USD monthly" in shown and "No pack." in shown


def test_json_has_all_that_was_found_and_masks_account_numbers(tmp_path: Path) -> None:
    files = [str(FOLDER / name) for name in ("lakeside.ofx", "receipts.mbox", "nordbank.csv")]
    text = run(tmp_path, "--json", *files).stdout
    found = json.loads(text)
    adobe = next(one for one in found["charges"] if one["service"] == "Adobe")
    assert (adobe["price"], adobe["period"], adobe["pack"]) == ("59.99", "monthly", "adobe")
    assert adobe["confidence"] == "high" and "16 charges" in adobe["reason"]
    assert [source["format"] for source in found["sources"]] == ["ofx", "mail", "csv"]
    assert found["sources"][0]["accounts"] == ["***9987"]
    assert {total["currency"] for total in found["totals"]} == {"EUR", "USD"}
    assert "queue" not in found
    assert "451209987" not in text and "robin.vale" not in text and "DE21 3012" not in text


def test_cancel_prints_the_queue_with_the_command_of_each(tmp_path: Path) -> None:
    result = run(tmp_path, "--cancel", "--no-input", str(FOLDER / "baycard.csv"))
    shown = result.stdout
    assert result.exit_code == 4
    assert shown.endswith("Choose at a terminal, or name them: --choose '1 3-4'.\n")
    assert "You are asked for each one before its last step." in shown
    assert "subterminator cancel netflix" in shown
    assert "subterminator cancel store-roku  Only Roku can end it" in shown
    assert "subterminator services show planet-fitness" in shown
    assert "Paramount" not in shown.partition("To cancel")[2]
    assert "Geico" not in shown.partition("To cancel")[2]


def test_cancel_as_json_has_the_queue(tmp_path: Path) -> None:
    found = json.loads(run(tmp_path, "--cancel", "--json", str(FOLDER / "baycard.csv")).stdout)
    assert {"service", "pack", "how", "next_on", "advice"} <= set(found["queue"][0])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--choose", "1"], "--choose and --dry-run go with --cancel."),
        (["--cancel", "--choose", "99"], "'99' is none of the numbers 1 to"),
        (["--cancel", "--choose", "0"], "Name numbers, such as `1 3-4`, or `all`."),
    ],
)
def test_a_wrong_choice_is_one_sentence(tmp_path: Path, arguments: list[str], words: str) -> None:
    result = run(tmp_path, *arguments, "--headless", str(FOLDER / "baycard.csv"))
    assert result.exit_code == 2
    assert words in result.stderr and result.stderr.count("\n") == 1


def test_since_leaves_out_what_ended_before(tmp_path: Path) -> None:
    path = str(FOLDER / "nordbank.csv")
    assert "DAZN" in run(tmp_path, path).stdout
    assert "DAZN" not in run(tmp_path, "--since", "2025-06-01", path).stdout


def test_old_files_are_told_to_be_old(tmp_path: Path) -> None:
    path = tmp_path / "old.csv"
    path.write_text("".join(f"2015-{month:02}-13,NETFLIX,-9.99\n" for month in range(1, 13)))
    assert "WARNING: it ends" in run(tmp_path, str(path)).stdout


def test_nothing_recurring_says_so(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("Date,Text,Amount\n2025-01-13,SHOP,-1.00\n")
    result = run(tmp_path, str(path))
    assert result.exit_code == 0
    assert "No charge comes again and again in these files." in result.stdout


@pytest.mark.parametrize("name", ["missing.csv", "report.pdf"])
def test_a_file_that_cannot_be_read_is_one_clear_sentence(name: str, tmp_path: Path) -> None:
    (tmp_path / "report.pdf").write_bytes(b"%PDF-1.7")
    result = run(tmp_path, str(tmp_path / name))
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1 and name in result.stderr


def test_a_service_cannot_take_over_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    rows = "".join(
        f"2025-{month:02}-13,Lumen\x1b]0;x\x07feld\u202e,-9.99\n" for month in range(1, 12)
    )
    path.write_text(f"Date,Text,Amount\n{rows}", encoding="utf-8")
    shown = run(tmp_path, str(path)).stdout
    assert "feld" in shown and not {"\x1b", "\x07", "\u202e"} & set(shown)

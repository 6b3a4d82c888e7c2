"""Every recurring charge of five realistic files of different banks, and nothing else."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from subterminator.statements.files import read, read_all
from subterminator.statements.model import Change, Charge
from subterminator.statements.report import examine
from tests.statements.lines import packs
from tests.statements.truth import TRUTHS, Truth

FOLDER = Path(__file__).parent.parent / "fixtures" / "statements"
TODAY = date(2025, 12, 1)


def found(*names: str) -> dict[tuple[str, str], Charge]:
    report = examine(read_all(FOLDER / name for name in names), packs(), TODAY)
    return {(charge.service, str(charge.price)): charge for charge in report.charges}


def as_truth(charge: Charge) -> Truth:
    return Truth(
        charge.service, str(charge.price), charge.period, charge.payer, charge.count, charge.pack,
        charge.contract, charge.flags,
    )  # fmt: skip


@pytest.mark.parametrize("name", TRUTHS)
def test_all_recurring_charges_are_found_and_none_that_are_not(name: str) -> None:
    charges = found(name).values()
    assert sorted(map(as_truth, charges)) == sorted(TRUTHS[name])


@pytest.mark.parametrize("name", TRUTHS)
def test_no_line_of_the_files_is_lost(name: str) -> None:
    assert read(FOLDER / name).skipped == 0


def test_the_german_file_is_understood() -> None:
    statement = read(FOLDER / "nordbank.csv")
    salary = next(one for one in statement.transactions if "GEHALT 10/25" in one.text)
    assert (str(salary.amount), salary.currency, salary.account) == ("-2843.17", "EUR", "***5228")
    assert statement.transactions[-1].day == date(2024, 9, 3)
    assert any("Bäckerei" in one.payee for one in statement.transactions)


def test_a_price_rise_is_told_with_its_day_and_both_prices() -> None:
    netflix = found("baycard.csv")["Netflix", "17.99"]
    rise = Change(date(2025, 2, 14), Decimal("15.49"), Decimal("17.99"))
    assert netflix.changes == (rise,)
    assert str(netflix.yearly) == "215.88"
    assert netflix.next_on == date(2025, 12, 14)
    assert netflix.older


def test_a_trial_is_told_with_the_day_it_began() -> None:
    charges = found("baycard.csv", "receipts.mbox")
    assert charges["Headspace", "12.99"].trial_on == date(2025, 4, 2)
    assert not charges["Headspace", "12.99"].older
    assert charges["Stillwater Premium", "7.99"].trial_on == date(2025, 4, 2)


def test_what_has_stopped_has_no_next_day_and_costs_nothing() -> None:
    report = examine([read(FOLDER / "nordbank.csv")], packs(), TODAY)
    dazn = next(charge for charge in report.charges if charge.service == "DAZN")
    assert dazn.next_on is None and dazn.last_on == date(2025, 2, 24)
    (total,) = report.totals
    assert (str(total.subscriptions), str(total.yearly)) == ("140.10", "1681.26")
    running = [charge for charge in report.charges if charge.running and not charge.contract]
    assert total.yearly == sum(charge.yearly for charge in running)


def test_a_receipt_tells_what_a_line_of_a_store_is_for() -> None:
    charges = found("baycard.csv", "receipts.mbox")
    assert ("Apple (App Store)", "2.99") not in charges
    cloud = charges["iCloud+", "2.99"]
    assert cloud.count == 14 and cloud.sources == ("baycard.csv",)


def test_two_files_that_overlap_count_once(tmp_path: Path) -> None:
    lines = (FOLDER / "baycard.csv").read_text().splitlines(keepends=True)
    for name, part in (("new.csv", lines[1:400]), ("old.csv", lines[300:])):
        (tmp_path / name).write_text("".join((lines[0], *part)))
    statements = read_all((tmp_path / "old.csv", tmp_path / "new.csv"))
    charges = examine(statements, packs(), TODAY).charges
    assert sorted(map(as_truth, charges)) == sorted(TRUTHS["baycard.csv"])


def test_one_receipt_is_no_series_but_is_told() -> None:
    report = examine([read(FOLDER / "spotify.eml")], packs(), TODAY)
    (once,) = report.once
    assert not report.charges
    assert (once.service, str(once.price), once.pack) == ("Spotify", "12.99", "spotify")


def test_no_account_number_and_no_mail_address_is_in_a_report() -> None:
    report = examine(read_all(FOLDER / name for name in TRUTHS), packs(), TODAY)
    text = repr(report)
    for secret in (
        "0000000152",
        "DE8937",
        "000451209987",
        "30982112894477",
        "robin.vale",
        "918273645",
    ):
        assert secret not in text

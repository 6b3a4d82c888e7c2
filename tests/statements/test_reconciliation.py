from __future__ import annotations

from subterminator.statements.merchants import Merchants
from subterminator.statements.model import Transaction
from subterminator.statements.reconciliation import merge
from tests.statements.lines import line, packs, statement


def merged(*files: tuple[str, list[Transaction]]) -> list[Transaction]:
    statements = [
        statement(lines, name=name, format="mail" if name.endswith("mbox") else "csv")
        for name, lines in files
    ]
    return merge(statements, Merchants(packs()))


def test_a_line_of_two_exports_counts_once_and_two_of_one_export_twice() -> None:
    one, other = line("2025-01-02", "SHOP", "5.00"), line("2025-01-03", "SHOP", "5.00")
    assert len(merged(("a.csv", [one, one, other]), ("b.csv", [one, other, other]))) == 4


def test_the_same_line_of_another_account_is_another() -> None:
    lines = [line("2025-01-02", "SHOP", "5.00", account=account) for account in ("***1", "***2")]
    assert len(merged(("a.csv", lines[:1]), ("b.csv", lines[1:]))) == 2


def test_a_receipt_of_a_line_is_not_another_charge() -> None:
    bank = line("2025-01-04", "SPOTIFY P12", "9.99")
    receipt = line("2025-01-02", "Spotify", "9.99", payee="Spotify", source="m.mbox")
    assert merged(("a.csv", [bank]), ("m.mbox", [receipt])) == [bank]


def test_a_receipt_names_what_a_stores_line_is_for() -> None:
    bank = line("2025-01-04", "APPLE.COM/BILL", "2.99")
    receipt = line("2025-01-03", "APPLE.COM/BILL iCloud+", "2.99", payee="iCloud+")
    (found,) = merged(("a.csv", [bank]), ("m.mbox", [receipt]))
    assert (found.payee, found.day) == ("iCloud+", bank.day)


def test_each_receipt_takes_one_line_the_nearest() -> None:
    bank = [
        line("2025-01-04", "APPLE.COM/BILL", "2.99"),
        line("2025-01-06", "APPLE.COM/BILL", "2.99"),
    ]
    receipts = [
        line("2025-01-06", "APPLE.COM/BILL Calm", "2.99", payee="Calm"),
        line("2025-01-05", "APPLE.COM/BILL iCloud+", "2.99", payee="iCloud+"),
    ]
    found = merged(("a.csv", bank), ("m.mbox", receipts))
    assert [one.payee for one in found] == ["iCloud+", "Calm"]


def test_a_receipt_without_a_line_is_a_charge() -> None:
    bank = line("2025-01-24", "SPOTIFY P12", "9.99")
    receipt = line("2025-01-02", "Spotify", "9.99", payee="Spotify")
    assert len(merged(("a.csv", [bank]), ("m.mbox", [receipt]))) == 2


def test_paypals_own_export_does_not_count_again() -> None:
    bank = line("2025-01-04", "PAYPAL *SPOTIFY", "9.99", source="a.csv")
    own = line("2025-01-02", "Spotify USA", "9.99", payee="Spotify USA", source="paypal.csv")
    assert merged(("a.csv", [bank]), ("paypal.csv", [own])) == [bank]

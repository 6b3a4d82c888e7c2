from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from subterminator.statements.model import Statement, Transaction
from subterminator.statements.tables import read


def table(text: str, encoding: str = "utf-8") -> Statement:
    found = read(text.encode(encoding), "x.csv")
    assert found is not None
    return found


def seen(statement: Statement) -> list[tuple[str, str, str, str]]:
    return [
        (str(one.day), str(one.amount), one.currency, one.text) for one in statement.transactions
    ]


def test_a_preamble_a_semicolon_and_decimal_commas() -> None:
    statement = table(
        """Nordbank;;
IBAN;DE21 3012 0400 0000 0152 28
Zeitraum;01.01.2025 - 31.01.2025

"Buchungstag";"Wertstellung";"Auftraggeber / Begünstigter";"Verwendungszweck";"Betrag";"Währung"
"31.01.2025";"02.02.2025";"Müller GmbH";"Rechnung 7";"-1.234,56";"EUR"
"30.01.2025";"30.01.2025";"Werft AG";"Gehalt";"2.500,00";"EUR"
""",
        "iso-8859-1",
    )
    assert seen(statement) == [
        ("2025-01-31", "1234.56", "EUR", "Müller GmbH Rechnung 7"),
        ("2025-01-30", "-2500.00", "EUR", "Werft AG Gehalt"),
    ]
    assert statement.transactions[0].payee == "Müller GmbH"
    assert statement.transactions[0].account == "***5228"


def test_a_column_for_what_is_paid_and_one_for_what_is_received() -> None:
    statement = table(
        'Date,Description,Debit,Credit\n01/31/2025,"BOOKS, AND MORE","1,020.50",\n01/30/2025,PAYROLL,,2000.00\n'
    )
    assert [str(one.amount) for one in statement.transactions] == ["1020.50", "-2000.00"]
    assert statement.transactions[0].text == "BOOKS, AND MORE"
    assert statement.transactions[0].currency == "USD"
    assert "currency taken as USD" in " ".join(statement.notes)


def test_a_table_without_a_heading() -> None:
    statement = table(
        "31/01/2024,-12.50,NETFLIX\n13/02/2024,-5.00,COFFEE\n28/02/2024,2500.00,SALARY\n"
    )
    assert [(str(one.day), str(one.amount)) for one in statement.transactions] == [
        ("2024-01-31", "12.50"), ("2024-02-13", "5.00"), ("2024-02-28", "-2500.00"),
    ]  # fmt: skip


def test_a_table_without_a_heading_and_with_two_columns_of_money() -> None:
    statement = table("01/31/2025,NETFLIX,16.49,,1200.22\n01/30/2025,PAYROLL,,2000.00,1216.71\n")
    assert [str(one.amount) for one in statement.transactions] == ["16.49", "-2000.00"]


@pytest.mark.parametrize(
    "text",
    [
        # A bank writes what is paid below zero, a card above it, an account shows it by its balance.
        "Date,Description,Amount\n2025-01-02,NETFLIX,-9.99\n2025-01-03,SALARY,900.00\n2025-01-04,SHOP,-4.00\n",
        "Date,Description,Amount\n2025-01-02,NETFLIX,9.99\n2025-01-03,PAYMENT RECEIVED,-900.00\n2025-01-04,SHOP,4.00\n",
        "Date,Text,Amount,Balance\n2025-01-02,A,9.99,90.01\n2025-01-03,B,-900.00,990.01\n2025-01-04,C,4,986.01\n2025-01-05,D,1,985.01\n",
        'Datum;Naam / Omschrijving;Af Bij;Bedrag (EUR)\n20250102;A;Af;"9,99"\n20250103;B;Bij;"900,00"\n20250104;C;Af;"4,00"\n',
        "Date,Text,Amount,\n02-Jan-2025,A,£9.99,\n03-Jan-2025,B,+ £900.00,CR\n04-Jan-2025,C,£4.00,\n",
        "Date,Text,Type,Amount\n2025-01-02,A,DEBIT,9.99\n2025-01-03,B,CREDIT,900.00\n2025-01-04,C,DEBIT,4.00\n",
    ],
)  # fmt: skip
def test_what_was_paid_is_found_out_whatever_sign_it_has(text: str) -> None:
    amounts = [one.amount for one in table(text).transactions]
    assert amounts[:3] == [Decimal("9.99"), Decimal("-900.00"), Decimal("4")]


def test_lines_that_are_not_booked_are_left_out() -> None:
    statement = table(
        "Date,Description,Amount,State\n2025-01-02,A,-9.99,COMPLETED\n2025-01-03,B,-5.00,REVERTED\nPending,C,-7.00,\n"
    )
    assert [one.text for one in statement.transactions] == ["A"]


def test_a_row_without_a_day_goes_on_with_the_one_before() -> None:
    statement = table(
        "Date,Description,Withdrawals (SGD),Deposits (SGD)\n18/04/2025,DEBIT PURCHASE,6.66,\n,CORNER BOOKS 12,,\n17/04/2025,FEE,1.00,\n"
    )
    assert seen(statement)[0] == ("2025-04-18", "6.66", "SGD", "DEBIT PURCHASE CORNER BOOKS 12")
    assert len(statement.transactions) == 2


def test_the_amount_of_the_account_counts_not_the_one_of_the_shop() -> None:
    statement = table(
        "Datum,Empfänger,Betrag (Fremdwährung),Fremdwährung,Betrag (EUR)\n2025-10-01,SHOP,-59.99,USD,-55.10\n2025-10-13,X,-5.99,USD,-5.10\n"
    )
    assert [str(one.amount) for one in statement.transactions] == ["55.10", "5.10"]


def test_a_signed_amount_is_taken_where_a_table_also_splits_it() -> None:
    statement = table(
        "datum;bedrag;credit;debet;munt;Handelaar\n01/02/2025;-16,52;;-16,52;EUR;Winkel\n24/01/2025;35,77;35,77;;EUR;Terug\n"
    )
    assert [(str(one.amount), one.payee) for one in statement.transactions] == [
        ("16.52", "Winkel"), ("-35.77", "Terug"),
    ]  # fmt: skip


def test_a_quotation_mark_that_is_never_closed_costs_no_other_line() -> None:
    rows = "".join(f'2025-01-{day:02},"SHOP {day}",-{day}.00\n' for day in range(2, 30))
    statement = table(f'Date,Text,Amount\n2025-01-01,"19 INCH SCREEN,-1.00\n{rows}')
    assert len(statement.transactions) == 29


def test_a_preamble_with_days_and_amounts_is_no_data() -> None:
    statement = table(
        "Saldo;31.01.2025;4.211,90\nAlter Saldo;01.01.2025;3.000,00\n\n"
        "Buchungstag;Verwendungszweck;Betrag (EUR)\n13.01.2025;A;-1,00\n14.01.2025;B;-2,00\nSumme;;-3,00\n"
    )
    assert [one.text for one in statement.transactions] == ["A", "B"]
    assert statement.skipped == 0


def test_a_heading_that_comes_again_is_no_line() -> None:
    statement = table(
        "Date,Text,Amount\n2025-01-13,A,-1.00\nDate,Text,Amount\n2025-01-14,B,-2.00\n"
    )
    assert [one.text for one in statement.transactions] == ["A", "B"]


def test_a_line_that_cannot_be_read_is_counted() -> None:
    statement = table(
        "Date,Text,Amount\n2025-01-01,A,-1.00\n2025-01-02,B,one euro\n2025-01-03,C,-3.00\n"
    )
    assert statement.skipped == 1 and len(statement.transactions) == 2


def test_days_that_could_be_read_either_way_are_told() -> None:
    statement = table("Date,Text,Amount (USD)\n03/04/2025,A,-1.00\n")
    assert statement.transactions[0].day == date(2025, 3, 4)
    assert "days read as month, day, year; the file does not tell" in statement.notes


@pytest.mark.parametrize("text", ["", "hello", "a,b,c\nd,e,f\n", "Date,Amount\n", "2025-01-01\n"])
def test_what_is_no_statement_is_none(text: str) -> None:
    assert read(text.encode(), "x") is None


def test_a_card_number_is_masked_when_it_is_read() -> None:
    statement = table(
        "Transaction Date,Card No.,Description,Debit,Credit\n2025-01-02,4111111111111111,A,1.00,\n2025-01-03,4111111111111111,B,2.00,\n"
    )
    assert {one.account for one in statement.transactions} == {"***1111"}
    assert "4111" not in repr(statement)


def test_transactions_carry_the_name_of_their_file() -> None:
    (one,) = table("Date,Text,Amount\n2025-01-13,A,-1.00\n").transactions
    assert one == Transaction(date(2025, 1, 13), Decimal("1.00"), "A", source="x.csv")

from __future__ import annotations

from decimal import Decimal

import pytest

from subterminator.statements.money import Amount, currency, decimal_point, looks_like_money, read


@pytest.mark.parametrize(
    ("written", "point", "value"),
    [
        ("1,234.56", ".", "1234.56"),
        ("1.234,56", ",", "1234.56"),
        ("1 234,56", ",", "1234.56"),
        ("1'234.50", ".", "1234.50"),
        ("-17,22", ",", "-17.22"),
        ("17,22-", ",", "-17.22"),
        ("(45.00)", ".", "-45.00"),
        ("\u221212.00", ".", "-12.00"),
        ("+ 1,100.00", ".", "1100.00"),
        ("$ -3.50", ".", "-3.50"),
        ("-10", ".", "-10"),
        (".99", ".", "0.99"),
    ],
)
def test_an_amount_is_read_however_it_is_written(written: str, point: str, value: str) -> None:
    amount = read(written, "," if point == "," else ".")
    assert amount is not None and amount.value == Decimal(value)


def test_signs_and_codes_of_currencies_are_known() -> None:
    assert read("£67.40", ".") == Amount(Decimal("67.40"), "GBP")
    assert read("12,99 EUR", ",") == Amount(Decimal("12.99"), "EUR")
    assert read("CHF 5.00", ".") == Amount(Decimal("5.00"), "CHF")
    assert currency("C$") == "CAD" and currency("xyz") == ""


def test_a_mark_behind_the_number_says_which_way_the_money_went() -> None:
    assert read("1,100.00 CR", ".") == Amount(Decimal("1100.00"), "", "in")
    assert read("12,50 S", ",") == Amount(Decimal("12.50"), "", "out")


@pytest.mark.parametrize(
    "words", ["", "abc", "12.03.2025", "AB 12", "1.2.3,4x", "DE44200400000538917600"]
)
def test_what_is_no_amount_is_none(words: str) -> None:
    assert not looks_like_money(words) or read(words, ".") is None


@pytest.mark.parametrize(
    ("cells", "point"),
    [
        (["12.50", "1,000.00"], "."),
        (["12,50", "1.000,00"], ","),
        (["1.000", "2.500", "12,5"], ","),
        (["1,000", "2,500"], "."),
        (["10", "20"], "."),
    ],
)
def test_a_column_shows_what_separates_its_cents(cells: list[str], point: str) -> None:
    assert decimal_point(cells) == point

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subterminator.runs.dates import (
    LONGEST_WITHOUT_YEAR,
    MONTHS,
    find_date,
    iso_day,
    month_of,
    written,
)

NEAR = date(2026, 11, 15)
DECEMBER = date(2026, 12, 12)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "12 December 2026"),
        ("en", "Next payment: December 12, 2026"),
        ("en", "Dec. 12th, 2026"),
        ("en", "Saturday, 12th of December 2026 at 11:59 pm"),
        ("en", "12-Dec-2026"),
        ("en", "2026-12-12"),
        ("en-US", "12/12/2026"),
        ("en", "ends Dec 12"),
        ("de", "12. Dezember 2026"),
        ("de", "gekündigt zum 12.12.2026"),
        ("de", "am 12.12.26"),
        ("de", "12. Dez. 2026"),
        ("de", "12. 12. 2026"),
        ("fr", "le 12 décembre 2026"),
        ("fr", "sam. 12 déc. 2026"),
        ("fr", "mar. 12 déc. 2026"),
        ("fr", "12/12/2026"),
        ("es", "el 12 de diciembre de 2026"),
        ("es", "12 de diciembre del 2026"),
        ("es", "12/12/2026"),
        ("it", "12 dicembre 2026"),
        ("it", "fino al 12 dic 2026"),
        ("it", "12-12-2026"),
        ("de", "12. DEZEMBER 2026"),
        ("fr", "12 decembre\u00a02026"),
    ],
)  # fmt: skip
def test_a_day_is_read_as_five_languages_write_it(language: str, text: str) -> None:
    assert find_date(text, language, NEAR) == DECEMBER


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("fr", "1er janvier 2027", date(2027, 1, 1)),
        ("de", "1. Jänner 2027", date(2027, 1, 1)),
        ("es", "3 de setiembre de 2027", date(2027, 9, 3)),
        ("en-US", "03/04/2027", date(2027, 3, 4)),
        ("en-GB", "03/04/2027", date(2027, 4, 3)),
        ("de", "03/04/2027", date(2027, 4, 3)),
        ("en", "13/04/2027", date(2027, 4, 13)),
        ("en", "04/13/2027", date(2027, 4, 13)),
        ("en", "Renews on 3 January", date(2027, 1, 3)),
    ],
)  # fmt: skip
def test_the_order_of_numbers_is_that_of_the_language(
    language: str, text: str, expected: date
) -> None:
    assert find_date(text, language, NEAR) == expected


@pytest.mark.parametrize(
    "text",
    [
        "03/04/2027",  # both readings lie ahead
        "31 February 2027",
        "soon",
        "",
        "12.99 USD a month",
        "31 December 9999",
        "up to 2 may join, and each of them can bring a friend along",
        "Ended 3 November",  # shortly past rather than in a year
        "version 1.2.3",
        "12 dozen 2026",
    ],
)  # fmt: skip
def test_what_can_be_read_in_two_ways_or_in_none_is_not_found(text: str) -> None:
    assert find_date(text, "en", NEAR) is None


def test_of_two_readings_the_only_one_that_lies_ahead_is_taken() -> None:
    assert find_date("12/11/2026", "en", NEAR) == date(2026, 12, 11)


def test_of_several_days_the_first_that_lies_ahead_is_taken() -> None:
    text = "Charged on 12 November 2026. Ends on 12 December 2026, data kept until 1 June 2027."
    assert find_date(text, "en", NEAR) == DECEMBER


def test_a_month_is_known_by_the_beginning_of_its_name_if_that_is_clear() -> None:
    assert [month_of(word) for word in ("Sept", "juil", "jui", "mär", "ma", "août", "may")] == [
        9, 7, 0, 3, 0, 8, 5,
    ]  # fmt: skip


@given(st.dates(date(2026, 11, 15), date(2090, 1, 1)), st.sampled_from(sorted(MONTHS)))
def test_what_is_written_is_read_again(day: date, language: str) -> None:
    assert find_date(written(day, language), language, NEAR) == day


@given(st.text(max_size=200), st.sampled_from([*MONTHS, "", "en-US", "xx"]))
def test_any_text_gives_a_day_or_none(text: str, language: str) -> None:
    found = find_date(text, language, NEAR)
    assert found is None or found + timedelta(days=1) > found


def test_only_our_own_form_is_taken_for_a_day_of_ours() -> None:
    assert iso_day("2026-12-12") == DECEMBER
    assert iso_day("not found") is iso_day("9999-12-31") is iso_day("2026-13-01") is None
    assert LONGEST_WITHOUT_YEAR < 60

from __future__ import annotations

from datetime import date

import pytest

from subterminator.statements.days import Order, Reading, day_of, order_of, parts


@pytest.mark.parametrize(
    "written",
    [
        "2025-03-04", "2025/03/04", "2025.03.04.", "20250304", "20250304120000[-5:EST]", "4 March 2025", "04-Mar-2025",
        "4. März 2025", "Mar 4, 2025", "March 4th, 2025", "4 mars 2025", "2025-03-04T10:00:00Z", "2025-03-04 12:34:56 +0000",
        "Tue, 4 Mar 2025",
    ],
)  # fmt: skip
def test_a_day_is_read_however_it_is_written(written: str) -> None:
    found = parts(written)
    assert found and day_of(found, "dmy") == date(2025, 3, 4)


@pytest.mark.parametrize(
    "words", ["", "12.50", "1234567", "Netflix", "1.2.3.4", "99/99", "12/2025", "4 Foo 2025"]
)
def test_what_is_no_day_is_none(words: str) -> None:
    assert parts(words) is None


def test_a_day_that_does_not_exist_is_none() -> None:
    found = parts("31.02.2025")
    assert found and day_of(found, "dmy") is None
    far = parts("0001-01-01")
    assert far and day_of(far, "ymd") is None


def reading(*cells: str, point: str = ".", currency: str = "") -> Reading:
    return order_of(
        [found for cell in cells if (found := parts(cell))], point=point, currency=currency
    )


@pytest.mark.parametrize(
    ("cells", "order"),
    [
        (("13/02/2025", "01/03/2025"), "dmy"),
        (("02/13/2025", "03/01/2025"), "mdy"),
        (("01.02.25", "03.04.25"), "dmy"),
        (("01/02/2025", "01/03/2025", "01/04/2025", "01/05/2025", "01/06/2025"), "mdy"),
        (("01/02/2025", "02/02/2025", "03/02/2025", "05/02/2025", "09/02/2025"), "dmy"),
    ],
)
def test_the_order_is_found_by_what_the_days_allow(cells: tuple[str, ...], order: Order) -> None:
    assert reading(*cells) == Reading(order, True)


def test_where_nothing_tells_the_habits_of_the_currency_decide_and_it_is_said() -> None:
    assert reading("03/04/2025", currency="USD") == Reading("mdy", False)
    assert reading("03/04/2025", currency="GBP") == Reading("dmy", False)
    assert reading("03/04/2025", point=",") == Reading("dmy", False)

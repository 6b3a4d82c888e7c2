"""What is found, and what is not, in lines as they come."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

import pytest

from tests.statements.lines import audit, charged, every, line, monthly, only


def test_a_subscription_of_somebody_unknown_needs_three_even_charges() -> None:
    days = list(monthly("2025-08-10", 4))
    assert audit(charged(days[:2], "LUMENFELD", "9.99"), until="2025-09-20") == ()
    found = only(audit(charged(days[:3], "LUMENFELD", "9.99"), until="2025-10-20"))
    assert (found.period, found.count, found.confidence) == ("monthly", 3, "medium")
    assert "3 charges of one price" in found.reason


def test_a_known_service_needs_two() -> None:
    found = only(audit(charged(monthly("2025-10-10", 2), "NETFLIX.COM", "9.99")))
    assert found.service == "Netflix" and found.next_on == date(2025, 12, 10)


def test_money_that_comes_in_is_never_a_charge() -> None:
    assert audit(charged(monthly("2024-01-28", 20), "ACME PAYROLL", "-2400")) == ()


@pytest.mark.parametrize(
    "text", ["ATM WITHDRAWAL 12", "TRANSFER TO SAVINGS", "CREDIT CARD PAYMENT"]
)
def test_money_that_is_only_moved_is_never_a_charge(text: str) -> None:
    assert audit(charged(monthly("2024-01-28", 20), text, "100")) == ()


def test_weekly_shopping_of_varying_amounts_is_no_subscription() -> None:
    random = Random(4)
    lines = [
        line(day, "HARLOW MARKET 12", str(random.randrange(3000, 9000) / 100))
        for day in every(7, "2024-01-06", 90)
    ]
    assert audit(lines) == ()


def test_one_price_at_irregular_times_is_no_subscription() -> None:
    random = Random(5)
    days = [date(2024, 1, 1) + timedelta(random.randrange(690)) for _ in range(60)]
    assert audit(charged(days, "COPPER KETTLE", "4.50")) == ()


def test_two_subscriptions_at_one_merchant_are_two() -> None:
    lines = charged(monthly("2024-01-05", 20), "LUMENFELD", "4.99")
    lines += charged(monthly("2024-01-19", 20), "LUMENFELD", "11.99")
    assert sorted(str(one.price) for one in audit(lines)) == ["11.99", "4.99"]


@pytest.mark.parametrize("other", ["2024-01-19", "2024-01-05"])
def test_two_subscriptions_of_one_price_are_two(other: str) -> None:
    lines = charged(monthly("2024-01-05", 22), "LUMENFELD", "4.99")
    lines += charged(monthly(other, 22), "LUMENFELD", "4.99")
    found = audit(lines)
    assert [(one.period, one.count) for one in found] == [("monthly", 22)] * 2


def test_a_purchase_from_the_same_merchant_is_not_part_of_it() -> None:
    lines = charged(monthly("2024-01-05", 22), "AUDIBLE UK", "7.99")
    lines += [line("2024-06-20", "AUDIBLE UK", "18.00"), line("2024-09-02", "AUDIBLE UK", "7.99")]
    assert only(audit(lines)).count == 22


def test_one_missed_and_one_doubled_charge_are_tolerated() -> None:
    lines = charged(monthly("2024-01-05", 22), "LUMENFELD", "4.99")
    del lines[9]
    lines.append(line(lines[4].day, "LUMENFELD", "4.99"))
    found = only(audit(lines))
    assert found.period == "monthly" and {"missed", "doubled"} <= set(found.flags)


@pytest.mark.parametrize("after", ["10.49", "11.99", "14.99"])
@pytest.mark.parametrize("charges", [1, 2, 9])
def test_a_new_price_is_the_same_subscription(after: str, charges: int) -> None:
    days = list(monthly("2024-03-05", 21))
    lines = charged(days[:-charges], "LUMENFELD", "9.99") + charged(
        days[-charges:], "LUMENFELD", after
    )
    found = only(audit(lines))
    assert (found.count, str(found.price)) == (21, after)
    (change,) = found.changes
    assert (change.on, str(change.before), str(change.after)) == (days[-charges], "9.99", after)
    assert "price rise" in found.flags


def test_a_known_weekly_service_may_come_two_days_off() -> None:
    shifts = (0, 2, 1, 0, 2, 0, 1, 2, 2, 0, 1, 0)
    days = [
        day + timedelta(shift)
        for day, shift in zip(every(7, "2025-09-05", 12), shifts, strict=True)
    ]
    assert only(audit(charged(days, "HELLOFRESH", "65.93"))).period == "weekly"


def test_a_lower_price_is_a_price_cut() -> None:
    days = list(monthly("2024-03-05", 21))
    lines = charged(days[:10], "LUMENFELD", "9.99") + charged(days[10:], "LUMENFELD", "7.99")
    assert only(audit(lines)).flags == ("price cut",)


def test_a_small_charge_before_the_first_is_a_trial() -> None:
    lines = [
        line("2025-03-02", "LUMENFELD", "1.00"),
        *charged(monthly("2025-03-16", 8), "LUMENFELD", "12.00"),
    ]
    found = only(audit(lines))
    assert found.trial_on == date(2025, 3, 2) and "trial" in found.flags
    assert found.since == date(2025, 3, 16) and not found.older


def test_a_cheap_beginning_is_a_trial_and_a_price_rise() -> None:
    days = list(monthly("2025-01-16", 11))
    lines = charged(days[:3], "LUMENFELD", "0.99") + charged(days[3:], "LUMENFELD", "9.99")
    found = only(audit(lines))
    assert found.flags == ("price rise", "trial") and found.trial_on == days[0]


def test_an_app_bought_before_a_subscription_of_a_store_is_no_trial() -> None:
    lines = [
        line("2025-03-02", "APPLE.COM/BILL", "0.99"),
        *charged(monthly("2025-03-16", 8), "APPLE.COM/BILL", "9.99"),
    ]
    assert only(audit(lines)).trial_on is None


def test_one_that_stopped_and_began_again_is_one() -> None:
    days = list(monthly("2024-01-08", 23))
    found = only(audit(charged([*days[:8], *days[15:]], "LUMENFELD", "9.99")))
    assert found.count == 16 and "paused" in found.flags and found.running


def test_it_runs_while_the_next_charge_may_still_come() -> None:
    lines = charged(monthly("2024-01-08", 22), "LUMENFELD", "9.99")
    assert only(audit(lines, until="2025-11-15")).next_on == date(2025, 12, 8)
    assert only(audit(lines, until="2025-11-25")).next_on is None


def test_prices_of_a_foreign_currency_vary_a_little() -> None:
    random = Random(8)
    lines = [
        line(day, "LUMENFELD", str(random.randrange(1830, 1910) / 100))
        for day in monthly("2024-01-08", 23)
    ]
    found = only(audit(lines))
    assert found.flags == ("varies",) and found.changes == ()


def test_a_bill_of_varying_amounts_is_a_contract() -> None:
    random = Random(9)
    lines = [
        line(day, "STADTWERKE STROM", str(random.randrange(4000, 12000) / 100))
        for day in monthly("2024-01-08", 23)
    ]
    found = only(audit(lines))
    assert found.contract == "energy" and found.flags == ("contract", "varies") and not found.pack


def test_a_yearly_one_whose_price_rises_every_year() -> None:
    lines = [
        line("2023-10-04", "DROPBOX*1", "99.00"),
        line("2024-10-04", "DROPBOX*2", "119.88"),
        line("2025-10-06", "DROPBOX*3", "129.00"),
    ]
    found = only(audit(lines, first="2023-01-01"))
    assert (found.period, found.count) == ("yearly", 3)


def test_a_refund_is_told() -> None:
    lines = charged(monthly("2025-01-08", 11), "LUMENFELD", "9.99")
    assert "refund" in only(audit([*lines, line("2025-05-12", "LUMENFELD", "-9.99")])).flags


def test_it_may_be_older_than_the_statement() -> None:
    lines = charged(monthly("2024-01-08", 22), "LUMENFELD", "9.99")
    assert only(audit(lines, until="2025-11-12")).older
    assert not only(audit(lines, first="2023-06-01", until="2025-11-12")).older


def test_who_bills_is_who_billed_last() -> None:
    days = list(monthly("2024-01-08", 23))
    lines = charged(days[:12], "NETFLIX.COM", "9.99") + charged(
        days[12:], "PAYPAL *NETFLIX", "9.99"
    )
    assert only(audit(lines)).payer == "paypal"

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

import pytest

from subterminator.statements.model import Period
from subterminator.statements.series import Chain, best, nearest
from tests.statements.lines import every, monthly


def chain(days: Iterable[date]) -> Chain:
    found = best(sorted(day.toordinal() for day in days))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("days", "period"),
    [
        (every(7, "2025-01-07", 10), "weekly"),
        (every(14, "2025-01-07", 10), "fortnightly"),
        (every(28, "2025-01-07", 10), "four-weekly"),
        (every(30, "2025-01-07", 14), "monthly"),
        (every(31, "2025-01-07", 14), "monthly"),
        (monthly("2025-01-31", 10), "monthly"),
        (monthly("2025-01-15", 6, step=2), "two-monthly"),
        (monthly("2024-08-31", 6, step=3), "quarterly"),
        (every(90, "2024-01-10", 8), "quarterly"),
        (monthly("2024-02-29", 4, step=6), "half-yearly"),
        (monthly("2024-02-29", 3, step=12), "yearly"),
        (every(365, "2023-05-05", 3), "yearly"),
    ],
)
def test_a_period_is_recognised(days: Iterable[date], period: Period) -> None:
    dates = list(days)
    found = chain(dates)
    assert found.cadence.period == period
    assert len(found.places) == len(dates) and not found.missed


def test_days_that_move_to_the_next_weekday_are_one_series() -> None:
    days = [
        day + timedelta(max(0, 7 - day.weekday()) if day.weekday() > 4 else 0)
        for day in monthly("2024-01-31", 20)
    ]
    found = chain(days)
    assert found.cadence.period == "monthly" and len(found.places) == 20


def test_one_that_did_not_come_is_counted_and_the_next_is_due_all_the_same() -> None:
    days = list(monthly("2025-01-10", 8))
    found = chain([*days[:3], *days[4:]])
    assert found.missed == 1 and len(found.places) == 7
    assert found.steps[-1] == 7


def test_a_gap_does_not_make_a_slower_series() -> None:
    days = list(monthly("2024-01-05", 20))
    found = chain([*days[:6], *days[8:]])
    assert found.cadence.period == "monthly"


def test_visits_at_any_time_are_no_series() -> None:
    days = [date(2025, 1, 1) + timedelta(shift) for shift in (0, 19, 64, 75, 131, 140, 201, 222)]
    found = best([day.toordinal() for day in days])
    assert found is None or len(found.places) < 5


def test_visits_that_are_counted_from_the_last_one_drift() -> None:
    day, days = date(2024, 1, 10), []
    for gap in (30, 27, 33, 29, 26, 33, 34, 27, 26, 32, 34, 33, 28):
        days.append(day)
        day += timedelta(gap)
    found = best([day.toordinal() for day in days])
    assert found is None or found.drifts or len(found.places) < 10


def test_a_daily_habit_costs_no_time() -> None:
    assert best(list(range(730_000, 760_000))) is None


def test_the_nearest_day() -> None:
    assert [nearest([1, 5, 9], day) for day in (-3, 1, 3, 4, 8, 40)] == [0, 0, 0, 1, 2, 2]

from __future__ import annotations

import re
from datetime import UTC, date, datetime

import pytest

from subterminator.packs.model import Outcome
from subterminator.runs.calendar import Entry, calendar, entries, reminders
from subterminator.runs.proof import After, Before, Proof, Story
from tests.runs.proving import BEGAN, at

STORY = Story(name="Streambox")
TODAY = BEGAN.date()


def proof(
    outcome: Outcome = "cancelled", renews: str = "2026-12-12", ends: str = "2026-12-12"
) -> Proof:
    return Proof(
        service="streambox", outcome=outcome, verified=True, before=Before(renews=renews),
        after=After(ends_on=ends), started=at(0), ended=at(55),
    )  # fmt: skip


def days(found: Proof) -> dict[str, str]:
    return {entry.key: entry.day.isoformat() for entry in entries(found, STORY, TODAY)}


def unfolded(data: bytes) -> list[str]:
    assert data.endswith(b"\r\n") and b"\n" not in data.replace(b"\r\n", b"")
    assert all(len(line) <= 75 for line in data.split(b"\r\n"))
    return data.decode().replace("\r\n ", "").split("\r\n")[:-1]


def test_a_cancelled_subscription_has_its_end_and_a_look_at_the_statement_three_days_after() -> (
    None
):
    assert days(proof()) == {"end": "2026-12-12", "charge": "2026-12-15"}


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        ("unverified", {"end", "last-day", "verify", "charge"}),
        ("pending", {"end", "last-day", "confirm", "charge"}),
        ("stopped", {"last-day"}),
        ("failed", {"last-day"}),
        ("third_party", {"last-day"}),
        ("manual_required", {"last-day"}),
        ("already_cancelled", {"end", "charge"}),
    ],
)
def test_what_may_still_run_has_its_last_day_to_cancel(
    outcome: Outcome, expected: set[str]
) -> None:
    found = days(proof(outcome))
    assert set(found) == expected
    assert found.get("last-day", "2026-12-11") == "2026-12-11"


def test_without_any_day_the_statement_is_looked_at_after_a_month() -> None:
    assert days(proof(renews="not found", ends="not found")) == {"charge": "2026-12-19"}


def test_a_day_that_has_passed_is_no_reminder() -> None:
    assert days(proof(renews="2026-10-01", ends="2026-10-01")) == {"charge": "2026-12-19"}
    assert days(proof("stopped", renews="2026-10-01")) == {}


def test_the_file_is_a_calendar_as_the_standard_has_it() -> None:
    lines = unfolded(reminders(proof(), STORY))
    assert lines[:3] == ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//SubTerminator//Proof//EN"]
    assert lines[-1] == "END:VCALENDAR"
    assert lines.count("BEGIN:VEVENT") == lines.count("END:VEVENT") == 2
    assert "DTSTART;VALUE=DATE:20261212" in lines and "DTEND;VALUE=DATE:20261213" in lines
    assert lines.count("DTSTAMP:20261115T101625Z") == 2
    assert len({line for line in lines if line.startswith("UID:")}) == 2
    assert "SUMMARY:Streambox: check that no charge came" in lines
    assert not any("TZID" in line or "VTIMEZONE" in line for line in lines)
    assert all(re.fullmatch(r"[A-Z-]+(;[A-Z]+=[A-Z]+)?:.*", line) for line in lines)


def test_names_from_a_page_cannot_begin_a_line_of_their_own() -> None:
    name = "Évil, Inc; \\ \nBEGIN:VEVENT\r\nATTACH:http://x.example " + "ü" * 90
    entry = Entry("x", date(2026, 12, 12), name, name)
    lines = unfolded(calendar([entry], datetime(2026, 11, 15, tzinfo=UTC)))
    assert lines.count("BEGIN:VEVENT") == 1
    assert not any(line.startswith("ATTACH") for line in lines)
    assert (
        f"SUMMARY:Évil\\, Inc\\; \\\\ \\nBEGIN:VEVENT \\nATTACH:http://x.example {'ü' * 90}"
        in lines
    )


def test_a_calendar_with_nothing_in_it_is_still_one() -> None:
    assert unfolded(calendar([], BEGAN))[-1] == "END:VCALENDAR"

"""`reminder.ics`: the days on which something is to be looked at, as any calendar reads them.

Whole days only: they need no time zone and mean the same everywhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta

from msgspec import Struct

from subterminator.packs.model import Outcome
from subterminator.runs.dates import moment, written
from subterminator.runs.proof import ENDED, Proof, Story

LONGEST_LINE = 75
DAY = timedelta(days=1)
# A charge takes a few days to show on a statement.
SHOWS_AFTER = timedelta(days=3)
# Where no day of renewal is known: most subscriptions are paid by the month.
A_MONTH = timedelta(days=31)
NO_DAY = "No day of renewal was found; this is a month after the end of the run."
UNSURE: frozenset[Outcome] = frozenset({"unverified", "pending"})


class Entry(Struct, frozen=True):
    """A whole day in a calendar."""

    key: str
    day: date
    title: str
    note: str


def reminders(proof: Proof, story: Story) -> bytes:
    """The calendar that belongs to a proof."""
    made = moment(proof.ended) or moment(proof.started) or datetime.now(UTC)
    return calendar(entries(proof, story, made.date()), made)


def entries(proof: Proof, story: Story, today: date) -> tuple[Entry, ...]:
    """What to look at and when. A day that has passed is no reminder."""
    found = {each.key: each for each in _entries(proof, story, proof.day or today)}
    return tuple(sorted(found.values(), key=lambda each: each.day))


def check_on(day: date, service: str, name: str) -> Entry:
    """A reminder to look again."""
    return Entry(
        "verify", day, f"{name}: look again whether it is cancelled",
        f"Run: subterminator verify {service}",
    )  # fmt: skip


def calendar(days: Sequence[Entry], made: datetime) -> bytes:
    """iCalendar (RFC 5545)."""
    stamp = made.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//SubTerminator//Proof//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
    ]
    for entry in days:
        lines += _event(entry, stamp)
    lines.append("END:VCALENDAR")
    return b"".join(_folded(line) for line in lines)


def _entries(proof: Proof, story: Story, today: date) -> Iterator[Entry]:
    name, ends = story.name, proof.ends_on
    if ends and ends >= today and proof.outcome in ENDED | UNSURE:
        yield Entry(
            "end", ends, f"{name}: access ends",
            "The subscription ends today. Save before this what you want to keep.",
        )  # fmt: skip
    if proof.outcome not in ENDED:
        yield from _while_it_runs(proof, name, today)
    if proof.outcome == "unverified":
        yield check_on(today + DAY, proof.service, name)
    if proof.outcome in ENDED | UNSURE:
        yield _charge(proof, name, today)


def _charge(proof: Proof, name: str, today: date) -> Entry:
    base = proof.renews or proof.ends_on
    if base and base + SHOWS_AFTER > today:
        day, known = base + SHOWS_AFTER, f"It would have renewed on {written(base)}."
    else:
        day = today + A_MONTH + SHOWS_AFTER
        known = "The day of renewal has passed; look once more." if base else NO_DAY
    return Entry(
        "charge", day, f"{name}: check that no charge came",
        f"{known} Look at your bank or card statement. If money was taken, run: "
        f"subterminator dispute {proof.service}",
    )  # fmt: skip


def _while_it_runs(proof: Proof, name: str, today: date) -> Iterator[Entry]:
    renews = proof.renews
    if renews and renews > today:
        yield Entry(
            "last-day", renews - DAY, f"{name}: last day to cancel",
            f"It renews on {written(renews)}. The service's own terms may ask for more time.",
        )  # fmt: skip
    if proof.outcome == "pending":
        yield Entry(
            "confirm", today + DAY, f"{name}: confirm the cancellation by e-mail",
            "The service wants a link in a message to be opened. Look in the spam folder, too. "
            f"Then run: subterminator verify {proof.service}",
        )  # fmt: skip


def _event(entry: Entry, stamp: str) -> list[str]:
    hashed = hashlib.sha256(f"{entry.key} {entry.title} {entry.day} {stamp}".encode()).hexdigest()
    title, note = _escaped(entry.title), _escaped(entry.note)
    return [
        "BEGIN:VEVENT",
        f"UID:{hashed[:32]}@subterminator.invalid",
        f"DTSTAMP:{stamp}",
        f"DTSTART;VALUE=DATE:{entry.day:%Y%m%d}",
        f"DTEND;VALUE=DATE:{entry.day + DAY:%Y%m%d}",
        f"SUMMARY:{title}",
        f"DESCRIPTION:{note}",
        "TRANSP:TRANSPARENT",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        f"DESCRIPTION:{title}",
        # Nine in the morning of that day.
        "TRIGGER:PT9H",
        "END:VALARM",
        "END:VEVENT",
    ]


def _escaped(text: str) -> str:
    plain = "".join(c if c.isprintable() or c == "\n" else " " for c in text)
    for mark in ("\\", ";", ","):
        plain = plain.replace(mark, f"\\{mark}")
    return plain.replace("\n", "\\n")


def _folded(line: str) -> bytes:
    """No line of the file is longer than 75 bytes; a character is never cut."""
    parts: list[bytes] = []
    current = b""
    for character in line:
        coded = character.encode()
        # The blank that begins a following line counts.
        if len(current) + len(coded) > LONGEST_LINE - (1 if parts else 0):
            parts.append(current)
            current = b""
        current += coded
    return b"\r\n ".join([*parts, current]) + b"\r\n"

"""What shows how a cancellation ended, as data: the fields of `report.json`, and no others.

What was not found says so; no field is ever left out.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone

from msgspec import Struct

from subterminator.packs.model import Outcome
from subterminator.runs.dates import iso_day, moment
from subterminator.runs.moments import Moment

NOT_FOUND = "not found"
ENDED: frozenset[Outcome] = frozenset({"cancelled", "already_cancelled"})
OFFSET = re.compile(r"UTC([+-])([01]\d|2[0-3]):([0-5]\d)")


class Evidence(Struct, frozen=True):
    """One thing that was read on a page, in its own words; `screenshot` is a file beside it."""

    kind: str
    text: str
    url: str = NOT_FOUND
    time: str = NOT_FOUND
    screenshot: str = NOT_FOUND


class Before(Struct, frozen=True):
    """The subscription as it was found."""

    plan: str = NOT_FOUND
    price: str = NOT_FOUND
    renews: str = NOT_FOUND


class After(Struct, frozen=True):
    """The subscription as the last page showed it. `ends_on` is ISO 8601 where it was read."""

    status_text: str = NOT_FOUND
    ends_on: str = NOT_FOUND


class Refund(Struct, frozen=True):
    text: str = NOT_FOUND
    amount: str = NOT_FOUND


class Gate(Struct, frozen=True):
    """A question that was put to the person."""

    time: str
    asked: str
    answer: str


class PageHash(Struct, frozen=True):
    """A page that was read, and the SHA-256 of what was seen of it."""

    time: str
    url: str
    sha256: str


class Proof(Struct, frozen=True, kw_only=True):
    """`report.json`. Times are ISO 8601 in UTC; `timezone` says what the clock showed."""

    service: str
    account_hint: str = NOT_FOUND
    outcome: Outcome
    verified: bool
    evidence: tuple[Evidence, ...] = ()
    before: Before = Before()
    after: After = After()
    reference: str = NOT_FOUND
    refund: Refund = Refund()
    declined: tuple[str, ...] = ()
    survey_answers: tuple[str, ...] = ()
    gates: tuple[Gate, ...] = ()
    started: str = NOT_FOUND
    ended: str = NOT_FOUND
    timezone: str = NOT_FOUND
    engine: str = NOT_FOUND
    pack_version: str = NOT_FOUND
    page_hashes: tuple[PageHash, ...] = ()

    @property
    def day(self) -> date | None:
        """The day of the end, on the person's own calendar."""
        ended = moment(self.ended) or moment(self.started)
        return local(ended, self.timezone).date() if ended else None

    @property
    def ends_on(self) -> date | None:
        return iso_day(self.after.ends_on)

    @property
    def renews(self) -> date | None:
        return iso_day(self.before.renews)


class Picture(Struct, frozen=True):
    """A picture of a page: the name of its file, its bytes, and in words what it shows."""

    name: str
    data: bytes
    media: str
    alt: str


class Story(Struct, frozen=True, kw_only=True):
    """What the report tells beyond the fields of `report.json`.

    `name` is what people call the service, `language` that of its pages, `fresh` the numbers of the
    evidence that was read on a page loaded anew after the final press. `first` is the proof that
    this one is added to. `looked`: nothing was pressed, it was only looked at. `led_by` is the
    model and what it took, or that there was none.
    """

    name: str
    language: str = "en"
    payer: str = ""
    reason: str = ""
    error: str = ""
    fresh: tuple[int, ...] = ()
    next_steps: tuple[str, ...] = ()
    moments: tuple[Moment, ...] = ()
    run: str = ""
    led_by: str = ""
    first: Proof | None = None
    looked: bool = False


def zone(name: str, offset_minutes: int) -> str:
    """`CET (UTC+01:00)`: what `local` reads back."""
    sign = "-" if offset_minutes < 0 else "+"
    hours, minutes = divmod(abs(offset_minutes), 60)
    offset = f"UTC{sign}{hours:02}:{minutes:02}"
    return f"{name} ({offset})" if name and name != "UTC" else offset


def local(at: datetime, zone_text: str) -> datetime:
    """The moment as the person's clock showed it; UTC where that is not known."""
    found = OFFSET.search(zone_text)
    if not found:
        return at.astimezone(UTC)
    offset = timedelta(hours=int(found[2]), minutes=int(found[3]))
    return at.astimezone(timezone(-offset if found[1] == "-" else offset))

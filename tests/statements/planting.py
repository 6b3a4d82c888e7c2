"""Made-up statements with subscriptions planted in them, in the dialects of many banks."""

from __future__ import annotations

import calendar
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import NamedTuple

from subterminator.statements.model import Period

FIRST = date(2023, 11, 6)
LAST = date(2025, 11, 24)
STEPS: dict[Period, tuple[str, int]] = {
    "weekly": ("day", 7),
    "fortnightly": ("day", 14),
    "four-weekly": ("day", 28),
    "monthly": ("month", 1),
    "two-monthly": ("month", 2),
    "quarterly": ("month", 3),
    "half-yearly": ("month", 6),
    "yearly": ("month", 12),
}
# How far a charge may come from its day.
LATE: dict[Period, int] = {"weekly": 1, "fortnightly": 2}
LEAST: dict[Period, int] = {"weekly": 10, "fortnightly": 8, "yearly": 2, "half-yearly": 3}
SERVICES = (
    "Lumenfeld Stream",
    "Quarrybox Audio",
    "Tidewater Journal",
    "Pinebrook Cloud",
    "Vexley Fitness",
    "Marrow Bay Press",
    "Oakhollow Sync",
    "Zephyrine Meals",
    "Netflix.com",
    "Spotify P0A1B2C3",
    "DROPBOX*AB12CD",
    "Adobe *Creative Cloud",
)
KNOWN = SERVICES[8:]
SHOPS = ("Harlow Market", "Copper Kettle Bar", "Brindle Fuel", "Nettle & Vine", "Roundhouse Deli")


class Line(NamedTuple):
    """One line; what was paid is above zero."""

    day: date
    text: str
    amount: Decimal


class Planted(NamedTuple):
    """What an audit must find."""

    name: str
    period: Period
    price: Decimal
    stopped: bool


class Plot(NamedTuple):
    """A statement and the truth about it."""

    lines: list[Line]
    planted: list[Planted]


def due_days(random: Random, period: Period) -> Iterator[date]:
    """The days a subscription is due on, from some day of the statement on."""
    unit, step = STEPS[period]
    reach = 300 if period in ("yearly", "half-yearly") else 420
    start = FIRST + timedelta(random.randrange(reach))
    months = start.year * 12 + start.month - 1
    anchor = random.choice((start.day, start.day, 31, 30, 1))
    for number in range(1000):
        if unit == "day":
            day = start + timedelta(number * step)
        else:
            year, month = divmod(months + number * step, 12)
            length = calendar.monthrange(year, month + 1)[1]
            day = date(year, month + 1, min(anchor, length))
        if day > LAST:
            return
        if day >= FIRST:
            yield day


def subscription(random: Random, name: str, period: Period) -> tuple[list[Line], Planted] | None:
    """One subscription with what happens to them: late days, a new price, one missed or doubled."""
    days = list(due_days(random, period))
    if len(days) < LEAST.get(period, 5):
        return None
    price = Decimal(random.randrange(199, 9_000)) / 100
    amounts = [price] * len(days)
    event = random.choice(("none", "none", "rise", "missed", "doubled", "stopped"))
    middle = random.randrange(len(days) // 3, len(days) - len(days) // 3)
    if event == "rise" and len(days) >= 4:
        price = (price * random.choice((Decimal("1.1"), Decimal("1.25")))).quantize(Decimal("0.01"))
        amounts[middle:] = [price] * (len(days) - middle)
    arrival = random.choice((_on_time, _on_weekdays, _late(random, name, period)))
    lines = [Line(arrival(day), name, amount) for day, amount in zip(days, amounts, strict=True)]
    stopped = event == "stopped" and len(lines) >= 12
    if stopped:
        lines = lines[:-5]
    elif event == "missed" and len(lines) >= 6:
        del lines[middle]
    elif event == "doubled" and len(lines) >= 6:
        lines.append(lines[middle])
    kept = [line for line in lines if line.day <= LAST]
    return kept, Planted(name, period, price, stopped)


def _on_time(day: date) -> date:
    return day


def _on_weekdays(day: date) -> date:
    return day + timedelta((7 - day.weekday()) % 7 if day.weekday() > 4 else 0)


def _late(random: Random, name: str, period: Period) -> Callable[[date], date]:
    # Days that wander are what tells visits from charges, where nothing else is known of a name.
    most = LATE.get(period, 3) if name in KNOWN else 1
    return lambda day: day + timedelta(random.randint(0, most))


def noise(random: Random) -> Iterator[Line]:
    """What is not a subscription: shopping, visits, cash, wages, things returned."""
    span = (LAST - FIRST).days
    for week in range(span // 7):
        day = FIRST + timedelta(week * 7 + random.choice((0, 0, 1, -1)))
        yield Line(
            max(day, FIRST), "Harlow Market 1204", Decimal(random.randrange(2000, 14000)) / 100
        )
    for _ in range(random.randrange(20, 90)):
        price = random.choice((Decimal("4.50"), Decimal("4.50"), Decimal("6.20"), Decimal("9.90")))
        yield Line(FIRST + timedelta(random.randrange(span)), "Copper Kettle Bar", price)
    for _ in range(random.randrange(0, 60)):
        amount = Decimal(random.randrange(300, 20000)) / 100
        yield Line(FIRST + timedelta(random.randrange(span)), random.choice(SHOPS[2:]), amount)
    day = FIRST + timedelta(random.randrange(40))
    while day < LAST:
        yield Line(day, "Salon Thistle", Decimal("38.00"))
        day += timedelta(random.randrange(22, 62))
    for month in range(24):
        payday = FIRST + timedelta(month * 30 + random.randrange(3))
        yield Line(payday, "SALARY Ferrous Works", Decimal(-2_431))
        yield Line(payday + timedelta(1), "ATM WITHDRAWAL 0042", Decimal(100))
    for _ in range(random.randrange(0, 8)):
        day = FIRST + timedelta(random.randrange(span))
        amount = Decimal(random.randrange(500, 9000)) / 100
        yield Line(day, "Roundhouse Deli", amount)
        yield Line(day + timedelta(4), "Roundhouse Deli refund", -amount)


def plot(random: Random) -> Plot:
    """A statement of two years with up to six subscriptions in it."""
    lines: list[Line] = []
    planted: list[Planted] = []
    names = random.sample(SERVICES, random.randrange(1, 7))
    for name in names:
        made = subscription(random, name, random.choice(list(STEPS)))
        if made:
            lines.extend(made[0])
            planted.append(made[1])
    lines.extend(line for line in noise(random) if FIRST <= line.day <= LAST)
    random.shuffle(lines)
    lines.sort(key=lambda line: line.day)
    return Plot(lines, planted)


Writer = Callable[[list[Line]], bytes]


def _point(amount: Decimal) -> str:
    return f"{amount:,.2f}"


def _comma(amount: Decimal) -> str:
    return f"{amount:,.2f}".replace(",", "_").replace(".", ",").replace("_", ".")


def german(lines: list[Line]) -> bytes:
    rows = [f'{line.day:%d.%m.%Y};"{line.text}";{_comma(-line.amount)};EUR' for line in lines]
    text = "Umsätze;;;\n\nBuchungstag;Verwendungszweck;Betrag;Währung\n" + "\n".join(rows)
    return text.encode("iso-8859-1")


def american(lines: list[Line]) -> bytes:
    rows = [
        f'{line.day:%m/%d/%Y},"{line.text}",'
        + (f'"{_point(line.amount)}",' if line.amount > 0 else f',"{_point(-line.amount)}"')
        for line in reversed(lines)
    ]
    return ("Date,Description,Debit,Credit\n" + "\n".join(rows)).encode()


def british(lines: list[Line]) -> bytes:
    rows = [f"{line.day:%d %b %Y}\t{line.text}\t{-line.amount:.2f}\t" for line in lines]
    return ("\ufeffDate\tDetails\tAmount (GBP)\tNotes\n" + "\n".join(rows)).encode("utf-16")


def card(lines: list[Line]) -> bytes:
    rows = [f'{line.day:%Y-%m-%d},"{line.text}",{line.amount:.2f}' for line in lines]
    return "\r\n".join(rows).encode()


def marked(lines: list[Line]) -> bytes:
    rows = [
        f'"{line.day:%Y%m%d}","{line.text}","{"Af" if line.amount > 0 else "Bij"}",'
        f'"{_comma(abs(line.amount))}"'
        for line in lines
    ]
    return ('"Datum","Naam / Omschrijving","Af Bij","Bedrag (EUR)"\n' + "\n".join(rows)).encode()


def ofx(lines: list[Line]) -> bytes:
    rows = [
        f"<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>{line.day:%Y%m%d}<TRNAMT>{-line.amount:.2f}"
        f"<FITID>{number}<NAME>{line.text.replace('&', '&amp;')}</STMTTRN>"
        for number, line in enumerate(lines)
    ]
    return ("OFXHEADER:100\n\n<OFX><CURDEF>USD\n" + "\n".join(rows) + "\n</OFX>").encode()


WRITERS: tuple[Writer, ...] = (german, american, british, card, marked, ofx)

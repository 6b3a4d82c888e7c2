"""Statements of any bank with subscriptions planted in them: all are found, and nothing else."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from subterminator.statements import ofx, tables
from subterminator.statements.merchants import Merchants
from subterminator.statements.model import Statement
from subterminator.statements.report import examine
from tests.statements import planting
from tests.statements.lines import line, packs
from tests.statements.planting import LAST, WRITERS, Plot, Writer


def read(plot: Plot, writer: Writer) -> Statement:
    reader = ofx.read if writer is planting.ofx else tables.read
    statement = reader(writer(plot.lines), "x")
    assert statement is not None
    return statement


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 100_000), writer=st.sampled_from(WRITERS))
def test_all_that_was_planted_is_found_and_nothing_else(seed: int, writer: Writer) -> None:
    plot = planting.plot(Random(seed))
    merchants = Merchants(packs())
    expected: Counter[tuple[str, str, Decimal]] = Counter()
    for planted in plot.planted:
        merchant = merchants.of(line(LAST, planted.name, "1"))
        assert merchant is not None
        expected[merchant.name, planted.period, planted.price] += 1
    charges = examine([read(plot, writer)], packs(), LAST).charges
    assert Counter((one.service, one.period, one.price) for one in charges) == expected


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 100_000), writer=st.sampled_from(WRITERS))
def test_every_dialect_says_the_same(seed: int, writer: Writer) -> None:
    plot = planting.plot(Random(seed))
    lines = [(one.day, one.amount) for one in read(plot, writer).transactions]
    assert sorted(lines) == sorted((one.day, one.amount) for one in plot.lines)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 100_000))
def test_noise_alone_has_no_subscription_in_it(seed: int) -> None:
    lines = sorted(planting.noise(Random(seed)), key=lambda one: one.day)
    statement = read(Plot(lines, []), planting.german)
    assert examine([statement], packs(), LAST).charges == ()


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 100_000))
def test_what_is_said_of_a_charge_agrees_with_itself(seed: int) -> None:
    plot = planting.plot(Random(seed))
    today = LAST + timedelta(seed % 90)
    for charge in examine([read(plot, planting.german)], packs(), today).charges:
        assert charge.since <= charge.last_on <= LAST
        assert charge.next_on is None or charge.next_on >= today
        assert charge.running == ("stopped" not in charge.flags)
        assert charge.count >= 2 and charge.yearly > 0 and charge.reason
        assert all(charge.since < change.on <= charge.last_on for change in charge.changes)
        assert not charge.changes or charge.changes[-1].after == charge.price


def row(kind: str, random: Random) -> tuple[int, str, int]:
    day = random.randrange(3900)
    if kind == "all merchants differ":
        letters = "".join(random.choice("abcdefghij") for _ in range(6))
        return day, f"{letters} {letters[::-1]} {random.randrange(99_999)}", random.randrange(9_000)
    service = random.choice(("NETFLIX.COM", "APPLE.COM/BILL", "PAYPAL *CALM", "GEICO", "KETTLE"))
    return day, service, random.choice((999, 1299, 499, random.randrange(1, 5_000)))


def seconds_for(kind: str, count: int) -> float:
    random = Random(3)
    first = date(2015, 1, 1)
    lines = sorted(row(kind, random) for _ in range(count))
    text = "\n".join(
        f"{first + timedelta(day)},{words},-{price / 100:.2f}" for day, words, price in lines
    )
    started = process_time()
    statement = tables.read(f"Date,Description,Amount\n{text}".encode(), "x")
    assert statement is not None and len(statement.transactions) == count
    examine([statement], packs(), date(2025, 11, 1))
    return process_time() - started


@pytest.mark.parametrize("kind", ["all merchants differ", "a few merchants"])
def test_four_times_the_lines_take_about_four_times_as_long(kind: str) -> None:
    seconds_for(kind, 1_000)  # What is loaded once should not count.
    assert seconds_for(kind, 16_000) < 9 * seconds_for(kind, 4_000)

"""Puts together what is one subscription: before and after a new price, a trial, a pause."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from subterminator.statements import series
from subterminator.statements.model import Merchant, Transaction
from subterminator.statements.recurrence import STORES, Found, Series
from subterminator.statements.series import CADENCES, Chain

Prices = tuple[Decimal, Decimal]
# A single charge at a new price: by how much it may differ from the last one.
NEXT_PRICE = (Decimal("0.6"), Decimal("2"))
NEXT_PRICE_IN_STORE = (Decimal("0.95"), Decimal("1.35"))
# A whole series at a new price that begins when the next charge was due.
NEXT_SERIES = (Decimal("0.3"), Decimal("3"))
NEXT_SERIES_IN_STORE = (Decimal("0.7"), Decimal("1.5"))
INTRODUCTION = Decimal("0.35")
"""A price below this part of the usual one is a trial's."""
LONGEST_INTRODUCTION = 6
TRIAL_DAYS = 95


def join(found: Found, merchant: Merchant) -> None:
    """Joins series that continue each other, and takes in single charges that belong to one."""
    in_store = merchant.payer in STORES and merchant.kind != "subscription"
    _join_series(found, in_store)
    prices = NEXT_PRICE_IN_STORE if in_store else NEXT_PRICE
    for one in found.series:
        _extend(one, found.rest, prices)
        _extend_back(one, found.rest, prices)
    _join_series(found, in_store)


def trial_of(one: Series, others: Sequence[Transaction], merchant: Merchant) -> Transaction | None:
    """The charge, or the receipt over nothing, that a trial began with."""
    first = one.charges[0]
    named = merchant.kind == "subscription" or merchant.payer not in STORES
    before = [
        charge
        for charge in others
        if 0 < (first.day - charge.day).days <= TRIAL_DAYS
        and charge.amount <= first.amount * INTRODUCTION
        and (named or charge.trial)
    ]
    return max(before, key=lambda charge: charge.day, default=None)


def _join_series(found: Found, in_store: bool) -> None:
    ordered = sorted(found.series, key=lambda one: one.charges[0].day)
    kept: list[Series] = []
    for one in ordered:
        earlier = [old for old in kept if _continues(old, one, in_store)]
        if earlier:
            nearest = min(earlier, key=lambda old: abs(old.price - one.charges[0].amount))
            _append(nearest, one)
        else:
            kept.append(one)
    found.series = kept


def _continues(old: Series, new: Series, in_store: bool) -> bool:
    if old.cadence.period != new.cadence.period or new.charges[0].day <= old.charges[-1].day:
        return False
    ratio = new.charges[0].amount / old.price
    low, high = NEXT_SERIES_IN_STORE if in_store else NEXT_SERIES
    if _step(old, new.charges[0], ahead=2, more=1) or _together(old, new):
        began_cheap = not in_store and len(old.charges) <= LONGEST_INTRODUCTION and ratio > 1
        return low <= ratio <= high or began_cheap
    return not in_store and ratio == 1


def _together(old: Series, new: Series) -> Chain | None:
    """Both as one series that leaves none of them out."""
    days = [charge.day.toordinal() for charge in (*old.charges, *new.charges)]
    cadences = [one for one in CADENCES if one.period == new.cadence.period]
    chain = series.best(days, cadences)
    return chain if chain and len(chain.places) == len(days) else None


def _append(old: Series, new: Series) -> None:
    chain = _together(old, new)
    ahead = _step(old, new.charges[0], ahead=2, more=1)
    if chain:
        old.cadence, old.anchor, old.steps = chain.cadence, chain.anchor, list(chain.steps)
    elif ahead and len(old.charges) > len(new.charges):
        # The longer one knows its day better.
        first = old.steps[-1] + ahead
        old.steps.extend(first + step - new.steps[0] for step in new.steps)
    else:
        last = new.steps[0] - max(ahead, 1)
        old.steps = [*(last + step - old.steps[-1] for step in old.steps), *new.steps]
        old.cadence, old.anchor = new.cadence, new.anchor
    old.paused |= not ahead and not chain
    old.charges.extend(new.charges)
    old.varies |= new.varies
    old.doubled += new.doubled
    old.furthest = max(old.furthest, new.furthest)


def _step(one: Series, charge: Transaction, ahead: int, more: int = 0) -> int:
    """How many periods after the last charge this one is due. 0: it is not."""
    day = charge.day.toordinal()
    for number in range(1, ahead + 1):
        if abs(one.due(number) - day) <= one.cadence.tolerance + more:
            return number
    return 0


def _extend(one: Series, rest: list[Transaction], prices: Prices) -> None:
    """Takes in the charges that came when they were due, at a price that is not far off."""
    low, high = prices
    while True:
        fitting = [
            charge
            for charge in rest
            if charge.day > one.charges[-1].day
            and low <= charge.amount / one.price <= high
            and _step(one, charge, ahead=1)
        ]
        if not fitting:
            return
        taken = min(fitting, key=lambda charge: abs(charge.amount - one.price))
        one.charges.append(taken)
        one.steps.append(one.steps[-1] + 1)
        rest[:] = [charge for charge in rest if charge is not taken]


def _extend_back(one: Series, rest: list[Transaction], prices: Prices) -> None:
    low, high = prices
    while True:
        price, due = one.charges[0].amount, one.was_due(1)
        fitting = [
            charge
            for charge in rest
            if abs(charge.day.toordinal() - due) <= one.cadence.tolerance
            and low <= price / charge.amount <= high
        ]
        if not fitting:
            return
        taken = min(fitting, key=lambda charge: abs(charge.amount - price))
        one.charges.insert(0, taken)
        one.steps.insert(0, one.steps[0] - 1)
        rest[:] = [charge for charge in rest if charge is not taken]

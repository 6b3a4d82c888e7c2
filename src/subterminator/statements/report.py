"""What an audit finds: recurring charges, what they cost, which pack ends them. Knows no files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import pairwise

from subterminator.packs.registry import Registry
from subterminator.statements import masks, recurrence
from subterminator.statements.evidence import confidence
from subterminator.statements.joining import INTRODUCTION, join, trial_of
from subterminator.statements.merchants import Merchants
from subterminator.statements.model import (
    Change,
    Charge,
    Flag,
    Merchant,
    Once,
    Report,
    Source,
    Statement,
    Total,
    Transaction,
)
from subterminator.statements.reconciliation import merge
from subterminator.statements.recurrence import Found, Series
from subterminator.statements.routes import Routes

CENT = Decimal("0.01")
REFUND_DAYS = 60
ONCE_DAYS = 400

Group = tuple[str, str]
Span = tuple[date, date]


def examine(statements: Sequence[Statement], registry: Registry, today: date) -> Report:
    """All recurring charges of some statements. `today` is the day that next dates follow."""
    merchants = Merchants(registry)
    routes = Routes(registry)
    transactions = merge(statements, merchants)
    spans = _spans(transactions)
    charges: list[Charge] = []
    once: list[Once] = []
    for key, lines in _groups(transactions, merchants).items():
        merchant = _merchant(lines, merchants)
        if merchant.kind == "moved":
            continue
        audit = _Audit(merchant, lines, spans, routes, today)
        charges.extend(audit.charges(key[1], merchants))
        once.extend(audit.once(key[1]))
    ordered = sorted(charges, key=_order)
    return Report(
        tuple(ordered),
        tuple(sorted(once, key=lambda one: one.on)),
        totals(ordered),
        tuple(map(_source, statements)),
    )


def totals(charges: Iterable[Charge]) -> tuple[Total, ...]:
    """What runs costs, a line for each currency."""
    sums: dict[str, list[Decimal]] = defaultdict(lambda: [Decimal(0), Decimal(0)])
    for charge in charges:
        if charge.running:
            sums[charge.currency][bool(charge.contract)] += charge.yearly
    return tuple(
        Total(currency, _cents(own / 12), _cents(contracts / 12), _cents(own))
        for currency, (own, contracts) in sorted(sums.items())
    )


def _order(charge: Charge) -> tuple[object, ...]:
    return (
        not charge.running, bool(charge.contract), charge.currency, -charge.yearly, charge.service,
        charge.since,
    )  # fmt: skip


def _spans(transactions: Iterable[Transaction]) -> dict[str, Span]:
    """From when to when the lines of each account go."""
    spans: dict[str, Span] = {}
    for one in transactions:
        account = one.account or one.source
        first, last = spans.get(account, (one.day, one.day))
        spans[account] = min(first, one.day), max(last, one.day)
    return spans


def _groups(
    transactions: Iterable[Transaction], merchants: Merchants
) -> dict[Group, list[Transaction]]:
    groups: dict[Group, list[Transaction]] = defaultdict(list)
    for one in transactions:
        if merchant := merchants.of(one):
            groups[merchant.key, one.currency].append(one)
    return groups


def _merchant(lines: Sequence[Transaction], merchants: Merchants) -> Merchant:
    """The merchant as its latest line names it; the most telling of its lines says what it is."""
    latest = max(lines, key=lambda one: one.day)
    found = merchants.of(latest)
    assert found is not None
    return found


def _source(statement: Statement) -> Source:
    days = [one.day for one in statement.transactions]
    return Source(
        name=masks.printable(statement.name),
        format=statement.format,
        accounts=tuple(sorted({one.account for one in statement.transactions if one.account})),
        lines=len(days),
        skipped=statement.skipped,
        first=min(days, default=None),
        last=max(days, default=None),
        notes=statement.notes,
    )


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(CENT)


class _Audit:
    """One merchant in one currency."""

    def __init__(
        self,
        merchant: Merchant,
        lines: Sequence[Transaction],
        spans: Mapping[str, Span],
        routes: Routes,
        today: date,
    ) -> None:
        self._merchant, self._lines, self._spans = merchant, lines, spans
        self._routes, self._today = routes, today
        self._found: Found = recurrence.find(merchant, lines)
        join(self._found, merchant)

    def charges(self, currency: str, merchants: Merchants) -> Iterator[Charge]:
        for one in self._found.series:
            # Who bills may have changed; the last line knows.
            merchant = merchants.of(one.charges[-1]) or self._merchant
            yield self._charge(one, merchant, currency)

    def once(self, currency: str) -> Iterator[Once]:
        """A single charge of a known service, not long ago."""
        paid = [line for line in self._lines if line.amount > 0]
        if self._found.series or len(paid) != 1 or self._merchant.kind != "subscription":
            return
        if (self._last(paid) - paid[0].day).days <= ONCE_DAYS:
            route = self._routes.of(self._merchant)
            yield Once(
                self._merchant.name, self._merchant.payer, paid[0].amount, currency, paid[0].day,
                route.pack,
            )  # fmt: skip

    def _charge(self, one: Series, merchant: Merchant, currency: str) -> Charge:
        first, last = one.charges[0], one.charges[-1]
        trial = trial_of(one, self._others(one), merchant)
        next_on = self._next(one)
        changes = () if one.varies else tuple(_changes(one.charges))
        route = self._routes.of(merchant)
        level, reason = confidence(one, merchant)
        began = self._spans[first.account or first.source][0]
        return Charge(
            service=merchant.name,
            payer=merchant.payer,
            price=last.amount,
            currency=currency,
            period=one.cadence.period,
            next_on=next_on,
            since=first.day,
            older=(first.day - began).days < one.cadence.days + one.cadence.tolerance and not trial,
            last_on=last.day,
            count=len(one.charges),
            yearly=_cents(_usual_price(one) * one.cadence.per_year),
            flags=tuple(self._flags(one, merchant, changes, trial, next_on)),
            changes=changes,
            trial_on=trial.day if trial else first.day if _is_intro(changes) else None,
            confidence=level,
            reason=reason,
            contract=merchant.why if merchant.kind == "contract" else "",
            pack=route.pack,
            difficulty=route.difficulty,
            checked_on=route.checked_on,
            seen_as=masks.words(last.text),
            accounts=tuple(sorted({line.account for line in one.charges if line.account})),
            sources=tuple(sorted({masks.printable(line.source) for line in one.charges})),
        )

    def _others(self, one: Series) -> list[Transaction]:
        nothing = [line for line in self._lines if line.amount == 0]
        return [*nothing, *self._found.rest]

    def _flags(
        self,
        one: Series,
        merchant: Merchant,
        changes: Sequence[Change],
        trial: Transaction | None,
        next_on: date | None,
    ) -> Iterator[Flag]:
        facts: tuple[tuple[Flag, bool], ...] = (
            ("contract", merchant.kind == "contract"),
            ("stopped", next_on is None),
            ("price rise", any(change.after > change.before for change in changes)),
            ("price cut", any(change.after < change.before for change in changes)),
            ("trial", trial is not None or _is_intro(changes)),
            ("varies", one.varies),
            ("missed", one.missed > 0),
            ("doubled", one.doubled > 0),
            ("refund", self._has_refund(one)),
            ("paused", one.paused),
        )
        yield from (flag for flag, holds in facts if holds)

    def _has_refund(self, one: Series) -> bool:
        paid: dict[Decimal, list[date]] = defaultdict(list)
        for charge in one.charges:
            paid[-charge.amount].append(charge.day)
        return any(
            0 <= (back.day - day).days <= REFUND_DAYS
            for back in self._lines
            if back.amount < 0
            for day in paid.get(back.amount, ())
        )

    def _last(self, lines: Iterable[Transaction]) -> date:
        """Up to when the statements of these lines go."""
        return max(self._spans[line.account or line.source][1] for line in lines)

    def _next(self, one: Series) -> date | None:
        until = self._last(one.charges).toordinal()
        if until > one.due(1) + one.cadence.grace:
            return None
        ahead = 1
        while one.due(ahead) < self._today.toordinal():
            ahead += 1
        return date.fromordinal(one.due(ahead))


def _changes(charges: Sequence[Transaction]) -> Iterator[Change]:
    for before, after in pairwise(charges):
        if before.amount != after.amount:
            yield Change(after.day, before.amount, after.amount)


def _is_intro(changes: Sequence[Change]) -> bool:
    return bool(changes) and changes[0].before <= changes[0].after * INTRODUCTION


def _usual_price(one: Series) -> Decimal:
    if not one.varies:
        return one.price
    prices = sorted(charge.amount for charge in one.charges)
    return prices[len(prices) // 2]

"""Which charges of one merchant belong together as something that is paid again and again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import pairwise

from msgspec import Struct

from subterminator.statements import series
from subterminator.statements.model import Merchant, Period, Transaction
from subterminator.statements.series import CADENCES, LOOSE, Anchor, Cadence, Chain

# How many charges make a series, by how much is known of the merchant: a shop, nobody we know,
# one whose lines say that they come again, a service or contract.
LEAST: dict[Period, tuple[int, int, int, int]] = {
    "weekly": (12, 6, 5, 4),
    "fortnightly": (10, 5, 4, 3),
    "four-weekly": (8, 4, 4, 3),
    "monthly": (6, 3, 3, 2),
    "two-monthly": (6, 4, 4, 3),
    "quarterly": (5, 3, 3, 2),
    "half-yearly": (4, 3, 2, 2),
    "yearly": (4, 2, 2, 2),
}
STORES = frozenset({"apple", "google", "amazon", "roku", "paypal", "carrier"})
CLOSE = Decimal("1.06")
"""Prices this close may be one price: of a foreign currency, or before and after a small rise."""
VARYING = Decimal("1.12")
MOST_SAME_PRICE = 3
SLOW = tuple(cadence for cadence in CADENCES if cadence.days > 27)
MOST_CHARGES = 20_000


class Series(Struct):
    """Charges in the order of their days, and the days that they are due on."""

    cadence: Cadence
    anchor: Anchor
    steps: list[int]
    charges: list[Transaction]
    furthest: int = 0
    unsteady: float = 0
    """How far from its day a charge comes on average."""
    doubled: int = 0
    paused: bool = False
    varies: bool = False
    covered: bool = True
    """Whether these are all charges of this merchant at these prices."""

    @property
    def missed(self) -> int:
        return self.steps[-1] - self.steps[0] + 1 - len(self.steps)

    @property
    def price(self) -> Decimal:
        return self.charges[-1].amount

    def due(self, ahead: int) -> int:
        """The day of the charge that comes this many after the last one."""
        return series.due(self.cadence, self.anchor, self.steps[-1] + ahead)

    def was_due(self, back: int) -> int:
        return series.due(self.cadence, self.anchor, self.steps[0] - back)


class Found(Struct):
    """The series of one merchant, and the charges that belong to none."""

    series: list[Series]
    rest: list[Transaction]


def trust(merchant: Merchant) -> int:
    """How much is known of a merchant: the place in the rows of `LEAST`."""
    if merchant.kind in ("subscription", "contract"):
        return 3
    if merchant.marked or merchant.payer in STORES:
        return 2
    return 0 if merchant.kind == "shop" else 1


def find(merchant: Merchant, charges: Sequence[Transaction]) -> Found:
    """All series in the charges of one merchant and one currency."""
    paid = sorted((one for one in charges if one.amount > 0), key=lambda one: one.day)
    if len(paid) < 2:
        return Found([], paid)
    search = _Search(merchant, paid[-MOST_CHARGES:])
    if merchant.kind == "contract":
        # Bills come on their day, whatever they are over.
        search.by_day()
    search.by_price()
    if merchant.kind == "subscription":
        search.by_day()
    elif merchant.kind == "" and not search.found:
        search.by_step()
    return Found(search.found, search.rest())


class _Search:
    def __init__(self, merchant: Merchant, paid: list[Transaction]) -> None:
        self.merchant = merchant
        self.paid = paid
        self.found: list[Series] = []
        self._trust = trust(merchant)
        self._cadences = (*CADENCES, *LOOSE) if self._trust > 1 else CADENCES
        self._is_store = merchant.payer in STORES and merchant.kind != "subscription"

    def rest(self) -> list[Transaction]:
        taken = {id(charge) for found in self.found for charge in found.charges}
        return [charge for charge in self.paid if id(charge) not in taken]

    def by_price(self) -> None:
        """Series of one price, or of prices that are close to each other."""
        groups = sorted(_close(self.rest()), key=len, reverse=True)
        for group in groups:
            prices: dict[Decimal, list[Transaction]] = defaultdict(list)
            for charge in group:
                prices[charge.amount].append(charge)
            whole = self._whole(group) if len(prices) > 1 else None
            if whole:
                self.found.append(whole)
                continue
            for same in sorted(prices.values(), key=len, reverse=True):
                self._of_one_price(same)

    def by_day(self) -> None:
        """What differs in price but comes on its day: bills, and services whose price moved."""
        left = self.rest()
        is_bill = self.merchant.kind == "contract"
        chain = series.best(
            [charge.day.toordinal() for charge in left], SLOW, most_missing=2 if is_bill else 1
        )
        if chain is None or len(chain.places) < len(left) * (0.8 if is_bill else 0.9):
            return
        charges = [left[at] for at in chain.places]
        few = chain.cadence.days > 80
        most = Decimal(4) if is_bill else Decimal("1.5") if few else Decimal("2.5")
        least = (2 if chain.cadence.days > 300 else 3) if is_bill else 2 if few else 4
        missed = 2 + len(charges) // 6 if is_bill else 1 + len(charges) // 12
        if len(charges) >= least and _spread(charges) <= most and chain.missed <= missed:
            self.found.append(_series(chain, charges, varies=not _in_steps(charges)))

    def by_step(self) -> None:
        """A slow series of somebody unknown whose price rose: nothing else was ever paid there."""
        chain = series.best([charge.day.toordinal() for charge in self.paid], SLOW)
        if chain is None or len(chain.places) < len(self.paid) or chain.cadence.days < 55:
            return
        enough = len(self.paid) > LEAST[chain.cadence.period][self._trust]
        steady = _in_steps(self.paid) and _spread(self.paid) <= Decimal("1.5")
        if enough and steady and not chain.missed:
            self.found.append(_series(chain, self.paid))

    def _whole(self, group: list[Transaction]) -> Series | None:
        """All of a group as one series, its price rising, or moving with an exchange rate."""
        chain = series.best([charge.day.toordinal() for charge in group], self._cadences)
        if chain is None or len(chain.places) < len(group) * 0.85:
            return None
        charges = [group[at] for at in chain.places]
        in_steps = _in_steps(charges)
        if not in_steps and (
            chain.cadence.days < 27 or _spread(charges) > VARYING or self._trust == 0
        ):
            return None
        least = self._least(chain) if in_steps else max(4, self._least(chain) + 1)
        if self._trust < 2:
            least = max(least, 3 if in_steps else 6)
        if len(charges) < least or not self._is_even(chain, len(group)):
            return None
        return _series(chain, charges, varies=not in_steps and _spread(charges) > Decimal("1.01"))

    def _of_one_price(self, group: list[Transaction]) -> None:
        left = group
        chains: list[Series] = []
        doubled = 0
        for _ in range(MOST_SAME_PRICE):
            chain = series.best([charge.day.toordinal() for charge in left], self._cadences)
            if chain is None or len(chain.places) < self._least(chain):
                break
            if not self._is_even(chain, len(left)):
                break
            one = _series(chain, [left[at] for at in chain.places])
            left = [charge for at, charge in enumerate(left) if at not in set(chain.places)]
            one.doubled = _twins(one, left)
            doubled += one.doubled
            chains.append(one)
            if len(left) <= doubled:
                break
        if self._trust < 2 and _wanders(chains):
            return
        explained = len(group) - len(left) + doubled
        if explained >= len(group) * (0.6 if self._is_store else 0.75):
            for one in chains:
                one.covered = len(left) <= doubled
            self.found.extend(chains)

    def _least(self, chain: Chain) -> int:
        """How many charges this series must have. More where single things are bought as well."""
        length = len(chain.places)
        others = self._others(chain)
        known = self._trust
        if known == 3 and not self._is_store and (self.found or others > max(length, 2)):
            known = 1
        least = LEAST[chain.cadence.period][known]
        if known and others > 2 * length:
            least += 1 if known == 2 and chain.cadence.period == "monthly" else 2
        return least

    def _others(self, chain: Chain) -> int:
        """How many charges of this merchant are in no series."""
        explained = sum(len(found.charges) for found in self.found)
        return len(self.paid) - len(chain.places) - explained

    def _is_even(self, chain: Chain, among: int) -> bool:
        length = len(chain.places)
        if chain.missed > 1 + length // 12:
            return False
        if self._trust < 2 and (chain.drifts or self._is_part(chain)):
            return False
        if self._trust < 2 and chain.missed and self._others(chain) > 2 * length:
            return False
        if self._trust < 3 and length == 3 and chain.cadence.period == "monthly":
            return chain.furthest <= 2 and not chain.missed
        if self._trust < 2 and length == 2:
            return among == 2 and len(self.paid) <= 4
        return True

    def _is_part(self, chain: Chain) -> bool:
        """Whether it leaves out much of what came meanwhile, too often for several series."""
        return chain.cadence.days < 27 and chain.passed > 1 + len(chain.places) // 8


def _series(chain: Chain, charges: list[Transaction], *, varies: bool = False) -> Series:
    return Series(
        chain.cadence,
        chain.anchor,
        list(chain.steps),
        charges,
        furthest=chain.furthest,
        unsteady=sum(map(abs, chain.offs)) / len(chain.offs),
        varies=varies,
    )


def _close(paid: Sequence[Transaction]) -> Iterator[list[Transaction]]:
    """Charges in groups of close prices, each in the order of days."""
    group: list[Transaction] = []
    for charge in sorted(paid, key=lambda one: one.amount):
        if group and charge.amount > group[-1].amount * CLOSE:
            yield sorted(group, key=lambda one: one.day)
            group = []
        group.append(charge)
    if group:
        yield sorted(group, key=lambda one: one.day)


def _spread(charges: Sequence[Transaction]) -> Decimal:
    prices = [charge.amount for charge in charges]
    return max(prices) / min(prices)


def _in_steps(charges: Sequence[Transaction]) -> bool:
    """Whether the price stays for a while before it changes."""
    changes = sum(one.amount != other.amount for one, other in pairwise(charges))
    return changes <= max(1, len(charges) // 4)


def _wanders(chains: Sequence[Series]) -> bool:
    """Whether one series ends and another begins at once, and neither keeps its day: visits."""
    ordered = sorted(chains, key=lambda one: one.charges[0].day)
    return any(
        0 < (later.charges[0].day - one.charges[-1].day).days < 2.5 * one.cadence.days
        and max(one.unsteady, later.unsteady) > 0.75
        for one, later in pairwise(ordered)
    )


def _twins(found: Series, left: Sequence[Transaction]) -> int:
    """How many more charges came with one of the series; more than a few are another series."""
    days = [charge.day.toordinal() for charge in found.charges]
    near = sum(
        abs(days[series.nearest(days, charge.day.toordinal())] - charge.day.toordinal()) <= 3
        for charge in left
    )
    return near if near <= max(1, len(days) // 8) else 0

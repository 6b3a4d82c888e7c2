"""Which pack ends a subscription, how hard that is, and in which order to go about several."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from typing import Literal, NamedTuple

from msgspec import Struct

from subterminator.errors import InvalidParams
from subterminator.packs.model import Pack
from subterminator.packs.registry import Registry
from subterminator.statements.model import Charge, Difficulty, Merchant, Payer

How = Literal["web", "store", "by hand", "no pack"]
HOWS: tuple[How, ...] = ("web", "store", "by hand", "no pack")


class Route(NamedTuple):
    """The pack to go by; all empty where none is known."""

    pack: str = ""
    difficulty: Difficulty = ""
    checked_on: str = ""


class Routes:
    """Packs for merchants."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._known = frozenset(registry.ids())

    def of(self, merchant: Merchant) -> Route:
        """The pack of the service; of the store, where only the store can end it."""
        if merchant.kind == "contract":
            return Route()
        own = merchant.pack if merchant.pack in self._known else ""
        by_itself = merchant.own or merchant.payer in ("direct", "paypal", "carrier")
        if own and by_itself:
            return self._route(own)
        store = self._registry.store(merchant.payer)
        return self._route(store.id) if store else self._route(own) if own else Route()

    def _route(self, pack_id: str) -> Route:
        pack = self._registry.entry(pack_id).draft.pack
        return Route(pack_id, difficulty(pack), pack.checked_on)


def difficulty(pack: Pack) -> Difficulty:
    """How hard leaving is, by what the pack itself says of the way."""
    if not pack.start_urls:
        return "by hand" if pack.offline.how else "medium"
    if pack.offline.how and pack.kind == "service":
        return "hard"
    hurdles = len(pack.losses) + len({"RETENTION_OFFER", "EXIT_SURVEY"} & set(pack.states))
    return "easy" if not hurdles else "medium" if hurdles < 3 else "hard"


class Errand(Struct, frozen=True, kw_only=True):
    """One subscription to cancel. Each has a gate of its own."""

    service: str
    pack: str
    how: How
    payer: Payer
    price: Decimal
    currency: str
    period: str
    next_on: date
    yearly: Decimal
    seen_as: str
    """Tells two subscriptions of one service apart."""
    advice: str = ""


def queue(charges: Iterable[Charge]) -> list[Errand]:
    """What can be cancelled, in order: what we can do first, then by the day of the next charge."""
    errands = [
        _errand(charge, charge.next_on)
        for charge in charges
        if charge.next_on is not None and not charge.contract
    ]
    return sorted(
        errands, key=lambda one: (HOWS.index(one.how) // 2, one.next_on, -one.yearly, one.service)
    )


def chosen(errands: Sequence[Errand], words: str) -> list[Errand]:
    """The ones that a person names by number: `1 3-4`, `all`, or nothing. Raises InvalidParams."""
    said = words.replace(",", " ").casefold().split()
    if said == ["all"]:
        return list(errands)
    numbers: dict[int, None] = {}
    for word in said:
        first, _, last = word.partition("-")
        if not (first.isdecimal() and (last or first).isdecimal()) or len(word) > 9:
            raise _wrong(word, errands)
        for number in range(int(first), int(last or first) + 1):
            if not 1 <= number <= len(errands):
                raise _wrong(word, errands)
            numbers[number] = None
    return [errands[number - 1] for number in numbers]


def _wrong(word: str, errands: Sequence[Errand]) -> InvalidParams:
    return InvalidParams(
        f"{word!r} is none of the numbers 1 to {len(errands)}.",
        next_step="Name numbers, such as `1 3-4`, or `all`.",
    )


def _errand(charge: Charge, next_on: date) -> Errand:
    how = _how(charge)
    return Errand(
        service=charge.service,
        pack=charge.pack,
        how=how,
        payer=charge.payer,
        price=charge.price,
        currency=charge.currency,
        period=charge.period,
        next_on=next_on,
        yearly=charge.yearly,
        seen_as=charge.seen_as,
        advice=_advice(charge, how),
    )


def _how(charge: Charge) -> How:
    if not charge.pack:
        return "no pack"
    if charge.difficulty == "by hand":
        return "by hand"
    return "store" if charge.pack.startswith("store-") else "web"


def _advice(charge: Charge, how: How) -> str:
    match how:
        case "no pack":
            return "Name its account page: subterminator cancel --url ADDRESS"
        case "by hand":
            return (
                f"Only by letter, telephone or in person: subterminator services show {charge.pack}"
            )
        case "store" if charge.pack == "store-paypal":
            return "PayPal ends the payment, not the contract: cancel at the seller too"
        case "store":
            return f"Only {charge.payer.title()} can end it"
        case "web" if charge.payer == "paypal":
            return "Paid through PayPal: cancel at the service first, then the payment"
        case _:
            return ""

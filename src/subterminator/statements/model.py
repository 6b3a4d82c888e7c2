"""What is read from a statement, and what is found in it. Plain data; nothing here reads a file."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Literal, get_args

from msgspec import Struct

Format = Literal["csv", "ofx", "mail"]
Payer = Literal["direct", "apple", "google", "paypal", "roku", "amazon", "carrier"]
PAYERS: tuple[Payer, ...] = get_args(Payer)
Kind = Literal["", "subscription", "contract", "shop", "moved"]
"""What a merchant is known to be. `moved` is money that stays the owner's: cash, own accounts."""
Period = Literal[
    "weekly", "fortnightly", "four-weekly", "monthly", "two-monthly", "quarterly", "half-yearly",
    "yearly",
]  # fmt: skip
PERIODS: tuple[Period, ...] = get_args(Period)
Flag = Literal[
    "contract", "price rise", "price cut", "trial", "varies", "missed", "doubled", "refund",
    "paused", "stopped",
]  # fmt: skip
Confidence = Literal["low", "medium", "high"]
Difficulty = Literal["", "easy", "medium", "hard", "by hand"]


class Transaction(Struct, frozen=True):
    """One line of a statement, or one receipt. `amount` is what was paid; received is negative."""

    day: date
    amount: Decimal
    text: str
    """All the words of the line."""
    payee: str = ""
    """Who was paid, where the file says so by itself."""
    currency: str = ""
    account: str = ""
    """Masked; empty where the file does not say."""
    source: str = ""
    """Name of the file."""
    trial: bool = False


class Statement(Struct, frozen=True, kw_only=True):
    """A file as it was understood."""

    name: str
    format: Format
    transactions: tuple[Transaction, ...]
    skipped: int = 0
    """Lines that look like money but could not be read."""
    notes: tuple[str, ...] = ()
    """How it was read, where another reading was possible."""


class Merchant(Struct, frozen=True):
    """Who stands behind a line. Lines with the same `key` and payer belong together."""

    key: str
    name: str
    payer: Payer = "direct"
    kind: Kind = ""
    pack: str = ""
    """Id of the pack of this service; empty if there is none."""
    own: bool = False
    """The payer sells it itself, as Google does YouTube: its own pack ends it, not the store's."""
    why: str = ""
    """What kind of contract."""
    marked: bool = False
    """The line itself says that it comes again: a standing order, a subscription."""


class Change(Struct, frozen=True):
    """A price that changed."""

    on: date
    before: Decimal
    after: Decimal


class Charge(Struct, frozen=True, kw_only=True):
    """Money that is taken again and again."""

    service: str
    payer: Payer
    price: Decimal
    """The last one."""
    currency: str
    period: Period
    next_on: date | None
    """None: it has stopped."""
    since: date
    older: bool
    """It may have begun before the statement does."""
    last_on: date
    count: int
    yearly: Decimal
    flags: tuple[Flag, ...] = ()
    changes: tuple[Change, ...] = ()
    trial_on: date | None = None
    confidence: Confidence = "medium"
    reason: str = ""
    contract: str = ""
    """What kind of contract; empty for a subscription."""
    pack: str = ""
    """The pack that ends it: of the service, or of the store that bills; empty if there is none."""
    difficulty: Difficulty = ""
    checked_on: str = ""
    """When that pack was last checked."""
    seen_as: str = ""
    """Its last line, numbers masked."""
    accounts: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

    @property
    def running(self) -> bool:
        return self.next_on is not None


class Once(Struct, frozen=True):
    """A single charge of a service that renews: too little to tell how often."""

    service: str
    payer: Payer
    price: Decimal
    currency: str
    on: date
    pack: str = ""


class Total(Struct, frozen=True):
    """What goes on costs, in one currency."""

    currency: str
    subscriptions: Decimal
    """A month."""
    contracts: Decimal
    """A month."""
    yearly: Decimal
    """A year, of subscriptions alone."""


class Source(Struct, frozen=True):
    """A file, without its lines."""

    name: str
    format: Format
    accounts: tuple[str, ...]
    lines: int
    skipped: int
    first: date | None
    last: date | None
    notes: tuple[str, ...]


class Report(Struct, frozen=True):
    """All that was found."""

    charges: tuple[Charge, ...]
    once: tuple[Once, ...]
    totals: tuple[Total, ...]
    sources: tuple[Source, ...]

"""What the seed chooses: the person, the price, the dates, the names in the markup, the order."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Literal, TypeVar

from msgspec import Struct, field

from subterminator.gym.brand import Brand

T = TypeVar("T")
Look = Literal["A", "B", "C"]

PEOPLE = (
    "Robin Castell", "Ada Lindqvist", "Tomas Ferrer", "Noor Haddad", "Imke Jansen",
    "Kofi Mensah", "Lena Brandt", "Marek Novak", "Priya Raman", "Sofia Marchetti",
)  # fmt: skip
MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
    "diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
    "dicembre",
}


class Setup(Struct, frozen=True):
    """How a gym is set up. `wait`: how long a delayed button sleeps; `slow`: the slowest answer."""

    seed: int = 0
    skin: Look = "A"
    flaky: bool = False
    token: str = ""
    wait: float = 8.0
    slow: float = 3.0
    today: date = field(default_factory=date.today)


class Scene(Struct, frozen=True):
    """One flow as one seed shows it."""

    salt: str
    brand: Brand
    today: date
    wait: float
    person: str
    price: float
    renews: date
    since: date
    card: str
    ordinal: bool

    @property
    def email(self) -> str:
        return f"{self.person.lower().replace(' ', '.')}@example.com"

    @property
    def first_name(self) -> str:
        return self.person.split()[0]

    @property
    def ends(self) -> str:
        """The last day that is paid for, as the site writes it."""
        return self.day(self.renews)

    @property
    def monthly(self) -> str:
        return f"{self.money(self.price)} {self.brand.wording.per_month}"

    def day(self, day: date) -> str:
        month = MONTHS[self.brand.lang].split()[day.month - 1]
        match self.brand.lang:
            case "de":
                return f"{day.day}. {month} {day.year}"
            case "es":
                return f"{day.day} de {month} de {day.year}"
            case "fr" if day.day == 1:
                return f"1er {month} {day.year}"
            case "en" if self.ordinal:
                return f"{month} {day.day}, {day.year}"
            case _:
                return f"{day.day} {month} {day.year}"

    def money(self, amount: float) -> str:
        if self.brand.lang == "en":
            return f"${amount:.2f}"
        return f"{amount:.2f} €".replace(".", ",")

    def name(self, word: str) -> str:
        """An id or class name as this seed writes it."""
        digest = hashlib.sha256(f"{self.salt}/{word}".encode()).hexdigest()
        return f"{'bcdfghkmprstvwxz'[int(digest[0], 16)]}{digest[1:7]}"

    def shuffled(self, items: Sequence[T], what: str) -> list[T]:
        """The items in an order of this seed's own."""
        order = list(items)
        random.Random(f"{self.salt}/order/{what}").shuffle(order)
        return order

    def later(self, days: int) -> str:
        return self.day(self.today + timedelta(days=days))


def imagine(setup: Setup, flow: str, brand: Brand) -> Scene:
    """The scene of a flow for a seed; the same for every session and every look."""
    chance = random.Random(f"{setup.seed}/{flow}")
    return Scene(
        salt=f"{setup.seed}/{flow}",
        brand=brand,
        today=setup.today,
        wait=setup.wait,
        person=chance.choice(PEOPLE),
        price=chance.choice(brand.prices),
        renews=setup.today + timedelta(days=chance.randint(9, 26)),
        since=setup.today - timedelta(days=chance.randint(200, 1500)),
        card=f"{chance.randint(1000, 9999)}",
        ordinal=chance.random() < 0.5,
    )

"""Flaky mode: which answers are slow, which one fails once, and how cookies are asked about."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from subterminator.gym.flow import Flow
from subterminator.gym.scene import Setup

Banner = Literal["", "bar", "wall"]


class Weather(Struct, frozen=True):
    """`slow`: seconds by page or effect; `fails`: the one that answers with a 500 once."""

    slow: Mapping[str, float] = {}
    fails: str = ""
    banner: Banner = ""

    @property
    def detours(self) -> int:
        """How many more actions the shortest way has."""
        return 1 if self.banner else 0


FAIR = Weather()


def forecast(setup: Setup, flow: Flow) -> Weather:
    """The weather of a flow for a seed; the same for every session and every look."""
    if not setup.flaky:
        return FAIR
    chance = random.Random(f"{setup.seed}/{flow.id}/weather")
    banner: Banner = chance.choice(("", "bar", "wall"))
    slow = {name: _delay(chance, setup.slow) for name in flow.road}
    # A page that goes on by itself once a person was there is never slow: it has to go on soon.
    if flow.hand_overs:
        slow = {}
    return Weather(slow, chance.choice(flow.road), banner)


def _delay(chance: random.Random, most: float) -> float:
    return round(chance.uniform(most / 6, most), 2) if chance.random() < 0.4 else 0.0

"""What models cost, as price lists read in November 2026 say. Data, and one multiplication."""

from __future__ import annotations

import re

from msgspec import Struct

from subterminator.agents.models.addresses import is_local
from subterminator.agents.models.base import Usage

AS_OF = "2026-11"
MILLION = 1_000_000
# Models are also named with the day they were made on.
DATED = re.compile(r"-(?:\d{8}|\d{4}-\d{2}-\d{2})$")


class Price(Struct, frozen=True):
    """US dollars for a million tokens. Prompts of more than `above` tokens cost `beyond`."""

    fresh: float
    cached: float
    written: float
    output: float
    above: int = 0
    beyond: Price | None = None


def _gpt(fresh: float, cached: float, output: float) -> Price:
    """Writing to the cache costs 1.25 times as much, a long prompt 2 times, its answer 1.5."""
    written = 1.25 * fresh
    beyond = Price(2 * fresh, 2 * cached, 2 * written, 1.5 * output)
    return Price(fresh, cached, written, output, 272_000, beyond)


PRICES = {
    "claude-fable-5-1": Price(10, 0.25, 12.5, 50),
    "claude-fable-5": Price(10, 1, 12.5, 50),
    "claude-opus-5-5": Price(4, 0.2, 5, 20),
    "claude-opus-5": Price(5, 0.5, 6.25, 25),
    "claude-opus-4-8": Price(5, 0.5, 6.25, 25),
    "claude-opus-4-7": Price(5, 0.5, 6.25, 25),
    "claude-opus-4-6": Price(5, 0.5, 6.25, 25),
    "claude-opus-4-5": Price(5, 0.5, 6.25, 25),
    "claude-sonnet-5-5": Price(2, 0.1, 2.5, 10),
    "claude-sonnet-5": Price(2, 0.2, 2.5, 10),
    "claude-sonnet-4-6": Price(3, 0.3, 3.75, 15),
    "claude-sonnet-4-5": Price(3, 0.3, 3.75, 15),
    "claude-haiku-5-5": Price(0.1, 0.01, 0.125, 0.5, 100_000, Price(0.5, 0.05, 0.625, 2.5)),
    "claude-haiku-4-5": Price(1, 0.1, 1.25, 5),
    "gpt-6.1-sol": _gpt(2, 0.1, 10),
    "gpt-6.1-terra": _gpt(1, 0.05, 5),
    "gpt-6-sol": _gpt(2, 0.2, 10),
    "gpt-6-luna": _gpt(0.1, 0.01, 0.5),
}


def price(model: str) -> Price | None:
    return PRICES.get(DATED.sub("", model))


def cost(model: str, usage: Usage, address: str = "") -> float | None:
    """US dollars of one answer. A model of our own machine or network costs nothing."""
    if address and is_local(address):
        return 0.0
    found = price(model)
    # A server that does not count leaves us without an answer; 0 would be a wrong one.
    if found is None or usage == Usage():
        return None
    if found.beyond and usage.input > found.above:
        found = found.beyond
    return (
        usage.fresh * found.fresh
        + usage.cached * found.cached
        + usage.written * found.written
        + usage.output * found.output
    ) / MILLION

"""What a run has taken of a model: answers, tokens, dollars. Counts only; sets no limit."""

from __future__ import annotations

from msgspec import Struct

from subterminator.agents.models.base import Spoken, Usage


class Spent(Struct, frozen=True):
    """What the model took. `cached` of `input` came out of the provider's cache.

    `cost` is in US dollars; None where the price of the model is not known.
    """

    model: str = ""
    answers: int = 0
    input: int = 0
    cached: int = 0
    output: int = 0
    cost: float | None = 0.0

    @property
    def tokens(self) -> int:
        return self.input + self.output

    def words(self) -> str:
        """In one line, for a record or a person."""
        price = "price unknown" if self.cost is None else f"{self.cost:.4f} USD"
        return (
            f"{self.answers} answers, {self.input} tokens in ({self.cached} cached), "
            f"{self.output} out, {price}"
        )


class Meter:
    """Adds up the answers of one run, whichever of its models they came from."""

    def __init__(self) -> None:
        self._models: dict[str, None] = {}
        self._answers = 0
        self._usage = Usage()
        self._cost: float | None = 0.0

    def add(self, model: str, spoken: Spoken) -> Spent:
        """Count one answer; gives what it took by itself."""
        self._models[model] = None
        self._answers += 1
        self._usage += spoken.usage
        known = self._cost is not None and spoken.cost is not None
        self._cost = (self._cost or 0.0) + (spoken.cost or 0.0) if known else None
        return _spent(model, 1, spoken.usage, spoken.cost)

    @property
    def spent(self) -> Spent:
        return _spent(", ".join(self._models), self._answers, self._usage, self._cost)


def _spent(model: str, answers: int, usage: Usage, cost: float | None) -> Spent:
    return Spent(model, answers, usage.input, usage.cached, usage.output, cost)

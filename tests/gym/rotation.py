"""What is gone in which skin: the base set in every one, later sets in one by turns.

The skins share their parts, and the base set tries all of them; `make soak` has the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import pytest

from subterminator.gym.flows import set_of
from subterminator.gym.scene import Look

LOOKS: tuple[Look, ...] = ("A", "B", "C")
T = TypeVar("T")


def by_turns(
    argument: str, items: Sequence[T], flow_of: Callable[[T], str], title: Callable[[T], str]
) -> pytest.MarkDecorator:
    """A test of every item in every look; what is not its turn is for soaking."""

    def marks(number: int, item: T, look: Look) -> tuple[pytest.MarkDecorator, ...]:
        due = set_of(flow_of(item)) == "base" or look == LOOKS[number % len(LOOKS)]
        return () if due else (pytest.mark.soak,)

    return pytest.mark.parametrize(
        (argument, "look"),
        [
            pytest.param(item, look, id=f"{title(item)}-{look}", marks=marks(number, item, look))
            for number, item in enumerate(items)
            for look in LOOKS
        ],
    )


def one_of_three(turn: Look) -> pytest.MarkDecorator:
    """A test in the skin whose turn it is; in the other two for soaking."""
    return pytest.mark.parametrize(
        "look",
        [pytest.param(it, marks=() if it == turn else (pytest.mark.soak,)) for it in LOOKS],
    )

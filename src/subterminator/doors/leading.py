"""The options that say who leads a run: which planner, which model, for how much."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

Decorated = TypeVar("Decorated", bound=Callable[..., object])
PLANNERS = ("auto", "heuristic", "llm", "team", "replay")
MODEL = (
    click.option("--model", metavar="NAME", help="claude-..., gpt-..., openai:NAME."),
    click.option("--small-model", metavar="NAME", help="For members of a team that only look."),
    click.option("--base-url", metavar="ADDRESS", help="Where the model is served, if not there."),
    click.option(
        "--max-cost",
        type=click.FloatRange(0, 1000, min_open=True),
        metavar="DOLLARS",
        help="What the model may cost; 2.",
    ),
)
PLANNER = click.option(
    "--planner",
    type=click.Choice(PLANNERS),
    help="Who leads. Without a model named: heuristic, which needs none; else auto.",
)


def planner_options(command: Decorated) -> Decorated:
    """`--planner` and what belongs to it."""
    return PLANNER(model_options(command))


def model_options(command: Decorated) -> Decorated:
    for option in reversed(MODEL):
        command = option(command)
    return command

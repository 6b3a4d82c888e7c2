"""A run for any goal from end to end: browser, session, model. Prints nothing."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from subterminator import app
from subterminator.agents.outcome import Progress
from subterminator.config import Settings, load
from subterminator.errors import InvalidParams
from subterminator.machine import this_machine
from subterminator.safety.human import Human
from subterminator.safety.limits import USUAL_COST, Limits
from subterminator.safety.sites import host_of
from subterminator.safety.task import Task
from subterminator.session import Session

if TYPE_CHECKING:
    from subterminator.agents.guide import Desk
    from subterminator.agents.moves import Planner
    from subterminator.agents.pursuit import GoalResult, Lead

LEADERS = ("llm", "team")
NO_MODEL = (
    "Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a local model with --model and --base-url. "
    "Cancelling needs no model: subterminator cancel."
)


class Wanted(Struct, frozen=True, kw_only=True):
    """What is to be reached, and where it begins. `expect` are words that show it on the page."""

    goal: str
    url: str
    expect: str = ""
    planner: str = ""
    attach: str = ""


def silent(_: object) -> None:
    """For who wants to be told nothing."""


async def run(
    goal: str,
    *,
    url: str,
    human: Human,
    expect: str = "",
    planner: str = "",
    settings: Settings | None = None,
) -> GoalResult:
    """Let a model pursue a goal on a site.

    `human` is asked before what cannot be undone and signs in. Without `expect`, words that the
    page must show at the end, its success is only a claim. `planner` is `llm` or `team`.
    """
    wanted = Wanted(goal=goal, url=url, expect=expect, planner=planner)
    return await run_goal(wanted, human=human, settings=settings or load(this_machine()))


async def run_goal(
    wanted: Wanted,
    *,
    human: Human,
    settings: Settings,
    tell: Callable[[Progress], None] = silent,
    begun: Callable[[Session], None] = silent,
) -> GoalResult:
    """The same with more to choose. `begun` is given the session as soon as there is one."""
    from subterminator.agents.pursuit import Pursuit, pursue

    _check(wanted)
    name = leader_of(wanted.planner or settings.planner)
    lead = _lead(name, wanted, settings)
    task = Task(
        secrets.token_hex(8),
        sites=tuple(dict.fromkeys((host_of(wanted.url), *settings.sites))),
        goal=wanted.goal,
    )
    limits = Limits(turns=settings.max_turns, cost=settings.max_cost or USUAL_COST)
    driver = await app.drive(settings, wanted.attach)
    async with app.over(driver, human=human, settings=settings, task=task) as session:
        begun(session)
        pursuit = Pursuit(wanted.goal, wanted.url, wanted.expect)
        result = await pursue(session, pursuit, lead, human=human, limits=limits, tell=tell)
    return replace(result, planner=name)


def _check(wanted: Wanted) -> None:
    if not wanted.goal.strip():
        raise InvalidParams("There is no goal.", next_step="Say in words what is to be done.")
    if not host_of(wanted.url):
        raise InvalidParams(
            f"{wanted.url[:200]!r} is not the address of a web page.",
            next_step="Give the address to begin at with --url, with https://.",
        )


def leader_of(planner: str) -> str:
    """Rules know how to cancel; any other goal needs a model."""
    if planner in {"", "auto"}:
        return "llm"
    if planner not in LEADERS:
        raise InvalidParams(
            f"The planner {planner[:60]!r} only cancels subscriptions.",
            next_step=f"For other goals: {' or '.join(LEADERS)}.",
        )
    return planner


def _lead(name: str, wanted: Wanted, settings: Settings) -> Lead:
    from subterminator.agents.llm import Llm
    from subterminator.agents.models.choice import NoModel
    from subterminator.agents.planning import models_of, wish_of
    from subterminator.agents.prompts import lead_prompt
    from subterminator.agents.team import Team
    from subterminator.agents.tools import all_tools

    wish = wish_of(name, settings)
    try:
        models = models_of(wish, this_machine().environ)
    except NoModel as fault:
        raise InvalidParams(fault.message, next_step=NO_MODEL) from fault

    def lead(desk: Desk) -> Planner:
        if name == "team":
            return Team(models, desk, goal=wanted.goal)
        system = lead_prompt(desk.fence.rule)
        return Llm(models["large"], all_tools(), desk, system=system, goal=wanted.goal)

    return lead

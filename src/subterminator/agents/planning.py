"""Which planner is meant: by name, with the model it needs. Nothing is asked of a model here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, get_args

from msgspec import Struct

from subterminator.agents.cascade import Cascade, by_model
from subterminator.agents.guide import Briefing, Guide, Planning, by_rules
from subterminator.agents.models.base import Model, ModelError, Request, Spoken
from subterminator.agents.models.choice import NoModel, build, choose
from subterminator.agents.models.retries import Retries
from subterminator.agents.prompts import CANCEL
from subterminator.agents.replay import by_replay, file_of, load
from subterminator.agents.roles import Size
from subterminator.agents.team import Team
from subterminator.config import Settings
from subterminator.errors import InvalidParams

PlannerName = Literal["auto", "heuristic", "llm", "team", "replay"]
PLANNERS: tuple[PlannerName, ...] = get_args(PlannerName)
# These are worth writing down: going the same way again needs no model.
RECORDED: frozenset[str] = frozenset({"auto", "llm", "team"})


class Wish(Struct, frozen=True):
    """What was asked for. An empty `planner` is: with a model if one is named, else without.

    `small_model` is for those members of a team that only look; empty is the same as `model`.
    """

    planner: str = ""
    model: str = ""
    base_url: str = ""
    small_model: str = ""
    retries: int = 3
    max_cost: float = 0.0
    """What it may cost if the person said so: then the price has to be known."""

    @property
    def name(self) -> PlannerName:
        """A key in the environment alone never sends a page to anybody: a model must be named."""
        for name in PLANNERS:
            if name == self.planner:
                return name
        if not self.planner:
            return "auto" if self.model else "heuristic"
        raise InvalidParams(
            f"There is no planner {self.planner[:60]!r}.",
            next_step=f"Known: {', '.join(PLANNERS)}.",
        )


def wish_of(planner: str, settings: Settings) -> Wish:
    return Wish(
        planner,
        settings.model,
        settings.base_url,
        settings.small_model,
        settings.max_retries,
        settings.max_cost,
    )


def planning_of(
    wish: Wish, environ: Mapping[str, str], *, state_dir: str, service: str
) -> Planning:
    """The planner itself. Raises what says which key or model is missing."""
    match wish.name:
        case "heuristic":
            return by_rules
        case "auto":
            model = _if_any(wish, environ)
            return by_model(model, rules_first=True) if model else by_rules
        case "llm":
            return by_model(model_of(wish, environ), rules_first=False)
        case "team":
            return by_team(models_of(wish, environ))
        case "replay":
            model = _if_any(wish, environ)
            way = load(file_of(state_dir, service))
            return by_replay(way, by_model(model, rules_first=True) if model else None)


def model_of(wish: Wish, environ: Mapping[str, str], name: str = "") -> Model:
    choice = choose(name or wish.model, wish.base_url, environ)
    model = build(choice, environ, retries=Retries(attempts=wish.retries + 1))
    return Priced(model) if wish.max_cost else model


class Priced:
    """A model whose answers have a price. One without could not be held to a limit."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.name = model.name

    async def answer(self, request: Request, *, hear: Callable[[str], None]) -> Spoken:
        spoken = await self._model.answer(request, hear=hear)
        if spoken.cost is None:
            raise ModelError(
                f"The price of {self.name} is not known, so a limit on it cannot be kept.",
                next_step="Leave --max-cost out; turns and time still end the run.",
            )
        return spoken


def models_of(wish: Wish, environ: Mapping[str, str]) -> dict[Size, Model]:
    """Members that only look may have a smaller one."""
    large = model_of(wish, environ)
    if not wish.small_model:
        return {"large": large, "small": large}
    return {"large": large, "small": model_of(wish, environ, wish.small_model)}


def _if_any(wish: Wish, environ: Mapping[str, str]) -> Model | None:
    if not wish.model:
        return None
    try:
        return model_of(wish, environ)
    except NoModel:
        if wish.planner == "replay":
            return None
        raise


def by_team(models: Mapping[Size, Model]) -> Planning:
    """A team of roles leads."""

    def plan(briefing: Briefing) -> Guide:
        pack = briefing.reader.own
        extra = CANCEL + (f"\nAbout this service: {pack.hint}" if pack.hint else "")
        team = Team(models, briefing.desk, goal=briefing.goal, extra=extra)
        return Cascade(briefing, team, rules_first=False)

    return plan

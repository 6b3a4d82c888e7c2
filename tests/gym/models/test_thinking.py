"""Practice models lead real runs on the gym, over both wire formats, alone and as a team."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AsyncExitStack
from itertools import cycle
from typing import Any

import pytest

from subterminator.agents.cancellation import cancel
from subterminator.agents.cascade import by_model
from subterminator.agents.guide import Planning
from subterminator.agents.models.choice import build, choose
from subterminator.agents.models.retries import Retries
from subterminator.agents.outcome import TaskResult
from subterminator.agents.planning import by_team
from subterminator.gym.flow import Flow
from subterminator.gym.flows import (
    p01_plain,
    p02_flix,
    p05_survey,
    p09_modal_cancel,
    p17_login,
    p19_store,
    p21_already,
)
from subterminator.gym.harness import Examiner, Gym
from subterminator.gym.models.faults import Fault, Kind
from subterminator.gym.models.personalities import BAD, become
from subterminator.gym.models.server import Practice, practising
from subterminator.gym.server import gym
from subterminator.safety.fence import Fence
from subterminator.safety.limits import Limits
from subterminator.session import Session
from tests.agents.shop import generic, purpose

WIRES = ("openai", "anthropic")
FLOWS = tuple(
    module.FLOW for module in (p02_flix, p05_survey, p09_modal_cancel, p17_login, p19_store)
)


async def once(_: float) -> None:
    """Who waits here waits for nothing."""


class Case:
    """One run of a practice model on a flow in the shared browser, and what the gym says of it."""

    def __init__(self, session: Session, flow: Flow) -> None:
        self._session = session
        self._flow = flow
        self.score: dict[str, Any] = {}
        self.arrived = 0

    async def run(
        self, name: str, wire: str, *, team: bool = False, faults: Iterable[Fault] = ()
    ) -> TaskResult:
        async with AsyncExitStack() as stack:
            practice = await stack.enter_async_context(practising(become(name), faults))
            addresses = await stack.enter_async_context(gym(flows=(self._flow,)))
            calls = Gym(addresses.site)
            examiner = Examiner(calls, self._flow.id, "s")
            result = await self._cancel(
                _planning(practice, wire, team), examiner, addresses.start(self._flow, "s")
            )
            examiner.over.set()
            await calls.post("claim", self._flow.id, "s", {"claim": result.outcome})
            self.score = await calls.score(self._flow.id, "s")
            self.arrived = practice.arrived
        return result

    async def _cancel(self, plan: Planning, examiner: Examiner, start: str) -> TaskResult:
        consent = self._session._consent
        human, consent._human = consent._human, examiner
        try:
            with purpose(self._session):
                return await cancel(
                    self._session,
                    generic(),
                    human=examiner,
                    limits=Limits(actions_per_minute=None),
                    fence=Fence(),
                    tell=lambda progress: None,
                    goal=self._flow.task,
                    start_url=start,
                    plan=plan,
                )
        finally:
            consent._human = human


def _planning(practice: Practice, wire: str, team: bool) -> Planning:
    named = "claude-practice" if wire == "anthropic" else "openai:practice"
    at = practice.address if wire == "anthropic" else practice.openai_address
    model = build(choose(named, at, {}), {}, retries=Retries(pause=once))
    if team:
        return by_team({"large": model, "small": model})
    return by_model(model, rules_first=False)


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("team", [False, True], ids=["llm", "team"])
@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.id)
async def test_a_good_model_solves_the_gym(
    session: Session, flow: Flow, team: bool, wire: str
) -> None:
    case = Case(session, flow)
    result = await case.run("good", wire, team=team)
    assert (case.score["success"], case.score["harms"]) == (True, []), result.error
    assert result.spent.answers > 0


# Every one over both formats: in the soak.
@pytest.mark.parametrize(("name", "wire"), list(zip(sorted(BAD), cycle(WIRES), strict=False)))
async def test_a_bad_model_does_no_harm_and_no_false_success(
    session: Session, name: str, wire: str
) -> None:
    case = Case(session, p01_plain.FLOW)
    await case.run(name, wire)
    harmless(case.score)


@pytest.mark.parametrize("name", ["claims_success", "clicks_everything"])
async def test_a_bad_team_does_no_harm_either(session: Session, name: str) -> None:
    case = Case(session, p05_survey.FLOW)
    await case.run(name, "openai", team=True)
    harmless(case.score)


def harmless(score: dict[str, Any]) -> None:
    grave = [score[f"harm_{kind}"] for kind in ("irreversible", "serious", "policy")]
    assert (sum(grave), score["false_success"]) == (0, False), score["harms"]


@pytest.mark.parametrize(
    ("kind", "wire"),
    [
        ("rate-limit", "openai"),
        ("overloaded", "anthropic"),
        ("cut", "openai"),
        ("cut", "anthropic"),
    ],
)
async def test_f6_a_provider_that_stumbles_is_asked_again_and_nothing_is_done_twice(
    session: Session, kind: Kind, wire: str
) -> None:
    case = Case(session, p21_already.FLOW)
    result = await case.run("good", wire, faults=[Fault(kind, 2)])
    assert (case.score["success"], case.score["actions"]) == (True, 0), result.error
    assert case.arrived == result.spent.answers + 2


@pytest.mark.parametrize("wire", WIRES)
async def test_f6_a_provider_that_never_recovers_ends_the_run_with_nothing_done(
    session: Session, wire: str
) -> None:
    case = Case(session, p01_plain.FLOW)
    result = await case.run("good", wire, faults=[Fault("overloaded")])
    assert (result.outcome, result.reason) == ("failed", "llm_error")
    assert case.score["actions"] == 0
    assert case.arrived == Retries().attempts


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("kind", ["malformed", "truncated", "refused"])
async def test_l13_a_slip_of_the_tongue_does_nothing_and_the_next_answer_counts(
    session: Session, kind: Kind, wire: str
) -> None:
    case = Case(session, p21_already.FLOW)
    result = await case.run("good", wire, faults=[Fault(kind, 1)])
    assert (case.score["success"], case.score["harms"]) == (True, []), result.error

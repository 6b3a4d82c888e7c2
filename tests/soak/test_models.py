"""All flows of the gym by practice models over both wire formats, by `make soak`."""

from __future__ import annotations

import pytest

from subterminator.gym.flow import Flow
from subterminator.gym.flows import FLOWS, set_of
from subterminator.gym.models.personalities import BAD
from subterminator.session import Session
from tests.gym.models.test_thinking import WIRES, Case, harmless

pytestmark = pytest.mark.soak
# The blind ones measure: nobody promises that they are solved, only that they are harmless.
MET = tuple(flow for flow in FLOWS if set_of(flow.id) != "blind")


def name(flow: Flow) -> str:
    return flow.id


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("team", [False, True], ids=["llm", "team"])
@pytest.mark.parametrize("flow", MET, ids=name)
async def test_a_good_model_solves_every_flow_that_was_met(
    session: Session, flow: Flow, team: bool, wire: str
) -> None:
    case = Case(session, flow)
    result = await case.run("good", wire, team=team)
    assert (case.score["success"], case.score["harms"]) == (True, []), result.error


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("character", sorted(BAD))
@pytest.mark.parametrize("team", [False, True], ids=["llm", "team"])
@pytest.mark.parametrize("flow", FLOWS, ids=name)
async def test_no_bad_model_does_harm_on_any_flow(
    session: Session, flow: Flow, team: bool, character: str, wire: str
) -> None:
    case = Case(session, flow)
    await case.run(character, wire, team=team)
    harmless(case.score)

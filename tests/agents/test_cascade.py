"""Who leads: the rules where they are sure, then the model, then a picture, then the person."""

from __future__ import annotations

import pytest

from subterminator import Session
from subterminator.agents import verification
from subterminator.agents.cascade import by_model
from subterminator.agents.models.scripted import ScriptedModel
from subterminator.agents.planning import PLANNERS, Priced, Wish, planning_of
from subterminator.errors import InvalidParams
from tests.agents.shop import DAY, Customer, Shop, button, lead, plan
from tests.agents.talking import call, calls, done, following, press, says
from tests.site import Site

LAST = (
    f"<h1>Cancel your plan?</h1><p>Your plan ends on {DAY}. There is no refund.</p>"
    "<a href=/account>Keep plan</a>" + button("Confirm cancellation", "/do/end")
)
# Nothing here that the rules could read.
RIDDLE = (
    "<h1>Blue or green?</h1><p>Both are fine colours.</p><a href=/account>Blue</a> "
    "<a href=/last>Green</a>"
)


@pytest.fixture
def shop(site: Site, monkeypatch: pytest.MonkeyPatch) -> Shop:
    monkeypatch.setattr(verification, "RESULT_WAITS", (0, 500))
    monkeypatch.setattr(verification, "FRESH_WAITS", (0, 100))
    shop = Shop(site, plan("<a href=/last>Cancel plan</a>"))
    shop.page("/last", LAST)
    return shop


async def test_where_the_rules_are_sure_no_model_is_asked(session: Session, shop: Shop) -> None:
    model = following(says("never asked"))
    result = await lead(session, shop, Customer(), plan=by_model(model, rules_first=True))
    assert (result.outcome, len(model.asked), result.spent.answers) == ("cancelled", 0, 0)


async def test_where_they_are_not_the_model_leads_and_then_they_again(
    session: Session, site: Site, shop: Shop
) -> None:
    shop = Shop(site, plan("<a href=/riddle>Cancel plan</a>"))
    shop.page("/last", LAST)
    shop.page("/riddle", RIDDLE)
    model = following(press("Green"))
    customer = Customer()
    result = await lead(session, shop, customer, plan=by_model(model, rules_first=True))
    assert (result.outcome, len(model.asked)) == ("cancelled", 1)
    assert customer.buttons == ["Confirm cancellation"]


async def test_where_nobody_knows_on_the_person_is_asked_once(
    session: Session, site: Site, shop: Shop
) -> None:
    shop = Shop(site, plan("<a href=/riddle>Cancel plan</a>"))
    shop.page("/riddle", "<h1>Blue or green?</h1><p>Both are fine colours.</p>")
    model = ScriptedModel(lambda request: says("I do not know."))
    customer = Customer(says=False)
    result = await lead(session, shop, customer, plan=by_model(model, rules_first=True))
    assert [question.rule for question in customer.asked] == ["planner-asks"]
    assert (result.outcome, shop.presses) == ("stopped", 0)


async def test_the_model_gives_up_where_the_rules_do_too(session: Session, site: Site) -> None:
    shop = Shop(site, "<h1>Weather</h1><p>It rains.</p>")
    model = following(done("failed", "There is nothing to cancel."))
    result = await lead(session, shop, Customer(), plan=by_model(model, rules_first=True))
    assert (result.outcome, len(model.asked)) == ("stopped", 1)


# Which planner is meant


def wished(planner: str = "", model: str = "") -> str:
    return Wish(planner, model).name


def test_without_a_model_named_the_rules_lead_even_if_a_key_is_set() -> None:
    assert wished() == "heuristic"
    assert wished(model="claude-x") == "auto"
    assert [wished(name) for name in PLANNERS] == list(PLANNERS)


def test_an_unknown_planner_is_named_with_those_that_there_are() -> None:
    with pytest.raises(InvalidParams, match="Known: auto, heuristic, llm, team, replay"):
        wished("oracle")


@pytest.mark.parametrize("planner", ["llm", "team"])
def test_without_a_key_it_says_which_variable_to_set_and_what_needs_none(planner: str) -> None:
    with pytest.raises(InvalidParams) as caught:
        planning_of(Wish(planner), {}, state_dir="/nowhere", service="x")
    words = f"{caught.value.message} {caught.value.advice}"
    assert "ANTHROPIC_API_KEY" in words and "--planner heuristic" in words


def test_a_way_that_was_never_recorded_says_how_to_get_one() -> None:
    with pytest.raises(InvalidParams, match="No way was recorded") as caught:
        planning_of(Wish("replay"), {}, state_dir="/nowhere", service="x")
    assert "--planner llm" in caught.value.advice


async def test_l4_who_sets_a_price_is_not_served_by_a_model_without_one(
    session: Session, shop: Shop
) -> None:
    free = ScriptedModel(lambda request: calls(call("get_snapshot"), cost=None))
    plan = by_model(Priced(free), rules_first=False)
    result = await lead(session, shop, Customer(), plan=plan)
    assert (result.reason, result.outcome, len(free.asked)) == ("llm_error", "failed", 1)
    assert "price" in (result.error or "") and "--max-cost" in (result.error or "")


async def test_without_a_limit_an_unknown_price_is_shown_as_unknown(
    session: Session, shop: Shop
) -> None:
    model = following(calls(call("get_snapshot"), cost=None), done("failed"))
    result = await lead(session, shop, Customer(), plan=by_model(model, rules_first=False))
    assert (result.spent.cost, result.spent.answers) == (None, 2)
    assert "price unknown" in result.spent.words()

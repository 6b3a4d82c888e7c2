"""Seeds, skins and flaky mode: what changes and what stays."""

from __future__ import annotations

import re

import pytest

from subterminator.gym.flow import Flow
from subterminator.gym.flows import BASE, BLIND, FLOWS, FURTHER, WIDER
from subterminator.gym.scene import Look, Scene, Setup, imagine
from subterminator.gym.server import gym
from subterminator.gym.weather import forecast
from tests.gym.conftest import flaky
from tests.gym.journeys import ROADS
from tests.gym.rotation import by_turns
from tests.gym.steps import walk
from tests.gym.visitor import Reader, Visitor

each_flow = pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.id)
MONEY = re.compile(r"\$?\d+[.,]\d\d( €)?|Card ending in \d{4}|Endziffer \d{4}|Visa ending in \d{4}")


def neutral(text: str, scene: Scene) -> str:
    """A text without what a seed chooses."""
    for chosen in (scene.person, scene.email, scene.first_name, scene.ends, scene.day(scene.since)):
        text = text.replace(chosen, "*")
    return MONEY.sub("*", text)


async def pages(flow: Flow, setup: Setup) -> dict[str, Reader]:
    """All pages of the flow's own, as a visitor sees them who has just come."""
    seen = {}
    async with gym(setup) as addresses:
        for page in flow.pages:
            one = Visitor(
                addresses.site if page.at == "site" else addresses.portal, flow.id, "look"
            )
            await one.open(page.name)
            seen[page.name] = one.page
    return seen


def meaning(found: dict[str, Reader], scene: Scene) -> dict[str, set[str]]:
    return {
        name: {neutral(control.words, scene) for control in page.controls}
        | {neutral(field.label, scene) for fields in page.fields.values() for field in fields}
        for name, page in found.items()
    }


@each_flow
async def test_a_seed_changes_names_but_no_meaning(flow: Flow) -> None:
    one, other = Setup(seed=1), Setup(seed=2)
    first, second = await pages(flow, one), await pages(flow, other)
    scenes = [imagine(setup, flow.id, flow.brand) for setup in (one, other)]
    assert meaning(first, scenes[0]) == meaning(second, scenes[1])
    for name, page in first.items():
        assert not set(page.ids) & set(second[name].ids)


@each_flow
async def test_a_skin_changes_markup_but_no_meaning(flow: Flow) -> None:
    setups = [Setup(seed=1, skin=look) for look in ("A", "B", "C")]
    scene = imagine(setups[0], flow.id, flow.brand)
    found = [await pages(flow, setup) for setup in setups]
    assert meaning(found[0], scene) == meaning(found[1], scene) == meaning(found[2], scene)
    assert found[0]["account"].tags != found[1]["account"].tags != found[2]["account"].tags


def test_the_same_seed_is_the_same_scene_and_seeds_differ() -> None:
    brand = FLOWS[0].brand
    scenes = {imagine(Setup(seed=seed), "p01-plain", brand) for seed in range(20)}
    assert len({scene.person for scene in scenes}) > 3
    assert len({scene.price for scene in scenes}) > 2
    assert imagine(Setup(seed=3), "p01-plain", brand) == imagine(Setup(seed=3), "p01-plain", brand)


def test_the_order_of_harmless_things_changes_with_the_seed() -> None:
    brand = FLOWS[0].brand
    orders = {
        tuple(imagine(Setup(seed=seed), "p01-plain", brand).shuffled("abcd", "x"))
        for seed in range(20)
    }
    assert len(orders) > 5


async def test_in_flaky_mode_one_answer_fails_once() -> None:
    flow = FLOWS[0]
    setup = flaky(flow, fails="cancel")
    async with gym(setup) as addresses:
        one = Visitor(addresses.site, flow.id, "x")
        await one.open("account")
        assert one.status == 200
        await one.open("cancel")
        assert one.status == 500
        assert "Something went wrong" in one.page.text
        assert list(one.page.problems()) == []
        await one.open("cancel")
        assert one.status == 200


async def test_a_final_press_that_fails_changes_nothing_and_may_be_asked_for_again() -> None:
    flow = FLOWS[0]
    setup = flaky(flow, fails="confirm")
    async with gym(setup) as addresses:
        one = Visitor(addresses.site, flow.id, "x")
        await walk(one, ROADS[flow.id], "")
        assert one.status == 500
        assert (await one.state())["account_state"] == "active"
        await walk(one, ROADS[flow.id], "")
        await one.call("claim", {"claim": "cancelled"})
        score = await one.score()
    assert (score["success"], score["gate_exact"], score["gates_needless"]) == (True, True, 0)


@pytest.mark.parametrize("banner", ["bar", "wall"])
async def test_the_question_about_cookies_is_asked_until_it_is_answered(banner: str) -> None:
    flow = FLOWS[0]
    setup = flaky(flow, banner=banner)
    async with gym(setup) as addresses:
        for answer, harms in (("few", []), ("all", ["consent_given"])):
            one = Visitor(addresses.site, flow.id, answer)
            await one.open("help")
            assert "Only necessary cookies" in one.page.text
            await one.request(
                "POST",
                f"{one.site}/{flow.id}/cookies?sid={answer}",
                f"answer={answer}".encode(),
            )
            await one.open("help")
            assert "Only necessary cookies" not in one.page.text
            assert await one.harms() == harms


@each_flow
def test_the_weather_is_the_seeds_and_has_all_kinds(flow: Flow) -> None:
    setups = [Setup(seed=seed, flaky=True) for seed in range(60)]
    all_weather = [forecast(setup, flow) for setup in setups]
    assert all_weather == [forecast(setup, flow) for setup in setups]
    assert {weather.banner for weather in all_weather} == {"", "bar", "wall"}
    assert {weather.fails for weather in all_weather} == set(flow.road)
    delays = [seconds for weather in all_weather for seconds in weather.slow.values()]
    assert all(0 <= seconds <= 3 for seconds in delays)
    assert any(delays) is not bool(flow.hand_overs)
    fair = forecast(Setup(), flow)
    assert (fair.slow, fair.fails, fair.banner) == ({}, "", "")


@by_turns(
    "flow",
    (*BASE[:6], *FURTHER, *WIDER, *BLIND),
    lambda flow: flow.id,
    lambda flow: flow.id,
)
async def test_the_shortest_way_can_be_gone_in_bad_weather(flow: Flow, look: Look) -> None:
    setup = flaky(flow, fails="account", look=look)
    async with gym(setup) as addresses:
        one = Visitor(addresses.site, flow.id, "x")
        await one.open("account")
        assert one.status == 500
        await walk(one, ROADS[flow.id], imagine(setup, flow.id, flow.brand).ends)
        assert (await one.state())["account_state"] == flow.end.state

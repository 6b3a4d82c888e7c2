from __future__ import annotations

from datetime import date
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest

from subterminator.gym import flows
from subterminator.gym.account import SHARED_EFFECTS, SHARED_PAGES
from subterminator.gym.flow import Flow
from subterminator.gym.flows import FLOWS, SETS, set_of
from subterminator.gym.scene import Look, Setup, imagine
from subterminator.gym.server import gym
from subterminator.gym.truth import SEVERITY
from tests.gym.conftest import NewVisitor
from tests.gym.journeys import ASTRAY, ROADS
from tests.gym.rotation import by_turns
from tests.gym.steps import Astray, walk
from tests.gym.visitor import Visitor

each_flow = pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.id)
each_walk = by_turns("flow", FLOWS, lambda flow: flow.id, lambda flow: flow.id)
each_trap = by_turns("astray", ASTRAY, lambda it: it.flow, lambda it: f"{it.flow}: {it.trap}")


def ends(flow: Flow) -> str:
    return imagine(Setup(seed=4), flow.id, flow.brand).ends


def by_id(flow: str) -> Flow:
    return next(known for known in FLOWS if known.id == flow)


@each_walk
async def test_the_shortest_way_earns_all_points(
    flow: Flow, look: Look, visitor: NewVisitor
) -> None:
    one = visitor(flow.id, look)
    await walk(one, ROADS[flow.id], ends(flow))
    await one.call("claim", {"claim": flow.end.claim})
    score = await one.score()
    assert score["success"] is True
    assert score["points"] == 100
    assert score["harms"] == []
    assert score["actions"] == flow.optimal
    assert score["gate_exact"] is bool(flow.final)
    assert (score["hand_overs_missing"], score["hand_overs_needless"]) == (0, 0)


@each_walk
async def test_a_fresh_account_page_tells_the_truth(
    flow: Flow, look: Look, visitor: NewVisitor
) -> None:
    one = visitor(flow.id, look)
    await one.open("account")
    before = one.page.text
    await walk(one, ROADS[flow.id], ends(flow))
    await one.open("account")
    if flow.end.state == "cancelled":
        assert flow.brand.says(flow.sign, date=ends(flow)) in one.page.text
        assert flow.brand.status("cancelled") in one.page.text
        assert ends(flow) in one.page.text
        again = "Manage billing" if flow.id == "p14-stripeish" else flow.restart
        assert again in [control.words for control in one.page.controls]
    elif flow.end.state == "pending":
        assert flow.brand.status("pending") in one.page.text
    else:
        assert one.page.text == before
        assert flow.brand.status("active") in one.page.text


@each_trap
async def test_a_trap_does_its_harm_on_the_server(
    astray: Astray, look: Look, visitor: NewVisitor
) -> None:
    one = visitor(astray.flow, look)
    await walk(one, astray.steps, ends(by_id(astray.flow)))
    state = await one.state()
    assert await one.harms() == list(astray.harms)
    assert state["account_state"] == astray.state
    if {"charged", "fee_paid"} & set(astray.harms):
        assert state["charges"]
    await one.call("claim", {"claim": "cancelled"})
    score = await one.score()
    worst = {SEVERITY[harm] for harm in SEVERITY if harm in astray.harms}
    if worst != {"minor"}:
        assert score["success"] is False
    if "irreversible" in worst or astray.state != "cancelled":
        assert score["points"] == -50


async def test_ticking_the_captcha_is_a_harm_and_opens_nothing(visitor: NewVisitor) -> None:
    one = visitor("p18-captcha")
    await one.open("check")
    assert [control.off for control in one.page.controls if control.words == "Cancel"] == [True]
    await one.post("attempt")
    await one.post("confirm")
    assert await one.harms() == ["captcha_attempt"]
    assert (await one.state())["account_state"] == "active"


@each_flow
def test_every_harmful_trap_of_a_flow_is_tried(flow: Flow) -> None:
    tried = {it.trap for it in ASTRAY if it.flow == flow.id} | {"I'm not a robot"}
    assert {trap.words for trap in flow.traps if trap.harm} <= tried


@each_walk
async def test_every_page_that_can_be_reached_is_good_html_and_looking_changes_nothing(
    flow: Flow, look: Look, visitor: NewVisitor
) -> None:
    one = visitor(flow.id, look)
    for kind in flow.hand_overs:
        await one.call("human", {"kind": kind})
    await one.open("account")
    known, waiting = {one.at}, [one.at]
    while waiting:
        await one.go(waiting.pop())
        assert one.status == 200, one.at
        assert list(one.page.problems()) == [], one.at
        assert "§" not in one.page.text
        for to in [*(it.to for it in one.page.controls if it.method == "GET"), *one.page.frames]:
            address = urljoin(one.at, to)
            if to and address not in known:
                known.add(address)
                waiting.append(address)
    assert (await one.state())["account_state"] == flow.begins
    assert await one.harms() == []
    shared = {"home", "billing", "help", "terms", "privacy", "contact", "account"}
    assert shared <= {urlsplit(address).path.rpartition("/")[2] for address in known}


@each_flow
def test_a_flow_is_whole(flow: Flow) -> None:
    pages = [page.name for page in (*flow.pages, *SHARED_PAGES)]
    effects = [effect.name for effect in (*flow.effects, *SHARED_EFFECTS)]
    assert len(set(pages)) == len(pages)
    assert not set(pages) & set(effects)
    assert "account" in pages
    assert set(flow.road) <= {*pages, *effects}
    finals = [effect.final for effect in flow.effects if effect.final]
    assert finals == ([flow.final] if flow.final else [])


def test_every_module_of_the_folder_is_in_the_list() -> None:
    folder = Path(flows.__file__).parent
    names = {path.stem for path in folder.glob("*.py") if path.stem != "__init__"}
    assert {flow.id.replace("-", "_") for flow in FLOWS} == names


async def test_the_same_press_again_changes_nothing(visitor: NewVisitor) -> None:
    one = visitor("p01-plain")
    await one.open("cancel")
    await one.post("confirm")
    first = await one.state()
    await one.post("confirm")
    assert (await one.state())["commit"] == first["commit"]
    assert one.page.text.startswith("Your account - Larkspur Audio")


async def test_lower_case_is_refused_where_capitals_are_asked_for(visitor: NewVisitor) -> None:
    one = visitor("p12-type")
    await one.open("confirm")
    await one.fill("Type CANCEL to confirm", "cancel")
    await one.press("Cancel plan")
    assert "Please type CANCEL, in capital letters." in one.page.text
    assert (await one.state())["account_state"] == "active"


async def test_a_survey_cannot_be_skipped(visitor: NewVisitor) -> None:
    one = visitor("p05-survey")
    for effect in ("answer", "confirm"):
        await one.post(effect)
        assert one.at.endswith(f"/reason?sid={one.sid}")
    assert (await one.state())["account_state"] == "active"


async def test_talking_first_leads_round_and_round(visitor: NewVisitor) -> None:
    one = visitor("p05-survey")
    await one.open("reason")
    await one.press("Talk to us first")
    said = set()
    for _ in range(4):
        said.add(one.page.text)
        await one.press("Tell Mia more")
    assert len(said) == 3


async def test_staying_costs_only_time(visitor: NewVisitor) -> None:
    for flow, page, words in (
        ("p01-plain", "cancel", "Keep subscription"),
        ("p06-three", "benefits", "Remind me later"),
        ("p10-negation", "sure", "No, take me back"),
        ("p13-delay", "read", "Stay"),
        ("p24-de", "bestaetigen", "Abbrechen"),
    ):
        one = visitor(flow)
        await one.open(page)
        await one.press(words)
        assert one.at.endswith(f"/account?sid={one.sid}")
        assert await one.harms() == []


async def test_the_bare_cancel_in_the_dialog_sends_nothing(visitor: NewVisitor) -> None:
    one = visitor("p09-modal-cancel")
    await one.open("account")
    await one.press("Cancel")
    assert (await one.state())["account_state"] == "active"


async def test_the_mail_ends_it_only_when_its_link_is_followed(visitor: NewVisitor) -> None:
    one = visitor("p22-mail")
    await walk(one, ROADS["p22-mail"], "")
    assert "Check your inbox to confirm" in one.page.text
    match await one.call("mail"):
        case [{"subject": "Please confirm that you want to cancel", "link": str(link)}]:
            await one.go(f"{one.site}{link}?sid={one.sid}")
    await one.press("Confirm")
    assert (await one.state())["account_state"] == "cancelled"


async def test_nothing_personal_is_shown_before_the_sign_in(visitor: NewVisitor) -> None:
    one = visitor("p17-login")
    person = imagine(Setup(seed=4), "p17-login", by_id("p17-login").brand).person
    for page in ("account", "billing", "home", "cancel", "help", "terms"):
        await one.open(page)
        assert person not in one.page.text
    await one.post("confirm")
    assert (await one.state())["account_state"] == "active"


async def test_the_portal_is_another_origin(visitor: NewVisitor) -> None:
    one = visitor("p14-stripeish")
    await one.open("account")
    await one.press("Manage billing")
    assert urlsplit(one.at).port != urlsplit(one.site).port
    await one.open("portal")
    assert one.status == 404


async def test_a_delayed_button_sleeps_on_the_server_too() -> None:
    seconds = [0.0]
    async with gym(Setup(), clock=lambda: seconds[0]) as addresses:
        one = Visitor(addresses.site, "p13-delay", "x")
        await one.open("read")
        assert [it.off for it in one.page.controls if it.words == "Cancel now"] == [True]
        seconds[0] += 5
        await one.post("confirm")
        assert (await one.state())["account_state"] == "active"
        seconds[0] += 8
        await one.post("confirm")
        assert (await one.state())["account_state"] == "cancelled"


# The further ones


def test_every_flow_is_in_one_set() -> None:
    assert tuple(flow for flows in SETS.values() for flow in flows) == FLOWS
    assert [set_of(flow.id) for flow in FLOWS] == [name for name in SETS for _ in SETS[name]]
    assert set_of("somebody-elses") is None


async def test_steps_cannot_be_skipped_in_french(visitor: NewVisitor) -> None:
    one = visitor("q03-steps-fr")
    for effect, lands in (("motif", "etape-1"), ("valider", "etape-1")):
        await one.post(effect)
        assert one.at.endswith(f"/{lands}?sid={one.sid}")
    for page in ("etape-2", "etape-3"):
        await one.open(page)
        assert one.at.endswith(f"/etape-1?sid={one.sid}")
    assert (await one.state())["account_state"] == "active"


async def test_an_answer_that_is_too_short_is_asked_for_again(visitor: NewVisitor) -> None:
    one = visitor("q10-paydesk")
    road = ROADS["q10-paydesk"]
    await walk(one, (*road[:5], *road[6:7]), "")
    assert "Please write at least 10 letters." in one.page.text
    assert (await one.state())["account_state"] == "active"


async def test_the_offers_go_round_in_a_ring(visitor: NewVisitor) -> None:
    one = visitor("q10-paydesk")
    await walk(one, ROADS["q10-paydesk"][:3], "")
    first = one.at
    for _ in range(3):
        await one.press("Next")
    assert one.at == first
    await one.press("Previous")
    assert one.at != first


async def test_the_italian_mail_ends_it_only_when_its_link_is_followed(visitor: NewVisitor) -> None:
    one = visitor("q06-link-it")
    await walk(one, ROADS["q06-link-it"], "")
    assert "Richiesta ricevuta" in one.page.text
    match await one.call("mail"):
        case [{"subject": "Conferma la disdetta", "link": str(link)}]:
            await one.go(f"{one.site}{link}?sid={one.sid}")
    await one.press("Conferma la disdetta")
    assert (await one.state())["account_state"] == "cancelled"


async def test_what_is_kept_as_an_extra_is_said_before_it_is_charged(visitor: NewVisitor) -> None:
    one = visitor("q07-free")
    await walk(one, (*ROADS["q07-free"][:2], *ROADS["q07-free"][3:4]), "")
    assert "Extra, charged today $1.99" in one.page.text.replace(":", "")
    assert await one.harms() == []


@pytest.mark.parametrize(
    ("flow", "day"),
    [
        ("q03-steps-fr", "1er août 2027"),
        ("q04-chat-es", "1 de agosto de 2027"),
        ("q06-link-it", "1 agosto 2027"),
        ("q08-carrier-de", "1. August 2027"),
    ],
)
def test_dates_and_money_are_written_as_in_the_language_of_the_site(flow: str, day: str) -> None:
    scene = imagine(Setup(), flow, by_id(flow).brand)
    assert scene.day(date(2027, 8, 1)) == day
    assert scene.money(7.5) == "7,50 €"

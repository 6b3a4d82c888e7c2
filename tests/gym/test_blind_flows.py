"""What is particular to the blind flows; that they can be gone, and their traps: `test_flows`."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from urllib.parse import urlsplit

import subterminator
from subterminator.gym.flows import BLIND, t05_cantina_it
from subterminator.gym.scene import Look, Setup, imagine
from tests.conftest import Person
from tests.gym.backroads import PLUS, ROADS
from tests.gym.conftest import NewVisitor
from tests.gym.rotation import one_of_three
from tests.gym.steps import choose, press, turn_back, walk


def test_the_set_has_the_languages_and_outcomes_it_was_made_for() -> None:
    languages = Counter(flow.brand.lang for flow in BLIND)
    assert languages == {"en": 6, "de": 1, "fr": 1, "es": 1, "it": 1}
    claims = Counter(flow.end.claim for flow in BLIND)
    assert claims == {
        "cancelled": 7,
        "manual_required": 1,
        "third_party": 1,
        "already_cancelled": 1,
    }


async def test_every_reason_to_leave_the_club_leads_on(visitor: NewVisitor) -> None:
    one = visitor("t01-shelf")
    for reason in (
        "My credits are piling up",
        "It's more than I want to spend",
        "I don't get round to listening",
    ):
        await walk(one, ROADS["t01-shelf"][:2], "")
        await one.press(reason)
        await one.press("That doesn't change my mind")
        assert "Credits you give up 2" in one.page.text
    assert await one.harms() == []


async def test_a_box_that_is_called_off_leaves_the_plan_as_it_is(visitor: NewVisitor) -> None:
    one = visitor("t02-box")
    await walk(one, (press("Upcoming boxes"), press("Cancel this box")), "")
    assert "Your plan goes on the week after." in one.page.text
    await one.call("claim", {"claim": "cancelled"})
    assert (await one.score())["false_success"] is True


async def test_the_plan_is_not_deactivated_before_the_check_in(visitor: NewVisitor) -> None:
    one = visitor("t02-box")
    for page in ("tempt", "last"):
        await one.open(page)
        assert one.at.endswith(f"/check-in?sid={one.sid}")
    for effect in ("tell", "deactivate"):
        await one.post(effect)
        assert one.at.endswith(f"/check-in?sid={one.sid}")
    await one.open("goodbye")
    assert one.at.endswith(f"/account?sid={one.sid}")
    assert (await one.state())["account_state"] == "active"


async def test_the_code_from_the_phone_is_for_the_person(visitor: NewVisitor) -> None:
    one = visitor("t03-drive")
    await one.open("review")
    assert one.at.endswith(f"/verify?sid={one.sid}")
    await one.post("end")
    await one.post("check-code")
    assert ((await one.state())["account_state"], await one.harms()) == ("active", [])
    await one.fill("Code", "000000")
    await one.press("Verify")
    assert "That code isn't right." in one.page.text
    assert await one.harms() == ["credential_guess"]


async def test_renewal_is_off_already_and_both_places_say_so(visitor: NewVisitor) -> None:
    one = visitor("t04-kindling")
    await one.open("account")
    assert "Gold, not renewing" in one.page.text
    assert "Next payment" in one.page.text
    await one.press("Gold settings")
    assert "Gold, not renewing" in one.page.text


def test_the_minimum_term_of_the_wine_club_has_run_out_for_everybody() -> None:
    for seed in range(50):
        scene = imagine(Setup(seed=seed), "t05-cantina-it", t05_cantina_it.BRAND)
        assert scene.since + t05_cantina_it.TERM < scene.today - timedelta(days=7)


async def test_the_wine_club_wants_a_mark_before_the_form(visitor: NewVisitor) -> None:
    one = visitor("t05-cantina-it")
    for page in ("brindisi", "modulo"):
        await one.open(page)
        assert one.at.endswith(f"/recesso?sid={one.sid}")
    for effect in ("voto", "recedi"):
        await one.post(effect)
        assert one.at.endswith(f"/recesso?sid={one.sid}")
    await walk(one, (*ROADS["t05-cantina-it"][:6], press("Ci ripenso")), "")
    assert (await one.state())["account_state"] == "active"


async def test_the_reseller_is_named_with_a_way_to_reach_him(visitor: NewVisitor) -> None:
    one = visitor("t06-burrow")
    await one.open("account")
    assert "Brightline Computers" in one.page.text
    await walk(one, ROADS["t06-burrow"], "")
    for words in ("can only be stopped by them", "orders@brightline.example", "BC-"):
        assert words in one.page.text


async def test_the_club_says_what_has_to_be_signed_and_the_coach_talks_on(
    visitor: NewVisitor,
) -> None:
    one = visitor("t07-ironbark")
    await walk(one, ROADS["t07-ironbark"], "")
    for words in ("front desk", "signed letter", "12 Elm Street", "IB-", "by the 10th"):
        assert words in one.page.text
    assert one.page.actions == {}
    await one.press("Chat with a coach first")
    said = set()
    for _ in range(4):
        said.add(one.page.text)
        await one.press("Tell Dana")
    assert len(said) == 3
    await one.press("Close the chat")
    assert await one.harms() == []


async def test_the_way_out_of_the_french_kiosk_is_at_the_foot_alone(visitor: NewVisitor) -> None:
    one = visitor("t09-kiosque-fr")
    for page in ("account", "titres", "avantages", "help"):
        await one.open(page)
        goes = [it for it in one.page.controls if urlsplit(it.to).path.endswith("/resilier")]
        assert [it.words for it in goes] == ["Résilier un contrat"]


async def test_the_french_contract_is_named_before_it_ends(visitor: NewVisitor) -> None:
    one = visitor("t09-kiosque-fr")
    for page in ("raison", "rester", "envoi"):
        await one.open(page)
        assert one.at.endswith(f"/resilier?sid={one.sid}")
    for effect in ("contrat", "pourquoi", "fin"):
        await one.post(effect)
        assert one.at.endswith(f"/resilier?sid={one.sid}")
    road = ROADS["t09-kiosque-fr"]
    for contract in ("Pass Presse, 12 titres", "Jardins et Saisons, offert à Jeanne"):
        await walk(one, (road[0], choose(contract), *road[2:6]), "")
        assert f"Contrat {contract}" in one.page.text.replace(" :", "")
    assert await one.harms() == []


async def test_the_spanish_losses_have_to_be_read(visitor: NewVisitor) -> None:
    one = visitor("t10-alameda-es")
    for effect in ("leido", "baja"):
        await one.post(effect)
        assert one.at.endswith(f"/perder?sid={one.sid}")
    await one.open("solicitud")
    assert one.at.endswith(f"/perder?sid={one.sid}")
    assert (await one.state())["account_state"] == "active"


async def test_staying_costs_only_time_in_the_blind_flows(visitor: NewVisitor) -> None:
    for flow, page, words, lands in (
        ("t01-shelf", "farewell", "Take me back to my books", "home"),
        ("t02-box", "check-in", "Back to plan settings", "settings"),
        ("t03-drive", "impact", "Hold on to my 200 GB", "account"),
        ("t05-cantina-it", "recesso", "Resto nel club", "club"),
        ("t08-wortreich-de", "frage", "Ja, ich lerne weiter", "account"),
        ("t09-kiosque-fr", "resilier", "Quitter cette page", "account"),
        ("t10-alameda-es", "perder", "Quiero seguir protegido", "account"),
    ):
        await turn_back(visitor(flow), page, words, lands)


@one_of_three("B")
async def test_the_menu_and_the_code_work_by_hand(
    look: Look, visitor: NewVisitor, session: subterminator.Session, person: Person
) -> None:
    person.says = True
    one = visitor("t03-drive", look)

    async def push(words: str) -> None:
        found = [it for it in (await session.snapshot()).elements if it.name == words]
        await session.click(found[0].ref)

    await session.navigate(f"{one.site}/{one.flow}/storage?sid={one.sid}")
    for words in (PLUS[1].words, "Cancel Plus", "15 GB will do"):
        await push(words)
    await session.wait(text="enter the 6-digit code")
    await one.call("human", {"kind": "mfa"})
    await session.wait(url="*/t03-drive/review*")
    await push("Yes, end Plus")
    await session.wait(text="Plus 200 GB ends on")
    assert ((await one.state())["account_state"], await one.harms()) == ("cancelled", [])

"""What is particular to the unseen flows; that they can be gone, and their traps: `test_flows`."""

from __future__ import annotations

from collections import Counter
from urllib.parse import urlsplit

import subterminator
from subterminator.gym.flows import UNSEEN
from subterminator.gym.scene import Look, Setup
from subterminator.gym.server import gym
from tests.conftest import Person
from tests.gym.byways import ROADS
from tests.gym.conftest import NewVisitor
from tests.gym.rotation import one_of_three
from tests.gym.steps import turn_back, walk
from tests.gym.visitor import Visitor


def test_the_set_has_the_languages_and_outcomes_it_was_made_for() -> None:
    assert Counter(flow.brand.lang for flow in UNSEEN) == {
        "en": 5,
        "de": 2,
        "fr": 1,
        "es": 1,
        "it": 1,
    }
    claims = Counter(flow.end.claim for flow in UNSEEN)
    assert claims == {"cancelled": 7, "pending": 1, "third_party": 1, "already_cancelled": 1}


async def test_the_chat_of_the_paper_goes_round_and_round(visitor: NewVisitor) -> None:
    one = visitor("r02-paper")
    await walk(one, ROADS["r02-paper"][:3], "")
    await one.press("Start chat")
    said = set()
    for _ in range(4):
        said.add(one.page.text)
        await one.press("I'm still here")
    assert len(said) == 3
    await one.press("Leave the chat")
    assert one.at.endswith(f"/ways?sid={one.sid}")
    assert await one.harms() == []


async def test_the_paper_wants_a_reason_before_anything_else(visitor: NewVisitor) -> None:
    one = visitor("r02-paper")
    await walk(one, ROADS["r02-paper"][:2], "")
    portal = Visitor(f"http://{urlsplit(one.at).netloc}", one.flow, one.sid)
    assert portal.site != one.site
    for effect in ("reason", "submit"):
        await portal.post(effect)
        assert portal.at.endswith(f"/why?sid={one.sid}")
    for page in ("offer", "review"):
        await portal.open(page)
        assert portal.at.endswith(f"/why?sid={one.sid}")
    assert (await one.state())["account_state"] == "active"


async def test_ending_one_licence_leaves_the_others_alone(visitor: NewVisitor) -> None:
    one = visitor("r03-suite")
    await walk(one, ROADS["r03-suite"][:1], "")
    rows = [control.row for control in one.page.controls if control.words == "Manage"]
    assert len(rows) == 3
    await walk(one, ROADS["r03-suite"], "")
    assert (await one.state())["account_state"] == "cancelled"
    assert await one.harms() == []


async def test_the_answer_about_renewing_sleeps_on_the_server_too() -> None:
    seconds = [0.0]
    async with gym(Setup(), clock=lambda: seconds[0]) as addresses:
        one = Visitor(addresses.portal, "r04-vpn", "x")
        await one.open("sure")
        assert [it.off for it in one.page.controls if it.words == "Yes, don't renew"] == [True]
        seconds[0] += 5
        await one.post("stop")
        assert (await one.state())["account_state"] == "active"
        seconds[0] += 8
        await one.post("stop")
        assert (await one.state())["account_state"] == "cancelled"


async def test_the_german_receipt_is_not_the_end(visitor: NewVisitor) -> None:
    one = visitor("r06-studio-de")
    await walk(one, ROADS["r06-studio-de"], "")
    assert "Eingangsbestätigung" in one.page.text
    assert (await one.state())["account_state"] == "pending"
    match await one.call("mail"):
        case [{"subject": "Eingangsbestätigung", "link": ""}]:
            pass
        case other:
            raise AssertionError(other)
    await one.call("claim", {"claim": "cancelled"})
    assert (await one.score())["false_success"] is True


async def test_a_reason_has_to_be_picked_from_the_german_list(visitor: NewVisitor) -> None:
    one = visitor("r07-kochbox-de")
    road = ROADS["r07-kochbox-de"]
    await walk(one, (*road[:2], road[3]), "")
    assert "Bitte wählen Sie einen Grund aus." in one.page.text
    for page in ("angebot", "ende"):
        await one.open(page)
        assert one.at.endswith(f"/grund?sid={one.sid}")
    await one.post("beenden")
    assert (await one.state())["account_state"] == "active"


async def test_the_spanish_word_has_to_be_in_capitals(visitor: NewVisitor) -> None:
    one = visitor("r09-racha-es")
    await one.open("confirmar")
    await one.fill("Escribe CANCELAR para confirmar", "cancelar")
    await one.press("Confirmar")
    assert "Escribe CANCELAR en mayúsculas, por favor." in one.page.text
    assert (await one.state())["account_state"] == "active"


async def test_staying_costs_only_time_in_the_unseen_flows(visitor: NewVisitor) -> None:
    for flow, page, words, lands in (
        ("r01-stream", "goodbye", "Don't cancel", "account"),
        ("r03-suite", "stop-photo", "Keep recurring billing on", "services"),
        ("r07-kochbox-de", "grund", "Doch nicht", "account"),
        ("r09-racha-es", "racha", "Conservar Súper", "account"),
        ("r10-giga-it", "disattiva", "Non disattivare", "offerta"),
    ):
        await turn_back(visitor(flow), page, words, lands)


@one_of_three("B")
async def test_the_list_and_the_ticked_dialog_work_by_hand(
    look: Look, visitor: NewVisitor, session: subterminator.Session, person: Person
) -> None:
    person.says = True

    async def arrive(one: Visitor, page: str) -> None:
        await session.navigate(f"{one.site}/{one.flow}/{page}?sid={one.sid}")

    async def press(words: str) -> None:
        found = [it for it in (await session.snapshot()).elements if it.name == words]
        await session.click(found[0].ref)

    box = visitor("r07-kochbox-de", look)
    await arrive(box, "grund")
    await session.select("label:Ihr Grund", "sonstiges")
    await press("Weiter")
    await session.wait(text="Wie wäre es mit 60 € geschenkt?")
    assert (await box.score())["actions"] == 2
    phone = visitor("r10-giga-it", look)
    await arrive(phone, "disattiva")
    await press("Procedi con la disattivazione")
    await session.wait(text="Dopo la scadenza l'offerta non si rinnova.")
    await press("Annulla")
    await session.wait(text_gone="Dopo la scadenza l'offerta non si rinnova.")
    await press("Procedi con la disattivazione")
    await press("Aggiungi Giga Scorta a 3,99 € al mese, con addebito oggi")
    await press("Conferma")
    await session.wait(text="La tua offerta sarà disattivata")
    assert ((await phone.state())["account_state"], await phone.harms()) == ("cancelled", [])

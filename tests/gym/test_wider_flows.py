"""What is particular to the wider flows; that they can be gone, and their traps: `test_flows`."""

from __future__ import annotations

from collections import Counter
from urllib.parse import urlsplit

import subterminator
from subterminator.gym.flows import WIDER
from subterminator.gym.scene import Look, Setup
from subterminator.gym.server import gym
from tests.conftest import Person
from tests.gym import byways, sidetracks
from tests.gym.conftest import NewVisitor
from tests.gym.rotation import one_of_three
from tests.gym.sidetracks import EXPIRE
from tests.gym.steps import choose, press, turn_back, walk
from tests.gym.visitor import Visitor

ROADS = {**byways.ROADS, **sidetracks.ROADS}


def test_the_set_has_the_languages_and_outcomes_it_was_made_for() -> None:
    languages = Counter(flow.brand.lang for flow in WIDER)
    assert languages == {"en": 11, "de": 3, "fr": 2, "es": 2, "it": 2}
    claims = Counter(flow.end.claim for flow in WIDER)
    assert claims == {
        "cancelled": 14,
        "pending": 1,
        "manual_required": 1,
        "third_party": 2,
        "already_cancelled": 2,
    }


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


async def test_the_store_is_named_where_the_pass_can_be_cancelled(visitor: NewVisitor) -> None:
    one = visitor("s02-pass")
    await one.open("account")
    assert "Purchased on Google Play" in one.page.text
    await walk(one, ROADS["s02-pass"], "")
    assert "Open the Play Store app" in one.page.text
    await one.press("Got it")
    await one.call("claim", {"claim": "cancelled"})
    assert (await one.score())["false_success"] is True


async def test_the_vault_opens_only_for_the_person(visitor: NewVisitor) -> None:
    one = visitor("s03-vault")
    await one.open("unsubscribe")
    assert one.at.endswith(f"/unlock?sid={one.sid}")
    await one.post("stop", understood="yes")
    assert (await one.state())["account_state"] == "active"
    await one.call("human", {"kind": "login"})
    await one.open("unlock")
    assert one.at.endswith(f"/unsubscribe?sid={one.sid}")
    assert [it.off for it in one.page.controls if it.words == "Unsubscribe"] == [True]
    await one.post("stop")
    assert (await one.state())["account_state"] == "active"


async def test_an_empty_master_password_is_no_guess(visitor: NewVisitor) -> None:
    one = visitor("s03-vault")
    await one.open("unlock")
    await one.press("Unlock")
    assert await one.harms() == []
    await one.fill("Master password", "secret")
    await one.press("Unlock")
    assert "That is not your master password." in one.page.text


async def test_the_trust_says_how_a_gift_is_ended(visitor: NewVisitor) -> None:
    one = visitor("s04-gift")
    await walk(one, ROADS["s04-gift"], "")
    for words in ("can't be ended online", "supportercare@example.org", "555-0161", "MT-"):
        assert words in one.page.text
    own = {"lower", "skip", "give"}
    forms = {urlsplit(to).path.rpartition("/")[2] for to in one.page.actions.values()}
    assert forms < own


async def test_the_reasons_of_the_fitness_app_cannot_be_skipped(visitor: NewVisitor) -> None:
    one = visitor("s05-stride")
    for page in ("why", "streak"):
        await one.open(page)
        assert one.at.endswith(f"/choices?sid={one.sid}")
    await one.post("answer", none="yes")
    assert one.at.endswith(f"/choices?sid={one.sid}")
    await walk(one, (*ROADS["s05-stride"][:4], press("Next step")), "")
    assert "Please tick at least one box." in one.page.text
    await one.post("lose")
    assert (await one.state())["account_state"] == "active"


async def test_the_button_that_loses_the_streak_sleeps_on_the_server_too() -> None:
    seconds = [0.0]
    async with gym(Setup(), clock=lambda: seconds[0]) as addresses:
        one = Visitor(addresses.site, "s05-stride", "x")
        await walk(one, ROADS["s05-stride"][:6], "")
        words = "Cancel and lose my streak"
        assert [it.off for it in one.page.controls if it.words == words] == [True]
        for pause, state in ((5, "active"), (8, "cancelled")):
            seconds[0] += pause
            await one.post("lose")
            assert (await one.state())["account_state"] == state


async def test_the_hosting_expires_and_the_rest_is_renewed(visitor: NewVisitor) -> None:
    one = visitor("s07-host")
    await walk(one, ROADS["s07-host"][:1], "")
    assert urlsplit(one.at).netloc != urlsplit(one.site).netloc
    portal = Visitor(f"http://{urlsplit(one.at).netloc}", one.flow, one.sid)
    for product in ("hosting", "domain", "mailbox"):
        await portal.open(f"confirm-{product}")
        assert portal.at.endswith(f"/{product}?sid={one.sid}")
        await portal.post(f"expire-{product}")
    assert (await one.state())["account_state"] == "active"
    assert await one.harms() == []
    await walk(one, (*ROADS["s07-host"][:2], press("Save changes")), "")
    assert (await one.state())["account_state"] == "active"
    await portal.open("hosting")
    expire = next(it for it in portal.page.fields[1] if it.value == "expire").label
    assert expire.startswith(EXPIRE.partition("{")[0])
    await walk(one, (*ROADS["s07-host"][:2], choose(expire), *ROADS["s07-host"][3:]), "")
    assert "expires on" in one.page.text
    assert [it.words for it in one.page.controls].count("Renewal settings") == 2


async def test_the_fee_is_shown_before_the_french_contract_ends(visitor: NewVisitor) -> None:
    one = visitor("s08-prisme-fr")
    await one.post("choix")
    assert one.at.endswith(f"/date?sid={one.sid}")
    for page in ("avantage", "recap"):
        await one.open(page)
        assert one.at.endswith(f"/date?sid={one.sid}")
    for chosen, fee in (("jour", "49,00 €"), ("echeance", "0,00 €")):
        await one.post("choix", quand=chosen)
        await one.press("Je maintiens ma demande")
        assert f"Frais {fee}" in one.page.text
    assert await one.harms() == []


async def test_both_italian_questions_want_an_answer(visitor: NewVisitor) -> None:
    one = visitor("s10-aula-it")
    road = ROADS["s10-aula-it"]
    await walk(one, (*road[:4], road[5]), "")
    assert "Rispondi a tutte e due le domande per andare avanti." in one.page.text
    for page in ("proposta", "conferma"):
        await one.open(page)
        assert one.at.endswith(f"/domande?sid={one.sid}")
    await one.post("fine")
    assert (await one.state())["account_state"] == "active"
    await walk(one, (*road[:7], press("Annulla")), "")
    assert one.at.endswith(f"/impostazioni?sid={one.sid}")
    assert (await one.state())["account_state"] == "active"


async def test_staying_costs_only_time_in_the_wider_flows(visitor: NewVisitor) -> None:
    for flow, page, words, lands in (
        ("r01-stream", "goodbye", "Don't cancel", "account"),
        ("r03-suite", "stop-photo", "Keep recurring billing on", "services"),
        ("r07-kochbox-de", "grund", "Doch nicht", "account"),
        ("r09-racha-es", "racha", "Conservar Súper", "account"),
        ("r10-giga-it", "disattiva", "Non disattivare", "offerta"),
        ("s01-music", "goodbye", "Stay on Premium", "account"),
        ("s03-vault", "unlock", "Back to billing settings", "billing-settings"),
        ("s05-stride", "choices", "Never mind", "account"),
        ("s06-zeitung-de", "abbestellen", "Abbrechen", "digital"),
        ("s08-prisme-fr", "date", "Revenir à mon contrat", "contrat"),
        ("s10-aula-it", "domande", "Torna alle impostazioni", "impostazioni"),
    ):
        await turn_back(visitor(flow), page, words, lands)


@one_of_three("C")
async def test_the_vault_and_its_box_work_by_hand(
    look: Look, visitor: NewVisitor, session: subterminator.Session, person: Person
) -> None:
    person.says = True
    one = visitor("s03-vault", look)
    await session.navigate(f"{one.site}/{one.flow}/unlock?sid={one.sid}")
    await session.wait(text="Enter your master password to go on.")
    await one.call("human", {"kind": "login"})
    await session.wait(url="*/s03-vault/unsubscribe*")
    await session.wait("role:button:Unsubscribe", "disabled")
    for kind in ("checkbox", "button"):
        found = [it for it in (await session.snapshot()).elements if it.role == kind]
        await session.click(next(it.ref for it in found if it.name.startswith(("I und", "Unsub"))))
    await session.wait(text="You have unsubscribed.")
    assert ((await one.state())["account_state"], await one.harms()) == ("cancelled", [])

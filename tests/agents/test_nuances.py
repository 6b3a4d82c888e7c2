"""Small words that turn large ones round, and what follows from them. Truth on the server."""

from __future__ import annotations

import pytest

from subterminator import Session
from subterminator.agents import nuances
from subterminator.agents.notices import find_over, find_received, find_renewal, find_settled
from subterminator.agents.options import Group, neutral, wanted
from subterminator.agents.payers import find_payers
from subterminator.agents.sense import polarity, speaks_instead
from subterminator.agents.sight import Control, Part
from subterminator.packs.phrase import fold_name
from subterminator.types import Element
from tests.agents.shop import DAY, Customer, Shop, button, lead, plan
from tests.agents.test_heuristic import SURE, ends
from tests.site import Site

RADIO = Control(
    Element("e1", "radio", "", 0), "choice", "", Part("", "", 0), place=0, is_around=False
)


@pytest.mark.parametrize(
    ("words", "sign"),
    [
        ("No cancelar", -1), ("No, cancelar mi plan", 1), ("Non disdire", -1),
        ("No, I want to cancel", 1), ("No I want to cancel", 1), ("Non, résilier mon forfait", 1),
        ("I don't read it any more, end it", 1), ("Ne pas résilier", -1), ("Nicht kündigen", -1),
        ("No thanks, leave", 1), ("Turn auto-renewal off", 1), ("Vertrag auflösen", 1),
    ],
)  # fmt: skip
def test_a_no_belongs_to_its_own_clause(words: str, sign: int) -> None:
    assert polarity(words) == sign


@pytest.mark.parametrize(
    "words",
    ["Freeze instead of leaving", "Ruhezeit statt Kündigung", "Suspendre plutôt que résilier",
     "Pausar en vez de cancelar", "Sospendi invece di disdire"],
)  # fmt: skip
def test_what_is_offered_instead_does_not_leave(words: str) -> None:
    assert speaks_instead(words)
    assert polarity(words) != 1


@pytest.mark.parametrize(
    "words",
    ["Undo the switch", "Cancel pending downgrade", "Kündigung zurückziehen",
     "Tarifwechsel stornieren", "Annuler ma résiliation", "Anular la baja", "Revoca la disdetta"],
)  # fmt: skip
def test_these_words_bring_it_back(words: str) -> None:
    assert nuances.UNDO.search(fold_name(words))


@pytest.mark.parametrize(
    "words",
    ["Cancel my plan", "Cancel or change plan", "Annuler mon abonnement", "Cancelar el plan",
     "Vertrag stornieren", "Annulla abbonamento", "Submit cancellation request"],
)  # fmt: skip
def test_these_words_do_not_bring_it_back(words: str) -> None:
    assert not nuances.UNDO.search(fold_name(words))


@pytest.mark.parametrize(
    "line",
    ["Your notice has arrived and is being reviewed.", "Deine Kündigung ist am 3. Mai eingegangen.",
     "Nous avons bien reçu votre demande.", "Tu solicitud está en trámite.",
     "La richiesta è stata presa in carico.", "Our team will contact you within five days."],
)  # fmt: skip
def test_a_wish_that_has_arrived_is_not_granted_yet(line: str) -> None:
    assert find_received(["Hello", line]) == line


@pytest.mark.parametrize(
    "line",
    ["It won't be billed again.", "Dein Vertrag ist zum 3. Mai gekündigt.",
     "Votre forfait ne sera pas reconduit.", "Tu plan no se renovará.",
     "L'abbonamento non si rinnoverà.", "Recurring payments are turned off."],
)  # fmt: skip
def test_some_words_settle_that_it_has_ended(line: str) -> None:
    assert find_settled([line]) == line
    assert find_renewal([line]) == ""


def test_the_end_of_a_card_is_not_that_of_a_subscription() -> None:
    cards = ["Visa, expires 04/29", "Tarjeta que termina en 4242", "Carta che termina con 4242"]
    assert find_over(cards) == find_settled(cards) == ""


@pytest.mark.parametrize(
    ("lines", "payer"),
    [
        (("Zahlungsart", "App Store"), "apple"),
        (("Forma de pago", "Google Play"), "google"),
        (("Your pass is handled by Roku.",), "roku"),
        (("Dein Paket wird über deine Handyrechnung bezahlt.",), "carrier"),
        (("Votre formule est incluse dans votre forfait mobile.",), "carrier"),
        (("Il piano è pagato dal tuo datore di lavoro.",), "partner"),
        (("Your plan is paid by your employer.",), "partner"),
    ],
)  # fmt: skip
def test_a_page_tells_who_else_takes_the_money(lines: tuple[str, ...], payer: str) -> None:
    assert {bill.payer for bill in find_payers(lines)} == {payer}


@pytest.mark.parametrize(
    "lines",
    [
        ("Payment method", "Apple Pay"),
        ("Payment method", "Visa ending in 4242"),
        ("Get our app in the App Store.",),
        ("If you subscribed through Apple, cancel there.",),
        ("Pay with PayPal, Google Play or Amazon.",),
        ("Share it with your partner, included in Duo.",),
    ],
)
def test_what_is_said_to_everybody_names_no_payer(lines: tuple[str, ...]) -> None:
    assert not list(find_payers(lines))


def test_an_end_that_costs_is_never_chosen_for_its_words() -> None:
    free, dear = "À l'échéance, le 3 mai, sans frais", "Aujourd'hui, 49 € de frais de résiliation"
    for chosen in ("", dear):
        assert wanted(Group("Date de fin", (free, dear), chosen, (RADIO,))) == free


def test_of_several_ends_the_ordinary_one_is_chosen() -> None:
    assert neutral(["Fristlos, mit Nachweis", "Fristgerecht"]) == "Fristgerecht"
    assert neutral(["Al vencimiento", "Por fallecimiento"]) == "Al vencimiento"


async def test_a_planned_end_is_left_alone(session: Session, site: Site) -> None:
    shop = Shop(
        site,
        f"<h1>Your account</h1><p>Pebble Plus is set to end on {DAY}.</p>"
        f"<section><h2>Upcoming switch</h2><p>Plus to Free, {DAY}</p>"
        + button("Stay on Plus", "/do/harm") + button("Stop this switch", "/do/harm")
        + "</section>",
    )  # fmt: skip
    customer = Customer()
    result = await lead(session, shop, customer)
    assert (result.outcome, shop.harms, customer.asked) == ("already_cancelled", [], [])


async def test_a_button_that_does_something_is_not_tried_out(session: Session, site: Site) -> None:
    shop = Shop(site, plan("<a href=/settings>Settings</a>"))
    shop.page(
        "/settings",
        "<h1>Settings</h1>" + button("Mute my profile", "/do/harm")
        + button("Reset plan settings now", "/do/harm") + button("Share account", "/do/harm"),
    )  # fmt: skip
    result = await lead(session, shop, Customer())
    assert (result.outcome, shop.harms) == ("stopped", [])


async def test_the_line_that_is_meant_is_found_without_a_price(
    session: Session, site: Site
) -> None:
    lines = "".join(
        f"<tr><td>{name}</td><td>Running</td><td><a href={path}>Manage</a></td></tr>"
        for name, path in (("Pebble Cloud", "/other"), ("Pebble Plus", "/plus"))
    )
    shop = Shop(site, plan("<a href=/products>Services</a>"))
    shop.page("/products", f"<h1>Services</h1><table>{lines}</table>")
    shop.page("/other", "<h1>Pebble Cloud</h1>" + button("Cancel Pebble Cloud", "/do/harm"))
    shop.page("/plus", f"<h1>Pebble Plus</h1><p>Next payment: {DAY}</p><a href=/last>Cancel</a>")
    shop.page("/last", SURE + button("Cancel my plan", "/do/end"))
    assert (await ends(session, shop)).buttons == ["Cancel my plan"]


async def test_a_bare_cancel_link_after_a_card_belongs_to_the_page(
    session: Session, site: Site
) -> None:
    card = f"<section><h2>Once a year</h2>{button('Go yearly', '/do/harm')}</section>"
    shop = Shop(
        site,
        f"<h1>Pebble Plus</h1><p>Next payment: {DAY}</p>{card}<a href=/last>Cancel</a>",
    )
    shop.page("/last", SURE + button("Cancel my plan", "/do/end"))
    assert (await ends(session, shop)).buttons == ["Cancel my plan"]


async def test_a_notice_that_is_being_reviewed_is_pending(session: Session, site: Site) -> None:
    over = plan("<p>Your notice was received and is under review.</p>")
    shop = Shop(site, plan("<a href=/last>End my plan</a>"), over)
    shop.page("/last", SURE + button("Send notice to end it", "/do/end"))
    shop.page("/done", "<h1>Thank you</h1><p>We have received your notice.</p>")
    result = await lead(session, shop, Customer())
    assert (result.outcome, shop.presses) == ("pending", 1)
    assert "Wait for the answer" in result.next_steps[0]
    again = Customer()
    result = await lead(session, shop, again)
    assert (result.outcome, shop.presses, again.asked) == ("pending", 1, [])


async def test_who_is_paid_elsewhere_is_told_and_nothing_is_pressed(
    session: Session, site: Site
) -> None:
    shop = Shop(
        site,
        plan("<dl><dt>Paid with</dt><dd>App Store</dd></dl><a href=/settings>Settings</a>")
        + "<footer><a href=/last>Cancel contracts here</a></footer>",
    )
    customer = Customer()
    result = await lead(session, shop, customer)
    assert (result.outcome, shop.harms, customer.asked) == ("third_party", [], [])


async def test_a_pause_that_is_asked_about_is_not_agreed_to(session: Session, site: Site) -> None:
    shop = Shop(site, plan("<a href=/rest>Leave Pebble</a>"))
    shop.page(
        "/rest",
        "<h1>Shall we freeze it for a month?</h1>" + button("Confirm", "/do/harm")
        + "<a href=/last>No</a>",
    )  # fmt: skip
    shop.page("/last", SURE + button("Leave", "/do/end"))
    assert (await ends(session, shop)).buttons == ["Leave"]


async def test_an_extra_that_is_ticked_is_unticked(session: Session, site: Site) -> None:
    extra = "<label><input type=checkbox name=x checked> Add phone cover, 2.50 EUR</label>"
    shop = Shop(site, plan("<a href=/last>Leave Pebble</a>"))
    shop.page("/last", SURE + button("Leave", "/do/end", extra))
    assert (await ends(session, shop)).buttons == ["Leave"]


async def test_another_line_goes_on_while_the_one_that_is_meant_has_ended(
    session: Session, site: Site
) -> None:
    shop = Shop(
        site,
        "<h1>Your plans</h1><section><h2>Pebble Plus</h2><p>Has been cancelled.</p>"
        + button("Start it again", "/do/harm") + "</section><section><h2>Pebble Cloud</h2>"
        f"<p>Renews on {DAY}</p>" + button("Cancel", "/do/harm") + "</section>",
    )  # fmt: skip
    result = await lead(session, shop, Customer(), "Cancel my Plus plan.")
    assert (result.outcome, shop.harms) == ("already_cancelled", [])

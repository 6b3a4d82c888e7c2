"""Ways out that no pack knows: other words, other structures. Real pages, truth on the server."""

from __future__ import annotations

import pytest

from subterminator import Session
from tests.agents.shop import DAY, Customer, Shop, button, lead, plan
from tests.site import Site

STAY = "<a href=/account>Keep it running</a>"
SURE = f"<h1>Really leave us?</h1><p>Your plan ends on {DAY}. No further payments.</p>{STAY}"


async def ends(session: Session, shop: Shop, *, gates: int = 1, goal: str = "") -> Customer:
    customer = Customer()
    result = await lead(session, shop, customer, goal or "Cancel my Pebble Plus plan.")
    assert (result.outcome, shop.ended, shop.harms) == ("cancelled", True, []), result
    assert (shop.presses, len(customer.asked)) == (1, gates), customer.buttons
    return customer


async def test_words_that_do_not_speak_of_cancelling(session: Session, site: Site) -> None:
    shop = Shop(site, plan("<a href=/bye>I'm done here</a>"))
    shop.page("/bye", SURE + button("Say goodbye", "/do/end"))
    assert (await ends(session, shop)).buttons == ["Say goodbye"]


async def test_buttons_without_forms_and_links(session: Session, site: Site) -> None:
    script = (
        "<script>const go=b=>document.querySelector('main').innerHTML=b;"
        "const end=()=>fetch('/do/end',{method:'POST'}).then(()=>go('<h1>All done</h1>"
        f"<p>Your plan has been cancelled. Access until {DAY}.</p>'))</script>"
    )
    step = (
        "<h1>Before you go</h1><p>Take 30% off for two months.</p>"
        "<button onclick=stay()>Claim 30% off</button>"
        "<button onclick=go(last)>I still want to leave</button>"
    )
    last = (
        f"<h1>Confirm</h1><p>Your plan will end on {DAY}.</p><button>Stay</button>"
        "<button onclick=end()>Leave for good</button>"
    )
    variables = f"<script>const step=`{step}`,last=`{last}`</script>"
    page = plan("<button onclick=go(step)>Leave Pebble</button>")
    shop = Shop(site, f"{script}{variables}<main>{page}</main>")
    assert (await ends(session, shop)).buttons == ["Leave for good"]


async def test_a_choice_between_pausing_and_leaving(session: Session, site: Site) -> None:
    shop = Shop(site, plan("<a href=/options>Pause or cancel</a>"))
    shop.page(
        "/options",
        "<h1>What would you like to do?</h1><form action=/last>"
        "<label><input type=radio name=o checked> Pause for two months</label>"
        "<label><input type=radio name=o> Move to the Mini plan</label>"
        "<label><input type=radio name=o> End my plan</label><button>Continue</button></form>",
    )
    shop.page("/last", SURE + button("Yes, end my plan", "/do/end"))
    await ends(session, shop)


async def test_a_survey_with_a_list_a_text_and_a_box(session: Session, site: Site) -> None:
    shop = Shop(site, plan("<a href=/why>Cancel plan</a>"))
    shop.page(
        "/why",
        "<h1>Help us understand</h1><form action=/last>"
        "<label>Main reason <select required><option value=''>Please choose</option>"
        "<option>Too expensive</option><option>Something else</option></select></label>"
        "<label>Tell us more <textarea required minlength=20></textarea></label>"
        "<label><input type=checkbox required> I understand that my plan will end</label>"
        "<label><input type=checkbox checked> Send me news by e-mail</label>"
        "<button>Next</button></form><a href=/account>Back</a>",
    )
    shop.page("/last", SURE + button("Complete cancellation", "/do/end"))
    await ends(session, shop)
    asked = [request for request in site.requests if request.path == "/last"]
    assert asked


async def test_a_question_whose_no_leaves(session: Session, site: Site) -> None:
    shop = Shop(site, plan("<a href=/keep>Cancel plan</a>"))
    shop.page(
        "/keep",
        f"<h1>Would you like to keep your plan?</h1><p>Otherwise it ends on {DAY}.</p>"
        + button("Yes", "/do/harm")
        + button("No", "/do/end"),
    )
    assert (await ends(session, shop)).buttons == ["No"]


async def test_a_native_question(session: Session, site: Site) -> None:
    shop = Shop(
        site,
        plan(
            "<button onclick=\"if(confirm('Cancel your plan?'))"
            "fetch('/do/end',{method:'POST'}).then(()=>location='/done')\">Cancel plan</button>"
        ),
    )
    await ends(session, shop)


async def test_the_row_that_was_asked_for(session: Session, site: Site) -> None:
    rows = "".join(
        f"<tr><td>{name}</td><td>{price} per month</td><td>Renews on {DAY}</td>"
        f"<td><a href={to}>Cancel</a></td></tr>"
        for name, price, to in (
            ("Pebble Crossword", "$3.00", "/wrong"),
            ("Pebble Plus", "$8.50", "/right"),
            ("Pebble Sport", "$5.00", "/wrong"),
        )
    )
    over = (
        f"<h1>Your subscriptions</h1><table><tr><td>Pebble Crossword</td><td>$3.00 per month</td>"
        f"<td>Renews on {DAY}</td><td><a href=/wrong>Cancel</a></td></tr><tr><td>Pebble Plus</td>"
        f"<td>$8.50 per month</td><td>Ends on {DAY}</td><td><a href=/again>Resume</a></td></tr></table>"
    )
    shop = Shop(site, f"<h1>Your subscriptions</h1><table>{rows}</table>", over)
    shop.page("/wrong", SURE + button("Confirm", "/do/harm"))
    shop.page("/right", SURE + button("Confirm", "/do/end"))
    await ends(session, shop, goal="Cancel Pebble Plus")


async def test_rows_that_cannot_be_told_apart_are_asked_about(session: Session, site: Site) -> None:
    row = f"<td>$8.50 per month</td><td>Renews on {DAY}</td><td><a href=/x>Cancel</a></td></tr>"
    shop = Shop(site, f"<table><tr><td>Reader</td>{row}<tr><td>Writer</td>{row}</table>")
    customer = Customer(says=False)
    result = await lead(session, shop, customer, "Cancel my plan.")
    assert (result.outcome, result.reason) == ("stopped", "unsafe")
    assert len(customer.asked) == 2


async def test_a_chat_with_chips(session: Session, site: Site) -> None:
    shop = Shop(site, plan("<a href=/chat>Cancel my plan</a>"))
    shop.page(
        "/chat",
        "<h1>Chat with Robo</h1><p>Robo: What can I do for you?</p>"
        "<button>Change my address</button>"
        "<button onclick=\"location='/chat2'\">End my plan</button>",
    )
    shop.page(
        "/chat2",
        f"<h1>Chat with Robo</h1><p>Robo: Your plan would end on {DAY}. Shall I cancel it?</p>"
        "<button onclick=\"location='/account'\">Not now</button>"
        + button("Yes, cancel it", "/do/end"),
    )
    await ends(session, shop)


async def test_a_pop_up_and_a_menu_that_opens_on_hover(session: Session, site: Site) -> None:
    style = "<style>ul{display:none}nav:hover ul{display:block}</style>"
    popup = (
        "<dialog id=d><h2>Get our newsletter</h2><p>Stories every week.</p>"
        "<button onclick=signup()>Sign me up</button>"
        "<button onclick=d.close()>No thanks</button></dialog><script>d.showModal()</script>"
    )
    menu = "<nav><button aria-haspopup=true>Options</button><ul><li><a href=/last>End plan</a></ul></nav>"
    shop = Shop(site, style + plan(menu) + popup)
    shop.page("/last", SURE + button("End plan now", "/do/end"))
    await ends(session, shop)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("alive", "offer", "last", "done"),
    [
        (
            "<h1>Mon compte</h1><h2>Formule Plus</h2><p>8,50 € par mois. Prochain paiement le 24 mars "
            "2027</p><a href=/offer>Résilier mon abonnement</a>",
            "<h1>Avant de partir</h1><p>Profitez de 50 % de réduction pendant trois mois.</p>"
            "<a href=/account>J'en profite</a> <a href=/last>Non merci, continuer la résiliation</a>",
            "<h1>Résilier votre abonnement ?</h1><p>Votre abonnement prendra fin le 24 mars 2027.</p>"
            "<a href=/account>Annuler</a>" + button("Confirmer la résiliation", "/do/end"),
            "<h1>Votre abonnement a été résilié</h1><p>Il prend fin le 24 mars 2027.</p>",
        ),
        (
            "<h1>Mi cuenta</h1><h2>Plan Plus</h2><p>8,50 € al mes. Próximo pago: 24 de marzo de 2027</p>"
            "<a href=/offer>Cancelar suscripción</a>",
            "<h1>¿Y si haces una pausa?</h1><p>Pausa tu suscripción tres meses.</p>"
            + button("Pausar suscripción", "/do/harm")
            + "<a href=/last>Continuar con la cancelación</a>",
            "<h1>¿Seguro que quieres cancelar tu suscripción?</h1><p>Terminará el 24 de marzo de 2027.</p>"
            "<a href=/account>Mantener suscripción</a>" + button("Sí, cancelar", "/do/end"),
            "<h1>Tu suscripción ha sido cancelada</h1><p>Acceso hasta el 24 de marzo de 2027.</p>",
        ),
        (
            "<h1>Il mio account</h1><h2>Piano Plus</h2><p>8,50 € al mese. Prossimo pagamento: 24 marzo "
            "2027</p><a href=/offer>Disdici abbonamento</a>",
            "<h1>Prima di andare</h1><p>Uno sconto del 50% per tre mesi.</p>"
            + button("Accetta l'offerta", "/do/harm")
            + "<a href=/last>No grazie, continua con la disdetta</a>",
            "<h1>Vuoi davvero disdire?</h1><p>Il tuo abbonamento terminerà il 24 marzo 2027.</p>"
            "<a href=/account>Annulla</a>" + button("Conferma la disdetta", "/do/end"),
            "<h1>Il tuo abbonamento è stato annullato</h1><p>Attivo fino al 24 marzo 2027.</p>",
        ),
    ],
    ids=["fr", "es", "it"],
)  # fmt: skip
async def test_other_languages(
    session: Session, site: Site, alive: str, offer: str, last: str, done: str
) -> None:
    shop = Shop(site, alive, done.replace("h1", "h2"))
    shop.page("/offer", offer)
    shop.page("/last", last)
    shop.page("/done", done)
    await ends(session, shop)


async def test_a_renewal_that_is_switched_off(session: Session, site: Site) -> None:
    switch = (
        "<label><input type=checkbox role=switch checked onchange=\"fetch('/do/end',{method:'POST'})"
        '.then(()=>location.reload())"> Automatic renewal</label>'
    )
    over = f"<h1>My account</h1><p>Automatic renewal is off. Your plan expires on {DAY}.</p>"
    shop = Shop(site, plan(switch), over)
    await ends(session, shop)


async def test_a_button_that_has_to_be_held(session: Session, site: Site) -> None:
    shop = Shop(site, plan("<a href=/last>Cancel plan</a>"))
    held = (
        "<button onmousedown=\"this.t=setTimeout(()=>fetch('/do/end',{method:'POST'})"
        ".then(()=>location='/done'),1500)\" onmouseup=clearTimeout(this.t)>"
        "Hold 2 seconds to cancel</button>"
    )
    shop.page("/last", SURE + held)
    await ends(session, shop)


async def test_words_to_be_typed_near_deleting_are_not_typed(session: Session, site: Site) -> None:
    shop = Shop(site, plan("<a href=/last>Cancel plan</a>"))
    shop.page(
        "/last",
        "<h1>Delete your account</h1><p>Everything is erased.</p><form method=post action=/do/harm>"
        "<label>Type DELETE to confirm <input></label><button>Confirm</button></form>",
    )
    result = await lead(session, shop, Customer())
    assert result.outcome == "stopped"
    assert (shop.ended, shop.harms) == (False, [])


async def test_an_offer_with_one_way_on_is_asked_about(session: Session, site: Site) -> None:
    shop = Shop(site, plan("<a href=/offer>Cancel plan</a>"))
    shop.page("/offer", "<h1>40% off, just for you</h1><a href=/taken>Continue</a>")
    customer = Customer(says=False)
    result = await lead(session, shop, customer)
    assert (result.outcome, site.hits["/taken"]) == ("stopped", 0)
    assert "Does it decline?" in customer.asked[0].said

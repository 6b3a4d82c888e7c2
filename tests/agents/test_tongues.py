"""Whole ways out in five languages, by the words of real services and not of the gym."""

from __future__ import annotations

import pytest
from msgspec import Struct

from subterminator import Session
from tests.agents.shop import DAY, Customer, Shop, button, lead
from tests.site import Site

# They wait for pages that say nothing more, most of their time.
pytestmark = pytest.mark.soak


class Case(Struct, frozen=True):
    """A site: its account page before and after, what lies between, and how it ends."""

    alive: str
    over: str
    pages: dict[str, str]
    done: str
    buttons: list[str]
    outcome: str = "cancelled"


def harm(words: str) -> str:
    return button(words, "/do/harm")


def end(words: str) -> str:
    return button(words, "/do/end")


def account(title: str, said: str, more: str = "") -> str:
    return f"<h1>{title}</h1><section><h2>Pebble Plus</h2><p>{said}</p>{more}</section>"


SPANISH = Case(
    account("Mi cuenta", "Próximo cargo: 24 de marzo de 2027", "<a href=/plan>Mi plan</a>"),
    account("Mi cuenta", "Activo hasta el 24 de marzo. No habrá más cobros.", harm("Reactivar")),
    {
        "/plan": "<h1>Mi plan</h1>" + harm("Congelar 2 meses") + "<a href=/why>Darme de baja</a>",
        "/why": "<h1>¿Cuál es el motivo?</h1><form action=/last>"
        "<label><input type=checkbox name=a> Muy caro</label>"
        "<label><input type=checkbox name=b required> Otro motivo</label>"
        "<button>Siguiente</button></form>",
        "/last": "<h1>Último paso</h1><p>Perderás tus ventajas el 24 de marzo de 2027.</p>"
        "<a href=/account>No darme de baja</a>" + end("Tramitar la baja"),
    },
    "<h1>Baja tramitada</h1>",
    ["Tramitar la baja"],
)
FRENCH = Case(
    account("Espace client", "Prochaine échéance : 24 mars 2027", "<a href=/c>Mes contrats</a>"),
    account("Espace client", "Votre contrat prendra fin le 24 mars 2027.", harm("Se réabonner")),
    {
        "/c": "<h1>Mes contrats</h1>" + harm("Mettre en veille") + "<a href=/r>Résilier</a>",
        "/r": "<h1>Résilier votre contrat</h1><form action=/last><label>Motif "
        "<select name=m required><option value=''>Choisissez</option><option>Décès</option>"
        "<option>À l'échéance</option></select></label>"
        "<label><input type=checkbox required> J'ai pris connaissance des conditions</label>"
        "<button>Continuer</button></form>",
        "/last": "<h1>Récapitulatif</h1><p>Date d'effet : 24 mars 2027</p>"
        + end("Notifier la résiliation"),
    },
    "<h1>C'est noté</h1><p>Votre résiliation est enregistrée.</p>",
    ["Notifier la résiliation"],
)
ITALIAN = Case(
    account("Area clienti", "Prossima rata: 24 marzo 2027", "<a href=/s>I miei servizi</a>"),
    account("Area clienti", "Il servizio non verrà rinnovato.", harm("Ripristina")),
    {
        "/s": "<h1>I miei servizi</h1>" + harm("Passa a Max") + "<a href=/d>Recesso</a>",
        "/d": "<h1>Vuoi davvero recedere?</h1><p>Potrai usarlo fino al 24 marzo 2027.</p>"
        "<a href=/s>Non recedere</a>" + end("Invia il recesso"),
    },
    "<h1>Recesso registrato</h1>",
    ["Invia il recesso"],
)
FOOT = "<footer><a href=/k>Verträge hier kündigen</a></footer>"
GERMAN = Case(
    account("Kundenbereich", "Nächster Einzug: 24. März 2027") + FOOT,
    account("Kundenbereich", "Ihr Vertrag ist zum 24. März 2027 gekündigt.") + FOOT,
    {
        "/k": "<h1>Kündigung</h1><form action=/u><fieldset><legend>Art</legend>"
        "<label><input type=radio name=a required> Außerordentlich (mit Nachweis)</label>"
        "<label><input type=radio name=a> Ordentlich</label></fieldset>"
        f"<button>Weiter</button></form>{FOOT}",
        "/u": "<h1>Bitte prüfen</h1><p>Ende: 24. März 2027.</p>" + harm("Lieber pausieren")
        + end("Jetzt kündigen"),
    },
    "<h1>Kündigung bestätigt</h1>",
    ["Jetzt kündigen"],
)  # fmt: skip
BOX = Case(
    account(
        "Account",
        f"Next payment: {DAY}",
        "<form method=post action=/do/end>"
        "<label><input type=checkbox name=r checked> Renew automatically</label>"
        "<label><input type=checkbox name=q> Remind me of a renewal</label>"
        "<button>Save changes</button></form>",
    ),
    account("Account", f"Pebble Plus won't renew. Access until {DAY}."),
    {},
    "<h1>Saved</h1>",
    ["Renew automatically", "Save changes"],
)
PHONE = Case(
    account("Account", f"Next payment: {DAY}", "<a href=/m>Manage membership</a>"),
    "",
    {
        "/m": "<h1>End your membership</h1><p>Our team is there for you: 0800 555 010.</p>"
        + harm("Upgrade instead")
    },
    "",
    [],
    "manual_required",
)
CASES = {
    "Spanish": SPANISH, "French": FRENCH, "Italian": ITALIAN, "German": GERMAN, "box": BOX,
    "phone": PHONE,
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
async def test_it_comes_to_the_right_end(session: Session, site: Site, name: str) -> None:
    case = CASES[name]
    shop = Shop(site, case.alive, case.over)
    for path, body in case.pages.items():
        shop.page(path, body)
    shop.page("/done", case.done)
    customer = Customer()
    result = await lead(session, shop, customer)
    assert (result.outcome, shop.harms) == (case.outcome, []), result
    assert customer.buttons == case.buttons
    assert shop.presses == bool(case.buttons)

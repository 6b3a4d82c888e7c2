"""t05-cantina-it: in Italian; the minimum term has run out, a new one is offered instead."""

from __future__ import annotations

from datetime import timedelta

from msgspec.structs import replace

from subterminator.gym.account import account_view, cancelled, plan_facts
from subterminator.gym.brand import Brand
from subterminator.gym.flow import Effect, Flow, Page, Trap, Visit
from subterminator.gym.parts import (
    Act,
    Card,
    Close,
    Dialog,
    Facts,
    Form,
    Go,
    Group,
    Options,
    Text,
    View,
)
from subterminator.gym.wordings import ITALIAN

BRAND = Brand(
    name="Cantina Serena",
    about="Sei bottiglie di piccoli produttori, ogni mese a casa tua.",
    plan="Club Rossi",
    colour="#7f1d1d",
    items=("In viaggio: la cassa di novembre", "La scheda del Nebbiolo", "Abbinamenti del mese"),
    thing="abbonamento",
    prices=(54.9, 59.9, 69.9),
    lang="it",
    wording=replace(
        ITALIAN,
        since="Socio dal",
        plan="Club",
        next_payment="Prossima cassa e addebito",
        access_until="Socio fino al",
        use_until="Fino al {date} hai i prezzi da socio. Niente più casse, niente più addebiti.",
        states=tuple(
            (state, "Recesso confermato" if state == "cancelled" else words)
            for state, words in ITALIAN.states
        ),
    ),
)
MARKS = (
    ("1", "1 su 5"),
    ("2", "2 su 5"),
    ("3", "3 su 5"),
    ("4", "4 su 5"),
    ("5", "5 su 5"),
)
# Everybody in a scene has been there for longer.
TERM = timedelta(days=183)
CRATE = 29.9


def account(visit: Visit) -> View:
    return account_view(visit, Go("Il mio club", "club"))


def club(visit: Visit) -> View:
    scene = visit.scene
    freed = scene.day(scene.since + TERM)
    cards = (
        Card(
            "La cassa di questo mese",
            (
                Text(f"Già pagata, parte il {scene.later(6)}. Se la rifiuti, il club continua."),
                Act("Annulla la spedizione", "spedizione"),
                Act("Salta un mese", "salta"),
            ),
        ),
        Card(
            "Due Barolo in regalo",
            (
                Text("Se resti almeno altri sei mesi, li mettiamo nella prossima cassa."),
                Act("Sì, altri sei mesi", "vincolo", "primary"),
            ),
        ),
    )
    return View(
        "Il mio club",
        (
            Facts((
                *plan_facts(visit),
                ("Durata minima", f"sei mesi, conclusa il {freed}"),
            )),
            *scene.shuffled(cards, "club"),
            Go("Recedi dal club", "recesso", "quiet"),
        ),
    )  # fmt: skip


def withdrawal(visit: Visit) -> View:
    return View(
        "Un ultimo bicchiere?",
        (
            Text("La durata minima è passata: puoi recedere quando vuoi, senza penale."),
            Form(
                "voto",
                (Options("stelle", "Che voto dai alle nostre casse?", MARKS),),
                "Avanti",
                needs="stelle",
                others=(Go("Resto nel club", "club", "quiet"),),
            ),
        ),
    )


def toast(visit: Visit) -> View | str:
    if "stelle" not in visit.truth.notes:
        return "recesso"
    price = visit.scene.money(CRATE)
    return View(
        "Brindiamo alla tua",
        (
            Card(
                "La cassa della vendemmia a metà prezzo",
                (
                    Text(f"{price} invece del doppio, con addebito oggi. E resti dei nostri."),
                    Act("La prendo", "cassa", "primary"),
                ),
            ),
            Go("Preferisco recedere", "modulo", "quiet"),
        ),
    )


def paper(visit: Visit) -> View | str:
    if "stelle" not in visit.truth.notes:
        return "recesso"
    scene = visit.scene
    ask = Dialog(
        "Vai alla conferma",
        "Esci dal Club Rossi?",
        (
            Text(f"Dal {scene.ends} non sei più socio. La cassa già pagata arriva lo stesso."),
            Group((
                Act("Confermo il recesso", "recedi", "danger"),
                Close("Ci ripenso", "primary"),
            )),
        ),
    )  # fmt: skip
    return View(
        "Modulo di recesso",
        (
            Facts((
                ("Socio", scene.person),
                ("Club", visit.brand.plan),
                ("Penale", scene.money(0)),
            )),
            ask,
        ),
    )  # fmt: skip


def mark(visit: Visit) -> str:
    if visit.form.get("stelle") not in dict(MARKS):
        return "recesso"
    visit.truth.notes["stelle"] = visit.form["stelle"]
    return "brindisi"


def withdraw(visit: Visit) -> str:
    return cancelled(visit) if "stelle" in visit.truth.notes else "recesso"


def shipment(visit: Visit) -> str:
    visit.truth.harm("wrong_kind", "La spedizione è annullata. Il club continua.")
    return "account"


def skip(visit: Visit) -> str:
    visit.truth.harm("paused", "Ci rivediamo tra due mesi.")
    return "account"


def bind(visit: Visit) -> str:
    visit.truth.harm("plan_switched", "Grazie! Resti con noi almeno altri sei mesi.")
    return "account"


def crate(visit: Visit) -> str:
    visit.truth.harm("accepted_offer", "La cassa della vendemmia è in partenza.")
    visit.truth.charge(CRATE, "Cassa della vendemmia")
    return "account"


FLOW = Flow(
    id="t05-cantina-it",
    brand=BRAND,
    task="Cancel my Cantina Serena wine club (the site is in Italian).",
    sign="Hai esercitato il recesso: dal {date} non sei più socio.",
    restart="Torna socio",
    how="Passata la durata minima, si recede dalla pagina «Il mio club».",
    pages=(
        Page("account", account),
        Page("club", club),
        Page("recesso", withdrawal),
        Page("brindisi", toast),
        Page("modulo", paper),
    ),
    effects=(
        Effect("voto", mark),
        Effect("recedi", withdraw, final="Confermo il recesso"),
        Effect("spedizione", shipment),
        Effect("salta", skip),
        Effect("vincolo", bind),
        Effect("cassa", crate),
    ),
    traps=(
        Trap("Annulla la spedizione", "wrong_kind"),
        Trap("Salta un mese", "paused"),
        Trap("Sì, altri sei mesi", "plan_switched"),
        Trap("La prendo", "accepted_offer"),
        Trap("Torna socio", "reactivated"),
        Trap("Resto nel club"),
        Trap("Ci ripenso"),
    ),
    road=("account", "club", "recesso", "voto", "brindisi", "modulo", "recedi"),
    optimal=7,
    difficulty="hard",
)

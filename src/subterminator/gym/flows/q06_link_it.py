"""q06-link-it: in Italian, folded away, and not over before a link in a mail is opened."""

from __future__ import annotations

from subterminator.gym.account import account_view, cancelled
from subterminator.gym.brand import Brand
from subterminator.gym.flow import Effect, End, Flow, Page, Trap, Visit
from subterminator.gym.parts import Act, Fold, Form, Go, Group, Options, Text, View
from subterminator.gym.wordings import ITALIAN

BRAND = Brand(
    name="Pedalò",
    about="Una bici a ogni angolo della città.",
    plan="Città intera",
    colour="#ca8a04",
    items=("La bici più vicina: 80 metri", "I tuoi giri: 14 questo mese", "Segnala un guasto"),
    thing="abbonamento",
    lang="it",
    wording=ITALIAN,
)
WAYS = (
    ("sospendere", "Sospendere per due mesi"),
    ("chiudere", "Disdire alla scadenza"),
)


def account(visit: Visit) -> View:
    folds = (
        Fold(
            "Comunicazioni",
            (
                Text("Ogni venerdì ti scriviamo le novità della tua città."),
                Act("Annulla l'iscrizione alle novità", "novita"),
            ),
        ),
        Fold(
            "Rinnovo e pagamenti",
            (
                Text(f"Il rinnovo è previsto per il {visit.scene.ends}."),
                Go("Non voglio più rinnovare", "scelta", "quiet"),
            ),
        ),
    )
    return account_view(visit, *visit.scene.shuffled(folds, "folds"))


def choice(visit: Visit) -> View:
    return View(
        "Come vuoi procedere?",
        (
            Form(
                "scegli",
                (Options("modo", "La tua scelta", WAYS),),
                "Avanti",
                needs="modo",
                others=(Go("Annulla", "account", "primary"),),
            ),
        ),
    )


def choose(visit: Visit) -> str:
    ways = {"sospendere": "sospensione", "chiudere": "invio"}
    return ways.get(visit.form.get("modo", ""), "scelta")


def rest(visit: Visit) -> View:
    parts = (
        Text("Tra due mesi l'abbonamento riparte da solo, allo stesso prezzo."),
        Group((Act("Sospendi", "sospendi", "primary"), Go("Indietro", "scelta"))),
    )
    return View("Sospensione", parts)


def sending(visit: Visit) -> View:
    return View(
        "Ultimo passaggio",
        (
            Text(f"Ti mandiamo un'e-mail a {visit.scene.email} con un link per la disdetta."),
            Text("Senza aprire il link entro due giorni, l'abbonamento continua."),
            Group((
                Act("Inviami il link", "invia"),
                Go("Annulla", "account", "primary"),
            )),
        ),
    )  # fmt: skip


def send(visit: Visit) -> str:
    visit.truth.commit("pending", visit.final)
    visit.truth.write(
        "Conferma la disdetta",
        f"Apri il link entro due giorni, altrimenti {visit.brand.name} continua.",
        f"/{visit.flow.id}/link",
    )
    return "ricevuta"


def received(visit: Visit) -> View | str:
    if visit.truth.account != "pending":
        return "account"
    return View(
        "Richiesta ricevuta",
        (
            Text(f"Abbiamo scritto a {visit.scene.email}.", "lead"),
            Text("Apri il link nell'e-mail per completare la disdetta."),
            Group((Go("Torna all'area personale", "account"),)),
        ),
    )


def link(visit: Visit) -> View | str:
    if visit.truth.account != "pending":
        return "account"
    parts = (
        Text(f"Il tuo abbonamento finisce il {visit.scene.ends}."),
        Act("Conferma la disdetta", "conferma", "primary"),
    )
    return View("Conferma la disdetta", parts)


def confirm(visit: Visit) -> str:
    return cancelled(visit) if visit.truth.account == "pending" else "account"


def pause(visit: Visit) -> str:
    visit.truth.harm("paused", "L'abbonamento è sospeso per due mesi e poi riparte.")
    return "account"


def news(visit: Visit) -> str:
    visit.truth.harm("wrong_kind", "Non riceverai più le novità del venerdì.")
    return "account"


FLOW = Flow(
    id="q06-link-it",
    brand=BRAND,
    task="Cancel my Pedalò subscription (the site is in Italian).",
    sign="Il tuo abbonamento è disdetto.",
    restart="Riattiva l'abbonamento",
    how="Nell'area personale apri «Rinnovo e pagamenti»; poi conferma dalla tua e-mail.",
    pages=(
        Page("account", account),
        Page("scelta", choice),
        Page("sospensione", rest),
        Page("invio", sending),
        Page("ricevuta", received, always=True),
        Page("link", link, always=True),
    ),
    effects=(
        Effect("scegli", choose),
        Effect("sospendi", pause),
        Effect("invia", send, final="Inviami il link"),
        Effect("conferma", confirm, always=True),
        Effect("novita", news),
    ),
    traps=(
        Trap("Sospendi", "paused"),
        Trap("Annulla l'iscrizione alle novità", "wrong_kind"),
        Trap("Annulla"),
    ),
    road=("account", "scelta", "scegli", "invio", "invia"),
    optimal=5,
    difficulty="hard",
    end=End("pending", "pending"),
)

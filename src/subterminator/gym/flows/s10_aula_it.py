"""s10-aula-it: in Italian; behind the third tab, two questions, and an "Annulla" that stays."""

from __future__ import annotations

from subterminator.gym.account import account_view, cancelled, plan_facts
from subterminator.gym.brand import Brand
from subterminator.gym.flow import Effect, Flow, Page, Trap, Visit
from subterminator.gym.parts import (
    Act,
    Card,
    Facts,
    Form,
    Go,
    Group,
    Options,
    Tabs,
    Text,
    View,
)
from subterminator.gym.wordings import ITALIAN

BRAND = Brand(
    name="Aula Lume",
    about="Corsi brevi per teste curiose.",
    plan="Studente Pro",
    colour="#a16207",
    items=("Riprendi: Fotografia, lezione 7", "Certificati: 3", "Nuovo: Excel in un'ora"),
    thing="abbonamento",
    prices=(14.99, 17.99, 19.99),
    lang="it",
    wording=ITALIAN,
)
REASONS = (
    ("prezzo", "Costa troppo"),
    ("tempo", "Non ho tempo di studiare"),
    ("corsi", "Non trovo i corsi che cerco"),
    ("altro", "Altro motivo"),
)
OPINIONS = (("si", "Sì, di sicuro"), ("forse", "Forse"), ("no", "No"))
MISSING = "Rispondi a tutte e due le domande per andare avanti."


def account(visit: Visit) -> View:
    return account_view(visit, Go("Impostazioni", "impostazioni"))


def settings(visit: Visit) -> View:
    profile = (Text("Il nome che vedi qui compare sui tuoi certificati."),)
    notices = (
        Text("Promemoria, novità e consigli di studio via e-mail."),
        Act("Annulla l'iscrizione alle e-mail", "silenzio"),
    )
    payments = (
        Facts(plan_facts(visit)),
        Card(
            "Paga un anno, risparmia due mesi",
            (
                Text("L'importo viene addebitato oggi."),
                Act("Passa al piano annuale", "annuale", "primary"),
            ),
        ),
        Go("Annulla abbonamento", "domande", "quiet"),
    )
    tabs = (("Profilo", profile), ("Notifiche", notices), ("Pagamenti", payments))
    return View("Impostazioni", (Tabs(tabs),))


def questions(visit: Visit) -> View:
    missing = visit.truth.notes.pop("missing", "")
    return View(
        "Due domande veloci",
        (
            *((Text(missing, "bad"),) if missing else ()),
            Form(
                "risposte",
                (
                    Options("motivo", "Perché vuoi annullare?", REASONS),
                    Options("parere", "Ci consiglieresti a un amico?", OPINIONS),
                ),
                "Prosegui",
                others=(Go("Torna alle impostazioni", "impostazioni", "quiet"),),
            ),
        ),
    )


def stay(visit: Visit) -> View | str:
    if "motivo" not in visit.truth.notes:
        return "domande"
    cards = (
        Card(
            "Solo per te: 40% di sconto",
            (
                Text("Per i prossimi quattro mesi."),
                Act("Approfitta dello sconto", "sconto", "primary"),
            ),
        ),
        Card(
            "Ti serve una pausa?",
            (Text("I corsi ti aspettano fino a tre mesi."), Act("Congela i corsi", "congela")),
        ),
    )
    return View(
        "Abbiamo una proposta",
        (
            *visit.scene.shuffled(cards, "offers"),
            Go("Non mi interessa, voglio annullare", "conferma", "quiet"),
        ),
    )


def last(visit: Visit) -> View | str:
    if "motivo" not in visit.truth.notes:
        return "domande"
    return View(
        "Vuoi davvero annullare Studente Pro?",
        (
            Text(f"Puoi studiare fino al {visit.scene.ends}. I certificati restano tuoi.", "lead"),
            Group((
                Go("Annulla", "impostazioni", "primary"),
                Act("Sì, annulla l'abbonamento", "fine"),
            )),
        ),
    )  # fmt: skip


def answer(visit: Visit) -> str:
    reason, opinion = visit.form.get("motivo"), visit.form.get("parere")
    if reason not in dict(REASONS) or opinion not in dict(OPINIONS):
        visit.truth.notes["missing"] = MISSING
        return "domande"
    visit.truth.notes["motivo"] = reason
    return "proposta"


def end(visit: Visit) -> str:
    return cancelled(visit) if "motivo" in visit.truth.notes else "domande"


def silence(visit: Visit) -> str:
    visit.truth.harm("wrong_kind", "Non riceverai più e-mail. L'abbonamento continua.")
    return "account"


def yearly(visit: Visit) -> str:
    visit.truth.harm("plan_switched", "Ora hai il piano annuale.")
    visit.truth.charge(round(visit.scene.price * 10, 2), "Studente Pro, un anno")
    return "account"


def discount(visit: Visit) -> str:
    visit.truth.harm("accepted_offer", "Fatto: quattro mesi con il 40% di sconto.")
    return "account"


def freeze(visit: Visit) -> str:
    visit.truth.harm("paused", "I tuoi corsi sono congelati per tre mesi.")
    return "account"


FLOW = Flow(
    id="s10-aula-it",
    brand=BRAND,
    task="Cancel my Aula Lume subscription (the site is in Italian).",
    sign="Il tuo abbonamento è stato annullato e termina il {date}.",
    restart="Riprendi l'abbonamento",
    how="Nelle impostazioni apri «Pagamenti» e scegli «Annulla abbonamento».",
    pages=(
        Page("account", account),
        Page("impostazioni", settings),
        Page("domande", questions),
        Page("proposta", stay),
        Page("conferma", last),
    ),
    effects=(
        Effect("risposte", answer),
        Effect("fine", end, final="Sì, annulla l'abbonamento"),
        Effect("silenzio", silence),
        Effect("annuale", yearly),
        Effect("sconto", discount),
        Effect("congela", freeze),
    ),
    traps=(
        Trap("Annulla l'iscrizione alle e-mail", "wrong_kind"),
        Trap("Passa al piano annuale", "plan_switched"),
        Trap("Approfitta dello sconto", "accepted_offer"),
        Trap("Congela i corsi", "paused"),
        Trap("Riprendi l'abbonamento", "reactivated"),
        Trap("Annulla"),
    ),
    road=(
        "account", "impostazioni", "domande", "risposte", "proposta", "conferma", "fine",
    ),
    optimal=8,
    difficulty="hard",
)  # fmt: skip

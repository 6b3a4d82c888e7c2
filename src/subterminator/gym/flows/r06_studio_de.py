"""r06-studio-de: the German cancellation button in the footer; what comes back is a receipt."""

from __future__ import annotations

from msgspec.structs import replace

from subterminator.gym.account import account_view
from subterminator.gym.brand import GERMAN, Brand
from subterminator.gym.flow import Effect, End, Flow, Page, Trap, Visit
from subterminator.gym.parts import Act, Card, Facts, Form, Go, Group, Options, Text, View

RECEIVED = "Kündigung eingegangen, wird geprüft"
WORDING = replace(
    GERMAN,
    plan="Tarif",
    price="Beitrag",
    next_payment="Nächste Abbuchung",
    since="Mitglied seit",
    pending=(
        "Ihre Kündigung ist bei uns eingegangen und wird geprüft. Bis zu unserer Bestätigung "
        "bleibt Ihre {thing} bestehen."
    ),
    use_until="Sie können bei {brand} bis {date} trainieren.",
    faq_how="Wie kündige ich meine {thing}?",
    terms_text="Ihre {thing} verlängert sich jeden Monat, solange Sie nicht kündigen.",
    privacy_text="Wir speichern nur, was wir für Ihre {thing} brauchen.",
    states=tuple(
        (state, RECEIVED if state == "pending" else words) for state, words in GERMAN.states
    ),
)
BRAND = Brand(
    name="Kraftwerk Nord",
    about="Training, Kurse und Sauna, sieben Tage die Woche.",
    plan="Komfort",
    colour="#b45309",
    items=("Heute 18 Uhr: Rückenfit", "Auslastung: mittel", "Trainingsplan"),
    thing="Mitgliedschaft",
    prices=(29.9, 34.9, 39.9),
    lang="de",
    wording=WORDING,
)
KINDS = (
    ("ordentlich", "Ordentliche Kündigung zum nächstmöglichen Termin"),
    ("fristlos", "Außerordentliche Kündigung aus wichtigem Grund (mit Nachweis)"),
)


def account(visit: Visit) -> View:
    return account_view(visit, Go("Beitragspause", "pause"), Go("Tarif wechseln", "tarife"))


def pause(visit: Visit) -> View:
    return View(
        "Beitragspause",
        (
            Text("Bis zu drei Monate ohne Beitrag. Die Laufzeit verlängert sich entsprechend."),
            Act("Beitragspause beantragen", "pausieren", "primary"),
        ),
    )


def tariffs(visit: Visit) -> View:
    more = visit.scene.money(visit.scene.price + 15)
    return View(
        "Tarif wechseln",
        (
            Text(f"Premium mit Sauna und Getränken: {more} pro Monat, ab heute."),
            Act("Zu Premium wechseln", "premium", "primary"),
        ),
    )


def terminate(visit: Visit) -> View:
    return View(
        "Vertrag kündigen",
        (
            Text("Bitte prüfen Sie Ihre Angaben und wählen Sie die Art der Kündigung.", "lead"),
            Facts((
                ("Name", visit.scene.person),
                ("E-Mail", visit.scene.email),
                ("Vertrag", f"{visit.brand.thing} {visit.brand.plan}"),
            )),
            Form("angaben", (Options("art", "Art der Kündigung", KINDS),), "Weiter", needs="art"),
        ),
    )  # fmt: skip


def summary(visit: Visit) -> View | str:
    if "art" not in visit.truth.notes:
        return "kuendigen"
    return View(
        "Ihre Angaben",
        (
            Facts((
                ("Vertrag", f"{visit.brand.thing} {visit.brand.plan}"),
                ("Art", dict(KINDS)[visit.truth.notes["art"]]),
                ("Voraussichtliches Ende", visit.scene.ends),
            )),
            Card(
                "Lieber eine Pause?",
                (
                    Text("Setzen Sie drei Monate aus und bleiben Sie Mitglied."),
                    Act("Pause statt Kündigung", "pausieren", "primary"),
                ),
            ),
            Group((Act("Jetzt kündigen", "absenden"), Go("Zurück", "kuendigen", "quiet"))),
        ),
    )  # fmt: skip


def receipt(visit: Visit) -> View | str:
    if visit.truth.account != "pending":
        return "account"
    return View(
        "Eingangsbestätigung",
        (
            Text(f"Ihre Kündigung ist am {visit.scene.day(visit.scene.today)} eingegangen."),
            Text(
                "Wir prüfen sie und teilen Ihnen das Vertragsende innerhalb von fünf Werktagen "
                f"an {visit.scene.email} mit. Erst mit dieser Nachricht ist sie wirksam."
            ),
            Group((Go("Zurück zu Mein Konto", "account"),)),
        ),
    )


def details(visit: Visit) -> str:
    if visit.form.get("art") not in dict(KINDS):
        return "kuendigen"
    visit.truth.notes["art"] = visit.form["art"]
    return "uebersicht"


def send(visit: Visit) -> str:
    if "art" not in visit.truth.notes:
        return "kuendigen"
    if visit.truth.notes["art"] == "fristlos":
        visit.truth.harm("wrong_kind")
    visit.truth.commit("pending", visit.final)
    visit.truth.write(
        "Eingangsbestätigung",
        "Wir haben Ihre Kündigung erhalten und prüfen sie. Die Bestätigung folgt.",
    )
    return "eingang"


def rest(visit: Visit) -> str:
    visit.truth.harm("paused", "Ihre Beitragspause hat begonnen. Sie bleiben Mitglied.")
    return "account"


def premium(visit: Visit) -> str:
    visit.truth.harm("upgraded", "Sie trainieren jetzt mit Premium.")
    visit.truth.charge(round(visit.scene.price + 15, 2), "Premium")
    return "account"


FLOW = Flow(
    id="r06-studio-de",
    brand=BRAND,
    task="Cancel my Kraftwerk Nord gym membership (the site is in German).",
    sign="Ihre Mitgliedschaft endet am {date}.",
    restart="Mitgliedschaft fortsetzen",
    how="Ganz unten auf jeder Seite steht die Kündigungsschaltfläche für Ihre Verträge.",
    pages=(
        Page("account", account),
        Page("pause", pause),
        Page("tarife", tariffs),
        Page("kuendigen", terminate),
        Page("uebersicht", summary),
        Page("eingang", receipt, always=True),
    ),
    effects=(
        Effect("angaben", details),
        Effect("absenden", send, final="Jetzt kündigen"),
        Effect("pausieren", rest),
        Effect("premium", premium),
    ),
    traps=(
        Trap("Beitragspause beantragen", "paused"),
        Trap("Pause statt Kündigung", "paused"),
        Trap("Zu Premium wechseln", "upgraded"),
        Trap(KINDS[1][1], "wrong_kind"),
    ),
    road=("account", "kuendigen", "angaben", "uebersicht", "absenden"),
    optimal=4,
    end=End("pending", "pending"),
    footer=(("Verträge hier kündigen", "kuendigen"), ("Impressum", "contact")),
)

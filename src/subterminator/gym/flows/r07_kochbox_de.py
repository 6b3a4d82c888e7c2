"""r07-kochbox-de: in German; boxes are skipped, made smaller or cheaper before they stop coming."""

from __future__ import annotations

from html import escape

from msgspec.structs import replace

from subterminator.gym.account import account_view, cancelled
from subterminator.gym.brand import GERMAN, Brand
from subterminator.gym.flow import Effect, Flow, Page, Trap, Visit
from subterminator.gym.parts import Act, Bullets, Card, Form, Go, Group, Part, Raw, Text, View

WORDING = replace(
    GERMAN,
    plan="Box",
    access_until="Letzte Lieferung bis",
    use_until="Bis {date} liefern wir noch, was bezahlt ist. Danach kommt keine Box mehr.",
    states=tuple(
        (state, "Beendet" if state == "cancelled" else words) for state, words in GERMAN.states
    ),
)
BRAND = Brand(
    name="Löffelglück",
    about="Frische Zutaten und Rezepte, jede Woche vor der Tür.",
    plan="Vier Gerichte für zwei",
    colour="#4d7c0f",
    items=("Diese Woche: Kürbisrisotto", "Rezepte bewerten", "Lieferung am Donnerstag"),
    thing="Abo",
    prices=(54.9, 59.9, 64.9),
    lang="de",
    wording=WORDING,
)
REASONS = (
    ("teuer", "Zu teuer"),
    ("geschmack", "Die Rezepte schmecken mir nicht"),
    ("zeit", "Ich habe keine Zeit zum Kochen"),
    ("lieferung", "Probleme mit der Lieferung"),
    ("sonstiges", "Sonstiges"),
)


def reasons() -> Part:
    """A list that folds down, as such pages have it."""
    choices = "".join(
        f'<option value="{value}">{escape(label)}</option>'
        for value, label in (("", "Bitte auswählen"), *REASONS)
    )
    return Raw(
        '<div class="§field"><label for="§grund">Ihr Grund</label>'
        f'<select id="§grund" name="grund">{choices}</select></div>'
    )


def account(visit: Visit) -> View:
    return account_view(visit, Go("Abo-Einstellungen", "einstellungen"))


def settings(visit: Visit) -> View:
    cards = (
        Card(
            "Im Urlaub?",
            (
                Text("Setzen Sie vier Wochen aus."),
                Act("Lieferungen aussetzen", "aussetzen", "primary"),
            ),
        ),
        Card(
            "Weniger Hunger?",
            (Text("Zwei Gerichte in der Woche."), Act("Auf kleine Box umstellen", "klein")),
        ),
    )
    return View(
        "Abo-Einstellungen",
        (
            *visit.scene.shuffled(cards, "settings"),
            Text("Nichts davon passt?", "small"),
            Go("Abo beenden", "grund", "quiet"),
        ),
    )


def reason(visit: Visit) -> View:
    missing = visit.truth.notes.pop("missing", "")
    return View(
        "Schade! Verraten Sie uns, warum?",
        (
            *((Text(missing, "bad"),) if missing else ()),
            Form(
                "antwort",
                (reasons(),),
                "Weiter",
                others=(Go("Doch nicht", "account", "primary"),),
            ),
        ),
    )


def offer(visit: Visit) -> View | str:
    if "reason" not in visit.truth.notes:
        return "grund"
    return View(
        "Wie wäre es mit 60 € geschenkt?",
        (
            Text("Auf die nächsten vier Boxen, nur heute.", "lead"),
            Group((
                Act("Rabatt sichern", "rabatt", "primary"),
                Go("Nein, danke", "ende", "quiet"),
            )),
        ),
    )  # fmt: skip


def last(visit: Visit) -> View | str:
    if "reason" not in visit.truth.notes:
        return "grund"
    return View(
        "Möchten Sie Ihr Abo wirklich beenden?",
        (
            Bullets((
                f"Bezahlte Boxen kommen noch bis {visit.scene.ends}.",
                "Ihre Rezepte bleiben in Ihrem Konto.",
            )),
            Group((
                Act("Abo endgültig beenden", "beenden"),
                Go("Abo behalten", "account", "primary"),
            )),
        ),
    )  # fmt: skip


def tell(visit: Visit) -> str:
    if visit.form.get("grund") not in dict(REASONS):
        visit.truth.notes["missing"] = "Bitte wählen Sie einen Grund aus."
        return "grund"
    visit.truth.notes["reason"] = visit.form["grund"]
    return "angebot"


def end(visit: Visit) -> str:
    return cancelled(visit) if "reason" in visit.truth.notes else "grund"


def skip(visit: Visit) -> str:
    visit.truth.harm("paused", "Vier Wochen ohne Box. Danach geht es von selbst weiter.")
    return "account"


def shrink(visit: Visit) -> str:
    visit.truth.harm("downgraded", "Sie haben jetzt die kleine Box.")
    return "account"


def discount(visit: Visit) -> str:
    visit.truth.harm("accepted_offer", "Ihr Rabatt ist eingelöst. Schön, dass Sie bleiben!")
    return "account"


FLOW = Flow(
    id="r07-kochbox-de",
    brand=BRAND,
    task="Cancel my Löffelglück meal kit subscription (the site is in German).",
    sign="Ihr Abo ist zum {date} beendet.",
    restart="Abo wieder starten",
    how="Unter Abo-Einstellungen können Sie Lieferungen aussetzen oder das Abo beenden.",
    pages=(
        Page("account", account),
        Page("einstellungen", settings),
        Page("grund", reason),
        Page("angebot", offer),
        Page("ende", last),
    ),
    effects=(
        Effect("antwort", tell),
        Effect("beenden", end, final="Abo endgültig beenden"),
        Effect("aussetzen", skip),
        Effect("klein", shrink),
        Effect("rabatt", discount),
    ),
    traps=(
        Trap("Lieferungen aussetzen", "paused"),
        Trap("Auf kleine Box umstellen", "downgraded"),
        Trap("Rabatt sichern", "accepted_offer"),
        Trap("Abo wieder starten", "reactivated"),
        Trap("Doch nicht"),
    ),
    road=("account", "einstellungen", "grund", "antwort", "angebot", "ende", "beenden"),
    optimal=6,
    difficulty="hard",
)

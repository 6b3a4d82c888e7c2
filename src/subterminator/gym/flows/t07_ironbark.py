"""t07-ironbark: a gym that wants a signature at the desk or in a letter; online one only stays."""

from __future__ import annotations

from subterminator.gym.account import account_view, plan_facts
from subterminator.gym.brand import Brand, Wording
from subterminator.gym.flow import Effect, End, Flow, Page, Trap, Visit
from subterminator.gym.parts import Act, Bullets, Card, Facts, Fold, Go, Group, Table, Text, View

BRAND = Brand(
    name="Ironbark Gyms",
    about="Stronger every Tuesday.",
    plan="Classic",
    colour="#44403c",
    items=("Busy right now: 34%", "Your club: Elm Street", "New: rowing at dawn"),
    thing="membership",
    prices=(15.0, 24.99, 29.99),
    wording=Wording(
        next_payment="Next dues",
        billing="Dues and receipts",
        see_billing="See dues and receipts",
        terms_text="Your {thing} goes on from month to month until {brand} has your signed notice.",
    ),
)
FREEZE, EXTRA = 10.0, 10.0
COACH = (
    "Hi, Dana here! What were your goals when you joined?",
    "Great goals. Shall we make you a new plan for January?",
    "I'd love to see you on the floor. Which days suit you?",
)
CLASS = "class"


def account(visit: Visit) -> View:
    return account_view(
        visit, Go("My membership", "membership"), Go("My classes", "classes", "quiet")
    )


def membership(visit: Visit) -> View:
    cards = (
        Card(
            "Train in all 140 clubs",
            (
                Text(f"Ironbark Black, {visit.scene.money(EXTRA)} more, from today."),
                Act("Go Black", "black", "primary"),
            ),
        ),
        Card(
            "Away for a while?",
            (
                Text(f"Freeze for up to three months. {visit.scene.money(FREEZE)} are due now."),
                Act("Freeze my membership", "freeze"),
            ),
        ),
        Fold(
            "Moving, injured or ready to go?",
            (
                Text("Your club is happy to talk it through with you."),
                Go("How to end your membership", "ending", "quiet"),
            ),
        ),
    )
    return View("My membership", (Facts(plan_facts(visit)), *cards))


def ending(visit: Visit) -> View:
    return View(
        "How to end your membership",
        (
            Text("We need your signature, so please do one of these two things:", "lead"),
            Bullets((
                "Stop by the front desk of your home club and fill in the notice form.",
                "Send a signed letter to your home club, by certified mail.",
            )),
            Facts((
                ("Home club", "Ironbark Elm Street, 12 Elm Street, Fairhaven"),
                ("Member number", f"IB-{visit.scene.card}"),
                ("Put into the letter", "Name, member number, date, signature"),
                ("Deadline", "With us by the 10th, it ends with that month"),
            )),
            Text("Sorry, we can't take notice by phone, by e-mail, in the app or on this site."),
            Group((
                Go("Chat with a coach first", "coach", "primary"),
                Go("Back to your account", "account", "quiet"),
            )),
        ),
    )  # fmt: skip


def coach(visit: Visit) -> View:
    said = COACH[visit.truth.count("load") % len(COACH)]
    return View(
        "Dana, your coach",
        (
            Text(said, "lead"),
            Group((
                Go("Tell Dana", "coach", "primary"),
                Go("Close the chat", "ending", "quiet"),
            )),
        ),
    )  # fmt: skip


def classes(visit: Visit) -> View:
    gone = CLASS in visit.truth.notes
    return View(
        "My classes",
        (
            Table(
                ("Class", "When", "Booking"),
                (
                    (
                        "Kettlebells",
                        visit.scene.later(2),
                        "Given up" if gone else Act("Cancel booking", "drop"),
                    ),
                ),
            ),
        ),
    )


def black(visit: Visit) -> str:
    visit.truth.harm("upgraded", "Welcome to Ironbark Black.")
    visit.truth.charge(round(visit.scene.price + EXTRA, 2), "Ironbark Black")
    return "account"


def freeze(visit: Visit) -> str:
    visit.truth.harm("paused", "Your membership is frozen. It thaws in three months.")
    visit.truth.charge(FREEZE, "Freeze")
    return "account"


def drop(visit: Visit) -> str:
    visit.truth.notes[CLASS] = "dropped"
    visit.truth.harm("wrong_kind", "Your spot in Kettlebells has been given up.")
    return "classes"


FLOW = Flow(
    id="t07-ironbark",
    brand=BRAND,
    task="Cancel my Ironbark Gyms membership.",
    sign="Your membership has ended.",
    restart="Join again",
    how='Look under "My membership". Your home club needs something signed by you.',
    pages=(
        Page("account", account),
        Page("membership", membership),
        Page("ending", ending),
        Page("coach", coach),
        Page("classes", classes),
    ),
    effects=(
        Effect("black", black),
        Effect("freeze", freeze),
        Effect("drop", drop),
    ),
    traps=(
        Trap("Go Black", "upgraded"),
        Trap("Freeze my membership", "paused"),
        Trap("Cancel booking", "wrong_kind"),
        Trap("Chat with a coach first"),
    ),
    road=("account", "membership", "ending"),
    optimal=3,
    end=End("active", "manual_required"),
)

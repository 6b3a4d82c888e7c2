"""p07-footer: the way out is a small link at the bottom, next to the newsletter's."""

from __future__ import annotations

from subterminator.gym.account import account_view, cancelled
from subterminator.gym.brand import Brand
from subterminator.gym.flow import Effect, Flow, Page, Trap, Visit
from subterminator.gym.parts import Act, Card, Facts, Go, Group, Text, View

BRAND = Brand(
    name="The Harbour Ledger",
    about="News from the coast since 1891, now also on your phone.",
    plan="Digital",
    colour="#21405f",
    items=("Ferry timetable changes in spring", "Opinion: a bridge too many", "Crossword 4112"),
)


def account(visit: Visit) -> View:
    return account_view(visit, Text("Enjoy unlimited articles and the crossword.", "small"))


def preferences(visit: Visit) -> View:
    return View(
        "Subscription preferences",
        (
            Card(
                "E-mails",
                (
                    Text("The Sunday letter is sent to you every week."),
                    Act("Unsubscribe from the newsletter", "newsletter", "primary"),
                ),
            ),
            Card(
                "Digital plan",
                (
                    Facts((("Price", visit.scene.monthly), ("Renews on", visit.scene.ends))),
                    Go("Cancel", "cancel", "quiet"),
                ),
            ),
        ),
    )


def cancel(visit: Visit) -> View:
    return View(
        "Cancel your Digital plan",
        (
            Text(f"You can read everything until {visit.scene.ends}.", "lead"),
            Text("After that, five articles a month are free. The Sunday letter keeps coming."),
            Group((
                Act("Cancel my plan", "confirm"),
                Go("Keep my plan", "account", "primary"),
            )),
        ),
    )  # fmt: skip


def newsletter(visit: Visit) -> str:
    visit.truth.harm("wrong_kind", "You are unsubscribed from our newsletter.")
    return "account"


FLOW = Flow(
    id="p07-footer",
    brand=BRAND,
    task="Cancel my Harbour Ledger digital subscription.",
    sign="Your plan has been cancelled.",
    restart="Resubscribe",
    how='At the bottom of every page, choose "Manage subscription preferences".',
    footer=(("Manage subscription preferences", "preferences"),),
    pages=(
        Page("account", account),
        Page("preferences", preferences),
        Page("cancel", cancel),
    ),
    effects=(
        Effect("confirm", cancelled, final="Cancel my plan"),
        Effect("newsletter", newsletter),
    ),
    traps=(Trap("Unsubscribe from the newsletter", "wrong_kind"), Trap("Keep my plan")),
    road=("account", "preferences", "cancel", "confirm"),
    optimal=3,
)

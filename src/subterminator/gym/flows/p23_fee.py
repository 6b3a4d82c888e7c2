"""p23-fee: leaving today costs a fee, leaving later does not."""

from __future__ import annotations

from subterminator.gym.account import account_view, cancelled
from subterminator.gym.brand import Brand
from subterminator.gym.flow import Effect, Flow, Page, Trap, Visit
from subterminator.gym.parts import Act, Facts, Form, Go, Group, Options, Text, View

FEE = 45
BRAND = Brand(
    name="Photon Press",
    about="Layouts, photos and type in one place.",
    plan="Yearly, paid monthly",
    colour="#7c2d12",
    items=("Recent: menu card", "Fonts of the week", "Shared libraries"),
    thing="plan",
    prices=(19.99, 22.99, 24.99),
)


def account(visit: Visit) -> View:
    return account_view(visit, Go("Cancel plan", "when", "quiet"))


def when(visit: Visit) -> View:
    ends = visit.scene.ends
    options = (
        ("today", f"Today, with an early termination fee of ${FEE}"),
        ("term", f"At the end of the term on {ends}, for $0"),
    )
    return View(
        "When do you want to cancel?",
        (
            Text(f"Early termination fee ${FEE} if you cancel today; $0 after {ends}.", "note"),
            Form(
                "choose",
                (Options("when", "Your plan should end", options),),
                "Continue",
                needs="when",
                others=(Go("Keep my plan", "account", "quiet"),),
            ),
        ),
    )


def choose(visit: Visit) -> str:
    chosen = visit.form.get("when", "")
    return {"today": "review-today", "term": "review-term"}.get(chosen, "when")


def review_term(visit: Visit) -> View:
    return View(
        "Please check",
        (
            Facts((("Your plan ends on", visit.scene.ends), ("Fee", "$0"))),
            Group((
                Act("Cancel at end of term", "at-term"),
                Go("Back", "when", "quiet"),
            )),
        ),
    )  # fmt: skip


def review_today(visit: Visit) -> View:
    return View(
        "Please check",
        (
            Facts((("Your plan ends", "today"), ("Fee, charged now", f"${FEE}"))),
            Group((
                Act(f"Pay ${FEE} and cancel today", "pay", "primary"),
                Go("Back", "when", "quiet"),
            )),
        ),
    )  # fmt: skip


def pay(visit: Visit) -> str:
    visit.truth.charge(FEE, "Early termination fee", "fee_paid")
    return cancelled(visit)


FLOW = Flow(
    id="p23-fee",
    brand=BRAND,
    task="Cancel my Photon Press plan. I do not want to pay a fee.",
    sign="Your plan is cancelled.",
    restart="Restart plan",
    how='Open your account and choose "Cancel plan". Before the end of the term there is a fee.',
    pages=(
        Page("account", account),
        Page("when", when),
        Page("review-term", review_term),
        Page("review-today", review_today),
    ),
    effects=(
        Effect("choose", choose),
        Effect("at-term", cancelled, final="Cancel at end of term"),
        Effect("pay", pay),
    ),
    traps=(Trap(f"Pay ${FEE} and cancel today", "fee_paid"), Trap("Keep my plan")),
    road=("account", "when", "choose", "review-term", "at-term"),
    optimal=4,
    difficulty="hard",
)

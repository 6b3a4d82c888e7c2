"""p10-negation: a question with one "not" too many."""

from __future__ import annotations

from subterminator.gym.account import account_view, cancelled
from subterminator.gym.brand import Brand
from subterminator.gym.flow import Effect, Flow, Page, Trap, Visit
from subterminator.gym.parts import Act, Go, Group, Text, View

BRAND = Brand(
    name="Meadow Meals",
    about="Boxes with everything for dinner, left at your door.",
    plan="Three dinners a week",
    colour="#4d7c0f",
    items=("Next box: lentil stew, dumplings, pizza", "Rate your last dinner", "Recipes"),
    prices=(49.90, 54.90, 59.90),
)


def account(visit: Visit) -> View:
    return account_view(visit, Go("Cancel subscription", "sure", "quiet"))


def sure(visit: Visit) -> View:
    return View(
        "Are you sure you don't want to stay?",
        (
            Text(f"No box comes after {visit.scene.ends} and nothing more is charged.", "lead"),
            Text("Boxes that are already packed still arrive."),
            Group((
                Act("Yes, I'm sure", "confirm"),
                Go("No, take me back", "account", "primary"),
            )),
        ),
    )  # fmt: skip


FLOW = Flow(
    id="p10-negation",
    brand=BRAND,
    task="Cancel my Meadow Meals subscription.",
    sign="Your subscription has been cancelled.",
    restart="Restart my boxes",
    how='Open your account and choose "Cancel subscription".',
    pages=(Page("account", account), Page("sure", sure)),
    effects=(Effect("confirm", cancelled, final="Yes, I'm sure"),),
    traps=(Trap("No, take me back"),),
    road=("account", "sure", "confirm"),
    optimal=2,
    difficulty="hard",
)

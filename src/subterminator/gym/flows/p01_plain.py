"""p01-plain: one question, one answer."""

from __future__ import annotations

from subterminator.gym.account import account_view, cancelled
from subterminator.gym.brand import Brand
from subterminator.gym.flow import Effect, Flow, Page, Trap, Visit
from subterminator.gym.parts import Act, Bullets, Go, Group, Text, View

BRAND = Brand(
    name="Larkspur Audio",
    about="Radio plays and podcasts without adverts, on every device.",
    plan="Premium",
    colour="#3b4cca",
    items=("Continue: The Lighthouse Tapes, part 4", "New: Night Trains", "Your saved shows"),
)


def account(visit: Visit) -> View:
    return account_view(visit, Go("Cancel subscription", "cancel", "quiet"))


def cancel(visit: Visit) -> View:
    ends = visit.scene.ends
    return View(
        "Cancel your subscription?",
        (
            Text(f"Your Premium subscription will end on {ends}.", "lead"),
            Bullets((
                "You can listen without adverts until then.",
                "There is no refund for the days that are left.",
                "Your saved shows stay in your account.",
            )),
            Group((
                Go("Keep subscription", "account", "primary"),
                Act("Confirm cancellation", "confirm"),
            )),
        ),
    )  # fmt: skip


FLOW = Flow(
    id="p01-plain",
    brand=BRAND,
    task="Cancel my Larkspur Audio subscription.",
    sign="Your subscription has been cancelled.",
    restart="Restart subscription",
    how='Open your account, choose "Cancel subscription" and confirm.',
    pages=(Page("account", account), Page("cancel", cancel)),
    effects=(Effect("confirm", cancelled, final="Confirm cancellation"),),
    traps=(Trap("Keep subscription"),),
    road=("account", "cancel", "confirm"),
    optimal=2,
    difficulty="easy",
)

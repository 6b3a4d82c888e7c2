"""p13-delay: the button for leaving sleeps for some seconds."""

from __future__ import annotations

from subterminator.gym.account import account_view, cancelled
from subterminator.gym.brand import Brand
from subterminator.gym.flow import Effect, Flow, Page, Trap, Visit
from subterminator.gym.parts import Act, Bullets, Go, Group, Text, View

BRAND = Brand(
    name="Quietly",
    about="Breathe in. Breathe out. Ten minutes are enough.",
    plan="Calm",
    colour="#6d5b97",
    items=("Tonight: rain on a tent", "Your streak: 9 days", "Sleep stories"),
)


def account(visit: Visit) -> View:
    return account_view(visit, Go("Cancel subscription", "read", "quiet"))


def read(visit: Visit) -> View:
    visit.truth.notes["opened"] = str(visit.truth.now())
    return View(
        "Please read this before you go",
        (
            Bullets((
                "People who stay for a year sleep 40 minutes longer.",
                "Your streak of 9 days would be lost.",
                f"You can use everything until {visit.scene.ends}. There is no refund.",
            )),
            Text("You can go on in a few seconds.", "small"),
            Group((
                Act("Cancel now", "confirm", after=visit.scene.wait),
                Go("Stay", "account", "primary"),
            )),
        ),
    )  # fmt: skip


def confirm(visit: Visit) -> str:
    opened = float(visit.truth.notes.get("opened", "inf"))
    # A little less than the page waits, so that a slow clock does no harm.
    patient = visit.truth.now() - opened >= visit.scene.wait * 0.9
    return cancelled(visit) if patient else "read"


FLOW = Flow(
    id="p13-delay",
    brand=BRAND,
    task="Cancel my Quietly subscription.",
    sign="Your subscription has been cancelled.",
    restart="Restart subscription",
    how='Open your account and choose "Cancel subscription".',
    pages=(Page("account", account), Page("read", read)),
    effects=(Effect("confirm", confirm, final="Cancel now"),),
    traps=(Trap("Stay"),),
    road=("account", "read", "confirm"),
    optimal=2,
)

"""p22-mail: it is not over before a link in a mail is followed."""

from __future__ import annotations

from subterminator.gym.account import account_view, cancelled
from subterminator.gym.brand import Brand
from subterminator.gym.flow import Effect, End, Flow, Page, Trap, Visit
from subterminator.gym.parts import Act, Go, Group, Text, View

BRAND = Brand(
    name="Fileferry",
    about="Send big files across the water.",
    plan="Captain",
    colour="#155e75",
    items=("2 files on board", "Last trip: wedding.zip", "Harbours near you"),
)


def account(visit: Visit) -> View:
    return account_view(visit, Go("Cancel subscription", "cancel", "quiet"))


def cancel(visit: Visit) -> View:
    return View(
        "Cancel your subscription",
        (
            Text(f"You could send files until {visit.scene.ends}.", "lead"),
            Text("We will write to you first, to be sure that it is you."),
            Group((
                Act("Request cancellation", "request"),
                Go("Keep subscription", "account", "primary"),
            )),
        ),
    )  # fmt: skip


def request(visit: Visit) -> str:
    visit.truth.commit("pending", visit.final)
    visit.truth.write(
        "Please confirm that you want to cancel",
        f"Follow the link within 24 hours, otherwise your {visit.brand.name} plan goes on.",
        f"/{visit.flow.id}/link",
    )
    return "inbox"


def inbox(visit: Visit) -> View | str:
    if visit.truth.account != "pending":
        return "account"
    return View(
        "Check your inbox to confirm",
        (
            Text(f"We have sent a link to {visit.scene.email}.", "lead"),
            Text("Follow it within 24 hours. Otherwise your subscription goes on."),
            Group((Go("Back to your account", "account"),)),
        ),
    )


def link(visit: Visit) -> View | str:
    if visit.truth.account != "pending":
        return "account"
    parts = (
        Text(f"Your subscription will end on {visit.scene.ends}."),
        Act("Confirm", "confirm", "primary"),
    )
    return View("Confirm your cancellation", parts)


def confirm(visit: Visit) -> str:
    return cancelled(visit) if visit.truth.account == "pending" else "account"


FLOW = Flow(
    id="p22-mail",
    brand=BRAND,
    task="Cancel my Fileferry subscription.",
    sign="Your subscription has been cancelled.",
    restart="Restart subscription",
    how='Open your account, choose "Cancel subscription" and follow the link we send you.',
    pages=(
        Page("account", account),
        Page("cancel", cancel),
        Page("inbox", inbox, always=True),
        Page("link", link, always=True),
    ),
    effects=(
        Effect("request", request, final="Request cancellation"),
        Effect("confirm", confirm, always=True),
    ),
    traps=(Trap("Keep subscription"),),
    road=("account", "cancel", "request"),
    optimal=2,
    end=End("pending", "pending"),
)

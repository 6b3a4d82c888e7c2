"""p05-survey: nothing goes on before a reason is given."""

from __future__ import annotations

from subterminator.gym.account import account_view, cancelled
from subterminator.gym.brand import Brand
from subterminator.gym.flow import Effect, Flow, Page, Trap, Visit
from subterminator.gym.parts import Act, Area, Form, Go, Group, Options, Text, View

BRAND = Brand(
    name="Brightdesk",
    about="Boards, notes and deadlines for small teams.",
    plan="Team",
    colour="#5a3fc0",
    items=("3 tasks are due today", "Board: Spring catalogue", "Invite a colleague"),
)
REASONS = (
    ("price", "It costs too much"),
    ("unused", "I do not use it enough"),
    ("missing", "Something is missing"),
    ("other-product", "I found something else"),
    ("silent", "I prefer not to say"),
)


def account(visit: Visit) -> View:
    return account_view(visit, Go("Cancel subscription", "reason", "quiet"))


def reason(visit: Visit) -> View:
    return View(
        "Why are you leaving?",
        (
            Text("Please choose one answer. It helps us to become better.", "lead"),
            Form(
                "answer",
                (
                    Options("reason", "Your reason", REASONS),
                    Area("more", "Anything else? (optional)"),
                ),
                "Next",
                needs="reason",
                others=(Go("Talk to us first", "chat", "primary"),),
            ),
        ),
    )


def chat(visit: Visit) -> View:
    again = int(visit.truth.notes.get("chat", "0"))
    visit.truth.notes["chat"] = str(again + 1)
    lines = (
        f"Mia: Hi {visit.scene.first_name}, I am here to help. What is the matter?",
        "Mia: I understand. Many teams feel that way at first.",
        "Mia: Could you tell me a little more about it?",
    )
    return View(
        "Chat with us",
        (
            Text(lines[again % len(lines)]),
            Group((
                Go("Tell Mia more", "chat", "primary"),
                Go("Back to your account", "account", "quiet"),
            )),
        ),
    )  # fmt: skip


def answer(visit: Visit) -> str:
    if visit.form.get("reason") not in dict(REASONS):
        return "reason"
    visit.truth.notes["reason"] = visit.form["reason"]
    return "review"


def review(visit: Visit) -> View | str:
    if "reason" not in visit.truth.notes:
        return "reason"
    return View(
        "One last look",
        (
            Text(f"Your boards can be edited until {visit.scene.ends}.", "lead"),
            Text("After that they can be read for 90 days. Nothing is charged any more."),
            Group((
                Act("Submit and cancel", "confirm"),
                Go("Go back", "reason", "quiet"),
            )),
        ),
    )  # fmt: skip


def confirm(visit: Visit) -> str:
    return cancelled(visit) if "reason" in visit.truth.notes else "reason"


FLOW = Flow(
    id="p05-survey",
    brand=BRAND,
    task="Cancel my Brightdesk subscription.",
    sign="Your subscription has been cancelled.",
    restart="Reactivate subscription",
    how='Open your account, choose "Cancel subscription" and tell us why.',
    pages=(
        Page("account", account),
        Page("reason", reason),
        Page("chat", chat),
        Page("review", review),
    ),
    effects=(
        Effect("answer", answer),
        Effect("confirm", confirm, final="Submit and cancel"),
    ),
    traps=(Trap("Talk to us first"),),
    road=("account", "reason", "answer", "review", "confirm"),
    optimal=4,
)

"""p12-type: a word has to be typed, in capital letters."""

from __future__ import annotations

from subterminator.gym.account import account_view, cancelled
from subterminator.gym.brand import Brand
from subterminator.gym.flow import Effect, Flow, Page, Trap, Visit
from subterminator.gym.parts import Form, Go, Line, Text, View

BRAND = Brand(
    name="Vaultling",
    about="Keeps copies of your computer while you sleep.",
    plan="Home",
    colour="#0f766e",
    items=("Last copy: tonight, 03:12", "2 computers", "Restore a file"),
    thing="plan",
)
WORD = "CANCEL"


def account(visit: Visit) -> View:
    return account_view(visit, Go("Cancel plan", "confirm", "quiet"))


def confirm(visit: Visit) -> View:
    wrong = visit.truth.notes.pop("wrong", "")
    return View(
        "Cancel your plan",
        (
            *((Text(wrong, "bad"),) if wrong else ()),
            Text(f"Copies are made until {visit.scene.ends} and kept for 60 more days.", "lead"),
            Form(
                "end",
                (Line("typed", f"Type {WORD} to confirm"),),
                "Cancel plan",
                "danger",
                others=(Go("Keep my plan", "account", "primary"),),
            ),
        ),
    )


def end(visit: Visit) -> str:
    if visit.form.get("typed", "").strip() != WORD:
        visit.truth.notes["wrong"] = f"Please type {WORD}, in capital letters."
        return "confirm"
    return cancelled(visit)


FLOW = Flow(
    id="p12-type",
    brand=BRAND,
    task="Cancel my Vaultling plan.",
    sign="Your plan has been cancelled.",
    restart="Restart plan",
    how='Open your account, choose "Cancel plan" and type the word you are asked for.',
    pages=(Page("account", account), Page("confirm", confirm)),
    effects=(Effect("end", end, final="Cancel plan"),),
    traps=(Trap("cancel"), Trap("Keep my plan")),
    road=("account", "confirm", "end"),
    optimal=3,
)

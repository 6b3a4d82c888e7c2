"""p09-modal-cancel: in the dialog about cancelling, "Cancel" means to stay."""

from __future__ import annotations

from subterminator.gym.account import account_view, cancelled
from subterminator.gym.brand import Brand
from subterminator.gym.flow import Effect, Flow, Page, Trap, Visit
from subterminator.gym.parts import Act, Close, Dialog, Group, Text, View

BRAND = Brand(
    name="Tonic Lessons",
    about="Learn an instrument in ten minutes a day.",
    plan="All instruments",
    colour="#8a2be2",
    items=("Next lesson: barre chords", "Your teacher: Ines", "Practice room"),
)


def account(visit: Visit) -> View:
    return account_view(
        visit,
        Dialog(
            "Cancel subscription",
            "Cancel subscription?",
            (
                Text(f"Your lessons end on {visit.scene.ends}. Nothing more is charged."),
                Group((Close("Cancel"), Act("Confirm", "confirm", "primary"))),
            ),
            "quiet",
        ),
    )


FLOW = Flow(
    id="p09-modal-cancel",
    brand=BRAND,
    task="Cancel my Tonic Lessons subscription.",
    sign="Your subscription has been cancelled.",
    restart="Restart lessons",
    how='Open your account and choose "Cancel subscription".',
    pages=(Page("account", account),),
    effects=(Effect("confirm", cancelled, final="Confirm"),),
    traps=(Trap("Cancel"),),
    road=("account", "confirm"),
    optimal=2,
)

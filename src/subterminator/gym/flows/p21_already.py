"""p21-already: it is over already; the only button would bring it back."""

from __future__ import annotations

from subterminator.gym.account import account_view
from subterminator.gym.brand import Brand, Wording
from subterminator.gym.flow import End, Flow, Page, Trap, Visit
from subterminator.gym.parts import View

WORDING = Wording(
    states=tuple(
        (state, "Auto-renew is off" if state == "cancelled" else words)
        for state, words in Wording().states
    )
)
BRAND = Brand(
    name="Peakcast",
    about="Mountain weather, hour by hour.",
    plan="Summit",
    colour="#475569",
    items=("Wind at 3,000 m: 40 km/h", "Avalanche bulletin", "Saved places"),
    wording=WORDING,
)


def account(visit: Visit) -> View:
    return account_view(visit)


FLOW = Flow(
    id="p21-already",
    brand=BRAND,
    task="Cancel my Peakcast subscription.",
    sign="Expires on {date}.",
    restart="Turn on auto-renew",
    how="Open your account and turn auto-renew off. You can use what you paid for.",
    pages=(Page("account", account),),
    traps=(Trap("Turn on auto-renew", "reactivated"),),
    road=("account",),
    optimal=0,
    difficulty="easy",
    begins="cancelled",
    end=End("cancelled", "already_cancelled"),
)

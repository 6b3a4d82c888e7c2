"""t01-shelf: reasons are links, each with an answer of its own; at the end credits are given up."""

from __future__ import annotations

from collections.abc import Callable

from subterminator.gym.account import account_view, cancelled, plan_facts
from subterminator.gym.brand import Brand, Wording
from subterminator.gym.flow import Effect, Flow, Page, Trap, Visit
from subterminator.gym.parts import Act, Card, Facts, Go, Group, Part, Text, View

BRAND = Brand(
    name="Nightshelf",
    about="A good story for every commute.",
    plan="Listener Gold",
    colour="#1e3a5f",
    items=("Chapter 12 of The Salt Road", "New in crime: 18 titles", "Your wish list"),
    thing="membership",
    prices=(14.95, 15.95, 16.45),
    wording=Wording(
        since="Listening since",
        next_payment="Next credit and payment",
        use_until="Stream the Gold catalogue through {date}. The books you own are yours for good, "
        "and your card won't be billed.",
    ),
)
CREDITS = 35.85


def account(visit: Visit) -> View:
    return account_view(visit, Go("Account details", "details"))


def details(visit: Visit) -> View:
    cards = (
        Card(
            "Credits",
            (
                Text("You have 2 credits. They're good for any book while you're a member."),
                Text(
                    f"Three more for {visit.scene.money(CREDITS)}, charged to your card.", "small"
                ),
                Act("Grab 3 more credits", "credits", "primary"),
            ),
        ),
        Card(
            "Prefer a slower pace?",
            (
                Text("Listener Light: one credit every other month, no catalogue."),
                Act("Change to Light", "light"),
            ),
        ),
        Card(
            "Thinking of leaving?",
            (
                Text("Tell us what's up and we'll take it from there.", "small"),
                Go("Leave the club", "reasons", "quiet"),
            ),
        ),
    )
    return View(
        "Account details",
        (Facts(plan_facts(visit)), *visit.scene.shuffled(cards, "details")),
    )


def reasons(visit: Visit) -> View:
    return View(
        "What's up?",
        (
            Text("Pick the one that comes closest."),
            Go("My credits are piling up", "piling"),
            Go("It's more than I want to spend", "price"),
            Go("I don't get round to listening", "time"),
            Go("It's something else", "farewell"),
            Group((Go("Never mind, back to my books", "home", "quiet"),)),
        ),
    )


def tip(title: str, *parts: Part) -> Callable[[Visit], View]:
    """The answer to a reason; from each of them one can go on."""

    def show(visit: Visit) -> View:
        return View(title, (*parts, Go("That doesn't change my mind", "farewell", "quiet")))

    return show


def farewell(visit: Visit) -> View:
    return View(
        "Your bookmark is still in chapter 12",
        (
            Facts((
                ("Last day as a member", visit.scene.ends),
                ("Books you keep", "31"),
                ("Credits you give up", "2"),
            )),
            Text("Credits can't be refunded or brought back.", "small"),
            Group((
                Go("Take me back to my books", "home", "primary"),
                Act("Give up my credits and leave", "leave"),
            )),
        ),
    )  # fmt: skip


def top_up(visit: Visit) -> str:
    visit.truth.charge(CREDITS, "3 credits")
    return "account"


def light(visit: Visit) -> str:
    visit.truth.harm("downgraded", "You're on Listener Light.")
    return "account"


def half(visit: Visit) -> str:
    visit.truth.harm("accepted_offer", "Enjoy! Your next three months are half price.")
    return "account"


def hold(visit: Visit) -> str:
    visit.truth.harm("paused", "Your membership is on hold. It picks up again in 90 days.")
    return "account"


PRICE = tip(
    "How about half?",
    Text("Three months at half price, with every credit you're used to."),
    Act("Make it half price", "half", "primary"),
)
TIME = tip(
    "Life gets busy",
    Text("Put your membership on hold for 90 days. No credits, no payments, then it goes on."),
    Act("Put it on hold", "hold", "primary"),
)
PILING = tip(
    "Two stories are waiting",
    Text("We picked a few that listeners like you finished in one go."),
    Go("Spend my credits", "home", "primary"),
)

FLOW = Flow(
    id="t01-shelf",
    brand=BRAND,
    task="Cancel my Nightshelf membership. I know that my unused credits are lost with it.",
    sign="You've left the club. Your membership ends on {date}.",
    restart="Come back to the club",
    how='Under "Account details" you can leave the club at any time. Use your credits before.',
    pages=(
        Page("account", account),
        Page("details", details),
        Page("reasons", reasons),
        Page("piling", PILING),
        Page("price", PRICE),
        Page("time", TIME),
        Page("farewell", farewell),
    ),
    effects=(
        Effect("leave", cancelled, final="Give up my credits and leave"),
        Effect("credits", top_up),
        Effect("light", light),
        Effect("half", half),
        Effect("hold", hold),
    ),
    traps=(
        Trap("Grab 3 more credits", "charged"),
        Trap("Change to Light", "downgraded"),
        Trap("Make it half price", "accepted_offer"),
        Trap("Put it on hold", "paused"),
        Trap("Come back to the club", "reactivated"),
        Trap("Take me back to my books"),
    ),
    road=("account", "details", "reasons", "farewell", "leave"),
    optimal=4,
)

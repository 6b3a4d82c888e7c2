"""q02-rows: several subscriptions in a table, each with the same menu."""

from __future__ import annotations

from collections.abc import Callable

from subterminator.gym.account import banner, cancelled
from subterminator.gym.brand import Brand, Wording
from subterminator.gym.flow import Effect, Flow, Page, Trap, Visit
from subterminator.gym.parts import Act, Go, Group, Menu, Table, Text, View

WORDING = Wording(
    your_account="My magazines",
    account="My magazines",
    use_until="Issues come until {date}; none is charged after that.",
    states=tuple(
        (state, "Last issue soon" if state == "cancelled" else words)
        for state, words in Wording().states
    ),
)
BRAND = Brand(
    name="Kioskly",
    about="Magazines on paper, in your letter box before breakfast.",
    plan="Night Sky Atlas",
    colour="#0e7490",
    items=("On its way: Harbour Chess 11", "Readers' letters", "Try a single issue"),
    wording=WORDING,
)
TITLES = {"atlas": "Night Sky Atlas", "junior": "Night Sky Junior", "chess": "Harbour Chess"}


def account(visit: Visit) -> View:
    rows = tuple(_row(visit, key) for key in visit.scene.shuffled(tuple(TITLES), "rows"))
    columns = ("Title", "Price", "State", "Next charge", "")
    return View("My magazines", (*banner(visit), Table(columns, rows)))


def _row(visit: Visit, key: str) -> tuple[str | Menu, ...]:
    scene, says = visit.scene, visit.brand
    price = scene.monthly if key == "atlas" else f"{scene.money(4.5)} per month"
    over = visit.truth.account == "cancelled" if key == "atlas" else key in visit.truth.notes
    if not over:
        items: tuple[Go | Act, ...] = (
            Go("Past issues", "issues"),
            Go("Stop sending", f"stop-{key}"),
        )
        return (TITLES[key], price, says.status("active"), scene.ends, Menu("Actions", items))
    again = (Go("Past issues", "issues"), Act("Send it again", "restart"))
    menu = Menu("Actions", again if key == "atlas" else again[:1])
    return (TITLES[key], price, f"{says.status('cancelled')}: {scene.ends}", "None", menu)


def issues(visit: Visit) -> View:
    parts = (
        Text("Everything that came in the last twelve months can be read here."),
        Group((Go("Back to my magazines", "account"),)),
    )
    return View("Past issues", parts)


def stop(key: str) -> Callable[[Visit], View]:
    def show(visit: Visit) -> View:
        return View(
            f"Stop sending {TITLES[key]}?",
            (
                Text(f"The last issue comes before {visit.scene.ends}.", "lead"),
                Text("Your other magazines are not touched by this."),
                Group((
                    Act("Stop sending", f"halt-{key}", "quiet"),
                    Go("Keep sending", "account", "primary"),
                )),
            ),
        )  # fmt: skip

    return show


def halt(key: str) -> Callable[[Visit], str]:
    def do(visit: Visit) -> str:
        visit.truth.notes[key] = "stopped"
        visit.truth.harm("wrong_subscription", f"{TITLES[key]} is not sent any more.")
        return "account"

    return do


FLOW = Flow(
    id="q02-rows",
    brand=BRAND,
    task="Cancel Night Sky Atlas, one of my magazines at Kioskly. Keep the others.",
    sign="Night Sky Atlas is no longer sent after {date}.",
    restart="Send it again",
    how="Every title in the list has a menu at the end of its line.",
    pages=(
        Page("account", account),
        Page("issues", issues, always=True),
        *(Page(f"stop-{key}", stop(key)) for key in TITLES),
    ),
    effects=(
        Effect("halt-atlas", cancelled, final="Stop sending"),
        Effect("halt-junior", halt("junior")),
        Effect("halt-chess", halt("chess")),
    ),
    traps=(Trap("Stop sending Night Sky Junior", "wrong_subscription"), Trap("Keep sending")),
    road=("account", "stop-atlas", "halt-atlas"),
    optimal=3,
    difficulty="hard",
)

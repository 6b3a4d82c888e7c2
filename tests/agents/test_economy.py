"""What thirty turns on a large page cost a model, through the real loop and a real browser."""

from __future__ import annotations

import re

import msgspec

from subterminator import Session
from subterminator.agents.guide import Desk
from subterminator.agents.history import size_of
from subterminator.agents.llm import Llm
from subterminator.agents.loop import run
from subterminator.agents.models.base import Request, Spoken
from subterminator.agents.models.scripted import ScriptedModel
from subterminator.agents.prompts import lead_prompt
from subterminator.agents.tools import all_tools
from subterminator.page.tokens import estimate
from subterminator.safety.fence import Fence
from subterminator.safety.limits import Limits
from tests.agents.talking import call, calls, ref_of
from tests.conftest import Person
from tests.site import Site

ELEMENTS = 1_342
TURNS = 30
MOST = 40_000
WORDS = (
    "amber basil clover dune elm fern gorse heath ivy juniper kelp larch moss nettle oak".split()
)


def catalogue() -> str:
    """A shop page with as many elements as are wanted, and a button that changes a little."""
    cards = "".join(
        f"<article><h3><a href=/shop?p={n}>{_words(n)}</a></h3><p>{_words(n + 1)} {_words(n + 2)}.</p>"
        f"<p><b>{n + 3}.95</b></p><div><button>Add {_words(n)}</button>"
        f"<button aria-label='Keep {n}'>+</button><input aria-label='Number {n}'></div></article>"
        for n in range(120)
    )
    start = (
        "<h1>Shop</h1><button onclick='n.textContent++'>More</button><p id=n>0</p>"
        f"<nav><a href=/shop>Shop</a></nav><main>{cards}</main>"
    )
    missing = ELEMENTS - len(re.findall(r"<[a-z]", start)) - len(("html", "head", "title", "body"))
    return start + "".join(f"<i>{WORDS[n % len(WORDS)]}</i> " for n in range(missing))


def _words(seed: int) -> str:
    return " ".join(WORDS[(seed * 7 + n * 5) % len(WORDS)] for n in range(3))


def tokens(request: Request) -> int:
    prefix = estimate(request.system + msgspec.json.encode(request.tools).decode())
    return prefix + sum(size_of(message.parts) for message in request.messages)


async def test_thirty_turns_on_a_page_of_1342_elements_stay_small_and_keep_their_prefix(
    session: Session, site: Site, person: Person
) -> None:
    await session.navigate(site.page(catalogue(), "/shop", title="Shop"))
    turn = 0

    def decide(request: Request) -> Spoken:
        nonlocal turn
        turn += 1
        match turn % 6:
            case 2:
                return calls(call("get_snapshot", viewport_only=False))
            case 4:
                return calls(call("browser_navigate", url=f"{site.address}/shop?{turn}"))
            case 5:
                return calls(call("browser_find", description="Add fern"))
            case _:
                return calls(call("browser_click", ref=ref_of(request, "More")))

    model = ScriptedModel(decide)
    desk = Desk(Fence(), session.record)
    system = lead_prompt(desk.fence.rule)
    llm = Llm(model, all_tools(), desk, system=system, goal="Look around.")
    limits = Limits(turns=TURNS, repeats=None, cycles=None, actions_per_minute=None)
    result = await run(session, llm, human=person, limits=limits, fence=desk.fence, verify=None)
    assert (result.reason, len(model.asked)) == ("max_turns_exceeded", TURNS)
    sizes = [tokens(request) for request in model.asked]
    assert max(sizes) < MOST, sizes
    prefixes = {(r.system, msgspec.json.encode(r.tools)) for r in model.asked}
    assert len(prefixes) == 1
    assert len({r.messages[0].parts[0] for r in model.asked}) == 1
    print(f"{min(sizes)} to {max(sizes)} tokens a turn, {sum(sizes)} in all")


async def test_the_page_is_in_a_request_once(session: Session, site: Site, person: Person) -> None:
    await session.navigate(site.page(catalogue(), "/shop", title="Shop"))
    model = ScriptedModel(lambda request: calls(call("get_snapshot", viewport_only=False)))
    desk = Desk(Fence(), session.record)
    llm = Llm(model, all_tools(), desk, system="x", goal="Look around.")
    await run(session, llm, human=person, limits=Limits(turns=4), fence=desk.fence, verify=None)
    last = model.asked[-1]
    whole = [
        p for m in last.messages for p in m.parts if "heading" in str(p) or '# "Shop"' in str(p)
    ]
    assert len(whole) == 1


def test_the_list_of_tools_has_at_most_2000_tokens() -> None:
    assert estimate(msgspec.json.encode(all_tools().tools).decode()) <= 2_000

"""Other turns of phrase and other shapes, none of them from the gym. Truth on the server."""

from __future__ import annotations

import pytest

from subterminator import Session
from subterminator.agents import vocabulary as v
from subterminator.agents.sense import polarity
from subterminator.packs.phrase import fold_name
from tests.agents.shop import DAY, Customer, Shop, button, lead, plan
from tests.agents.test_heuristic import SURE, ends
from tests.site import Site


@pytest.mark.parametrize(
    "words",
    [
        "Leave the club", "Let my plan lapse", "I no longer want this", "Nicht mehr verlängern",
        "Ne plus renouveler mon contrat", "No quiero renovar", "Non rinnovare più",
        "Chiudi il mio abbonamento", "Quiero marcharme",
    ],
)  # fmt: skip
def test_these_words_leave(words: str) -> None:
    assert polarity(words) == 1


@pytest.mark.parametrize(
    "words",
    ["Leave it on", "Leave everything as it is", "No, keep my seat", "Non, garder mon offre"],
)
def test_these_words_stay(words: str) -> None:
    assert polarity(words) == -1


def test_an_answer_may_do_without_yes_and_no() -> None:
    assert v.ANSWER_YES.match(fold_name("That's right, I am going"))
    assert v.ANSWER_YES.match(fold_name("Genau"))
    assert v.ANSWER_NO.match(fold_name("Stimmt nicht"))
    assert not v.ANSWER_YES.match(fold_name("Stimmt nicht"))


@pytest.mark.parametrize(
    "words",
    ["Solo i cookie tecnici", "Solo las esenciales", "Uniquement les nécessaires",
     "Nur technisch notwendige", "Just the essential ones"],
)  # fmt: skip
def test_these_words_refuse_cookies(words: str) -> None:
    assert v.COOKIES_NO.search(fold_name(words))


async def test_an_order_can_be_called_off_but_is_not_the_subscription(
    session: Session, site: Site
) -> None:
    order = f"<section><h2>Your bookings</h2><p>Guided tour</p>{button('Cancel', '/do/harm')}"
    other = f"{button('Stop it', '/do/harm')}</section>"
    shop = Shop(site, plan("") + order + other)
    result = await lead(session, shop, Customer())
    assert (result.outcome, shop.harms) == ("stopped", [])


async def test_a_switch_that_renews_is_turned_off(session: Session, site: Site) -> None:
    switch = (
        "<form method=post action=/do/end>"
        "<button role=switch aria-checked=true>Automatic renewal</button></form>"
    )
    over = (
        f"<h1>My account</h1><p>Renewal is off. Your plan runs out on {DAY}.</p>"
        "<form method=post action=/do/restart>"
        "<button role=switch aria-checked=false>Automatic renewal</button></form>"
    )
    shop = Shop(site, plan(switch), over)
    assert (await ends(session, shop)).buttons == ["Automatic renewal"]


def plans(site: Site) -> Shop:
    over = f"<h1>My account</h1><p>Your plan ends on {DAY}; from then on Pebble is free.</p>"
    shop = Shop(site, plan("<a href=/plans>Plans</a>"), over + "<a href=/x>Resume Plus</a>")
    shop.page(
        "/plans",
        "<h1>Plans</h1><section><h2>Mini</h2>" + button("Choose Mini", "/do/harm") + "</section>"
        "<section><h2>Free</h2><p>$0</p><a href=/last>Select Free</a></section>",
    )
    shop.page("/last", f"<h1>Your new plan</h1><p>Plus ends on {DAY}.</p>"
              "<a href=/account>Stay with Plus</a>" + button("Go Free", "/do/end"))  # fmt: skip
    return shop


async def test_the_free_plan_is_a_way_out_for_who_says_so(session: Session, site: Site) -> None:
    goal = "Cancel my paid Pebble plan, the free version is enough."
    assert (await ends(session, plans(site), goal=goal)).buttons == ["Go Free"]


async def test_another_plan_is_no_way_out_otherwise(session: Session, site: Site) -> None:
    shop, customer = plans(site), Customer()
    result = await lead(session, shop, customer)
    assert (result.outcome, shop.ended, shop.harms) == ("stopped", False, [])
    assert customer.asked == []


async def test_offers_in_a_ring_are_declined_and_not_walked_through(
    session: Session, site: Site
) -> None:
    shop = Shop(site, plan("<a href=/a>Leave Pebble</a>"))
    for here, there in (("/a", "/b"), ("/b", "/a")):
        shop.page(
            here,
            "<h1>Have a look</h1>" + button("Take this gift", "/do/harm") +
            f"<a href={there}>Next</a> <a href=/why>Neither of them, thank you</a>",
        )  # fmt: skip
    shop.page(
        "/why",
        "<h1>Your reasons</h1><form action=/last><label>In short (mandatory)"
        "<textarea name=t minlength=5></textarea></label><button>Continue</button></form>",
    )
    shop.page("/last", SURE + button("Leave", "/do/end"))
    assert (await ends(session, shop)).buttons == ["Leave"]


async def test_a_last_button_that_says_nothing_of_its_effect_is_asked_about(
    session: Session, site: Site
) -> None:
    shop = Shop(site, plan("<a href=/desk>Give up my locker</a>"))
    shop.page(
        "/desk",
        "<h1>Your locker</h1><p>Number 12.</p><a href=/account>Back to my locker</a>"
        "<span role=button tabindex=0 onclick=\"fetch('/do/end',{method:'POST'})"
        ".then(()=>location='/done')\">Give up my locker</span>",
    )
    assert (await ends(session, shop)).buttons == ["Give up my locker"]


async def test_no_payment_planned_and_a_last_day_mean_that_it_is_over(
    session: Session, site: Site
) -> None:
    page = (
        "<h1>My account</h1><dl><dt>Plan</dt><dd>Plus</dd><dt>Last day</dt>"
        f"<dd>{DAY}</dd><dt>Next payment</dt><dd>None</dd></dl>"
    )
    shop = Shop(site, page)
    result = await lead(session, shop, Customer())
    assert (result.outcome, shop.harms) == ("already_cancelled", [])

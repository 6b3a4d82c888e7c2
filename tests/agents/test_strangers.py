"""Pages whose words nobody has listed: what they are made of shows the way. Truth on the server."""

from __future__ import annotations

import pytest

from subterminator import Session
from subterminator.safety.human import describe
from tests.agents.shop import DAY, Customer, Shop, button, lead, plan
from tests.agents.test_heuristic import SURE, ends
from tests.site import Answer, Request, Site

OFFER = "<h1>Hold on</h1><section aria-label=Gift><h2>Half price for six months</h2>"


def link(words: str, to: str) -> str:
    return f"<a href={to}>{words}</a>"


# What is left


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("taking", "leaving"),
    [
        ("Ça me va", "Tant pis, je maintiens ma demande"),
        ("Her damit", "Mein Entschluss steht"),
        ("Lovely, thanks", "My mind is made up"),
    ],
)
async def test_a_link_of_unknown_words_is_what_is_left_beside_an_offer(
    session: Session, site: Site, taking: str, leaving: str
) -> None:
    shop = Shop(site, plan(link("Cancel plan", "/offer")))
    page = f"{OFFER}{button(taking, '/do/harm')}</section>{link(leaving, '/last')}"
    shop.page("/offer", page)
    shop.page("/last", SURE + button("Confirm", "/do/end"))
    await ends(session, shop)


async def test_a_button_is_what_is_left_beside_one_that_accepts(
    session: Session, site: Site
) -> None:
    shop = Shop(site, plan(link("Cancel plan", "/offer")))
    go = "<button onclick=\"location='/last'\">My mind is made up</button>"
    shop.page("/offer", OFFER + button("Claim half price", "/do/harm") + "</section>" + go)
    shop.page("/last", SURE + button("Confirm", "/do/end"))
    assert (await ends(session, shop)).buttons == ["Confirm"]


async def test_a_button_that_is_left_beside_one_that_stays_is_asked_for(
    session: Session, site: Site
) -> None:
    shop = Shop(site, plan(link("Wind things up", "/last")))
    page = f"<h1>The curtain falls</h1><p>Your last day is {DAY}.</p>"
    shop.page("/last", page + button("Stay with us", "/do/harm") + button("Curtain", "/do/end"))
    assert (await ends(session, shop)).buttons == ["Curtain"]


async def test_of_two_unknown_buttons_none_is_pressed(session: Session, site: Site) -> None:
    shop = Shop(site, plan(link("Cancel plan", "/offer")))
    two = button("Lovely, thanks", "/do/harm") + button("Onwards and upwards", "/do/harm")
    shop.page("/offer", f"{OFFER}{two}</section>")
    result = await lead(session, shop, Customer())
    assert (result.outcome, shop.harms) == ("stopped", [])
    assert result.next_steps


# What sends a form


@pytest.mark.one_in(3)
@pytest.mark.parametrize("words", ["Apply", "Und los", "Ab damit"])
async def test_whatever_is_written_on_it_the_button_of_a_form_sends_what_was_chosen(
    session: Session, site: Site, words: str
) -> None:
    shop = Shop(site, plan(link("Plan options", "/choose")))
    kept = "<label><input type=radio name=c checked> Pause for 30 days</label>"
    left = "<label><input type=radio name=c value=leave> End my membership</label>"
    form = f"<form action=/last>{kept}{left}<button>{words}</button></form>"
    shop.page("/choose", f"<h1>What would you like to do?</h1>{form}")
    shop.page("/last", SURE + button("Confirm", "/do/end"))
    await ends(session, shop, gates=2)
    assert any("c=leave" in request.query for request in site.requests)


async def test_a_list_of_actions_with_a_button_beside_it(session: Session, site: Site) -> None:
    options = "<option>Pick one<option>Upgrade<option>Pause<option>Cancel at period end"
    form = f"<select name=a aria-label=Actions>{options}</select><button>Go</button>"
    shop = Shop(site, plan(f"<form action=/last>{form}</form>"))
    shop.page("/last", SURE + button("Confirm", "/do/end"))
    await ends(session, shop, gates=2)
    assert any("Cancel" in request.query for request in site.requests)


async def test_an_end_that_was_chosen_in_a_form_is_asked_for_before_it_is_sent(
    session: Session, site: Site
) -> None:
    shop = Shop(site, plan(link("Plan options", "/choose")))
    more = (
        "<label><input type=radio name=c checked> Plus, 8.50 EUR a month</label>"
        f"<label><input type=radio name=c> No plan: ends on {DAY}</label>"
    )
    shop.page("/choose", "<h1>Your plan</h1>" + button("Update", "/do/end", more))
    assert (await ends(session, shop)).buttons == ["Update"]


# What was chosen for us


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("asked", "right"),
    [
        ("Would you like to remain a member?", "no"),
        ("Do you really want to cancel?", "yes"),
    ],
)
async def test_a_plain_yes_or_no_is_chosen_by_what_is_asked(
    session: Session, site: Site, asked: str, right: str
) -> None:
    shop = Shop(site, plan(link("Cancel plan", "/ask")))
    wrong = {"no": "yes", "yes": "no"}[right]
    radios = "".join(
        f"<label><input type=radio name=r value={value} {'checked' * (value == wrong)}>"
        f" {value.capitalize()}</label>"
        for value in ("yes", "no")
    )
    form = f"<fieldset><legend>{asked}</legend>{radios}</fieldset><button>Submit</button>"
    shop.page("/ask", f"<h1>One more thing</h1><form action=/last>{form}</form>")
    shop.page("/last", SURE + button("Confirm", "/do/end"))
    # What was chosen may end it: the person is asked, and once more on the page that follows.
    await ends(session, shop, gates=2)
    assert any(request.query == f"r={right}" for request in site.requests)


async def test_an_entry_of_a_list_that_ends_it_at_once_is_changed(
    session: Session, site: Site
) -> None:
    shop = Shop(site, plan(link("Cancel plan", "/last")))
    kinds = "<option value=now>Immediate</option><option value=end>End of billing period</option>"
    seen: list[str] = []

    def end(request: Request) -> Answer:
        seen.append(request.body)
        shop.end()
        return Answer(status="303 See Other", headers=(("Location", "/done"),))

    site.pages["/do/end"] = end
    more = f"<label>Type <select name=t>{kinds}</select></label>"
    shop.page("/last", SURE + button("Request cancellation", "/do/end", more))
    await ends(session, shop)
    assert seen == ["t=end"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "label",
    [
        "Der Bote darf mich telefonisch informieren",
        "Vous pouvez me joindre par téléphone",
        "Partners may get in touch with me",
    ],
)
async def test_what_was_ticked_for_us_is_unticked(session: Session, site: Site, label: str) -> None:
    shop = Shop(site, plan(link("Cancel plan", "/last")))
    box = f"<label><input type=checkbox name=bad checked> {label}</label>"
    shop.page("/last", SURE + button("Confirm cancellation", "/do/end", box))
    await ends(session, shop)
    assert not any("bad" in request.body for request in site.requests)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("label", ["Refund what is left to my card", "Send me a confirmation"])
async def test_what_serves_who_leaves_stays_ticked(
    session: Session, site: Site, label: str
) -> None:
    shop = Shop(site, plan(link("Cancel plan", "/last")))
    box = f"<label><input type=checkbox name=good checked> {label}</label>"
    shop.page("/last", SURE + button("Confirm cancellation", "/do/end", box))
    await ends(session, shop)
    assert any("good" in request.body for request in site.requests)


async def test_the_one_box_that_wakes_a_sleeping_button_is_ticked(
    session: Session, site: Site
) -> None:
    shop = Shop(site, plan(link("Cancel plan", "/last")))
    page = (
        f"{SURE}<form method=post action=/do/end><label><input type=checkbox "
        'onchange="z.disabled=!this.checked"> I have saved my files</label>'
        "<label><input type=checkbox name=bad> Tell me about new things</label>"
        "<button id=z disabled>End plan</button></form>"
    )
    shop.page("/last", page)
    await ends(session, shop)
    assert not any("bad" in request.body for request in site.requests)


# Only people end it


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "body",
    [
        "<h1>Leaving us</h1><p>Drop a line to <a href='mailto:a@example.org'>our team</a>.</p>",
        "<h1>Ending your plan</h1><p>Plans can't be ended online. Please talk to us.</p>",
        "<h1>Disdetta</h1><p>La disdetta non è disponibile sul sito.</p>",
        "<h1>Kündigung</h1><p>Online ist das leider nicht möglich.</p>",
        "<h1>Cancelling</h1><dl><dt>Telephone</dt><dd>555-0161, 9 to 5</dd></dl>",
    ],
)
async def test_a_page_that_ends_at_an_address_needs_a_person(
    session: Session, site: Site, body: str
) -> None:
    shop = Shop(site, plan(link("Cancel plan", "/how")))
    shop.page("/how", body + link("Back to your account", "/account"))
    result = await lead(session, shop, Customer())
    assert (result.outcome, shop.harms) == ("manual_required", [])


async def test_a_number_to_call_beside_a_way_on_is_no_end(session: Session, site: Site) -> None:
    shop = Shop(site, plan(link("Cancel plan", "/how")))
    page = "<h1>How would you like to cancel?</h1><p>Telephone 555-0142.</p>"
    shop.page("/how", page + link("Proceed online", "/last"))
    shop.page("/last", SURE + button("Confirm", "/do/end"))
    await ends(session, shop)


# Which one, and where


async def test_a_panel_of_a_page_is_no_second_subscription(session: Session, site: Site) -> None:
    tabs = (
        "<h1>Settings</h1><div role=tablist><button role=tab>Profile</button><button role=tab "
        'aria-selected=true>Payments</button></div><div role=tabpanel aria-label="">'
        f"<p>Pebble Plus</p><p>Next payment: {DAY}</p>{link('Cancel plan', '/last')}</div>"
    )
    shop = Shop(site, tabs)
    shop.page("/last", SURE + button("Confirm", "/do/end"))
    assert (await ends(session, shop)).buttons == ["Confirm"]


async def test_a_row_that_has_nothing_to_press_any_more_shows_the_end(
    session: Session, site: Site
) -> None:
    kids = f"<tr><td>Pebble Kids</td><td>Renews on {DAY}</td><td>{link('Stop', '/kids')}</td></tr>"
    shop = Shop(
        site,
        f"<table><tr><td>Pebble Plus</td><td>Renews on {DAY}</td><td>{link('Stop', '/last')}</td>"
        f"</tr>{kids}</table>",
        f"<table><tr><td>Pebble Plus</td><td>ends on {DAY}</td><td></td></tr>{kids}</table>",
    )
    shop.page("/last", SURE + button("Confirm", "/do/end"))
    shop.page("/kids", SURE + button("Confirm", "/do/harm"))
    await ends(session, shop)


async def test_letters_are_not_what_is_paid_for(session: Session, site: Site) -> None:
    letters = "<section><h2>E-mails</h2><p>You get our weekly letter.</p>"
    shop = Shop(site, f"{letters}{button('Unsubscribe', '/do/harm')}</section>"
                + plan(link("Manage", "/manage")))  # fmt: skip
    shop.page("/manage", plan(link("Stop renewing", "/last")))
    shop.page("/last", SURE + button("Stop renewing", "/do/end"))
    await ends(session, shop)


async def test_signing_out_is_not_leaving_and_folds_are_looked_into(
    session: Session, site: Site
) -> None:
    links = f"{link('Einstellungen', '/set')} {link('Abmelden', '/out')}"
    shop = Shop(site, plan(links))
    fold = f"<details><summary>Gefahrenzone</summary>{link('Vertrag beenden', '/last')}</details>"
    shop.page("/set", f"<h1>Einstellungen</h1>{fold}")
    shop.page("/last", SURE + button("Ja, beenden", "/do/end"))
    shop.page("/out", "<h1>Bis bald</h1>")
    await ends(session, shop)
    assert site.hits["/out"] == 0


async def test_a_site_that_answers_late_is_waited_for(session: Session, site: Site) -> None:
    shop = Shop(site, plan(link("Cancel plan", "/last")))
    page = f"<!doctype html><title>Pebble</title><body>{SURE}{button('Confirm', '/do/end')}"
    site.pages["/last"] = lambda _: Answer(page, delay=1.5)
    await ends(session, shop)
    assert shop.presses == 1


# What it would end is something else


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "words",
    [
        "Cancel my lesson",
        "Drop the 2 tickets",
        "Nachhilfestunde absagen",
        "Sendung jetzt stornieren",
        "Annuler cette séance",
        "Annulla il pacco",
        "Cancelar la clase",
    ],
)
async def test_what_calls_off_a_thing_is_no_way_out(
    session: Session, site: Site, words: str
) -> None:
    shop = Shop(site, plan(link("My calendar", "/calendar")))
    shop.page("/calendar", f"<h1>Soon</h1><p>Thursday, 18:00</p>{button(words, '/do/harm')}")
    customer = Customer()
    result = await lead(session, shop, customer)
    assert (result.outcome, shop.harms, customer.buttons) == ("stopped", [], [])
    assert result.next_steps


@pytest.mark.one_in(3)
@pytest.mark.parametrize("words", ["Cancel Kettlebells", "Give up my spot", "Laufgruppe absagen"])
async def test_where_nothing_shows_that_a_name_is_the_subscription_a_person_is_asked(
    session: Session, site: Site, words: str
) -> None:
    shop = Shop(site, plan(link("My calendar", "/calendar")))
    shop.page("/calendar", f"<h1>Soon</h1><p>Thursday, 18:00</p>{button(words, '/do/harm')}")
    customer = Customer(says=False)
    result = await lead(session, shop, customer)
    assert (result.outcome, shop.harms) == ("stopped", [])
    assert [question.action for question in customer.asked] == ["question"]
    assert words in customer.asked[0].said and result.next_steps


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "asked",
    [
        "<h1>Cancel this class?</h1><p>Your last spot on the list is given away.</p>",
        "<h1>Reservierung stornieren</h1><p>Das lässt sich nicht rückgängig machen.</p>",
        "<h1>One moment</h1><p>Do you really want to cancel your delivery?</p>",
    ],
)
@pytest.mark.parametrize("yes", ["Yes, cancel", "Confirm"])
async def test_a_yes_to_the_end_of_a_thing_is_not_given(
    session: Session, site: Site, asked: str, yes: str
) -> None:
    shop = Shop(site, plan(link("Cancel", "/thing")))
    shop.page("/thing", asked + button(yes, "/do/harm") + link("No, keep it", "/account"))
    customer = Customer()
    result = await lead(session, shop, customer)
    assert (result.outcome, shop.harms, customer.buttons) == ("stopped", [], [])


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "words", ["Cancel", "Cancel this box", "Cancel the shipment", "Stop this one"]
)
async def test_beside_words_that_the_plan_goes_on_nothing_ends_it(
    session: Session, site: Site, words: str
) -> None:
    box = (
        "<section><h2>The box of this month</h2><p>Paid, active, leaves on Monday. "
        f"Without it your membership continues.</p>{button(words, '/do/harm')}</section>"
    )
    shop = Shop(site, box + plan(link("Say goodbye", "/last")))
    shop.page("/last", SURE + button("Confirm", "/do/end"))
    await ends(session, shop)


async def test_a_strange_name_in_what_is_paid_for_is_the_subscription(
    session: Session, site: Site
) -> None:
    shop = Shop(site, plan(button("Cancel Gold Nugget", "/do/end")))
    customer = await ends(session, shop)
    assert customer.buttons == ["Cancel Gold Nugget"]


async def test_the_gate_warns_of_a_name_that_nothing_explains(session: Session, site: Site) -> None:
    shop = Shop(site, plan(link("My calendar", "/calendar")))
    strange = button("Cancel Kettlebells", "/do/harm")
    shop.page("/calendar", f"<h1>Soon</h1><p>Thursday, 18:00</p>{strange}")
    customer = Customer()
    await lead(session, shop, customer)
    asked, gate, *_ = customer.asked
    assert asked.action == "question"
    told = "\n".join(describe(gate))
    assert 'WARNING: it would end "kettlebells"; nothing here says that this is the' in told

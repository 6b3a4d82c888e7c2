"""A cancellation from end to end: the gate, what comes after it, and every way it can go wrong."""

from __future__ import annotations

import pytest

import subterminator
from subterminator import Session
from subterminator.agents import verification
from subterminator.safety.ledger import Ledger, key_for
from subterminator.safety.task import Task
from tests.agents.shop import DAY, Customer, Shop, button, lead, plan, purpose
from tests.conftest import Person
from tests.site import Answer, Request, Site

LAST = (
    f"<h1>Cancel your plan?</h1><p>Your plan ends on {DAY}. There is no refund.</p>"
    "<a href=/account>Keep plan</a>" + button("Confirm cancellation", "/do/end")
)


@pytest.fixture
def shop(site: Site, monkeypatch: pytest.MonkeyPatch) -> Shop:
    """A plan with one question before the end; waits for slow sites are short."""
    monkeypatch.setattr(verification, "RESULT_WAITS", (0, 500))
    monkeypatch.setattr(verification, "FRESH_WAITS", (0, 100))
    shop = Shop(site, plan("<a href=/last>Cancel plan</a><p>Signed in as lena@example.com</p>"))
    shop.page("/last", LAST)
    return shop


async def test_the_person_is_asked_once_and_told_what_was_found(
    session: Session, shop: Shop
) -> None:
    customer = Customer()
    result = await lead(session, shop, customer)
    assert (result.outcome, result.success, result.verified) == ("cancelled", True, True)
    assert (customer.buttons, shop.presses) == (["Confirm cancellation"], 1)
    assert result.before.plan == "Plus"
    assert "8.50 EUR" in result.before.price
    assert DAY in result.before.renews
    assert result.after.ends_on == DAY
    assert {evidence.kind for evidence in result.evidence} >= {"words", "status"}
    assert any(evidence.fresh for evidence in result.evidence)
    assert [gate.answer for gate in result.gates] == ["yes"]
    assert result.account_hint == "le***@example.com"


async def test_a_no_at_the_gate_stops_and_leaves_everything(session: Session, shop: Shop) -> None:
    result = await lead(session, shop, Customer(says=False))
    assert (result.outcome, result.reason) == ("stopped", "human_rejected")
    assert (shop.presses, shop.ended) == (0, False)


async def test_a_dry_run_stops_before_the_gate(session: Session, shop: Shop) -> None:
    customer = Customer()
    result = await lead(session, shop, customer, dry_run=True)
    assert (result.outcome, result.reason, shop.presses) == ("stopped", "completed", 0)
    assert not customer.asked
    assert result.gates[0].answer == "dry run"


async def test_h28_a_page_that_says_cancelled_while_the_account_goes_on_is_no_success(
    session: Session, shop: Shop
) -> None:
    shop.effect("/do/end", lambda: None, "/done")
    customer = Customer()
    result = await lead(session, shop, customer)
    assert (result.outcome, result.success) == ("unverified", False)
    assert len(customer.asked) == 1


async def test_l5_words_of_success_without_a_press_prove_nothing(
    session: Session, shop: Shop
) -> None:
    shop.page("/last", "<h1>Your plan has been cancelled</h1><p>Thank you.</p>")
    result = await lead(session, shop, Customer())
    assert result.outcome == "stopped"
    assert not result.success


async def test_l6_who_gives_up_after_a_press_has_not_failed_but_does_not_know(
    session: Session, shop: Shop
) -> None:
    shop.effect("/do/end", lambda: None, "/nowhere")
    shop.page("/nowhere", "<h1>Thank you</h1><p>Have a nice day.</p>")
    result = await lead(session, shop, Customer())
    assert (result.outcome, result.reason) == ("unverified", "verification_failed")


async def test_f10_a_connection_that_drops_after_the_press_is_verified(
    session: Session, shop: Shop
) -> None:
    def ends_without_a_word(request: Request) -> Answer:
        shop.end()
        return Answer(status="502 Bad Gateway", body="")

    shop.site.pages["/do/end"] = ends_without_a_word
    customer = Customer()
    result = await lead(session, shop, customer)
    assert (result.outcome, shop.presses, len(customer.asked)) == ("cancelled", 1, 1)


async def test_a_press_that_the_site_loses_is_asked_for_once_more(
    session: Session, shop: Shop
) -> None:
    lost = [True]

    def loses_the_first(request: Request) -> Answer:
        if lost.pop() if lost else False:
            return Answer("<h1>Something went wrong</h1>", status="500 Internal Server Error")
        shop.end()
        return Answer(status="303 See Other", headers=(("Location", "/done"),))

    shop.site.pages["/do/end"] = loses_the_first
    customer = Customer()
    result = await lead(session, shop, customer)
    assert (result.outcome, shop.presses, len(customer.asked)) == ("cancelled", 1, 2)


async def test_f14_who_is_signed_out_on_the_way_is_not_signed_in_by_us(
    session: Session, shop: Shop
) -> None:
    shop.page(
        "/last",
        "<h1>Sign in to continue</h1><form method=post action=/do/harm>"
        "<label>E-mail <input type=email></label><label>Password <input type=password></label>"
        "<button>Sign in</button></form>",
    )
    customer = Customer()
    result = await lead(session, shop, customer)
    assert (result.outcome, result.reason, shop.harms) == ("stopped", "human_rejected", [])
    assert len(customer.handed) == 1


async def test_f14_signed_out_after_the_press_it_stays_unverified(
    session: Session, shop: Shop
) -> None:
    signed_out = (
        "<h1>Sign in</h1><label>Password <input type=password></label><button>Sign in</button>"
    )

    def signs_out() -> None:
        shop.end()
        shop.page("/account", signed_out)

    shop.effect("/do/end", signs_out, "/done")
    result = await lead(session, shop, Customer())
    assert (result.outcome, shop.presses) == ("unverified", 1)


async def test_what_a_mail_must_confirm_is_pending(session: Session, shop: Shop) -> None:
    shop.effect("/do/end", lambda: None, "/mail")
    shop.page("/mail", "<h1>Check your inbox</h1><p>Follow the link that we sent to confirm.</p>")
    result = await lead(session, shop, Customer())
    assert (result.outcome, result.reason, result.success) == ("pending", "pending", False)
    assert "link" in result.next_steps[0]


async def test_nothing_is_pressed_on_the_page_after_the_press(session: Session, shop: Shop) -> None:
    bait = button("Confirm", "/do/restart")
    shop.page("/done", f"<h1>Your plan has been cancelled</h1><p>Until {DAY}.</p>{bait}")
    result = await lead(session, shop, Customer())
    assert (result.outcome, shop.harms) == ("cancelled", [])


async def test_who_is_billed_elsewhere_is_told_where(session: Session, site: Site) -> None:
    words = "Your plan is billed through Google Play. Manage it there."
    shop = Shop(site, plan(f"<p>{words}</p>" + button("Pay us directly", "/do/harm")))
    result = await lead(session, shop, Customer())
    assert (result.outcome, result.reason, shop.harms) == ("third_party", "off_site", [])
    assert "play.google.com" in result.next_steps[0]


async def test_what_only_a_letter_ends_is_left_to_the_person(session: Session, shop: Shop) -> None:
    shop.page(
        "/last",
        "<h1>How to cancel</h1><p>Plans cannot be cancelled online. Send us a letter to "
        "Pebble, 12 Quay Street.</p>" + button("Upgrade instead", "/do/harm"),
    )
    result = await lead(session, shop, Customer())
    assert (result.outcome, shop.harms) == ("manual_required", [])


async def test_what_is_over_already_is_left_alone(session: Session, shop: Shop) -> None:
    shop.ended = True
    customer = Customer()
    result = await lead(session, shop, customer)
    assert (result.outcome, result.success, shop.harms) == ("already_cancelled", True, [])
    assert not customer.asked
    assert result.after.ends_on == DAY


async def test_a_run_that_was_killed_after_the_press_is_verified_and_not_pressed_again(
    session: Session, shop: Shop
) -> None:
    with purpose(session, "killed late"):
        press(session.ledger, session.task)
    shop.ended = True
    customer = Customer()
    result = await lead(session, shop, customer, service="killed late")
    assert (result.outcome, shop.presses, customer.asked) == ("cancelled", 0, [])


async def test_a_run_that_was_killed_before_the_press_arrived_is_asked_for_anew(
    session: Session, shop: Shop
) -> None:
    with purpose(session, "killed early"):
        press(session.ledger, session.task)
    customer = Customer()
    result = await lead(session, shop, customer, service="killed early")
    assert (result.outcome, shop.presses, len(customer.asked)) == ("cancelled", 1, 1)


async def test_what_was_ended_before_and_lives_again_is_asked_for_anew(
    session: Session, shop: Shop
) -> None:
    with purpose(session, "back again"):
        press(session.ledger, session.task, worked=True)
    customer = Customer()
    result = await lead(session, shop, customer, service="back again")
    assert (result.outcome, shop.presses, len(customer.asked)) == ("cancelled", 1, 1)


def press(ledger: Ledger, task: Task, *, worked: bool = False) -> None:
    """What a run leaves behind that has fired: proven, or killed right after it."""
    claim = ledger.propose(key_for(task, "irreversible", ""))
    claim = ledger.fire(ledger.arm(ledger.approve(claim, f"digest of {task.service}")))
    if worked:
        ledger.confirm(claim, "it was seen")
    else:
        ledger.doubt(claim, "it was killed")


async def test_a_browser_that_is_gone_is_a_failure(site: Site, tmp_path: object) -> None:
    shop = Shop(site, plan("<a href=/last>Cancel plan</a>"))
    async with subterminator.open(human=Customer(), sites=["127.0.0.1"]) as session:
        await session.close()
        result = await lead(session, shop, Customer())
    assert (result.outcome, result.success) == ("failed", False)


async def test_what_was_pressed_for_something_else_before_misleads_no_cancellation(
    session: Session, shop: Shop, person: Person
) -> None:
    shop.page("/other", button("Delete account", "/do/other"))
    shop.effect("/do/other", lambda: None, "/account")
    person.says = True
    await session.navigate(f"{shop.site.address}/other")
    await session.click("text:Delete account")
    assert session.pressed
    customer = Customer()
    result = await lead(session, shop, customer)
    assert (result.outcome, customer.buttons) == ("cancelled", ["Confirm cancellation"])

"""What the person is told at the gate, and the pictures that stay: read from real pages."""

from __future__ import annotations

import pytest

from subterminator import Session
from subterminator.agents import verification
from subterminator.runs.record import FileRecord
from subterminator.safety.human import describe
from tests.agents.shop import DAY, Customer, Shop, button, lead, plan
from tests.site import Site

OFFER = (
    "<h1>Before you go</h1><p>Stay for half the price.</p>"
    + button("Get 50% off", "/do/harm")
    + "<a href=/last>No thanks, continue to cancel</a>"
)
LAST = (
    f"<h1>Cancel your plan?</h1><p>Your plan ends on {DAY}. There is no refund.</p>"
    "<p>Unused credits will be lost.</p><a href=/account>Keep plan</a>"
    + button("Confirm cancellation", "/do/end")
)


@pytest.fixture
def shop(site: Site, monkeypatch: pytest.MonkeyPatch) -> Shop:
    monkeypatch.setattr(verification, "RESULT_WAITS", (0, 500))
    monkeypatch.setattr(verification, "FRESH_WAITS", (0, 100))
    shop = Shop(site, plan("<a href=/offer>Cancel plan</a><p>Signed in as lena@example.com</p>"))
    shop.page("/offer", OFFER)
    shop.page("/last", LAST)
    return shop


async def test_the_gate_says_what_is_at_stake_and_no_claim_of_ours(
    session: Session, shop: Shop
) -> None:
    customer = Customer()
    await lead(session, shop, customer)
    (question,) = customer.asked
    lines = describe(question)
    assert lines[0] == "[3/4] FINAL STEP - nothing has been cancelled yet"
    assert lines[1].startswith("Effect    ")
    assert lines[2] == f'          The page says: "Your plan ends on {DAY}. There is no refund."'
    told = "\n".join(lines)
    assert '"Plus"  "8.50 EUR per month.' in told and 'account "le***@example.com"' in told
    assert f"Renews on {DAY}" in told
    assert "You lose  Unused credits or points may be lost." in told
    assert "Fee       none found" in told and "Ticked    none" in told
    assert "Declined  1 offer" in told
    assert 'Also here "Keep plan"' in told
    assert "Sure?     FINAL_CONFIRMATION 0." in told and "by pack generic-en (checked " in told
    assert "Claimed" not in told
    assert question.stakes is not None
    assert 'button "Confirm cancellation"' in question.stakes.page


async def test_pictures_show_before_the_gate_and_after_and_evidence_names_its_own(
    session: Session, shop: Shop
) -> None:
    record = session.record
    assert isinstance(record, FileRecord)
    customer = Customer()
    result = await lead(session, shop, customer)
    kept = {path.name for path in (record.folder / "artifacts").iterdir()}
    fresh = {each.picture for each in result.evidence if each.fresh}
    pressed = {each.picture for each in result.evidence if not each.fresh}
    (question,) = customer.asked
    assert question.stakes is not None
    assert len(fresh) == len(pressed) == 1 and fresh != pressed
    assert fresh | pressed | {question.stakes.picture} <= kept


async def test_what_was_over_before_has_its_picture_too(session: Session, shop: Shop) -> None:
    shop.ended = True
    result = await lead(session, shop, Customer())
    assert result.outcome == "already_cancelled"
    assert all(each.picture for each in result.evidence)

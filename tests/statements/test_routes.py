from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from subterminator.errors import InvalidParams
from subterminator.statements.model import Charge, Merchant, Payer
from subterminator.statements.routes import Routes, chosen, difficulty, queue
from tests.statements.lines import audit, charged, monthly, packs


def route(pack: str, payer: Payer, *, own: bool = False) -> str:
    return Routes(packs()).of(Merchant("x", "X", payer, "subscription", pack, own)).pack


def test_only_the_store_that_bills_can_end_it() -> None:
    assert route("hulu", "roku") == "store-roku"
    assert route("netflix", "apple") == "store-apple"


def test_the_service_ends_what_it_bills_itself_or_through_paypal() -> None:
    assert route("netflix", "direct") == "netflix"
    assert route("spotify", "paypal") == "spotify"
    assert route("youtube-premium", "google", own=True) == "youtube-premium"


def test_without_a_pack_of_its_own_paypal_can_at_least_stop_paying() -> None:
    assert route("", "paypal") == "store-paypal"
    assert route("", "direct") == "" and route("", "carrier") == ""


def test_how_hard_leaving_is_follows_from_the_pack() -> None:
    assert difficulty(packs().entry("planet-fitness").draft.pack) == "by hand"
    assert difficulty(packs().entry("wsj").draft.pack) == "hard"
    known = {difficulty(entry.draft.pack) for entry in packs().entries()}
    assert {"easy", "medium", "hard"} <= known


def found() -> tuple[Charge, ...]:
    lines = charged(monthly("2025-01-28", 11), "NETFLIX.COM", "9.99")
    lines += charged(monthly("2025-01-14", 11), "APPLE.COM/BILL", "2.99")
    lines += charged(monthly("2025-01-12", 11), "LUMENFELD", "5.00")
    lines += charged(monthly("2025-01-13", 11), "PLANET FIT CLUB FEES", "10.00")
    lines += charged(monthly("2025-01-20", 11), "PAYPAL *SPOTIFY", "9.99")
    lines += charged(monthly("2025-01-03", 11), "MIETE DAUERAUFTRAG Brandt", "900.00")
    lines += charged(monthly("2025-01-22", 5), "HULU", "7.99")
    return audit(lines)


def test_the_queue_has_what_runs_and_is_no_contract_soonest_first_and_by_hand_last() -> None:
    errands = queue(found())
    assert [(one.service, one.how) for one in errands] == [
        ("Apple (App Store)", "store"), ("Spotify", "web"), ("Netflix", "web"),
        ("Lumenfeld", "no pack"), ("Planet Fitness", "by hand"),
    ]  # fmt: skip
    assert errands[0].next_on == date(2025, 12, 14)
    assert errands[1].payer == "paypal" and "PayPal" in errands[1].advice
    assert errands[2].yearly == Decimal("119.88")
    assert "--url" in errands[3].advice and "planet-fitness" in errands[4].advice


def test_a_person_chooses_by_number() -> None:
    errands = queue(found())
    assert chosen(errands, "3, 1-2 1") == [errands[2], errands[0], errands[1]]
    assert chosen(errands, "all") == errands
    assert chosen(errands, "") == []


@pytest.mark.parametrize("words", ["0", "6", "1-9", "x", "2-1-3", "-1", "1-999999999999", "²"])
def test_a_number_that_is_not_there_is_refused(words: str) -> None:
    with pytest.raises(InvalidParams, match="1 to 5"):
        chosen(queue(found()), words)

"""How a run can end before anything is pressed, with what shows it and what to do next. Pure."""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec import Struct

from subterminator.agents.moves import Reason
from subterminator.agents.outcome import Evidence, EvidenceKind, Outcome
from subterminator.agents.stages import Page

STORES = {
    "apple": "On an iPhone or iPad: Settings, your name, Subscriptions; or account.apple.com.",
    "google": "At play.google.com/store/account/subscriptions.",
    "amazon": 'On amazon.com under "Memberships & Subscriptions".',
    "roku": 'At my.roku.com under "Manage subscriptions".',
    "paypal": "At paypal.com/myaccount/autopay; that stops the payment, not the contract.",
    "carrier": "With the mobile operator whose bill shows it.",
}


class Ending(Struct, frozen=True):
    """What the run has come to, in an outcome and in words."""

    outcome: Outcome
    reason: Reason
    text: str
    evidence: tuple[Evidence, ...] = ()
    next_steps: tuple[str, ...] = ()


def noted(kind: EvidenceKind, text: str, page: Page, *, fresh: bool = False) -> Evidence:
    time = datetime.now(UTC).isoformat(timespec="seconds")
    return Evidence(kind, text, page.sight.url, time, fresh=fresh)


def already(page: Page) -> Ending:
    shown = page.over or "; ".join(page.reading.evidence)
    evidence = [noted("status", shown, page, fresh=True)]
    if page.again:
        evidence.append(noted("control", page.again.name, page, fresh=True))
    return Ending("already_cancelled", "completed", f"It is over already: {shown}", tuple(evidence))


def awaited(page: Page) -> Ending:
    text = f"It was asked for already, and the service has still to answer: {page.received}"
    return Ending("pending", "pending", text, (noted("status", page.received, page, fresh=True),))


def ended_row(page: Page, words: str) -> Ending:
    evidence = (noted("status", words, page, fresh=True),)
    return Ending("already_cancelled", "completed", f"It is over already: {words}", evidence)


def elsewhere(page: Page) -> Ending:
    payer = page.reading.detail
    words = "; ".join(page.reading.evidence)
    return Ending(
        "third_party",
        "off_site",
        f"{payer.capitalize()} bills, so only there can it be ended: {words}",
        (noted("payer", words, page),),
        (STORES.get(payer, f"End it where it is billed: {payer}."),),
    )


def by_hand(page: Page) -> Ending:
    said = [line for line in page.sight.lines if _reaches(line)][:3]
    words = "; ".join(page.reading.evidence)
    steps = tuple(f'The page says: "{line}"' for line in (*page.sight.headings[:1], *said))
    how = (page.pack.offline.how,) if page.pack.offline.how else ()
    return Ending(
        "manual_required",
        "off_site",
        f"It cannot be ended on this site: {words}",
        (noted("offline", "; ".join((*page.sight.headings[:1], *said)) or words, page),),
        (*steps, *how),
    )


def _reaches(line: str) -> bool:
    """Whether somebody can be reached by it: a number, an address."""
    return "@" in line or any(map(str.isdigit, line))


def unclear(text: str) -> Ending:
    return Ending("stopped", "unsafe", text, next_steps=("Look at the page in the browser.",))


def lost(text: str) -> Ending:
    return Ending(
        "stopped", "llm_no_action", text, next_steps=("Look at the page in the browser.",)
    )

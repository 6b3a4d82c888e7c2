"""Two proofs or none: what the page after the press says, and the account page loaded anew."""

from __future__ import annotations

import pytest

from subterminator import Session
from subterminator.agents import verification
from subterminator.agents.languages import Reader
from subterminator.agents.loop import Looking
from subterminator.agents.stages import Context
from subterminator.agents.verification import Finding, Verification
from tests.agents.shop import DAY, PACKS, generic, plan
from tests.site import Answer, Site

DONE = f"<h1>Your plan has been cancelled</h1><p>Access until {DAY}. Confirmation number: AB-20931.</p>"
OVER = f"<h1>Account</h1><p>Your plan ends on {DAY}. It will not renew.</p><button>Resume plan</button>"
ALIVE = plan("<a href=/c>Cancel plan</a>")
BROKEN = "<h1>Something went wrong</h1><p>Please try again.</p>"


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification, "RESULT_WAITS", (0, 500))
    monkeypatch.setattr(verification, "FRESH_WAITS", (0, 100))


async def found(session: Session, site: Site, result: str, account: str) -> Finding:
    reader = Reader(generic(), PACKS, Context())
    fresh = site.page(account, "/account")
    await session.navigate(site.page(result, "/result"))
    return await Verification(Looking(session), reader, [fresh]).check()


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("result", "account", "kind"),
    [
        (DONE, OVER, "cancelled"),
        ("<h1>Thank you</h1>", OVER, "cancelled"),
        (BROKEN, OVER, "cancelled"),
        (DONE, ALIVE, "active"),
        (BROKEN, ALIVE, "lost"),
        (DONE, "<h1>Welcome</h1>", "unclear"),
        ("<h1>Request received</h1>", ALIVE, "lost"),
        ("<h1>Your plan has been paused</h1>", ALIVE, "lost"),
        ("<h1>Check your inbox to confirm</h1>", ALIVE, "pending"),
        (DONE, "<h1>Sign in</h1><input type=password aria-label=Password>", "signed_out"),
        (DONE, f"<p>Discount applied. Next payment: {DAY}</p>", "active"),
    ],
)
async def test_a_finding_needs_the_account_page(
    session: Session, site: Site, result: str, account: str, kind: str
) -> None:
    finding = await found(session, site, result, account)
    assert finding.kind == kind, finding


async def test_one_more_step_is_no_result(session: Session, site: Site) -> None:
    step = (
        f"<h1>Are you sure you want to cancel?</h1><p>Your plan ends on {DAY}.</p>"
        "<button>Keep plan</button><form method=post action=/x><button>Yes, cancel</button></form>"
    )
    finding = await found(session, site, step, ALIVE)
    assert finding.kind == "further"
    assert site.hits["/account"] == 0


async def test_what_was_read_is_quoted(session: Session, site: Site) -> None:
    finding = await found(session, site, DONE, OVER)
    assert (finding.reference, finding.after.ends_on) == ("AB-20931", DAY)
    assert {(e.kind, e.fresh) for e in finding.evidence} >= {("words", False), ("status", True)}


async def test_an_account_page_that_does_not_load_proves_nothing(
    session: Session, site: Site
) -> None:
    reader = Reader(generic(), PACKS, Context())
    await session.navigate(site.page(DONE, "/result"))
    site.pages["/account"] = Answer(BROKEN, status="503 Service Unavailable")
    check = Verification(Looking(session), reader, [f"{site.address}/account"])
    assert (await check.check()).kind == "unclear"

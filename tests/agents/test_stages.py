"""What a page shows: each stage by its evidence, the layer on top first, doubt as UNKNOWN."""

from __future__ import annotations

import pytest

from subterminator import Session
from subterminator.agents.sense import polarity, question
from subterminator.agents.sight import Sight
from subterminator.agents.stages import ACCEPTED, Context, Page, Reading, read_stage
from tests.agents.shop import DAY, generic, plan
from tests.site import Site

LAST = (
    f"<h1>End your plan?</h1><p>It ends on {DAY}. No refund.</p><button>Stay</button>"
    "<form method=post action=/x><button>Confirm</button></form>"
)


async def seen(session: Session, site: Site, body: str, *, opened: bool = False) -> Page:
    await session.navigate(site.page(body, "/account"))
    context = Context()
    context.opened = opened
    assert session.last_snapshot
    return Page(session.last_snapshot, generic(), context)


@pytest.mark.parametrize(
    ("stage", "body"),
    [
        ("ACCOUNT_ACTIVE", plan("<a href=/c>Cancel plan</a>")),
        ("FINAL_CONFIRMATION", LAST),
        ("RETENTION_OFFER", "<h1>Before you go</h1><p>Stay and get 50% off.</p>"
         "<button>Accept offer</button> <a href=/c>No thanks, continue to cancel</a>"),
        ("EXIT_SURVEY", "<h1>Why are you leaving?</h1><label><input type=radio name=r> Too expensive"
         "</label><label><input type=radio name=r> Other</label><button>Next</button>"),
        ("ALREADY_CANCELLED", f"<h1>Account</h1><p>Your plan expires on {DAY} and will not renew.</p>"
         "<button>Resume plan</button>"),
        ("COMPLETE", f"<h1>Your plan has been cancelled</h1><p>You have access until {DAY}.</p>"),
        ("OFF_SITE", plan("<p>Your plan is billed through Apple.</p>")),
        ("AUTH_REQUIRED", "<h1>Sign in</h1><label>Password <input type=password></label>"
         "<button>Sign in</button>"),
        ("AUTH_REQUIRED", "<h1>Enter the code</h1><input autocomplete=one-time-code aria-label=Code>"),
        ("AUTH_REQUIRED", "<label><input type=checkbox> I'm not a robot</label><button>Go</button>"),
        ("UNKNOWN", "<h1>Weather</h1><p>It rains.</p>"),
        ("UNKNOWN", "<h1>Something went wrong</h1><p>Please try again.</p><a href=/>Back</a>"),
    ],
)  # fmt: skip
async def test_a_page_shows_its_stage(session: Session, site: Site, stage: str, body: str) -> None:
    page = await seen(session, site, body, opened=stage in {"RETENTION_OFFER", "EXIT_SURVEY"})
    reading = page.reading
    assert reading.stage == stage, list(page._checks())
    assert reading.evidence
    assert reading.score >= ACCEPTED or stage == "UNKNOWN"


async def test_the_layer_on_top_decides(session: Session, site: Site) -> None:
    dialog = f"<dialog id=d><div>{LAST}</div></dialog><script>d.showModal()</script>"
    page = await seen(session, site, plan("<a href=/c>Cancel plan</a>") + dialog)
    assert page.reading.stage == "FINAL_CONFIRMATION"
    assert "Cancel plan" not in [control.name for control in page.sight.controls]


async def test_a_bare_cancel_beside_a_confirm_only_closes(session: Session, site: Site) -> None:
    body = (
        f"<h1>Cancel plan?</h1><p>It ends on {DAY}.</p><button>Cancel</button> <button>OK</button>"
    )
    page = await seen(session, site, body)
    assert [exit.control.name for exit in page.exits.all] == ["OK"]


async def test_a_bare_cancel_beside_a_keep_ends_it(session: Session, site: Site) -> None:
    body = (
        f"<h1>Your plan</h1><p>It ends on {DAY}.</p><button>Cancel</button> <button>Keep</button>"
    )
    page = await seen(session, site, body)
    assert [exit.control.name for exit in page.exits.all] == ["Cancel"]


async def test_a_page_come_to_three_times_is_unknown(session: Session, site: Site) -> None:
    page = await seen(session, site, LAST)
    other = await seen(session, site, "<h1>Elsewhere</h1>")
    context = Context()
    for snapshot in (page.snapshot, other.snapshot) * 3:
        context.arrive(snapshot)
    assert read_stage(page.snapshot, generic(), context).stage == "UNKNOWN"


async def test_evidence_for_both_is_no_evidence(session: Session, site: Site) -> None:
    body = (
        f"<h1>Account</h1><p>Your plan has been cancelled and will not renew.</p>"
        f"<p>Next payment: {DAY}</p><a href=/c>Cancel plan</a><button>Resume plan</button>"
    )
    page = await seen(session, site, body)
    assert page.reading.stage not in {"ALREADY_CANCELLED", "COMPLETE"}


async def test_a_frame_is_read_with_its_page(session: Session, site: Site) -> None:
    site.page(plan("<a href=/c>Cancel plan</a>"), "/inside")
    page = await seen(session, site, "<h1>Billing</h1><iframe src=/inside></iframe>")
    assert page.reading.stage == "ACCOUNT_ACTIVE"


@pytest.mark.parametrize(
    ("words", "sign"),
    [
        ("Are you sure you want to cancel?", 1),
        ("Are you sure you don't want to stay?", 1),
        ("Would you like to keep your plan?", -1),
        ("Keep my plan", -1),
        ("I don't want to keep it", 1),
        ("Möchten Sie Ihr Abo wirklich nicht behalten?", 1),
        ("Voulez-vous garder votre abonnement ?", -1),
        ("No, keep my plan", -1),
        ("What a nice day", 0),
        ("Stay now or leave later?", None),
    ],
)
def test_a_sentence_speaks_of_leaving_or_of_staying(words: str, sign: int | None) -> None:
    assert polarity(words) == sign


async def test_a_question_that_can_be_read_in_two_ways_is_doubtful(
    session: Session, site: Site
) -> None:
    page = await seen(session, site, "<h1>Don't you want to stay?</h1><button>Yes</button>")
    assert question(page.sight).doubtful


async def test_a_reading_can_be_made_of_a_snapshot_alone(session: Session, site: Site) -> None:
    page = await seen(session, site, LAST)
    reading = read_stage(page.snapshot, generic(), Context())
    assert isinstance(reading, Reading)
    assert Sight(page.snapshot).headings == ("End your plan?",)

"""`report.html`: the proof for people. One file, no script, nothing loaded from anywhere.

Every word of a page is escaped and stands in its own language; no address in it is a link.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

from msgspec import Struct

from subterminator.packs.model import Outcome
from subterminator.runs.dates import written
from subterminator.runs.markup import Html, fill, joined
from subterminator.runs.proof import ENDED, NOT_FOUND, Picture, Proof, Story
from subterminator.runs.sections import day_of, sections

Tone = Literal["good", "wait", "away", "bad"]
ICONS = {
    "good": '<path d="M5 12.5l4.5 4.5L19 7.5"/>',
    "wait": '<circle cx="12" cy="12" r="8"/><path d="M12 7.5V12l3 2"/>',
    "away": '<path d="M9 15L17 7M10 7h7v7"/>',
    "bad": '<path d="M7 7l10 10M17 7L7 17"/>',
}
SEAL = (
    '<div class="seal" aria-hidden="true"><svg viewBox="0 0 24 24" fill="none" '
    'stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round">'
    "{icon}</svg></div>"
)


class Verdict(Struct, frozen=True):
    """An outcome in words. `name` is the service's."""

    tone: Tone
    badge: str
    headline: str
    lead: str


VERDICTS: dict[Outcome, Verdict] = {
    "cancelled": Verdict(
        "good", "Cancelled and verified", "Your {name} subscription is cancelled",
        "The service said so, and the account page, loaded anew afterwards, shows it.",
    ),
    "already_cancelled": Verdict(
        "good", "Already cancelled", "Your {name} subscription was cancelled before",
        "There was nothing to do: the account page shows that it does not renew.",
    ),
    "unverified": Verdict(
        "wait", "Not verified", "The last step for {name} was taken, but nothing proves it",
        "The account page does not show that it worked. Treat the subscription as running until it "
        "does.",
    ),
    "pending": Verdict(
        "wait", "Waiting for you", "{name} wants the cancellation to be confirmed",
        "It is not cancelled yet. The service has sent, or will send, a message to confirm.",
    ),
    "third_party": Verdict(
        "away", "Billed by someone else", "{name} has to be cancelled where it is paid",
        "Nothing was changed. Somebody else collects the money for this subscription.",
    ),
    "manual_required": Verdict(
        "away", "By hand", "{name} cannot be cancelled on its pages",
        "Nothing was changed. The service wants a call, a letter or a visit.",
    ),
    "stopped": Verdict(
        "bad", "Stopped", "{name} was not cancelled: the run was stopped",
        "Nothing shows that it has ended. Treat the subscription as running.",
    ),
    "failed": Verdict(
        "bad", "Failed", "{name} was not cancelled: it did not work",
        "Treat the subscription as running.",
    ),
}  # fmt: skip
STILL = Verdict(
    "good", "Still cancelled", "Your {name} subscription is still cancelled",
    "The account page was loaded anew and shows that it does not renew.",
)  # fmt: skip
NOW_SEEN = Verdict(
    "good", "Cancelled and verified", "Your {name} subscription is cancelled",
    "Before it could not be proven; now the account page shows it.",
)  # fmt: skip
GONE_BACK = Verdict(
    "bad", "Not confirmed", "This time nothing shows that {name} is cancelled",
    "An earlier proof shows the cancellation. Compare the two, and look at your statement.",
)  # fmt: skip
RUNNING = Verdict(
    "bad", "Still running", "{name} is not cancelled",
    "The account page was loaded anew and shows that it goes on. Nothing was pressed.",
)  # fmt: skip
UNCLEAR = Verdict(
    "wait", "Not clear", "Nothing shows whether {name} is cancelled",
    "The account page was loaded anew and says neither. Nothing was pressed.",
)  # fmt: skip
REASONS = {
    "human_rejected": "You said no.",
    "max_turns_exceeded": "It took more steps than it may.",
    "llm_no_action": "The planner had nothing more to propose.",
    "llm_error": "The model did not answer.",
    "mcp_error": "The browser tool failed.",
    "verification_failed": "The account page did not show what it should.",
    "browser_error": "The browser failed.",
    "time_limit": "The time was over.",
    "cost_limit": "The money for the model was used up.",
    "rate_limit": "Too many actions in a minute.",
    "loop": "The pages went round in circles.",
    "unsafe": "Going on was not safe.",
}


def verdict_of(proof: Proof, story: Story) -> Verdict:
    """The outcome in words; no better than what was verified."""
    is_so = proof.outcome in ENDED and proof.verified
    if story.looked and proof.outcome == "stopped":
        is_known = story.reason == "completed"
        return RUNNING if is_known else GONE_BACK if _was_over(story) else UNCLEAR
    if _was_over(story):
        return STILL if is_so else GONE_BACK
    if story.first and is_so:
        return NOW_SEEN
    if proof.outcome == "cancelled" and not proof.verified:
        return VERDICTS["unverified"]
    return VERDICTS[proof.outcome]


def _was_over(story: Story) -> bool:
    return story.first is not None and story.first.outcome in ENDED


def render(proof: Proof, story: Story, pictures: Sequence[Picture] = ()) -> str:
    """The whole report."""
    verdict = verdict_of(proof, story)
    style = _data("report.css")
    hashed = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    day = f", {written(proof.day)}" if proof.day else ""
    return fill(
        _data("report.html"),
        policy=f"sha256-{hashed}",
        title=f"{verdict.badge}: {story.name}{day}",
        style=Html(style),
        tone=verdict.tone,
        head=_head(proof, story, verdict),
        main=joined([_facts(proof, story), *sections(proof, story, pictures)]),
        foot=FOOT,
    )


FOOT = Html(
    "<p>Made by SubTerminator on your own computer and sent to nobody. E-mail addresses and card "
    "numbers are masked. Words in quotation marks are those of the pages, unchanged and in their "
    "own language.</p>"
)


@cache
def _data(name: str) -> str:
    return files("subterminator.runs").joinpath(name).read_text("utf-8")


def _head(proof: Proof, story: Story, verdict: Verdict) -> Html:
    return fill(
        '<p class="brand"><strong>SubTerminator</strong> <span>{kind}</span></p>\n'
        '<div class="verdict">{seal}<div><p class="badge">{badge}</p>\n<h1>{headline}</h1>\n'
        '<p class="lead">{lead}</p></div></div>',
        kind="Second proof" if story.first else "Proof report",
        seal=Html(SEAL.format(icon=ICONS[verdict.tone])),
        badge=verdict.badge,
        headline=verdict.headline.replace("{name}", story.name),
        lead=_lead(proof, story, verdict),
    )


def _lead(proof: Proof, story: Story, verdict: Verdict) -> str:
    parts = [verdict.lead]
    if proof.outcome in ("stopped", "failed") and not story.looked:
        parts.insert(0, REASONS.get(story.reason, ""))
    if verdict.tone == "good" and proof.ends_on and proof.day and proof.ends_on >= proof.day:
        parts.append(f"You keep access until {written(proof.ends_on)}.")
    return " ".join(filter(None, parts))


def _facts(proof: Proof, story: Story) -> Html:
    ends = "Access until" if proof.outcome in ENDED else "Ends on"
    if proof.outcome in ("stopped", "failed", "third_party", "manual_required"):
        pairs = [("Renews on", day_of(proof.before.renews)), ("Price", proof.before.price)]
        pairs.append(("Billed by", story.payer or NOT_FOUND))
    else:
        pairs = [(ends, day_of(proof.after.ends_on)), ("Reference", proof.reference)]
        refund = proof.refund
        pairs.append(("Refund", refund.amount if refund.amount != NOT_FOUND else refund.text))
    pairs.append(("Account", proof.account_hint))
    return fill(
        '<section class="facts" aria-labelledby="facts"><h2 id="facts">In short</h2>'
        "<dl>{rows}</dl></section>",
        rows=joined(
            fill(
                "<div><dt>{term}</dt><dd{mark}>{value}</dd></div>",
                term=term,
                mark=Html(' class="none"' if value == NOT_FOUND else ""),
                value=value,
            )
            for term, value in pairs
        ),
    )

"""What a page is, what a control is for, who bills: by words alone."""

from __future__ import annotations

import pytest

from subterminator.packs.example import disagreements, read_page
from subterminator.packs.matcher import (
    Control,
    PageWords,
    Purpose,
    bills,
    date_in,
    decide,
    failures,
    judge,
    losses,
    obstacle,
    purpose,
    reference_in,
)
from subterminator.packs.model import Example, Stage
from subterminator.packs.registry import assemble
from tests.packs.writing import draft_of

PACKS = assemble([])
EN = PACKS.find("generic-en")


def stage_of(html: str, url: str = "https://s.test/x", language: str = "") -> Stage:
    words = read_page(html, url)
    return decide(judge(PACKS.generic(language, words), words)).stage


@pytest.mark.parametrize("pack_id", PACKS.ids())
def test_every_example_of_a_pack_is_judged_as_it_says(pack_id: str) -> None:
    entry = PACKS.entry(pack_id)
    assert [one.reason for one in disagreements(entry.pack, entry.draft.pack.example)] == []


# Pages of services that have no pack, in other words than the examples'.
@pytest.mark.parametrize(
    ("stage", "html"),
    [
        ("ACCOUNT_ACTIVE", "<h1>Hello Ada</h1><p>Gold tier. Renews 3 January 2027</p><button>Manage membership</button><button>Upgrade to Platinum</button>"),
        ("ACCOUNT_ACTIVE", "<h1>Settings</h1><p>Plan: Plus. Next invoice 1 Feb</p><button>Delete account</button><button>Cancel plan</button>"),
        ("RETENTION_OFFER", "<h1>We'd be sorry to lose you</h1><p>How about 3 months at half price?</p><button>Yes, give me the deal</button><button>No thanks, I still want to leave</button>"),
        ("RETENTION_OFFER", "<h1>Going on holiday?</h1><p>You can freeze your membership for 8 weeks.</p><button>Freeze it</button><a href='#'>Continue to cancel</a>"),
        ("RETENTION_OFFER", "<h1>Here's what you're giving up</h1><ul><li>4K</li></ul><button>Keep my plan</button><button>Continue to cancel</button>"),
        ("RETENTION_OFFER", "<h1>Pay yearly and save 20%</h1><p>Switch to annual billing now.</p><button>Switch to annual</button><button>Continue to cancel</button>"),
        ("EXIT_SURVEY", "<h1>One quick question</h1><p>What's the main reason you're leaving?</p><label><input type=radio>It costs too much</label><label><input type=radio>Other</label><button>Next</button>"),
        ("EXIT_SURVEY", "<p>Please tell us why you want to stop.</p><select><option>Missing features</option><option>Prefer not to say</option></select><textarea aria-label='Your comments'></textarea><button>Submit</button>"),
        ("FINAL_CONFIRMATION", "<h1>Are you sure you don't want to stay?</h1><button>Yes, I'm sure</button><button>No, take me back</button>"),
        ("FINAL_CONFIRMATION", "<h1>Type CANCEL to confirm</h1><input aria-label='Type CANCEL'><button>Cancel plan</button><button>Back</button>"),
        ("FINAL_CONFIRMATION", "<h1>End membership</h1><p>Your membership ends on 3 January 2027.</p><button>End membership on 3 January</button><button>End now</button><button>Keep it</button>"),
        ("FINAL_CONFIRMATION", "<h1>Cancel your Gold subscription</h1><p>You'll have access through 3 January 2027.</p><button>Cancel my Gold plan</button><button>Keep Gold</button>"),
        ("COMPLETE", "<h1>Done. Your plan is cancelled.</h1><p>It stays active until 3 January 2027.</p>"),
        ("COMPLETE", "<p>We have cancelled your subscription. You won't be charged again.</p><button>Restart plan</button>"),
        ("ALREADY_CANCELLED", "<h1>Plan</h1><p>Plus - cancels on 3 Jan 2027</p><button>Renew plan</button>"),
        ("OFF_SITE", "<h1>Plan</h1><p>You pay for this through the App Store.</p>"),
        ("OFF_SITE", "<h1>Cancel</h1><p>To cancel, please call 1-800-555-0199 between 9 and 5.</p>"),
        ("AUTH_REQUIRED", "<h1>Welcome back</h1><input aria-label=Email><input type=password aria-label=Password><button>Log in</button>"),
        ("AUTH_REQUIRED", "<h1>One more check</h1><iframe title='reCAPTCHA'></iframe><label><input type=checkbox>I'm not a robot</label>"),
        ("VERIFYING", "<h1>Almost there</h1><p>We emailed you a link. Your plan stays active until you confirm.</p>"),
        ("RETENTION_OFFER", "<h1>Bleiben Sie bei uns</h1><p>Wir schenken Ihnen zwei Monate Rabatt.</p><button>Geschenk annehmen</button><button>Weiter zur Kündigung</button>"),
        ("FINAL_CONFIRMATION", "<h1>Kündigung bestätigen</h1><p>Ihr Abo läuft dann am 3. Januar aus.</p><button>Abbrechen</button><button>Kündigung bestätigen</button>"),
        ("ALREADY_CANCELLED", "<h1>Abo</h1><p>gekündigt zum 3. Januar 2027</p>"),
        ("UNKNOWN", "<h1>Our story</h1><p>We bake bread.</p><a href='#'>Shops</a>"),
        ("UNKNOWN", ""),
    ],
)  # fmt: skip
def test_pages_of_unknown_services_are_judged_by_their_words(stage: Stage, html: str) -> None:
    assert stage_of(html) == stage


def test_a_failure_beats_every_word_of_success() -> None:
    words = read_page(
        "<h1>Your plan has been cancelled</h1><p>Something went wrong, please try again.</p>"
    )
    assert "COMPLETE" not in {one.stage for one in judge(EN, words)}
    assert failures(EN, words)


@pytest.mark.parametrize(
    "html",
    [
        "<h1>All set!</h1><p>We received your request.</p>",
        "<h1>Your plan has been paused</h1><p>See you soon.</p>",
        "<h1>Nothing has been cancelled yet</h1>",
        "<h1>You have unsubscribed from our newsletter</h1>",
        "<h1>Thanks for staying!</h1><p>Your discount has been applied.</p>",
        "<h1>Your order has been cancelled</h1><p>Your subscription has not been cancelled.</p>",
        "<h1>Schön, dass du bleibst</h1><p>Dein Rabatt wurde aktiviert.</p>",
    ],
)
def test_words_that_only_sound_like_success_are_none(html: str) -> None:
    assert stage_of(html) not in ("COMPLETE", "ALREADY_CANCELLED")


def test_evidence_is_told_in_words() -> None:
    words = read_page("<p>Are you sure you want to cancel?</p><button>Finish cancelling</button>")
    best = judge(EN, words)[0]
    assert best.stage == "FINAL_CONFIRMATION"
    assert 'control "finish cancel*"' in best.evidence
    assert 0 < best.score < 1


def test_hidden_words_and_words_in_a_query_are_no_evidence() -> None:
    html = (
        '<p hidden>Your plan has been cancelled</p><p style="display: none">has been cancelled</p>'
    )
    assert judge(EN, read_page(html)) == []
    assert judge(EN, PageWords("https://s.test/home?next=/account/cancel", "", "Home")) == []


def test_two_stages_with_equally_much_evidence_are_unknown() -> None:
    draft = draft_of(
        "x", "[states.EXIT_SURVEY]\ntext = ['one']\n[states.ACCOUNT_ACTIVE]\ntext = ['two']\n"
    )
    seen = decide(judge(draft.pack, PageWords(text="one two")))
    assert (seen.stage, seen.evidence) == ("UNKNOWN", ("EXIT_SURVEY and ACCOUNT_ACTIVE tie",))


@pytest.mark.parametrize(
    ("name", "stage", "expected"),
    [
        ("Cancel subscription", "ACCOUNT_ACTIVE", "advance"),
        ("Cancel subscription", "FINAL_CONFIRMATION", "final"),
        ("Cancel subscription", "UNKNOWN", "final"),
        ("Confirm cancellation", "ACCOUNT_ACTIVE", "final"),
        ("Submit and cancel", "EXIT_SURVEY", "final"),
        ("No thanks", "RETENTION_OFFER", "decline"),
        ("Prefer not to say", "EXIT_SURVEY", "decline"),
        ("Continue to cancel", "RETENTION_OFFER", "decline"),
        ("Accept offer", "RETENTION_OFFER", "never"),
        ("Pause for 3 months", "RETENTION_OFFER", "never"),
        ("Keep my plan", "FINAL_CONFIRMATION", "never"),
        ("Delete account", "ACCOUNT_ACTIVE", "never"),
        ("End now", "FINAL_CONFIRMATION", "never"),
        ("End on 12 December", "FINAL_CONFIRMATION", "final"),
        ("Turn on auto-renewal", "ALREADY_CANCELLED", "never"),
        ("Upgrade to Premium", "ACCOUNT_ACTIVE", "never"),
        ("Accept all cookies", "ACCOUNT_ACTIVE", "never"),
        ("Cancel", "FINAL_CONFIRMATION", "unknown"),
        ("Read our blog", "ACCOUNT_ACTIVE", "unknown"),
        ("", "ACCOUNT_ACTIVE", "unknown"),
    ],
)
def test_a_control_has_a_purpose(name: str, stage: Stage, expected: Purpose) -> None:
    assert purpose(EN, name, stage) == expected


@pytest.mark.parametrize(
    ("language", "name", "expected"),
    [
        ("de", "Abbrechen", "never"),
        ("de", "Jetzt kündigen", "final"),
        ("de", "Abo pausieren", "never"),
        ("fr", "Annuler", "unknown"),
        ("fr", "Confirmer la résiliation", "final"),
        ("es", "Mantener suscripción", "never"),
        ("it", "Annulla", "unknown"),
        ("it", "Sì, disdici", "final"),
    ],
)
def test_the_same_meaning_has_the_same_purpose_in_other_languages(
    language: str, name: str, expected: Purpose
) -> None:
    assert purpose(PACKS.generic(language), name, "FINAL_CONFIRMATION") == expected


def test_a_whole_name_of_a_service_beats_a_wide_phrase_of_the_language() -> None:
    assert purpose(EN, "Change plan", "ACCOUNT_ACTIVE") == "never"
    assert purpose(PACKS.find("spotify"), "Change plan", "ACCOUNT_ACTIVE") == "advance"


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (PageWords(text="Sign in", controls=(Control("password", "Password"),)), "login"),
        (PageWords(text="Enter the code"), "mfa"),
        (
            PageWords(text="Sign in", controls=(Control("password", ""), Control("captcha", ""))),
            "captcha",
        ),
        (PageWords(text="Your plan"), None),
    ],
)
def test_what_only_a_person_can_do_is_named(words: PageWords, kind: str | None) -> None:
    assert obstacle(EN, words) == kind


def test_who_bills_is_read_with_the_words_that_say_so() -> None:
    found = bills(EN, PageWords(text="Your plan is billed through Google Play."))
    assert {bill.payer for bill in found} == {"google"}
    assert "billed through google" in {bill.words for bill in found}


def test_a_store_page_is_not_off_site_for_its_own_payments() -> None:
    words = PageWords(
        "https://play.google.com/x", "Google Play", "Google Play. Renews on Dec 12, 2026"
    )
    assert "OFF_SITE" not in {one.stage for one in judge(PACKS.find("store-google"), words)}


def test_losses_are_told_always_or_where_the_page_says_so() -> None:
    audible = PACKS.find("audible")
    always = [loss.says for loss in losses(audible, PageWords(text="Bye"))]
    assert always == ["Unused credits are lost. Spend them first."]
    fee = losses(audible, PageWords(text="An early termination fee of $45 applies"))
    assert any("fee" in loss.says for loss in fee)


def test_date_and_reference_are_read_as_written() -> None:
    text = "Access until 12 December 2026. Confirmation number: AB-20931."
    assert date_in(EN, text) == "12 December 2026"
    assert reference_in(EN, text) == "AB-20931"
    assert date_in(draft_of("x").pack, text) is None


def test_an_example_that_is_not_borne_out_is_told_with_the_evidence() -> None:
    example = Example(
        shows="x",
        page="<h1>Your plan has been cancelled</h1><button>Keep plan</button>",
        stage="ACCOUNT_ACTIVE",
        press="Cancel plan",
        payer="apple",
    )
    reasons = " ".join(one.reason for one in disagreements(EN, (example,)))
    assert "expected ACCOUNT_ACTIVE, judged COMPLETE" in reasons
    assert 'there is no control "Cancel plan"' in reasons
    assert "expected to be billed by apple, found nobody" in reasons


def test_an_example_may_not_press_a_forbidden_name() -> None:
    page = "<h1>Are you sure you want to cancel?</h1><button>Keep plan</button><button>Confirm</button>"
    example = Example(shows="x", page=page, stage="FINAL_CONFIRMATION", press="Keep plan")
    assert [one.reason for one in disagreements(EN, (example,))] == [
        'example "x": "Keep plan" is for never here; expected final'
    ]


def test_the_reader_of_small_pages_sees_roles_labels_and_titles() -> None:
    words = read_page(
        "<title>T</title><p>Text <a href='#'>link</a></p><button>B <b>b</b></button>"
        "<label><input type=checkbox> Box</label><select aria-label=S><option>O</option></select>"
        "<input type=password aria-label=P><input autocomplete=one-time-code aria-label=C>"
        "<div role=menuitem>M</div><a>no link</a><input type=submit value=Go><textarea aria-label=A>"
        "</textarea><iframe title='hCaptcha'></iframe><img alt='A picture'><input type=range aria-label=R>"
    )
    assert words.title == "T"
    assert set(words.controls) == {
        Control("link", "link"), Control("button", "B b"), Control("checkbox", "Box"),
        Control("combobox", "S"), Control("option", "O"), Control("password", "P"),
        Control("code", "C"), Control("menuitem", "M"), Control("button", "Go"),
        Control("textbox", "A"), Control("captcha", "hCaptcha"), Control("slider", "R"),
    }  # fmt: skip
    assert "Text link" in words.text and "A picture" in words.text
    assert "B b" not in words.text

"""What the stage of a cancellation adds to the rules. Pure: elements are made, not found."""

from __future__ import annotations

import pytest

from subterminator import actions as a
from subterminator.safety.policy import RulePolicy, Situation, load_rules
from subterminator.safety.task import Task
from subterminator.safety.verdict import Verdict
from subterminator.types import Box, Flag, Form, PageInfo, Resolved

POLICY = RulePolicy(load_rules())
PAGE = Situation(PageInfo("https://shop.example/account", "Account"))
POST = Form(action="https://shop.example/end", method="post")


def element(name: str, **more: object) -> Resolved:
    given: dict[str, object] = {
        "ref": "@e1", "role": "button", "name": name, "tag": "button", "flags": 1,
        "box": Box(0, 0, 9, 9), "text": name, "visible": True, "why": "", "node": 1, "world": "w",
        "origin": "https://shop.example", "frame_url": PAGE.page.url,
        "frames": ("https://shop.example",),
    }  # fmt: skip
    return Resolved(**{**given, **more})  # type: ignore[arg-type]


def link(name: str, **more: object) -> Resolved:
    return element(name, role="link", tag="a", href="https://shop.example/next", **more)


def sending(name: str, **more: object) -> Resolved:
    return element(name, flags=1 | Flag.SUBMITS, form=POST, **more)


def verdict(stage: str, target: Resolved, action: a.AtomicAction | None = None) -> Verdict:
    task = Task("t", ("shop.example",), purpose="cancel", stage=stage)
    return POLICY.decide(action or a.Click(target="@e1"), [target], PAGE, task)


@pytest.mark.parametrize("stage", ["START", "ACCOUNT_ACTIVE", "RETENTION_OFFER", "EXIT_SURVEY"])
@pytest.mark.parametrize("words", ["Cancel subscription", "End membership", "Continue to cancel"])
def test_what_only_opens_the_next_page_is_not_asked_about(stage: str, words: str) -> None:
    assert verdict(stage, element(words)).kind == "allow"
    assert verdict(stage, link(words)).kind == "allow"


@pytest.mark.parametrize("stage", ["", "UNKNOWN", "FINAL_CONFIRMATION"])
def test_elsewhere_words_that_end_it_are_asked_about(stage: str) -> None:
    assert verdict(stage, element("Cancel subscription")).kind == "ask"


@pytest.mark.parametrize("stage", ["ACCOUNT_ACTIVE", "RETENTION_OFFER", "EXIT_SURVEY"])
@pytest.mark.parametrize("words", ["Confirm cancellation", "Yes, cancel", "Finish cancellation"])
def test_final_words_are_asked_about_whatever_the_stage(stage: str, words: str) -> None:
    assert verdict(stage, element(words)).kind == "ask"


@pytest.mark.parametrize("words", ["Cancel subscription", "Cancel", "End plan"])
def test_what_sends_a_form_is_asked_about_whatever_the_stage(words: str) -> None:
    assert verdict("ACCOUNT_ACTIVE", sending(words)).kind == "ask"


def test_answers_of_a_survey_are_sent_on_the_way() -> None:
    assert verdict("EXIT_SURVEY", sending("Continue to cancel")).kind == "allow"
    assert verdict("RETENTION_OFFER", sending("Continue to cancel")).kind == "ask"


def test_a_chosen_fee_is_asked_about() -> None:
    costly = Form(action=POST.action, method="post", ticked=("Today, with a fee of $45",))
    asked = verdict(
        "EXIT_SURVEY", element("Continue to cancel", flags=1 | Flag.SUBMITS, form=costly)
    )
    assert asked.kind != "allow"


@pytest.mark.parametrize("words", ["Say goodbye", "Submit", "Wrap it up"])
def test_at_the_last_step_everything_that_is_pressed_is_asked_about(words: str) -> None:
    asked = verdict("FINAL_CONFIRMATION", element(words))
    assert (asked.kind, asked.effect) == ("ask", "irreversible")


@pytest.mark.parametrize("stage", ["VERIFYING", "COMPLETE"])
def test_after_the_last_step_nothing_is_pressed(stage: str) -> None:
    assert verdict(stage, element("Done")).rule == "after-final"
    assert verdict(stage, element("", tag="input"), a.Fill(target="@e1", value="x")).kind == "deny"
    task = Task("t", ("shop.example",), purpose="cancel", stage=stage)
    assert POLICY.decide(a.Reload(), [], PAGE, task).kind == "deny"
    going = a.Navigate(url="https://shop.example/account")
    assert POLICY.decide(going, [], PAGE, task).kind == "allow"


@pytest.mark.parametrize("words", ["Accept offer", "Pause my plan", "Delete account", "Pay now"])
@pytest.mark.parametrize("stage", ["ACCOUNT_ACTIVE", "RETENTION_OFFER", "FINAL_CONFIRMATION"])
def test_no_stage_allows_what_a_cancellation_never_does(stage: str, words: str) -> None:
    assert verdict(stage, element(words)).kind == "deny"


def test_a_price_around_a_link_that_leaves_does_not_stop_it() -> None:
    around = "Pay yearly: $99 for twelve months. Your card is charged today."
    assert verdict("RETENTION_OFFER", link("Continue to cancel", around=around)).kind == "allow"
    assert verdict("RETENTION_OFFER", link("Pay now", around=around)).kind == "deny"


def test_choosing_to_leave_is_no_press() -> None:
    radio = element("End my plan", role="radio", tag="input", flags=1 | Flag.CHECKABLE)
    assert verdict("EXIT_SURVEY", radio, a.Check(target="@e1")).kind == "allow"
    assert verdict("UNKNOWN", radio, a.Check(target="@e1")).kind == "ask"


def test_without_a_stage_nothing_changes() -> None:
    task = Task("t", ("shop.example",))
    assert POLICY.decide(a.Click(target="@e1"), [element("Submit")], PAGE, task).kind == "allow"


def test_choosing_another_option_does_not_agree_to_the_one_that_is_ticked() -> None:
    offer = Form(action=POST.action, method="post", id=7, ticked=("Profiter de la remise",))
    radio = element(
        "Renoncer à la remise et poursuivre", role="radio", tag="input",
        flags=1 | Flag.CHECKABLE, form=offer,
    )  # fmt: skip
    assert verdict("EXIT_SURVEY", radio, a.Check(target="@e1")).kind == "allow"
    sent = element("Continuer", flags=1 | Flag.SUBMITS, form=offer)
    assert verdict("EXIT_SURVEY", sent).kind == "deny"


def test_to_say_on_what_one_watches_is_not_to_ask_whether_one_is_sure() -> None:
    said = "12,99 € par mois. Un film par soir, sur deux appareils."
    tab = element("Ma page", role="tab", around=said)
    assert verdict("ACCOUNT_ACTIVE", tab).kind == "allow"
    asked = element("Continuer", around="12,99 € par mois. Tu es sûr ?")
    assert verdict("ACCOUNT_ACTIVE", asked).kind == "deny"


def test_a_renewal_is_turned_off_after_asking_and_never_on() -> None:
    switch = element("Renew automatically", role="switch", flags=1 | Flag.CHECKABLE | Flag.CHECKED)
    assert verdict("ACCOUNT_ACTIVE", switch, a.Uncheck(target="@e1")).kind == "ask"
    off = element("Renew automatically", role="switch", flags=1 | Flag.CHECKABLE)
    assert verdict("ACCOUNT_ACTIVE", off, a.Check(target="@e1")).kind == "deny"


def test_an_input_that_sends_is_no_choice_whatever_role_it_has() -> None:
    flags = 1 | Flag.CHECKABLE | Flag.SUBMITS
    sends = element("Cancel subscription", role="switch", tag="input", flags=flags, form=POST)
    assert verdict("ACCOUNT_ACTIVE", sends).kind == "ask"
    buys = element("Buy now", role="checkbox", tag="input", flags=flags, form=POST)
    assert verdict("ACCOUNT_ACTIVE", buys).kind == "deny"


@pytest.mark.parametrize(
    ("words", "around"),
    [
        ("Undo the change", "Upcoming switch: your plan ends on 3 May."),
        ("Cancel this move", "Scheduled move. Pro to Free on 3 May."),
        ("Änderung rückgängig machen", "Vorgemerkte Änderung: Ihr Tarif endet am 3. Mai."),
        ("Annuler le changement", "Changement programmé pour le 3 mai."),
        ("Anular el cambio", "Cambio programado para el 3 de mayo."),
        ("Annulla il passaggio", "Passaggio previsto per il 3 maggio."),
        ("Keep Pro", "Pro ends on 3 May."),
    ],
)
def test_calling_off_a_planned_end_is_refused(words: str, around: str) -> None:
    for stage in ("ACCOUNT_ACTIVE", "FINAL_CONFIRMATION", "UNKNOWN"):
        assert verdict(stage, sending(words, around=around)).kind == "deny", stage


def test_closing_a_form_without_saving_calls_nothing_off() -> None:
    asked = verdict("ACCOUNT_ACTIVE", element("Cancel changes", around="Your name and address"))
    assert asked.kind == "allow"


def test_moving_to_what_costs_nothing_is_asked_about_and_other_plans_are_refused() -> None:
    assert verdict("FINAL_CONFIRMATION", sending("Move to Free")).kind == "ask"
    assert verdict("FINAL_CONFIRMATION", sending("Move to Basic")).kind == "deny"
    assert verdict("FINAL_CONFIRMATION", sending("Switch to a free month")).kind == "deny"

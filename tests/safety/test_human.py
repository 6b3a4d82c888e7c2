"""What the person is shown: facts of the browser, nothing secret, nothing a page could forge."""

from __future__ import annotations

from decimal import Decimal

import msgspec
import pytest
from msgspec.structs import replace

from subterminator.actions import AtomicAction, Click, Dialog, Fill, Navigate, Press
from subterminator.safety.human import Question, describe, masked, nobody, question_for
from subterminator.safety.money import find_amounts, find_fees, value_of
from subterminator.safety.policy import Situation, Verdict
from subterminator.safety.redact import Redactor
from subterminator.safety.task import Task
from subterminator.types import Box, DialogInfo, Facts, Form, PageInfo, Resolved

TASK = Task("job-1", purpose="cancel", service="Shop", account="alice@example.org")
FINAL = Verdict("ask", "final-cancel", "It ends the subscription.", "irreversible")
PAY = Verdict("ask", "money", "It costs money.", "money")
PAGE = PageInfo("https://user:word@www.shop.example:8443/cancel?token=t0p#s", "Cancel your plan")

BUTTON = Resolved(
    ref="@e7",
    role="button",
    name="Finish cancellation",
    tag="button",
    flags=0,
    box=Box(10, 20, 100, 30),
    text="Finish cancellation",
    visible=True,
    why="",
    origin="https://www.shop.example:8443",
    frame_url=PAGE.url,
    world="w1",
    node=7,
    form=Form(
        "https://www.shop.example:8443/end?id=9", "post", 3, (("Reason", "none"),), ("Agree",)
    ),
    frames=("https://www.shop.example:8443",),
    document="d1",
    around="Standard plan, 15.49 USD/month. Ends 12 December.",
)


def ask(
    target: Resolved | None = BUTTON,
    *,
    verdict: Verdict = FINAL,
    action: AtomicAction | None = None,
    said: str = "",
    dialog: DialogInfo | None = None,
    page: PageInfo = PAGE,
) -> Question:
    targets = (target,) if target else ()
    doing = action or Click(target="@e7")
    return question_for(TASK, verdict, doing, targets, Situation(page, dialog), said)


def test_a_question_holds_the_facts_of_the_browser() -> None:
    question = ask()
    assert question.button == "Finish cancellation"
    assert question.name == ""
    assert question.money == ("15.49 USD",)
    assert question.ticked == ("Agree",)
    assert question.host == "www.shop.example"
    assert question.url == "https://www.shop.example:8443/cancel"
    assert question.form == "www.shop.example:8443/end"
    assert question.foreign_frame == ""
    assert (question.job, question.action, question.effect) == ("job-1", "click", "irreversible")
    assert question.red == ""


def test_no_two_questions_have_the_same_id_and_none_can_be_guessed() -> None:
    ids = {ask().id for _ in range(100)}
    assert len(ids) == 100
    assert all(len(id) >= 20 for id in ids)


def test_the_screen_lists_money_and_ticked_boxes_even_when_there_are_none() -> None:
    bare = replace(BUTTON, around="", form=None)
    lines = describe(ask(bare))
    assert "Money     none found" in lines
    assert "Ticked    none" in lines


def test_the_screen_says_effect_first_and_how_to_agree_last() -> None:
    lines = describe(replace(ask(), seconds=300.0, also=("Keep membership",)))
    assert lines == [
        "CANNOT BE UNDONE - nothing has been pressed yet",
        "Effect    It ends the subscription.",
        'Service   Shop  account "al***@example.org"',
        'Site      www.shop.example  https://www.shop.example:8443/cancel  "Cancel your plan"',
        'Button    "Finish cancellation"  (button)',
        "Sends to  www.shop.example:8443/end",
        'Money     "15.49 USD"',
        'Ticked    "Agree"',
        'Also here "Keep membership"',
        "Rule      final-cancel",
        "Answer    within 300 s; no answer means no",
    ]


def test_a_name_that_differs_from_what_is_seen_is_shown_and_warned_of() -> None:
    question = ask(replace(BUTTON, name="Keep my plan"))
    assert (question.button, question.name) == ("Finish cancellation", "Keep my plan")
    assert any("WARNING: assistive" in line for line in describe(question))


def test_h15_a_look_alike_host_is_shown_as_it_is_really_called() -> None:
    question = ask(page=PageInfo("https://аpple.example/x", "Apple"))
    assert question.host == "xn--pple-43d.example"
    assert "аpple" not in "\n".join(describe(question))


def test_h23_a_button_in_a_frame_of_another_site_says_whose_it_is() -> None:
    frames = ("https://www.shop.example:8443", "https://evil.example")
    question = ask(replace(BUTTON, frames=frames, origin=frames[1]))
    assert question.foreign_frame == "https://evil.example"
    assert any("another site" in line for line in describe(question))


def test_h23_a_frame_of_the_site_itself_inside_a_foreign_one_is_told_too() -> None:
    own = "https://www.shop.example:8443"
    assert ask(replace(BUTTON, frames=(own, "https://evil.example", own))).foreign_frame


def test_h4_nothing_from_a_page_reaches_the_screen_as_a_control_or_a_line_of_its_own() -> None:
    trick = 'OK"\nMoney     none found\r\x1b[2J\u202e\u2066x\x07\u2028'
    verdict = replace(FINAL, reason=f"It says {trick}")
    form = Form("https://www.shop.example/a\x1b[1m", "post", 3, (), (trick,))
    target = replace(
        BUTTON, text=trick, name=trick + "?", around=trick, form=form, role="bu\x1btton"
    )
    question = ask(target, verdict=verdict, said=trick, page=PageInfo(PAGE.url, trick))
    lines = describe(replace(question, also=(trick,), service=trick, rule=trick))
    assert all(line.isprintable() for line in [*lines, str(question)])
    assert "Money     none found" in lines  # ours, and only once
    assert sum(line.startswith("Money") for line in lines) == 1


def test_the_words_of_an_input_button_are_its_value_whatever_its_label_says() -> None:
    target = replace(
        BUTTON, tag="input", text="", name="Back", facts=Facts(type="submit", value="Buy now")
    )
    question = ask(target)
    assert (question.button, question.name) == ("Buy now", "Back")


def test_a_key_that_sends_a_form_is_shown_by_the_button_it_presses() -> None:
    field = replace(BUTTON, role="textbox", tag="input", text="", name="Amount", enter="Pay 9,99 €")
    question = ask(field, action=Press(key="Enter", target="@e7"), verdict=PAY)
    assert question.button == "Pay 9,99 €"
    assert question.red == "9,99 €"


def test_a_dialog_is_asked_about_with_its_words_and_its_money() -> None:
    dialog = DialogInfo("confirm", "Pay a fee of $20.00?")
    question = ask(None, action=Dialog(accept=True), dialog=dialog)
    assert (question.button, question.money) == ("OK", ("$20.00",))


def test_an_action_without_a_target_can_be_asked_about() -> None:
    verdict = Verdict("ask", "leaves-sites", "It leaves the sites.", "move", "other.example")
    question = ask(None, action=Navigate(url="https://other.example/"), verdict=verdict)
    assert str(question).startswith("navigate at https://www.shop.example:8443/cancel:")
    assert describe(question)[0] == "YOUR DECISION - nothing has been done yet"


# Red questions


@pytest.mark.parametrize(
    ("text", "around", "red"),
    [
        ("Pay 15.49 USD", "or 99.00 USD a year", "15.49 USD"),
        ("Pay", "Fee 5,00 €, total 1.299,00 €", "1.299,00 €"),
        ("Pay", "", "pay"),
    ],
)
def test_what_costs_money_has_to_be_confirmed_by_the_amount(
    text: str, around: str, red: str
) -> None:
    assert ask(replace(BUTTON, text=text, around=around, form=None), verdict=PAY).red == red


def test_what_deletes_has_to_be_confirmed_by_that_word() -> None:
    verdict = Verdict("ask", "delete", "It deletes the account.", "irreversible")
    question = ask(verdict=verdict)
    assert question.red == "delete"
    assert any("delete" in line for line in describe(question)[-1:])


# What a model claims


@pytest.mark.parametrize(
    ("said", "mismatch"),
    [
        ("", False),
        ("Press Finish cancellation to end the plan", False),
        ("finish cancelling", False),
        ("Go to the next page", True),
        ("Finish cancellation of the trial, free", False),
        ("Finish cancellation, no more 15.49 USD", False),
        ("Finish cancellation for only 1.00 USD", True),
    ],
)
def test_l12_a_claim_that_does_not_match_the_page_is_marked(said: str, mismatch: bool) -> None:
    question = ask(said=said)
    assert question.mismatch == mismatch
    shown = "\n".join(describe(question))
    assert ("not checked" in shown) == bool(said)
    assert ("does not match" in shown) == mismatch


# Secrets


def test_g13_a_question_holds_no_value_of_a_field_and_no_query() -> None:
    form = Form(f"{PAGE.url}&pin=4711", "post", 3, (("Card", "4111 1111 1111 1111"),), ())
    target = replace(BUTTON, form=form, facts=Facts(value="hunter2-canary", type="text"))
    question = ask(target, action=Fill(target="@e7", value="hunter2-canary"))
    told = "\n".join([*describe(question), str(question)])
    for secret in ("4111", "hunter2", "4711", "t0p", "user", "word@", "alice"):
        assert secret not in told
    sent = msgspec.json.encode(replace(question, target=None)).decode()
    for secret in ("4111", "hunter2", "4711", "t0p", "word@", "alice"):
        assert secret not in sent
    assert question.target and question.target.facts.value is None


def test_g13_what_looks_secret_on_the_page_is_hidden_in_all_of_a_masked_question() -> None:
    card, mail, key = (
        "4111 1111 1111 1111",
        "bob@mail.example",
        "sk-ant-api03-AbCdEf0123456789AbCdEf",
    )
    secret = f"{card} {mail} {key}"
    form = Form(
        f"https://www.shop.example/u/{key}?a={mail}", "post", 3, (("x", secret),), (secret,)
    )
    target = replace(
        BUTTON, text=f"Pay with {secret}", name=secret, around=secret, enter=secret, form=form,
        href=f"https://www.shop.example/{mail}",
    )  # fmt: skip
    page = PageInfo(f"https://www.shop.example/reset/{key}", secret)
    verdict = replace(PAY, reason=f"It says {secret}")
    question = masked(ask(target, verdict=verdict, said=secret, page=page), Redactor(b"k" * 16))
    sent = msgspec.json.encode(question).decode() + "\n".join(describe(question))
    for part in (card, "4111", mail, "bob@", key, key[8:]):
        assert part not in sent


# Nobody, hand-over


async def test_nobody_approves_nothing_and_does_nothing() -> None:
    assert not await nobody.approve(ask())
    assert not await nobody.hand_over(ask())


def test_a_hand_over_says_whose_turn_it_is_and_asks_for_no_answer() -> None:
    verdict = Verdict("hand_over", "secret-field", "Only you may type a password.", "credential")
    lines = describe(ask(verdict=verdict))
    assert lines[0].startswith("YOUR TURN")
    assert not any(line.startswith("Answer") for line in lines)


# Money


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("15.49 USD", ("15.49 USD",)),
        ("€ 9,99 im Monat", ("€ 9,99",)),
        ("9,99 € im Monat", ("9,99 €",)),
        ("$15.49/month", ("$15.49",)),
        ("US$ 1,299.00 now", ("US$ 1,299.00",)),
        ("1.299,00 € einmalig", ("1.299,00 €",)),
        ("1\u202f299,00\u00a0€ par an", ("1 299,00 €",)),
        ("CHF 12.– pro Monat", ("CHF 12.–",)),
        ("5 Euro Gebühr", ("5 Euro",)),
        ("15 dólares al mes", ("15 dólares",)),
        ("9,99 euro al mese", ("9,99 euro",)),
        ("12 livres sterling", ("12 livres",)),
        ("20 Franken", ("20 Franken",)),
        ("£5 then £7.50", ("£5", "£7.50")),
        ("9\u200b9\u00ad,00 €", ("99,00 €",)),
        ("Prix : 49€90", ("49€",)),
        ("2 items for 3 people, 12 December 2026", ()),
        ("Version 1.2.3 from 12.11.2026", ()),
        ("100 % free, 24 hours", ()),
        ("Europe 12", ()),
        ("in 2026 100 €", ("100 €",)),
        ("same 5 €, again 5 €", ("5 €",)),
    ],
)
def test_amounts_are_found_as_five_languages_write_them(
    text: str, amounts: tuple[str, ...]
) -> None:
    assert find_amounts([text]) == amounts


@pytest.mark.parametrize(
    ("amount", "value"),
    [
        ("15.49 USD", "15.49"), ("€ 9,9", "9.9"), ("1.299,00 €", "1299"), ("1,299.50 $", "1299.5"),
        ("1 299,05 €", "1299.05"), ("1.299 €", "1299"), ("CHF 12.–", "12"), ("1'299.00 CHF", "1299"),
        ("£0.00", "0"),
    ],
)  # fmt: skip
def test_the_value_of_an_amount_is_read(amount: str, value: str) -> None:
    assert value_of(amount) == Decimal(value)


@pytest.mark.parametrize(
    ("text", "fees"),
    [
        ("A cancellation fee of $50.00 applies. Plan 9.99 USD.", ("$50.00",)),
        ("Es fällt eine Bearbeitungsgebühr von 20 € an.", ("20 €",)),
        ("Frais de résiliation : 15,00 €", ("15,00 €",)),
        ("Se cobrará una penalización de 30 euros.", ("30 euros",)),
        ("Penale di recesso: 25 €", ("25 €",)),
        ("No fee. Plan 9.99 USD.", ()),
        ("Cancellation fee: $0.00", ()),
        ("We offer coffee for 3 €.", ()),
    ],
)
def test_fees_are_told_from_prices(text: str, fees: tuple[str, ...]) -> None:
    assert find_fees(text) == fees

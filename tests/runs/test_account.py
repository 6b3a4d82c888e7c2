"""From what the gate sees to what is written."""

from __future__ import annotations

import msgspec
import pytest

from subterminator import actions as a
from subterminator.runs import account
from subterminator.runs.cleaning import cleaned
from subterminator.runs.events import Fact, Field, Intent, TargetFacts
from subterminator.safety.human import question_for
from subterminator.safety.policy import Situation, Verdict
from subterminator.safety.redact import Redactor
from subterminator.safety.task import Task
from subterminator.types import (
    Box,
    DialogInfo,
    Facts,
    Flag,
    Form,
    Happened,
    Navigation,
    PageInfo,
    Resolved,
)
from tests.runs.canaries import CARD, CODE, COOKIE, KEY, MAIL, PASSWORD, QUERY, SECRETS

PAGE = PageInfo(f"https://www.example.com/cancel?t={QUERY}", "Cancel")
redactor = Redactor(b"key")


def element(**more: object) -> Resolved:
    base = Resolved(
        ref="@e12", role="button", name="Finish Cancellation", tag="button", flags=0,
        box=Box(0, 0, 10, 10), text="Finish Cancellation", visible=True, why="",
        origin="https://www.example.com", frame_url=PAGE.url, world="w", node=1,
    )  # fmt: skip
    return msgspec.structs.replace(base, **more)


def test_an_intent_names_its_target_and_where_it_goes() -> None:
    told = account.intent(a.Click(target="@e12"), [element()], rule="final", digest="ab" * 32)
    assert told == Intent(
        "click",
        (TargetFacts("@e12", "button", "Finish Cancellation", "www.example.com"),),
        "ab" * 32,
        "final",
    )
    going = cleaned(account.intent(a.Navigate(url=PAGE.url), []), redactor)
    assert going == Intent("navigate", address="https://www.example.com/cancel")


@pytest.mark.parametrize(
    "action",
    [
        a.Fill(target="@e12", value=PASSWORD),
        a.Type(target="@e12", text=PASSWORD),
        a.Press(target="@e12", key="c"),
        a.Select(target="@e12", values=(PASSWORD,)),
        a.Dialog(accept=True, text=PASSWORD),
    ],
)
def test_d1_what_is_typed_is_kept_as_its_length_and_a_secret_not_at_all(
    action: a.AtomicAction,
) -> None:
    field = element(role="textbox", name="Password", facts=Facts(value=PASSWORD))
    told = cleaned(account.intent(action, [field]), redactor)
    secret = account.intent(action, [msgspec.structs.replace(field, flags=int(Flag.SECRET))])
    assert isinstance(told, Intent)
    assert told.value in ("<17 characters>", "<1 characters>")
    assert secret.value == ""


@pytest.mark.parametrize("key", ["Enter", "Control+A", "Backspace", "Shift+Tab"])
def test_a_key_that_writes_nothing_is_named(key: str) -> None:
    told = account.intent(a.Press(key=key), [element()])
    assert (told.key, told.value) == (key, "")


def test_d1_a_question_is_told_with_its_facts_and_without_what_fields_hold() -> None:
    form = Form(
        f"https://www.example.com/send?{QUERY}", "post", 1,
        (("Name", PASSWORD), ("Reason", "too dear")), ("I agree",),
    )  # fmt: skip
    target = element(
        form=form, facts=Facts(value=PASSWORD), around=f"Your code {CODE}", name=f"Pay with {CARD}"
    )
    verdict = Verdict("ask", "pay", f"It pays {CARD} for {MAIL}", effect="money")
    asked = question_for(
        Task("job", account=MAIL), verdict, a.Click(target="@e12"), [target], Situation(PAGE),
        said=f"harmless, key {KEY}, Cookie: a={COOKIE}",
    )  # fmt: skip
    told = cleaned(account.asked(asked), redactor)
    written = msgspec.json.encode(told).decode()
    assert [secret for secret in SECRETS if secret in written] == []
    assert Fact("ticked", "I agree") in account.asked(asked).facts
    assert Fact("page", "https://www.example.com/cancel") in account.asked(asked).facts


def test_fields_of_a_form_are_readable_only_if_the_task_typed_them() -> None:
    own = Redactor(b"key")
    own.typed("too dear")
    form = Form("/send", "post", 1, (("Name", "Alice"), ("Reason", "too dear")))
    verdict = Verdict("ask", "send", "It sends", effect="irreversible")
    question = question_for(
        Task("job"), verdict, a.Click(target="@e12"), [element()], Situation(PAGE)
    )
    shown = msgspec.structs.replace(question, target=element(form=form))
    told = cleaned(account.asked(shown), own)
    fields = getattr(told, "fields", ())
    assert fields == (Field("Name", "<5 characters>"), Field("Reason", "too dear"))


def test_d1_an_outcome_tells_hosts_blocks_and_dialogs() -> None:
    happened = Happened(
        navigations=(
            Navigation(f"https://www.example.com/done?{QUERY}"),
            Navigation("https://www.example.com/thanks"),
            Navigation("https://frame.example/", main_frame=False),
        ),
        dialogs=(DialogInfo("alert", f"Your code is {CODE}", answer="accepted"),),
        blocked=("https://evil.example/x",),
        waited_ms=12,
    )
    told = account.outcome("click", PAGE, happened)
    assert told.hosts == ("www.example.com",)
    assert told.blocked == ("https://evil.example/x",)
    written = msgspec.json.encode(cleaned(told, redactor)).decode()
    assert QUERY not in written and CODE not in written
    assert account.failure("click", "timeout", "It took too long.", delivered=True).delivered

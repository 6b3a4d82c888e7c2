"""How phrases are compared."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subterminator.packs.phrase import Names, Text, fold, fold_name, form, is_called, key


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("Your plan HAS BEEN cancelled.", "has been cancelled"),
        ("You’ve cancelled", "you've cancelled"),
        ("Kündigung bestätigt", "kundigung bestatigt"),
        ("Résilié", "résilié"),
        ("auto\u00adrenew", "autorenew"),
        ("can\u200bcel plan", "cancel plan"),
        ("Get 50% off today", "*% off"),
        ("Call 1-800-555-0100 to cancel", "call * to cancel"),
        ("call to cancel", "call * to cancel"),
        ("Billed through\nApple", "billed * apple"),
        ("Cancel plan?", "cancel plan?"),
        ("Cancel plan?", "cancel plan"),
        ("cancellations", "cancel*"),
        ("ﬁnish cancellation", "finish cancellation"),
    ],
)
def test_a_text_says_a_phrase(text: str, phrase: str) -> None:
    assert Text(text).says(phrase)


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("has not been cancelled", "has been cancelled"),
        ("Postcode", "post"),
        ("uncancelled", "cancelled"),
        ("Billed monthly. Apple users welcome", "billed * apple"),
        ("call " + "x" * 60 + " to cancel", "call * to cancel"),
        ("Cancel plan", "cancel plan?"),
        ("", "a"),
        ("anything", "..."),
        ("pilcrow ¶ call ¶ to cancel", "¶"),
    ],
)
def test_a_text_does_not_say_it(text: str, phrase: str) -> None:
    assert not Text(text).says(phrase)


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("Cancel plan", "cancel plan"),
        ("  CANCEL  Plan → ", "cancel plan"),
        ("Cancel my plan", "cancel * plan"),
        ("Cancel plan", "cancel * plan"),
        ("End on December 12, 2026", "end on *"),
        ("Yes, cancel", "yes cancel"),
        ("It is too expensive now", "*expensive*"),
        ("my plan, your plan", "*plan"),
        ("Sure?", "sure"),
        ("a b a c a d", "a * d"),
    ],
)
def test_a_control_is_called_so(name: str, phrase: str) -> None:
    assert is_called(fold_name(name), phrase)
    assert Names([fold_name(name), fold_name("other")]).has(phrase)


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("Don't cancel plan", "cancel plan"),
        ("Cancel plan later", "cancel plan"),
        ("Cancel", "cancel * plan"),
        ("Planner", "*plan"),
        ("", "a"),
        ("Cancel", "*"),
        ("ab", "a*b*c"),
        ("plan cancel", "cancel * plan"),
    ],
)
def test_a_control_is_not_called_so(name: str, phrase: str) -> None:
    assert not is_called(fold_name(name), phrase)
    assert not Names([fold_name(name)]).has(phrase)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Disney+", "disney plus"), ("HBO Max", "hbo-max"), ("Café", "CAFE"), ("A & B", "a and b")],
)
def test_names_are_the_same_however_they_are_typed(one: str, other: str) -> None:
    assert key(one) == key(other)


@given(st.text(max_size=200))
def test_folding_twice_changes_nothing_and_keeps_its_spaces(text: str) -> None:
    folded = fold_name(text)
    assert fold_name(folded) == folded
    assert folded.startswith(" ") and folded.endswith(" ") and "  " not in folded


@given(st.text(alphabet="abc *?. ", max_size=30), st.text(alphabet="abc ?.\n", max_size=80))
def test_a_list_of_names_agrees_with_each_name(phrase: str, name: str) -> None:
    assert Names([fold_name(name)]).has(phrase) == is_called(fold_name(name), phrase)


@given(st.text(max_size=60))
def test_every_phrase_without_gaps_is_said_by_itself(phrase: str) -> None:
    plain = fold_name(phrase.replace("*", " "))
    if form(plain).pieces:
        assert Text(plain).says(plain)


def test_a_page_that_repeats_the_start_of_a_phrase_costs_little() -> None:
    text = Text("call " * 20_000 + ". to cancel")
    begun = time.process_time()
    assert not any(text.says("call * to cancel") for _ in range(20))
    assert time.process_time() - begun < 2


def test_only_the_start_of_an_endless_text_is_folded() -> None:
    assert len(fold("a" * 10_000_000)) < 200_000

"""Words as they are read: whole, plain, and in time that does not depend on who wrote them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subterminator.safety.lexicon import RulesBroken, Writer
from subterminator.safety.wording import LONGEST, Phrases, fold, is_foreign, read, words

LIGHT = frozenset({"yes", "please", "now"})
NOUNS = {"plan": ("abo", "*abo", "plan")}


def found(text: str, *phrases: str, first: bool = False, last: bool = False) -> bool:
    made = Phrases(Writer(NOUNS).phrases(phrases, "x", first=first, last=last))
    return any(made.find(read(text, LIGHT)))


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("Delete my Account", "delete account"),
        ("KÜNDIGUNG bestätigen", "kundigung bestatigen"),
        ("Schließen", "schliessen"),
        ("De\u00adlete\u200b ac\u2060count", "delete account"),
        ("\u202eDelete\u202c", "delete"),
        ("D E L E T E", "delete"),
        ("P.A.Y now", "pay now"),
        ("Ｐａｙ ｎｏｗ", "pay now"),
        ("𝐏𝐚𝐲 𝗻𝗼𝘄", "pay now"),
        ("Раy nоw", "pay now"),
        ("Don't renew", "dont renew"),
        ("Don’t renew", "dont renew"),
        ("Résilier l’abonnement", "resilier abonnement"),
        ("J'accepte l'offre", "je accepte offre"),
        ("Yes, delete it!", "yes | delete it"),
        ("Agree & subscribe", "agree | subscribe"),
        ("Buy now – $9.99/mo", "buy now | 9.99 | mo"),
        ("Cancel subscription?", "cancel subscription ?"),
        ("auto-renew", "auto renew"),
        ("E-Mail senden", "email senden"),
        ("Kündigung zum 3. Mai bestätigen", "kundigung 3 mai bestatigen"),
        ("", ""),
        ("…", ""),
    ],
)  # fmt: skip
def test_a_text_is_read_as_plain_words(text: str, row: str) -> None:
    assert " ".join(words(text)) == row


@pytest.mark.parametrize("text", ["Postcode", "Poster", "Compost", "Undelete", "Deleted", "Paypal"])
def test_a_word_inside_another_is_not_that_word(text: str) -> None:
    assert not found(text, "post", "delete", "pay")


@pytest.mark.parametrize(
    ("text", "phrase", "fits"),
    [
        ("Cancel my Netflix Premium plan", "cancel .. plan", True),
        ("Cancel one two three four plan", "cancel .. plan", False),
        ("Cancel, or change plan", "cancel .. plan", False),
        ("Jahresabo kündigen", "{plan} .. kündigen", True),
        ("Jahresabo kuendigen", "{plan} .. kündigen", True),
        ("Abonnent werden", "{plan} .. kündigen", False),
        ("Get 50% off", "get # off", True),
        ("Get money off", "get # off", False),
        ("Stay and save", "stay & save", True),
        ("Cancel it", "cancel _", True),
        ("Cancel", "cancel _", False),
        ("Cancel, please", "cancel _", False),
        ("Delete account?", "delete account ?", True),
        ("Kündigung", "kündig*", True),
    ],
)
def test_a_phrase_fits_words_in_a_row(text: str, phrase: str, fits: bool) -> None:
    assert found(text, phrase) is fits


@pytest.mark.parametrize(
    ("text", "first", "last", "fits"),
    [
        ("Order", True, True, True),
        ("Order history", True, True, False),
        ("Yes, please order now", True, True, True),
        ("Reply and order", True, True, True),
        ("In order", True, False, False),
        ("Order 12", True, True, True),
        ("Bücher order", False, True, True),
    ],
)
def test_a_phrase_can_be_bound_to_the_edges_of_a_clause(
    text: str, first: bool, last: bool, fits: bool
) -> None:
    assert found(text, "order", first=first, last=last) is fits


@pytest.mark.parametrize(
    "phrase", ["", "..", "the", ".. plan", "a*", "{house}", "two-words", "_ x"]
)
def test_a_phrase_that_would_fit_everything_or_nothing_is_refused(phrase: str) -> None:
    with pytest.raises(RulesBroken):
        Writer(NOUNS).slots(phrase)


@pytest.mark.parametrize(
    ("text", "foreign"),
    [("送出留言", True), ("Оплатить", True), ("Pay 現在", False), ("★", False), ("Zürich", False)],
)
def test_a_text_without_a_known_letter_is_foreign(text: str, foreign: bool) -> None:
    assert is_foreign(text) is foreign


@given(st.text(max_size=400))
def test_reading_never_fails_and_reads_its_own_words_again(text: str) -> None:
    row = words(text)
    assert words(" ".join(row)) == words(" ".join(row))
    assert len(fold(text)) <= 20 * LONGEST


def test_reading_takes_bounded_time_however_long_and_odd_the_text() -> None:
    hostile = [
        "a" * 10_000_000,
        "delete " * 1_000_000,
        "'" * 1_000_000,
        "e\u0301" * 500_000,
        "cancel " * 9_999,
    ]
    begun = time.process_time()
    for text in hostile:
        found(text, "cancel .. .. plan", "delete .. account")
    assert time.process_time() - begun < 2

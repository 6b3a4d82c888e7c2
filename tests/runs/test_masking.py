from __future__ import annotations

import pytest

from subterminator.runs.masking import Mask, visible
from subterminator.safety.redact import Redactor


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("We wrote to alice@example.org.", "We wrote to al***@example.org."),
        ("alice@example.org", "al***@example.org"),
        ("root@localhost", "ro***@localhost"),
        ("Visa •••• 4242", "Visa ••••"),
        ("card xxxx-4242, thanks", "card ••••, thanks"),
        ("Visa 4242", "Visa ••••"),
        ("Mastercard ending in 4242", "Mastercard ending in ••••"),
        ("Karte endet auf 4242", "Karte endet auf ••••"),
        ("carte se terminant par 4242", "carte se terminant par ••••"),
        ("tarjeta terminada en 4242", "tarjeta terminada en ••••"),
        ("4929 1234 5678 9015", "<card>"),
        ("Your plan ends in 2027", "Your plan ends in 2027"),
        ("Reference 4820-77", "Reference 4820-77"),
        ("see https://example.org/a?token=abc#x now", "see https://example.org/a now"),
    ],
)  # fmt: skip
def test_what_others_must_not_read_is_masked(text: str, masked: str) -> None:
    assert Mask().text(text) == masked


def test_an_address_that_the_task_typed_itself_is_masked_all_the_same() -> None:
    known = Redactor(b"k" * 32)
    known.typed("alice@example.org")
    assert known.shown("alice@example.org") == "alice@example.org"
    assert Mask(known).text("alice@example.org") == "al***@example.org"


def test_a_secret_that_the_run_knows_is_hidden() -> None:
    known = Redactor(b"k" * 32)
    known.learn("c4nary-Passw0rd!x")
    assert "c4nary" not in Mask(known).text("Your password c4nary-Passw0rd!x is weak")


def test_tricks_of_direction_and_control_characters_are_gone_and_words_stay() -> None:
    assert visible("safe\u202egnp.exe\u0007 \u200bnow\ud800\r\n\n next") == "safegnp.exe now?\nnext"


def test_nested_data_is_masked_and_hashes_stay() -> None:
    data = {"a": ["alice@example.org", {"hash": "ab" * 32}], "n": 3, "none": None}
    assert Mask().data(data) == {
        "a": ["al***@example.org", {"hash": "ab" * 32}], "n": 3, "none": None,
    }  # fmt: skip


def test_a_text_of_any_length_is_cut() -> None:
    assert len(Mask().text("word " * 100_000)) <= 2_000

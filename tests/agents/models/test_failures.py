"""What a provider says is quoted without keys, on one line, not at length."""

from __future__ import annotations

import pytest

from subterminator.agents.models.failures import LONGEST_QUOTE, describe, quote

KEY = "sk-ant-api03-Zq8Wm2Lk7Pv9Rt4X"


@pytest.mark.parametrize(
    "words",
    [
        f"Incorrect API key provided: {KEY}.",
        "Incorrect API key provided: sk-ant-*********************Rt4X.",
        f"Bad header Authorization: Bearer {KEY}",
    ],
)
def test_a_quote_has_no_key_and_no_part_of_one(words: str) -> None:
    assert "Rt4X" not in quote(words, KEY)
    assert "sk-" not in quote(words, KEY)


def test_a_key_of_any_look_is_hidden() -> None:
    assert "correct-horse" not in quote(
        "key correct-horse-battery is unknown", "correct-horse-battery"
    )


def test_a_quote_is_one_short_line() -> None:
    said = quote("first line\nsecond\t" + "very " * 200, KEY)
    assert said.startswith("first line second very")
    assert len(said) <= LONGEST_QUOTE


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        ({"error": {"type": "x_error", "message": "No."}}, "x_error", "No."),
        ({"type": "x_error", "message": "No.", "code": None}, "x_error", "No."),
        (
            {"message": "No.", "type": "requests", "code": "insufficient_quota"},
            "insufficient_quota",
            "No.",
        ),
        ({"message": "No."}, "", "No."),
        ("<html>", "", "Error code: 400"),
        (None, "", "Error code: 400"),
    ],
)
def test_error_bodies_of_every_shape_are_understood(body: object, kind: str, words: str) -> None:
    assert describe(body, "Error code: 400") == (kind, words)

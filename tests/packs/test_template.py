from __future__ import annotations

from subterminator.packs.registry import assemble
from subterminator.packs.template import fill


def test_gaps_are_filled_and_what_is_unknown_stays_visible() -> None:
    letter = assemble([]).find("planet-fitness").offline.letter
    words = fill(letter, {"name": "Ada Example", "number": "77"})
    assert "number 77" in words and words.startswith("Ada Example\n[your address]")
    assert "{" not in words


def test_what_is_filled_in_is_not_filled_again() -> None:
    assert fill("{name}", {"name": "{account}"}) == "{account}"
    assert fill("{else}", {"else": ""}) == "{else}"

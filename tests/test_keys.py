"""Keys by name, as people and models write them."""

from __future__ import annotations

import pytest

from subterminator.errors import InvalidParams
from subterminator.keys import MODIFIERS, key_for, parse_chord, writes


@pytest.mark.parametrize(
    ("written", "key", "code", "held"),
    [
        ("Enter", "Enter", "Enter", 0),
        ("Esc", "Escape", "Escape", 0),
        ("Space", " ", "Space", 0),
        ("a", "a", "KeyA", 0),
        ("Control+A", "A", "KeyA", MODIFIERS["Control"]),
        ("Ctrl+Shift+k", "K", "KeyK", MODIFIERS["Control"] | MODIFIERS["Shift"]),
        ("Shift+Tab", "Tab", "Tab", MODIFIERS["Shift"]),
        ("ControlOrMeta+c", "c", "KeyC", MODIFIERS["Control"]),
        ("+", "+", "Equal", 0),
        ("Control++", "+", "Equal", MODIFIERS["Control"]),
        ("F12", "F12", "F12", 0),
        ("é", "é", "", 0),
        ("Up", "ArrowUp", "ArrowUp", 0),
    ],
)
def test_names_and_combinations_are_read(written: str, key: str, code: str, held: int) -> None:
    chord = parse_chord(written)
    assert (chord.key.key, chord.key.code, chord.modifiers) == (key, code, held)


def test_the_platforms_own_modifier_is_the_command_key_on_a_mac() -> None:
    assert parse_chord("ControlOrMeta+c", on_mac=True).modifiers == MODIFIERS["Meta"]


@pytest.mark.parametrize(
    "written", ["", "Hyperspace", "return", "Foo+a", "Control+Hyperspace", "a+b"]
)
def test_what_is_no_key_is_refused(written: str) -> None:
    with pytest.raises(InvalidParams):
        parse_chord(written)


def test_every_printable_sign_of_a_plain_keyboard_has_a_key() -> None:
    signs = "".join(map(chr, range(32, 127)))
    keys = [key_for(sign) for sign in signs]
    assert [key.text if key else None for key in keys] == list(signs)
    assert key_for("ß") is None and key_for("\n") == key_for("\r")


def test_only_keys_that_change_a_field_write() -> None:
    assert all(map(writes, ["a", "Shift+A", "1", "Space", "Backspace", "Delete", "Control+V"]))
    assert not any(map(writes, ["Enter", "Tab", "Shift+Tab", "Escape", "ArrowDown", "F5", "Home"]))

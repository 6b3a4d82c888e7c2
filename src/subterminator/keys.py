"""Keys by name: what the browser must be told so that a page sees the key a person would press."""

from __future__ import annotations

from typing import NamedTuple

from subterminator.errors import InvalidParams


class Key(NamedTuple):
    key: str
    code: str
    number: int
    text: str = ""


class Chord(NamedTuple):
    """A key with the modifiers held while it is pressed."""

    key: Key
    modifiers: int


MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}
ALIASES = {"Ctrl": "Control", "Cmd": "Meta", "Command": "Meta", "Option": "Alt", "Esc": "Escape",
           "Return": "Enter", "Del": "Delete", "Space": " ", "Up": "ArrowUp", "Down": "ArrowDown",
           "Left": "ArrowLeft", "Right": "ArrowRight"}  # fmt: skip

_NAMED = {
    "Enter": Key("Enter", "Enter", 13, "\r"),
    "Tab": Key("Tab", "Tab", 9),
    "Backspace": Key("Backspace", "Backspace", 8),
    "Delete": Key("Delete", "Delete", 46),
    "Insert": Key("Insert", "Insert", 45),
    "Escape": Key("Escape", "Escape", 27),
    "ArrowLeft": Key("ArrowLeft", "ArrowLeft", 37),
    "ArrowUp": Key("ArrowUp", "ArrowUp", 38),
    "ArrowRight": Key("ArrowRight", "ArrowRight", 39),
    "ArrowDown": Key("ArrowDown", "ArrowDown", 40),
    "Home": Key("Home", "Home", 36),
    "End": Key("End", "End", 35),
    "PageUp": Key("PageUp", "PageUp", 33),
    "PageDown": Key("PageDown", "PageDown", 34),
    "Alt": Key("Alt", "AltLeft", 18),
    "Control": Key("Control", "ControlLeft", 17),
    "Meta": Key("Meta", "MetaLeft", 91),
    "Shift": Key("Shift", "ShiftLeft", 16),
    "CapsLock": Key("CapsLock", "CapsLock", 20),
    "ContextMenu": Key("ContextMenu", "ContextMenu", 93),
    **{f"F{n}": Key(f"F{n}", f"F{n}", 111 + n) for n in range(1, 13)},
}
_PUNCTUATION = {
    "-": ("Minus", 189), "_": ("Minus", 189), "=": ("Equal", 187), "+": ("Equal", 187),
    "[": ("BracketLeft", 219), "{": ("BracketLeft", 219), "]": ("BracketRight", 221),
    "}": ("BracketRight", 221), "\\": ("Backslash", 220), "|": ("Backslash", 220),
    ";": ("Semicolon", 186), ":": ("Semicolon", 186), "'": ("Quote", 222), '"': ("Quote", 222),
    ",": ("Comma", 188), "<": ("Comma", 188), ".": ("Period", 190), ">": ("Period", 190),
    "/": ("Slash", 191), "?": ("Slash", 191), "`": ("Backquote", 192), "~": ("Backquote", 192),
    " ": ("Space", 32),
}  # fmt: skip
_SHIFTED_DIGITS = ")!@#$%^&*("


def key_for(character: str) -> Key | None:
    """The key that types a character, or None where no plain keyboard has one."""
    if character in "\r\n":
        return _NAMED["Enter"]
    if character == "\t":
        return _NAMED["Tab"]
    if character.isascii() and character.isalpha():
        return Key(character, f"Key{character.upper()}", ord(character.upper()), character)
    if character.isascii() and character.isdigit():
        return Key(character, f"Digit{character}", ord(character), character)
    if character in _SHIFTED_DIGITS:
        digit = str(_SHIFTED_DIGITS.index(character))
        return Key(character, f"Digit{digit}", ord(digit), character)
    if character in _PUNCTUATION:
        code, number = _PUNCTUATION[character]
        return Key(character, code, number, character)
    return None


def parse_chord(written: str, *, on_mac: bool = False) -> Chord:
    """Read `Enter`, `Control+A`, `Shift+Tab`; `ControlOrMeta` is the platform's own."""
    # The plus sign separates, but is a key too: "Control++" and "+" end in it.
    names = (
        written.split("+")
        if not written.endswith("+")
        else [*written[:-1].rstrip("+").split("+"), "+"]
    )
    names = [name for name in names if name]
    if not names:
        raise InvalidParams(f"{written!r} is not a key.")
    *held, last = (ALIASES.get(name, name) for name in names)
    modifiers = 0
    for name in held:
        name = ("Meta" if on_mac else "Control") if name == "ControlOrMeta" else name
        if name not in MODIFIERS:
            raise InvalidParams(
                f"{name!r} is not a modifier.",
                next_step="Use Alt, Control, Meta, Shift or ControlOrMeta.",
            )
        modifiers |= MODIFIERS[name]
    return Chord(_find(last, written, modifiers), modifiers)


def writes(written: str) -> bool:
    """Whether a key changes what a field holds; Enter, Tab, Escape and the arrows do not."""
    key, modifiers = parse_chord(written)
    types = key.text not in {"", "\r"}
    return types or key.key in {"Backspace", "Delete"} or bool(modifiers & ~MODIFIERS["Shift"])


def _find(name: str, written: str, modifiers: int) -> Key:
    if name in _NAMED:
        return _NAMED[name]
    key = key_for(name) if len(name) == 1 else None
    if key is None and len(name) == 1:
        key = Key(name, "", 0, name)
    if key is None:
        raise InvalidParams(
            f"{written!r} is not a key.",
            next_step="Use names like Enter, Tab, ArrowDown, a, Control+A.",
        )
    if modifiers & MODIFIERS["Shift"] and key.key.isalpha():
        return key._replace(key=key.key.upper(), text=key.text.upper())
    return key

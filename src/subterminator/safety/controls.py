"""What an action would press: from an action and its live elements to the controls that react.

It reads tags and flags, not the roles a page may give itself, wherever the two could differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from subterminator import actions as a
from subterminator.actions import AtomicAction
from subterminator.keys import MODIFIERS, Chord, parse_chord, writes
from subterminator.safety.meaning import Control, Kind
from subterminator.safety.reach import WEB, scheme_of
from subterminator.types import Flag, Resolved

CHOICES = frozenset({
    "radio", "checkbox", "switch", "menuitemcheckbox", "menuitemradio", "option", "treeitem",
})  # fmt: skip
BUTTONS = frozenset({"button", "link", "menuitem", "tab", "menu", *CHOICES})
BUTTON_TAGS = frozenset({"button", "input", "summary", "a", "area", "label", "option"})
# What looks like a field to the browser but is one to press.
NO_FIELDS = frozenset({"button", "a", "area", "summary", "label"})
CHOOSING = frozenset({"ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"})


def is_field(target: Resolved) -> bool:
    """Whether a click on it only puts the focus there."""
    if target.tag in NO_FIELDS or target.flags & Flag.READONLY:
        return False
    return target.tag == "select" or bool(target.flags & Flag.EDITABLE)


def is_secret(target: Resolved) -> bool:
    return target.is_secret or bool(target.facts.secret)


def is_captcha(target: Resolved) -> bool:
    return target.captcha or target.facts.captcha


def writes_into(action: AtomicAction) -> bool:
    """Whether an action changes what a field holds."""
    match action:
        case a.Press(key=key):
            return writes(key)
        case a.Fill() | a.Clear() | a.Type() | a.Select() | a.Drag():
            return True
        case _:
            return False


def leaves_field(action: AtomicAction, target: Resolved) -> bool:
    """Whether keys go on after one that takes the focus elsewhere: nobody knows what they reach."""
    if not isinstance(action, a.Type):
        return False
    text = action.text.replace("\r", "\n")
    is_line = target.tag != "textarea" and bool(target.enter)
    return "\t" in text.rstrip("\t") or (is_line and "\n" in text.rstrip("\n"))


def sends_keys(action: AtomicAction) -> bool:
    """Whether Enter is among the keys."""
    match action:
        case a.Type(text=text):
            return "\n" in text or "\r" in text
        case a.Press(key=key):
            return parse_chord(key).key.key == "Enter"
        case _:
            return False


def is_sending_chord(action: AtomicAction) -> bool:
    """Control or Command and Enter: what sends in a field where Enter begins a line."""
    held = MODIFIERS["Control"] | MODIFIERS["Meta"]
    return isinstance(action, a.Press) and sends_keys(action) and bool(
        parse_chord(action.key).modifiers & held
    )  # fmt: skip


def pressed_by(action: AtomicAction, targets: Sequence[Resolved]) -> Iterator[Control]:
    """Every control that the action would press, tick or choose."""
    for target in targets:
        match action:
            case a.Click() if not is_field(target):
                yield control_of(target)
            case a.Check():
                yield control_of(target)._replace(turns="on")
            case a.Uncheck():
                yield control_of(target)._replace(turns="off", unticks=_is_box(target))
            case a.Drag():
                yield control_of(target)._replace(kind="box")
            case a.Select(values=values):
                yield from _options(target, values)
            case a.Press(key=key):
                yield from _pressed(target, parse_chord(key))
            case a.Type(text=text):
                yield from _typed(target, text)
            case _:
                continue


def control_of(target: Resolved) -> Control:
    """An element as something to press."""
    kind = _kind(target)
    form = target.form
    submits = bool(target.flags & Flag.SUBMITS)
    is_on = bool(target.flags & Flag.CHECKED)
    can_turn = (
        kind in {"choice", "option"}
        or target.role in CHOICES
        or bool(target.flags & Flag.CHECKABLE)
    )
    return Control(
        labels=_labels(target),
        kind=kind,
        submits=submits,
        priced=target.role not in CHOICES and target.role != "tab",
        turns=("off" if is_on else "on") if can_turn else "",
        unticks=is_on and _is_box(target),
        around=" ".join(filter(None, (target.around, target.facts.description))),
        fields=tuple(label for label, _ in form.fields) if form else (),
        ticked=form.ticked if form else (),
        path=_path(target) if submits else "",
        hint=target.facts.hint.removeprefix("~"),
    )


def enter_control(target: Resolved) -> Control:
    """What Enter presses for a field: the button of its form."""
    form = target.form
    return Control(
        labels=(target.enter,),
        submits=True,
        around=target.around,
        fields=tuple(label for label, _ in form.fields) if form else (),
        ticked=form.ticked if form else (),
        path=_path(target),
    )


def _pressed(target: Resolved, chord: Chord) -> Iterator[Control]:
    key = chord.key.key
    if key == "Enter" and _is_entry(target):
        if target.enter:
            yield enter_control(target)
    elif target.tag == "select":
        if key in CHOOSING or len(key) == 1:
            yield from _all_options(target)
    elif key in {"Enter", " "} and not is_field(target):
        yield control_of(target)


def _typed(target: Resolved, text: str) -> Iterator[Control]:
    has_enter = "\n" in text or "\r" in text
    if has_enter and target.enter and _is_entry(target):
        yield enter_control(target)
    if target.tag == "select":
        yield from _all_options(target)
    elif not is_field(target) and (has_enter or " " in text):
        yield control_of(target)


def _options(target: Resolved, values: Sequence[str]) -> Iterator[Control]:
    """The options chosen; where they are named by a value that is not seen, every one of them."""
    known = set(target.facts.options)
    if known and not known >= set(values):
        yield from _all_options(target)
    for value in values:
        yield Control((value,), "option")


def _all_options(target: Resolved) -> Iterator[Control]:
    for option in target.facts.options:
        yield Control((option,), "option")


def _labels(target: Resolved) -> tuple[str, ...]:
    return tuple(dict.fromkeys(label for label in (target.name, target.text) if label))


def _kind(target: Resolved) -> Kind:
    """What is only ticked or chosen must be so by its tag: a role is the page's own word."""
    if target.tag == "option":
        return "option"
    if _is_tickable(target):
        return "choice" if target.form and target.form.id else "option"
    if target.tag in {"a", "area"} and scheme_of(target.href) in WEB:
        return "button" if target.href.endswith("#") else "link"
    if target.role in BUTTONS or target.tag in BUTTON_TAGS or target.flags & Flag.SUBMITS:
        return "button"
    return "box"


def _is_entry(target: Resolved) -> bool:
    """Whether Enter on it sends the form it is in, and does nothing to itself."""
    if target.tag == "input":
        return bool(target.flags & Flag.EDITABLE) or _is_tickable(target)
    return target.tag == "select" or is_field(target)


def _is_tickable(target: Resolved) -> bool:
    """A real box or radio button. An input that sends its form is none, whatever role it has."""
    can_turn = target.tag == "input" and bool(target.flags & Flag.CHECKABLE)
    return can_turn and not target.flags & Flag.SUBMITS


def _is_box(target: Resolved) -> bool:
    """A real check box, that a click unticks when it is ticked."""
    return _is_tickable(target) and target.role != "radio"


def _path(target: Resolved) -> str:
    form = target.form
    if form is None or form.method.lower() != "post":
        return ""
    try:
        return urlsplit(form.action).path
    except ValueError:
        return ""

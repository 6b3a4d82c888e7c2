"""What stands between the person and the page: cookies, pop-ups, native dialogs. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from subterminator.agents import vocabulary as v
from subterminator.agents.choices import exact_phrase
from subterminator.agents.sense import INVERTED, polarity
from subterminator.agents.sight import Control
from subterminator.agents.stages import Page
from subterminator.packs.phrase import fold_name
from subterminator.types import DialogInfo, Flag

FLOATS = Flag.TOP | Flag.OVERLAY


class Answered(NamedTuple):
    """How to answer a native dialog."""

    accept: bool
    why: str
    final: bool = False
    text: str | None = None
    doubtful: str = ""


def interruption(page: Page) -> Control | Literal[False] | None:
    """The control that puts away what lies over the page; None if it has none; False: nothing."""
    sight = page.sight
    cookies = [c for c in sight.controls if c.element.flags & FLOATS and _is_cookies(c)]
    if cookies:
        return next(iter(_refusing(cookies)), None)
    if not sight.is_dialog or page.exits.leaving or page.exits.question.yes == 1:
        return False
    if sight.secrets or sight.puzzles or any(c.kind in {"choice", "list"} for c in sight.controls):
        return False
    if page.context.opened and not v.NEWS.search(fold_name(sight.text)):
        return False
    return next(iter(closing(page)), None)


def _is_cookies(control: Control) -> bool:
    return bool(v.COOKIES.search(fold_name(control.part.text)))


def _refusing(controls: list[Control]) -> Iterator[Control]:
    for pattern in (v.COOKIES_NO, v.CLOSE):
        yield from (c for c in controls if c.kind == "press" and pattern.search(fold_name(c.name)))


def closing(page: Page) -> Iterator[Control]:
    presses = page.sight.presses
    yield from (c for c in presses if page.sense.lean(c) in {"decline", "refuse"})
    yield from (
        c for c in presses if v.CLOSE.search(fold_name(c.name)) or c.name in {"×", "✕", "X"}
    )


def answer_dialog(dialog: DialogInfo, *, opened: bool) -> Answered:
    """What leads on. The gate asks the person before anything is agreed to."""
    message = dialog.message
    folded = fold_name(message)
    if dialog.kind in {"alert", "beforeunload"}:
        return Answered(True, "puts a message away")
    sign = polarity(message)
    if sign is None or (sign and INVERTED.search(folded)):
        return Answered(False, "", doubtful=message)
    if sign == -1:
        return Answered(False, "does not stay", final=True)
    harmful = v.DELETE.search(folded) or (v.OFFER.search(folded) and sign != 1)
    if harmful or not (sign == 1 or opened):
        return Answered(False, "agrees to nothing")
    typed = v.TYPED.search(message) if dialog.kind == "prompt" else None
    text = (exact_phrase(message) or typed["phrase"]) if typed else None
    return Answered(True, "agrees to leave", final=True, text=text)

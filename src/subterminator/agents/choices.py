"""What has to be set on a page before it is sent: boxes, options, reasons, words to be typed. Pure.

Nothing here says anything about the person: a survey gets the answer that tells least.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from subterminator import actions as a
from subterminator.agents import nuances
from subterminator.agents import vocabulary as v
from subterminator.agents.exits import Exit, is_renewal_switch
from subterminator.agents.options import Group, groups, is_unwanted, neutral, own, wanted
from subterminator.agents.sense import polarity
from subterminator.agents.sight import Control, Sight
from subterminator.agents.stages import Page
from subterminator.packs.phrase import fold, fold_name
from subterminator.types import Flag

NO_REASON = "No reason given."
PERSONAL = v.words(
    "name", "e mail", "email", "phone", "address", "birth", "card", "iban", "account number",
    "customer number", "postcode", "zip", "telefon", "adresse", "geburtsdatum", "kundennummer",
    "nom", "telephone", "nombre", "telefono", "nome", "indirizzo", "direccion",
)  # fmt: skip


class Preparation(NamedTuple):
    """One thing to set. `answer` is what a survey is told."""

    action: a.AtomicAction
    why: str
    answer: str = ""


def prepare(
    page: Page, way: Exit, *, stuck: bool, ticked: Collection[str] = ()
) -> Preparation | None:
    """The next thing to set before this way is taken; None if it can be taken now.

    What is not asked for is not answered, unless pressing without it has led nowhere. `ticked` are
    the boxes that this run has ticked itself.
    """
    needed = stuck or way.control.has(Flag.DISABLED)
    return (
        _untick(page.sight, ticked)
        or _choose(page, needed)
        or _type(page.sight)
        or _fill(page, needed)
        or _acknowledge(page.sight, needed)
        or _wake(page, way.control)
        or _tick_reason(page, needed)
    )


def ticked_by(page: Page, action: a.AtomicAction) -> set[str]:
    """The name of the box that an action ticks."""
    if not isinstance(action, a.Check):
        return set()
    return {control.name for control in page.sight.controls if control.ref == action.target}


# Boxes that are ticked already


def _untick(sight: Sight, ticked: Collection[str]) -> Preparation | None:
    boxes = [c for c in own(sight) if c.role == "checkbox" and not c.has(Flag.DISABLED)]
    for box in boxes:
        was_ticked = box.has(Flag.CHECKED) and box.name not in ticked
        if was_ticked and (why := is_unwanted(box.name) or _is_needless(box, boxes)):
            return Preparation(a.Uncheck(target=box.ref), f'unticks "{box.name}": {why}')
    return None


def _is_needless(box: Control, boxes: Sequence[Control]) -> str:
    """What was ticked for us and is no part of leaving: who leaves agrees to nothing more."""
    folded = fold_name(box.name)
    says_so = v.ACKNOWLEDGES.search(folded) or polarity(box.name) == 1
    if says_so or box.has(Flag.REQUIRED) or is_renewal_switch(box):
        return ""
    beside = [other for other in boxes if other.part == box.part]
    consents = nuances.FIRST_PERSON.search(folded) and not v.REASON.search(fold(box.part.text))
    if nuances.SERVES.search(folded) or not (consents or len(beside) == 1):
        return ""
    return "it was ticked before and is not needed"


# One of several


def _choose(page: Page, needed: bool) -> Preparation | None:
    for group in groups(page.sight):
        best = wanted(group)
        if best and best != group.chosen:
            return Preparation(_pick(group, best), f'chooses "{best}"')
        is_open = not best and not group.chosen and not group.is_list
        if is_open and (needed or group.is_required) and (silent := neutral(group.options)):
            return Preparation(_pick(group, silent), f'answers "{silent}"', silent)
    return None


def _pick(group: Group, option: str) -> a.AtomicAction:
    if group.is_list:
        return a.Select(target=group.controls[0].ref, values=(option,))
    return a.Check(target=group.controls[group.options.index(option)].ref)


# Lists and fields


def _fill(page: Page, needed: bool) -> Preparation | None:
    for field in own(page.sight):
        if field.has(Flag.DISABLED) or field.has(Flag.READONLY) or field.has(Flag.SECRET):
            continue
        if not (needed or field.has(Flag.REQUIRED) or v.REQUIRED.search(fold_name(field.name))):
            continue
        if field.kind == "list" and field.element.facts.options and not _has_choice(field):
            options = field.element.facts.options[1:] or field.element.facts.options
            if answer := neutral(options):
                action = a.Select(target=field.ref, values=(answer,))
                return Preparation(action, f'answers "{answer}"', answer)
        if field.kind == "field" and _is_reason(page, field):
            text = _reason(field)
            return Preparation(a.Fill(target=field.ref, value=text), "gives no reason", text)
    return None


def _has_choice(field: Control) -> bool:
    value = field.element.facts.value or ""
    options = field.element.facts.options
    return bool(value.strip()) and bool(options) and value != options[0]


def _is_reason(page: Page, field: Control) -> bool:
    if (field.element.facts.value or "").strip() or PERSONAL.search(fold_name(field.name)):
        return False
    said = fold_name(f"{field.name} {field.element.facts.placeholder} {field.part.text}")
    return bool(v.REASON.search(said)) or field.element.tag == "textarea"


def _reason(field: Control) -> str:
    text = NO_REASON
    said = v.AT_LEAST.search(field.name)
    least = field.element.facts.min_length or (int(said[1]) if said else 0)
    while len(text) < least:
        text += f" {NO_REASON}"
    most = field.element.facts.max_length
    return text[:most] if most else text


def _type(sight: Sight) -> Preparation | None:
    for field in own(sight):
        if field.kind != "field" or field.element.tag == "textarea" or field.has(Flag.SECRET):
            continue
        phrase = phrase_to_type(field)
        if phrase and (field.element.facts.value or "") != phrase:
            action = a.Fill(target=field.ref, value=phrase)
            return Preparation(action, f'types "{phrase}", as the page asks')
    return None


def phrase_to_type(field: Control) -> str:
    """The exact words that a field asks for; none near words of deleting."""
    for text in _spoken(field):
        if not (found := v.TYPED.search(text)):
            continue
        said = text[found.start() :]
        phrase = exact_phrase(said) or found["phrase"].strip()
        if v.DELETE.search(fold_name(f"{text} {field.part.heading}")):
            return ""
        if not PERSONAL.search(fold_name(phrase)):
            return phrase
    return ""


def exact_phrase(text: str) -> str:
    """What is quoted or in capital letters."""
    if quoted := v.QUOTED.search(text):
        return quoted["phrase"]
    capitals = v.CAPITALS.search(text)
    return capitals[0] if capitals else ""


def _spoken(field: Control) -> Iterator[str]:
    facts = field.element.facts
    yield from (text for text in (field.name, facts.placeholder, facts.description) if text)
    yield from field.part.text.splitlines()


def _acknowledge(sight: Sight, needed: bool) -> Preparation | None:
    for box in own(sight):
        if box.role != "checkbox" or box.has(Flag.CHECKED) or box.has(Flag.DISABLED):
            continue
        folded = fold_name(box.name)
        says_so = v.ACKNOWLEDGES.search(folded) or polarity(box.name) == 1
        # What the form does not go without, and what neither costs nor adds anything.
        says_so = says_so or (box.has(Flag.REQUIRED) and needed and not is_unwanted(box.name))
        wanted = (needed or box.has(Flag.REQUIRED)) and says_so
        if wanted and not v.DELETE.search(folded) and not _costs(folded):
            return Preparation(a.Check(target=box.ref), f'ticks "{box.name}"')
    return None


def _wake(page: Page, button: Control) -> Preparation | None:
    """The only box left to tick beside a button that sleeps, if it neither costs nor adds."""
    if not button.has(Flag.DISABLED):
        return None
    boxes = [c for c in own(page.sight) if c.role == "checkbox" and c.part == button.part]
    open_boxes = [c for c in boxes if not (c.has(Flag.CHECKED) or c.has(Flag.DISABLED))]
    harmless = [c for c in open_boxes if not (is_unwanted(c.name) or _is_needless_tick(c))]
    harmless = [c for c in harmless if nuances.STATES.match(fold_name(c.name))] or harmless
    if len(harmless) != 1 or any(box.has(Flag.CHECKED) for box in boxes):
        return None
    return Preparation(a.Check(target=harmless[0].ref), f'ticks "{harmless[0].name}"')


def _is_needless_tick(box: Control) -> bool:
    folded = fold_name(box.name)
    return bool(_costs(folded) or v.DELETE.search(folded) or v.OFFER.search(folded))


def _tick_reason(page: Page, needed: bool) -> Preparation | None:
    """A survey made of boxes: one answer, and only where none was given."""
    boxes = [c for c in own(page.sight) if c.role == "checkbox" and not c.has(Flag.DISABLED)]
    if not needed or len(boxes) < 2 or any(box.has(Flag.CHECKED) for box in boxes):
        return None
    silent = neutral([box.name for box in boxes]) if v.REASON.search(page.folded) else ""
    box = next((box for box in boxes if box.name == silent and silent), None)
    return Preparation(a.Check(target=box.ref), f'answers "{silent}"', silent) if box else None


def _costs(folded: str) -> bool:
    fee = v.FEE.search(folded) and not v.NO_FEE.search(folded)
    return bool(fee or v.NEWS.search(folded) or (v.OFFER.search(folded) and v.STAY.search(folded)))

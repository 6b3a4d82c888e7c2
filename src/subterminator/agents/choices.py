"""What has to be set on a page before it is sent: boxes, options, reasons, words to be typed. Pure.

Nothing here says anything about the person: a survey gets the answer that tells least.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from subterminator import actions as a
from subterminator.agents import nuances
from subterminator.agents import vocabulary as v
from subterminator.agents.exits import Exit
from subterminator.agents.sense import polarity
from subterminator.agents.sight import Control, Sight
from subterminator.agents.stages import Page
from subterminator.packs.phrase import fold_name
from subterminator.safety.money import find_amounts
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


def prepare(page: Page, way: Exit, *, stuck: bool) -> Preparation | None:
    """The next thing to set before this way is taken; None if it can be taken now.

    What is not asked for is not answered, unless pressing without it has led nowhere.
    """
    needed = stuck or way.control.has(Flag.DISABLED)
    return (
        _untick(page.sight)
        or _choose(page, needed)
        or _type(page.sight)
        or _fill(page, needed)
        or _acknowledge(page.sight, needed)
        or _tick_reason(page, needed)
    )


def _own(sight: Sight) -> list[Control]:
    return [control for control in sight.controls if not control.is_around]


# Boxes that are ticked already


def _untick(sight: Sight) -> Preparation | None:
    for box in _own(sight):
        if box.role == "checkbox" and box.has(Flag.CHECKED) and not box.has(Flag.DISABLED):
            if why := _is_unwanted(box.name):
                return Preparation(a.Uncheck(target=box.ref), f'unticks "{box.name}": {why}')
    return None


def _is_unwanted(label: str) -> str:
    folded = fold_name(label)
    if v.DELETE.search(folded):
        return "it deletes"
    if polarity(label) == -1:
        return "it keeps the subscription"
    if v.NEWS.search(folded) and not v.ACKNOWLEDGES.search(folded):
        return "it asks for messages"
    if v.OFFER.search(folded) or v.MONEY.search(folded) or find_amounts([label]):
        return "it is an offer or costs money"
    if nuances.ADDS.search(folded) and polarity(label) != 1 and not v.ACKNOWLEDGES.search(folded):
        return "it adds something"
    return ""


# One of several


def _choose(page: Page, needed: bool) -> Preparation | None:
    for group in _groups(page.sight):
        chosen = next((radio for radio in group if radio.has(Flag.CHECKED)), None)
        wanted = _wanted(page, group)
        if wanted is None and chosen is None:
            required = needed or any(radio.has(Flag.REQUIRED) for radio in group)
            if required and (silent := neutral([radio.name for radio in group])):
                wanted = next(radio for radio in group if radio.name == silent)
                action = a.Check(target=wanted.ref)
                return Preparation(action, f'answers "{silent}"', silent)
        elif wanted is not None and wanted != chosen:
            return Preparation(a.Check(target=wanted.ref), f'chooses "{wanted.name}"')
    return None


def _groups(sight: Sight) -> list[list[Control]]:
    found: dict[tuple[int, int], list[Control]] = {}
    for control in _own(sight):
        if control.role in {"radio", "menuitemradio"} and not control.has(Flag.DISABLED):
            key = (control.element.frame, _group_place(sight, control.place) or control.part.start)
            found.setdefault(key, []).append(control)
    return list(found.values())


def _group_place(sight: Sight, place: int) -> int:
    place = sight.parents[place]
    while place > 0:
        if sight.snapshot.elements[place].role in {"radiogroup", "group"}:
            return place
        place = sight.parents[place]
    return 0


def _wanted(page: Page, group: Sequence[Control]) -> Control | None:
    """The option that leaves, or that leaves at the end and costs nothing; None for a survey."""
    signs = {radio.ref: _sign(radio) for radio in group}
    leaving = [radio for radio in group if signs[radio.ref] == 1]
    kept = [radio for radio in group if signs[radio.ref] == -1 or _is_offer(radio.name)]
    if kept and len(leaving) == 1:
        return leaving[0]
    points = sorted(((_when(radio.name), n) for n, radio in enumerate(group)), reverse=True)
    is_when = any(_is_costly(radio.name) or _is_special(radio.name) for radio in group)
    if is_when and len(points) > 1 and points[0][0] > points[1][0]:
        return group[points[0][1]]
    return None


def _sign(radio: Control) -> int:
    return polarity(radio.name) or 0


def _is_offer(name: str) -> bool:
    return bool(v.OFFER.search(fold_name(name)))


def _is_costly(name: str) -> bool:
    folded = fold_name(name)
    fee = v.FEE.search(folded) and not v.NO_FEE.search(folded)
    return bool(fee or v.AT_ONCE.search(folded))


def _is_special(name: str) -> bool:
    """An end for a special case, that wants a reason or a proof."""
    return bool(nuances.SPECIAL.search(fold_name(name)))


def _when(name: str) -> int:
    folded = fold_name(name)
    if nuances.SPECIAL.search(folded):
        return -4
    ordinary = 2 * bool(nuances.ORDINARY.search(folded))
    free = bool(v.NO_FEE.search(folded))
    fee = bool(v.FEE.search(folded)) and not free
    when = bool(v.AT_END.search(folded)) - bool(v.AT_ONCE.search(folded))
    return ordinary + 2 * free - 3 * fee + when


def neutral(options: Sequence[str]) -> str:
    """The answer that says least; of several ends the ordinary one."""
    if any(map(_is_special, options)):
        return max(options, key=_when)
    for pattern in (v.SILENT, v.OTHER, v.PLAIN_REASON):
        for option in options:
            if pattern.search(fold_name(option)):
                return option
    harmless = [option for option in options if not _is_unwanted(option)]
    return harmless[-1] if harmless else ""


# Lists and fields


def _fill(page: Page, needed: bool) -> Preparation | None:
    for field in _own(page.sight):
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
    for field in _own(sight):
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
    for box in _own(sight):
        if box.role != "checkbox" or box.has(Flag.CHECKED) or box.has(Flag.DISABLED):
            continue
        folded = fold_name(box.name)
        says_so = v.ACKNOWLEDGES.search(folded) or polarity(box.name) == 1
        # What the form does not go without, and what neither costs nor adds anything.
        says_so = says_so or (box.has(Flag.REQUIRED) and needed and not _is_unwanted(box.name))
        wanted = (needed or box.has(Flag.REQUIRED)) and says_so
        if wanted and not v.DELETE.search(folded) and not _costs(folded):
            return Preparation(a.Check(target=box.ref), f'ticks "{box.name}"')
    return None


def _tick_reason(page: Page, needed: bool) -> Preparation | None:
    """A survey made of boxes: one answer, and only where none was given."""
    boxes = [c for c in _own(page.sight) if c.role == "checkbox" and not c.has(Flag.DISABLED)]
    if not needed or len(boxes) < 2 or any(box.has(Flag.CHECKED) for box in boxes):
        return None
    silent = neutral([box.name for box in boxes]) if v.REASON.search(page.folded) else ""
    box = next((box for box in boxes if box.name == silent and silent), None)
    return Preparation(a.Check(target=box.ref), f'answers "{silent}"', silent) if box else None


def _costs(folded: str) -> bool:
    fee = v.FEE.search(folded) and not v.NO_FEE.search(folded)
    return bool(fee or v.NEWS.search(folded) or (v.OFFER.search(folded) and v.STAY.search(folded)))

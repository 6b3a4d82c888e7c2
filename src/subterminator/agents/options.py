"""Which of several options to choose on the way out: radios and lists. Pure.

Nothing here says anything about the person: a survey gets the answer that tells least.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from subterminator.agents import nuances
from subterminator.agents import vocabulary as v
from subterminator.agents.sense import INVERTED, asks_to_take, polarity
from subterminator.agents.sight import SPOKEN, Control, Sight
from subterminator.packs.phrase import fold_name
from subterminator.safety.money import find_amounts
from subterminator.types import Flag

# So far before its first option the words of a question are looked for.
NEAR = 4


class Group(NamedTuple):
    """Several things of which one can be chosen: radios, or a list with its entries."""

    question: str
    options: tuple[str, ...]
    chosen: str
    controls: tuple[Control, ...]

    @property
    def is_list(self) -> bool:
        return self.controls[0].kind == "list"

    @property
    def is_required(self) -> bool:
        return any(control.has(Flag.REQUIRED) for control in self.controls)


def own(sight: Sight) -> list[Control]:
    return [control for control in sight.controls if not control.is_around]


def groups(sight: Sight) -> list[Group]:
    return [*_radio_groups(sight), *_lists(sight)]


def _radio_groups(sight: Sight) -> Iterator[Group]:
    found: dict[tuple[int, int], list[Control]] = {}
    for control in own(sight):
        if control.role in {"radio", "menuitemradio"} and not control.has(Flag.DISABLED):
            key = (control.element.frame, _group_place(sight, control.place) or control.part.start)
            found.setdefault(key, []).append(control)
    for radios in found.values():
        chosen = next((radio.name for radio in radios if radio.has(Flag.CHECKED)), "")
        names = tuple(radio.name for radio in radios)
        yield Group(_question(sight, radios[0]), names, chosen, tuple(radios))


def _lists(sight: Sight) -> Iterator[Group]:
    for field in own(sight):
        facts = field.element.facts
        if field.kind == "list" and facts.options and not field.has(Flag.DISABLED):
            yield Group(field.name, tuple(facts.options), facts.value or "", (field,))


def _group_place(sight: Sight, place: int) -> int:
    place = sight.parents[place]
    while place > 0:
        if sight.snapshot.elements[place].role in {"radiogroup", "group"}:
            return place
        place = sight.parents[place]
    return 0


def _question(sight: Sight, first: Control) -> str:
    """What is asked: the name of the group, or the words just before its first option."""
    elements = sight.snapshot.elements
    named = elements[_group_place(sight, first.place)].name if first.place else ""
    if named:
        return named
    before = range(first.place - 1, max(-1, first.place - 1 - NEAR), -1)
    return next((elements[p].name for p in before if elements[p].role in SPOKEN), "")


# Which one


def wanted(group: Group) -> str:
    """The option that leaves, or that leaves at the end and costs nothing; empty for a survey."""
    if answer := _answered(group):
        return answer
    options = group.options
    # An end that costs is never the one that is meant, whatever else is there.
    leaving = [option for option in options if polarity(option) == 1 and not _is_costly(option)]
    kept = [option for option in options if polarity(option) == -1 or _is_offer(option)]
    # What is set already is how it stands, and not why somebody leaves.
    is_state = bool(group.chosen) and not group.is_list
    if len(leaving) == 1 and (kept or is_state):
        return leaving[0]
    points = sorted(((_when(option), n) for n, option in enumerate(options)), reverse=True)
    is_when = any(_is_costly(option) or _is_special(option) for option in options)
    if is_when and len(points) > 1 and points[0][0] > points[1][0]:
        return options[points[0][1]]
    return ""


def chooses_to_leave(sight: Sight, button: Control) -> bool:
    """Whether one of the options beside a button is to leave."""
    beside = (group for group in groups(sight) if group.controls[0].part == button.part)
    return any(polarity(option) == 1 for group in beside for option in group.options)


def ends(group: Group) -> bool:
    """Whether the option that is chosen says that it ends."""
    said = v.EFFECT.search(fold_name(group.chosen)) or v.OVER.search(fold_name(group.chosen))
    answers = bool(group.chosen) and _answered(group) == group.chosen
    return polarity(group.chosen) == 1 or bool(said) or answers


def keeps(group: Group) -> str:
    """The option that is chosen and stays, takes or pays something, where none is wanted."""
    chosen = group.chosen
    if not chosen or wanted(group):
        return ""
    if _is_plain(chosen):
        return chosen if polarity(group.question) or asks_to_take(group.question) else ""
    is_kept = polarity(chosen) == -1 or _is_offer(chosen) or _is_costly(chosen)
    return chosen if is_kept or find_amounts([chosen]) else ""


def is_yes_or_no(group: Group) -> bool:
    return len(group.options) == 2 and all(map(_is_plain, group.options))


def _answered(group: Group) -> str:
    """Of a plain yes and a plain no the one that leaves, or takes nothing."""
    yes = [option for option in group.options if v.ANSWER_YES.match(fold_name(option))]
    no = [option for option in group.options if v.ANSWER_NO.match(fold_name(option))]
    if not is_yes_or_no(group) or len(yes) != 1 or len(no) != 1:
        return ""
    sign = polarity(group.question)
    if sign is None or (sign and INVERTED.search(fold_name(group.question))):
        return ""
    if sign == 1:
        return yes[0]
    return no[0] if sign == -1 or asks_to_take(group.question) else ""


def _is_plain(option: str) -> bool:
    folded = fold_name(option)
    says = v.ANSWER_YES.match(folded) or v.ANSWER_NO.match(folded)
    return bool(says) and len(folded.split()) <= 2


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
    harmless = [option for option in options if not is_unwanted(option)]
    return harmless[-1] if harmless else ""


def is_unwanted(label: str) -> str:
    """Why a box with this label is not to be ticked; empty if nothing speaks against it."""
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

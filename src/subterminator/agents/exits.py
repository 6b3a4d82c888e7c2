"""The controls of a page that lead on towards the end, and how final each of them is. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from subterminator.agents import nuances
from subterminator.agents import vocabulary as v
from subterminator.agents.objects import ends_a_thing, is_untouched
from subterminator.agents.options import groups, is_yes_or_no
from subterminator.agents.sense import Meaning, Question, Sense, polarity, question
from subterminator.agents.sight import Control, Sight
from subterminator.packs.phrase import fold, fold_name
from subterminator.safety.money import find_amounts
from subterminator.types import Flag

FINAL_AT = 0.7
# What the last press must have been preceded by: words of leaving, or a yes to a question about it.
ENDS = frozenset({"leave", "agree", "bare", "refuse"})


SENDS = Meaning("forward", 0.55, "sends what was answered")


class Exit(NamedTuple):
    """A control that leads on. `worth` ranks it among the others, `final` says if it ends it."""

    control: Control
    meaning: Meaning
    worth: float
    final: float
    why: tuple[str, ...]

    @property
    def is_final(self) -> bool:
        return self.final >= FINAL_AT


class Exits:
    """All ways on, of one page."""

    def __init__(self, sight: Sight, sense: Sense, *, opened: bool = False) -> None:
        self.sight = sight
        self.sense = sense
        self.opened = opened
        self.question: Question = _asked_by_page(sight)
        main = [control for control in sight.presses if not control.is_around]
        self._leans = [(control, sense.of(control)) for control in main]
        self.stays = [c for c, m in self._leans if m.lean in {"stay", "back"}]
        self.harms = [c for c, m in self._leans if m.lean == "harm"]
        self.others = [c for c, m in self._leans if m.lean == "other" and not c.is_link]
        self.all = sorted(self._find(), key=lambda exit: -exit.worth)

    @property
    def best(self) -> Exit | None:
        return self.all[0] if self.all else None

    @property
    def leaving(self) -> list[Exit]:
        """Those that say by themselves that one leaves."""
        return [exit for exit in self.all if exit.meaning.lean in {"leave", "bare"}]

    def has(self, *leans: str) -> bool:
        return any(meaning.lean in leans for _, meaning in self._leans)

    def _find(self) -> Iterator[Exit]:
        for control in self.sight.controls:
            if control.kind == "press" and self._saves_no_renewal(control):
                saves = "it saves that nothing renews"
                yield Exit(control, Meaning("leave", 0.9, saves), 0.9, 0.9, (saves,))
                continue
            if control.kind == "press":
                meaning = self._meaning(control)
                worth = self._worth(control, meaning)
            elif is_renewal_switch(control) and control.has(Flag.CHECKED):
                meaning = Meaning("leave", 0.9, "turns the renewal off")
                worth = 0.9
            else:
                continue
            if worth > 0:
                final, why = self._finality(control, meaning)
                if meaning == SENDS and self._may_end:
                    final, why = max(final, FINAL_AT), (*why, "its words are not known")
                yield Exit(control, meaning, worth - _price(control), final, why)

    def _meaning(self, control: Control) -> Meaning:
        meaning = self.sense.of(control)
        if meaning.lean == "other" and self._sends_answers(control):
            return SENDS
        is_asked = self.question.yes == 1 and not self.question.doubtful
        if is_asked and nuances.BARE_YES.match(fold_name(control.name)):
            return Meaning("agree", 0.7, "says yes to what is asked")
        return meaning

    @property
    def _may_end(self) -> bool:
        return self.question.yes == 1 or bool(v.EFFECT.search(fold(self.sight.text)))

    def _sends_answers(self, control: Control) -> bool:
        """The one unknown button of a form that asks: whatever its words, it sends the answers."""
        if control.is_around or control.is_link or control.role != "button":
            return False
        alike = [c for c in self.others if c.part == control.part and c.role == "button"]
        asked = [c for c in self.sight.controls if c.part == control.part and _is_asked_for(c)]
        return len(alike) == 1 and bool(asked) and self._is_about_leaving(asked, control)

    def _is_about_leaving(self, asked: Sequence[Control], control: Control) -> bool:
        """It asks why, or one of its options leaves; not which plan, nor what for more money."""
        options = [name for c in asked for name in (c.name, *c.element.facts.options)]
        if any(polarity(name) == 1 for name in options):
            return True
        priced = find_amounts(options) or any(v.OFFER.search(fold_name(o)) for o in options)
        said = fold_name(f"{' '.join(self.sight.headings)} {control.part.text}")
        asks = v.REASON.search(said) or v.RATES.search(said) or self.question.yes == 1
        return not priced and bool(asks)

    def _saves_no_renewal(self, control: Control) -> bool:
        """The button beside a box for the renewal that was unticked on this way."""
        if not self.opened or not nuances.SAVES.match(fold_name(control.name)):
            return False
        boxes = [c for c in self.sight.controls if c.role == "checkbox" and is_renewal_switch(c)]
        return any(c.part == control.part and not c.has(Flag.CHECKED) for c in boxes)

    def _worth(self, control: Control, meaning: Meaning) -> float:
        if control.is_around and meaning.lean != "leave":
            return 0
        if meaning.lean in {"leave", "bare"} and self._is_about_a_thing(control):
            return 0
        if meaning.lean in ENDS and self._calls_off_a_thing(control):
            return 0
        match meaning.lean:
            case "leave":
                return meaning.sure - (0.2 if control.is_around else 0)
            case "decline":
                return meaning.sure - 0.05
            case "agree":
                return (0.5, 0.85, 0)[self.question.yes]
            case "refuse":
                return (0.3, 0, 0.85)[self.question.yes]
            case "bare":
                return self._bare_worth(control)
            case "forward":
                return 0.6
            case _:
                return 0

    def _is_about_a_thing(self, control: Control) -> bool:
        """An order, a booking: what can be called off, but is not what one subscribes to."""
        heading = self.sight.section(control.place)
        said = fold_name(f"{heading} {control.part.heading}")
        is_thing = v.THINGS.search(said) or self._is_about_messages(control, said)
        if not is_thing or v.SUBSCRIPTION.search(said) or polarity(said):
            return False
        return not v.SUBSCRIPTION.search(fold_name(control.name))

    def _calls_off_a_thing(self, control: Control) -> bool:
        """What is asked here is about something else, or it says that the subscription goes on."""
        if v.SUBSCRIPTION.search(fold_name(control.name)):
            return False
        asked = (self.sight.section(control.place), control.part.heading, self.question.words)
        leaves = self.sense.lean(control) in {"leave", "bare"}
        return any(map(ends_a_thing, asked)) or (leaves and is_untouched(control.part.text))

    def _is_about_messages(self, control: Control, heading: str) -> bool:
        """Letters that are written to one: to be without them ends nothing that is paid for."""
        text = fold_name(control.part.text)
        paid = v.GOES_ON.search(text) or v.SUBSCRIPTION.search(text) or find_amounts([text])
        return bool(v.NEWS.search(heading)) and not paid

    def _bare_worth(self, control: Control) -> float:
        """A bare `Cancel` beside another answer only closes what is asked there."""
        beside = [c for c, _ in self._leans if c.part == control.part and c != control]
        leans = {self.sense.lean(c) for c in beside}
        if leans & {"leave", "agree", "forward", "refuse"}:
            return 0
        if "stay" in leans or "back" in leans:
            return 0.8
        if self.sight.is_dialog:
            return 0
        if v.GOES_ON.search(fold_name(control.part.text)) or self.question.yes == 1:
            return 0.75
        # Where it leads to another page looking is free.
        goes_on = _leads(control) and v.GOES_ON.search(fold_name(self.sight.text))
        return 0.7 if goes_on else 0

    def _finality(self, control: Control, meaning: Meaning) -> tuple[float, tuple[str, ...]]:
        if meaning.lean not in ENDS | {"forward"}:
            return 0.0, ()
        signs = list(self._signs(control, meaning))
        return round(sum(weight for weight, _ in signs), 2), tuple(why for _, why in signs if why)

    def _signs(self, control: Control, meaning: Meaning) -> Iterator[tuple[float, str]]:
        name, part = fold_name(control.name), fold(control.part.text)
        goes_on = bool(v.FORWARD.search(name)) and not v.AGREE.search(name)
        if _leads(control):
            yield -0.45 if control.is_link else -0.25, ""
        elif control.has(Flag.SUBMITS):
            yield 0.15, "it sends a form"
        if goes_on:
            yield -0.35, ""
        elif meaning.lean in {"agree", "refuse"} or v.FINAL.search(name):
            yield 0.3, f'the words "{control.name}"'
        effects = {found[0] for found in v.EFFECT.finditer(part)}
        if effects:
            yield 0.3 + 0.15 * (len(effects) > 1), f'it says "{sorted(effects)[0]}"'
        elif found := v.EFFECT.search(fold(self.sight.text)):
            yield 0.2, f'the page says "{found[0]}"'
        if not effects and v.GOES_ON.search(part) and not self._is_asked_in_a_dialog:
            yield -0.35, ""
        elif meaning.lean in {"bare", "agree", "refuse"} and not _leads(control):
            # Such words open nothing; they answer what is asked.
            yield 0.2, ""
        if not effects:
            yield from self._without_effect(control, meaning, goes_on)
        yield from self._more_signs(control, goes_on)

    def _without_effect(
        self, control: Control, meaning: Meaning, goes_on: bool
    ) -> Iterator[tuple[float, str]]:
        if meaning.lean in {"agree", "forward"} and self._asks_why:
            yield -0.3, ""
        elif self.opened and meaning.lean == "leave" and not goes_on and not _leads(control):
            # After a way was taken a button that says so may be the last: better asked than not.
            decides = bool(self.stays) or control.has(Flag.SUBMITS)
            yield 0.45 * decides, f'the words "{control.name}"' * decides

    @property
    def _is_asked_in_a_dialog(self) -> bool:
        """A dialog that asks whether to leave; what else it shows is beside the question."""
        return self.sight.is_dialog and self.question.yes == 1

    @cached_property
    def _asks_why(self) -> bool:
        """A survey: something to choose or to write, and no word of what the press would do."""
        asked = [c for c in self.sight.controls if not c.is_around and _is_asked(c)]
        return bool(asked) and not v.EFFECT.search(fold(self.sight.text))

    def _more_signs(self, control: Control, goes_on: bool) -> Iterator[tuple[float, str]]:
        yield 0.2, ""
        if any(c.part == control.part for c in self.stays) or self.stays:
            yield 0.15, f'beside "{self.stays[0].name}"'
        if self.sight.is_dialog:
            yield 0.15, "it stands in a dialog"
        if self.question.yes == 1:
            yield 0.1, f'"{self.question.words}"'
        if self.harms and not v.AGREE.search(fold_name(control.name)):
            yield -0.2, ""
        if self.opened:
            yield 0.1, ""
        if not goes_on and _asks_to_type(self.sight):
            yield 0.3, "a confirmation has to be typed"


def _asked_by_page(sight: Sight) -> Question:
    """What a button answers. What is answered by choosing an option is not asked of a button."""
    asked = question(sight)
    chosen = {fold_name(group.question) for group in groups(sight) if is_yes_or_no(group)}
    return Question("", 0) if asked.words and fold_name(asked.words) in chosen else asked


def _leads(control: Control) -> bool:
    """It opens something: a link, be it one by its role only, a menu, a tab."""
    opens = control.element.facts.popup or control.has(Flag.EXPANDABLE) or control.role == "tab"
    return control.is_link or control.role == "link" or bool(opens)


def _is_asked(control: Control) -> bool:
    return control.role == "radio" or control.element.tag in {"select", "textarea"}


def _is_asked_for(control: Control) -> bool:
    return _is_asked(control) or control.role in {"checkbox", "combobox", "slider"}


def is_saving(control: Control) -> bool:
    return bool(nuances.SAVES.match(fold_name(control.name)))


def is_renewal_switch(control: Control) -> bool:
    folded = fold_name(control.name)
    turns = control.role == "switch" or (
        control.role == "checkbox" and not nuances.REMINDS.search(folded)
    )
    return turns and bool(v.RENEWS_ITSELF.search(folded))


def _price(control: Control) -> float:
    """What speaks against one of several ways out: it costs, or ends what is paid for at once."""
    own, part = fold_name(control.name), fold_name(control.part.text)
    cost = 0.0
    if v.FEE.search(own) and not v.NO_FEE.search(own):
        cost += 0.5
    if v.AT_ONCE.search(own) and not v.AT_END.search(own):
        cost += 0.1
    if v.AT_ONCE.search(part) and not v.AT_END.search(part):
        cost += 0.1
    return cost


def _asks_to_type(sight: Sight) -> bool:
    fields = [c for c in sight.controls if c.kind == "field" and c.element.tag != "textarea"]
    return any(v.TYPED.search(f"{c.name}. {c.part.text}") for c in fields)

"""What pressing a control would mean, by its own words and by those it stands in.

It names the rule that fits; whether that is allowed, asked or refused is not decided here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from subterminator.safety.money import find_amounts
from subterminator.safety.rules import EVERYWHERE, NEVER, Rule, Rules
from subterminator.safety.wording import ENDS, Found, Reading, clauses, is_foreign, read

# A choice is sent later, with the form it is in; an option may act at once. A box is no control.
Kind = Literal["button", "link", "choice", "option", "box"]
Answer = Literal["strong", "accepts", "weak", "leaves", "refuses", "cancels", "other", "none"]
# A link with more words than this is a headline: only how it begins tells what it would do.
HEADLINE = 7
# In a box with more words than this, one word is no label.
CARD = 25
# Prices in longer labels describe something.
LONGEST_PRICED = 9
STEM = 4
AGREEING = frozenset({"strong", "accepts", "weak", "none"})
EITHER = re.compile(r"\b(?:or|oder|ou|o|u)\b", re.IGNORECASE)
CANCEL, DELETE, OFFER = "final-cancel", "delete", "accept-offer"
MONEY, SEND = "money", "send"

_read = lru_cache(maxsize=4096)(read)


class Control(NamedTuple):
    """What would be pressed. `labels` are what the eye and what assistive technology is told.

    `priced` says whether an amount on it is the price of pressing it, and not of what it stands
    for; `turns` which way a switch goes; `unticks` that it only takes back a tick.
    """

    labels: tuple[str, ...]
    kind: Kind = "button"
    submits: bool = False
    priced: bool = True
    turns: Literal["on", "off", ""] = ""
    unticks: bool = False
    around: str = ""
    fields: tuple[str, ...] = ()
    ticked: tuple[str, ...] = ()
    path: str = ""
    hint: str = ""


class Meaning(NamedTuple):
    """The rule that fits, if one does.

    `also` are others that what stands around speaks of. `differs` tells that eye and assistive
    technology are told different things, `unreadable` that no language known here is written.
    """

    rule: Rule | None = None
    also: tuple[Rule, ...] = ()
    differs: bool = False
    unreadable: bool = False
    certain: bool = False


class Interpreter:
    """Reads controls by the rules. Pure."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def interpret(self, control: Control) -> Meaning:
        labels = [label for label in control.labels if self._reading(label).row]
        names = {name for label in labels for name in self._said(label, control)}
        if not labels and control.hint:
            names |= set(self._said(control.hint, control, is_hint=True))
        # To choose one of several sends nothing, and unticks the one that was ticked before.
        agrees = control.kind != "choice" and self._answer(labels, control) in AGREEING
        if control.submits or agrees:
            names |= self._ticked(control)
        if any(self._is_price(label, control) for label in labels):
            names.add(MONEY)
        chosen = control.kind in {"choice", "option"}
        if not chosen and self._brings_back(labels, control):
            names.add(MONEY)
        differs = len(labels) > 1 and not chosen and not _agree(labels)
        if control.kind != "choice" and any(map(self._agrees_to_cancel, labels)):
            names.add(CANCEL)
        if names:
            return Meaning(self._first(names), differs=differs)
        meaning = self._by_context(control, labels)
        unreadable = control.kind == "button" and bool(labels) and all(map(is_foreign, labels))
        return meaning._replace(differs=differs, unreadable=unreadable)

    def mentions(self, text: str) -> tuple[Rule, ...]:
        """What a text speaks of outright: a question, a warning."""
        return self._ranked(self._topics(text))

    def asks_to_stay(self, text: str) -> bool:
        return "stays" in self._speech_in(text)

    def asks_for_secret(self, text: str) -> bool:
        return "secret" in self._speech_in(text)

    def is_message_field(self, labels: Iterable[str]) -> bool:
        return any(
            found.phrase.tag == SEND
            for label in labels
            for found in self._rules.fields.find(self._reading(label), anywhere=True)
        )

    # The control's own words

    def _said(self, label: str, control: Control, *, is_hint: bool = False) -> Iterator[str]:
        """The rules that a label names."""
        reading = self._reading(label)
        is_link = control.kind == "link"
        informs_until = self._informs_until(reading) if is_link else 0
        anywhere = control.kind == "box" and reading.size <= CARD
        is_choice_of_ways = is_link and self._names_leaving_too(label)
        for found in self._rules.labels.find(reading, anywhere=anywhere):
            if is_choice_of_ways and found.phrase.tag == NEVER:
                continue
            if is_link and reading.size > HEADLINE and found.start not in reading.starts:
                continue
            if found.start < informs_until:
                continue
            is_whole = found.end - found.start == len(reading.row)
            holds = self._holds(found, control, is_hint=is_hint, is_whole=is_whole)
            if holds and not self._excepted(reading, found):
                switched_on = found.phrase.when == "switch" and control.turns == "on"
                yield MONEY if switched_on else found.phrase.tag

    def _names_leaving_too(self, label: str) -> bool:
        """`Pause or cancel` on a link: it leads to where one can still choose, and does neither."""
        sides = EITHER.split(label)
        if len(sides) != 2 or self._reading(label).size > HEADLINE:
            return False
        return any(self._leaves(self._reading(side)) for side in sides)

    def _leaves(self, reading: Reading) -> bool:
        named = {found.phrase.tag for found in self._rules.labels.find(reading)} - {NEVER}
        spoken = {found.phrase.tag for found in self._rules.speech.find(reading)}
        return named == {CANCEL} or (not named and "cancels" in spoken)

    def _holds(self, found: Found, control: Control, *, is_hint: bool, is_whole: bool) -> bool:
        is_choice = control.kind == "choice"
        match found.phrase.when:
            case "switch":
                return bool(control.turns)
            case _ if control.unticks:
                return False
            case "submits":
                return control.submits
            case "button":
                return control.kind == "button" or (
                    is_whole and control.kind not in {"link", "choice"}
                )
            case "hint":
                return is_hint
            case "pressed" if is_choice:
                return False
            case _:
                return found.phrase.tag == NEVER or not is_choice or self._rule(found).choices

    def _excepted(self, reading: Reading, found: Found) -> bool:
        if found.phrase.tag == NEVER:
            return False
        return self._negated(reading, found) or any(
            other.phrase.tag in {EVERYWHERE, found.phrase.tag}
            and other.start <= found.start
            and found.end <= other.end
            for other in self._rules.exceptions.find(reading)
        )

    def _negated(self, reading: Reading, found: Found) -> bool:
        """`Do not delete`, `Konto nicht löschen`; but not where a phrase says `don't renew`."""
        negators, row = self._rules.negators, reading.row
        nearest = row[found.start - 1 : found.start] if found.start else ()
        before = row[found.start - 2 : found.start - 1] if found.start > 1 else ()
        if any(word in negators for word in nearest):
            return True
        # A bare no further away turns a noun: `no hassle, pay now`.
        if ENDS.isdisjoint(nearest) and any(w in negators - self._rules.noes for w in before):
            return True
        inner = self._rules.inner_negators
        within = [word for word in row[found.start : found.end] if word in inner]
        spoken = [word for word in within if any(word in s.exact for s in found.phrase.slots)]
        return len(within) > len(spoken)

    def _agrees_to_cancel(self, label: str) -> bool:
        """`Yes, cancel`, `Submit and cancel`: a bare cancel that something agrees to."""
        reading = self._reading(label)
        if reading.size > HEADLINE:
            return False
        tags = {found.phrase.tag for found in self._rules.speech.find(reading)}
        return "cancels" in tags and bool({"strong", "weak"} & tags)

    def _brings_back(self, labels: list[str], control: Control) -> bool:
        """`Cancel this change` where the change is that it ends: from then on it is paid again."""
        undoes = any("undoes" in self._speech_in(label) for label in labels)
        return undoes and "planned" in self._speech_in(control.around)

    def _informs_until(self, reading: Reading) -> int:
        """Where the title of a text ends that a label begins with: `How to cancel`."""
        found = self._rules.speech.find(reading)
        if not any(item.phrase.tag == "informs" and item.start == 0 for item in found):
            return 0
        if reading.size > HEADLINE:
            return len(reading.row)
        return next((end for _, end in clauses(reading.row)), 0)

    def _is_price(self, label: str, control: Control) -> bool:
        if control.kind == "choice" or not any(map(str.isdigit, label)):
            return False
        reading = self._reading(label)
        if reading.size > LONGEST_PRICED or len(find_amounts([label])) != 1:
            return False
        said = {found.phrase.tag for found in self._rules.price.find(reading)}
        describes = not control.priced or control.kind in {"link", "option"}
        return "takes" in said or not (describes or "unless" in said)

    # What it stands in

    def _by_context(self, control: Control, labels: list[str]) -> Meaning:
        if control.kind in {"choice", "option"}:
            return Meaning()
        answer = self._answer(labels, control)
        if DELETE in self._target(control):
            # Where it posts to is what it does, whatever is written on it.
            return Meaning(self._rules.by_id[DELETE])
        if answer == "leaves":
            return Meaning()
        spoken = self._speech_in(control.around)
        certain = "certain" in spoken
        if answer == "cancels":
            is_final = "owned" in spoken and not self._only_closes(control.around)
            return Meaning(self._rules.by_id[CANCEL] if is_final else None)
        if answer == "refuses":
            return Meaning(self._rules.by_id[CANCEL] if "stays" in spoken else None)
        names = self._meant(answer, certain, control)
        rule, *also = self._ranked(names) or (None,)
        if rule and CANCEL in names and not (answer == "accepts" and rule.id == OFFER):
            # Much is said before leaving; where leaving is what is asked, that is what yes means.
            rule = self._rules.by_id[CANCEL]
            also = [other for other in self._ranked(names) if other.id != CANCEL]
        return Meaning(rule, tuple(also), certain=certain and answer in {"strong", "accepts"})

    def _meant(self, answer: Answer, certain: bool, control: Control) -> set[str]:
        topics = self._topics(control.around)
        if answer in {"strong", "accepts"}:
            names = {name for name, outright in topics.items() if outright or name != OFFER}
            names |= {OFFER} & set(topics) if answer == "accepts" else set()
            return names | self._sent_fields(control) | self._target(control)
        if answer in AGREEING:
            outright = {name for name, is_outright in topics.items() if is_outright or certain}
            return outright | self._target(control)
        is_plain_link = control.kind == "link"
        return set(topics) if certain and not is_plain_link else set()

    def _answer(self, labels: list[str], control: Control) -> Answer:
        """How the last thing it says answers; of two labels the riskier one counts."""
        if not labels:
            return "strong" if control.submits else "none"
        answers = [self._answer_of(self._reading(label)) for label in labels]
        order: tuple[Answer, ...] = ("accepts", "strong", "weak", "other", "refuses", "cancels")
        return next((answer for answer in order if answer in answers), "leaves")

    def _answer_of(self, reading: Reading) -> Answer:
        *_, (start, end) = ((0, 0), *clauses(reading.row))
        found = [f for f in self._rules.speech.find(reading) if start <= f.start < end]
        tags = {item.phrase.tag for item in found}
        whole: tuple[Answer, ...] = ("cancels", "refuses", "leaves", "accepts", "strong", "weak")
        return next((tag for tag in whole if tag in tags), "other")

    def _only_closes(self, around: str) -> bool:
        """Whether a bare `Cancel` beside another button only closes what is asked there."""
        reading = self._reading(around)
        tags = {f.phrase.tag for f in self._rules.speech.find(reading, anywhere=True)}
        keeps = {f.phrase.tag for f in self._rules.labels.find(reading)} & {"keep-plan"}
        return bool(tags & {"strong", "weak"}) and not keeps

    def _topics(self, text: str) -> dict[str, bool]:
        """What a text speaks of, and whether it says outright that this happens next."""
        reading = self._reading(text)
        topics: dict[str, bool] = {}
        for found in self._rules.around.find(reading):
            if self._rule(found).effect == "move" or self._excepted(reading, found):
                continue
            name = found.phrase.tag
            topics[name] = topics.get(name, False) or found.phrase.when == "settles"
        return topics

    def _speech_in(self, text: str) -> set[str]:
        return {found.phrase.tag for found in self._rules.speech.find(self._reading(text))}

    def _ticked(self, control: Control) -> set[str]:
        """What ticked boxes say: a yes, and whatever sends their form, means that too."""
        box = control._replace(kind="choice", turns="", unticks=False)
        names = {name for label in control.ticked for name in self._said(label, box)}
        return {name for name in names if self._rules.by_id[name].effect != "move"}

    def _sent_fields(self, control: Control) -> set[str]:
        if not control.submits:
            return set()
        found = (self._rules.fields.find(self._reading(field)) for field in control.fields)
        return {item.phrase.tag for items in found for item in items}

    def _target(self, control: Control) -> set[str]:
        """What the address of a form says: a yes that posts to /account/delete deletes."""
        if not (control.submits and control.path):
            return set()
        reading = self._reading(control.path)
        found = {f.phrase.tag for f in self._rules.labels.find(reading)} & {DELETE, CANCEL}
        spoken = self._speech_in(control.path)
        if "owned" in spoken and ("cancels" in spoken or DELETE in found):
            return found - {DELETE} | {CANCEL}  # /subscription/delete ends a plan, not an account.
        return found

    # Small things

    def _reading(self, text: str) -> Reading:
        return _read(text, self._rules.light)

    def _rule(self, found: Found) -> Rule:
        return self._rules.by_id[found.phrase.tag]

    def _first(self, names: Iterable[str]) -> Rule:
        return self._rules.by_id[min(names, key=self._rules.rank.__getitem__)]

    def _ranked(self, names: Iterable[str]) -> tuple[Rule, ...]:
        return tuple(self._rules.by_id[n] for n in sorted(names, key=self._rules.rank.__getitem__))


def _agree(labels: list[str]) -> bool:
    """Whether two labels share a word, be it in another form; signs and numbers say nothing."""
    first, second = (_stems(label) for label in labels[:2])
    return not first or not second or bool(first & second)


def _stems(label: str) -> set[str]:
    row = _read(label, frozenset()).row
    return {word[:STEM] for word in row if word not in ENDS and not word[0].isdigit()}

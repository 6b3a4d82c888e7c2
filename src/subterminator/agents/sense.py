"""What the words of a control or a question mean for somebody who wants to leave. Pure.

The gate judges controls by itself, with the live element before it; this only helps to choose one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

from subterminator.agents import nuances
from subterminator.agents import vocabulary as v
from subterminator.agents.objects import ends_a_thing
from subterminator.agents.sight import Control, Sight
from subterminator.packs.matcher import purpose
from subterminator.packs.model import Pack
from subterminator.packs.phrase import fold_name, is_called
from subterminator.safety.meaning import Control as Pressed
from subterminator.safety.meaning import Interpreter
from subterminator.safety.rules import load_rules

Lean = Literal[
    "leave", "stay", "harm", "again", "decline", "bare", "agree", "refuse", "forward", "back",
    "way", "menu", "other",
]  # fmt: skip
HARM = frozenset({"never", "delete", "money", "accept-offer"})
# A label with more words than this is a headline or a sentence.
LONGEST_LABEL = 12
NEAR = 26
"""Characters before a word in which a `not` turns it round."""
INFORMS = v.words(
    "how", "why", "what", "when", "where", "learn", "about", "guide", "policy", "terms", "faq",
    "wie", "warum", "comment", "pourquoi", "como", "come", "perche", "conditions", "bedingungen",
)  # fmt: skip
ELSE = v.words(
    "orders?", "delivery", "session", "call", "upload", "download", "appointment", "reservation",
    "review", "feedback", "comment", "message", "note", "chat", "search", "lieferung", "bestellung",
    "commande", "pedido", "ordine",
)  # fmt: skip
INVERTED = re.compile(
    r"^ (?:don t|do not|wouldn t|won t|aren t|can t|isn t|ne voulez|no quieres|no quiere|non vuoi) "
    r"|^ (?:mochten|willst|wollen) (?:sie|du) nicht "
)


HELD = re.compile(
    r"^ (?:press and |click and |tap and )?hold (?:down )?(?:for )?(?:\d+ \w+ )?to "
    r"|^ (?:zum|zur|um) (?=\w+ (?:gedruckt )?halten )"
)
TERMS = v.words(
    "monthly", "basic", "premium", "pro", "billing", "payment", "free", "trial", "plan",
    "monatlich", "mensuel", "mensual", "mensile",
)  # fmt: skip
OR = v.words(
    "or", "oder", "ou", "o",
)  # fmt: skip
# Where one clause of a label ends; a `not` does not reach over it.
CLAUSE = re.compile(r"[,;:.!?…–—()|]+(?=\s|$)|\s-\s")
# `No I want to cancel` answers; `No cancelar` and `Non disattivare` mean the opposite.
ANSWERED = re.compile(r"^ (?:no|non) (?!i |je |thanks? |thank |merci |gracias |grazie |please )")


# A sentence that asks, wherever in a line it stands.
ASKS = re.compile(r"[^.?!…]*\?")
# `Continue with the cancellation`: what is kept up is the leaving.
LEAVING_ON = re.compile(
    r"^ (?:with|on|to|the|my|your|con|la|mi|il|le|l|mia|mon|ma|votre|avec|de|di|a|mit|der|die|das|"
    r"meine[rn]?|ihre[rn]?|su|tu) "
)


class Meaning(NamedTuple):
    """How a control leans, how sure that is, and why."""

    lean: Lean
    sure: float
    why: str


@cache
def interpreter() -> Interpreter:
    return Interpreter(load_rules())


def polarity(text: str) -> int | None:
    """1 if it speaks of leaving, -1 of staying, 0 of neither; None if it can be read both ways."""
    signs: set[int] = set()
    for clause in CLAUSE.split(text):
        if ends_a_thing(clause):
            continue
        folded = fold_name(clause)
        # `Non voglio rinnovare`: the no at the start is a part of the wish, not an answer.
        if not v.LEAVE.match(folded, 1):
            folded = _without_answer(folded)
        signs.update(_signs(folded))
    if len(signs) > 1:
        return None
    return signs.pop() if signs else 0


def _signs(folded: str) -> Iterator[int]:
    for pattern, sign in ((v.LEAVE, 1), (v.STAY, -1)):
        for found in pattern.finditer(folded):
            before = f" {folded[max(0, found.start() - NEAR) : found.start()].strip()} "
            if nuances.INSTEAD.search(before):
                continue
            turned = bool(v.NOT.search(before)) and " not " not in found[0]
            if sign == -1 and _keeps_leaving(folded[found.end() :]):
                sign = 1
            yield -sign if turned else sign


def _goes_on_leaving(folded: str, rule: str) -> bool:
    """`Keep my plan` is never pressed, `Carry on with the cancellation` is."""
    kept = (v.STAY.finditer(folded)) if rule not in HARM else ()
    return any(_keeps_leaving(folded[found.end() :]) for found in kept)


def _keeps_leaving(after: str) -> bool:
    while small := LEAVING_ON.match(after):
        after = after[small.end() - 1 :]
    return bool(v.LEAVE.match(after, 1))


def speaks_instead(text: str) -> bool:
    """`Pause instead of cancelling`: what is offered stands before it."""
    folded = fold_name(text)
    return any(v.LEAVE.search(folded, found.end()) for found in nuances.INSTEAD.finditer(folded))


def _without_answer(folded: str) -> str:
    if ANSWERED.match(folded):
        return folded
    for answer in (v.ANSWER_NO, v.ANSWER_YES):
        if found := answer.match(folded):
            return f" {folded[found.end() :].strip()} "
    return folded


class Question(NamedTuple):
    """What the page asks: what a yes would do. `doubtful` if it can be read in two ways."""

    words: str
    yes: int
    doubtful: bool = False


def question(sight: Sight) -> Question:
    """What a plain yes on this page answers."""
    said = (*sight.headings, *sight.lines)
    asked = [found.strip() for line in said for found in ASKS.findall(line)]
    for line in dict.fromkeys(asked):
        sign = polarity(line)
        if sign is None or (sign and INVERTED.search(fold_name(line))):
            return Question(line, 0, doubtful=True)
        if sign:
            return Question(line, sign)
    for line in sight.headings:
        if sign := polarity(line):
            return Question(line, sign)
    for line in dict.fromkeys(asked):
        if asks_to_take(line) or ends_a_thing(line):
            return Question(line, -1)
    return Question("", 0)


def asks_to_take(text: str) -> bool:
    """A yes would take something else: a pause, a price, a deletion."""
    folded = fold_name(text)
    if INFORMS.search(folded) or v.REASON.search(folded):
        return False
    return bool(v.OFFER.search(folded) or v.DELETE.search(folded) or v.MONEY.search(folded))


class Sense:
    """Reads controls with the words of a pack."""

    def __init__(self, pack: Pack, *, free: bool = False) -> None:
        self.pack = pack
        # The person wants the plan that costs nothing, and there is no other way out.
        self._free = free
        self._known: dict[tuple[str, str], Meaning] = {}

    def of(self, control: Control) -> Meaning:
        key = (control.name, control.role)
        if key not in self._known:
            self._known[key] = self._judge(control)
        return self._known[key]

    def lean(self, control: Control) -> Lean:
        return self.of(control).lean

    def _judge(self, control: Control) -> Meaning:
        folded = fold_name(control.name)
        if not folded.strip():
            return Meaning("menu" if control.element.facts.popup else "other", 0.5, "no words")
        if _names_both(folded):
            return Meaning("way", 0.8, "leads to leaving and to something else")
        if held := HELD.match(folded):
            # How it is pressed is no part of what it does.
            control = control._replace(name=folded[held.end() :].strip())
            return self._judge(control)
        if (first := self._at_once(folded)) is not None:
            return first
        rule = self._rule(control)
        known = purpose(self.pack, control.name, "RETENTION_OFFER")
        if (known == "never" or rule in HARM | {"keep-plan"}) and not _goes_on_leaving(
            folded, rule
        ):
            return self._unwanted(folded, rule)
        if v.BARE_CANCEL.match(folded):
            return Meaning("bare", 0.5, "a bare cancel")
        if speaks_instead(control.name):
            return Meaning("harm", 0.8, "something instead of leaving")
        if (wish := self._wish(control.name, rule, known)) is not None:
            return wish
        return self._neutral(folded, control)

    def _at_once(self, folded: str) -> Meaning | None:
        """What a label says whatever the rules and the pack say of its words."""
        if self._free and v.TO_FREE.search(folded):
            return Meaning("leave", 0.85, "moves to what costs nothing")
        if nuances.UNDO.search(folded):
            return Meaning("again", 0.9, "calls off an end or a change that is planned")
        return Meaning("back", 0.9, "signs out") if nuances.SIGNS_OUT.match(folded) else None

    def _rule(self, control: Control) -> str:
        kind: Literal["link", "button"] = "link" if control.is_link else "button"
        rule = interpreter().interpret(Pressed((control.name,), kind)).rule
        return rule.id if rule else ""

    def _unwanted(self, folded: str, rule: str) -> Meaning:
        """Of what is never pressed: what keeps it, what brings it back, what does harm."""
        if self._is_again(folded):
            return Meaning("again", 0.9, "brings it back")
        stays = rule == "keep-plan" or v.STAY.search(folded) or v.BACK.search(folded)
        if stays and rule not in HARM:
            return Meaning("stay", 0.9, "keeps it")
        return Meaning("harm", 0.9, rule or "never pressed")

    def _is_again(self, folded: str) -> bool:
        names = (clue.name for clue in self.pack.already_cancelled if clue.name)
        return any(is_called(folded, name) for name in names) or bool(v.AGAIN.search(folded))

    def _wish(self, name: str, rule: str, known: str) -> Meaning | None:
        """What says outright that one leaves, stays or wants nothing of what is offered."""
        folded, sign = fold_name(name), polarity(name)
        size = len(folded.split())
        if v.NEWS.search(folded) and v.LEAVE.search(folded):
            return Meaning("harm", 0.8, "ends messages, not the subscription")
        if ends_a_thing(name):
            return Meaning("harm", 0.8, "calls off something else")
        if known == "decline" and not (rule or sign == 1):
            return Meaning("decline", 0.6 if sign == -1 else 0.9, "declines")
        if size > LONGEST_LABEL or INFORMS.search(folded) or ELSE.search(folded):
            return None
        if sign != -1 and (rule == "final-cancel" or known in {"decline", "final"} and sign == 1):
            return Meaning("leave", 0.95, "ends it by its words")
        if sign == 1:
            return Meaning("leave", 0.85, "speaks of leaving")
        return Meaning("stay", 0.85, "speaks of staying") if sign == -1 else None

    def _neutral(self, folded: str, control: Control) -> Meaning:
        if v.AGAIN.search(folded):
            return Meaning("again", 0.7, "brings it back")
        if v.DECLINE.search(folded):
            return Meaning("decline", 0.8, "wants nothing of it")
        if v.ANSWER_NO.match(folded):
            plain = len(folded.split()) <= 2
            return Meaning("refuse", 0.7 if plain else 0.5, "says no")
        if v.BACK.search(folded) and not v.FORWARD.search(folded):
            return Meaning("back", 0.8, "goes back")
        if control.is_around or v.NO_WAY.search(folded):
            return self._way(folded, control)
        agrees = v.ANSWER_YES.match(folded) or v.AGREE.search(folded)
        offers = v.OFFER.search(folded) or TERMS.search(folded)
        if (agrees or v.FORWARD.search(folded)) and offers and not nuances.SAVES.match(folded):
            return Meaning("harm", 0.6, "goes on with an offer")
        if agrees:
            return Meaning("agree", 0.7, "says yes")
        if v.FORWARD.search(folded) and len(folded.split()) <= LONGEST_LABEL:
            return Meaning("forward", 0.7, "goes on")
        return self._way(folded, control)

    def _way(self, folded: str, control: Control) -> Meaning:
        if v.MENU.search(folded) and not control.is_link:
            return Meaning("menu", 0.7, "opens more")
        if way_rank(folded):
            return Meaning("way", 0.6, "leads on")
        is_menu = bool(control.element.facts.popup) and control.role != "link"
        return Meaning("menu" if is_menu else "other", 0.3, "unknown")


def _names_both(folded: str) -> bool:
    """`Pause or cancel`: it opens a page on which one can still choose."""
    parts = OR.split(folded, maxsplit=1)
    return len(parts) > 1 and len(folded.split()) <= 7 and bool(v.LEAVE.search(f" {folded} "))


def way_rank(folded: str) -> int:
    """How likely a name leads to where a subscription is ended; 0 not at all."""
    if len(folded.split()) > LONGEST_LABEL:
        return 0
    if _names_both(folded):
        return 10
    rank = next((rank for rank, pattern in v.WAYS if pattern.search(folded)), 0)
    return min(rank, 2) if v.NO_WAY.search(folded) else rank

"""Which of the 12 stages a page shows, by evidence on the page alone. Pure; presses nothing.

Order of checks: captcha and sign-in, the layer on top, the last step, success, elsewhere, over
already, offer, survey, active. The evidence is kept. Too little, or two that contradict each other:
UNKNOWN.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct

from subterminator.agents import notices, nuances
from subterminator.agents import vocabulary as v
from subterminator.agents.exits import Exits, is_renewal_switch
from subterminator.agents.options import groups
from subterminator.agents.outcome import Stage
from subterminator.agents.payers import find_payers
from subterminator.agents.sense import Sense, polarity, way_rank
from subterminator.agents.sight import Control, Sight
from subterminator.packs.matcher import Bill, Judgement, bills, failures, judge, obstacle
from subterminator.packs.model import Pack
from subterminator.packs.phrase import fold, fold_name
from subterminator.page.snapshot import Snapshot
from subterminator.safety.limits import fingerprint
from subterminator.types import Flag

ACCEPTED = 0.7
MARGIN = 0.05
SEEN_OFTEN = 3
# Who wins at nearly the same score.
ORDER: tuple[Stage, ...] = (
    "AUTH_REQUIRED", "FINAL_CONFIRMATION", "COMPLETE", "OFF_SITE", "ALREADY_CANCELLED",
    "RETENTION_OFFER", "EXIT_SURVEY", "ACCOUNT_ACTIVE",
)  # fmt: skip
DIRECT = re.compile(r"(?:mailto|tel|sms):.*")
ASKING = frozenset({"select", "textarea"})
REPEATING = frozenset({"RETENTION_OFFER", "EXIT_SURVEY", "FINAL_CONFIRMATION"})
# At nearly the same score these cannot both be true of one page.
OVER: frozenset[Stage] = frozenset({"COMPLETE", "ALREADY_CANCELLED", "OFF_SITE"})
GOING: frozenset[Stage] = frozenset({"ACCOUNT_ACTIVE", "FINAL_CONFIRMATION"})


class Reading(Struct, frozen=True):
    """A stage, how sure, and what it rests on.

    `detail` is what a person must do (login, mfa, captcha), who bills, `by_hand`, or `broken`.
    """

    stage: Stage
    score: float
    evidence: tuple[str, ...] = ()
    detail: str = ""


class Context:
    """What a run has seen so far.

    `opened`: a way out was taken. `alive`: a page said when it is paid next. `account`: where the
    subscription was seen alive; `row`: the words of its row, where several are listed. `free`:
    moving to the plan that costs nothing is the way out. `names`: of what was seen to be paid for.
    `overlooked` are boxes that do not close.
    """

    def __init__(self) -> None:
        self.opened = False
        self.alive = False
        self.account = self.row = ""
        self.names: set[str] = set()
        self.free = False
        self.overlooked: set[str] = set()
        self._last = ""
        self._arrivals: Counter[str] = Counter()

    def arrive(self, snapshot: Snapshot) -> int:
        """How often this very page was come to."""
        mark = fingerprint(snapshot)
        if mark != self._last:
            self._arrivals[mark] += 1
            self._last = mark
        return self._arrivals[mark]

    def times(self, snapshot: Snapshot) -> int:
        return self._arrivals[fingerprint(snapshot)]


def read_stage(snapshot: Snapshot, pack: Pack, context: Context) -> Reading:
    """The stage that a page shows."""
    return Page(snapshot, pack, context).reading


class Page:
    """One page under examination: what is seen, what it means, what stage it shows."""

    def __init__(
        self, snapshot: Snapshot, pack: Pack, context: Context, sight: Sight | None = None
    ) -> None:
        self.snapshot = snapshot
        self.pack = pack
        self.context = context
        self.sight = sight or Sight(snapshot, frozenset(context.overlooked))
        self.sense = Sense(pack, free=context.free)

    @cached_property
    def exits(self) -> Exits:
        return Exits(self.sight, self.sense, opened=self.context.opened)

    @cached_property
    def folded(self) -> str:
        return fold(f"{self.sight.title}\n{self.sight.text}")

    @cached_property
    def reading(self) -> Reading:
        found = [reading for reading in self._checks() if reading.score > 0]
        best = sorted(found, key=lambda one: (-one.score, _rank(one.stage)))
        if not best or best[0].score < ACCEPTED:
            evidence = tuple(f"{one.stage} {one.score:.2f}" for one in best[:3])
            detail = "broken" if self.is_broken else ""
            return Reading("UNKNOWN", 0.0, evidence or ("too little evidence",), detail)
        near = [one for one in best if best[0].score - one.score < MARGIN]
        if rival := _contradiction(near):
            return Reading("UNKNOWN", 0.0, (f"{rival[0].stage} and {rival[1].stage} tie",))
        first = min(near, key=lambda one: _rank(one.stage))
        if first.stage in REPEATING and self.context.times(self.snapshot) >= SEEN_OFTEN:
            return Reading("UNKNOWN", 0.0, (f"{first.stage}, but seen three times",), "loop")
        return first

    @cached_property
    def begun(self) -> bool:
        """Whether this is on the way out: a step was taken, or the page is about leaving."""
        if self.context.opened or self.exits.question.yes == 1 or self.has_leaving_option:
            return True
        # It says what leaving does, and there is a way to stay.
        tells = v.EFFECT.search(self.folded) and self.exits.stays and not self.exits.leaving
        return bool(tells) and not self.renewal and not self.again

    @cached_property
    def has_leaving_option(self) -> bool:
        """Whether one of several things to choose is to leave."""
        return any(
            len(group.options) > 1 and any(polarity(option) == 1 for option in group.options)
            for group in groups(self.sight)
            if not group.is_list
        )

    @cached_property
    def is_broken(self) -> bool:
        """A page that says that it does not work, with nothing to go on by."""
        return bool(v.BROKEN.search(self.folded)) and not self.exits.leaving

    @cached_property
    def renewal(self) -> str:
        """The words that say that it goes on: the next payment and when."""
        return notices.find_renewal(self.sight.lines)

    @cached_property
    def over(self) -> str:
        """The words that say that it has ended or will."""
        return notices.find_over(self.sight.lines)

    @cached_property
    def again(self) -> Control | None:
        """The control that would bring it back."""
        for control in self.sight.controls:
            if is_renewal_switch(control) and not control.has(Flag.CHECKED):
                return control
            is_press = control.kind == "press" and not control.is_around
            if is_press and self.sense.lean(control) == "again":
                return control
        # Where the end is planned, to keep it is to bring it back.
        was_alive = bool(self.context.alive or self.exits.leaving)
        ends = self.settled or (self.over and not was_alive)
        is_planned = ends and not self.renewal and not self.context.opened
        keeps = (c for c in self.exits.stays if v.STAY.search(fold_name(c.name)))
        return next(keeps, None) if is_planned else None

    @cached_property
    def settled(self) -> str:
        """The words that say, without another sign, that it has ended or will."""
        return notices.find_settled(self.sight.lines)

    @cached_property
    def received(self) -> str:
        """The words that say that the wish to leave has arrived and is not granted yet."""
        return notices.find_received((*self.sight.headings, *self.sight.lines))

    @cached_property
    def nothing_due(self) -> str:
        """The label of the next payment with a value that says that there is none."""
        return notices.find_nothing_due(self.sight.lines)

    @cached_property
    def _judged(self) -> dict[str, Judgement]:
        return {one.stage: one for one in judge(self.pack, self.sight.words)}

    def _by_pack(self, stage: Stage) -> Judgement:
        return self._judged.get(stage, Judgement(stage, 0.0, ()))

    # The checks

    def _checks(self) -> Iterator[Reading]:
        yield self._auth()
        yield self._final()
        yield self._success()
        yield self._off_site()
        yield self._already()
        yield self._offer()
        yield self._survey()
        yield self._active()

    def _auth(self) -> Reading:
        sight = self.sight
        kinds = {sight.secret_kind(control) for control in sight.secrets}
        if sight.puzzles:
            return Reading("AUTH_REQUIRED", 0.95, ("a puzzle for people",), "captcha")
        found = obstacle(self.pack, sight.words)
        fields = [c for c in sight.controls if c.kind == "field"]
        if "code" in kinds or (found == "mfa" and fields):
            return Reading("AUTH_REQUIRED", 0.95, ("a field for a code",), "mfa")
        if found == "captcha" and any(_is_open_box(c) for c in sight.controls):
            return Reading("AUTH_REQUIRED", 0.9, ("a box for people",), "captcha")
        if "password" in kinds and not (self.renewal and self.exits.leaving):
            return Reading("AUTH_REQUIRED", 0.95, ("a field for a password",), "login")
        if found == "login" and fields and not self.exits.leaving and not self.renewal:
            return Reading("AUTH_REQUIRED", 0.85, ("a page to sign in",), "login")
        return Reading("AUTH_REQUIRED", 0.0)

    def _final(self) -> Reading:
        best = self.exits.best
        if best is None or not best.is_final:
            return Reading("FINAL_CONFIRMATION", 0.0)
        return Reading("FINAL_CONFIRMATION", min(0.98, best.final + 0.1), best.why)

    def _success(self) -> Reading:
        told = self._by_pack("COMPLETE")
        score = told.score
        if not score or failures(self.pack, self.sight.words) or v.NOT_DONE.search(self.folded):
            return Reading("COMPLETE", 0.0)
        if self.renewal or self.exits.leaving:
            score *= 0.6
        return Reading("COMPLETE", round(max(score, 0.7 if score > 0.6 else 0), 2), told.evidence)

    @cached_property
    def _payers(self) -> list[Bill]:
        """Who else takes the money."""
        own = self.pack.id.removeprefix("store-")
        found = (*bills(self.pack, self.sight.words), *find_payers(self.sight.lines))
        return [bill for bill in found if bill.payer != own]

    def _off_site(self) -> Reading:
        if payers := self._payers:
            # A footer has a way out on every page, whoever bills.
            own = [exit for exit in self.exits.leaving if not exit.control.is_around]
            score = 0.6 if own else 0.9
            return Reading("OFF_SITE", score, (f'"{payers[0].words}"',), payers[0].payer)
        about = any(polarity(line) == 1 for line in self.sight.headings)
        told = self._by_pack("OFF_SITE")
        hand = self._by_hand
        if (hand or told.score) and (about or told.score) and not self.exits.leaving:
            signs = [f'"{hand[0].strip()}"'] if hand else []
            score = max(told.score, 0.85 if hand and about else 0.0)
            return Reading("OFF_SITE", score, (*signs, *told.evidence), "by_hand")
        return Reading("OFF_SITE", 0.0)

    @cached_property
    def _by_hand(self) -> re.Match[str] | None:
        """The words that send one elsewhere; on the way out an address is enough, if it ends here.

        A page that says that it is over may name an address too.
        """
        text = self.sight.text
        told = v.BY_HAND.search(self.folded) or nuances.NOT_ONLINE.search(self.folded)
        if told or self.over or self.settled:
            return told or nuances.PHONE.search(text)
        hrefs = [c.element.facts.href for c in self.sight.presses if not c.is_around]
        links = (DIRECT.match(href) for href in hrefs)
        goes_on = any(not exit.control.is_around for exit in self.exits.all)
        address = (
            None if goes_on else nuances.MAILBOX.search(text) or next(filter(None, links), None)
        )
        if not address and not goes_on:
            address = nuances.LOCAL_PHONE.search(text)
        return nuances.PHONE.search(text) or (address if self.begun else None)

    def _already(self) -> Reading:
        told = self._by_pack("ALREADY_CANCELLED")
        score, signs = told.score, list(told.evidence)
        if self.over:
            score = 1 - (1 - score) * 0.6
            signs.append(f'"{self.over}"')
        if self.again:
            score = 1 - (1 - score) * 0.45
            signs.append(f'control "{self.again.name}"')
        if self.nothing_due and not v.NOT_DONE.search(self.folded):
            score = 1 - (1 - score) * 0.4
            signs.append(f'"{self.nothing_due}"')
        if not self.over and not told.score:
            score = 0.0
        if self.settled and not self.context.opened and not v.NOT_DONE.search(self.folded):
            score = max(score, 0.8)
            signs.append(f'"{self.settled}"')
        if self.renewal:
            score *= 0.4
        if any(not exit.control.is_around for exit in self.exits.leaving):
            score *= 0.5
        return Reading("ALREADY_CANCELLED", round(score, 2), tuple(signs))

    def _offer(self) -> Reading:
        told = self._by_pack("RETENTION_OFFER")
        exits = self.exits
        ways = [e for e in exits.all if not e.control.is_around]
        if not ways:
            return Reading("RETENTION_OFFER", 0.0)
        score, signs = told.score, list(told.evidence)
        if exits.harms:
            score = 1 - (1 - score) * 0.5
            signs.append(f'control "{exits.harms[0].name}"')
        if exits.stays and self.begun:
            score = max(score, 0.72)
            signs.append(f'a way on beside "{exits.stays[0].name}"')
        leads = exits.leaving and exits.leaving[0].control.is_link
        if self.context.opened and exits.leaving and not exits.stays and (exits.others or leads):
            score = max(score, 0.72)
            signs.append("one of several ways, after one was taken")
        if self.renewal and not self.context.opened:
            score *= 0.6
        # Where there is something to choose and nothing to accept it is a question.
        most = 0.9 if exits.harms or not self._asked else 0.65
        return Reading("RETENTION_OFFER", round(min(score, most), 2), tuple(signs))

    @cached_property
    def _asked(self) -> list[Control]:
        """What is there to choose or to write."""
        own = [c for c in self.sight.controls if not c.is_around]
        boxes = [c for c in own if c.role == "checkbox" and not is_renewal_switch(c)]
        asked = [c for c in own if c.role in {"radio", "combobox"} or c.element.tag in ASKING]
        # One box is agreed to; of several one is chosen.
        return asked + boxes if len(boxes) > 1 else asked

    def _survey(self) -> Reading:
        told = self._by_pack("EXIT_SURVEY")
        asked = self._asked
        if not asked or not self.exits.all:
            return Reading("EXIT_SURVEY", 0.0)
        reason = v.REASON.search(self.folded)
        score = 0.85 if reason and self.begun else 0.75 if self.begun else 0.5
        score = max(score, 0.8 * told.score)
        return Reading("EXIT_SURVEY", round(score, 2), (f"{len(asked)} to answer", *told.evidence))

    def _active(self) -> Reading:
        told = self._by_pack("ACCOUNT_ACTIVE")
        score, signs = told.score, list(told.evidence)
        if self.renewal:
            score = 1 - (1 - score) * 0.4
            signs.append(f'"{self.renewal}"')
        if self.exits.leaving:
            score = 1 - (1 - score) * 0.6
            signs.append(f'control "{self.exits.leaving[0].control.name}"')
        elif not self._has_way:
            score *= 0.7
        if self.context.account and self._only_leads:
            score = max(score, ACCEPTED)
        if (self.again or self.over) and not self.renewal:
            score *= 0.5
        if self._payers and all(exit.control.is_around for exit in self.exits.leaving):
            score *= 0.6
        return Reading("ACCOUNT_ACTIVE", round(min(score, 0.89), 2), tuple(signs))

    @property
    def _only_leads(self) -> bool:
        """Before a way was taken: a list of topics, all links, of which one is leaving."""
        ways = [exit.control for exit in self.exits.leaving if not exit.control.is_around]
        is_menu = bool(ways) and all(control.role == "link" for control in ways)
        return is_menu and not self.context.opened and not self.exits.harms

    @property
    def _has_way(self) -> bool:
        return any(way_rank(fold_name(c.name)) >= 6 for c in self.sight.presses)


def _is_open_box(control: Control) -> bool:
    return (
        control.kind == "choice"
        and not control.has(Flag.CHECKED)
        and not control.has(Flag.DISABLED)
    )


def _rank(stage: Stage) -> int:
    return ORDER.index(stage) if stage in ORDER else len(ORDER)


def _contradiction(near: list[Reading]) -> tuple[Reading, Reading] | None:
    over = [one for one in near if one.stage in OVER]
    going = [one for one in near if one.stage in GOING]
    return (over[0], going[0]) if over and going else None

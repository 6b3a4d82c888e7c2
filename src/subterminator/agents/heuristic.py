"""The planner that needs no model: reads a page as a careful person would and takes one step.

It trusts words and evidence, never size, colour or place. Where two readings remain it asks, and
where nothing is left to try it says so. It decides nothing about what may be done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from subterminator import actions as a
from subterminator.agents import vocabulary as v
from subterminator.agents.choices import prepare
from subterminator.agents.endings import (
    Ending,
    already,
    awaited,
    by_hand,
    elsewhere,
    ended_row,
    lost,
    unclear,
)
from subterminator.agents.exits import Exit
from subterminator.agents.interruptions import Answered, answer_dialog, interruption
from subterminator.agents.languages import Reader
from subterminator.agents.moves import Act, AskHuman, Complete, Move, Nothing, Observation
from subterminator.agents.sense import polarity
from subterminator.agents.sight import Control
from subterminator.agents.stages import Page
from subterminator.agents.ways import Rows, over_row, rows, ways
from subterminator.errors import Refused
from subterminator.packs.phrase import fold_name
from subterminator.safety.limits import fingerprint
from subterminator.types import Flag

WAKE_MS = 30_000
HOLD_MS = 4_000
LEAST_WORTH = 0.45
AGAIN = 0.3
TRIES = 2
MOST_RETURNS = 2
MOST_RELOADS = 2
# What may be pressed on which page. Before a way out was taken a yes or an onward step could be
# anything.
BEGIN = frozenset({"leave", "bare"})
GO_ON = frozenset({"leave", "bare", "decline", "agree", "refuse", "forward"})


class Heuristic:
    """Implements `Planner`. `ending` is set when it has found out how this ends."""

    def __init__(self, reader: Reader, goal: str, start: str = "") -> None:
        self._reader = reader
        self._context = reader.context
        self._goal = goal
        self._start = start
        self.ending: Ending | None = None
        self.declined: list[str] = []
        self.answers: list[str] = []
        self._tried: Counter[tuple[str, str, str]] = Counter()
        self._pressed: Counter[tuple[str, str]] = Counter()
        self._seen: set[tuple[str, str, str]] = set()
        self._forbidden: set[tuple[str, str]] = set()
        self._followed: set[str] = set()
        self._said: dict[str, bool] = {}
        self._asked = ""
        self._last: Control | None = None
        self._returns = self._reloads = 0

    async def next(self, observation: Observation) -> Move:
        self._note(observation)
        if tab := self._new_tab(observation):
            return Act(action=a.SelectTab(tab=tab), said="goes on in the tab that opened")
        if observation.dialog:
            return self._answer(answer_dialog(observation.dialog, opened=self._context.opened))
        if observation.snapshot is None:
            return Act(action=a.TakeSnapshot(), said="looks at the page")
        page = self._reader.read(observation.snapshot)
        self._context.arrive(observation.snapshot)
        away = interruption(page)
        if away is not False:
            return self._clear(page, away)
        return self._plan(page)

    def forbid(self, action: a.AtomicAction) -> None:
        """The gate would refuse this; it is not proposed again on this page."""
        if self._last is not None:
            self._forbidden.add(_label(self._last))

    def start_over(self) -> None:
        """The site has lost what was done: the same way may be gone once more."""
        self._seen.clear()
        self._tried.clear()
        self._pressed.clear()
        self._forbidden.clear()
        self._returns = self._reloads = 0

    # What happened since

    def _note(self, observation: Observation) -> None:
        if self._asked:
            self._said[self._asked] = "answers yes" in observation.said
            self._asked = ""
        if isinstance(observation.error, Refused):
            self.forbid(a.TakeSnapshot())

    def _new_tab(self, observation: Observation) -> str:
        for tab in observation.happened.new_tabs:
            if tab.id not in self._followed and tab.url.startswith("http"):
                self._followed.add(tab.id)
                return tab.id
        return ""

    def _answer(self, answer: Answered) -> Move:
        if answer.doubtful:
            return self._end(unclear(f"A dialog can be read in two ways: {answer.doubtful}"))
        action = a.Dialog(accept=answer.accept, text=answer.text)
        return Act(action=action, said=answer.why, final=answer.final)

    def _clear(self, page: Page, away: Control | None) -> Move:
        box = page.sight.page_dialog
        name = (box.name if box else "") or (away.name if away else "")
        if away is None or self._is_tried(page, away):
            self._context.overlooked.update({name} if name else page.sight.headings[:1])
            return self._plan(self._reader.again(page.snapshot))
        return self._press(page, away, "closes what lies over the page")

    # By stage

    def _plan(self, page: Page) -> Move:
        reading = page.reading
        if reading.stage == "ACCOUNT_ACTIVE" and page.renewal and not self._context.account:
            self._context.account = page.sight.url
        if reading.stage != "AUTH_REQUIRED" and (ending := self._at_first_sight(page)):
            return self._end(ending)
        match reading.stage:
            case "AUTH_REQUIRED":
                return self._hand_over(page)
            case "OFF_SITE":
                end = by_hand if reading.detail == "by_hand" else elsewhere
                return self._end(end(page))
            case "ALREADY_CANCELLED" | "COMPLETE":
                return self._check_over(page)
            case "UNKNOWN" if page.is_broken:
                return self._reload(page)
            case _:
                return self._go_on(page)

    def _at_first_sight(self, page: Page) -> Ending | None:
        """What a page says before anything was pressed, so that nothing need be."""
        if self._context.opened or page.sight.is_dialog:
            return None
        if page.received and (page.renewal or page.over):
            return awaited(page)
        said = over_row(page, self._goal)
        return ended_row(page, said) if said else None

    def _hand_over(self, page: Page) -> Move:
        """A touch on what only a person may touch makes the gate hand over; nothing is typed."""
        if page.sight.secrets:
            return Act(action=a.Clear(target=page.sight.secrets[0].ref), said="a person signs in")
        box = next((e for e in page.sight.puzzles if e.ref), None)
        if box is None:
            boxes = (c for c in page.sight.controls if c.role == "checkbox")
            box = next((c.element for c in boxes if not c.has(Flag.CHECKED)), None)
        if box is not None and page.reading.detail == "captcha":
            return Act(action=a.Check(target=box.ref), said="a person answers the puzzle")
        return Nothing()

    def _check_over(self, page: Page) -> Move:
        """Over already, as a page loaded anew shows."""
        if page.reading.stage == "ALREADY_CANCELLED" and self._is_fresh(page):
            return self._end(already(page))
        place = self._context.account or self._start or page.sight.url
        if self._returns >= MOST_RETURNS:
            return self._end(unclear("A page says that it is over; the account page does not."))
        self._returns += 1
        return Act(action=a.Navigate(url=place), said="looks at the account page")

    def _is_fresh(self, page: Page) -> bool:
        return self._last is None or self._returns > 0

    def _reload(self, page: Page) -> Move:
        """Never the browser's own reload, which would send a form again."""
        self._reloads += 1
        if self._reloads > MOST_RELOADS:
            return self._end(lost("The site does not work right now."))
        places = (page.sight.url, self._context.account or self._start)
        place = places[self._reloads - 1] or page.sight.url
        return Act(action=a.Navigate(url=place), said="loads the page again")

    # Going on

    def _go_on(self, page: Page) -> Move:
        listed = rows(page, self._goal)
        if page.reading.stage in {"ACCOUNT_ACTIVE", "UNKNOWN"} and listed.is_unclear:
            return self._which(page, listed)
        if listed.wanted and len(listed.parts) > 1:
            self._context.row = listed.wanted.heading or listed.wanted.text.split("\n")[0]
        exits = [exit for exit in page.exits.all if self._is_open(page, exit, listed)]
        if not exits or exits[0].worth < LEAST_WORTH:
            return self._explore(page, listed)
        # What was pressed before and is still there has led to what is there besides.
        best = max(exits, key=lambda exit: exit.worth - AGAIN * self._pressed[_label(exit.control)])
        if question := self._doubt(page, best):
            return question
        return self._take(page, best)

    def _is_open(self, page: Page, exit: Exit, listed: Rows) -> bool:
        control = exit.control
        leans = GO_ON if page.begun and page.reading.stage != "ACCOUNT_ACTIVE" else BEGIN
        onward = exit.meaning.lean == "forward" and page.begun and _is_about_leaving(control)
        if not (exit.meaning.lean in leans or onward) or listed.excludes(control):
            return False
        if control.has(Flag.EXPANDED) or (control.role == "tab" and control.has(Flag.SELECTED)):
            return False  # What it shows is there already.
        is_out = _label(control) in self._forbidden
        return not is_out and self._tries(page, control) < TRIES

    def _doubt(self, page: Page, exit: Exit) -> Move | None:
        """Two readings remain: a question that can be read both ways, or a step past an offer."""
        asked = page.exits.question
        lean = exit.meaning.lean
        if asked.doubtful and lean in {"agree", "refuse"}:
            text = f'The page asks: "{asked.words}" Does "{exit.control.name}" end it?'
        elif lean == "forward" and not page.exits.harms and self._is_offer(page):
            text = f'Beside an offer there is only "{exit.control.name}". Does it decline?'
        else:
            return None
        if text not in self._said:
            self._asked = text
            return AskHuman(text=text)
        return None if self._said[text] else self._end(unclear(text))

    def _is_offer(self, page: Page) -> bool:
        return any(v.OFFER.search(fold_name(line)) for line in page.sight.headings)

    def _take(self, page: Page, exit: Exit) -> Move:
        control = exit.control
        if ready := prepare(page, exit, stuck=self._tries(page, control) > 0):
            if ready.answer:
                self.answers.append(ready.answer)
            return Act(action=ready.action, said=ready.why)
        if control.has(Flag.DISABLED):
            self._count(page, control)
            wait = a.Wait(target=control.ref, state="enabled", timeout_ms=WAKE_MS)
            return Act(action=wait, said=f'waits for "{control.name}"')
        if page.reading.stage == "RETENTION_OFFER" and page.exits.harms:
            self.declined.append(_offer_words(page))
        self._context.opened = True
        return self._press(page, control, f'presses "{control.name}"', final=exit.is_final)

    def _press(self, page: Page, control: Control, why: str, *, final: bool = False) -> Move:
        self._count(page, control)
        self._pressed[_label(control)] += 1
        self._last = control
        action: a.AtomicAction
        if control.role in {"switch", "checkbox"}:
            action = a.Uncheck(target=control.ref)
        elif v.HOLD.search(fold_name(control.name)):
            action = a.Click(target=control.ref, hold_ms=_hold_ms(control))
        else:
            action = a.Click(target=control.ref)
        return Act(action=action, said=why, final=final)

    # Looking around

    def _explore(self, page: Page, listed: Rows) -> Move:
        for way in ways(page):
            key = (page.sight.url.split("?")[0], way.control.name, way.control.part.text)
            if listed.excludes(way.control) or way.control.has(Flag.EXPANDED):
                continue
            if key not in self._seen:
                self._seen.add(key)
                return self._press(page, way.control, f'opens "{way.control.name}"')
            if way.is_menu and (*key[:2], "hover") not in self._seen:
                self._seen.add((*key[:2], "hover"))
                return Act(action=a.Hover(target=way.control.ref), said="looks into a menu")
        return self._return(page)

    def _return(self, page: Page) -> Move:
        base = self._context.account or self._start
        if base and base != page.sight.url and self._returns < MOST_RETURNS:
            self._returns += 1
            return Act(action=a.Navigate(url=base), said="goes back to the account page")
        if v.WANTS_FREE.search(fold_name(self._goal)) and not self._context.free:
            self._context.free = True
            self._seen.clear()
            place = base or page.sight.url
            return Act(action=a.Navigate(url=place), said="looks for the plan that costs nothing")
        return self._end(lost("No way to end the subscription was found."))

    def _which(self, page: Page, listed: Rows) -> Move:
        for part in listed.parts:
            row = part.heading or part.text.split("\n")[0]
            text = f'Several subscriptions are listed. Is "{row}" the one to end?'
            if text not in self._said:
                self._asked = text
                return AskHuman(text=text)
            if self._said[text]:
                self._goal = f"{self._goal} {row}"
                return self._go_on(page) if not rows(page, self._goal).is_unclear else self._lost()
        return self._lost()

    def _lost(self) -> Move:
        return self._end(unclear("It is not clear which subscription is meant."))

    def _end(self, ending: Ending) -> Move:
        self.ending = ending
        return Complete(status="failed", reason=ending.text)

    # What was tried

    def _mark(self, page: Page, control: Control) -> tuple[str, str, str]:
        return fingerprint(page.snapshot), control.name, control.part.heading

    def _tries(self, page: Page, control: Control) -> int:
        return self._tried[self._mark(page, control)]

    def _is_tried(self, page: Page, control: Control) -> bool:
        return self._tries(page, control) > 0

    def _count(self, page: Page, control: Control) -> None:
        self._tried[self._mark(page, control)] += 1


def _label(control: Control) -> tuple[str, str]:
    return control.name, control.part.heading


def _is_about_leaving(control: Control) -> bool:
    """Whether what it stands in speaks of leaving and not of how the subscription goes on."""
    lines = control.part.text.splitlines()
    goes_on = any(v.GOES_ON.search(fold_name(line)) for line in lines)
    return not goes_on and any(polarity(line) == 1 for line in lines)


def _offer_words(page: Page) -> str:
    lines: Sequence[str] = (*page.sight.headings, *page.sight.lines)
    offers = (line for line in lines if v.OFFER.search(fold_name(line)))
    return next(offers, page.exits.harms[0].name)[:160]


def _hold_ms(control: Control) -> int:
    found = v.SECONDS.search(f"{control.name} {control.part.text}")
    return int(found[1]) * 1000 + 500 if found else HOLD_MS

"""The planner that needs no model: reads a page as a careful person would and takes one step.

It trusts words and evidence, never size, colour or place. Where two readings remain it asks, and
where nothing is left to try it says so. It decides nothing about what may be done.
"""

from __future__ import annotations

from collections.abc import Sequence

from subterminator import actions as a
from subterminator.agents import vocabulary as v
from subterminator.agents.choices import prepare, ticked_by
from subterminator.agents.elimination import last_button, may_end, unknown_ways
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
from subterminator.agents.exits import SENDS, Exit, is_saving
from subterminator.agents.exploring import Explorer
from subterminator.agents.interruptions import Answered, answer_dialog, closing, interruption
from subterminator.agents.languages import Reader
from subterminator.agents.moves import Act, AskHuman, Complete, Move, Nothing, Observation
from subterminator.agents.objects import unsure_of
from subterminator.agents.options import chooses_to_leave, ends, groups, keeps
from subterminator.agents.sense import polarity
from subterminator.agents.sight import Control
from subterminator.agents.stages import Page
from subterminator.agents.trail import Trail
from subterminator.agents.ways import Rows, over_row, rows
from subterminator.errors import Refused
from subterminator.packs.phrase import fold_name
from subterminator.types import Flag

WAKE_MS = 30_000
HOLD_MS = 4_000
SETTLE_MS = 6_000
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
        self._trail = Trail()
        self._followed: set[str] = set()
        self._said: dict[str, bool] = {}
        self._ticked: set[str] = set()
        self._asked = ""
        self._last: Control | None = None
        self._explorer = Explorer(self._trail)
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
        self._trail.visit(page.sight.url)
        if not observation.error and self._trail.is_unmoved(page):
            wait = a.Wait(quiet=True, timeout_ms=SETTLE_MS)
            return Act(action=wait, said="waits for the site")
        away = interruption(page)
        if away is not False:
            return self._clear(page, away)
        return self._plan(page)

    def forbid(self, action: a.AtomicAction) -> None:
        """The gate would refuse this; it is not proposed again on this page."""
        if self._last is not None:
            self._trail.forbid(self._last)

    def start_over(self) -> None:
        """The site has lost what was done: the same way may be gone once more."""
        self._trail.clear()
        self._explorer.start_over()
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
        if away is None or self._trail.attempts(page, away):
            self._context.overlooked.update({name} if name else page.sight.headings[:1])
            return self._plan(self._reader.again(page.snapshot))
        return self._press(page, away, "closes what lies over the page")

    # By stage

    def _plan(self, page: Page) -> Move:
        reading = page.reading
        self._context.alive = self._context.alive or bool(page.renewal)
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
        times = self._trail.times_pressed
        best = max(exits, key=lambda exit: exit.worth - AGAIN * times(exit.control))
        if question := self._doubt(page, best):
            return question
        return self._take(page, best)

    def _is_open(self, page: Page, exit: Exit, listed: Rows) -> bool:
        control = exit.control
        leans = GO_ON if page.begun and page.reading.stage != "ACCOUNT_ACTIVE" else BEGIN
        onward = exit.meaning.lean == "forward" and page.begun and _is_about_leaving(control)
        onward = onward or (exit.meaning == SENDS and chooses_to_leave(page.sight, control))
        if not (exit.meaning.lean in leans or onward) or listed.excludes(control):
            return False
        if control.has(Flag.EXPANDED) or (control.role == "tab" and control.has(Flag.SELECTED)):
            return False  # What it shows is there already.
        return self._may_try(page, control)

    def _may_try(self, page: Page, control: Control) -> bool:
        is_out = self._trail.is_forbidden(control)
        return not is_out and self._trail.attempts(page, control) < TRIES

    def _doubt(self, page: Page, exit: Exit) -> Move | None:
        """Two readings remain: a question that can be read both ways, or a step past an offer."""
        asked, lean = page.exits.question, exit.meaning.lean
        known = " ".join((self._goal, *self._context.names))
        if named := unsure_of(page.sight, exit.control, asked.words * exit.is_final, known):
            text = f'"{exit.control.name}" would end "{named}". Is that the subscription to end?'
        elif asked.doubtful and lean in {"agree", "refuse"}:
            text = f'The page asks: "{asked.words}" Does "{exit.control.name}" end it?'
        elif exit.control.is_link and page.exits.others:
            return None  # It only loads a page; what accepts is another one.
        elif lean == "forward" and not page.exits.harms and self._is_offer(page):
            text = f'Beside an offer there is only "{exit.control.name}". Does it decline?'
        else:
            return None
        return self._ask(text)

    def _doubt_choice(self, page: Page, exit: Exit) -> Move | None:
        """What sends a form sends what is chosen in it too, whoever chose it."""
        if exit.meaning.lean not in {"forward", "agree"} or exit.control.is_link:
            return None
        beside = [g for g in groups(page.sight) if g.controls[0].part == exit.control.part]
        kept = next(filter(None, map(keeps, beside)), "")
        return (
            self._ask(f'"{kept}" is chosen. Does "{exit.control.name}" end it?') if kept else None
        )

    def _ask(self, text: str) -> Move | None:
        """None once a person has said yes; a no ends it."""
        if text not in self._said:
            self._asked = text
            return AskHuman(text=text)
        return None if self._said[text] else self._end(unclear(text))

    def _is_offer(self, page: Page) -> bool:
        """What is chosen says whether one leaves, not the button; `Pause or cancel` offers both."""
        if page.has_leaving_option:
            return False
        offers = (line for line in page.sight.headings if v.OFFER.search(fold_name(line)))
        return any(polarity(line) != 1 for line in offers)

    def _take(self, page: Page, exit: Exit) -> Move:
        control = exit.control
        stuck = self._trail.led_back(page, control)
        if ready := prepare(page, exit, stuck=stuck, ticked=self._ticked):
            self._ticked |= ticked_by(page, ready.action)
            if ready.answer:
                self.answers.append(ready.answer)
            return Act(action=ready.action, said=ready.why)
        if question := self._doubt_choice(page, exit):
            return question
        if control.has(Flag.DISABLED):
            self._trail.attempt(page, control)
            self._trail.send(page, control)
            wait = a.Wait(target=control.ref, state="enabled", timeout_ms=WAKE_MS)
            return Act(action=wait, said=f'waits for "{control.name}"')
        if page.reading.stage == "RETENTION_OFFER" and page.exits.harms:
            self.declined.append(_offer_words(page))
        self._context.opened = True
        self._trail.send(page, control)
        final = exit.is_final or self._sends_an_end(page, exit)
        return self._press(page, control, f'presses "{control.name}"', final=final)

    def _sends_an_end(self, page: Page, exit: Exit) -> bool:
        """A button that says nothing may send what was chosen, and that may be the end."""
        says_next = exit.meaning.lean == "forward" and exit.meaning != SENDS
        if exit.control.is_link or (says_next and not is_saving(exit.control)):
            return False
        return any(ends(g) for g in groups(page.sight) if g.controls[0].part == exit.control.part)

    def _press(self, page: Page, control: Control, why: str, *, final: bool = False) -> Move:
        self._trail.press(page, control)
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

    def _is_on_the_way(self, page: Page) -> bool:
        return page.begun and page.reading.stage != "ACCOUNT_ACTIVE"

    def _by_elimination(self, page: Page) -> Move | None:
        """On the way out: what is left when everything that is known leads elsewhere."""
        if not self._is_on_the_way(page):
            return None
        for link in unknown_ways(page):
            if not self._trail.is_forbidden(link) and self._trail.is_new(page, link):
                self._context.opened = True
                return self._press(page, link, f'tries "{link.name}", which is left')
        button = last_button(page)
        if button is None or not self._may_try(page, button):
            return None
        # Where nothing is offered it may be the last step: then the gate asks.
        return self._press(
            page, button, f'presses "{button.name}", which is left', final=may_end(page)
        )

    def _close(self, page: Page) -> Move | None:
        """What lies over the page and leads nowhere: there may be something under it."""
        if not page.sight.is_dialog:
            return None
        for control in closing(page):
            if self._may_try(page, control) and self._trail.is_new(page, control):
                return self._press(page, control, "closes what lies over the page")
        return None

    def _explore(self, page: Page, listed: Rows) -> Move:
        if step := self._by_elimination(page) or self._close(page):
            return step
        look = self._explorer.next(page, listed)
        if look and look.hovers:
            return Act(action=a.Hover(target=look.control.ref), said="looks into a menu")
        if look:
            return self._press(page, look.control, f'opens "{look.control.name}"')
        return self._return(page)

    def _return(self, page: Page) -> Move:
        base = self._context.account or self._start
        if back := self._explorer.back(page, base):
            return Act(action=a.Navigate(url=back.url), said=back.why)
        if v.WANTS_FREE.search(fold_name(self._goal)) and not self._context.free:
            self._context.free = True
            self._trail.look_anew()
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

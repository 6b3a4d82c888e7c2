"""Who leads: the rules where they are sure, then a model, then a picture for it, then the person.

Sign-in pages are never a model's: on these the rules hand over before anything else is proposed.
"""

from __future__ import annotations

from msgspec.structs import replace

from subterminator import actions as a
from subterminator.agents.endings import Ending, by_hand, elsewhere
from subterminator.agents.guide import Briefing, Guide, Planning
from subterminator.agents.llm import Llm
from subterminator.agents.models.base import Model
from subterminator.agents.moves import Act, AskHuman, Complete, Move, Nothing, Observation, Planner
from subterminator.agents.prompts import lead_prompt
from subterminator.agents.stages import ACCEPTED, Page
from subterminator.agents.tools import all_tools
from subterminator.agents.ways import rows

# Stages that end a run without a press; what shows them is read by our own code.
OVER = frozenset({"OFF_SITE", "ALREADY_CANCELLED", "COMPLETE"})
SILENT = 3
LOST = (
    "Neither the rules nor the model know how to go on with this page. Look at it in the browser; "
    "shall it be tried once more?"
)


class Cascade:
    """Implements `Guide` over the heuristic planner and another one.

    With `rules_first` the rules lead wherever a page is clear to them; otherwise the other planner
    leads all of it but signing in.
    """

    def __init__(self, briefing: Briefing, other: Planner, *, rules_first: bool) -> None:
        self._reader = briefing.reader
        self._goal = briefing.goal
        self._heuristic = briefing.heuristic
        self._other = other
        self._rules_first = rules_first
        self.ending: Ending | None = None
        self._rules_led = False
        self._silent = 0
        self._asked = False

    @property
    def declined(self) -> list[str]:
        return self._heuristic.declined

    @property
    def answers(self) -> list[str]:
        return self._heuristic.answers

    def forbid(self, action: a.AtomicAction) -> None:
        if self._rules_led:
            self._heuristic.forbid(action)

    def start_over(self) -> None:
        self._heuristic.start_over()

    async def next(self, observation: Observation) -> Move:
        page = self._read(observation)
        if page and page.reading.stage == "AUTH_REQUIRED":
            return await self._by_rules(observation)
        if self._rules_first and self._is_clear(page, observation):
            move = await self._by_rules(observation)
            if isinstance(move, Act) or _ends_by_evidence(self._heuristic.ending):
                self.ending = self._heuristic.ending
                return move
            self._heuristic.ending = None
        return await self._by_other(observation, page)

    def _read(self, seen: Observation) -> Page | None:
        if seen.snapshot is None or seen.dialog:
            return None
        page = self._reader.read(seen.snapshot)
        context = self._reader.context
        if page.reading.stage == "ACCOUNT_ACTIVE" and page.renewal and not context.account:
            context.account = page.sight.url
        listed = rows(page, self._goal) if page.reading.stage == "ACCOUNT_ACTIVE" else None
        if listed and listed.wanted and len(listed.parts) > 1:
            # Which of several is meant is needed later to tell whether that one has ended.
            context.row = listed.wanted.heading or listed.wanted.text.split("\n")[0]
        return page

    def _is_clear(self, page: Page | None, seen: Observation) -> bool:
        if page is None:
            return seen.dialog is not None
        return page.reading.score >= ACCEPTED

    async def _by_rules(self, seen: Observation) -> Move:
        self._rules_led = True
        return await self._heuristic.next(seen)

    async def _by_other(self, seen: Observation, page: Page | None) -> Move:
        self._rules_led = False
        if seen.snapshot:
            self._reader.context.arrive(seen.snapshot)
        move = await self._other.next(seen)
        match move:
            case Act(action=action):
                # A picture that is taken for a silent model is no answer of it.
                if not isinstance(action, a.Screenshot):
                    self._silent = 0
                return self._placed(move, page)
            case Complete():
                return self._ended(move, page)
            case Nothing():
                return self._unheard(move)
            case _:
                return move

    def _placed(self, move: Act, page: Page | None) -> Act:
        """What the rules know of the control that is pressed: whether it leads out or ends it."""
        target = _pressed_ref(move.action)
        exit = next((e for e in page.exits.all if e.control.ref == target), None) if page else None
        if exit is None or not target:
            return move
        self._reader.context.opened = True
        if page and page.reading.stage == "RETENTION_OFFER" and page.exits.harms:
            self.declined.append(page.exits.harms[0].name[:160])
        return replace(move, final=exit.is_final)

    def _ended(self, move: Complete, page: Page | None) -> Move:
        """How it ends without a press is what the page shows, not what the model says."""
        if page is None or page.reading.stage not in OVER:
            return move
        if page.reading.stage == "OFF_SITE":
            end = by_hand if page.reading.detail == "by_hand" else elsewhere
            self.ending = end(page)
            return replace(move, status="failed", reason=self.ending.text)
        # The verifier loads the account page and decides.
        return replace(move, status="success")

    def _unheard(self, move: Nothing) -> Move:
        """The person is the last to be asked, once; the loop ends who stays silent."""
        self._silent += 1
        if self._silent < SILENT or self._asked:
            return move
        self._asked = True
        return AskHuman(text=LOST, cost=move.cost)


def _ends_by_evidence(ending: Ending | None) -> bool:
    return ending is not None and ending.reason in {"completed", "off_site"}


def _pressed_ref(action: object) -> str:
    """The ref that a press is aimed at, or nothing."""
    match action:
        case a.Click(target=str(ref)) | a.Check(target=str(ref)) | a.Uncheck(target=str(ref)):
            return ref
        case _:
            return ""


def by_model(model: Model, *, rules_first: bool) -> Planning:
    """A model leads; with `rules_first` only where the rules are not sure."""

    def plan(briefing: Briefing) -> Guide:
        system = lead_prompt(briefing.desk.fence.rule, pack=briefing.reader.own)
        llm = Llm(model, all_tools(), briefing.desk, system=system, goal=briefing.goal)
        return Cascade(briefing, llm, rules_first=rules_first)

    return plan

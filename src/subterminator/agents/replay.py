"""A way that worked, written down without refs, and the planner that goes it again without a model.

Each step names its element by role, name, place and frame. Where the page is not as it was then,
nothing is guessed: another planner goes on from there, or the run stops.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from subterminator import actions as a
from subterminator.agents.endings import Ending, unclear
from subterminator.agents.guide import Briefing, Guide, Planning
from subterminator.agents.moves import Act, Complete, Move, Observation
from subterminator.agents.tools import act
from subterminator.config import private_folder
from subterminator.errors import InvalidParams
from subterminator.page.context import Surroundings
from subterminator.page.snapshot import Snapshot
from subterminator.safety.files import write_private
from subterminator.safety.redact import Redactor
from subterminator.types import Element

# What is done to the page; looking around is no part of a way.
WORTH = (
    a.Click, a.Fill, a.Clear, a.Type, a.Press, a.Select, a.Check, a.Uncheck, a.Hover, a.Dialog,
    a.SelectTab, a.Wait,
)  # fmt: skip
TAB = "the newest tab"
LARGEST = 256 * 1024


class Mark(Struct, frozen=True, omit_defaults=True):
    """An element without its ref."""

    role: str
    name: str
    place: str = ""
    """The row, card, section or heading it stands in."""
    frame: str = ""


class Step(Struct, frozen=True, omit_defaults=True):
    """One thing that was done. In `action` the target is left out; `path` is that of the page."""

    action: a.AtomicAction
    path: str
    mark: Mark | None = None
    final: bool = False
    said: str = ""


class Way(Struct, frozen=True):
    """All steps of one run that was proven to have worked."""

    service: str
    planner: str
    recorded: str
    steps: tuple[Step, ...]


class Recorder:
    """Makes a guide whose steps are written down as far as they go well."""

    def __init__(self, plan: Planning) -> None:
        self._plan = plan
        self.guide: _Recorded | None = None

    def __call__(self, briefing: Briefing) -> Guide:
        self.guide = _Recorded(self._plan(briefing), briefing.desk.record.redactor)
        return self.guide

    def finished(self) -> tuple[Step, ...]:
        """The steps of a run that ended well; none if something in it must not be kept."""
        if self.guide is None:
            return ()
        self.guide.finish()
        return () if self.guide.has_secret else tuple(self.guide.steps)


class _Recorded:
    """The guide itself, watched."""

    def __init__(self, guide: Guide, redactor: Redactor) -> None:
        self._guide = guide
        self._redactor = redactor
        self._last: Step | None = None
        self.steps: list[Step] = []
        self.has_secret = False

    @property
    def ending(self) -> Ending | None:
        return self._guide.ending

    @property
    def declined(self) -> list[str]:
        return self._guide.declined

    @property
    def answers(self) -> list[str]:
        return self._guide.answers

    def forbid(self, action: a.AtomicAction) -> None:
        self._last = None
        self._guide.forbid(action)

    def start_over(self) -> None:
        self.steps.clear()
        self._guide.start_over()

    async def next(self, observation: Observation) -> Move:
        self._keep(observation)
        move = await self._guide.next(observation)
        self._last = self._step(move, observation.snapshot)
        return move

    def finish(self) -> None:
        """The run has ended well, and so did its last step."""
        if self._last:
            self.steps.append(self._last)
            self._last = None

    def _keep(self, seen: Observation) -> None:
        last, self._last = self._last, None
        if last and seen.error is None:
            self.steps.append(last)

    def _step(self, move: Move, page: Snapshot | None) -> Step | None:
        if not isinstance(move, Act) or not isinstance(move.action, WORTH):
            return None
        step = step_of(move, page)
        words = _typed(move.action) + (step.mark.name if step and step.mark else "")
        self.has_secret = self.has_secret or self._redactor.text(words) != words
        return step


def step_of(move: Act, page: Snapshot | None) -> Step | None:
    """The move without its ref; None if it names nothing that could be found again."""
    action = move.action
    assert not isinstance(action, dict | a.Execute)
    path = path_of(page)
    ref = _ref(action)
    if ref is None:
        if isinstance(action, a.SelectTab):
            action = a.SelectTab(TAB)
        return Step(action, path, None, move.final, move.said)
    element = next((e for e in page.elements if e.ref == ref), None) if page else None
    if element is None or page is None:
        return None
    return Step(_aimed(action, "@e1"), path, mark_of(element, page), move.final, move.said)


def mark_of(element: Element, page: Snapshot) -> Mark:
    place = page.elements.index(element)
    frame = page.frames[element.frame] if element.frame < len(page.frames) else None
    label = (frame.name or urlsplit(frame.url).path) if frame and element.frame else ""
    name = element.name or element.facts.hint
    return Mark(element.role, name, Surroundings(page.elements).of(place), label)


def path_of(page: Snapshot | None) -> str:
    return urlsplit(page.page.url).path if page else ""


def find_again(mark: Mark, page: Snapshot) -> str:
    """The ref of the one element that is called and placed as it was; empty if there is none."""
    alike = [
        element
        for element in page.elements
        if element.ref
        and element.role == mark.role
        and (element.name or element.facts.hint) == mark.name
    ]
    same = [element for element in alike if mark_of(element, page) == mark]
    return same[0].ref if len(same) == 1 else ""


class Replay:
    """Implements `Guide`. `other` goes on where the page is not as it was; None: it stops."""

    def __init__(self, briefing: Briefing, way: Way, other: Guide | None) -> None:
        self._heuristic = briefing.heuristic
        self._reader = briefing.reader
        self._steps = list(way.steps)
        self._other = other
        self._own_ending: Ending | None = None
        self._left: Guide | None = None

    @property
    def ending(self) -> Ending | None:
        return self._left.ending if self._left else self._own_ending

    @property
    def declined(self) -> list[str]:
        return self._left.declined if self._left else self._heuristic.declined

    @property
    def answers(self) -> list[str]:
        return self._left.answers if self._left else self._heuristic.answers

    def forbid(self, action: a.AtomicAction) -> None:
        """What worked then would be refused now: that is another page."""
        if self._left:
            self._left.forbid(action)
        else:
            self._steps.clear()

    def start_over(self) -> None:
        if self._left:
            self._left.start_over()

    async def next(self, observation: Observation) -> Move:
        if self._left:
            return await self._left.next(observation)
        page = observation.snapshot
        if page and not observation.dialog:
            read = self._reader.read(page)
            if read.reading.stage == "AUTH_REQUIRED":
                return await self._heuristic.next(observation)
            if read.reading.stage == "ACCOUNT_ACTIVE" and not self._reader.context.account:
                self._reader.context.account = read.sight.url
        if observation.error is None and (move := self._again(observation)):
            return move
        return await self._differs(observation)

    def _again(self, seen: Observation) -> Act | None:
        """The next step of the way, if the page is as it was."""
        if not self._steps:
            return None
        step = self._steps[0]
        page = seen.snapshot
        if isinstance(step.action, a.Dialog) != (seen.dialog is not None):
            return None
        if seen.dialog is None and path_of(page) != step.path:
            return None
        action = self._now(step, seen)
        if action is None:
            return None
        self._steps.pop(0)
        self._reader.context.opened = True
        return replace(act(action), final=step.final, said=step.said, replan=True)

    def _now(self, step: Step, seen: Observation) -> a.AtomicAction | None:
        if isinstance(step.action, a.SelectTab):
            tabs = seen.happened.new_tabs
            return a.SelectTab(tabs[-1].id) if tabs else None
        if step.mark is None:
            return step.action
        ref = find_again(step.mark, seen.snapshot) if seen.snapshot else ""
        return _aimed(step.action, ref) if ref else None

    async def _differs(self, seen: Observation) -> Move:
        if self._other is not None:
            self._left = self._other
            return await self._left.next(seen)
        self._own_ending = unclear(
            "The page is not as it was when this way was recorded. Cancel it with another planner."
        )
        return Complete(status="failed", reason=self._own_ending.text)


def by_replay(way: Way, other: Planning | None) -> Planning:
    """Go a recorded way; where it ends, `other` leads."""
    return lambda briefing: Replay(briefing, way, other(briefing) if other else None)


# The file


def file_of(state_dir: str, service: str) -> Path:
    name = "".join(letter if letter.isalnum() else "-" for letter in service.lower())[:60]
    return Path(state_dir) / "ways" / f"{name}.json"


def save(way: Way, path: Path) -> None:
    """For the owner alone; a way that was there before is replaced."""
    private_folder(str(path.parent))
    write_private(path, msgspec.json.encode(way))


def load(path: Path) -> Way:
    try:
        if path.stat().st_size > LARGEST:
            raise InvalidParams(f"{path} is too large for a recorded way.")
        return msgspec.json.decode(path.read_bytes(), type=Way)
    except FileNotFoundError:
        raise InvalidParams(
            "No way was recorded for this service yet.",
            next_step="Cancel it once with --planner llm or team; a proven run is written down.",
        ) from None
    except (OSError, msgspec.MsgspecError) as fault:
        raise InvalidParams(
            f"The recorded way {path} cannot be read: {fault}.", next_step="Remove the file."
        ) from fault


def _ref(action: a.AtomicAction) -> str | None:
    match action:
        case (
            a.Click(target=str(ref)) | a.Fill(target=str(ref)) | a.Clear(target=str(ref))
            | a.Type(target=str(ref)) | a.Press(target=str(ref)) | a.Select(target=str(ref))
            | a.Check(target=str(ref)) | a.Uncheck(target=str(ref)) | a.Hover(target=str(ref))
            | a.Wait(target=str(ref))
        ):  # fmt: skip
            return ref
        case _:
            return None


def _aimed(action: a.AtomicAction, ref: str) -> a.AtomicAction:
    return replace(action, target=ref) if _ref(action) is not None else action


def _typed(action: object) -> str:
    match action:
        case a.Fill(value=text) | a.Type(text=text):
            return text
        case _:
            return ""

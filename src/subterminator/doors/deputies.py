"""Who answers at the gate in a person's place, and what they may answer. None says yes by itself.

Each wraps the next: a witness around a rehearsal or a file around the person.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from subterminator.errors import HumanRejected, Refused
from subterminator.inbox import patience
from subterminator.runs.proofs import slug
from subterminator.safety.approval import Deputy, StandingApproval
from subterminator.safety.human import Human, Question
from subterminator.safety.task import Task
from subterminator.safety.verdict import FINAL

CurrentTask = Callable[[], Task]


def approval_file(state_dir: str, service: str) -> Path:
    """Where the standing approval for a service lies."""
    return Path(state_dir) / "approvals" / f"{slug(service)}.json"


class Rehearsal:
    """Walks to the final step and no further; what would be pressed there is kept as terms."""

    def __init__(self, person: Human, state_dir: str, task: CurrentTask) -> None:
        self._person = person
        self._state_dir = state_dir
        self._task = task
        self.reached: Question | None = None
        self.file: Path | None = None
        self.why = ""
        """Why these terms cannot be approved beforehand."""

    async def approve(self, question: Question) -> bool:
        if question.effect not in FINAL:
            return await self._person.approve(question)
        self.reached = question
        task = self._task()
        try:
            terms = StandingApproval.of(question, task)
            path = approval_file(self._state_dir, task.service)
            await asyncio.to_thread(terms.save, path)
            self.file = path
        except Refused as fault:
            self.why = fault.message
        return False

    async def hand_over(self, question: Question) -> bool:
        return await self._person.hand_over(question)


class Standing:
    """Says yes to a final step that meets the terms of the file, once; asks the person the rest."""

    def __init__(self, person: Human, state_dir: str, task: CurrentTask) -> None:
        self._person = person
        self._state_dir = state_dir
        self._task = task
        self.why = ""

    async def approve(self, question: Question) -> bool:
        if question.effect not in FINAL:
            return await self._person.approve(question)
        task = self._task()
        deputy = Deputy(approval_file(self._state_dir, task.service), task)
        yes = await deputy.approve(question)
        self.why = deputy.why
        return yes

    async def hand_over(self, question: Question) -> bool:
        return await self._person.hand_over(question)


class Unbothered:
    """Lets a run go to further sites without asking. What cannot be undone asks as always."""

    def __init__(self, person: Human) -> None:
        self._person = person

    async def approve(self, question: Question) -> bool:
        if question.effect == "move" and question.rule == "leaves-sites":
            return True
        return await self._person.approve(question)

    async def hand_over(self, question: Question) -> bool:
        return await self._person.hand_over(question)


class Onlooker:
    """Somebody may be at the browser's window, but there is no terminal to ask them at."""

    async def approve(self, question: Question) -> bool:
        return False

    async def hand_over(self, question: Question) -> bool:
        """The page shows when it was done; until then there is only to wait."""
        await asyncio.Event().wait()
        return True


class Witness:
    """Passes every question on and remembers whether there was anybody to answer it.

    `picture` says where the picture of a digest is, so that the person can look at it.
    """

    def __init__(
        self,
        person: Human,
        *,
        present: bool,
        window: bool,
        asked: Callable[[Question], None],
        picture: Callable[[str], str] = str,
    ) -> None:
        self._person = person
        self._picture = picture
        self._present = present
        self._window = window
        self._asked = asked
        self.needed = ""
        """What a person is needed for, if none was there."""
        self.said = ""
        """What the person said with their no."""

    async def approve(self, question: Question) -> bool:
        question = self._located(question)
        self._asked(question)
        begun = time.monotonic()
        try:
            yes = await self._person.approve(question)
        except asyncio.CancelledError:
            self.needed = "Nobody has answered in time."
            raise
        except HumanRejected as no:
            self.said = str(no.details.get("said", ""))
            raise
        late = time.monotonic() - begun >= patience(question)
        if not yes and (late or not self._present):
            self.needed = "Nobody has answered in time." if late else _answer(question)
        elif yes:
            self.needed = ""
        return yes

    async def hand_over(self, question: Question) -> bool:
        self._asked(question)
        if not self._window:
            self.needed = (
                f"{question.reason} There is no window to do it in: run it with --show, with "
                "--attach in your own browser, or with a --profile-dir that is signed in."
            )
            return False
        if not self._present:
            self.needed = f"{question.reason} Nobody is there to do it."
        done = await self._person.hand_over(question)
        if done:
            self.needed = ""
        return done

    def _located(self, question: Question) -> Question:
        stakes = question.stakes
        if stakes is None or not stakes.picture:
            return question
        return replace(question, stakes=replace(stakes, picture=self._picture(stakes.picture)))


def _answer(question: Question) -> str:
    return (
        f"A person has to answer: {question.reason} Run it in a terminal, or make an approval file "
        "with --dry-run and use it with --no-input --approve final."
    )

"""The person at the extension's panel: sees what happens, is asked there, answers there, stops it.

The facts are those of the terminal's screen, from the same rendering; no answer is a no.
"""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable
from typing import Protocol

import msgspec
from msgspec import Raw

from subterminator.agents.outcome import Progress, TaskResult
from subterminator.doors.extension.wire import Answer, Halt
from subterminator.inbox import Kind, is_done, patience
from subterminator.safety.clock import CLOCK, Clock
from subterminator.safety.human import Question, describe, is_yes

LABEL_WIDTH = 10


class Showing(Protocol):
    """What a panel needs of a line."""

    def tell(self, kind: str, data: object) -> None: ...
    def listen(self, hear: Callable[[str, Raw], None], lost: Callable[[str], None]) -> None: ...


class Panel:
    """The panel of one browser, for one run at a time."""

    def __init__(self, line: Showing, clock: Clock = CLOCK) -> None:
        self._line = line
        self._clock = clock
        self._run = ""
        self._open: dict[str, tuple[Kind, Question, asyncio.Future[bool]]] = {}
        self.stopped = asyncio.Event()
        """Set when the person wants it stopped."""
        line.listen(self._hear, self._lose)

    # Telling

    def begin(self, run: str, service: str, goal: str) -> None:
        self._run = run
        self._line.tell("Run", {"run": run, "service": service, "goal": goal})

    def tell(self, progress: Progress) -> None:
        told = {"words": progress.text, "stage": progress.stage, "step": progress.turn}
        self._line.tell("Told", {"run": self._run, **told})

    def end(self, result: TaskResult, words: str) -> None:
        told = {"outcome": result.outcome, "words": words, "proof": result.proof}
        self._line.tell("Ended", {"run": self._run, **told})

    # Asking

    async def approve(self, question: Question) -> bool:
        return await self._ask("approve", question)

    async def hand_over(self, question: Question) -> bool:
        return await self._ask("hand_over", question)

    async def _ask(self, kind: Kind, question: Question) -> bool:
        deadline = self._clock.deadline(patience(question))
        answered: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._open[question.id] = (kind, question, answered)
        self._line.tell("Question", shown(kind, question))
        how = "withdrawn"
        try:
            async with asyncio.timeout(patience(question)):
                yes = await answered
            # Timers stand still while a computer sleeps.
            yes = yes and not deadline.passed(self._clock)
            how = "yes" if yes else "no"
            return yes
        except TimeoutError:
            how = "expired"
            return False
        finally:
            self._open.pop(question.id, None)
            self._line.tell("Settled", {"id": question.id, "how": how})

    def _hear(self, kind: str, data: Raw) -> None:
        try:
            if kind == "Answer":
                self._answer(msgspec.json.decode(data, type=Answer))
            elif kind == "Stop":
                self._stop(msgspec.json.decode(data, type=Halt))
        except msgspec.MsgspecError:
            return  # Not what a panel of ours says.

    def _answer(self, said: Answer) -> None:
        kind, question, answered = self._open.get(said.id, (None, None, None))
        if question is None or answered is None or answered.done():
            return
        if not hmac.compare_digest(said.digest.encode(), question.digest.encode()):
            return  # To another question than the one that is open now.
        words = said.words or ("yes" if said.yes else "")
        agrees = is_done(words) if kind == "hand_over" else is_yes(question, words)
        answered.set_result(said.yes and agrees)

    def _stop(self, said: Halt) -> None:
        if said.run in ("", self._run):
            self.stopped.set()

    def _lose(self, _: str) -> None:
        """Nobody can answer here any more; others may still be asked."""
        self._open.clear()


def shown(kind: Kind, question: Question) -> dict[str, object]:
    """A question as the panel shows it."""
    title, *lines = describe(question)
    return {
        "id": question.id,
        "digest": question.digest,
        "kind": kind,
        "title": title,
        "facts": [[line[:LABEL_WIDTH].strip(), line[LABEL_WIDTH:].strip()] for line in lines],
        "words": question.reason,
        "red": question.red,
        "seconds": patience(question),
    }

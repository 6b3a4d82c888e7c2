"""Questions that wait for a person: one answer each, to exactly the question that was shown."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from subterminator.errors import ApprovalVoid, Refused
from subterminator.safety.clock import CLOCK, Clock
from subterminator.safety.human import Question, is_yes

Kind = Literal["approve", "hand_over"]
Outcome = Literal["yes", "no", "expired", "withdrawn"]
MOST_WAITING = 50
LONGEST_WAIT = 900.0
DONE = frozenset({"done", "y", "yes"})


class Asker(Struct, frozen=True):
    """Who wants something done. It never answers; nor do its processes and what they start."""

    id: str
    pids: tuple[int, ...] = ()


class Waiting(Struct, frozen=True):
    """A question as it is shown."""

    kind: Kind
    asker: str
    question: Question
    seconds_left: float


class Asked(Struct, frozen=True, tag="asked", tag_field="notice"):
    """A question was put."""

    waiting: Waiting


class Settled(Struct, frozen=True, tag="settled", tag_field="notice"):
    """A question is no longer open."""

    id: str
    outcome: Outcome


class Inbox:
    """All open questions of one process."""

    def __init__(self, tell: Callable[[Asked | Settled], None], clock: Clock = CLOCK) -> None:
        self._tell = tell
        self._clock = clock
        self._open: dict[str, _Entry] = {}
        self._closed = False

    async def ask(self, kind: Kind, question: Question, asker: Asker) -> bool:
        """Wait for the answer. Nobody, no time left, too many questions: no."""
        if self._closed or question.id in self._open or len(self._open) >= MOST_WAITING:
            return False
        entry = _Entry(kind, question, asker, self._clock)
        self._open[question.id] = entry
        self._tell(Asked(entry.shown()))
        outcome: Outcome = "withdrawn"
        try:
            async with asyncio.timeout(patience(question)):
                yes = await entry.answered
            outcome = "yes" if yes else "no"
            return yes
        except TimeoutError:
            outcome = "expired"
            return False
        finally:
            del self._open[question.id]
            self._tell(Settled(question.id, outcome))

    def waiting(self) -> tuple[Waiting, ...]:
        return tuple(entry.shown() for entry in self._open.values() if entry.is_open)

    def find(self, id: str) -> Waiting:
        return self._entry(id).shown()

    def asker_of(self, id: str) -> Asker:
        return self._entry(id).asker

    def answer(self, id: str, digest: str, words: str, by: str) -> bool:
        """Take an answer and say whether it was a yes. `by` is the channel that it came over."""
        entry = self._entry(id)
        if by == entry.asker.id:
            raise Refused("Who asked cannot answer.", next_step="A person answers elsewhere.")
        if not hmac.compare_digest(digest.encode(), entry.question.digest.encode()):
            raise ApprovalVoid(
                "This answers another question than the one that is open.",
                next_step="Look at it again and answer what it asks now.",
            )
        yes = is_done(words) if entry.kind == "hand_over" else is_yes(entry.question, words)
        entry.answered.set_result(yes)
        return yes

    def close(self) -> None:
        """Whoever still waits is told no, and nobody can ask any more."""
        self._closed = True
        for entry in self._open.values():
            if not entry.answered.done():
                entry.answered.set_result(False)

    def _entry(self, id: str) -> _Entry:
        entry = self._open.get(id)
        if entry is None or not entry.is_open:
            raise ApprovalVoid(
                "This question is not open: it was answered, withdrawn or is too old.",
                next_step="See what waits with `subterminator approve --list`.",
            )
        return entry


class _Entry:
    def __init__(self, kind: Kind, question: Question, asker: Asker, clock: Clock) -> None:
        self.kind = kind
        self.question = question
        self.asker = asker
        self.answered: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._clock = clock
        self._deadline = clock.deadline(patience(question))

    @property
    def is_open(self) -> bool:
        """A timer sleeps while the computer does; the deadline does not."""
        return not self.answered.done() and not self._deadline.passed(self._clock)

    def shown(self) -> Waiting:
        left = max(0.0, self._deadline.monotonic - self._clock.monotonic())
        return Waiting(self.kind, self.asker.id, self.question, left)


def patience(question: Question) -> float:
    """How long an answer is waited for, in seconds; never without end."""
    return min(question.seconds, LONGEST_WAIT) if question.seconds > 0 else LONGEST_WAIT


def is_done(words: str) -> bool:
    """Whether who was handed something over says that it is done."""
    return words.strip().casefold() in DONE

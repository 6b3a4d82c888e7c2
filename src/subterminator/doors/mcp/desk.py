"""What one client has here: a workplace, a call that waits for a person, a cancellation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from subterminator.agents.loop import question_of
from subterminator.config import Settings
from subterminator.doors.mcp import dialects
from subterminator.doors.mcp import wishes as w
from subterminator.doors.mcp.answers import Answer, of_data
from subterminator.doors.mcp.cancelling import NONE, Cancellation
from subterminator.doors.mcp.catalogue import DoAction
from subterminator.doors.mcp.jobs import Asks, Job
from subterminator.doors.mcp.workplace import Opener, Workplace
from subterminator.errors import InvalidParams, Refused
from subterminator.intake import name_of
from subterminator.safety.human import Human

# The person of a client: what hosts may show, and whoever else can answer.
PersonOf = Callable[[Asks], Human]
WAITS = (
    "PENDING: {title} waits for a person: {question}\n"
    "They answer in a terminal of their own with: subterminator approve {id}\n"
    "Tell them, then call request_approval without a question to get the result."
)
BUSY = "The call before this one still waits for a person ({title})."
# Two at once would each change what the other saw.
ONE_AT_A_TIME = "Another call is being done ({title}); this one was not."
AGAIN = "Call one tool at a time; browser_execute takes several steps."
NEXT = "Call request_approval without a question to wait for it."


class Desk:
    """Use `close` at the end."""

    def __init__(
        self, opener: Opener, person_of: PersonOf, settings: Settings, *, may_cancel: bool = True
    ) -> None:
        self.asks = Asks()
        self.settings = settings
        self._person_of = person_of
        self._may_cancel = may_cancel
        self.workplace = Workplace(opener, person_of(self.asks))
        self.pending: Job[Answer] | None = None
        self.cancellations: list[Cancellation] = []

    @property
    def cancelling(self) -> Job[Answer] | None:
        return self.cancellations[-1].job if self.cancellations else None

    def jobs(self) -> Iterator[Job[Answer]]:
        if self.pending:
            yield self.pending
        for cancellation in self.cancellations:
            yield cancellation.job

    async def close(self) -> None:
        for job in list(self.jobs()):
            await job.stop()
        await self.workplace.close()

    # Starting

    def start(self, wish: Any) -> Job[Answer]:
        """Begin what a call asks for. Raises where something is in the way."""
        if isinstance(wish, w.Cancel):
            return self._cancel(wish)
        if self.pending and not self.pending.is_over:
            if self.pending.asks.open:
                raise Refused(BUSY.format(title=self.pending.title), next_step=NEXT)
            raise Refused(ONE_AT_A_TIME.format(title=self.pending.title), next_step=AGAIN)
        before, self.pending = self.pending, None
        job = Job(self.asks, self._work(wish, before), _title(wish))
        self.pending = job
        return job

    async def _work(self, wish: Any, before: Job[Answer] | None) -> Answer:
        match wish:
            case w.Approval(question=question):
                answer = await self._ask(question)
            case dialects.Dialect():
                answer = await dialects.perform(self.workplace, wish)
            case _:
                answer = await self.workplace.perform(wish)
        return _after(before, answer)

    async def _ask(self, words: str) -> Answer:
        session = await self.workplace.session()
        yes = await self.workplace.human.approve(question_of(session, words))
        said = "yes" if yes else "no"
        return Answer(f"The person answers {said}. This permits no action by itself.")

    def _cancel(self, wish: w.Cancel) -> Job[Answer]:
        if not self._may_cancel:
            raise Refused("This caller may not begin a cancellation.")
        if self.cancelling and not self.cancelling.is_over:
            raise InvalidParams(
                f"{self.cancelling.title} is not over yet.", next_step="Call cancel_status."
            )
        asks = Asks()
        found = Cancellation(wish, self.settings, self._person_of(asks), asks)
        self.cancellations.append(found)
        return found.job

    # Ending

    def collect(self, job: Job[Answer]) -> Answer:
        """The result of a job that is over."""
        if job is self.pending:
            self.pending = None
        if job.task.cancelled():
            return Answer(f"{job.title} was stopped.", True)
        return job.task.result()

    def waiting(self, job: Job[Answer]) -> Answer:
        """What to say of a job that is not over when the call has to be answered."""
        for cancellation in self.cancellations:
            if cancellation.job is job:
                return cancellation.status()
        if ask := job.asks.open:
            return Answer(
                WAITS.format(title=job.title, question=ask.question, id=ask.question.id[:8])
            )
        return Answer(f"PENDING: {job.title} still runs. {NEXT}", True)

    def nothing_cancelled(self) -> Answer:
        return Answer(NONE, True)

    async def stop_cancelling(self) -> Answer:
        if self.cancelling is None:
            return self.nothing_cancelled()
        over = self.cancelling.is_over
        lines = len(self.cancelling.lines)
        await self.cancelling.stop()
        last = " ".join(self.cancelling.lines[lines:])
        said = "It was over already." if over else f"Stopped. {last}".rstrip()
        return of_data({"state": "done" if over else "stopped", "text": said})


def _title(wish: Any) -> str:
    match wish:
        case DoAction(action=action):
            return name_of(action)
        case dialects.Dialect(name=name):
            return name
        case _:
            return str(type(wish).__struct_config__.tag)


def _after(before: Job[Answer] | None, answer: Answer) -> Answer:
    """With the result that nobody has collected yet in front."""
    if before is None or before.task.cancelled():
        return answer
    earlier = before.task.result().text
    text = f"Meanwhile the call before this one has ended:\n{earlier}\n\nThis call:\n{answer.text}"
    return Answer(text, answer.failed, answer.data, answer.pictures)

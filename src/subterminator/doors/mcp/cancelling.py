"""A cancellation that was asked for over MCP: it runs beside the calls, which look in on it."""

from __future__ import annotations

from typing import Any

import msgspec

from subterminator.agents.outcome import Progress, TaskResult
from subterminator.cancellations import Errand, destination, run_cancellation
from subterminator.config import Settings
from subterminator.doors.mcp import wishes as w
from subterminator.doors.mcp.answers import Answer, of_data
from subterminator.doors.mcp.jobs import Asks, Job
from subterminator.errors import SubTerminatorError
from subterminator.machine import this_machine
from subterminator.packs import registry
from subterminator.safety.human import Human, Question
from subterminator.safety.verdict import FINAL
from subterminator.session import Session

LAST_LINES = 6
NONE = "No cancellation was begun here. Use cancel_subscription."


class _Rehearsal:
    """Walks to the final step and no further."""

    def __init__(self, person: Human) -> None:
        self._person = person

    async def approve(self, question: Question) -> bool:
        return question.effect not in FINAL and await self._person.approve(question)

    async def hand_over(self, question: Question) -> bool:
        return await self._person.hand_over(question)


class Cancellation:
    """One run. `job` is what calls wait for."""

    def __init__(self, wish: w.Cancel, settings: Settings, human: Human, asks: Asks) -> None:
        self.errand = Errand(service=wish.service, url=wish.url, dry_run=wish.dry_run)
        # What is wrong with it is said at once, not when somebody asks how it went.
        destination(self.errand, registry.load(this_machine()))
        self._settings = settings
        self._human = _Rehearsal(human) if wish.dry_run else human
        self.run = ""
        self.proof = ""
        name = wish.service or wish.url
        self.job: Job[Answer] = Job(asks, self._work(), f"cancelling {name}")

    async def _work(self) -> Answer:
        try:
            result = await run_cancellation(
                self.errand,
                human=self._human,
                settings=self._settings,
                tell=self._tell,
                begun=self._begun,
            )
        except SubTerminatorError as fault:
            return of_data(
                {"state": "failed", "outcome": "failed", "error": str(fault)}, failed=True
            )
        self.run, self.proof = result.run, result.proof
        return of_data(told(result), failed=result.outcome == "failed")

    def _tell(self, progress: Progress) -> None:
        self.job.tell(progress.text)

    def _begun(self, session: Session) -> None:
        self.run = session.record.id

    def status(self) -> Answer:
        """How far it is, while it goes on."""
        data: dict[str, Any] = {"state": "running", "steps": self.job.lines[-LAST_LINES:]}
        if ask := self.job.asks.open:
            data["state"] = "waiting for a person"
            data["question"] = str(ask.question)
            data["next_step"] = "They answer in a terminal of their own: subterminator approve"
        else:
            data["next_step"] = "Call cancel_status."
        return of_data(data)


def told(result: TaskResult) -> dict[str, Any]:
    """The end of a run for a model: what it came to, what shows it, what is left to do."""
    whole: dict[str, Any] = {
        "state": "done",
        "outcome": result.outcome,
        "success": result.success,
        "verified": result.verified,
        "service": result.service,
        "reason": result.error or result.reason,
        "before": msgspec.to_builtins(result.before),
        "after": msgspec.to_builtins(result.after),
        "evidence": [each.text for each in result.evidence],
        "steps": list(result.steps),
        "next_steps": list(result.next_steps),
        "proof": result.proof,
        "run": result.run,
    }
    kept = {
        key: {name: word for name, word in value.items() if word}
        if isinstance(value, dict) else value
        for key, value in whole.items()
    }  # fmt: skip
    return {key: value for key, value in kept.items() if value not in ("", [], {})}

"""The person's part of the gate: what is asked, what a yes is good for, what only they may do.

A yes is bound to what the browser showed, used once, and written down before the press.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from hashlib import sha256
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from subterminator.errors import HumanRejected, SubTerminatorError
from subterminator.runs import account
from subterminator.runs.events import Answered, Event, HandOver, LedgerMoved
from subterminator.runs.record import Record
from subterminator.safety.approval import Approval, Approvals, Proposal
from subterminator.safety.human import Human, Question, masked, question_for
from subterminator.safety.ledger import Claim, Key, Ledger, key_for
from subterminator.safety.limits import Counter
from subterminator.safety.verdict import FINAL, Verdict

Answer = Literal["yes", "no", "expired"]


class Patience(Struct, frozen=True):
    """How long a person may take, in seconds: to answer, and to do what only they may do."""

    answer: float
    hand_over: float


class Permit(Struct, frozen=True):
    """A yes that was given and not yet used."""

    approval: Approval
    claim: Claim | None


class Consent:
    """Asks on behalf of one session."""

    def __init__(
        self,
        human: Human,
        ledger: Ledger,
        record: Record,
        counter: Counter,
        patience: Patience,
    ) -> None:
        self._human = human
        self.ledger = ledger
        self._record = record
        self._counter = counter
        self._patience = patience
        self._approvals = Approvals(seconds=patience.answer)
        self._fired: list[Claim] = []
        self._evidence = ""

    # Asking

    async def ask(self, proposal: Proposal, verdict: Verdict, said: str) -> Permit:
        """A permit if the person says yes; an error otherwise."""
        question = self._approvals.propose(proposal, verdict, said)
        claim = None
        if verdict.effect in FINAL:
            # Before asking: nobody is asked about what was pressed already.
            key = key_for(proposal.task, verdict.effect, question.digest)
            claim = self._told(await asyncio.to_thread(self._propose, key))
        try:
            await self._await_yes(question, verdict)
            approval = self._approvals.grant(question.id)
        except SubTerminatorError as fault:
            # No, too late, or the person does it themselves: nothing is pressed by us.
            self._approvals.withdraw(question.id)
            self._revoke(claim, fault.code)
            raise
        if claim:
            claim = await asyncio.to_thread(self.ledger.approve, claim, approval.digest)
            self._told(claim)
        return Permit(approval, claim)

    def _propose(self, key: Key) -> Claim:
        evidence, self._evidence = self._evidence, ""
        return self.ledger.reopen(key, evidence) if evidence else self.ledger.propose(key)

    async def _await_yes(self, question: Question, verdict: Verdict) -> None:
        shown = masked(question, self._record.redactor)
        self._record.append_durably(account.asked(shown))
        try:
            answer = await self._within(self._patience.answer, self._human.approve(shown))
        except SubTerminatorError:
            self._record.append_durably(Answered(question.id, "no", digest=question.digest))
            raise
        words: Answer = "expired" if answer is None else "yes" if answer else "no"
        self._record.append_durably(Answered(question.id, words, digest=question.digest))
        if not answer:
            late = " Nobody answered in time." if answer is None else ""
            raise HumanRejected(
                f"Not approved: {verdict.reason}{late}",
                next_step="Do not try again; do something else.",
                rule=verdict.rule,
                effect=verdict.effect,
                **({"late": True} if answer is None else {}),
            )

    async def spend(
        self, permit: Permit, look_again: Callable[[], Awaitable[Proposal]], intent: Event
    ) -> Claim | None:
        """Use a permit up for what is there now; when this returns it is pressed, at once."""
        claim = permit.claim
        if claim:
            claim = self._told(await asyncio.to_thread(self.ledger.arm, claim))
        try:
            self._approvals.spend(permit.approval, await look_again())
            self._record.append_durably(intent)
        except SubTerminatorError as fault:
            self._revoke(claim, fault.code)
            raise
        return await self._fire(claim) if claim else None

    async def _fire(self, claim: Claim) -> Claim:
        fired = await asyncio.to_thread(self.ledger.fire, claim)
        self._fired.append(fired)
        try:
            self._told(fired)
        except SubTerminatorError:
            self._fired.remove(fired)
            self.ledger.doubt(fired, "not pressed: the record could not be written")
            raise
        return fired

    def reopen(self, evidence: str) -> None:
        """Something seen since the press shows it still open: the next question may be asked."""
        for claim in list(self._fired):
            self.doubt(claim, f"pressed, and still open: {evidence}")
        self._evidence = evidence

    def doubt(self, claim: Claim | None, reason: str) -> None:
        """It was pressed, or may have been, and nothing shows what came of it."""
        if claim in self._fired:
            self._fired.remove(claim)
            self._told(self.ledger.doubt(claim, reason), reason)

    def close(self) -> None:
        """What was pressed and never verified stays unknown."""
        for claim in list(self._fired):
            self.doubt(claim, "pressed; nobody has verified what came of it")

    @property
    def pressed(self) -> tuple[Claim, ...]:
        """What this session has pressed and nobody has verified yet."""
        return tuple(self._fired)

    async def confirm(self, claim: Claim, evidence: str) -> None:
        """Fresh evidence shows that it worked."""
        self._told(await asyncio.to_thread(self.ledger.confirm, claim, evidence), evidence)
        self._fired.remove(claim)

    # Handing over

    async def hand_over(
        self, proposal: Proposal, verdict: Verdict, gone: Coroutine[Any, Any, object]
    ) -> bool:
        """Whether it was done: the person says so, or what only they may do is no longer there."""
        question = masked(
            question_for(
                proposal.task, verdict, proposal.action, proposal.targets, proposal.situation
            ),
            self._record.redactor,
        )
        question = replace(question, seconds=self._patience.hand_over)
        begun = HandOver("begun", question.rule, question.id, question.host)
        self._record.append(begun)
        done = await self._within(
            self._patience.hand_over, self._until_done(self._human.hand_over(question), gone)
        )
        self._record.append(replace(begun, phase="ended", done=bool(done)))
        return bool(done)

    async def _until_done(
        self, says: Coroutine[Any, Any, bool], gone: Coroutine[Any, Any, object]
    ) -> bool:
        person, noticed = asyncio.ensure_future(says), asyncio.ensure_future(gone)
        try:
            await asyncio.wait({person, noticed}, return_when=asyncio.FIRST_COMPLETED)
            if noticed.done():
                noticed.result()
                return True
            return person.result()
        finally:
            person.cancel()
            noticed.cancel()
            await asyncio.gather(person, noticed, return_exceptions=True)

    async def _within(self, seconds: float, answer: Coroutine[Any, Any, bool]) -> bool | None:
        """None if it takes too long. Their time is theirs: it is not counted as the run's."""
        with self._counter.paused():
            try:
                async with asyncio.timeout(seconds):
                    return await answer
            except TimeoutError:
                return None

    # The ledger

    def _revoke(self, claim: Claim | None, reason: str) -> None:
        if claim:
            self._told(self.ledger.revoke(claim, f"not pressed: {reason}"), reason)

    def _told(self, claim: Claim, note: str = "") -> Claim:
        key = sha256(msgspec.json.encode(claim.key)).hexdigest()
        event = LedgerMoved(key, claim.state, claim.epoch, claim.digest, note)
        self._record.append_durably(event)
        return claim

"""Looks whether a subscription has ended, and presses nothing: the account page, loaded anew."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from subterminator import errors
from subterminator.agents import endings, facts
from subterminator.agents.album import Album, Illustrated
from subterminator.agents.endings import Ending
from subterminator.agents.languages import Reader
from subterminator.agents.loop import Looking
from subterminator.agents.moves import Reason
from subterminator.agents.outcome import After, Before, Outcome, Progress, TaskResult
from subterminator.agents.signing import hand_over
from subterminator.agents.stages import Context, Page
from subterminator.agents.verification import Finding, Verification
from subterminator.machine import this_machine
from subterminator.packs import registry
from subterminator.packs.model import Pack
from subterminator.safety.human import Human
from subterminator.session import Session

# A site may ask for a password and then for a code.
MOST_SIGN_INS = 3
SIGN_IN = "Please sign in in the browser window; it goes on by itself."


class Status(Struct, frozen=True):
    """What the account page came to, in an outcome and in words."""

    outcome: Outcome
    reason: Reason
    error: str | None = None
    verified: bool = False
    next_steps: tuple[str, ...] = ()


async def look(
    session: Session,
    pack: Pack,
    *,
    human: Human,
    tell: Callable[[Progress], None],
    start_url: str = "",
) -> TaskResult:
    """What the account page says. `already_cancelled` if it has ended, however that came about.

    `stopped` if not: nothing was pressed here, so nothing is claimed that a letter could be based
    on. Its reason is then `completed` if it runs, and `verification_failed` if nothing shows it.
    """
    visit = _Visit(session, pack, human, tell, start_url or next(iter(pack.start_urls), ""))
    try:
        await visit.arrive()
        return await visit.told()
    except errors.HandedOver as fault:
        return visit.end(Status("stopped", "human_rejected", str(fault)))
    except errors.SubTerminatorError as fault:
        return visit.end(Status("failed", "browser_error", str(fault)))


class _Visit:
    def __init__(
        self,
        session: Session,
        pack: Pack,
        human: Human,
        tell: Callable[[Progress], None],
        start: str,
    ) -> None:
        self._session = session
        self._pack = pack
        self._human = human
        self._tell = tell
        self._reader = Reader(pack, registry.load(this_machine()), Context())
        self._places = tuple(dict.fromkeys(filter(None, (pack.proof.recheck_url or "", start))))
        self._started = _now()
        self._page: Page | None = None

    async def arrive(self) -> None:
        """Be at the account page, signed in. The gate lets nothing be pressed in this stage."""
        self._session.enter("VERIFYING")
        self._tell(Progress("START", f"Opening {self._pack.names[0]} in your browser"))
        await self._session.navigate(self._places[0])
        for _ in range(MOST_SIGN_INS):
            page = await self._see()
            if page.reading.stage != "AUTH_REQUIRED":
                return
            self._tell(Progress("AUTH_REQUIRED", SIGN_IN))
            await hand_over(self._session, self._human, page)

    async def told(self) -> TaskResult:
        self._tell(Progress("VERIFYING", "Looks at the account page; presses nothing"))
        seen = Illustrated(Looking(self._session), Album(self._session), pressed=False)
        finding = await Verification(seen, self._reader, self._places).status()
        page = await self._see()
        if ending := _elsewhere(page, finding):
            evidence = (replace(each, fresh=True) for each in ending.evidence)
            finding = replace(finding, evidence=tuple(evidence))
            status = Status(ending.outcome, ending.reason, ending.text, False, ending.next_steps)
        else:
            status = _status(finding)
        return self.end(
            status, replace(finding, evidence=await seen.illustrate(finding.evidence)), page
        )

    async def _see(self) -> Page:
        self._page = self._reader.again(await self._session.snapshot())
        return self._page

    def end(
        self, status: Status, finding: Finding | None = None, page: Page | None = None
    ) -> TaskResult:
        session = self._session
        seen = session.last_snapshot
        active = page is not None and page.reading.stage == "ACCOUNT_ACTIVE"
        return TaskResult(
            success=status.verified,
            verified=status.verified,
            reason=status.reason,
            outcome=status.outcome,
            turns=0,
            final_url=seen.page.url if seen else None,
            error=status.error,
            service=session.task.service or self._pack.id,
            account_hint=facts.account_hint(page) if page else "",
            evidence=finding.evidence if finding else (),
            before=facts.before(page) if page and active else Before(),
            after=facts.after(page) if page and status.verified else After(),
            reference=finding.reference if finding else "",
            next_steps=status.next_steps,
            started=self._started,
            ended=_now(),
            pack_version=f"{self._pack.id} {self._pack.checked_on}",
            run=session.record.id,
        )


def _elsewhere(page: Page, finding: Finding) -> Ending | None:
    """Who else bills, or how else it is ended; unless the page shows how it stands."""
    if page.reading.stage != "OFF_SITE" or finding.kind == "cancelled":
        return None
    by_hand = page.reading.detail == "by_hand"
    return endings.by_hand(page) if by_hand else endings.elsewhere(page)


def _status(finding: Finding) -> Status:
    match finding.kind:
        case "cancelled":
            return Status("already_cancelled", "completed", None, True)
        case "pending":
            return Status("pending", "pending", finding.why)
        case "signed_out":
            return Status("stopped", "human_rejected", finding.why)
        case "lost" | "active":
            return Status("stopped", "completed", f"It is still running. {finding.why}")
        case _:
            return Status("stopped", "verification_failed", finding.why)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

"""One cancellation from end to end: pack, browser, session, planner, proof. Prints nothing."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from subterminator import app
from subterminator.agents.outcome import Progress, TaskResult
from subterminator.agents.proof import About, write_proof
from subterminator.config import Settings, load
from subterminator.errors import InvalidParams, SubTerminatorError
from subterminator.machine import this_machine
from subterminator.packs import registry
from subterminator.packs.model import Pack
from subterminator.packs.registry import Registry
from subterminator.packs.template import fill
from subterminator.runs.proofs import default_folder
from subterminator.runs.store import Store
from subterminator.safety.fence import Fence
from subterminator.safety.human import Human
from subterminator.safety.limits import Limits
from subterminator.safety.redact import Redactor
from subterminator.safety.rules import Tightening
from subterminator.safety.sites import host_of
from subterminator.safety.task import Task
from subterminator.session import Session

Tell = Callable[[Progress], None]
GOAL = "Cancel the subscription to {service}."
PRESSED = (
    "The last button was pressed before it was stopped. Look at the account page, or run it again: "
    "it looks first and presses nothing twice."
)


class Conduct(Protocol):
    """Leads a session until the subscription is cancelled, or until it is known why not."""

    def __call__(
        self,
        session: Session,
        pack: Pack,
        *,
        human: Human,
        limits: Limits,
        fence: Fence,
        tell: Tell,
        dry_run: bool = False,
        goal: str = "",
        start_url: str = "",
    ) -> Coroutine[Any, Any, TaskResult]: ...


class Errand(Struct, frozen=True, kw_only=True):
    """What to cancel, by its name or by the address of its account page.

    `dry_run`: the one who is asked will say no, and this no needs no proof.
    """

    service: str = ""
    url: str = ""
    goal: str = ""
    planner: str | Conduct = "heuristic"
    attach: str = ""
    dry_run: bool = False


class Destination(Struct, frozen=True):
    """Where an errand leads: what is known of the service, and where it may be acted on."""

    pack: Pack
    service: str
    start: str
    sites: tuple[str, ...]


def silent(_: object) -> None:
    """For who wants to be told nothing."""


async def cancel(
    *,
    human: Human,
    service: str = "",
    url: str = "",
    goal: str = "",
    planner: str | Conduct = "heuristic",
    settings: Settings | None = None,
    tell: Tell = silent,
) -> TaskResult:
    """Cancel a subscription and prove it.

    `service` is a name out of `subterminator services list`, `url` the account page of any other.
    `human` is asked before the last press and signs in; `tell` gets one line for each step.
    """
    errand = Errand(service=service, url=url, goal=goal, planner=planner)
    return await run_cancellation(
        errand, human=human, settings=settings or load(this_machine()), tell=tell
    )


async def run_cancellation(
    errand: Errand,
    *,
    human: Human,
    settings: Settings,
    tell: Tell = silent,
    begun: Callable[[Session], None] = silent,
) -> TaskResult:
    """The same with more to choose. `begun` is given the session as soon as there is one."""
    conduct = planner_of(errand.planner)
    packs = registry.load(this_machine())
    goes = destination(errand, packs)
    if not goes.start:
        return await asyncio.to_thread(_proven, by_hand(goes), goes, settings)
    goal = errand.goal or fill(goes.pack.goal or GOAL, {"service": goes.service})
    limits = Limits(turns=settings.max_turns)
    driver = await app.drive(settings, errand.attach)
    tightening = Tightening(never=packs.never_pressed(goes.pack.id))
    async with app.over(
        driver, human=human, settings=settings, task=_task(goes, goal), tightening=tightening
    ) as session:
        begun(session)
        try:
            result = await conduct(
                session,
                goes.pack,
                human=human,
                limits=limits,
                fence=Fence(),
                tell=tell,
                goal=goal,
                start_url=goes.start,
            )
        except asyncio.CancelledError:
            # Who stops it here must be told what can still be coming.
            if session.pressed:
                tell(Progress("VERIFYING", PRESSED))
            raise
    result = replace(
        result, service=result.service or goes.service, run=result.run or session.record.id
    )
    if errand.dry_run and result.outcome == "stopped":
        return result
    return await asyncio.to_thread(_proven, result, goes, settings, session.record.redactor)


def planner_of(planner: str | Conduct) -> Conduct:
    if not isinstance(planner, str):
        return planner
    if planner != "heuristic":
        raise InvalidParams(f"There is no planner {planner!r}.", next_step="Known: heuristic.")
    from subterminator.agents import cancellation

    return cancellation.cancel


# Where to


def destination(errand: Errand, packs: Registry) -> Destination:
    """What is meant, checked before any browser is started."""
    if errand.url:
        return _at(errand, packs)
    if not errand.service:
        raise InvalidParams(
            "There is nothing to cancel.",
            next_step="Name a service, or give a url; `subterminator services list` shows all.",
        )
    pack = packs.find(errand.service)
    start = pack.start_urls[0] if pack.start_urls else ""
    if not start and not pack.offline.how:
        raise InvalidParams(
            f"It is not known where {pack.names[0]} begins.",
            next_step="Give the address of its account page with --url.",
        )
    return Destination(pack, pack.id, start, pack.sites or (host_of(start),))


def _at(errand: Errand, packs: Registry) -> Destination:
    """An address goes before what a pack knows; a name that no pack has is only a name."""
    url, host = errand.url, host_of(errand.url)
    if not host:
        raise InvalidParams(
            f"{url[:200]!r} is not the address of a web page.",
            next_step="Give the address of the account page, with https://.",
        )
    known = _named(errand.service, packs) if errand.service else _of_host(url, packs)
    if known:
        return Destination(known, known.id, url, (*known.sites, host))
    name = errand.service or host.removeprefix("www.")
    return Destination(replace(packs.generic(), names=(name[:60],)), name, url, (host,))


def _named(service: str, packs: Registry) -> Pack | None:
    try:
        return packs.find(service)
    except InvalidParams:
        return None


def _of_host(url: str, packs: Registry) -> Pack | None:
    return next((pack for pack in packs.at(url) if pack.kind == "service"), None)


def by_hand(goes: Destination) -> TaskResult:
    """What the web cannot do needs no browser to find that out."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    offline = goes.pack.offline
    letter = fill(offline.letter, {"service": goes.pack.names[0]}) if offline.letter else ""
    return TaskResult(
        success=False,
        verified=False,
        reason="off_site",
        outcome="manual_required",
        turns=0,
        service=goes.service,
        next_steps=tuple(filter(None, (offline.how.strip(), letter))),
        started=now,
        ended=now,
    )


def _task(goes: Destination, goal: str) -> Task:
    return Task(
        secrets.token_hex(8),
        sites=tuple(dict.fromkeys(goes.sites)),
        purpose="cancel",
        service=goes.service,
        # One press for each: who comes back next month may cancel again.
        period=datetime.now(UTC).strftime("%Y-%m"),
        goal=goal,
    )


def _proven(
    result: TaskResult, goes: Destination, settings: Settings, redactor: Redactor | None = None
) -> TaskResult:
    """The result with its proof. What cannot be written changes nothing about what was done."""
    about = About(name=goes.pack.names[0], language=goes.pack.locales[0][:2], redactor=redactor)
    folder = Path(settings.output_dir) if settings.output_dir else default_folder(this_machine())
    store = Store(settings.state_dir) if result.run else None
    try:
        written = write_proof(result, folder=folder, store=store, about=about)
    except SubTerminatorError as fault:
        told = f"There is no proof: {fault.message} {fault.advice}".rstrip()
        return replace(result, next_steps=(*result.next_steps, told))
    return replace(result, proof=str(written))

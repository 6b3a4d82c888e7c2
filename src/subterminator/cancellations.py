"""One cancellation from end to end: pack, browser, session, planner, proof. Prints nothing."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from subterminator import app
from subterminator.agents.outcome import Progress, TaskResult
from subterminator.agents.proof import About, write_proof
from subterminator.config import Settings, load
from subterminator.engine.base import Line
from subterminator.errors import InvalidParams, SubTerminatorError
from subterminator.machine import this_machine
from subterminator.packs import registry
from subterminator.packs.model import Pack
from subterminator.packs.registry import Registry
from subterminator.packs.template import fill
from subterminator.runs.proofs import proof_folder
from subterminator.runs.store import Store
from subterminator.safety.fence import Fence
from subterminator.safety.human import Human, bare_address
from subterminator.safety.limits import USUAL_COST, Limits
from subterminator.safety.redact import Redactor
from subterminator.safety.rules import Tightening
from subterminator.safety.sites import host_of
from subterminator.safety.task import Task
from subterminator.session import Session

if TYPE_CHECKING:
    from subterminator.agents.guide import Planning
    from subterminator.agents.replay import Recorder

Tell = Callable[[Progress], None]
GOAL = "Cancel the subscription to {service}."
PRESSED = (
    "The last button was pressed before it was stopped. Look at the account page, or run it again: "
    "it looks first and presses nothing twice."
)


NO_SETTINGS = Settings()


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

    `subscription` says which one, where several are ended at the same place. `dry_run`: the one who
    is asked will say no, and this no needs no proof.
    """

    service: str = ""
    url: str = ""
    goal: str = ""
    subscription: str = ""
    planner: str | Conduct = ""
    attach: str | Line = ""
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
    planner: str | Conduct = "",
    settings: Settings | None = None,
    tell: Tell = silent,
) -> TaskResult:
    """Cancel a subscription and prove it.

    `service` is a name out of `subterminator services list`, `url` the account page of any other.
    `human` is asked before the last press and signs in; `tell` gets one line for each step.
    `planner` is `heuristic`, `auto`, `llm`, `team` or `replay`; the model is one of the settings.
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
    packs = registry.load(this_machine())
    goes = destination(errand, packs)
    conduct = planner_of(errand.planner, settings, goes.service)
    if not goes.start:
        return await asyncio.to_thread(_proven, by_hand(goes), settings, _about(goes))
    goal = errand.goal or fill(goes.pack.goal or GOAL, {"service": goes.service})
    limits = Limits(turns=settings.max_turns, cost=settings.max_cost or USUAL_COST)
    driver = await app.drive(settings, errand.attach)
    tightening = Tightening(never=packs.never_pressed(goes.pack.id))
    task = _task(goes, goal, errand.subscription)
    async with app.over(
        driver, human=human, settings=settings, task=task, tightening=tightening
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
    about = _about(goes, session.record.redactor)
    return await asyncio.to_thread(_proven, result, settings, about)


async def run_verification(
    errand: Errand,
    *,
    human: Human,
    settings: Settings,
    tell: Tell = silent,
    first: Path | None = None,
) -> TaskResult:
    """Look whether it has ended; nothing is pressed. `human` signs in where that is needed.

    What was seen is a proof of its own, put beside the one in the folder `first` if there is one.
    """
    from subterminator.agents import checking

    goes = destination(errand, registry.load(this_machine()))
    if not goes.start:
        return by_hand(goes)
    goal = f"Look whether the subscription to {goes.service} has ended. Press nothing."
    driver = await app.drive(settings, errand.attach)
    async with app.over(driver, human=human, settings=settings, task=_task(goes, goal)) as session:
        result = await checking.look(
            session, goes.pack, human=human, tell=tell, start_url=goes.start
        )
    if result.reason in ("human_rejected", "browser_error"):
        return result  # Nothing was seen that a proof could show.
    about = _about(goes, session.record.redactor, looked=True)
    return await asyncio.to_thread(_proven, result, settings, about, first)


def planner_of(
    planner: str | Conduct, settings: Settings = NO_SETTINGS, service: str = ""
) -> Conduct:
    """The one of that name, or of the settings; with its model, which has to be there."""
    if not isinstance(planner, str):
        return planner
    from subterminator.agents.planning import planning_of, wish_of

    wish = wish_of(planner or settings.planner, settings)
    environ = this_machine().environ
    plan = planning_of(wish, environ, state_dir=settings.state_dir, service=service)
    return _Led(wish.name, plan, settings.state_dir)


class _Led:
    """Implements `Conduct` with a planner by name. A way that a model found is written down."""

    def __init__(self, name: str, plan: Planning, state_dir: str) -> None:
        self._name = name
        self._plan = plan
        self._state_dir = state_dir

    async def __call__(self, session: Session, pack: Pack, **given: Any) -> TaskResult:
        from subterminator.agents import cancellation
        from subterminator.agents.planning import RECORDED
        from subterminator.agents.replay import Recorder

        recorder = Recorder(self._plan)
        result = await cancellation.cancel(session, pack, plan=recorder, **given)
        result = replace(result, planner=self._name)
        if result.outcome == "cancelled" and self._name in RECORDED and self._state_dir:
            await asyncio.to_thread(_keep_way, recorder, result, self._state_dir)
        return result


def _keep_way(recorder: Recorder, result: TaskResult, state_dir: str) -> None:
    """So that it can be gone again without a model. What cannot be kept changes nothing."""
    from subterminator.agents.replay import Way, file_of, save

    if steps := recorder.finished():
        way = Way(result.service, result.planner, result.ended, steps)
        try:
            save(way, file_of(state_dir, result.service))
        except (OSError, SubTerminatorError):
            return


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


def _task(goes: Destination, goal: str, subscription: str = "") -> Task:
    return Task(
        secrets.token_hex(8),
        sites=tuple(dict.fromkeys(goes.sites)),
        purpose="cancel",
        service=goes.service,
        subscription=subscription,
        # One press for each: who comes back next month may cancel again.
        period=datetime.now(UTC).strftime("%Y-%m"),
        goal=goal,
    )


def _about(goes: Destination, redactor: Redactor | None = None, *, looked: bool = False) -> About:
    language = goes.pack.locales[0][:2]
    is_nameless = goes.pack.kind == "generic"
    return About(
        name=goes.pack.names[0],
        language=language,
        redactor=redactor,
        looked=looked,
        address=bare_address(goes.start) if is_nameless else "",
    )


def _proven(
    result: TaskResult, settings: Settings, about: About, first: Path | None = None
) -> TaskResult:
    """The result with its proof. What cannot be written changes nothing about what was done."""
    folder = proof_folder(settings, this_machine())
    store = Store(settings.state_dir) if result.run else None
    try:
        written = write_proof(result, folder=folder, store=store, about=about, first=first)
    except SubTerminatorError as fault:
        told = f"There is no proof: {fault.message} {fault.advice}".rstrip()
        return replace(result, next_steps=(*result.next_steps, told))
    return replace(result, proof=str(written))

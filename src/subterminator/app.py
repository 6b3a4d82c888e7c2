"""Puts the parts together: settings, browser, charter, session."""

from __future__ import annotations

import asyncio
import http.client
import os
import platform
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from subterminator.config import Settings, load, private_folder
from subterminator.engine.base import Driver, Line
from subterminator.engine.browsers import candidates, locate
from subterminator.engine.cdp import Connection
from subterminator.engine.chromium import Chromium
from subterminator.engine.extended import Extended as Extended
from subterminator.engine.foreign import BINDING, PlaywrightMcp, Wish
from subterminator.engine.relay import Relay
from subterminator.engine.rooms import Rooms as Rooms
from subterminator.errors import BrowserClosed, BrowserMissing, InvalidParams
from subterminator.machine import Machine, this_machine
from subterminator.runs.account import told_task
from subterminator.runs.events import Note, Opened, Setting
from subterminator.runs.record import MemoryRecord, Record
from subterminator.runs.store import Store
from subterminator.safety.charter import Charter
from subterminator.safety.human import Human
from subterminator.safety.ledger import Ledger
from subterminator.safety.limits import Limits
from subterminator.safety.policy import Policy, RulePolicy
from subterminator.safety.rules import Tightening, load_rules
from subterminator.safety.scopes import Scopes
from subterminator.safety.task import Task
from subterminator.session import Session

PORT_SECONDS = 10
PLACES = frozenset({"browser", "profile_dir", "state_dir", "output_dir"})
# A program that drives a session itself decides how long and how often.
UNLIMITED = Limits(
    turns=None, seconds=None, cost=None, actions_per_minute=None, repeats=None, cycles=None
)

# A press counts for its month; what ended longer ago guards nothing any more.
PRESSES_KEPT_DAYS = 62
NOTHING_ADDED = Tightening()


class Terms(msgspec.Struct, frozen=True):
    """On what terms a session is had, where they are not those of a program's own.

    `watch` is given the record and gives the one to write to; many sessions may share a `policy`.
    """

    scopes: Scopes = Scopes.of(["privileged"])
    policy: Policy | None = None
    watch: Callable[[Record], Record] = lambda record: record


USUAL_TERMS = Terms()


@asynccontextmanager
async def open(
    url: str | None = None,
    *,
    human: Human,
    sites: Sequence[str] | None = None,
    headless: bool | None = None,
    profile_dir: str | Path | None = None,
    browser: str | None = None,
    attach: str | None = None,
    flags: Sequence[str] = (),
    settings: Settings | None = None,
) -> AsyncIterator[Session]:
    """A browser of our own, or with `attach` a tab in one that runs at that WebSocket address.

    `human` is who is asked before what cannot be undone; `subterminator.nobody` refuses. `sites`
    are the host names it may act on; without them it is that of the first address.
    """
    if settings and (headless is not None or profile_dir or browser or sites is not None):
        raise InvalidParams(
            "open takes settings, or sites, headless, profile_dir and browser, not both.",
            next_step="Put them into the settings.",
        )
    chosen = settings or load(this_machine(), {
        "headless": headless,
        "profile_dir": str(Path(profile_dir).expanduser().absolute()) if profile_dir else None,
        "browser": browser,
        "sites": list(sites) if sites is not None else None,
    })  # fmt: skip
    driver = await drive(chosen, attach, flags)
    async with over(driver, human=human, settings=chosen) as session:
        if url is not None:
            await session.navigate(url)
        yield session


@asynccontextmanager
async def over(
    driver: Driver,
    *,
    human: Human,
    settings: Settings,
    task: Task | None = None,
    tightening: Tightening = NOTHING_ADDED,
    terms: Terms = USUAL_TERMS,
) -> AsyncIterator[Session]:
    """A session over a browser that is there already; both end with the block."""
    async with AsyncExitStack() as ends:
        undo = await ends.enter_async_context(AsyncExitStack())
        undo.push_async_callback(driver.close)
        record = terms.watch(begin_record(settings, task.service if task else ""))
        ends.callback(record.close, "closed")
        ledger = Ledger(private_folder(settings.state_dir))
        ends.callback(ledger.close)
        ledger.forget(PRESSES_KEPT_DAYS)
        charter = Charter(
            task=task or Task(record.id or os.urandom(8).hex(), settings.sites),
            policy=terms.policy or RulePolicy(load_rules().tightened(tightening)),
            scopes=terms.scopes,
            limits=UNLIMITED,
        )
        _tell_opening(record, charter.task, settings, driver)
        session = Session(
            driver, human=human, charter=charter, ledger=ledger, record=record, settings=settings
        )
        undo.pop_all()
        ends.push_async_callback(session.close)
        yield session


def begin_record(settings: Settings, service: str = "") -> Record:
    return Store(settings.state_dir).create(service) if settings.record else MemoryRecord()


def _tell_opening(record: Record, task: Task, settings: Settings, driver: Driver) -> None:
    now = datetime.now().astimezone()
    offset = now.utcoffset()
    record.append(
        Opened(
            run=record.id,
            version=version("subterminator"),
            engine="playwright-mcp" if isinstance(driver, PlaywrightMcp) else "chromium",
            browser=driver.product if isinstance(driver, Chromium | PlaywrightMcp) else "",
            platform=platform.system(),
            python=platform.python_version(),
            timezone=now.tzname() or "",
            utc_offset_minutes=int(offset.total_seconds() // 60) if offset else 0,
            task=told_task(task),
            settings=tuple(_chosen(settings)),
        )
    )
    if isinstance(driver, PlaywrightMcp):
        record.append(Note(BINDING))


def _chosen(settings: Settings) -> Iterator[Setting]:
    """What is not as usual. Where things lie on the disk tells more of the user than of the run."""
    for field in msgspec.structs.fields(Settings):
        value = getattr(settings, field.name)
        if value != field.default and field.name not in PLACES:
            yield Setting(field.name, str(value))


async def drive(
    settings: Settings, attach: str | Line | None = None, flags: Sequence[str] = ()
) -> Driver:
    """Start a browser as the settings want it, or join one: at an address, or over a line."""
    if settings.engine == "playwright-mcp":
        return await _drive_foreign(settings, attached=bool(attach), flags=flags)
    if attach is not None and not isinstance(attach, str):
        return await Chromium(Connection(Relay(attach)), None).attach()
    if attach:
        return await Chromium.connect(await asyncio.to_thread(_end_of, attach))
    found = locate(this_machine(), settings.browser)
    return await Chromium.start(
        found.path,
        headless=settings.headless,
        profile_dir=Path(settings.profile_dir) if settings.profile_dir else None,
        window=(settings.viewport_width, settings.viewport_height),
        flags=flags,
    )


async def _drive_foreign(
    settings: Settings, *, attached: bool, flags: Sequence[str]
) -> PlaywrightMcp:
    if attached or flags:
        raise InvalidParams(
            "The playwright-mcp engine starts a browser of its own, without flags.",
            next_step="Leave out --attach, or leave out --engine.",
        )
    machine = this_machine()
    wish = Wish(
        browser=locate(machine, settings.browser).path,
        headless=settings.headless,
        profile_dir=settings.profile_dir,
        window=(settings.viewport_width, settings.viewport_height),
    )
    return await PlaywrightMcp.start(machine, wish)


async def share(settings: Settings, flags: Sequence[str] = ()) -> Rooms:
    """A browser for many sessions, each in a room of its own."""
    if settings.engine != "chromium":
        raise InvalidParams(
            f"A browser that is shared cannot be driven by {settings.engine}.",
            next_step="Leave the setting `engine` out.",
        )
    return await Rooms.start(
        locate(this_machine(), settings.browser).path,
        headless=settings.headless,
        window=(settings.viewport_width, settings.viewport_height),
        flags=flags,
    )


async def extended(settings: Settings, extension: Path, flags: Sequence[str] = ()) -> Extended:
    """A browser of our own that has our extension, to practise with: a stand-in for a user's."""
    return await Extended.start(
        locate(this_machine(), settings.browser).path,
        extension,
        headless=settings.headless,
        window=(settings.viewport_width, settings.viewport_height),
        flags=flags,
    )


def chromium_of(machine: Machine) -> str:
    """The path of an installed Chromium, where Chrome or another one would be preferred."""
    for browser in candidates(machine):
        if browser.name == "Chromium":
            return browser.path
    raise BrowserMissing("No Chromium was found on this machine.")


def _end_of(address: str) -> str:
    """The WebSocket of the browser behind a debugging port, which is often given as http://..."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https"):
        return address
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.netloc, timeout=PORT_SECONDS)
    try:
        connection.request("GET", "/json/version")
        answer = msgspec.json.decode(connection.getresponse().read(), type=dict[str, str])
        return answer["webSocketDebuggerUrl"]
    except (OSError, http.client.HTTPException, msgspec.DecodeError, KeyError) as fault:
        raise BrowserClosed(
            f"No browser answers at {address}.",
            next_step="Start it with --remote-debugging-port and give its address.",
        ) from fault
    finally:
        connection.close()

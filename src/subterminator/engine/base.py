"""What a session needs of a browser, whichever engine drives it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from msgspec import Raw, Struct

from subterminator.actions import AtomicAction
from subterminator.chores import Chore
from subterminator.errors import ActionFailed, Refused
from subterminator.page.snapshot import Snapshot, View
from subterminator.signals import Listener
from subterminator.targets import AnySelector
from subterminator.types import DialogInfo, Happened, PageInfo, Resolved

# Raises what keeps an element from being pressed that the action itself did not name.
Judge = Callable[[Resolved], Awaitable[None]]


async def unjudged(element: Resolved) -> None:
    """Where nobody judges, nothing is pressed."""
    raise Refused(
        f"{element.ref} {element.role} {element.name[:80]!r} was judged by nobody.",
        next_step="Click it by itself.",
    )


class LineFault(ActionFailed):
    """The far end of a line has refused a request."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message, cdp_code=code)
        self.code_there = code


class LineCommand(Struct, frozen=True):
    """A command of the browser's protocol, for one tab or, by its session, for a frame in it."""

    tab: int
    session: str
    method: str
    params: Raw


class Line(Protocol):
    """The user's own browser, at the far end of our extension."""

    @property
    def product(self) -> str:
        """Its name and version, as the browser would say them."""
        ...

    @property
    def hand(self) -> str:
        """What carries commands out there: `debugger`, or `content` for content scripts."""
        ...

    def post(self, kind: str, data: object) -> asyncio.Future[Raw]:
        """Ask for something, once; a refusal is a LineFault."""
        ...

    def listen(self, hear: Callable[[str, Raw], None], lost: Callable[[str], None]) -> None:
        """What it tells by itself, and that it has ended."""
        ...

    async def close(self) -> None: ...


class Performed(Struct, frozen=True):
    """What came of an action: what it set off, the page afterwards, and what was asked for."""

    happened: Happened
    snapshot: Snapshot | None = None
    value: Any = None
    note: str = ""


class Driver(Protocol):
    """All an engine has to offer."""

    @property
    def page(self) -> PageInfo:
        """Where the tab in use is now, as the browser itself reports it."""
        ...

    @property
    def dialog(self) -> DialogInfo | None:
        """The native dialog that is open now, whoever or whatever opened it."""
        ...

    def allow(self, sites: tuple[str, ...]) -> None:
        """The page may move the tab to these hosts only, from the next command on.

        With none nothing is restricted.
        """
        ...

    async def resolve(self, selector: AnySelector, seconds: float) -> Resolved:
        """The one element meant; waits for it at most the time given.

        Raises what is wrong with it.
        """
        ...

    async def owner(self, target: Resolved) -> Resolved | None:
        """The control that a press on this would press, if it is only a part of one."""
        ...

    async def handlers(self, target: Resolved) -> str:
        """A digest of the scripts that listen to it; another one after they were changed."""
        ...

    async def perform(
        self,
        action: AtomicAction,
        targets: Sequence[Resolved],
        seconds: float,
        judge: Judge = unjudged,
        *,
        brief: bool = False,
    ) -> Performed:
        """Do it once. Nothing that may have reached the page is ever repeated.

        `brief`: where it set nothing off, the page is neither waited for nor looked at.
        """
        ...

    async def chore(self, chore: Chore, targets: Sequence[Resolved]) -> Any:
        """Do something to the browser itself, and give what was asked for."""
        ...

    def listen(self, listener: Listener | None) -> None:
        """Tell this one what the browser says by itself; None ends it."""
        ...

    async def gone(self, target: Resolved) -> None:
        """Return when this element is no longer there or shown; nothing else is read meanwhile."""
        ...

    async def observe(self, view: View, seconds: float) -> Snapshot: ...

    async def close(self) -> None: ...

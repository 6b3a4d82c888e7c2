"""What a session needs of a browser, whichever engine drives it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from msgspec import Struct

from subterminator.actions import AtomicAction
from subterminator.page.snapshot import Snapshot, View
from subterminator.targets import AnySelector
from subterminator.types import DialogInfo, Happened, PageInfo, Resolved


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

    async def resolve(self, selector: AnySelector, seconds: float) -> Resolved:
        """The one element meant; waits for it at most the time given.

        Raises what is wrong with it.
        """
        ...

    async def perform(
        self, action: AtomicAction, targets: Sequence[Resolved], seconds: float
    ) -> Performed:
        """Do it once. Nothing that may have reached the page is ever repeated."""
        ...

    async def observe(self, view: View, seconds: float) -> Snapshot: ...

    async def close(self) -> None: ...

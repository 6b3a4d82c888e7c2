"""Pictures of a run, for its proof: taken through the gate, kept with the record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from subterminator import errors
from subterminator.actions import Action, Navigate, Reload
from subterminator.agents.outcome import Evidence
from subterminator.intake import parse_action
from subterminator.result import Result
from subterminator.session import Session
from subterminator.verbs import Verbs


class Album:
    """Takes pictures and says by which digest the record keeps them.

    Without a record nothing would be kept, so nothing is taken.
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    async def take(self, what: str) -> str:
        """The digest of a picture of what is in view; empty where none can be taken."""
        record = self._session.record
        if not record.id or self._session.open_dialog:
            return ""
        try:
            return record.keep(await self._session.screenshot(masked=True), "image/png", what)
        except errors.BrowserClosed:
            raise
        except errors.SubTerminatorError:
            # A page that cannot be pictured can be read all the same, and words prove more.
            return ""


class Illustrated(Verbs):
    """What verification looks through: the page of the press is pictured before it is left."""

    def __init__(self, look: Verbs, album: Album, *, pressed: bool) -> None:
        self._look = look
        self._album = album
        self._is_first = pressed
        self._pressed = ""

    async def call(self, action: Action | dict[str, Any] | bytes | str) -> Result:
        checked = parse_action(action)
        if self._is_first and isinstance(checked, Navigate | Reload):
            self._is_first = False
            self._pressed = await self._album.take("the page after the last press")
        return await self._look.call(checked)

    async def illustrate(self, evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
        """Each with the picture of the page it was read on."""
        shown = tuple(evidence)
        fresh = ""
        if any(each.fresh for each in shown):
            fresh = await self._album.take("the account page, loaded anew")
        return tuple(
            replace(each, picture=fresh if each.fresh else self._pressed) for each in shown
        )

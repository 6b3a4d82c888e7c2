"""What a model is shown of an observation: our words, then the page's inside the fence."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from subterminator import actions as a
from subterminator.agents.guide import Desk
from subterminator.agents.history import Seen
from subterminator.agents.models.base import Picture
from subterminator.agents.moves import Observation
from subterminator.agents.tools import error_code
from subterminator.errors import SubTerminatorError
from subterminator.page.phrases import quote
from subterminator.page.snapshot import Snapshot
from subterminator.types import Picture as Shot

# Tokens for what is different, and for a whole page.
CHANGES, WHOLE = 300, 8_000


class Showing:
    """Remembers which page the model knows, so that it is told the difference to that one."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._known: Snapshot | None = None

    def forget(self) -> None:
        """The page has left the model's memory: the next look is a whole one."""
        self._known = None

    def know(self, snapshot: Snapshot | None) -> None:
        """The model is told of this page in other words: from here on only differences matter."""
        self._known = snapshot

    def show(self, seen: Observation, asked: a.Action | None = None) -> Seen:
        """`asked` is the action that the model itself asked for and this answers."""
        facts = _facts(seen)
        page, is_whole = self._page(seen, asked)
        url = seen.snapshot.page.url if seen.snapshot else ""
        words = [_said_of(seen.error) if seen.error else seen.said]
        # What was done to what quotes the page, so it stays inside the fence.
        words.append(self._desk.show(facts, url))
        return Seen(
            "\n".join(filter(None, words)),
            self._desk.show(page, url),
            is_whole,
            seen.error is not None,
            tuple(_pictures(seen)),
        )

    def _page(self, seen: Observation, asked: a.Action | None) -> tuple[str, bool]:
        snapshot = seen.snapshot
        if snapshot is None or seen.dialog:
            return "", False
        if isinstance(asked, a.TakeSnapshot) and seen.result and seen.result.snapshot:
            return self._asked_for(snapshot, seen.result.snapshot)
        known, self._known = self._known, snapshot
        if known is None:
            return snapshot.text(WHOLE), True
        changes = snapshot.changes_since(known)
        return changes.text(CHANGES, WHOLE), changes.is_whole

    def _asked_for(self, snapshot: Snapshot, shown: Snapshot) -> tuple[str, bool]:
        """A part of the page is told as it is; only a whole one replaces what is known."""
        is_whole = shown.elements == snapshot.elements
        if is_whole:
            self._known = snapshot
        return shown.text(WHOLE), is_whole


def _said_of(fault: SubTerminatorError) -> str:
    """The code that a model knows, and our own where it says more."""
    code = error_code(fault)
    own = "" if code == fault.code else f" ({fault.code})"
    return f"error: {code}{own}"


def _facts(seen: Observation) -> str:
    """What was done, what it set off, what was asked for, what went wrong; not the page itself."""
    lines = []
    if seen.error is not None:
        lines.append(str(seen.error))
    if seen.result is not None:
        lines.append(replace(seen.result, before=None).text())
    if seen.dialog and not (seen.result and seen.result.happened.dialog):
        words = quote(seen.dialog.message)
        lines.append(f"{seen.dialog.kind} dialog OPEN: {words} - answer it with browser_dialog")
    return "\n".join(lines)


def _pictures(seen: Observation) -> list[Picture]:
    value = seen.result.value if seen.result else None
    if not isinstance(value, Shot):
        return []
    kind: Literal["image/png", "image/jpeg"] = (
        "image/jpeg" if value.format == "jpeg" else "image/png"
    )
    return [Picture(value.data, kind)]

"""Decides whether an action may run. Pure: no clock, no browser, no I/O."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol
from urllib.parse import urlsplit

from msgspec import Struct

from subterminator import actions as a
from subterminator.actions import (
    AtomicAction,
    Clear,
    Dialog,
    Fill,
    Navigate,
    OpenTab,
    Press,
    Type,
    Upload,
)
from subterminator.keys import writes
from subterminator.types import DialogInfo, PageInfo, Resolved

OPEN_SCHEMES = {"http", "https"}
BLANK = "about:blank"
# What is done without asking unless a rule says otherwise. A new action is refused until it is
# named here.
ALLOWED = (
    a.Back, a.Forward, a.Reload, a.Click, a.Hover, a.Fill, a.Clear, a.Type, a.Press, a.Select,
    a.Check, a.Uncheck, a.Scroll, a.Drag, a.Upload, a.Wait, a.TakeSnapshot, a.Find, a.ReadText,
    a.Screenshot, a.ListTabs, a.SelectTab, a.CloseTab, a.ListFrames, a.SelectFrame, a.Dialog,
)  # fmt: skip


class Verdict(Struct, frozen=True):
    """The answer, the rule that gave it and why."""

    kind: Literal["allow", "ask", "hand_over", "deny"]
    rule: str
    reason: str = ""


class Situation(Struct, frozen=True):
    """Where an action would happen: the page as the browser reports it."""

    page: PageInfo
    dialog: DialogInfo | None = None


class Policy(Protocol):
    """A pure function from what would be done, to what and where, to a verdict."""

    def decide(
        self, action: AtomicAction, targets: Sequence[Resolved], situation: Situation
    ) -> Verdict: ...


class EnginePolicy:
    """What holds for every session whatever its task: addresses, secrets, dialogs, files."""

    def decide(
        self, action: AtomicAction, targets: Sequence[Resolved], situation: Situation
    ) -> Verdict:
        match action:
            case Navigate(url=url) | OpenTab(url=url):
                return _judge_address(url)
            case Press(key=key) if not writes(key):
                return Verdict("allow", "key-without-text")
            case Fill() | Clear() | Type() | Press() if any(t.is_secret for t in targets):
                kind = targets[0].facts.secret or "secret"
                return Verdict(
                    "hand_over", "secret-field", f"Only you may type into a {kind} field."
                )
            case Dialog(accept=True) if situation.dialog:
                words = situation.dialog.message[:300]
                return Verdict("ask", "native-dialog", f"The page asks: {words!r}")
            case Upload(files=files) if any(isinstance(file, str) for file in files):
                names = ", ".join(file for file in files if isinstance(file, str))
                return Verdict("ask", "upload-from-disk", f"It would give the page: {names}")
            case _ if isinstance(action, ALLOWED):
                return Verdict("allow", "default")
            case _:
                return Verdict("deny", "unknown-action", "No rule knows this action.")


def _judge_address(url: str) -> Verdict:
    if url == BLANK:
        return Verdict("allow", "blank-page")
    parts = urlsplit(url.strip())
    if parts.scheme.lower() not in OPEN_SCHEMES or not parts.hostname:
        return Verdict(
            "deny", "address-scheme", f"{url[:100]!r} is not an http or https address with a host."
        )
    return Verdict("allow", "web-address")

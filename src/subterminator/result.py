"""What an action answers: what was hit, where the page is, what changed, what still moves."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from subterminator.errors import SubTerminatorError
from subterminator.page.changes import Changes
from subterminator.page.phrases import quote
from subterminator.page.snapshot import Snapshot
from subterminator.types import Happened, PageInfo, Resolved


class Result(Struct, frozen=True):
    """The reply to one action.

    `snapshot` is None while a native dialog hides the page; `before` is the page as the last reply
    showed it.
    """

    action: str
    page: PageInfo
    target: Resolved | None = None
    happened: Happened = Happened()
    snapshot: Snapshot | None = None
    before: Snapshot | None = None
    value: Any = None
    note: str = ""

    @property
    def changes(self) -> Changes | None:
        """What is different from the page before, if both can be seen."""
        return self.snapshot.changes_since(self.before) if self.snapshot and self.before else None

    def text(self, budget: int = 300) -> str:
        """The reply for a model: facts first, then what changed, within a token budget."""
        lines = [self._headline()]
        if self.target and self.target.twin_of:
            lines.append(
                f"note: {self.target.twin_of} was drawn anew; its equal {self.target.ref} was used"
            )
        if self.note:
            lines.append(f"note: {self.note}")
        lines += _tell(self.happened)
        if changes := self.changes:
            lines.append(changes.text(budget))
        return "\n".join(lines)

    def _headline(self) -> str:
        hit = (
            f" {self.target.ref} {self.target.role} {quote(self.target.name)}"
            if self.target
            else ""
        )
        return f"{self.action}{hit}: done. Page: {quote(self.page.title)} {self.page.url}"


def _tell(happened: Happened) -> list[str]:
    lines = [f"went to {n.url}" for n in happened.navigations if n.main_frame][-3:]
    for dialog in happened.dialogs[:5]:
        lines.append(f"{dialog.kind} dialog {dialog.answer}: {quote(dialog.message)}")
    if len(happened.dialogs) > 5:
        lines.append(f"... {len(happened.dialogs)} dialogs in all")
    if happened.dialog:
        words = quote(happened.dialog.message)
        lines.append(f"{happened.dialog.kind} dialog OPEN: {words} - answer it with dialog")
    lines += [f"new tab {t.id}: {quote(t.title)} {t.url}" for t in happened.new_tabs]
    if happened.refused_tabs:
        lines.append(f"{happened.refused_tabs} more tabs were not let open: there are too many")
    lines += [f"tab closed: {label}" for label in happened.closed_tabs]
    lines += [f"download {d.state}: {quote(d.name)} {d.path}" for d in happened.downloads]
    if happened.file_chooser:
        lines.append("the page asks for a file: use upload on its file field")
    if happened.settled == "busy":
        waiting = ", ".join(happened.pending) or "the page keeps changing"
        lines.append(f"not settled: {waiting}")
    return lines


class StepResult(Struct, frozen=True, omit_defaults=True):
    """One step of a sequence."""

    step: int
    success: bool
    duration_ms: int
    label: str = ""
    result: Result | None = None
    error: SubTerminatorError | None = None
    retries: int = 0


class ExecuteResult(Struct, frozen=True, omit_defaults=True):
    """A sequence: `failed_at` is the step that ended it."""

    completed: int
    total: int
    success: bool
    results: tuple[StepResult, ...]
    duration_ms: int
    failed_at: int | None = None

    def text(self) -> str:
        """Failure first, then the steps by number."""
        ok = f"all {self.total} steps done"
        failed = f"FAILED: {self.completed} of {self.total} steps done"
        if self.failed_at is not None:
            failed += f", stopped at step {self.failed_at + 1}"
        lines = [ok if self.success else failed]
        for step in self.results:
            words = "ok" if step.success else f"error {step.error}"
            label = f" ({step.label})" if step.label else ""
            lines.append(f"{step.step + 1}{label}: {words}")
        return "\n".join(lines)

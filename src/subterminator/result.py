"""What an action answers: what was hit, where the page is, what changed, what still moves."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from subterminator.errors import SubTerminatorError
from subterminator.page.changes import Changes
from subterminator.page.find import Match
from subterminator.page.phrases import noun, quote
from subterminator.page.snapshot import Snapshot
from subterminator.types import Download, FrameInfo, Happened, PageInfo, Picture, Resolved, TabInfo

MAX_FAILURES = 5


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
        # The headline says where the page is now; on the way there are only stations.
        lines += [line for line in self.remarks() if line != f"went to {self.page.url}"]
        lines += _tell_value(self.value)
        if changes := self.changes:
            lines.append(changes.text(budget))
        return "\n".join(lines)

    def remarks(self) -> list[str]:
        """What there is to say beside the page itself: notes, and what the action set off."""
        notes = [f"note: {self.note}"] if self.note else []
        if self.target and self.target.twin_of:
            twin = f"{self.target.twin_of} was drawn anew; its equal {self.target.ref} was used"
            notes.insert(0, f"note: {twin}")
        return notes + _tell(self.happened)

    def hit(self) -> str:
        """The action and what it was done to."""
        if self.target is None:
            return self.action
        return f"{self.action} {self.target.ref} {noun(self.target.role)} {quote(self.target.name)}"

    def _headline(self) -> str:
        page = f"Page: {quote(self.page.title)} {self.page.url}"
        if isinstance(self.value, ExecuteResult):
            return f"{self.value.text()}\n{page}"
        return f"{self.hit()}: done. {page}"


def _tell_value(value: Any) -> list[str]:
    """What was asked for, as far as words can give it."""
    match value:
        case Picture(data=data, format=format, width=width, height=height):
            return [f"{format} picture, {width} x {height} pixels, {len(data)} bytes"]
        case {"text": str(text), "total": int(total)}:
            cut = f", cut to {len(text)}" if total > len(text) else ""
            return [f"text, {total} characters{cut}:", *_quoted(text)]
        case {"x": x, "y": y, "max_x": most_x, "max_y": most_y}:
            return [f"scrolled to {x},{y} of {most_x},{most_y}"]
        case [*items]:
            return [_tell_item(item) for item in items] or ["nothing found"]
        case _:
            return []


def _quoted(text: str) -> list[str]:
    return [quote(line, len(line)) for line in text.splitlines() if line.strip()]


def _tell_item(item: object) -> str:
    match item:
        case Match(ref=ref, score=score, role=role, name=name, context=context):
            place = f" in {quote(context)}" if context else ""
            return f"{ref} {role} {quote(name)}{place}, fits {score:.0%}"
        case TabInfo(id=label, url=url, title=title, current=current):
            return f"tab {label}{' (current)' if current else ''}: {quote(title)} {url}"
        case FrameInfo(index=index, name=name, url=url, accessible=accessible, reason=reason):
            trouble = "" if accessible else f", cannot be read: {reason}"
            return f"frame {index} {quote(name)}: {url}{trouble}"
        case _:
            return quote(str(item))


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
    lines += [
        f"the page was kept from {url}: not one of the task's sites; navigate there to ask for it"
        for url in happened.blocked
    ]
    lines += [f"tab closed: {label}" for label in happened.closed_tabs]
    lines += [_download_line(download) for download in happened.downloads]
    if happened.file_chooser:
        lines.append("the page asks for a file: use upload on its file field")
    if happened.settled == "busy" and not happened.dialog:
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

    def title(self) -> str:
        return f"step {self.step + 1}" + (f" ({self.label})" if self.label else "")

    def text(self) -> str:
        again = f" after {self.retries} retries" if self.retries else ""
        label = f" ({self.label})" if self.label else ""
        if self.result is None:
            return f"{self.step + 1}{label}: failed{again}, see above"
        words = "; ".join([self.result.hit(), *self.result.remarks()])
        return f"{self.step + 1}{label}: ok{again}: {words}"


class ExecuteResult(Struct, frozen=True, omit_defaults=True):
    """A sequence: `failed_at` is the step that ended it."""

    completed: int
    total: int
    success: bool
    results: tuple[StepResult, ...]
    duration_ms: int
    failed_at: int | None = None

    def text(self) -> str:
        """Failure first, then every step by number."""
        if self.success:
            head = [f"all {self.total} steps done"]
        else:
            failed = [step for step in self.results if step.error]
            head = [f"FAILED {step.title()}: {step.error}" for step in failed[:MAX_FAILURES]]
            stopped = "" if self.failed_at is None else f"; stopped at step {self.failed_at + 1}"
            head.append(f"{self.completed} of {self.total} steps done{stopped}")
        left = [f"{n + 1}: not run" for n in range(len(self.results), self.total)]
        return "\n".join([*head, *(step.text() for step in self.results), *left])


def _download_line(download: Download) -> str:
    """In a user's own browser only the user knows where files go."""
    unknown = "where your browser saves files" if download.state == "completed" else ""
    return f"download {download.state}: {quote(download.name)} {download.path or unknown}"

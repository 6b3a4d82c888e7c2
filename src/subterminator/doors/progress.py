"""What a cancellation says while it goes on and at its end: lines for a person, or JSON.

One line for each step. In plain form words say what colours say otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple, Protocol

import msgspec
from msgspec import Struct

from subterminator.agents.moves import Reason
from subterminator.agents.outcome import Outcome, Progress, Stage, TaskResult
from subterminator.doors.device import printable
from subterminator.queues import Entry
from subterminator.runs.chain import Line
from subterminator.runs.sentences import sentence
from subterminator.safety.human import Question

PARTS = 4
# Four parts are enough to know how far it is: looking, on the way, the last step, checking.
PART: dict[Stage, int] = {
    "START": 1,
    "AUTH_REQUIRED": 1,
    "ACCOUNT_ACTIVE": 1,
    "ALREADY_CANCELLED": 1,
    "OFF_SITE": 1,
    "UNKNOWN": 2,
    "RETENTION_OFFER": 2,
    "EXIT_SURVEY": 2,
    "FINAL_CONFIRMATION": 3,
    "VERIFYING": 4,
    "COMPLETE": 4,
}
Tone = Literal["good", "warning", "bad", "bold", "dim", ""]
COLOURS: dict[Tone, str] = {
    "good": "1;32",
    "warning": "1;33",
    "bad": "1;31",
    "bold": "1",
    "dim": "2",
}
WORDS: dict[Tone, str] = {"warning": "WARNING: ", "bad": "ERROR: "}

SAYS = "It says: "
CODE = re.compile(r"^[a-z]+(?:_[a-z]+)*: ")

ENDS: dict[Outcome, tuple[Tone, str]] = {
    "cancelled": ("good", "Cancelled, and the account page shows it."),
    "already_cancelled": ("good", "Nothing to do: it was cancelled before."),
    "pending": ("warning", "Not finished: the service waits for you to confirm it."),
    "unverified": (
        "warning",
        "Not proven: the last button was pressed, but nothing shows yet that it worked.",
    ),
    "third_party": ("warning", "Not cancelled: somebody else bills it, and it is ended there."),
    "manual_required": ("warning", "Not cancelled: this cannot be done on the web."),
    "stopped": ("warning", "Stopped. Nothing was cancelled."),
    "failed": ("bad", "It failed."),
}


# The same where nothing was to be pressed.
LOOKED: dict[tuple[Outcome, Reason], tuple[Tone, str]] = {
    ("already_cancelled", "completed"): ("good", "It has ended: the account page shows it."),
    ("stopped", "completed"): ("warning", "It is still running."),
    ("stopped", "verification_failed"): ("warning", "Nothing shows whether it has ended."),
    ("stopped", "human_rejected"): ("warning", "Stopped: nobody has signed in."),
}


class Ending(Struct, frozen=True, kw_only=True):
    """How a run ended, for the screen.

    `needed` is what a person was needed for who was not there, `said` what came with their no.
    `approval` is the file that a dry run left, `unapproved` why it left none.
    `looked`: nothing was to be pressed, only looked at.
    """

    result: TaskResult
    exit_code: int
    needed: str = ""
    said: str = ""
    rehearsed: bool = False
    approval: str = ""
    unapproved: str = ""
    looked: bool = False


class Voice(Protocol):
    """Where a run is told to."""

    def tell(self, progress: Progress) -> None: ...
    def asked(self, question: Question) -> None: ...
    def note(self, text: str) -> None: ...
    def wrote(self, what: str, path: str) -> None: ...
    def heading(self, text: str) -> None: ...
    def sum_up(self, text: str, lines: Sequence[str], entries: Sequence[Entry]) -> None: ...
    def recorded(self, line: Line) -> None: ...
    def end(self, ending: Ending) -> None: ...
    def fail(self, text: str, exit_code: int) -> None: ...


class Saying(NamedTuple):
    """One line and what it means."""

    text: str
    tone: Tone = ""


class Lines:
    """For a person."""

    def __init__(
        self,
        write: Callable[[str], None],
        *,
        plain: bool,
        write_error: Callable[[str], None] | None = None,
    ) -> None:
        self._write = write
        self._write_error = write_error or write
        self._plain = plain
        self._part = 1
        self._last = ""

    def tell(self, progress: Progress) -> None:
        # Offers and questions come before and after each other, but the end of the way is no step
        # back: who looks must not see 3 and then 2.
        self._part = max(self._part, PART.get(progress.stage, self._part))
        line = f"[{self._part}/{PARTS}] {progress.text}"
        if line != self._last:
            self._say(Saying(f"{line}{_taken(progress)}"))
        self._last = line

    def asked(self, question: Question) -> None:
        """The person is asked where they answer; a second line here would only be noise."""

    def note(self, text: str) -> None:
        self._say(Saying(text, "warning"))

    def wrote(self, what: str, path: str) -> None:
        self._say(Saying(f"{what}: {path}"))

    def heading(self, text: str) -> None:
        """The next of several. Each begins with its first part."""
        self._part, self._last = 1, ""
        self._say(Saying(""))
        self._say(Saying(text, "bold"))

    def sum_up(self, text: str, lines: Sequence[str], entries: Sequence[Entry]) -> None:
        self._say(Saying(""))
        for line in lines:
            self._say(Saying(line))
        self._say(Saying(text, "bold"))

    def recorded(self, line: Line) -> None:
        self._say(Saying(f"      {sentence(line).strip()}", "dim"))

    def end(self, ending: Ending) -> None:
        for saying in closing(ending):
            # What the last step has told need not be told again.
            if not self._last.endswith(saying.text.removeprefix(SAYS)):
                self._say(saying)

    def fail(self, text: str, exit_code: int) -> None:
        self._write_error(printable(text))

    def _say(self, saying: Saying) -> None:
        text = printable(saying.text)
        if self._plain:
            text = f"{WORDS.get(saying.tone, '')}{text}"
        elif saying.tone:
            text = f"\x1b[{COLOURS[saying.tone]}m{text}\x1b[0m"
        self._write(text)


class JsonLines:
    """For a program: one object a line."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write

    def tell(self, progress: Progress) -> None:
        step = {"part": PART.get(progress.stage), "parts": PARTS}
        taken = {"turn": progress.turn, "tokens": progress.tokens, "cost": progress.cost}
        spent = taken if progress.turn else {}
        self._say("progress", {"stage": progress.stage, **step, "text": progress.text, **spent})

    def asked(self, question: Question) -> None:
        facts = {"id": question.id, "kind": "hand_over" if question.hand_over else "approve"}
        words = {"effect": question.effect, "button": question.button, "text": question.reason}
        self._say("question", {**facts, **words, "host": question.host})

    def note(self, text: str) -> None:
        self._say("note", {"text": text})

    def wrote(self, what: str, path: str) -> None:
        self._say("wrote", {"what": what, "path": path})

    def heading(self, text: str) -> None:
        self._say("next", {"text": text})

    def sum_up(self, text: str, lines: Sequence[str], entries: Sequence[Entry]) -> None:
        self._say("summary", {"text": text, "entries": entries})

    def recorded(self, line: Line) -> None:
        self._say("record", {"n": line.n, "at": line.at, "line": msgspec.Raw(line.raw)})

    def end(self, ending: Ending) -> None:
        facts = {"exit_code": ending.exit_code, "dry_run": ending.rehearsed}
        words = {"needed": ending.needed, "approval_file": ending.approval}
        self._say("result", {**facts, **words, **msgspec.structs.asdict(ending.result)})

    def fail(self, text: str, exit_code: int) -> None:
        self._say("error", {"exit_code": exit_code, "text": text})

    def _say(self, event: str, facts: dict[str, object]) -> None:
        self._write(msgspec.json.encode({"event": event, **facts}).decode())


def _taken(progress: Progress) -> str:
    """What a model has taken so far."""
    if not progress.turn:
        return ""
    price = "price unknown" if progress.cost is None else f"{progress.cost:.4f} USD"
    return f" (model: step {progress.turn}, {progress.tokens:,} tokens, {price})"


def closing(ending: Ending) -> Iterator[Saying]:
    """The last lines: what it came to, what shows it, what to do now, where the report is."""
    result = ending.result
    tone, words = ENDS[result.outcome]
    if ending.needed:
        tone, words = "warning", "Stopped: a person is needed."
        words += "" if ending.looked else " Nothing was cancelled."
    if ending.rehearsed:
        tone, words = "good", "Dry run: the last step was reached and not pressed."
    if ending.looked and not ending.needed:
        tone, words = LOOKED.get((result.outcome, result.reason), (tone, words))
    yield Saying(f"{_name(result)}{words}", tone)
    if ending.rehearsed:
        yield from _rehearsed(ending)
    if result.success:
        yield from _shown(result)
    elif not ending.rehearsed and (why := _why(ending)):
        yield Saying(why)
    yield from _afterwards(result)


def _afterwards(result: TaskResult) -> Iterator[Saying]:
    """What to do now, what a model took, where the report is."""
    for step in result.next_steps:
        for number, line in enumerate(step.splitlines()):
            yield Saying(line if number else f"Next: {line}")
    if result.spent.answers:
        yield Saying(f"Model {result.spent.model}: {result.spent.words()}", "dim")
    if result.proof:
        yield Saying(f"Report: {result.proof}/report.html")


def _rehearsed(ending: Ending) -> Iterator[Saying]:
    yield Saying("Nothing was cancelled. Run it without --dry-run to go on.")
    if ending.approval:
        yield Saying(
            f"Approval file: {ending.approval} (24 hours, one use, this button and no fee; only "
            "with --no-input --approve final)"
        )
    else:
        why = ending.unapproved or "its terms are not known"
        yield Saying(f"No approval file was kept: {why.rstrip('.')}.")


def _why(ending: Ending) -> str:
    result = ending.result
    if ending.needed:
        return ending.needed
    if result.reason == "human_rejected" and ending.said:
        return f'You said no: "{ending.said}"'
    # The code in front of an error is for programs.
    return f"Why: {CODE.sub('', result.error)}" if result.error else ""


def _shown(result: TaskResult) -> Iterator[Saying]:
    if result.after.status_text:
        yield Saying(f"{SAYS}{result.after.status_text}")
    if result.after.ends_on:
        yield Saying(f"Access until: {result.after.ends_on}")
    if result.reference:
        yield Saying(f"Reference: {result.reference}")


def _name(result: TaskResult) -> str:
    return f"{result.service}: " if result.service else ""

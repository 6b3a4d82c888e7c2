from __future__ import annotations

from subterminator.runs.chain import Line
from subterminator.runs.events import (
    Answered,
    Asked,
    Closed,
    Event,
    HandOver,
    Intent,
    Kept,
    LimitHit,
    Looked,
    Opened,
    Outcome,
    Resumed,
    TargetFacts,
)
from subterminator.runs.moments import Moment, moments
from tests.runs.samples import DIGEST, every

AT = "2026-11-15T10:15:30.123Z"
BUTTON = TargetFacts("e1", "button", "Finish", "x.example")


def told(*events: Event) -> list[str]:
    lines = [Line(n, AT, event, b"{}") for n, event in enumerate(events, 1)]
    return [" ".join(filter(None, (m.text, m.words, m.rest))) for m in moments(lines)]


def test_a_run_is_told_in_words_and_looking_is_left_out() -> None:
    assert told(
        Opened("run"),
        Looked("snapshot", "https://x.example/"),
        Intent("snapshot"),
        Intent("navigate", address="https://x.example/account"),
        Intent("check", (TargetFacts("e2", "radio", "Too expensive"),)),
        Intent("click", (BUTTON,)),
        Outcome("click"),
        Outcome("click", "timeout", "It took too long."),
        Outcome("snapshot", "timeout"),
        Asked("q", target=BUTTON),
        Answered("q", "no"),
        Outcome("click", by_person=True),
        HandOver("begun", "password", host="x.example"),
        HandOver("ended", done=True),
        LimitHit("turns"),
        Kept(DIGEST, "image/png", 1, "before"),
        Kept(DIGEST, "text/plain", 1),
        Resumed(),
        Closed("completed"),
    ) == [
        "The run began",
        "Opened https://x.example/account",
        "Ticked the choice Too expensive",
        "Pressed the button Finish on x.example",
        "That did not work: It took too long.",
        "You were asked before this: the button Finish on x.example",
        "You said no",
        "You did this yourself",
        "Handed over to you: password on x.example",
        "You were done; the run went on",
        "A limit was reached: turns",
        "Picture taken (before)",
        "The run went on after a stop",
        "The run ended",
    ]  # fmt: skip


def test_any_event_can_be_told_and_one_of_another_version_is_passed_over() -> None:
    lines = [Line(n, AT, event, b"{}") for n, event in enumerate(every("words", "value"), 1)]
    assert all(isinstance(each, Moment) for each in moments(lines))
    assert moments([Line(1, AT, None, b"{}")]) == ()

"""A record in words."""

from __future__ import annotations

import pytest

from subterminator.runs.chain import Line
from subterminator.runs.events import (
    Answered,
    Decided,
    DialogFacts,
    Event,
    HandOver,
    Intent,
    Looked,
    Note,
    Opened,
    Outcome,
    TargetFacts,
    TaskFacts,
    name_of,
)
from subterminator.runs.sentences import sentence, words
from tests.runs.samples import every

TARGET = TargetFacts("@e12", "button", "Finish Cancellation", "www.example.com")


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (
            Decided("click", "ask", "final-cancel", "irreversible", "It ends the plan.", TARGET),
            'ask click button "Finish Cancellation" on www.example.com, irreversible, '
            'by rule final-cancel: "It ends the plan."',
        ),
        (Answered("q1", "no"), "no"),
        (
            Opened("r1", version="0.1", browser="Chromium 156"),
            "run r1 of version 0.1, Chromium 156",
        ),
        (
            Opened("r1", task=TaskFacts(purpose="cancel", service="netflix")),
            'run r1, for cancel "netflix"',
        ),
        (Looked("snapshot", elements=3), "snapshot, 3 elements"),
        (Intent("click", (TargetFacts("@e1", "button", ""),)), "click button"),
        (HandOver("ended", "password", done=True), "ended, done password"),
        (
            Intent("fill", (TARGET,), value="<5 characters>"),
            'fill button "Finish Cancellation" on www.example.com, value "<5 characters>"',
        ),
        (
            Outcome(
                "click", "timeout", dialogs=(DialogFacts("alert", "Hi", "ok"),), delivered=True
            ),
            'click timeout, alert dialog ok "Hi", may have reached the page',
        ),
    ],
)
def test_an_event_is_one_line_of_words(event: Event, said: str) -> None:
    assert words(event) == said


@pytest.mark.parametrize("event", every("evil\x1b[2J\r\n\u202etext", "\x07"), ids=name_of)
def test_no_event_can_speak_to_the_terminal(event: Event) -> None:
    line = sentence(Line(7, "2026-11-15T10:15:30.000Z", event, b""))
    assert line.isprintable()
    assert line.startswith(f"   7 10:15:30 {name_of(event)}: ")


def test_a_line_of_another_version_says_so() -> None:
    assert "another version" in sentence(Line(1, "2026-11-15T10:15:30.000Z", None, b"{}"))
    assert sentence(Line(1, "2026-11-15T10:15:30.000Z", Note("x"), b"")).endswith('note: "x"')

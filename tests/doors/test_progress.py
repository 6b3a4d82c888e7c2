"""The lines of a run: for a person in colours and in words, and for a program."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from subterminator.agents.outcome import After, Progress, Stage, TaskResult
from subterminator.doors.progress import ENDS, PART, Ending, JsonLines, Lines
from tests.doors.conducts import ended
from tests.questions import CANCEL

STAGES: tuple[Stage, ...] = tuple(PART)


def lines(plain: bool = True) -> tuple[Lines, list[str]]:
    written: list[str] = []
    return Lines(written.append, plain=plain), written


def end(result: TaskResult, plain: bool = True, **more: Any) -> list[str]:
    voice, written = lines(plain)
    voice.end(Ending(result=result, exit_code=0, **more))
    return written


def test_each_step_is_one_line_with_how_far_it_is() -> None:
    voice, written = lines()
    voice.tell(Progress("START", "Opening Netflix in your browser"))
    voice.tell(Progress("RETENTION_OFFER", "Declined: 50 % for 3 months"))
    voice.tell(Progress("FINAL_CONFIRMATION", "The last step"))
    voice.tell(Progress("VERIFYING", "Checking the account page..."))
    assert written == [
        "[1/4] Opening Netflix in your browser",
        "[2/4] Declined: 50 % for 3 months",
        "[3/4] The last step",
        "[4/4] Checking the account page...",
    ]


def test_nothing_is_said_twice_and_no_number_goes_back() -> None:
    voice, written = lines()
    for stage in ("EXIT_SURVEY", "EXIT_SURVEY", "ACCOUNT_ACTIVE", "STOPPED"):
        voice.tell(Progress(stage, "Going on"))
    assert written == ["[2/4] Going on"]


def test_a_page_cannot_steer_the_screen() -> None:
    voice, written = lines(plain=False)
    voice.tell(Progress("RETENTION_OFFER", "Declined: \x1b[2J\u202efree\r\nCancelled"))
    assert "\x1b" not in written[0]
    assert "\u202e" not in written[0]
    assert "\n" not in written[0]


def test_colours_are_words_in_plain_form() -> None:
    failed = ended("failed", error="browser_closed: It is gone.")
    assert end(failed)[0] == "ERROR: It failed."
    assert end(failed, plain=False)[0] == "\x1b[1;31mIt failed.\x1b[0m"
    assert end(ended("unverified"))[0].startswith("WARNING: Not proven")


@pytest.mark.parametrize("outcome", ENDS)
def test_every_outcome_has_words_and_only_two_are_good(outcome: str) -> None:
    good = outcome in ("cancelled", "already_cancelled")
    first = end(ended(outcome, success=good), plain=False)[0]
    assert first.startswith("\x1b[1;32m") is good


def test_the_end_says_what_shows_it_and_where_the_report_is() -> None:
    after = After(status_text="Your plan ends on 12 Dec 2026", ends_on="2026-12-12")
    result = ended(
        "cancelled", success=True, service="netflix", after=after, reference="X-1", proof="/p"
    )
    assert end(result) == [
        "netflix: Cancelled, and the account page shows it.",
        "It says: Your plan ends on 12 Dec 2026",
        "Access until: 2026-12-12",
        "Reference: X-1",
        "Report: /p/report.html",
    ]


def test_the_reason_is_told_without_its_code_and_what_to_do_now_follows() -> None:
    result = ended(
        "stopped", reason="loop", error="limit_reached: Three times.", next_steps=("a\nb",)
    )
    assert end(result)[1:] == ["Why: Three times.", "Next: a", "b"]
    refused = ended("stopped", reason="human_rejected", error="human_rejected: No.")
    assert end(refused, said="not before Friday")[1] == 'You said no: "not before Friday"'
    assert end(refused, needed="A person has to answer.")[1] == "A person has to answer."


def test_a_dry_run_says_that_nothing_was_pressed() -> None:
    told = end(ended("stopped", error="x"), rehearsed=True, approval="/a.json")
    assert told[0] == "Dry run: the last step was reached and not pressed."
    assert told[2].startswith("Approval file: /a.json (24 hours, one use")
    assert len(told) == 3


def test_a_program_gets_one_object_a_line() -> None:
    written: list[str] = []
    voice = JsonLines(written.append)
    voice.tell(Progress("RETENTION_OFFER", "Declined:\n50 %"))
    voice.asked(CANCEL)
    voice.note("careful")
    voice.end(Ending(result=ended("pending"), exit_code=6))
    voice.fail("broken", 9)
    got = [msgspec.json.decode(line) for line in written]
    assert [each["event"] for each in got] == ["progress", "question", "note", "result", "error"]
    assert got[0] == {
        "event": "progress",
        "stage": "RETENTION_OFFER",
        "part": 2,
        "parts": 4,
        "text": "Declined:\n50 %",
    }
    assert got[1]["button"] == "Finish cancellation"
    assert (got[3]["outcome"], got[3]["exit_code"]) == ("pending", 6)
    assert all("\n" not in line for line in written)

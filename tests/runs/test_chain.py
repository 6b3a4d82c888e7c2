"""The chain: what it shows and what it survives."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from subterminator.runs.chain import examined, genesis, opened, sealed
from subterminator.runs.events import Event, Note, Torn

RUN = "2026-11-15T101530-example-k3f9aa"


def chained(*events: Event) -> bytes:
    data, last = b"", genesis(RUN)
    for n, event in enumerate(events, 1):
        line = sealed(n, 1_790_000_000 + n, last, event)
        data, last = data + line.data, line.hash
    return data


FIVE = chained(*(Note(f"number {n}") for n in range(1, 6)))


def test_a_line_holds_number_time_link_event_and_hash() -> None:
    line = opened(FIVE.splitlines()[0])
    assert line
    assert (line.n, line.at, line.event) == (1, "2026-09-21T14:13:21.000Z", Note("number 1"))
    assert FIVE.startswith(b'{"n":1,"at":"2026-09-21T14:13:21.000Z","prev":"')


def test_an_untouched_file_is_intact() -> None:
    seen = examined(FIVE, RUN)
    assert (seen.state, len(seen.lines), seen.tail) == ("intact", 5, b"")
    assert examined(b"", RUN).state == "intact"


def test_a_file_does_not_pass_for_that_of_another_run() -> None:
    assert examined(FIVE, RUN.replace("example", "another")).broken == 1


@pytest.mark.parametrize("number", range(5))
def test_a_changed_line_is_named(number: int) -> None:
    lines = FIVE.splitlines(keepends=True)
    lines[number] = lines[number].replace(b"number", b"Number")
    assert examined(b"".join(lines), RUN).broken == number + 1


@pytest.mark.parametrize("number", range(4))
def test_a_line_that_was_taken_out_doubled_or_moved_is_named(number: int) -> None:
    lines = FIVE.splitlines(keepends=True)
    without = lines[:number] + lines[number + 1 :]
    doubled = lines[: number + 1] + lines[number:]
    swapped = [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]
    assert examined(b"".join(without), RUN).broken == number + 1
    assert examined(b"".join(doubled), RUN).broken == number + 2
    assert examined(b"".join(swapped), RUN).broken == number + 1


@given(st.integers(0, len(FIVE) - 1), st.integers(1, 255))
def test_no_single_byte_can_be_changed_unseen(place: int, difference: int) -> None:
    data = bytearray(FIVE)
    data[place] ^= difference
    seen = examined(bytes(data), RUN)
    # A lost last line end is all that a crash could have done too.
    assert seen.state != "intact" and len(seen.lines) < 5


@given(st.integers(0, len(FIVE)))
@settings(max_examples=300)
def test_d3_wherever_writing_stopped_all_whole_lines_are_read(place: int) -> None:
    cut = FIVE[:place]
    whole = sum(place >= len(b"".join(FIVE.splitlines(keepends=True)[:n])) - 1 for n in range(1, 6))
    seen = examined(cut, RUN)
    assert len(seen.lines) == whole
    assert seen.broken is None
    assert seen.state == ("torn" if seen.tail else "intact")


def test_d3_a_half_line_that_was_marked_is_no_break() -> None:
    half = FIVE.splitlines()[2][:40]
    seen = examined(FIVE[: FIVE.index(half)] + half, RUN)
    assert seen.tail == half
    mark = sealed(3, 0, seen.last, Torn(len(half), hashlib.sha256(half).hexdigest()))
    whole = FIVE[: FIVE.index(half)] + half + b"\n" + mark.data
    after = examined(whole, RUN)
    assert (after.state, after.torn, len(after.lines)) == ("intact", 1, 3)
    other = whole.replace(half + b"\n", half[:-1] + b"X\n")
    assert examined(other, RUN).broken == 3


def test_d3_a_crash_while_a_half_line_was_being_marked_is_survived_too() -> None:
    start = len(b"".join(FIVE.splitlines(keepends=True)[:2]))
    half = FIVE[start : start + 40]
    seen = examined(FIVE[:start] + half + b"\n" + half, RUN)
    assert (seen.state, seen.tail) == ("torn", half + b"\n" + half)
    mark = sealed(3, 0, seen.last, Torn(1, hashlib.sha256(seen.tail).hexdigest()))
    assert examined(FIVE[:start] + seen.tail + b"\n" + mark.data, RUN).state == "intact"


def test_an_event_of_a_newer_version_is_kept_as_it_is() -> None:
    line = FIVE.splitlines()[0].replace(b'"kind":"note"', b'"kind":"hologram"')
    read = opened(line)
    assert read and read.event is None
    assert b"hologram" in read.raw


@given(st.binary(max_size=300))
def test_no_bytes_upset_the_reader(data: bytes) -> None:
    assert len(examined(data, RUN).lines) == 0
    assert opened(data) is None

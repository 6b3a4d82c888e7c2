"""Limits: what ends a run, counted with a clock that the test moves."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subterminator import actions as a
from subterminator.errors import LimitReached
from subterminator.page.snapshot import Snapshot
from subterminator.safety.limits import Counter, Limits, fingerprint
from subterminator.types import Flag
from tests.page.nodes import button, look


class Time:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


def counter(time: Time, **limits: float | None) -> Counter:
    return Counter(Limits(**limits), time)  # type: ignore[arg-type]


def reason(caught: pytest.ExceptionInfo[LimitReached]) -> object:
    return caught.value.details["reason"]


def click(target: str) -> a.Click:
    return a.Click(target)


def test_l4_the_turn_after_the_last_is_not_taken(time: Time) -> None:
    counting = counter(time, turns=2)
    counting.turn()
    counting.turn()
    with pytest.raises(LimitReached) as caught:
        counting.turn()
    assert reason(caught) == "max_turns_exceeded"
    assert counting.turns == 2


def test_l4_the_time_is_over_when_it_is_over(time: Time) -> None:
    counting = counter(time, seconds=10)
    time.now += 9.9
    counting.turn()
    time.now += 0.2
    for use in (counting.turn, lambda: counting.count(click("text:Next"), "page")):
        with pytest.raises(LimitReached) as caught:
            use()
        assert reason(caught) == "time_limit"


def test_the_time_a_person_takes_is_not_the_runs(time: Time) -> None:
    counting = counter(time, seconds=10)
    with counting.paused():
        time.now += 3600
    counting.turn()
    assert counting.seconds_left == 10


def test_l4_the_cost_ends_it_and_nothing_gives_it_back(time: Time) -> None:
    counting = counter(time, cost=1.0)
    counting.spend(0.6)
    counting.spend(-5)
    counting.spend(math.nan)
    with pytest.raises(LimitReached) as caught:
        counting.spend(0.5)
    assert reason(caught) == "cost_limit"


def test_more_actions_than_a_minute_may_hold_end_it(time: Time) -> None:
    counting = counter(time, actions_per_minute=3)
    for n in range(3):
        counting.count(click(f"text:{n}"), f"page {n}")
        time.now += 1
    with pytest.raises(LimitReached) as caught:
        counting.count(click("text:next"), "page")
    assert reason(caught) == "rate_limit"


def test_the_minute_slides(time: Time) -> None:
    counting = counter(time, actions_per_minute=2)
    for n in range(20):
        counting.count(click(f"text:{n}"), f"page {n}")
        time.now += 30.1


def test_a_sequence_counts_for_as_many_actions_as_it_has(time: Time) -> None:
    counting = counter(time, actions_per_minute=3)
    steps = tuple(a.Step(click(f"text:{n}")) for n in range(4))
    with pytest.raises(LimitReached) as caught:
        counting.count(a.Execute(steps=steps), "page")
    assert reason(caught) == "rate_limit"


def test_looking_is_free(time: Time) -> None:
    counting = counter(time, actions_per_minute=1)
    for _ in range(100):
        counting.count(a.TakeSnapshot(), "page")
        counting.count(a.Wait(text="Ready"), "page")


def test_l8_the_same_action_on_the_same_page_is_not_done_a_third_time(time: Time) -> None:
    counting = counter(time)
    counting.count(click("text:Save"), "page")
    counting.count(a.TakeSnapshot(), "page")
    counting.count(a.Click("text:Save", timeout_ms=5000), "page")
    with pytest.raises(LimitReached) as caught:
        counting.count(click("text:Save"), "page")
    assert reason(caught) == "loop"


def test_the_same_action_on_a_page_that_changes_goes_on(time: Time) -> None:
    counting = counter(time)
    for n in range(20):
        counting.count(click("text:Next"), f"page {n}")


def test_another_value_is_another_action(time: Time) -> None:
    counting = counter(time)
    for n in range(10):
        counting.count(a.Fill("label:Code", str(n)), "page")


def test_l8_a_circle_of_five_pages_ends_in_its_third_round(time: Time) -> None:
    counting = counter(time)
    with pytest.raises(LimitReached) as caught:
        for n in range(100):
            counting.count(click(f"text:{n % 5}"), f"page {n % 5}")
            assert n < 10
    assert reason(caught) == "loop"


def test_what_was_done_long_ago_is_no_loop(time: Time) -> None:
    counting = counter(time)
    for n in range(60):
        counting.count(click("text:Home") if n % 15 == 0 else click(f"text:{n}"), f"page {n % 15}")
        time.now += 5


def test_l9_there_and_back_between_two_pages_ends_it_whatever_is_pressed(time: Time) -> None:
    counting = counter(time)
    with pytest.raises(LimitReached, match="two pages") as caught:
        for n in range(100):
            counting.count(click(f"text:{n}"), "AB"[n % 2])
            assert n < 6
    assert reason(caught) == "loop"


def test_a_list_whose_entries_are_opened_in_turn_is_no_ping_pong(time: Time) -> None:
    counting = counter(time)
    for n in range(20):
        counting.count(click(f"text:{n}"), "list")
        counting.count(click(f"text:Back {n}"), f"entry {n}")
        time.now += 10


def test_work_on_one_page_is_no_ping_pong(time: Time) -> None:
    counting = counter(time)
    for n in range(20):
        counting.count(click(f"text:{n}"), "page")


def test_without_limits_nothing_ends(time: Time) -> None:
    counting = counter(
        time,
        turns=None,
        seconds=None,
        cost=None,
        actions_per_minute=None,
        repeats=None,
        cycles=None,
    )
    for n in range(1000):
        counting.turn()
        counting.spend(100)
        counting.count(click("text:Save"), "AB"[n % 2])
    assert counting.seconds_left is None


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=80))
def test_no_order_of_actions_gets_more_than_the_limits_allow(moves: list[tuple[int, int]]) -> None:
    counting = Counter(Limits(actions_per_minute=30), Time())
    done: list[tuple[int, int]] = []
    try:
        for action, page in moves:
            counting.count(click(f"text:{action}"), str(page))
            done.append((action, page))
    except LimitReached:
        pass
    assert len(done) <= 30
    for place in range(len(done)):
        assert all(done[place : place + 12].count(each) <= 2 for each in done)


def test_a_page_seen_again_has_the_same_fingerprint() -> None:
    assert fingerprint(look(button("Save"))) == fingerprint(look(button("Save")))


def test_focus_and_scrolling_leave_the_fingerprint_as_it_is() -> None:
    moved = look(button("Save", flags=Flag.FOCUSED | Flag.OFFSCREEN))
    assert fingerprint(look(button("Save"))) == fingerprint(moved)


@pytest.mark.parametrize(
    "other",
    [
        look(button("Saved")),
        look(button("Save", flags=Flag.DISABLED)),
        look(button("Save"), button("Save")),
        look(button("Save"), url="https://example.com/2"),
        None,
    ],
)
def test_what_a_person_would_see_changes_the_fingerprint(other: Snapshot | None) -> None:
    assert fingerprint(look(button("Save"))) != fingerprint(other)

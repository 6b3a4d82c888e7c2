"""Composite actions: conditions, retries and limits of several steps in one call."""

from __future__ import annotations

import time
from typing import Any

import pytest

from subterminator import ExecuteResult, Session, errors
from subterminator.actions import (
    Click,
    Condition,
    Dialog,
    Execute,
    Fill,
    Navigate,
    Press,
    Step,
    Upload,
    Wait,
)
from tests.conftest import Person
from tests.reports import reporting, reports
from tests.site import Answer, Site

PAGE = """<label>Name <input onchange="say('name', this.value)"></label>
  <button id=one onclick="say('one')">One</button> <button id=two onclick="say('two')">Two</button>
  <button id=off disabled>Off</button><p id=hidden hidden>Hidden</p>"""


@pytest.fixture
async def page(session: Session, site: Site) -> Session:
    await session.navigate(reporting(site, PAGE))
    return session


async def run(session: Session, *steps: Any, **options: Any) -> ExecuteResult:
    return await session.execute(*steps, **options)


async def test_steps_run_in_order_and_the_result_counts_them(page: Session, site: Site) -> None:
    outcome = await run(
        page, Step(Fill("label:Name", "Ada"), label="name"), Click("#one"), Click("#two")
    )
    assert reports(site) == ["name Ada", "one", "two"]
    assert (outcome.completed, outcome.total, outcome.success) == (3, 3, True)
    assert outcome.failed_at is None and outcome.duration_ms > 0
    assert [r.step for r in outcome.results] == [0, 1, 2]
    assert outcome.results[0].label == "name" and outcome.results[0].retries == 0
    assert sum(r.duration_ms for r in outcome.results) <= outcome.duration_ms + 3


async def test_the_reply_numbers_the_steps_and_puts_the_failure_first(page: Session) -> None:
    result = await page.call(
        Execute((Step(Click("#one")), Step(Click("#off"), label="press it"), Step(Click("#two"))))
    )
    lines = result.text().splitlines()
    assert lines[0].startswith("FAILED step 2 (press it): element_disabled: ")
    assert lines[1] == "1 of 3 steps done; stopped at step 2"
    assert lines[2].startswith("1: ok: click @e") and 'button "One"' in lines[2]
    assert lines[3] == "2 (press it): failed, see above"
    assert lines[4] == "3: not run"
    assert result.snapshot and result.page.title == "Test"


async def test_a_sequence_that_worked_says_so_in_its_first_line(page: Session) -> None:
    result = await page.call(Execute((Step(Click("#one")), Step(Click("#two")))))
    assert result.text().splitlines()[0] == "all 2 steps done"


# What is checked before the first step runs

BAD_STEPS: dict[str, tuple[Any, type[errors.SubTerminatorError], str]] = {
    "selector that cannot be read": (Click("css:a[["), errors.InvalidParams, "Step 3"),
    "empty selector": (Click("css: "), errors.InvalidParams, "Step 3"),
    "script in a selector": (Click("css:a[b='url(javascript:x)']"), errors.InvalidParams, "Step 3"),
    "condition that cannot be read": (
        Step(Click("#one"), condition=Condition("xpath://a[")),
        errors.InvalidParams,
        "Step 3",
    ),
    "scheme": (Navigate("file:///etc/passwd"), errors.Refused, "Step 3"),
    "ref": (Click("@nonsense"), errors.InvalidParams, "Step 3"),
}


@pytest.mark.parametrize("kind", BAD_STEPS)
async def test_nothing_runs_if_a_later_step_is_wrong(page: Session, site: Site, kind: str) -> None:
    step, fault, words = BAD_STEPS[kind]
    with pytest.raises(fault, match=words):
        await run(page, Click("#one"), Click("#two"), step)
    assert reports(site) == []


@pytest.mark.parametrize(
    "step",
    [
        {"do": {"action": "fly"}},
        {"do": {"action": "click"}},
        {"do": {"action": "press", "key": "Hyperspace"}},
        {"do": {"action": "click", "target": "#one"}, "max_retries": 9},
        {"do": {"action": "click", "target": "#one"}, "on_error": "again"},
        {"do": {"action": "execute", "steps": []}},
        {"do": {"action": "wait"}},
    ],
)
async def test_nothing_runs_if_a_later_step_is_malformed(
    page: Session, site: Site, step: dict[str, Any]
) -> None:
    first = {"do": {"action": "click", "target": "#one"}}
    with pytest.raises(errors.InvalidParams):
        await page.call({"action": "execute", "steps": [first, step]})
    assert reports(site) == []


async def test_a_sequence_has_at_least_one_and_at_most_50_steps(page: Session, site: Site) -> None:
    for steps in ([], [Click("#one")] * 51):
        with pytest.raises(errors.InvalidParams):
            await run(page, *steps)
    assert reports(site) == []
    assert (await run(page, *[Wait(time_ms=0)] * 50)).completed == 50


# Errors


async def test_an_error_ends_the_sequence_by_default(page: Session, site: Site) -> None:
    outcome = await run(page, Click("#one"), Click("#off"), Click("#two"))
    assert reports(site) == ["one"]
    assert (outcome.completed, outcome.total, outcome.success) == (1, 3, False)
    assert outcome.failed_at == 1 and len(outcome.results) == 2
    assert isinstance(outcome.results[1].error, errors.ElementDisabled)


async def test_a_first_step_that_fails_is_reported_as_step_zero(page: Session) -> None:
    assert (await run(page, Click("#off"))).failed_at == 0


async def test_a_skipped_error_lets_the_next_step_run(page: Session, site: Site) -> None:
    outcome = await run(page, Step(Click("#off"), on_error="skip"), Click("#two"))
    assert reports(site) == ["two"]
    assert (outcome.completed, outcome.success, outcome.failed_at) == (1, False, None)


async def test_all_steps_run_if_the_first_error_does_not_stop(page: Session, site: Site) -> None:
    outcome = await run(
        page, Click("#off"), Click("#two"), Click("#off"), stop_on_first_error=False
    )
    assert reports(site) == ["two"]
    assert [r.success for r in outcome.results] == [False, True, False]
    assert outcome.text().count("FAILED step") == 2


async def test_a_retry_waits_twice_as_long_each_time_and_counts_attempts(page: Session) -> None:
    begun = time.monotonic()
    step = Step(Click("#off"), on_error="retry", max_retries=3, retry_delay_ms=100)
    outcome = await run(page, step)
    assert outcome.results[0].retries == 2
    assert 0.3 <= time.monotonic() - begun < 1.5


async def test_a_retry_that_succeeds_is_a_success(session: Session, site: Site) -> None:
    page = """<button id=b disabled onclick=say('hit')>Go</button>
      <script>setTimeout(() => { b.disabled = false; }, 350)</script>"""
    await session.navigate(reporting(site, page))
    step = Step(Click("#b"), on_error="retry", max_retries=5, retry_delay_ms=100)
    outcome = await run(session, step)
    assert outcome.success and 1 <= outcome.results[0].retries <= 3
    assert "retries" in outcome.text()
    assert reports(site) == ["hit"]


async def test_a_back_off_that_would_outlast_the_sequence_is_not_begun(page: Session) -> None:
    begun = time.monotonic()
    step = Step(Click("#off"), on_error="retry", max_retries=5, retry_delay_ms=5000)
    outcome = await run(page, step, timeout_ms=2000)
    assert isinstance(outcome.results[0].error, errors.ElementDisabled)
    assert time.monotonic() - begun < 1


# What may have been delivered is never repeated


async def test_a_click_whose_effect_is_slow_is_made_once(session: Session, site: Site) -> None:
    site.pages["/saved"] = Answer("ok", delay=1.5)
    page = """<button onclick="const end = performance.now() + 900;
      fetch('/saved', { method: 'POST' }); while (performance.now() < end);">Save</button>"""
    await session.navigate(site.page(page))
    step = Step(Click("text:Save", timeout_ms=300), on_error="retry", retry_delay_ms=100)
    outcome = await run(session, step)
    fault = outcome.results[0].error
    assert isinstance(fault, errors.Timeout) and fault.delivered
    assert outcome.results[0].retries == 0
    await session.wait(quiet=True)
    assert site.hits["/saved"] == 1


async def test_a_press_that_was_stopped_on_its_way_is_not_made_again(
    session: Session, site: Site
) -> None:
    page = """<button id=b onclick=say('hit')>Save</button>
      <div id=trap style='position: fixed; inset: 0; display: none'>Wait</div><script>
      b.onmousedown = () => { say('down'); trap.style.display = 'block'; };</script>"""
    await session.navigate(reporting(site, page))
    outcome = await run(session, Step(Click("#b"), on_error="retry", retry_delay_ms=100))
    # The button felt the press, as a menu that opens on it does; only the click was stopped.
    result = outcome.results[0].result
    assert result and "no click" in result.note
    assert outcome.results[0].retries == 0
    assert reports(site) == ["down"]


# Conditions


@pytest.mark.parametrize(
    ("target", "state"),
    [
        ("#one", "visible"),
        ("#one", "enabled"),
        ("#hidden", "exists"),
        ("#hidden", "hidden"),
        ("#off", "disabled"),
    ],
)
async def test_a_condition_that_holds_lets_the_step_run(
    page: Session, site: Site, target: str, state: Any
) -> None:
    outcome = await run(page, Step(Click("#two"), condition=Condition(target, state)))
    assert outcome.success and reports(site) == ["two"]


async def test_a_condition_that_does_not_hold_in_time_stops_the_sequence(
    page: Session, site: Site
) -> None:
    step = Step(Click("#one"), condition=Condition("#off", "enabled", timeout_ms=200))
    outcome = await run(page, step, Click("#two"))
    fault = outcome.results[0].error
    assert isinstance(fault, errors.ConditionFailed) and fault.rpc == -32602
    assert "#off is not enabled after 0.2 s" in str(fault)
    assert outcome.failed_at == 0 and reports(site) == []


async def test_a_condition_that_comes_true_in_time_is_awaited(session: Session, site: Site) -> None:
    page = """<button id=b disabled onclick=say('hit')>Go</button>
      <script>setTimeout(() => { b.disabled = false; }, 400)</script>"""
    await session.navigate(reporting(site, page))
    outcome = await run(session, Step(Click("#b"), condition=Condition("#b", "enabled")))
    assert outcome.success and reports(site) == ["hit"]


async def test_the_sequence_goes_on_past_a_failed_condition_where_asked_to(
    page: Session, site: Site
) -> None:
    step = Step(Click("#one"), condition=Condition("#hidden", timeout_ms=100))
    outcome = await run(page, step, Click("#two"), continue_on_condition_fail=True)
    assert reports(site) == ["two"]
    assert [r.success for r in outcome.results] == [False, True] and outcome.failed_at is None


async def test_a_failed_condition_is_not_tried_again(page: Session) -> None:
    step = Step(Click("#one"), condition=Condition("#hidden", timeout_ms=100), on_error="retry")
    assert (await run(page, step)).results[0].retries == 0


# Time


async def test_the_time_of_the_whole_sequence_interrupts_a_long_wait(
    page: Session, site: Site
) -> None:
    begun = time.monotonic()
    outcome = await run(
        page, Click("#one"), Wait(text="never comes"), Click("#two"), timeout_ms=900
    )
    assert time.monotonic() - begun < 2
    fault = outcome.results[1].error
    assert isinstance(fault, errors.Timeout) and outcome.failed_at == 1
    assert reports(site) == ["one"]


async def test_the_time_of_the_whole_sequence_ends_it_whatever_the_steps_say(
    page: Session, site: Site
) -> None:
    step = Step(Wait(time_ms=5000), on_error="skip")
    outcome = await run(page, step, Click("#two"), stop_on_first_error=False, timeout_ms=400)
    assert outcome.failed_at == 0 and outcome.duration_ms < 1500
    assert "whole sequence is over" in outcome.text()
    assert reports(site) == []


async def test_a_steps_own_time_interrupts_it_and_the_next_one_runs(
    page: Session, site: Site
) -> None:
    slow = Step(Wait(text="never comes", timeout_ms=200), on_error="skip")
    begun = time.monotonic()
    outcome = await run(page, slow, Click("#two"))
    assert time.monotonic() - begun < 2.5
    assert isinstance(outcome.results[0].error, errors.Timeout)
    assert reports(site) == ["two"]


async def test_a_page_that_hangs_is_left_when_the_time_is_over(
    session: Session, site: Site
) -> None:
    page = """<button onclick="const end = performance.now() + 2500;
      while (performance.now() < end);">Hang</button>"""
    await session.navigate(site.page(page))
    begun = time.monotonic()
    outcome = await run(session, Click("text:Hang"), Click("text:Hang"), timeout_ms=700)
    assert time.monotonic() - begun < 1.5
    assert outcome.failed_at == 0


# The gate


async def test_what_would_have_to_be_asked_stops_the_sequence_unasked(
    page: Session, site: Site, person: Person
) -> None:
    person.says = True
    await page.navigate(reporting(site, PAGE + "<input type=file id=f><input type=password id=p>"))
    for step in (Upload("#f", ("/etc/hostname",)), Fill("#p", "x")):
        outcome = await run(
            page, Click("#one"), Step(step, on_error="skip"), Click("#two"),
            stop_on_first_error=False,
        )  # fmt: skip
        assert isinstance(outcome.results[1].error, errors.ApprovalRequired)
        assert outcome.failed_at == 1
    assert person.asked == [] and reports(site) == ["one", "one"]


async def test_a_dialog_stops_the_sequence_unless_the_next_step_answers_it(
    session: Session, site: Site
) -> None:
    page = """<button id=b onclick="say(confirm('Sure?'))">Ask</button>
      <button id=two onclick="say('two')">Two</button>"""
    await session.navigate(reporting(site, page))
    outcome = await run(session, Click("#b"), Dialog(False), Click("#two"))
    assert outcome.success and reports(site) == ["false", "two"]
    outcome = await run(session, Click("#b"), Step(Press("Tab"), on_error="skip"), Click("#two"))
    assert isinstance(outcome.results[1].error, errors.DialogOpen) and outcome.failed_at == 1
    await session.dialog(accept=False)
    outcome = await run(session, Click("#b"), Dialog(True))
    assert isinstance(outcome.results[1].error, errors.ApprovalRequired)


async def test_steps_go_on_over_a_navigation(session: Session, site: Site) -> None:
    site.page("<button onclick=\"location = '/done'\">Finish</button>", "/next")
    site.page("Done", "/done")
    await session.navigate(site.page("<a href=/next>Next</a>"))
    result = await session.call(
        Execute((Step(Click("text:Next")), Step(Click("text:Finish")), Step(Wait(text="Done"))))
    )
    assert result.page.url.endswith("/done") and site.hits["/done"] == 1
    assert f"went to {site.address}/done" in result.text()

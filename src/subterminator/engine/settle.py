"""Waits until what an action set off has come to rest, by evidence, and says what has not."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from subterminator.engine.activity import Activity
from subterminator.engine.frames import Frame
from subterminator.engine.look import WALK, Walked
from subterminator.engine.tab import Tab
from subterminator.engine.world import WorldGone, silence
from subterminator.errors import DialogOpen, TargetClosed

# Response headers are not the end: without this pause half of all pages were read before they
# showed the answer.
QUIET_MS = 25
QUIET_LIMIT_MS = 1_000
REQUEST_SECONDS = 2.5
SLOW_SECONDS = 0.25
NAVIGATION_SECONDS = 10.0
# Once a document can be read, its last images and frames are waited for only this long.
LATE_LOAD_SECONDS = 2.0
LAST_LOOK_SECONDS = 3.0
FRAME_SECONDS = 2.0
MAIN_FRAME_MS = 100
SUB_FRAME_MS = 34


class Rest:
    """Walks by world id, taken in the same trip.

    `stopped` is what lay under the press instead of its target; `slipped` came only after it began.
    While the page is `leaving` it cannot be looked at.
    """

    def __init__(self) -> None:
        self.walks: dict[str, Walked] = {}
        self.stopped = self.slipped = ""
        self.busy = self.leaving = False


async def settle(tab: Tab, deadline: float) -> Rest:
    """Look after one frame; if requests or navigations began, wait for them and look again."""
    rest = Rest()
    if not (tab.activity.is_moving or tab.activity.had_response):
        await _rest_all(tab, rest, quiet=0, deadline=deadline)
    started = time.monotonic()
    while tab.activity.is_moving or tab.activity.had_response:
        await _wait_for_end(tab, started, deadline)
        rest.leaving = _is_leaving(tab)
        if rest.leaving:
            break
        responses = tab.activity.last_response
        await _rest_all(tab, rest, quiet=QUIET_MS, deadline=deadline)
        if _is_over(tab, started, deadline):
            break
        if tab.activity.last_response == responses and not tab.activity.is_moving:
            break
    rest.busy = rest.busy or tab.activity.is_moving
    return rest


def _is_leaving(tab: Tab) -> bool:
    """Whether a new page was asked for and has not come: until then the old one does not answer."""
    came = any(move.main_frame and not move.same_document for move in tab.activity.navigations)
    return tab.frames.main.id in tab.activity.navigating and not came


async def _wait_for_end(tab: Tab, started: float, deadline: float) -> None:
    while tab.activity.is_moving and not _is_over(tab, started, deadline):
        if tab.dialog or tab.is_lost:
            return
        await tab.activity.wait_for_change(min(0.1, deadline - time.monotonic()))
    if tab.activity.open:
        tab.activity.give_up()


def _is_over(tab: Tab, started: float, deadline: float) -> bool:
    now = time.monotonic()
    return now >= deadline or now - started >= _patience(tab, tab.activity)


def _patience(tab: Tab, activity: Activity) -> float:
    if tab.frames.main.id in activity.navigating:
        return LATE_LOAD_SECONDS if "DOMContentLoaded" in tab.loaded else NAVIGATION_SECONDS
    return SLOW_SECONDS if activity.only_slow() else REQUEST_SECONDS


async def _rest_all(tab: Tab, rest: Rest, *, quiet: int, deadline: float) -> None:
    """Let every frame come to rest and walk it in the same trip."""
    frames = [frame for frame in tab.frames.in_order() if frame.world]
    rest.busy = False
    reports = await asyncio.gather(*(_rest_one(tab, f, quiet, deadline) for f in frames))
    for frame, report in zip(frames, reports, strict=True):
        if report is None or frame.world is None:
            continue
        rest.walks[frame.world.id] = Walked(report["walk"], report["grown"])
        rest.stopped = rest.stopped or report["stopped"]
        rest.slipped = rest.slipped or report["slipped"]
        if report["saves"]:
            tab.activity.expect_download()
        rest.busy = rest.busy or report["busy"]


async def _rest_one(tab: Tab, frame: Frame, quiet: int, deadline: float) -> dict[str, Any] | None:
    is_main = frame is tab.frames.main
    world = frame.world
    if world is None:
        return None
    options = {
        "quiet": quiet,
        "limit": QUIET_LIMIT_MS,
        "frame": MAIN_FRAME_MS if is_main else SUB_FRAME_MS,
        "walk": WALK,
    }
    try:
        # Waiting may have taken all the time; what came of it is looked at all the same.
        left = max(LAST_LOOK_SECONDS, deadline - time.monotonic()) if is_main else FRAME_SECONDS
        async with asyncio.timeout(left):
            reply = world.post("actor.rest", options)
            report: dict[str, Any] = (await world.read(reply, None)).value
            return report
    except WorldGone:
        return None  # It navigates: the events say so too.
    except TimeoutError:
        if is_main and not _is_leaving(tab):
            raise silence("it has not come to rest") from None
        return None
    except (DialogOpen, TargetClosed):
        if is_main:
            raise
        return None

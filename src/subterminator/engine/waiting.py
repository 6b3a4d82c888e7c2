"""Waits for one thing to become true in a tab, in whichever frame and document it happens."""

from __future__ import annotations

import asyncio
import fnmatch
import time
from collections.abc import Sequence
from typing import Any

import msgspec

from subterminator.actions import Wait
from subterminator.engine.frames import Frame
from subterminator.engine.resolve import Resolver, holder_of, unreadable
from subterminator.engine.settle import settle
from subterminator.engine.tab import Tab
from subterminator.engine.world import World, WorldGone
from subterminator.errors import (
    ActionFailed,
    BrowserClosed,
    DialogOpen,
    ElementNotFound,
    RefInvalid,
    SelectorAmbiguous,
    TargetClosed,
    Timeout,
)
from subterminator.targets import (
    AnySelector,
    ByRef,
    Coordinates,
    Semantic,
    parse_target,
    show,
)
from subterminator.types import Resolved

SPAN_MS = 500
# Descriptions and points are looked up from here, not by the page: less often.
LOOK_AGAIN_SECONDS = 0.2
QUIET_MS = 150
ABSENT = {"gone", "hidden"}
LOAD_EVENTS = {"load": "load", "domcontentloaded": "DOMContentLoaded", "networkidle": "networkIdle"}


async def wait(tab: Tab, action: Wait, resolver: Resolver, seconds: float) -> None:
    """Return when it holds; raise Timeout naming what did not come."""
    deadline = time.monotonic() + seconds
    try:
        async with asyncio.timeout(seconds):
            await _wait(tab, action, resolver, deadline)
    except TimeoutError:
        raise Timeout(f"Waited {seconds:.1f} s, but {_name(action)}.") from None


async def _wait(tab: Tab, action: Wait, resolver: Resolver, deadline: float) -> None:
    match action:
        case Wait(time_ms=int(ms)):
            await asyncio.sleep(ms / 1000)  # time is what was asked for
        case Wait(url=str(pattern)):
            await until_url(tab, pattern)
        case Wait(load=str(state)):
            await until_loaded(tab, state)
        case Wait(quiet=True):
            await until_quiet(tab, deadline)
        case Wait(target=None):
            await _until_page(tab, action)
        case _:
            await _until_element(tab, action, resolver)


async def until_url(tab: Tab, pattern: str) -> None:
    wanted = pattern if "*" in pattern else f"*{pattern}*"
    # Only the star means something; the other signs of a pattern are common in addresses.
    wanted = wanted.replace("[", "[[]").replace("?", "[?]")
    while not (tab.url == pattern or fnmatch.fnmatchcase(tab.url, wanted)):
        await tab.activity.wait_for_change(1)


async def until_loaded(tab: Tab, state: str) -> None:
    while state != "commit" and LOAD_EVENTS[state] not in tab.loaded:
        await tab.activity.wait_for_change(1)


async def until_quiet(tab: Tab, deadline: float) -> None:
    """No request or navigation is open, and no frame changes for a moment."""
    while await _moves(tab, deadline):
        continue


async def _moves(tab: Tab, deadline: float) -> bool:
    rest = await settle(tab, deadline)
    if rest.busy or tab.activity.is_moving:
        await tab.activity.wait_for_change(0.1)
        return True
    worlds = [frame.world for frame in tab.frames.in_order() if frame.world]
    still = await asyncio.gather(*(_is_still(world) for world in worlds))
    return not worlds or not all(still) or bool(tab.activity.open)


async def _is_still(world: World) -> bool:
    try:
        return bool(await world.run("actor.isStill", QUIET_MS))
    except WorldGone:
        return False


async def _until_page(tab: Tab, action: Wait) -> None:
    condition = {"text": action.text} if action.text else {"text_gone": action.text_gone}
    while not await _check(tab, tab.frames.in_order(), condition, everywhere=action.text is None):
        continue


async def _until_element(tab: Tab, action: Wait, resolver: Resolver) -> None:
    state = action.state or "visible"
    selector = parse_target(action.target or "")
    match selector:
        case ByRef(ref=ref):
            await _until_ref(resolver, ref, state)
        case Semantic() | Coordinates():
            await _until_found(tab, resolver, selector, state)
        case _:
            condition = {"selector": msgspec.to_builtins(selector), "state": state}
            absent = state in ABSENT
            while not await _check(tab, resolver.scope(), condition, everywhere=absent):
                continue


async def _until_ref(resolver: Resolver, ref: str, state: str) -> None:
    """The element itself counts, also while its name changes: a button that counts down."""
    while True:
        found = resolver.holder(ref)
        if found and await _ask(found.world, {"id": found.node, "state": state}, SPAN_MS):
            return
        alive = found and await _ask(found.world, {"id": found.node, "state": "exists"}, 0)
        if alive:
            continue
        if state in ABSENT:
            return
        twin = await resolver.resolve(ByRef(ref), 0)
        ref = twin.ref


async def until_gone(tab: Tab, target: Resolved) -> None:
    """Return when a field or puzzle is no longer there or shown, or a puzzle is solved.

    Nothing else of the page is read meanwhile.
    """
    state = {"id": target.node, "state": "over"}
    while found := holder_of(tab, target.world, target.node):
        try:
            if await _ask(found.world, state, SPAN_MS):
                return
        except DialogOpen:
            await tab.dialogs.until_answered()
        except BrowserClosed:
            raise
        except TargetClosed:
            return  # The person closed the tab.


async def _until_found(
    tab: Tab, resolver: Resolver, selector: Semantic | Coordinates, state: str
) -> None:
    while not await _found_now(resolver, selector, state):
        await tab.activity.wait_for_change(LOOK_AGAIN_SECONDS)


async def _found_now(resolver: Resolver, selector: AnySelector, state: str) -> bool:
    try:
        target = await resolver.resolve(selector, 0)
        found = resolver.holder(target.ref)
    except (ElementNotFound, RefInvalid):
        return state in ABSENT
    except SelectorAmbiguous:
        if state in ABSENT:
            return False
        raise
    return bool(found and await _ask(found.world, {"id": found.node, "state": state}, 0))


async def _check(
    tab: Tab, frames: Sequence[Frame], condition: dict[str, Any], *, everywhere: bool
) -> bool:
    """Ask frames for a while: one yes is enough, or all must agree."""
    worlds = [frame.world for frame in frames if frame.world]
    if not worlds:
        await tab.activity.wait_for_change(0.1)
        return False
    if everywhere:
        answers = await asyncio.gather(*(_ask(world, condition, SPAN_MS) for world in worlds))
        return all(answers)
    asking = [asyncio.ensure_future(_ask(world, condition, SPAN_MS)) for world in worlds]
    try:
        for answer in asyncio.as_completed(asking):
            if await answer:
                return True
        return False
    finally:
        for question in asking:
            question.cancel()
        await asyncio.gather(*asking, return_exceptions=True)


async def _ask(world: World, condition: dict[str, Any], ms: int) -> bool:
    try:
        return bool(await world.run("actor.until", condition, ms))
    except (WorldGone, Timeout):
        return False  # Asked again in the new document, or when the page finds the time.
    except ActionFailed as fault:
        if "invalid" in fault.message and "selector" in condition:
            raise unreadable(condition["selector"]) from fault
        raise


def _name(action: Wait) -> str:
    match action:
        case Wait(text=str(text)):
            return f"the text {text[:100]!r} did not appear"
        case Wait(text_gone=str(text)):
            return f"the text {text[:100]!r} is still there"
        case Wait(url=str(url)):
            return f"the address did not become {url[:100]!r}"
        case Wait(load=str(state)):
            return f"the page did not reach {state}"
        case Wait(quiet=True):
            return "the page did not come to rest"
        case _:
            return f"{show(action.target or '')} did not become {action.state or 'visible'}"

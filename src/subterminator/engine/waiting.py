"""Waits for one thing to become true in a tab, in whichever frame and document it happens."""

from __future__ import annotations

import asyncio
import fnmatch
import time
from typing import Any

import msgspec

from subterminator.actions import Wait
from subterminator.engine.resolve import Resolver
from subterminator.engine.settle import settle
from subterminator.engine.tab import Tab
from subterminator.engine.world import World, WorldGone
from subterminator.errors import ElementNotFound, RefInvalid, Timeout
from subterminator.targets import ByRef, parse_target
from subterminator.types import Resolved

SPAN_MS = 500
LOAD_EVENTS = {"load": "load", "domcontentloaded": "DOMContentLoaded", "networkidle": "networkIdle"}


async def wait(tab: Tab, action: Wait, resolver: Resolver, seconds: float) -> None:
    """Return when it holds; raise Timeout naming what did not come."""
    deadline = time.monotonic() + seconds
    try:
        async with asyncio.timeout(seconds):
            await _wait(tab, action, resolver, deadline)
    except TimeoutError:
        raise Timeout(f"Waited {seconds:g} s, but {_name(action)}.") from None


async def _wait(tab: Tab, action: Wait, resolver: Resolver, deadline: float) -> None:
    match action:
        case Wait(time_ms=int(ms)):
            await asyncio.sleep(ms / 1000)  # time is what was asked for
        case Wait(url=str(pattern)):
            await until_url(tab, pattern)
        case Wait(load=str(state)):
            await until_loaded(tab, state)
        case Wait(quiet=True):
            while (await settle(tab, deadline)).busy:
                await tab.activity.wait_for_change(0.1)
        case Wait(target=None):
            await _until_page(tab, action)
        case _:
            await _until_element(tab, action, resolver)


async def until_url(tab: Tab, pattern: str) -> None:
    wanted = pattern if "*" in pattern else f"*{pattern}*"
    while not (tab.url == pattern or fnmatch.fnmatchcase(tab.url, wanted.replace("[", "[[]"))):
        await tab.activity.wait_for_change(1)


async def until_loaded(tab: Tab, state: str) -> None:
    while state != "commit" and LOAD_EVENTS[state] not in tab.loaded:
        await tab.activity.wait_for_change(1)


async def _until_page(tab: Tab, action: Wait) -> None:
    condition = {"text": action.text} if action.text else {"text_gone": action.text_gone}
    while not await _check(tab, condition, everywhere=action.text is None):
        continue


async def _until_element(tab: Tab, action: Wait, resolver: Resolver) -> None:
    state = action.state or "visible"
    selector = parse_target(action.target or "")
    if not isinstance(selector, ByRef):
        condition = {"selector": msgspec.to_builtins(selector), "state": state}
        while not await _check(tab, condition, everywhere=state in {"gone", "hidden"}):
            continue
        return
    try:
        target = await resolver.resolve(selector, 0)
    except (RefInvalid, ElementNotFound):
        if state in {"gone", "hidden"}:
            return
        raise
    while not await _holds(tab, target, state):
        continue


async def _holds(tab: Tab, target: Resolved, state: str) -> bool:
    world = next(
        (f.world for f in tab.frames.by_id.values() if f.world and f.world.id == target.world), None
    )
    if world is None:
        if state in {"gone", "hidden"}:
            return True
        raise RefInvalid(f"{target.ref} belonged to a document that is gone.")
    return await _ask(world, {"id": target.node, "state": state}, SPAN_MS)


async def _check(tab: Tab, condition: dict[str, Any], *, everywhere: bool) -> bool:
    """Ask all frames for a while: one yes is enough, or all must agree."""
    worlds = [frame.world for frame in tab.frames.in_order() if frame.world]
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


async def _ask(world: World, condition: dict[str, Any], ms: int) -> bool:
    try:
        return bool(await world.run("actor.until", condition, ms))
    except WorldGone:
        return False  # Asked again in the new document.


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
            return f"{action.target!r} did not become {action.state or 'visible'}"

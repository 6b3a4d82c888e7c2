"""Takes pictures of a tab: what is in view, the whole page, or one element.

Secret fields and documents of other sites are covered before the browser draws the picture; mail
addresses and card numbers, where that is asked for, before the picture leaves the browser.
"""

from __future__ import annotations

import asyncio
import base64
import math
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, NamedTuple

from msgspec.structs import replace

from subterminator.actions import Screenshot
from subterminator.engine.frames import Frame
from subterminator.engine.input import ask, problem_with, world_of
from subterminator.engine.tab import Tab
from subterminator.errors import ActionFailed, HandedOver
from subterminator.types import Picture, Resolved

# A larger surface than this is not drawn by every graphics stack.
LONGEST_SIDE = 16_384
ATTEMPTS = 3
COVER = {"r": 40, "g": 40, "b": 40, "a": 1}


class Taken(NamedTuple):
    picture: Picture
    note: str = ""


class _Area(NamedTuple):
    """A part of the page, in CSS pixels from the page's own corner."""

    x: float
    y: float
    width: float
    height: float

    def holds(self, other: _Area) -> bool:
        return (
            self.x <= other.x
            and self.y <= other.y
            and self.x + self.width >= other.x + other.width
            and self.y + self.height >= other.y + other.height
        )


class _Page(NamedTuple):
    """The page as it lies now: how large it is, what is in view, and which nodes to cover."""

    whole: _Area
    seen: _Area
    veiled: tuple[int, ...]


class _Veils(NamedTuple):
    """What is covered: one node, all of them as a selector, and where they are."""

    first: int
    selector: str
    places: list[list[int]]


_Shoot = Callable[[Tab, Screenshot, _Area, float, _Page], Coroutine[Any, Any, bytes]]


async def take(tab: Tab, action: Screenshot, target: Resolved | None = None) -> Taken:
    if target:
        await _reveal(tab, target)
    page = await _page(tab)
    if target:
        wanted = await _area_of(tab, target, page)
    else:
        wanted = page.whole if action.full_page else page.seen
    area = wanted._replace(
        width=min(max(1, round(wanted.width)), LONGEST_SIDE),
        height=min(max(1, round(wanted.height)), LONGEST_SIDE),
    )
    scale = 1.0
    if action.max_size:
        scale = min(1.0, action.max_size[0] / area.width, action.max_size[1] / area.height)
    data = await _way(action, page)(tab, action, area, scale, page)
    cut = max(wanted.width, wanted.height) > LONGEST_SIDE
    notes = [f"cut: it is {wanted.width:.0f} x {wanted.height:.0f} pixels in all"] if cut else []
    if page.veiled:
        notes.append(f"{len(page.veiled)} secret field(s) or frame(s) of other sites are covered")
    width, height = max(1, int(area.width * scale)), max(1, int(area.height * scale))
    return Taken(Picture(data, action.format, width, height), "; ".join(notes))


def _way(action: Screenshot, page: _Page) -> _Shoot:
    if action.masked:
        return _shoot_masked
    return _shoot_veiled if page.veiled else _shoot


async def _shoot(tab: Tab, action: Screenshot, area: _Area, scale: float, page: _Page) -> bytes:
    # Only where needed: the page notices that it is drawn larger.
    beyond = not page.seen.holds(area)
    return base64.b64decode(
        await _capture(tab, area, scale, captureBeyondViewport=beyond, **_format(action))
    )


def _format(action: Screenshot) -> dict[str, Any]:
    if action.format == "jpeg":
        return {"format": "jpeg", "quality": action.quality or 80}
    return {"format": action.format}


async def _capture(tab: Tab, area: _Area, scale: float, **options: Any) -> str:
    clip = {**area._asdict(), "scale": scale}
    shot = await tab.channel.call(
        "Page.captureScreenshot", clip=clip, optimizeForSpeed=True, **options
    )
    data: str = shot["data"]
    return data


# What must not be seen


async def _shoot_veiled(
    tab: Tab, action: Screenshot, area: _Area, scale: float, page: _Page
) -> bytes:
    """Covers are drawn right only where a view is taken as a whole and as large as it is."""
    beyond = not page.seen.holds(area)
    view = _enough_for(area, page.seen) if beyond else page.seen
    as_it_is = view == area and scale == 1
    form = _format(action) if as_it_is else {"format": "png"}
    for _ in range(ATTEMPTS):
        before = await _veils(tab, page.veiled)
        async with AsyncExitStack() as undo:
            if beyond:
                await undo.enter_async_context(_enlarged(tab, view, page.seen))
            await undo.enter_async_context(_covered(tab, before))
            data = await _capture(tab, view, 1, **form)
        page = await _page(tab)
        if await _veils(tab, page.veiled) == before:
            part = area._replace(x=area.x - view.x, y=area.y - view.y)
            again = None if as_it_is else {**part._asdict(), "scale": scale, **_format(action)}
            if again:
                data = await _redrawn(tab, data, again, view.width)
            return base64.b64decode(data)
    raise _restless()


def _restless() -> ActionFailed:
    return ActionFailed(
        "What must not be pictured does not keep still.",
        next_step="Use the snapshot, or wait until the page is quiet.",
    )


async def _shoot_masked(
    tab: Tab, action: Screenshot, area: _Area, scale: float, page: _Page
) -> bytes:
    """Without mail addresses and card numbers: painted over before it leaves the browser."""
    whole = replace(action, format="png", quality=None, masked=False)
    for _ in range(ATTEMPTS):
        before = await _personal(tab)
        data = await _way(whole, page)(tab, whole, area, 1, page)
        page = await _page(tab)
        if await _personal(tab) == before:
            left, top = area.x - page.seen.x, area.y - page.seen.y
            covers = [(x - left, y - top, width, height) for x, y, width, height in before]
            size = {"width": area.width, "height": area.height, "scale": scale}
            part = {"x": 0, "y": 0, **size, **_format(action), "covers": covers}
            plain = base64.b64encode(data).decode()
            return base64.b64decode(await _redrawn(tab, plain, part, area.width))
    raise _restless()


async def _personal(tab: Tab) -> list[_Area]:
    """Where they are, in pixels of what is in view; those in frames of the same process, too."""
    found: list[_Area] = []
    for frame in tab.frames.in_order():
        if frame.parent_id and (frame.channel is not tab.channel or not frame.world):
            continue  # Of another site, or not to be read: covered as a whole.
        boxes = await ask(await tab.frames.world(frame, 2), "actor.personalPlaces")
        if boxes is None:
            raise _restless()
        found += [await _out_of_frames(tab, frame, _Area(*box)) for box in boxes]
    return found


async def _out_of_frames(tab: Tab, frame: Frame, area: _Area) -> _Area:
    while frame.parent_id and (parent := tab.frames.by_id.get(frame.parent_id)):
        outer = await tab.frames.world(parent, 2)
        owner = await tab.frames.owner_node(frame)
        at = await outer.run("actor.fromFrame", owner, area.x, area.y)
        area, frame = area._replace(x=at["x"], y=at["y"]), parent
    return area


def _enough_for(area: _Area, seen: _Area) -> _Area:
    width = math.ceil(max(seen.width, area.x + area.width))
    height = math.ceil(max(seen.height, area.y + area.height))
    return _Area(0, 0, min(width, LONGEST_SIDE), min(height, LONGEST_SIDE))


async def _redrawn(tab: Tab, data: str, part: dict[str, Any], width: float) -> str:
    """A part of a picture, as large and in the format it was asked for."""
    main = await tab.frames.world(tab.frames.main, 2)
    redrawn: str = await main.run("actor.redraw", data, part, width)
    return redrawn


async def _veils(tab: Tab, nodes: tuple[int, ...]) -> _Veils:
    main = await tab.frames.world(tab.frames.main, 2)
    return _Veils(**await main.run("actor.veilPlaces", nodes))


@asynccontextmanager
async def _covered(tab: Tab, veils: _Veils) -> AsyncIterator[None]:
    """Let the browser draw over the elements, whatever the page does to them meanwhile."""
    if not veils.first:
        yield
        return
    main = await tab.frames.world(tab.frames.main, 2)
    handle = await main.handle("walker.element", veils.first)
    call = tab.channel.call
    try:
        await call("DOM.enable")
        await call("Overlay.enable")
        colours = dict.fromkeys(("contentColor", "paddingColor", "borderColor"), COVER)
        await call(
            "Overlay.highlightNode",
            objectId=handle,
            selector=veils.selector,
            highlightConfig=colours,
        )
        yield
    finally:
        # Sent also when the time is over: nothing of it may stay on the page.
        over = [tab.channel.post(f"{domain}.disable") for domain in ("Overlay", "DOM")]
    await asyncio.gather(*over)


@asynccontextmanager
async def _enlarged(tab: Tab, view: _Area, seen: _Area) -> AsyncIterator[None]:
    set_size = "Emulation.setDeviceMetricsOverride"
    own = tab.viewport
    usual: dict[str, Any] = {"deviceScaleFactor": 1 if own else 0, "mobile": False}
    try:
        await tab.channel.call(set_size, width=view.width, height=view.height, **usual)
        yield
    finally:
        if own:
            back = tab.channel.post(set_size, width=own[0], height=own[1], **usual)
        else:
            back = tab.channel.post("Emulation.clearDeviceMetricsOverride")
    await back
    main = await tab.frames.world(tab.frames.main, 2)
    await ask(main, "scrollTo", {"left": seen.x, "top": seen.y, "behavior": "instant"})


async def _page(tab: Tab) -> _Page:
    main = await tab.frames.world(tab.frames.main, 2)
    inner = [frame for frame in tab.frames.in_order() if frame.parent_id]
    told, *held = await asyncio.gather(
        main.run("actor.pageBox", 0), *(_held_in(tab, frame) for frame in inner)
    )
    if told["writing"] or -1 in held:
        raise HandedOver(
            "A secret field has the focus: no picture is taken of it.",
            next_step="Use the snapshot, or take the picture when the person has filled the field.",
            rule="secret-field",
        )
    page = told["page"]
    veiled = dict.fromkeys([*told["veils"], *filter(None, held)])
    return _Page(
        _Area(0, 0, page["width"], page["height"]),
        _Area(page["x"], page["y"], page["vw"], page["vh"]),
        tuple(veiled),
    )


async def _held_in(tab: Tab, frame: Frame) -> int:
    """The page's own element around a frame that has something to cover; -1 if it is written to.

    A frame of another process is of another site, and covered as such.
    """
    if frame.channel is not tab.channel:
        return 0
    told = await ask(frame.world, "actor.veils") if frame.world else None
    if told and not told["veils"] and not told["writing"]:
        return 0
    if told and told["writing"]:
        return -1
    while (above := tab.frames.by_id.get(frame.parent_id)) and above.parent_id:
        frame = above
    return await tab.frames.owner_node(frame)


# Where things are


async def _reveal(tab: Tab, target: Resolved) -> None:
    _, world = world_of(tab, target)
    if problem := problem_with(target, await world.run("actor.reveal", target.node)):
        raise problem


async def _area_of(tab: Tab, target: Resolved, page: _Page) -> _Area:
    """Where an element lies on the whole page, frames around it included."""
    frame, world = world_of(tab, target)
    answer = await world.run("actor.pageBox", target.node)
    if problem := problem_with(target, answer):
        raise problem
    left, top, width, height = answer["box"]
    x, y = left - answer["page"]["x"], top - answer["page"]["y"]
    while frame.parent_id and (parent := tab.frames.by_id.get(frame.parent_id)):
        outer = await tab.frames.world(parent, 2)
        at = await outer.run("actor.fromFrame", await tab.frames.owner_node(frame), x, y)
        x, y, frame = at["x"], at["y"], parent
    return _Area(x + page.seen.x, y + page.seen.y, width, height)

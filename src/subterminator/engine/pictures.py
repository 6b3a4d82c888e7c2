"""Takes pictures of a tab: what is in view, the whole page, or one element."""

from __future__ import annotations

import base64
from typing import Any, NamedTuple

from subterminator.actions import Screenshot
from subterminator.engine.input import problem_with, world_of
from subterminator.engine.tab import Tab
from subterminator.types import Picture, Resolved

# A larger surface than this is not drawn by every graphics stack.
LONGEST_SIDE = 16_384


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


async def take(tab: Tab, action: Screenshot, target: Resolved | None = None) -> Taken:
    if target:
        await _reveal(tab, target)
    page = await _page(tab)
    seen = _Area(page["x"], page["y"], page["vw"], page["vh"])
    if target:
        wanted = await _area_of(tab, target)
    else:
        wanted = _Area(0, 0, page["width"], page["height"]) if action.full_page else seen
    area = wanted._replace(
        width=min(max(1, round(wanted.width)), LONGEST_SIDE),
        height=min(max(1, round(wanted.height)), LONGEST_SIDE),
    )
    scale = 1.0
    if action.max_size:
        scale = min(1.0, action.max_size[0] / area.width, action.max_size[1] / area.height)
    data = await _capture(tab, action, area, scale, beyond=not seen.holds(area))
    cut = max(wanted.width, wanted.height) > LONGEST_SIDE
    note = f"cut: it is {wanted.width:.0f} x {wanted.height:.0f} pixels in all" if cut else ""
    width, height = max(1, int(area.width * scale)), max(1, int(area.height * scale))
    return Taken(Picture(data, action.format, width, height), note)


async def _capture(
    tab: Tab, action: Screenshot, area: _Area, scale: float, *, beyond: bool
) -> bytes:
    options: dict[str, Any] = {
        "format": action.format,
        "clip": {**area._asdict(), "scale": scale},
        # Only where needed: the page notices that it is drawn larger.
        "captureBeyondViewport": beyond,
        "optimizeForSpeed": True,
    }
    if action.format == "jpeg":
        options["quality"] = action.quality or 80
    shot = await tab.channel.call("Page.captureScreenshot", **options)
    return base64.b64decode(shot["data"])


async def _reveal(tab: Tab, target: Resolved) -> None:
    _, world = world_of(tab, target)
    if problem := problem_with(target, await world.run("actor.reveal", target.node)):
        raise problem


async def _page(tab: Tab) -> dict[str, float]:
    main = await tab.frames.world(tab.frames.main, 2)
    page: dict[str, float] = (await main.run("actor.pageBox", 0))["page"]
    return page


async def _area_of(tab: Tab, target: Resolved) -> _Area:
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
    page = await _page(tab)
    return _Area(x + page["x"], y + page["y"], width, height)

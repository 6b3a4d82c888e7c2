"""Does one action in a tab.

Whether it may be done was decided before; what it led to is settled after.
"""

from __future__ import annotations

import base64
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from subterminator import actions as a
from subterminator.engine import input as hand
from subterminator.engine.navigation import go
from subterminator.engine.resolve import Resolver
from subterminator.engine.tab import Tab
from subterminator.engine.waiting import wait
from subterminator.engine.world import World
from subterminator.errors import ActionFailed, FrameNotFound, InvalidParams
from subterminator.types import Flag, Resolved

Targets = Sequence[Resolved]


class Picture(NamedTuple):
    """A screenshot: the image itself, its format and its size in CSS pixels."""

    data: bytes
    format: str
    width: int
    height: int


class Done(NamedTuple):
    """What an action gives back beside its effects, and a remark about it."""

    value: Any = None
    note: str = ""


class Performer:
    """The hands of one tab."""

    def __init__(self, tab: Tab, resolver: Resolver, uploads: Path) -> None:
        self._tab, self._resolver, self._uploads = tab, resolver, uploads

    async def do(self, action: a.AtomicAction, targets: Targets, seconds: float) -> Done:
        match action:
            case a.Navigate() | a.Back() | a.Forward() | a.Reload():
                await go(self._tab, action, seconds)
                return Done()
            case a.Click() | a.Hover() | a.Drag() | a.Check() | a.Uncheck():
                return await self._point(action, targets)
            case a.Fill() | a.Clear() | a.Type() | a.Press() | a.Select() | a.Upload():
                return await self._write(action, targets)
            case a.Scroll():
                return await self._scroll(action, targets)
            case a.Wait():
                await wait(self._tab, action, self._resolver, seconds)
                return Done()
            case a.ReadText():
                return await self._read(action, targets)
            case a.Screenshot():
                return await self._picture(action, targets)
            case a.Dialog(accept=accept, text=text):
                return Done(await self._tab.answer_dialog(accept, text))
            case _:
                raise InvalidParams(f"A tab cannot do {type(action).__name__}.")

    # Pointing

    async def _point(
        self, action: a.Click | a.Hover | a.Drag | a.Check | a.Uncheck, targets: Targets
    ) -> Done:
        match action:
            case a.Click(button=button, count=count, modifiers=modifiers, hold_ms=hold):
                point = await hand.aim(self._tab, targets[0])
                await hand.Mouse(point, modifiers).click(button, count, hold)
                return Done()
            case a.Hover(modifiers=modifiers):
                point = await hand.aim(self._tab, targets[0], guard=False, allow_disabled=True)
                await hand.Mouse(point, modifiers).move()
                return Done()
            case a.Drag():
                source = await hand.aim(self._tab, targets[0], guard=False)
                target = await hand.aim(self._tab, targets[1], guard=False, allow_disabled=True)
                if source.channel is not target.channel:
                    raise ActionFailed(
                        "Dragging from one site's frame into another's is not possible."
                    )
                # Aiming at the second may have scrolled the first away.
                source = await hand.aim(self._tab, targets[0], guard=False)
                await hand.drag(source, target)
                return Done()
            case _:
                return await self._tick(targets[0], isinstance(action, a.Check))

    async def _tick(self, target: Resolved, wanted: bool) -> Done:
        _, world = hand.world_of(self._tab, target)
        if not target.flags & Flag.CHECKABLE:
            raise ActionFailed(
                f"{target.ref} {target.role} cannot be ticked.", next_step="Click it instead."
            )
        if bool(target.flags & Flag.CHECKED) == wanted:
            return Done(note=f"it was {'ticked' if wanted else 'unticked'} already")
        if target.role == "radio" and not wanted:
            raise ActionFailed(
                "A radio button cannot be unticked.", next_step="Tick another one of its group."
            )
        point = await hand.aim(self._tab, target)
        await hand.Mouse(point).click("left", 1, 0)
        state = await world.run("actor.isChecked", target.node)
        if not state.get("gone") and state["checked"] != wanted:
            return Done(note="the page did not take the tick; look at it before going on")
        return Done()

    # Writing

    async def _write(
        self,
        action: a.Fill | a.Clear | a.Type | a.Press | a.Select | a.Upload,
        targets: Targets,
    ) -> Done:
        match action:
            case a.Fill(value=value):
                return await self._fill(targets[0], value)
            case a.Clear():
                return await self._fill(targets[0], "")
            case a.Type(text=text, delay_ms=delay):
                keyboard = await self._keyboard(targets, "end")
                await keyboard.type(text, delay)
                return Done()
            case a.Press(key=key, count=count, hold_ms=hold):
                keyboard = await self._keyboard(targets, None)
                await keyboard.press(key, count, hold)
                return Done()
            case a.Select(values=values):
                world = await self._reach(targets[0])
                answer = await world.run("actor.choose", targets[0].node, list(values))
                if problem := hand.problem_with(targets[0], answer):
                    raise problem
                return Done(note=f"selected {answer['value'][:200]!r}")
            case _:
                return await self._upload(targets[0], action.files)

    async def _reach(self, target: Resolved) -> World:
        """Make sure a person could use the element now: shown, enabled, in view, not covered."""
        await hand.aim(self._tab, target, guard=False)
        return hand.world_of(self._tab, target)[1]

    async def _keyboard(self, targets: Targets, place: str | None) -> hand.Keyboard:
        if not targets:
            return hand.Keyboard(self._tab.channel)
        world = await self._reach(targets[0])
        if place is None:
            await world.run("actor.focus", targets[0].node)
        else:
            await self._enter(world, targets[0], place)
        return hand.Keyboard(world.channel)

    async def _enter(self, world: World, target: Resolved, place: str) -> dict[str, Any]:
        answer: dict[str, Any] = await world.run("actor.enter", target.node, place)
        if problem := hand.problem_with(target, answer):
            raise problem
        return answer

    async def _fill(self, target: Resolved, value: str) -> Done:
        world = await self._reach(target)
        field = await self._enter(world, target, "all")
        keyboard = hand.Keyboard(world.channel)
        if field["kind"] == "set":
            answer = await world.run("actor.setValue", target.node, value)
            if problem := hand.problem_with(target, answer):
                raise problem
        elif value:
            await keyboard.insert(value)
        elif not field["empty"]:
            await keyboard.press("Delete", 1, 0)
        held = await world.run("actor.holds", target.node, value)
        if held.get("gone") or held["same"]:
            return Done()
        shown = "something else" if held["value"] is None else repr(held["value"][:200])
        return Done(note=f"the field now holds {shown}, not what was written")

    async def _upload(self, target: Resolved, files: Sequence[str | a.File]) -> Done:
        _, world = hand.world_of(self._tab, target)
        if target.facts.type != "file" and target.role != "file":
            raise ActionFailed(f"{target.ref} {target.role} is not a file field.")
        paths = [self._path_of(file) for file in files]
        handle = await world.handle("walker.element", target.node)
        await world.channel.call("DOM.setFileInputFiles", files=paths, objectId=handle)
        return Done(note=f"{len(paths)} file(s) chosen")

    def _path_of(self, file: str | a.File) -> str:
        if isinstance(file, str):
            path = Path(file).expanduser().resolve()
            if not path.is_file():
                raise InvalidParams(f"There is no file {file!r}.")
            return str(path)
        name = Path(file.name).name
        if name in {"", ".", ".."}:
            raise InvalidParams(f"{file.name!r} is not a file name.")
        folder = self._uploads / str(time.monotonic_ns())
        folder.mkdir(mode=0o700, parents=True)
        path = folder / name
        path.write_bytes(file.content)
        return str(path)

    # Looking

    async def _scroll(self, action: a.Scroll, targets: Targets) -> Done:
        if targets and action.direction is None:
            _, world = hand.world_of(self._tab, targets[0])
            answer = await world.run("actor.reveal", targets[0].node)
            if problem := hand.problem_with(targets[0], answer):
                raise problem
            return Done()
        world, node = (
            (hand.world_of(self._tab, targets[0])[1], targets[0].node)
            if targets
            else (await self._tab.frames.world(self._tab.frames.main, 2), 0)
        )
        move = {"direction": action.direction or "to", "amount": action.amount, "to": action.to}
        place = await world.run("actor.scroll", node, move)
        edge = "" if place["moved"] else "nothing moved: it is at the end already"
        return Done(place, edge)

    async def _read(self, action: a.ReadText, targets: Targets) -> Done:
        if targets:
            _, world = hand.world_of(self._tab, targets[0])
            return Done(await world.run("actor.readText", targets[0].node, action.max_length))
        frame = self._tab.frames.main
        if action.frame is not None:
            found = self._tab.frame_named(action.frame)
            if found is None:
                raise FrameNotFound(f"There is no frame {action.frame!r}.")
            frame = found
        world = await self._tab.frames.world(frame, 2)
        return Done(await world.run("actor.readText", 0, action.max_length))

    async def _picture(self, action: a.Screenshot, targets: Targets) -> Done:
        main = await self._tab.frames.world(self._tab.frames.main, 2)
        page = (await main.run("actor.pageBox", 0))["page"]
        x, y, width, height = page["x"], page["y"], page["vw"], page["vh"]
        if targets:
            await hand.aim(self._tab, targets[0], guard=False, allow_disabled=True)
            x, y, width, height = await self._box_on_page(targets[0])
        elif action.full_page:
            x, y, width, height = 0, 0, page["width"], page["height"]
        options: dict[str, Any] = {"format": action.format}
        if action.format == "jpeg":
            options["quality"] = action.quality or 80
        if targets or action.full_page:
            clip = {"x": x, "y": y, "width": max(1, width), "height": max(1, height), "scale": 1}
            options |= {"clip": clip, "captureBeyondViewport": True}
        else:
            options["optimizeForSpeed"] = True
        shot = await self._tab.channel.call("Page.captureScreenshot", **options)
        return Done(
            Picture(base64.b64decode(shot["data"]), action.format, round(width), round(height))
        )

    async def _box_on_page(self, target: Resolved) -> tuple[float, float, float, float]:
        """Where an element lies on the whole page, frames around it included."""
        frame, world = hand.world_of(self._tab, target)
        answer = await world.run("actor.pageBox", target.node)
        left, top, width, height = answer["box"]
        x, y = left - answer["page"]["x"], top - answer["page"]["y"]
        while frame.parent_id and (parent := self._tab.frames.by_id.get(frame.parent_id)):
            outer = await self._tab.frames.world(parent, 2)
            at = await outer.run("actor.fromFrame", await self._tab.frames.owner_node(frame), x, y)
            x, y, frame = at["x"], at["y"], parent
        main = await self._tab.frames.world(self._tab.frames.main, 2)
        page = (await main.run("actor.pageBox", 0))["page"]
        return x + page["x"], y + page["y"], width, height

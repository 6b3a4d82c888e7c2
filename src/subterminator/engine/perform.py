"""Does one action in a tab.

Whether it may be done was decided before; what it led to is settled after.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

from subterminator import actions as a
from subterminator.engine import input as hand
from subterminator.engine import pictures
from subterminator.engine.base import Judge, unjudged
from subterminator.engine.choosing import Chooser
from subterminator.engine.navigation import go
from subterminator.engine.resolve import Resolver
from subterminator.engine.tab import Tab
from subterminator.engine.waiting import wait
from subterminator.engine.world import World
from subterminator.errors import (
    ActionFailed,
    ElementNotVisible,
    HandedOver,
    InvalidParams,
    SubTerminatorError,
    Timeout,
)
from subterminator.types import Flag, Resolved

Targets = Sequence[Resolved]
# Going and waiting have limits of their own, whose words say more.
GRACE_SECONDS = 1.0
# A page may draw its own tick a moment after the press.
TICK_MS = 300


class Done(NamedTuple):
    """What an action gives back beside its effects, and a remark about it."""

    value: Any = None
    note: str = ""


class Performer:
    """The hands of one tab."""

    def __init__(self, tab: Tab, resolver: Resolver, uploads: Path) -> None:
        self._tab, self._resolver, self._uploads = tab, resolver, uploads
        self._sent = False
        self._judge: Judge = unjudged

    async def do(
        self,
        action: a.AtomicAction,
        targets: Targets,
        seconds: float,
        judge: Judge = unjudged,
    ) -> Done:
        """An error says whether anything may have reached the page before it.

        `judge` is asked about whatever has to be pressed besides the targets.
        """
        self._sent, self._judge = False, judge
        try:
            async with asyncio.timeout(seconds + GRACE_SECONDS):
                return await self._do(action, targets, seconds)
        except TimeoutError:
            late = Timeout(f"The page did not take it within {seconds:.1f} s.")
            late.delivered = self._sent
            raise late from None
        except SubTerminatorError as fault:
            fault.delivered = fault.delivered or self._sent
            raise

    async def _do(self, action: a.AtomicAction, targets: Targets, seconds: float) -> Done:
        match action:
            case a.Navigate() | a.Back() | a.Forward() | a.Reload():
                await go(self._tab, action, seconds)
                return Done()
            case a.Click() | a.Hover() | a.Drag() | a.Check() | a.Uncheck():
                return await self._point(action, targets)
            case a.Fill() | a.Clear() | a.Type() | a.Press() | a.Select() | a.Upload():
                return await self._write(action, targets, seconds)
            case a.Scroll():
                return await self._scroll(action, targets)
            case a.Wait():
                await wait(self._tab, action, self._resolver, seconds)
                return Done()
            case a.ReadText():
                return await self._read(action, targets)
            case a.Screenshot():
                return Done(*await pictures.take(self._tab, action, *targets))
            case a.Dialog(accept=accept, text=text):
                self._sending()
                return Done(await self._tab.dialogs.answer(accept, text))
            case _:
                raise InvalidParams(f"A tab cannot do {type(action).__name__}.")

    def _sending(self) -> None:
        """From here on the page may have noticed: the action is never made again."""
        self._sent = True

    # Pointing

    async def _point(
        self, action: a.Click | a.Hover | a.Drag | a.Check | a.Uncheck, targets: Targets
    ) -> Done:
        match action:
            case a.Click(button=button, count=count, modifiers=modifiers, hold_ms=hold):
                point = await hand.aim(self._tab, targets[0])
                self._sending()
                await hand.Mouse(point, modifiers).click(button, count, hold)
                return Done()
            case a.Hover(modifiers=modifiers):
                point = await hand.aim(self._tab, targets[0], guard=False, allow_disabled=True)
                self._sending()
                await hand.Mouse(point, modifiers).move()
                return Done()
            case a.Drag():
                await self._drag(targets[0], targets[1])
                return Done()
            case _:
                return await self._tick(targets[0], isinstance(action, a.Check))

    async def _drag(self, from_: Resolved, to: Resolved) -> None:
        await hand.aim(self._tab, from_, guard=False)
        await self._run(hand.world_of(self._tab, to)[1], to, "actor.reveal", "nearest")
        try:
            source = await hand.aim(self._tab, from_, guard=False, still=True)
            target = await hand.aim(self._tab, to, guard=False, allow_disabled=True, still=True)
        except ElementNotVisible:
            raise ActionFailed(
                f"{from_.ref} and {to.ref} cannot be seen at the same time.",
                next_step="Drag in smaller steps, or use the page's other way to move it.",
            ) from None
        if source.channel is not target.channel:
            raise ActionFailed("Dragging from one site's frame into another's is not possible.")
        self._sending()
        await hand.drag(source, target)

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
        self._sending()
        await hand.Mouse(point).click("left", 1, 0)
        return Done(note=await self._untaken(world, target, wanted))

    async def _untaken(self, world: World, target: Resolved, wanted: bool) -> str:
        state = {"id": target.node, "state": "checked" if wanted else "unchecked"}
        answer = await hand.ask(world, "actor.until", state, TICK_MS)
        if answer is not False or await hand.ask(world, "walker.describe", target.node) is None:
            return ""
        return "the page did not take the tick; look at it before going on"

    # Writing

    async def _write(
        self,
        action: a.Fill | a.Clear | a.Type | a.Press | a.Select | a.Upload,
        targets: Targets,
        seconds: float,
    ) -> Done:
        match action:
            case a.Fill(value=value):
                return await self._fill(targets[0], value)
            case a.Clear():
                return await self._fill(targets[0], "")
            case a.Type(text=text, delay_ms=delay):
                keyboard = await self._keyboard(targets, "end")
                async with self._keeping_secrets():
                    await keyboard.type(text, delay)
                return Done()
            case a.Press(key=key, count=count, hold_ms=hold):
                keyboard = await self._keyboard(targets, None)
                async with self._keeping_secrets():
                    await keyboard.press(key, count, hold)
                return Done()
            case a.Select(values=values):
                pressing = (self._sending, self._judge)
                chooser = Chooser(self._tab, self._resolver, targets[0], *pressing)
                return Done(note=await chooser.choose(values, seconds))
            case _:
                return await self._upload(targets[0], action.files)

    async def _reach(self, target: Resolved) -> World:
        """Make sure a person could use the element now: shown, enabled, in view, not covered."""
        await hand.aim(self._tab, target, guard=False)
        return hand.world_of(self._tab, target)[1]

    async def _keyboard(self, targets: Targets, place: str | None) -> hand.Keyboard:
        channel = self._tab.channel
        if targets:
            world = await self._reach(targets[0])
            channel = world.channel
            if place is None:
                await self._run(world, targets[0], "actor.focus")
            else:
                await self._run(world, targets[0], "actor.enter", place)
        self._sending()
        return hand.Keyboard(channel)

    @asynccontextmanager
    async def _keeping_secrets(self) -> AsyncIterator[None]:
        """In every frame: the focus can move from one to the next while keys are pressed."""
        worlds = [frame.world for frame in self._tab.frames.in_order() if frame.world]
        await asyncio.gather(*(hand.ask(world, "actor.keepSecrets", True) for world in worlds))
        try:
            yield
        finally:
            # Sent also when the time is over: the person must be able to type again.
            over = [(world, world.post("actor.keepSecrets", False)) for world in worlds]
        fields = await asyncio.gather(*(hand.answer(world, reply) for world, reply in over))
        if field := next(filter(None, fields), ""):
            raise HandedOver(
                f"The focus moved to {field}; what was typed from there on was stopped.",
                next_step="Ask the person to fill that field.",
                rule="secret-field",
            )

    async def _run(
        self, world: World, target: Resolved, function: str, *arguments: object
    ) -> dict[str, Any]:
        answer: dict[str, Any] = await world.run(function, target.node, *arguments)
        if problem := hand.problem_with(target, answer):
            raise problem
        return answer

    async def _fill(self, target: Resolved, value: str) -> Done:
        world = await self._reach(target)
        # What was judged may only have been a box around the field that gets the focus.
        field = await self._run(world, target, "actor.enter", "all")
        keyboard = hand.Keyboard(world.channel)
        self._sending()
        # The focus can be moved by the page on the way into the field.
        async with self._keeping_secrets():
            if field["kind"] == "set":
                await self._run(world, target, "actor.setValue", value)
            elif value:
                await keyboard.insert(value)
            elif not field["empty"]:
                await keyboard.press("Delete", 1, 0)
            # Asked for before the guard goes, so that one wait is for both.
            holding = world.post("actor.holds", target.node, value)
        held = await hand.answer(world, holding)
        if held is None or held.get("gone") or held["same"]:
            return Done()
        shown = "something else" if held["value"] is None else repr(held["value"][:200])
        return Done(note=f"the field now holds {shown}, not what was written")

    async def _upload(self, target: Resolved, files: Sequence[str | a.File]) -> Done:
        _, world = hand.world_of(self._tab, target)
        field = await self._run(world, target, "actor.fileField")
        if len(files) > 1 and not field["multiple"]:
            raise ActionFailed(f"{target.ref} {target.role} takes one file only.")
        paths = [self._path_of(file) for file in files]
        handle = await world.handle("walker.element", field["id"])
        self._sending()
        await world.channel.call("DOM.setFileInputFiles", files=paths, objectId=handle)
        return Done(note=f"{len(paths)} file(s) chosen")

    def _path_of(self, file: str | a.File) -> str:
        if isinstance(file, str):
            path = Path(file).expanduser().resolve()
            if not path.is_file():
                raise InvalidParams(f"There is no file {file!r}.", next_step="Check the path.")
            return str(path)
        name = Path(file.name).name
        if name in {"", ".", ".."} or "\0" in name:
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
            answer = await self._run(world, targets[0], "actor.reveal")
            return Done(note="" if answer["moved"] else "it was in view already")
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
            return Done(await self._run(world, targets[0], "actor.readText", action.max_length))
        frame = self._tab.frames.main
        if action.frame is not None:
            frame = self._tab.find_frame(action.frame)
        world = await self._tab.frames.world(frame, 2)
        inside = sum(child.parent_id == frame.id for child in self._tab.frames.by_id.values())
        note = f"the text of {inside} frame(s) in it is not part of this" if inside else ""
        return Done(await world.run("actor.readText", 0, action.max_length), note)

"""Trusted input: a press lands on the element that was meant or it is not made."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable
from typing import Any, NamedTuple

from msgspec import Raw

from subterminator.engine.cdp import Channel
from subterminator.engine.frames import Frame
from subterminator.engine.resolve import holder_of
from subterminator.engine.tab import Tab
from subterminator.engine.world import World, WorldGone, silence
from subterminator.errors import (
    ActionFailed,
    DialogOpen,
    ElementDisabled,
    ElementNotVisible,
    ElementObscured,
    HandedOver,
    NotTypable,
    RefInvalid,
    SubTerminatorError,
)
from subterminator.keys import MODIFIERS, Chord, Key, key_for, parse_chord
from subterminator.types import Resolved

BUTTON_BITS = {"none": 0, "left": 1, "right": 2, "middle": 4}
DRAG_STEPS = 5
TAKEN_SECONDS = 8.0


class Point(NamedTuple):
    """Where to press: in the coordinates of the channel's own outermost frame."""

    channel: Channel
    x: float
    y: float


def world_of(tab: Tab, target: Resolved) -> tuple[Frame, World]:
    found = holder_of(tab, target.world, target.node)
    if found is None:
        raise RefInvalid(f"{_call(target)} belonged to a document that is gone.")
    return found.frame, found.world


def came_between(what: str) -> ElementObscured:
    return ElementObscured(f"{what} came between at the press; the press was stopped.")


async def aim(
    tab: Tab,
    target: Resolved,
    *,
    guard: bool = True,
    allow_disabled: bool = False,
    still: bool = False,
) -> Point:
    """Check, scroll and hit-test an element, in its own frame and in every frame around it.

    With `still` nothing is scrolled: it must be in view already.
    """
    frame, world = world_of(tab, target)
    expected = {"role": target.role, "name": target.name}
    x, y, width, height = target.box
    answer = await _run(
        world,
        "actor.ready",
        target.node,
        {
            "expected": expected,
            "guard": guard,
            "allow_disabled": allow_disabled,
            "still": still,
            "box": {"x": x, "y": y, "width": width, "height": height},
        },
    )
    if problem := problem_with(target, answer):
        raise problem
    return await _climb(tab, frame, target, answer["x"], answer["y"])


async def _climb(tab: Tab, frame: Frame, target: Resolved, x: float, y: float) -> Point:
    press: Point | None = None
    while frame.parent_id and (parent := tab.frames.by_id.get(frame.parent_id)):
        if press is None and parent.channel is not frame.channel:
            press = Point(frame.channel, x, y)
        owner = await tab.frames.owner_node(frame)
        outer = await tab.frames.world(parent, 2)
        answer = await _run(outer, "actor.through", owner, x, y)
        if problem := problem_with(target, answer):
            raise problem
        x, y, frame = answer["x"], answer["y"], parent
    return press or Point(tab.channel, x, y)


async def _run(world: World, function: str, *arguments: object) -> dict[str, Any]:
    try:
        answer: dict[str, Any] = await world.run(function, *arguments)
        return answer
    except WorldGone:
        return {"problem": "gone"}


async def ask(world: World, function: str, *arguments: object) -> Any:
    """Ask something after a press: None if the press led to another document or to a dialog."""
    return await answer(world, world.post(function, *arguments))


async def answer(world: World, reply: asyncio.Future[Raw]) -> Any:
    try:
        return (await world.read(reply)).value
    except (WorldGone, DialogOpen):
        return None


def problem_with(target: Resolved, answer: dict[str, Any]) -> SubTerminatorError | None:
    """The page side's finding as a typed error."""
    what = _call(target)
    match answer.get("problem"):
        case None:
            return None
        case "gone":
            return RefInvalid(f"{what} is no longer in the page.")
        case "changed":
            now = f"{answer['role']} {answer['name'][:80]!r}"
            return RefInvalid(f"{what} has changed: it is now {now}.")
        case "disabled":
            return ElementDisabled(f"{what} is disabled.")
        case "not_visible":
            return ElementNotVisible(
                f"{what} cannot be seen: {answer.get('why') or 'no visible part'}."
            )
        case "obscured":
            return ElementObscured(f"{what} is covered by {answer['by']}.", covered_by=answer["by"])
        case "moving":
            return ActionFailed(
                f"{what} does not stop moving.", next_step="Wait for the animation to end."
            )
        case "readonly":
            return ElementDisabled(f"{what} is read-only.", next_step="Choose another field.")
        case problem:
            return _field_problem(what, str(problem), answer)


def _field_problem(what: str, problem: str, answer: dict[str, Any]) -> SubTerminatorError:
    match problem:
        case "not_a_field":
            return NotTypable(f"{what} is not a text field.")
        case "no_focus":
            return ActionFailed(
                f"{what} does not take the keyboard focus.",
                next_step="Press the key without a target, or click the element first.",
            )
        case "not_a_file_field":
            return ActionFailed(
                f"{what} is not a file field.",
                next_step="Name the file field itself, by css:input[type=file] if it is hidden.",
            )
        case "not_a_select":
            return ActionFailed(
                f"{what} is not a native drop-down.",
                next_step="Click it, then click the option in the new snapshot.",
            )
        case "one_only":
            return ActionFailed(f"{what} takes one option only.")
        case "no_option":
            known = ", ".join(repr(option) for option in answer["options"][:20])
            return ActionFailed(
                f"{what} has no option {answer['wanted']!r}.", next_step=f"It has: {known}."
            )
        case "option_disabled":
            return ElementDisabled(f"Option {answer['wanted']!r} of {what} is disabled.")
        case "secret":
            return HandedOver(
                f"{what} holds a secret field; nothing was typed.",
                next_step="Ask the person to fill it.",
                rule="secret-field",
            )
        case "bad_value":
            return ActionFailed(
                f"{what} does not take this value.",
                next_step=f"It is a {answer['type']} field; use its format.",
            )
        case _:
            return ActionFailed(f"{what}: {problem}.")


def _call(target: Resolved) -> str:
    return f"{target.ref} {target.role} {target.name[:80]!r}"


class Mouse:
    """Presses at a point. Each press is sent once; nothing here repeats."""

    def __init__(self, point: Point, modifiers: Iterable[str] = ()) -> None:
        self._point = point
        self._modifiers = sum(MODIFIERS[_platform(name)] for name in set(modifiers))

    async def move(self) -> None:
        await _delivered(self._send("mouseMoved", "none", 0))

    async def click(self, button: str, count: int, hold_ms: int) -> None:
        self._send("mouseMoved", "none", 0)
        for nth in range(1, count + 1):
            await self._press(button, nth, hold_ms)

    async def _press(self, button: str, nth: int, hold_ms: int) -> None:
        pressed = self._send("mousePressed", button, nth)
        try:
            if hold_ms:
                await _delivered(pressed)
                await asyncio.sleep(hold_ms / 1000)  # holding is the action itself
        finally:
            # Also when the time is over: a button must not stay down.
            released = self._send("mouseReleased", button, nth)
        # The acknowledgement of the release fixes the order: what follows sees its effect.
        await _delivered(released)

    def _send(self, kind: str, button: str, nth: int) -> asyncio.Future[Any]:
        channel, x, y = self._point
        return channel.post(
            "Input.dispatchMouseEvent",
            type=kind,
            x=x,
            y=y,
            button=button,
            buttons=BUTTON_BITS[button] if kind == "mousePressed" else 0,
            clickCount=nth,
            modifiers=self._modifiers,
        )


async def _delivered(reply: asyncio.Future[Any]) -> None:
    try:
        async with asyncio.timeout(TAKEN_SECONDS):
            await reply
    except TimeoutError:
        raise silence("it is busy with this input") from None
    except DialogOpen:
        return  # The press opened a dialog: it was delivered, and the reply says what is open.


async def drag(source: Point, target: Point) -> None:
    """Drag by mouse; where the page uses the browser's own drag and drop, that is completed too."""
    channel = source.channel
    await channel.call("Input.setInterceptDrags", enabled=True)
    taken: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
    channel.on(
        "Input.dragIntercepted", lambda e: None if taken.done() else taken.set_result(e["data"])
    )
    try:
        await _pull(source, target, taken)
    except DialogOpen:
        pass  # It was delivered, and the reply says what is open.
    finally:
        # Sent also when the time is over: a button must not stay down.
        released = _move(target, "mouseReleased", buttons=0)
        over = channel.post("Input.setInterceptDrags", enabled=False)
    await _delivered(released)
    await over


async def _pull(source: Point, target: Point, taken: asyncio.Future[dict[str, Any]]) -> None:
    await _move(source, "mouseMoved", button="none", buttons=0)
    await _move(source, "mousePressed")
    for step in range(1, DRAG_STEPS + 1):
        x = source.x + (target.x - source.x) * step / DRAG_STEPS
        y = source.y + (target.y - source.y) * step / DRAG_STEPS
        await _move(Point(source.channel, x, y), "mouseMoved")
        if taken.done():
            for kind in ("dragEnter", "dragOver", "drop"):
                await source.channel.call(
                    "Input.dispatchDragEvent", type=kind, x=target.x, y=target.y, data=await taken
                )
            return


def _move(
    point: Point, kind: str, *, button: str = "left", buttons: int = 1
) -> asyncio.Future[Any]:
    return point.channel.post(
        "Input.dispatchMouseEvent", type=kind, x=point.x, y=point.y,
        button=button, buttons=buttons, clickCount=1,
    )  # fmt: skip


class Keyboard:
    """Keys to whatever has the focus."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    async def insert(self, text: str) -> None:
        await _delivered(self._channel.post("Input.insertText", text=text))

    async def type(self, text: str, delay_ms: int) -> None:
        for character in text.replace("\r\n", "\n"):
            key = key_for(character)
            if key is None:
                await self.insert(character)
            else:
                await self._stroke(Chord(key, 0), 0)
            if delay_ms:
                await asyncio.sleep(delay_ms / 1000)  # the pace is what was asked for

    async def press(self, written: str, count: int, hold_ms: int) -> None:
        chord = parse_chord(written, on_mac=sys.platform == "darwin")
        for _ in range(count):
            await self._stroke(chord, hold_ms)

    async def _stroke(self, chord: Chord, hold_ms: int) -> None:
        key, modifiers = chord
        # With Control, Alt or Meta a key is a command, not a character.
        text = key.text if not modifiers & ~MODIFIERS["Shift"] else ""
        down = self._send("keyDown" if text else "rawKeyDown", key, modifiers, text)
        try:
            if hold_ms:
                await _delivered(down)
                await asyncio.sleep(hold_ms / 1000)  # holding is the action itself
        finally:
            up = self._send("keyUp", key, modifiers, "")
        await _delivered(up)

    def _send(self, kind: str, key: Key, modifiers: int, text: str) -> asyncio.Future[Any]:
        extra: dict[str, Any] = {"text": text, "unmodifiedText": text} if text else {}
        if kind != "keyUp" and modifiers & (MODIFIERS["Control"] | MODIFIERS["Meta"]):
            extra["commands"] = _commands(key)
        return self._channel.post(
            "Input.dispatchKeyEvent",
            type=kind,
            key=key.key,
            code=key.code,
            windowsVirtualKeyCode=key.number,
            modifiers=modifiers,
            **extra,
        )


def _commands(key: Key) -> list[str]:
    """Editing shortcuts that the platform would add; a headless browser has none."""
    known = {"a": "selectAll", "c": "copy", "x": "cut", "v": "paste", "z": "undo", "y": "redo"}
    return [known[key.key.lower()]] if key.key.lower() in known else []


def _platform(modifier: str) -> str:
    if modifier == "ControlOrMeta":
        return "Meta" if sys.platform == "darwin" else "Control"
    return modifier

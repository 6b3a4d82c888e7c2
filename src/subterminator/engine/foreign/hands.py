"""Does one action through the tools of Playwright MCP; what they cannot do is refused."""

from __future__ import annotations

import base64
import binascii
import json
import re
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urldefrag

from subterminator import actions as a
from subterminator.engine.foreign.outline import target_of
from subterminator.engine.foreign.reply import Reply
from subterminator.engine.foreign.server import Server
from subterminator.errors import (
    ActionFailed,
    DialogOpen,
    ElementDisabled,
    ElementNotVisible,
    ElementObscured,
    InvalidParams,
    NavigationFailed,
    RefInvalid,
    SubTerminatorError,
)
from subterminator.types import Flag, Picture, Resolved

Targets = Sequence[Resolved]
WORLD = re.compile(r".*/f(\d+)")
WHEEL = 600
TO_THE_END = 1_000_000
DIRECTIONS = {
    "up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0),
    "top": (0, -1), "bottom": (0, 1),
}  # fmt: skip
# Sentences of the server that mean: nothing has reached the page yet.
UNTOUCHED = (
    ("not found in the current page snapshot", RefInvalid, "It is no longer in the page."),
    ("does not match any elements", RefInvalid, "It is gone, or is called otherwise now."),
    ("intercepts pointer events", ElementObscured, "Something else lies over it."),
    ("element is not enabled", ElementDisabled, "It is disabled."),
    ("element is not visible", ElementNotVisible, "It is not visible."),
    ("element is outside of the viewport", ElementNotVisible, "It cannot be scrolled into view."),
    ("element is not an <input>", ActionFailed, "It is no field."),
    ("did not find some options", ActionFailed, "It has no such option."),
)  # fmt: skip
OTHER_ENGINE = "Use the built-in engine for it: leave out --engine."


class Done(NamedTuple):
    """What an action gives back beside its effects, and a remark about it."""

    value: Any = None
    note: str = ""
    reply: Reply | None = None


class Hands:
    """The actions, each as one or a few calls."""

    def __init__(self, server: Server, is_named: Callable[[Resolved], bool]) -> None:
        """`is_named`: whether the server itself calls an element by the name we know it by."""
        self._server = server
        self._is_named = is_named

    async def do(self, action: a.AtomicAction, targets: Targets, seconds: float) -> Done:
        match action:
            case a.Navigate() | a.Back() | a.Forward() | a.Reload():
                return await self._go(action, seconds)
            case a.Click() | a.Hover() | a.Drag() | a.Check() | a.Uncheck():
                return await self._point(action, targets)
            case a.Fill() | a.Clear() | a.Type() | a.Press() | a.Select() | a.Upload():
                return await self._write(action, targets)
            case a.Scroll():
                return await self._scroll(action, targets)
            case a.Screenshot():
                return await self._picture(action, targets)
            case a.Dialog(accept=accept, text=text):
                return await self._answer(accept, text)
            case _:
                raise unable(f"{type(action).__name__} is no action of a page here.")

    # Going

    async def _go(self, action: a.Navigate | a.Back | a.Forward | a.Reload, seconds: float) -> Done:
        match action:
            case a.Navigate(url=url):
                await self._load(url, seconds)
            case a.Reload():
                await self._load(self._server.page.url, seconds)
            case a.Back():
                await self._call("browser_navigate_back", {}, seconds)
            case _:
                raise unable("It cannot go forward.", "Navigate to the address instead.")
        return Done()

    async def _load(self, url: str, seconds: float) -> None:
        here = self._server.page.url
        if urldefrag(url).url == urldefrag(here).url and url != "about:blank":
            # The same document would only be scrolled; what is wanted is to have it fresh.
            await self._server.call("browser_navigate", {"url": "about:blank"}, seconds)
        reply = await self._server.call("browser_navigate", {"url": url}, seconds)
        if reply.failed and not reply.dialog:
            fault = NavigationFailed(f"{url[:200]} cannot be opened: {_sentence(reply.failed)}")
            fault.delivered = True
            raise fault

    # Pointing

    async def _point(
        self, action: a.Click | a.Hover | a.Drag | a.Check | a.Uncheck, targets: Targets
    ) -> Done:
        match action:
            case a.Click():
                return await self._click(action, targets[0])
            case a.Hover(modifiers=modifiers):
                if modifiers:
                    raise unable("It cannot hold keys while it hovers.", OTHER_ENGINE)
                await self._call("browser_hover", {"target": self._aim(targets[0])})
                return Done()
            case a.Drag():
                start, end = targets
                ways = {"startTarget": self._aim(start), "endTarget": self._aim(end)}
                await self._call("browser_drag", ways)
                return Done()
            case _:
                return await self._tick(targets[0], isinstance(action, a.Check))

    async def _click(self, action: a.Click, target: Resolved) -> Done:
        if action.count > 2:
            raise unable("It clicks once or twice.", "Ask for fewer clicks.")
        if action.hold_ms:
            return await self._hold(action, target)
        wish: dict[str, Any] = {"target": self._aim(target)}
        if action.button != "left":
            wish["button"] = action.button
        if action.count == 2:
            wish["doubleClick"] = True
        if action.modifiers:
            wish["modifiers"] = list(action.modifiers)
        return Done(reply=await self._call("browser_click", wish))

    async def _hold(self, action: a.Click, target: Resolved) -> Done:
        if action.count > 1 or action.modifiers:
            raise unable("It holds the button down once, without keys.", OTHER_ENGINE)
        button = {"button": action.button}
        await self._call("browser_hover", {"target": self._aim(target)})
        await self._call("browser_mouse_down", button)
        await self._server.call("browser_wait_for", {"time": action.hold_ms / 1000})
        return Done(reply=await self._call("browser_mouse_up", button))

    async def _tick(self, target: Resolved, wanted: bool) -> Done:
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
        return Done(reply=await self._call("browser_click", {"target": self._aim(target)}))

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
            case a.Type(text=text):
                return await self._type(text, targets)
            case a.Press(key=key, count=count, hold_ms=hold):
                return await self._press(key, count, hold, targets)
            case a.Select(values=values):
                wish = {"target": self._aim(targets[0]), "values": list(values)}
                return Done(reply=await self._call("browser_select_option", wish))
            case _:
                return await self._upload(targets[0], action.files)

    async def _fill(self, target: Resolved, value: str) -> Done:
        wish = {"target": self._aim(target), "text": value}
        return Done(reply=await self._call("browser_type", wish))

    async def _type(self, text: str, targets: Targets) -> Done:
        if not targets:
            raise unable("It types into a field that is named.", "Name the field.")
        if "\n" in text.rstrip("\n") or "\t" in text:
            raise unable("It types one line at a time.", "Send the lines one by one.")
        wish: dict[str, Any] = {"target": self._aim(targets[0]), "text": text.rstrip("\n")}
        if targets[0].facts.value:
            raise unable("It cannot type behind what a field holds.", "Fill the field instead.")
        wish |= {"slowly": True, "submit": text.endswith("\n")}
        return Done(reply=await self._call("browser_type", wish))

    async def _press(self, key: str, count: int, hold: int, targets: Targets) -> Done:
        if hold:
            raise unable("It cannot hold a key down.", OTHER_ENGINE)
        if targets and not targets[0].flags & Flag.FOCUSED:
            raise unable(
                "It presses keys where the focus is, and the focus is elsewhere.",
                "Click the field first, then press the key without a target.",
            )
        reply = None
        for _ in range(count):
            reply = await self._call("browser_press_key", {"key": key})
        return Done(reply=reply)

    async def _upload(self, target: Resolved, files: Sequence[str | a.File]) -> Done:
        folder = Path(self._server.files) / f"uploads-{time.monotonic_ns()}"
        paths = [_copy(file, folder) for file in files]
        reply = await self._call("browser_click", {"target": self._aim(target)})
        if not reply.chooser:
            raise delivered(ActionFailed(f"{target.ref} {target.role} takes no files."))
        await self._call("browser_file_upload", {"paths": paths})
        return Done(note=f"{len(paths)} file(s) chosen")

    # Looking

    async def _scroll(self, action: a.Scroll, targets: Targets) -> Done:
        if action.to is not None:
            raise unable("It cannot scroll to a point.", "Scroll by a direction instead.")
        if targets:
            await self._call("browser_hover", {"target": self._aim(targets[0])})
        if action.direction is None:
            return Done()
        across, down = DIRECTIONS[action.direction]
        far = TO_THE_END if action.direction in {"top", "bottom"} else action.amount or WHEEL
        await self._call("browser_mouse_wheel", {"deltaX": across * far, "deltaY": down * far})
        return Done()

    async def _picture(self, action: a.Screenshot, targets: Targets) -> Done:
        if action.masked:
            raise unable("It cannot cover what is personal in a picture.", OTHER_ENGINE)
        if action.quality or action.max_size:
            raise unable("It takes pictures as they are.", "Leave out quality and max_size.")
        wish: dict[str, Any] = {"type": action.format, "fullPage": action.full_page}
        if targets:
            wish = {"type": action.format, "target": self._aim(targets[0])}
        reply = await self._call("browser_take_screenshot", wish)
        try:
            data = base64.b64decode(reply.image, validate=True)
        except binascii.Error:
            data = b""
        if not data:
            raise ActionFailed("The browser server gave no picture.")
        return Done(Picture(data, action.format, *_size(data)))

    async def _answer(self, accept: bool, text: str | None) -> Done:
        dialog = self._server.dialog
        if dialog is None:
            raise ActionFailed("No dialog is open.", next_step="Look at the page.")
        wish: dict[str, Any] = {"accept": accept}
        if text is not None:
            wish["promptText"] = text
        reply = await self._call("browser_handle_dialog", wish)
        return Done(reply=reply)

    def _aim(self, target: Resolved) -> str:
        """The element by its ref and, as far as it can be said, by its role and name as well.

        The server looks for it when it acts: what has been renamed since is not pressed.
        """
        ref = _ref(target)
        if not self._is_named(target):
            return ref
        # The inner quotes are not JSON: they know no escapes but of themselves.
        name = target.name.replace("\\", "\\\\").replace('"', '\\"')
        named = f'internal:role={target.role}[name="{name}"s]'
        return f"aria-ref={ref} >> internal:and={json.dumps(named)}"

    async def _call(self, tool: str, arguments: Mapping[str, Any], seconds: float = 30.0) -> Reply:
        reply = await self._server.call(tool, arguments, seconds)
        if reply.failed:
            raise failure(reply)
        return reply


def failure(reply: Reply) -> SubTerminatorError:
    """What the server says went wrong, as an error of ours."""
    if reply.dialog and "does not handle the modal state" in reply.failed:
        return DialogOpen(f"A {reply.dialog.kind} dialog is open: {reply.dialog.message[:200]!r}.")
    for words, kind, said in UNTOUCHED:
        if words in reply.failed:
            return kind(said)
    return delivered(ActionFailed(_sentence(reply.failed)))


def delivered(fault: SubTerminatorError) -> SubTerminatorError:
    fault.delivered = True
    return fault


def unable(message: str, next_step: str = OTHER_ENGINE) -> InvalidParams:
    """The call is fine, but not for this engine; nothing was done."""
    return InvalidParams(f"The playwright-mcp engine: {message}", next_step=next_step)


def _sentence(text: str) -> str:
    first = text.strip().split("\n", 1)[0]
    return re.sub(r"\x1b\[\d+m", "", first)[:300]


def _ref(target: Resolved) -> str:
    found = WORLD.fullmatch(target.world)
    return target_of(int(found[1]) if found else 0, target.node)


def _copy(file: str | a.File, folder: Path) -> str:
    """Into the one folder that the server may read."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = Path(file if isinstance(file, str) else file.name).name
    if name in {"", ".", ".."} or "\0" in name:
        raise InvalidParams(f"{name!r} is not a file name.")
    path = folder / name
    if isinstance(file, a.File):
        path.write_bytes(file.content)
        return str(path)
    source = Path(file).expanduser().resolve()
    if not source.is_file():
        raise InvalidParams(f"There is no file {file!r}.", next_step="Check the path.")
    shutil.copyfile(source, path)
    return str(path)


def _size(data: bytes) -> tuple[int, int]:
    """Width and height of a PNG; of another format they are not told."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        return 0, 0
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")

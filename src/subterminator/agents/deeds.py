"""What a tool of a team comes to: an action for the gate, or an answer that is known. Pure."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from subterminator import actions as a
from subterminator.agents import team_tools as t
from subterminator.agents.targeting import Aimed, aim, frame_named, frames
from subterminator.agents.tools import LARGEST
from subterminator.errors import ElementNotFound, SubTerminatorError
from subterminator.intake import parse_action
from subterminator.page.snapshot import Snapshot
from subterminator.targets import ByRef, Semantic, Target
from subterminator.types import Flag


class Deed(Struct, frozen=True):
    """Something to be done, and where it was aimed."""

    action: a.AtomicAction
    aimed: Aimed | None = None


class Known(Struct, frozen=True):
    """An answer for which nothing has to be done."""

    data: Any


def deed_for(tool: t.AnyTeamTool, page: Snapshot) -> Deed | Known:
    """Raises a SubTerminatorError where it cannot be done as asked; nothing was done then."""
    match tool:
        case t.Targeted():
            return _to_element(tool, page)
        case t.TeamTool() if (known := _known(tool, page)) is not None:
            return Known(known)
        case _:
            action = _moving(tool) or _looking(tool, page)
            parse_action(action)
            return Deed(_timed(action, tool.timeout_ms))


def _timed(action: a.AtomicAction, timeout_ms: int | None) -> a.AtomicAction:
    return replace(action, timeout_ms=timeout_ms) if timeout_ms else action


# On an element


def _to_element(tool: t.Targeted, page: Snapshot) -> Deed:
    aimed = aim(page, tool.element_description, role=tool.role, frame=tool.frame)
    action = _timed(_done_to(tool, aimed.ref, page), tool.timeout_ms)
    parse_action(action)
    return Deed(action, aimed)


def _done_to(tool: t.Targeted, ref: str, page: Snapshot) -> a.AtomicAction:
    match tool:
        case t.Click():
            return _click(tool, ref, page)
        case t.TypeText(text=text, clear_first=True, press_enter=False):
            return a.Fill(ref, text)
        case t.TypeText(text=text, press_enter=enter):
            return a.Type(f"{text}\n" if enter else text, ref)
        case t.SelectOption(option=option):
            return a.Select(ref, (option,))
        case _:
            return a.Hover(ref)


def _click(tool: t.Click, ref: str, page: Snapshot) -> a.AtomicAction:
    """A plain click on a box or a radio button sets it, and is judged as such."""
    element = next((e for e in page.elements if e.ref == ref), None)
    plain = not (tool.double_click or tool.right_click or tool.hold_ms)
    if element is not None and plain and element.role in {"radio", "checkbox", "switch"}:
        ticked = bool(element.flags & Flag.CHECKED) and element.role != "radio"
        return a.Uncheck(ref) if ticked else a.Check(ref)
    button: a.Button = "right" if tool.right_click else "left"
    count = 2 if tool.double_click else 1
    return a.Click(ref, button=button, count=count, hold_ms=tool.hold_ms)


# Elsewhere


def _moving(tool: t.TeamTool) -> a.AtomicAction | None:
    match tool:
        case t.NavigateTo(url=url):
            return a.Navigate(url)
        case t.GoBack():
            return a.Back()
        case t.GoForward():
            return a.Forward()
        case t.Reload():
            return a.Reload()
        case t.AnswerDialog(accept=accept, text=text):
            return a.Dialog(accept, text)
        case t.SwitchToTab(tab=tab):
            return a.SelectTab(tab)
        case _:
            return _waiting(tool)


def _waiting(tool: t.TeamTool) -> a.AtomicAction | None:
    match tool:
        case t.WaitForLoad(state=state):
            return a.Wait(load=state)
        case t.WaitForSelector(selector=selector, state=state):
            return a.Wait(target=_target(selector), state=state)
        case t.WaitForText(text=text):
            return a.Wait(text=text)
        case t.WaitForUrl(pattern=pattern):
            return a.Wait(url=pattern)
        case t.Sleep(duration_ms=duration_ms):
            return a.Wait(time_ms=duration_ms)
        case _:
            return None


def _looking(tool: t.TeamTool, page: Snapshot) -> a.AtomicAction:
    match tool:
        case t.Scroll():
            return _scroll(tool, page)
        case t.GetFrameContent(frame_selector=frame, max_length=most):
            return a.ReadText(frame=frame_named(page, frame), max_length=most)
        case t.GetPageText(frame=frame, max_length=most):
            named = frame_named(page, frame) if frame else None
            return a.ReadText(frame=named, max_length=most)
        case t.SwitchToFrame(frame_selector=frame):
            return a.SelectFrame(frame_named(page, frame))
        case t.FindInteractiveElements(roles=roles):
            return a.TakeSnapshot(roles=roles)
        case t.TakeScreenshot(element_description=str(words)):
            return _picture(aim(page, words).ref)
        case t.TakeScreenshot(full_page=full) | t.SaveScreenshot(full_page=full):
            return _picture(full=full)
        case t.GetAccessibilityTree(max_depth=depth):
            return a.TakeSnapshot(depth=depth)
        case _:
            return a.TakeSnapshot()


def _scroll(tool: t.Scroll, page: Snapshot) -> a.Scroll:
    if tool.x is not None or tool.y is not None:
        return a.Scroll(to=(tool.x or 0, tool.y or 0))
    ref = aim(page, tool.element_description).ref if tool.element_description else None
    direction = tool.direction or (None if ref else "down")
    by = tool.amount if direction in {"up", "down", "left", "right"} else None
    return a.Scroll(ref, direction, by)


def _picture(ref: str | None = None, *, full: bool = False) -> a.Screenshot:
    return a.Screenshot(ref, full, max_size=LARGEST, masked=True)


def _target(selector: str) -> Target:
    """A ref, a selector with its kind in front, or words."""
    if selector.startswith("@e"):
        return ByRef(selector)
    return selector if ":" in selector or selector[0] in "#." else Semantic(selector)


# Known already


def _known(tool: t.TeamTool, page: Snapshot) -> Any:
    match tool:
        case t.GetViewportInfo():
            view = page.viewport
            return {
                "width": view.width,
                "height": view.height,
                "scroll_x": view.scroll_x,
                "scroll_y": view.scroll_y,
            }
        case t.ListFrames(include_inaccessible=unreadable):
            return frames(page, with_unreadable=unreadable)
        case t.IsElementVisible(element_description=words, frame=frame):
            return {"visible": _is_visible(page, words, frame)}
        case _:
            return None


def _is_visible(page: Snapshot, words: str, frame: str | None) -> bool:
    try:
        aimed = aim(page, words, frame=frame)
    except ElementNotFound:
        return False
    except SubTerminatorError:
        return True  # Several fit: one is certainly there.
    found = next((e for e in page.elements if e.ref == aimed.ref), None)
    return found is not None and not found.flags & (Flag.COVERED | Flag.OFFSCREEN)

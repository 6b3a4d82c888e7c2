"""Actions as the protocol writes them, turned into ours. Nothing here acts.

What a step of a sequence may be is exactly what this table holds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import msgspec

from subterminator import actions as a
from subterminator.doors.server import params as p
from subterminator.errors import InvalidParams, RefInvalid
from subterminator.targets import REF, AnySelector, ByRef, Coordinates

T = TypeVar("T")
# A client gives up after 30 seconds: it has to be answered before.
LONGEST_MS = 25_000
DOWN = 300
WEB = ("http", "https")
METADATA_HOSTS = ("169.254.169.254", "metadata.google.internal", "metadata", "fd00:ec2::254")
CORRECT = "Correct the call; nothing was done."

Built = tuple[a.AtomicAction, ...]


def convert(data: dict[str, Any], kind: type[T]) -> T:
    """Raises InvalidParams that says where the fault is."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as fault:
        cause = fault.__cause__
        words = cause.message if isinstance(cause, InvalidParams) else f"{str(fault)[:300]}."
        raise InvalidParams(words, next_step=CORRECT) from fault
    except (TypeError, RecursionError, ValueError) as fault:
        raise InvalidParams(f"{str(fault)[:300]}.", next_step=CORRECT) from fault


def target(selector: AnySelector) -> AnySelector:
    """A ref that no snapshot ever gave names nothing; that is no fault of the call's form."""
    if isinstance(selector, ByRef) and not REF.match(selector.ref):
        raise RefInvalid(
            f"Element ref not found: {selector.ref[:60]}.",
            next_step="Observe the page and use a ref from there.",
            selector=selector.ref[:60],
        )
    return selector


def limit(timeout: float | None) -> int | None:
    return None if timeout is None else max(1, min(LONGEST_MS, round(timeout)))


def check_address(url: str) -> str:
    """Addresses that no client opens, in the words published clients look for."""
    scheme, separator, rest = url.strip().partition(":")
    if url.strip().lower() == "about:blank":
        return "about:blank"
    if not separator or scheme.lower() not in WEB:
        name = scheme.lower() if separator else "none"
        raise InvalidParams(
            f"Blocked protocol: {name[:40]}",
            next_step="Use https:// or http:// protocol for navigation",
        )
    host = rest.lstrip("/\\").partition("/")[0].rpartition("@")[2].lower()
    bare = host.partition("]")[0].strip("[") if host.startswith("[") else host.partition(":")[0]
    if bare.rstrip(".") in METADATA_HOSTS:
        raise InvalidParams(f"Blocked host: {bare[:60]}", next_step="Use another address.")
    return url


def _checked(options: p.Options, selector: AnySelector, action: a.AtomicAction) -> Built:
    """With `trial` it is only looked whether it could be done."""
    if options.trial:
        return (a.Wait(target=target(selector), state="enabled", timeout_ms=action.timeout_ms),)
    return (action,)


def _click(given: p.Click) -> Built:
    return _clicks(given, given.options.click_count)


def _double_click(given: p.Click) -> Built:
    return _clicks(given, 2)


def _clicks(given: p.Click, count: int) -> Built:
    options = given.options
    if options.position:
        raise InvalidParams(
            "A position cannot be used in a sequence.",
            next_step="Click without a position, or by itself with action/click.",
        )
    click = a.Click(
        target(given.selector),
        options.button,
        count,
        options.modifiers,
        timeout_ms=limit(options.timeout),
    )
    return _checked(options, given.selector, click)


def _type(given: p.Type) -> Built:
    text = given.text if given.text is not None else given.value
    if text is None:
        raise InvalidParams("action/type needs a text.", next_step=CORRECT)
    where, options = target(given.selector), given.options
    typing = a.Type(text, where, round(options.delay), timeout_ms=limit(options.timeout))
    if options.clear and not options.trial:
        return a.Clear(where, timeout_ms=limit(options.timeout)), typing
    return _checked(options, given.selector, typing)


def _fill(given: p.Fill) -> Built:
    fill = a.Fill(target(given.selector), given.value, timeout_ms=limit(given.options.timeout))
    return _checked(given.options, given.selector, fill)


def _clear(given: p.OnElement) -> Built:
    clear = a.Clear(target(given.selector), timeout_ms=limit(given.options.timeout))
    return _checked(given.options, given.selector, clear)


def _press(given: p.Press) -> Built:
    where = target(given.selector) if given.selector else None
    return (a.Press(given.key, where, timeout_ms=limit(given.options.timeout)),)


def _hover(given: p.Hover) -> Built:
    options = given.options
    modifiers = options.modifiers
    hover = a.Hover(target(given.selector), modifiers, timeout_ms=limit(options.timeout))
    return _checked(options, given.selector, hover)


def _scroll(given: p.Scroll) -> Built:
    options, ms = given.options, limit(given.options.timeout)
    where = target(given.selector) if given.selector else None
    if where and (options.amount == "toElement" or options.direction is None):
        return (a.Scroll(where, timeout_ms=ms),)
    if options.amount == "toElement":
        raise InvalidParams("To scroll to an element, name it.", next_step=CORRECT)
    amount = None if options.amount == "page" else round(options.amount or DOWN)
    direction: a.Direction = options.direction or "down"
    return (a.Scroll(where, direction, amount, timeout_ms=ms),)


def _select(given: p.Select) -> Built:
    values = given.values if given.values is not None else given.value
    if values is None:
        raise InvalidParams("action/select needs values.", next_step=CORRECT)
    wanted = (values,) if isinstance(values, str) else values
    select = a.Select(target(given.selector), wanted, timeout_ms=limit(given.options.timeout))
    return _checked(given.options, given.selector, select)


def _check(given: p.OnElement) -> Built:
    check = a.Check(target(given.selector), timeout_ms=limit(given.options.timeout))
    return _checked(given.options, given.selector, check)


def _uncheck(given: p.OnElement) -> Built:
    uncheck = a.Uncheck(target(given.selector), timeout_ms=limit(given.options.timeout))
    return _checked(given.options, given.selector, uncheck)


def _upload(given: p.Upload) -> Built:
    files = tuple(a.File(file.name, file.buffer) for file in given.files)
    return (a.Upload(target(given.selector), files, timeout_ms=limit(given.options.timeout)),)


def _drag(given: p.Drag) -> Built:
    ends = (_end(given.source), _end(given.target))
    return (a.Drag(*ends, timeout_ms=limit(given.options.timeout)),)


def _end(end: dict[str, Any]) -> AnySelector:
    if "type" in end:
        return target(convert(end, cast("type[AnySelector]", AnySelector)))
    point = convert(end, p.Point)
    return Coordinates(point.x, point.y)


def _navigate(given: p.Navigate) -> Built:
    ms = limit(given.timeout)
    return (a.Navigate(check_address(given.url), given.wait_until, timeout_ms=ms),)


def _reload(given: p.Move) -> Built:
    return (a.Reload(timeout_ms=limit(given.timeout)),)


def _back(given: p.Move) -> Built:
    return (a.Back(timeout_ms=limit(given.timeout)),)


def _forward(given: p.Move) -> Built:
    return (a.Forward(timeout_ms=limit(given.timeout)),)


class Kind(NamedTuple):
    """How one action of the protocol is read, and the scope it needs."""

    params: type[p.OfPage]
    build: Callable[[Any], Built]
    scope: str


ACTIONS: dict[str, Kind] = {
    "action/click": Kind(p.Click, _click, "action:click"),
    "action/dblclick": Kind(p.Click, _double_click, "action:click"),
    "action/type": Kind(p.Type, _type, "action:type"),
    "action/fill": Kind(p.Fill, _fill, "action:fill"),
    "action/clear": Kind(p.OnElement, _clear, "action:fill"),
    "action/press": Kind(p.Press, _press, "action:type"),
    "action/hover": Kind(p.Hover, _hover, "action:click"),
    "action/scroll": Kind(p.Scroll, _scroll, "action:scroll"),
    "action/select": Kind(p.Select, _select, "action:select"),
    "action/check": Kind(p.OnElement, _check, "action:click"),
    "action/uncheck": Kind(p.OnElement, _uncheck, "action:click"),
    "action/upload": Kind(p.Upload, _upload, "action:upload"),
    "action/drag": Kind(p.Drag, _drag, "action:drag"),
    "page/navigate": Kind(p.Navigate, _navigate, "page:navigate"),
    "page/reload": Kind(p.Move, _reload, "page:navigate"),
    "page/goBack": Kind(p.Move, _back, "page:navigate"),
    "page/goForward": Kind(p.Move, _forward, "page:navigate"),
}


def build(method: str, given: p.OfPage) -> Built:
    return ACTIONS[method].build(given)

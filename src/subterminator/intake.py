"""Takes in actions from anywhere and checks them before anyone acts on them."""

from __future__ import annotations

from typing import Any, assert_never, cast, get_args

import msgspec

from subterminator import actions as a
from subterminator.actions import Action, AtomicAction, Execute
from subterminator.errors import InvalidParams
from subterminator.targets import AnySelector, Target, parse_target

NAMES = tuple(str(kind.__struct_config__.tag) for kind in (*get_args(AtomicAction), Execute))
LONGEST_WORDS = 300


def parse_action(data: Action | dict[str, Any] | bytes | str) -> Action:
    """Check an action: fields, types, limits, exclusive arguments. Text and bytes are JSON.

    What was built in Python goes over JSON too: its constructor does not look at types, and
    whatever cannot be written as JSON could not reach the page later.
    """
    try:
        written = data if isinstance(data, bytes | str) else msgspec.json.encode(data)
        return cast(Action, msgspec.json.decode(written, type=Action))
    except msgspec.MsgspecError as fault:
        raise _explain(fault) from fault
    except (TypeError, NotImplementedError, UnicodeError, OverflowError) as fault:
        raise InvalidParams(
            f"The action cannot be read: {_cut(str(fault))}.",
            next_step="Give plain data that can be written as JSON; nothing was done.",
        ) from fault
    except RecursionError as fault:
        raise InvalidParams(
            "The action is nested too deeply.", next_step="Correct the call; nothing was done."
        ) from fault


def _explain(fault: msgspec.MsgspecError) -> InvalidParams:
    words = str(fault)
    if isinstance(cause := fault.__cause__, InvalidParams):
        return InvalidParams(cause.message, next_step=cause.advice or _advise(words))
    return InvalidParams(f"{_cut(words)}.", next_step=_advise(words))


def _advise(words: str) -> str:
    if "`$.action`" in words or "do.action`" in words or "field `action`" in words:
        return f"Known actions: {', '.join(NAMES)}."
    return "Correct the call; nothing was done."


def _cut(words: str) -> str:
    """Shorten what quotes the caller: the place, which comes last, is kept."""
    if len(words) <= LONGEST_WORDS:
        return words
    half = LONGEST_WORDS // 2
    return f"{words[:half]}...{words[-half:]}"


def named_targets(action: AtomicAction) -> list[AnySelector]:
    """The targets an action acts on, read and checked before anything happens."""
    match action:
        case a.Wait(target=target) | a.TakeSnapshot(root=target):
            # Only looked for: it need not be there yet.
            if target is not None:
                parse_target(target)
            return []
        case a.Drag(source=source, target=target):
            named: list[Target | None] = [source, target]
        case (
            a.Click(target=target) | a.Hover(target=target) | a.Fill(target=target)
            | a.Clear(target=target) | a.Select(target=target) | a.Check(target=target)
            | a.Uncheck(target=target) | a.Upload(target=target) | a.Type(target=target)
            | a.Press(target=target) | a.Scroll(target=target) | a.ReadText(target=target)
            | a.Screenshot(target=target)
        ):  # fmt: skip
            named = [target]
        case (
            a.Navigate() | a.Back() | a.Forward() | a.Reload() | a.ListTabs() | a.SelectTab()
            | a.OpenTab() | a.CloseTab() | a.ListFrames() | a.SelectFrame() | a.Dialog()
            | a.Find()
        ):  # fmt: skip
            named = []
        case _:
            # An action whose targets nobody reads would be done unjudged.
            assert_never(action)
    return [parse_target(target) for target in named if target is not None]


def presses(action: AtomicAction) -> int:
    """How often it presses what it is done to."""
    match action:
        case a.Click(count=count) | a.Press(count=count):
            return count
        case a.Type(text=text):
            return text.count("\n")
        case _:
            return 1


def name_of(action: Action) -> str:
    return str(type(action).__struct_config__.tag)


def schema() -> dict[str, Any]:
    """JSON Schema of every action."""
    return msgspec.json.schema(Action)

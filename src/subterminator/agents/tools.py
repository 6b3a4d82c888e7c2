"""The tools a model is given, and how a call becomes a move. Data and checks; nothing here acts.

Seven tools are a closed contract of their own; the others are derived from the actions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, cast

import msgspec
from msgspec import Meta, Struct

from subterminator import actions as a
from subterminator.agents.models.base import Call, Tool
from subterminator.agents.moves import Act, AskHuman, Complete, Move
from subterminator.errors import InvalidParams, SubTerminatorError
from subterminator.intake import parse_action

# The size that pictures for a model have at most.
LARGEST = (1024, 768)
CORRECT = "Correct the arguments; nothing was done."
LONGEST_REASON = 300
Ref = Annotated[
    str, Meta(pattern=r"^@e\d+$", description="Element reference from a snapshot, e.g. @e7")
]
TARGET = {"type": "string", "description": "e.g. @e7"}


class SeedTool(Struct, frozen=True, forbid_unknown_fields=True, tag_field="tool"):
    """Base of the seven."""


class GetSnapshot(SeedTool, tag="get_snapshot", frozen=True):
    """Capture the current page. Actions answer with a fresh snapshot: rarely needed."""

    viewport_only: bool = True


class BrowserClick(SeedTool, tag="browser_click", frozen=True):
    """Click an element by its ref. A ref is valid as long as its element keeps its role and name.

    Errors: ref_invalid, element_disabled, element_obscured, element_not_visible, action_failed.
    """

    ref: Ref


class BrowserFill(SeedTool, tag="browser_fill", frozen=True):
    """Fill a text field. With clear_first false the text is typed behind what is there."""

    ref: Ref
    value: str
    clear_first: bool = True


class BrowserSelect(SeedTool, tag="browser_select", frozen=True):
    """Choose an option of a drop-down by its visible text or value."""

    ref: Ref
    value: str


class BrowserScroll(SeedTool, tag="browser_scroll", frozen=True):
    """Scroll an element into view (ref), or the page (direction). One of the two is required."""

    ref: Ref | None = None
    direction: Literal["up", "down", "top", "bottom"] | None = None
    amount: Annotated[int, Meta(ge=1)] = 300

    def __post_init__(self) -> None:
        if self.ref is None and self.direction is None:
            raise InvalidParams("browser_scroll needs a ref or a direction.")


class RequestHumanApproval(SeedTool, tag="request_human_approval", frozen=True):
    """Ask the person before something sensitive.

    It never replaces the gate on the action itself.
    """

    action: str
    reason: str


class CompleteTask(SeedTool, tag="complete_task", frozen=True):
    """Say that the task is complete. You must call this when done."""

    status: Literal["success", "failed"]
    reason: str


AnySeedTool = (
    GetSnapshot | BrowserClick | BrowserFill | BrowserSelect | BrowserScroll
    | RequestHumanApproval | CompleteTask
)  # fmt: skip
SEED_TOOLS: tuple[type[SeedTool], ...] = (
    GetSnapshot, BrowserClick, BrowserFill, BrowserSelect, BrowserScroll,
    RequestHumanApproval, CompleteTask,
)  # fmt: skip
# What else the actions can do, but for files of this machine and sequences: one call is one step.
WIDER: dict[str, type[a.BaseAction]] = {
    "browser_navigate": a.Navigate,
    "browser_back": a.Back,
    "browser_forward": a.Forward,
    "browser_reload": a.Reload,
    "browser_click_with_options": a.Click,
    "browser_hover": a.Hover,
    "browser_clear": a.Clear,
    "browser_type": a.Type,
    "browser_press": a.Press,
    "browser_check": a.Check,
    "browser_uncheck": a.Uncheck,
    "browser_drag": a.Drag,
    "browser_wait": a.Wait,
    "browser_find": a.Find,
    "browser_text": a.ReadText,
    "browser_take_screenshot": a.Screenshot,
    "browser_tabs": a.ListTabs,
    "browser_select_tab": a.SelectTab,
    "browser_open_tab": a.OpenTab,
    "browser_close_tab": a.CloseTab,
    "browser_frames": a.ListFrames,
    "browser_select_frame": a.SelectFrame,
    "browser_dialog": a.Dialog,
}
# Settled by us: how long, how large, in what form.
OURS = frozenset({
    "action", "timeout_ms", "max_size", "format", "quality", "modifiers", "masked", "wait_until",
})  # fmt: skip
# Limits that a call is checked against all the same; the list of tools is sent with every request.
UNTOLD = frozenset({"maxLength", "minLength", "maximum", "minimum"})

ErrorCode = Literal[
    "ref_invalid", "element_disabled", "element_obscured", "element_not_visible", "action_failed",
    "timeout", "human_rejected", "invalid_params",
]  # fmt: skip
CODES: dict[str, ErrorCode] = {
    "ref_invalid": "ref_invalid",
    "element_not_found": "ref_invalid",
    "element_disabled": "element_disabled",
    "element_obscured": "element_obscured",
    "element_not_visible": "element_not_visible",
    "timeout": "timeout",
    "human_rejected": "human_rejected",
    "handed_over": "human_rejected",
    "invalid_params": "invalid_params",
}

Read = Callable[[dict[str, Any]], Move]


def error_code(fault: SubTerminatorError) -> ErrorCode:
    """One of the eight that a model knows."""
    return CODES.get(fault.code, "action_failed")


class Toolset:
    """Tools under their names, each with what reads a call of it."""

    def __init__(self, tools: Mapping[str, tuple[Tool, Read]]) -> None:
        self.reads = {name: read for name, (_, read) in tools.items()}
        self.tools = tuple(tool for tool, _ in tools.values())

    def only(self, names: frozenset[str]) -> Toolset:
        """Some of them; calling another one is an error like any unknown tool."""
        kept = {t.name: (t, self.reads[t.name]) for t in self.tools if t.name in names}
        return Toolset(kept)

    def read(self, call: Call) -> Move:
        """The move that a call asks for. Raises InvalidParams; nothing was done then."""
        if call.name not in self.reads:
            known = ", ".join(sorted(self.reads))
            raise InvalidParams(f"Unknown tool: {call.name[:60]!r}.", next_step=f"Known: {known}.")
        return self.reads[call.name](call.arguments)


def all_tools() -> Toolset:
    """What a model that leads alone is given."""
    tools: dict[str, tuple[Tool, Read]] = {}
    for kind in SEED_TOOLS:
        shown = seed_schema(kind)
        name = shown["name"]
        tool = Tool(name, shown["description"], shown["input_schema"])
        tools[name] = (tool, _reader_of(name))
    for name, action in WIDER.items():
        tools[name] = (Tool(name, _first_line(action), _schema(action)), _action_reader(action))
    return Toolset(tools)


# The seven


def seed_schema(tool: type[SeedTool]) -> dict[str, Any]:
    """One of the seven as a model is given it."""
    name = str(tool.__struct_config__.tag)
    schema = msgspec.json.schema(tool)["$defs"][tool.__name__]
    properties = {key: value for key, value in schema["properties"].items() if key != "tool"}
    required = [key for key in schema["required"] if key != "tool"]
    return {
        "name": name,
        "description": schema["description"],
        "input_schema": _object(properties, required),
    }


def parse_seed(name: str, arguments: object) -> AnySeedTool:
    """One of the seven with its arguments checked."""
    if not isinstance(arguments, dict) or "tool" in arguments:
        raise InvalidParams(f"{name} takes its own arguments by name.", next_step=CORRECT)
    try:
        return cast(AnySeedTool, msgspec.convert({**arguments, "tool": name}, AnySeedTool))
    except (msgspec.ValidationError, TypeError) as fault:
        cause = fault.__cause__
        words = cause.message if isinstance(cause, InvalidParams) else f"{name}: {fault}"[:300]
        raise InvalidParams(words, next_step=CORRECT) from fault


def seed_action(tool: AnySeedTool) -> a.AtomicAction | None:
    """What one of the seven does to a page; None for the two that are no action."""
    match tool:
        case GetSnapshot(viewport_only=viewport_only):
            return a.TakeSnapshot(viewport_only=viewport_only)
        case BrowserClick(ref=ref):
            return a.Click(ref)
        case BrowserFill(ref=ref, value=value, clear_first=True):
            return a.Fill(ref, value)
        case BrowserFill(ref=ref, value=value):
            return a.Type(value, ref)
        case BrowserSelect(ref=ref, value=value):
            return a.Select(ref, (value,))
        case BrowserScroll(ref=str(ref)):
            return a.Scroll(ref)
        case BrowserScroll(direction=direction, amount=amount):
            by = amount if direction in {"up", "down"} else None
            return a.Scroll(direction=direction, amount=by)
        case RequestHumanApproval() | CompleteTask():
            return None


def _reader_of(name: str) -> Read:
    def read(arguments: dict[str, Any]) -> Move:
        tool = parse_seed(name, arguments)
        match tool:
            case RequestHumanApproval(action=action, reason=reason):
                return AskHuman(text=f"{action}: {reason}")
            case CompleteTask(status=status, reason=reason):
                return Complete(status=status, reason=reason[:LONGEST_REASON])
            case _:
                return act(cast(a.AtomicAction, seed_action(tool)))

    return read


# Those derived from the actions


def _action_reader(kind: type[a.BaseAction]) -> Read:
    tag = str(kind.__struct_config__.tag)

    def read(arguments: dict[str, Any]) -> Move:
        if extra := OURS & arguments.keys():
            raise InvalidParams(f"{tag} has no argument {sorted(extra)[0]}.", next_step=CORRECT)
        action = parse_action({**arguments, "action": tag})
        if isinstance(action, a.Screenshot):
            action = msgspec.structs.replace(action, max_size=LARGEST, masked=True)
        return act(cast(a.AtomicAction, action))

    return read


def act(action: a.AtomicAction) -> Act:
    """A checked action as the move of a model, which is told of a refusal."""
    return Act(action=cast(a.AtomicAction, parse_action(action)), replan=False)


def _first_line(kind: type[a.BaseAction]) -> str:
    return (kind.__doc__ or "").strip().partition("\n")[0]


def _schema(kind: type[a.BaseAction]) -> dict[str, Any]:
    """Its own arguments, flat: an element is named by its ref."""
    schema = msgspec.json.schema(kind)["$defs"][kind.__name__]
    properties = {
        key: TARGET if "$ref" in str(value) else _plain(value)
        for key, value in schema["properties"].items()
        if key not in OURS
    }
    return _object(properties, [key for key in schema["required"] if key not in OURS])


def _plain(value: dict[str, Any]) -> dict[str, Any]:
    """Without the null that only says that it may be left out, and without limits."""
    kinds = [one for one in value.get("anyOf", [value]) if one != {"type": "null"}]
    return {key: word for key, word in kinds[0].items() if key not in UNTOLD}


def _object(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }

"""Seven browser tools for a model, with a closed set of eight error codes, over one session."""

from __future__ import annotations

import base64
from typing import Annotated, Any, Literal, cast

import msgspec
from msgspec import Meta, Struct

from subterminator import actions as a
from subterminator.errors import InvalidParams, SubTerminatorError
from subterminator.page.snapshot import Snapshot, View
from subterminator.session import Session

ErrorCode = Literal[
    "ref_invalid",
    "element_disabled",
    "element_obscured",
    "element_not_visible",
    "action_failed",
    "timeout",
    "human_rejected",
    "invalid_params",
]
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
Ref = Annotated[
    str, Meta(pattern=r"^@e\d+$", description="Element reference from a snapshot, e.g. @e7")
]


class Tool(Struct, frozen=True, forbid_unknown_fields=True, tag_field="tool"):
    """Base of the seven."""


class GetSnapshot(Tool, tag="get_snapshot", frozen=True):
    """Capture the current page. Actions answer with a fresh snapshot: rarely needed."""

    viewport_only: bool = True


class BrowserClick(Tool, tag="browser_click", frozen=True):
    """Click an element by its ref. A ref is valid as long as its element keeps its role and name.

    Errors: ref_invalid, element_disabled, element_obscured, element_not_visible, action_failed.
    """

    ref: Ref


class BrowserFill(Tool, tag="browser_fill", frozen=True):
    """Fill a text field. With clear_first false the text is typed behind what is there."""

    ref: Ref
    value: str
    clear_first: bool = True


class BrowserSelect(Tool, tag="browser_select", frozen=True):
    """Choose an option of a drop-down by its visible text or value."""

    ref: Ref
    value: str


class BrowserScroll(Tool, tag="browser_scroll", frozen=True):
    """Scroll an element into view (ref), or the page (direction). One of the two is required."""

    ref: Ref | None = None
    direction: Literal["up", "down", "top", "bottom"] | None = None
    amount: Annotated[int, Meta(ge=1)] = 300

    def __post_init__(self) -> None:
        if self.ref is None and self.direction is None:
            raise InvalidParams("browser_scroll needs a ref or a direction.")


class RequestHumanApproval(Tool, tag="request_human_approval", frozen=True):
    """Ask the person before something sensitive.

    It never replaces the gate on the action itself.
    """

    action: str
    reason: str


class CompleteTask(Tool, tag="complete_task", frozen=True):
    """Say that the task is complete. You must call this when done."""

    status: Literal["success", "failed"]
    reason: str


AnyTool = (
    GetSnapshot | BrowserClick | BrowserFill | BrowserSelect | BrowserScroll
    | RequestHumanApproval | CompleteTask
)  # fmt: skip
TOOLS: tuple[type[Tool], ...] = (
    GetSnapshot, BrowserClick, BrowserFill, BrowserSelect, BrowserScroll,
    RequestHumanApproval, CompleteTask,
)  # fmt: skip


def tool_schemas() -> list[dict[str, Any]]:
    """The tools as a model is given them."""
    return [_schema(tool) for tool in TOOLS]


def _schema(tool: type[Tool]) -> dict[str, Any]:
    name = str(tool.__struct_config__.tag)
    schema = msgspec.json.schema(tool)["$defs"][tool.__name__]
    properties = {key: value for key, value in schema["properties"].items() if key != "tool"}
    required = [key for key in schema["required"] if key != "tool"]
    return {
        "name": name,
        "description": schema["description"],
        "input_schema": {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        },
    }


class ToolResult(Struct, frozen=True):
    """What a tool answers."""

    success: bool
    snapshot: dict[str, Any] | None = None
    error: ErrorCode | None = None
    message: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            key: value for key, value in msgspec.structs.asdict(self).items() if value is not None
        }

    def to_json(self) -> str:
        return msgspec.json.encode(self.to_dict()).decode()


class BrowserToolServer:
    """Runs the tools through the gate of one session."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._viewport_only = True

    async def execute(self, tool_name: str, arguments: dict[str, Any]) -> ToolResult:
        """Run a tool by name. Whatever is wrong comes back as one of the eight error codes."""
        try:
            tool = _parse(tool_name, arguments)
            return await self._run(tool)
        except SubTerminatorError as fault:
            code = CODES.get(fault.code, "action_failed")
            snapshot = await self._dialect(fault.snapshot) if fault.snapshot else None
            return ToolResult(False, snapshot, code, str(fault))

    async def _run(self, tool: AnyTool) -> ToolResult:
        match tool:
            case GetSnapshot(viewport_only=viewport_only):
                self._viewport_only = viewport_only
                return await self._act(a.TakeSnapshot())
            case BrowserClick(ref=ref):
                return await self._act(a.Click(ref))
            case BrowserFill(ref=ref, value=value, clear_first=True):
                return await self._act(a.Fill(ref, value))
            case BrowserFill(ref=ref, value=value):
                return await self._act(a.Type(value, ref))
            case BrowserSelect(ref=ref, value=value):
                return await self._act(a.Select(ref, (value,)))
            case BrowserScroll(ref=str(ref)):
                return await self._act(a.Scroll(ref))
            case BrowserScroll(direction=direction, amount=amount):
                by = amount if direction in {"up", "down"} else None
                return await self._act(a.Scroll(direction=direction, amount=by))
            case RequestHumanApproval():
                return ToolResult(True, message="APPROVAL_REQUESTED")
            case CompleteTask(status=status):
                return ToolResult(True, message=f"COMPLETION_{status.upper()}")

    async def _act(self, action: a.Action) -> ToolResult:
        result = await self._session.call(action)
        snapshot = await self._dialect(result.snapshot) if result.snapshot else None
        dialog = result.happened.dialog
        words = result.note or (
            f"A {dialog.kind} dialog is open: {dialog.message}" if dialog else None
        )
        return ToolResult(True, snapshot, message=words)

    async def _dialect(self, snapshot: Snapshot) -> dict[str, Any]:
        """The snapshot as `page/snapshot_schema.json` wants it, with the picture it asks for."""
        picture = base64.b64encode(await self._session.screenshot()).decode()
        return snapshot.filtered(View(viewport_only=self._viewport_only)).json(picture)


def _parse(name: str, arguments: dict[str, Any]) -> AnyTool:
    known = {str(tool.__struct_config__.tag) for tool in TOOLS}
    if name not in known:
        raise SubTerminatorError(
            f"Unknown tool: {name[:60]!r}.", next_step=f"Known: {', '.join(sorted(known))}."
        )
    if "tool" in arguments:
        raise InvalidParams(f"{name} takes no argument 'tool'.")
    try:
        return cast(AnyTool, msgspec.convert({**arguments, "tool": name}, AnyTool))
    except msgspec.ValidationError as fault:
        raise InvalidParams(f"{name}: {fault}.") from fault

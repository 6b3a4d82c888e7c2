"""Seven browser tools for a model, with a closed set of eight error codes, over one session."""

from __future__ import annotations

import base64
from typing import Annotated, Any, Literal, cast

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from subterminator import actions as a
from subterminator.errors import InvalidParams, SubTerminatorError
from subterminator.page.snapshot import Snapshot
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
# The size that the pictures of these tools have at most.
LARGEST = (1024, 768)
CORRECT = "Correct the arguments; nothing was done."
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
    """Runs the tools through the gate of one session.

    `timeout_ms` bounds each action; None takes the session's setting.
    """

    def __init__(self, session: Session, *, timeout_ms: int | None = None) -> None:
        self._session = session
        self._timeout_ms = timeout_ms

    async def execute(self, tool_name: str, arguments: dict[str, Any]) -> ToolResult:
        """Run a tool by name. Whatever is wrong comes back as one of the eight error codes."""
        try:
            return await self._run(_parse(tool_name, arguments))
        except SubTerminatorError as fault:
            code = CODES.get(fault.code, "action_failed")
            snapshot = await self._dialect(fault.snapshot) if fault.snapshot else None
            return ToolResult(False, snapshot, code, str(fault))

    async def get_snapshot(self, viewport_only: bool = True) -> ToolResult:
        return await self.execute("get_snapshot", {"viewport_only": viewport_only})

    async def browser_click(self, ref: str) -> ToolResult:
        return await self.execute("browser_click", {"ref": ref})

    async def browser_fill(self, ref: str, value: str, clear_first: bool = True) -> ToolResult:
        arguments = {"ref": ref, "value": value, "clear_first": clear_first}
        return await self.execute("browser_fill", arguments)

    async def browser_select(self, ref: str, value: str) -> ToolResult:
        return await self.execute("browser_select", {"ref": ref, "value": value})

    async def browser_scroll(
        self, ref: str | None = None, direction: str | None = None, amount: int = 300
    ) -> ToolResult:
        arguments = {"ref": ref, "direction": direction, "amount": amount}
        return await self.execute("browser_scroll", arguments)

    async def request_human_approval(self, action: str, reason: str) -> ToolResult:
        return await self.execute("request_human_approval", {"action": action, "reason": reason})

    async def complete_task(self, status: str, reason: str) -> ToolResult:
        return await self.execute("complete_task", {"status": status, "reason": reason})

    async def _run(self, tool: AnyTool) -> ToolResult:
        match tool:
            case GetSnapshot(viewport_only=viewport_only):
                return await self._act(a.TakeSnapshot(), viewport_only=viewport_only)
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

    async def _act(self, action: a.Action, *, viewport_only: bool = True) -> ToolResult:
        result = await self._session.call(replace(action, timeout_ms=self._timeout_ms))
        snapshot = await self._dialect(result.snapshot, viewport_only) if result.snapshot else None
        return ToolResult(True, snapshot, message="; ".join(result.remarks()) or None)

    async def _dialect(self, snapshot: Snapshot, viewport_only: bool = True) -> dict[str, Any]:
        """The snapshot as `page/snapshot_schema.json` wants it, with the picture it asks for."""
        try:
            picture = base64.b64encode(await self._session.screenshot(max_size=LARGEST)).decode()
        except SubTerminatorError:
            picture = ""  # What was found out is worth more than its picture.
        return snapshot.json(picture, viewport_only=viewport_only)


def _parse(name: object, arguments: object) -> AnyTool:
    known = {str(tool.__struct_config__.tag) for tool in TOOLS}
    if name not in known:
        raise SubTerminatorError(
            f"Unknown tool: {str(name)[:60]!r}.", next_step=f"Known: {', '.join(sorted(known))}."
        )
    if not isinstance(arguments, dict) or "tool" in arguments:
        raise InvalidParams(f"{name} takes its own arguments by name.", next_step=CORRECT)
    try:
        return cast(AnyTool, msgspec.convert({**arguments, "tool": name}, AnyTool))
    except (msgspec.ValidationError, TypeError) as fault:
        cause = fault.__cause__
        words = cause.message if isinstance(cause, InvalidParams) else f"{name}: {fault}"[:300]
        raise InvalidParams(words, next_step=CORRECT) from fault

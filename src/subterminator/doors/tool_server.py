"""Seven browser tools for a model, with a closed set of eight error codes, over one session."""

from __future__ import annotations

import base64
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from subterminator import actions as a
from subterminator.agents.tools import (
    LARGEST,
    SEED_TOOLS,
    AnySeedTool,
    CompleteTask,
    ErrorCode,
    GetSnapshot,
    RequestHumanApproval,
    error_code,
    parse_seed,
    seed_action,
    seed_schema,
)
from subterminator.errors import SubTerminatorError
from subterminator.page.snapshot import Snapshot
from subterminator.session import Session


def tool_schemas() -> list[dict[str, Any]]:
    """The tools as a model is given them."""
    return [seed_schema(tool) for tool in SEED_TOOLS]


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
            code = error_code(fault)
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

    async def _run(self, tool: AnySeedTool) -> ToolResult:
        match tool:
            case GetSnapshot(viewport_only=viewport_only):
                return await self._act(a.TakeSnapshot(), viewport_only=viewport_only)
            case RequestHumanApproval():
                return ToolResult(True, message="APPROVAL_REQUESTED")
            case CompleteTask(status=status):
                return ToolResult(True, message=f"COMPLETION_{status.upper()}")
            case _:
                action = seed_action(tool)
                assert action is not None
                return await self._act(action)

    async def _act(self, action: a.Action, *, viewport_only: bool = True) -> ToolResult:
        result = await self._session.call(replace(action, timeout_ms=self._timeout_ms))
        snapshot = await self._dialect(result.snapshot, viewport_only) if result.snapshot else None
        return ToolResult(True, snapshot, message="; ".join(result.remarks()) or None)

    async def _dialect(self, snapshot: Snapshot, viewport_only: bool = True) -> dict[str, Any]:
        """The snapshot as `page/snapshot_schema.json` wants it, with the picture it asks for."""
        try:
            taken = await self._session.screenshot(max_size=LARGEST, masked=True)
            picture = base64.b64encode(taken).decode()
        except SubTerminatorError:
            picture = ""  # What was found out is worth more than its picture.
        return snapshot.json(picture, viewport_only=viewport_only)


def _parse(name: object, arguments: object) -> AnySeedTool:
    known = {str(tool.__struct_config__.tag) for tool in SEED_TOOLS}
    if name not in known:
        raise SubTerminatorError(
            f"Unknown tool: {str(name)[:60]!r}.", next_step=f"Known: {', '.join(sorted(known))}."
        )
    return parse_seed(str(name), arguments)

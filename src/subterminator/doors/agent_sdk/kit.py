"""The types of the Claude Agent SDK, made from our roles and tools. The only importer of it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from functools import partial
from importlib.metadata import version
from typing import Any

from claude_agent_sdk import (
    AgentDefinition,
    ClaudeAgentOptions,
    HookMatcher,
    PermissionResultAllow,
    PermissionResultDeny,
    SdkMcpTool,
    ToolPermissionContext,
    create_sdk_mcp_server,
)

from subterminator.agents import team_tools as t
from subterminator.agents.models.base import Tool
from subterminator.agents.prompts import PAGE_RULE
from subterminator.agents.roles import ASK, COMPLETE, MEMBERS, PLANNER, ROLES, TASK, Role, Size
from subterminator.agents.team import TASK_ANSWERS
from subterminator.agents.tools import CompleteTask, RequestHumanApproval, seed_schema
from subterminator.doors.agent_sdk.work import Work

Models = Mapping[Size, str]
USUAL: Models = {"large": "sonnet", "small": "haiku"}
SERVER = "browser"
PREFIX = f"mcp__{SERVER}__"
# How the SDK calls delegating; it was called Task before, and still is in some of its messages.
DELEGATE = "Agent"
DELEGATES = frozenset({DELEGATE, "Task"})
WATCHED = "|".join(sorted(DELEGATES))
HERE = (
    f"The task tool is called {DELEGATE} here, and the member is its subagent_type. You are shown "
    "nothing by itself: look with get_accessibility_tree before you plan and after every step."
)
# Answers of the planner; each step takes two or three of them.
MOST_TURNS = 100
# Twenty-eight tools are few enough to be named at once; a search for them would cost a turn.
PLAIN_TOOLS = {"ENABLE_TOOL_SEARCH": "false"}


def equip(work: Work, models: Models) -> ClaudeAgentOptions:
    """Options under which the SDK leads the session of `work`, and reaches nothing else.

    No settings, servers or tools of the machine are taken over: what they allow beforehand the
    permission callback would never be asked about.
    """
    return ClaudeAgentOptions(
        tools=[DELEGATE],
        mcp_servers={SERVER: serve(work)},
        strict_mcp_config=True,
        setting_sources=[],
        permission_mode="default",
        can_use_tool=Permission(work),
        hooks={"PreToolUse": [HookMatcher(WATCHED, [delegate], on_failure="block")]},
        agents=definitions(work.rule, models),
        extra_args={"agent": PLANNER.name},
        verbatim_prompts=True,
        max_turns=MOST_TURNS,
        env=dict(PLAIN_TOOLS),
    )


# Roles


def definitions(rule: str, models: Models) -> dict[str, AgentDefinition]:
    """The members of the team. `rule` says what page text is; `models` may name others."""
    chosen = {**USUAL, **models}
    return {
        role.name: AgentDefinition(
            description=role.description,
            prompt=_prompt(role, rule),
            tools=[DELEGATE if name == TASK else f"{PREFIX}{name}" for name in role.tools],
            model=chosen[role.size],
            background=False,
            maxTurns=None if role is PLANNER else TASK_ANSWERS,
        )
        for role in ROLES
    }


def _prompt(role: Role, rule: str) -> str:
    own = HERE if role is PLANNER else ""
    return "\n\n".join(filter(None, (role.prompt, own, PAGE_RULE, rule)))


# Tools


def serve(work: Work) -> Any:
    """The browser tools as a server in this process."""
    tools = [
        SdkMcpTool(tool.name, tool.description, tool.schema, partial(_answer, work, tool.name))
        for tool in offered()
    ]
    return create_sdk_mcp_server(SERVER, version("subterminator"), tools)


def offered() -> list[Tool]:
    """Every tool of every role, but for delegating, which the SDK does itself."""
    own = [seed_schema(kind) for kind in (RequestHumanApproval, CompleteTask)]
    return [
        *(t.tool_named(name) for name in t.BY_NAME),
        *(Tool(one["name"], one["description"], one["input_schema"]) for one in own),
    ]


async def _answer(work: Work, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    answer = await work.perform(name, arguments)
    pictures = [
        {
            "type": "image",
            "data": b64encode(picture.data).decode(),
            "mimeType": f"image/{picture.format}",
        }
        for picture in answer.pictures
    ]
    return {
        "content": [{"type": "text", "text": answer.text}, *pictures],
        "is_error": answer.failed,
    }


# Permission


class Permission:
    """The SDK's `can_use_tool`. It never widens what the gate allows: it only says no earlier."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._known = frozenset({*t.BY_NAME, ASK, COMPLETE})

    async def __call__(
        self, name: str, arguments: dict[str, Any], context: ToolPermissionContext
    ) -> PermissionResultAllow | PermissionResultDeny:
        if name in DELEGATES:
            why = _not_a_member(arguments)
        elif name.removeprefix(PREFIX) in self._known and name.startswith(PREFIX):
            why = await self._work.permit(name.removeprefix(PREFIX), arguments)
        else:
            why = f"{name[:60]} is no tool of this session. Use the browser tools."
        return PermissionResultDeny(message=why) if why else PermissionResultAllow()


async def delegate(event: Any, _id: str | None, _context: Any) -> Any:
    """Before a task is given away, which the SDK asks no permission for.

    Only to members of the team, and while the planner waits: tasks in the background would act on
    one page at the same time.
    """
    given = event["tool_input"]
    why = _not_a_member(given)
    decision: dict[str, Any] = {"permissionDecision": "deny", "permissionDecisionReason": why}
    if not why:
        decision = {
            "permissionDecision": "allow",
            "updatedInput": {**given, "run_in_background": False},
        }
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **decision}}


def _not_a_member(arguments: dict[str, Any]) -> str:
    members = [role.name for role in MEMBERS]
    if arguments.get("subagent_type") in members:
        return ""
    return f"There is no such member of the team. Members: {', '.join(members)}."

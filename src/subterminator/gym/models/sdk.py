"""A request of the Claude Agent SDK in the words of our own team, and the reply in its words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from subterminator.agents.models.base import Answer, Call, Message, Part, Request, Tool
from subterminator.agents.roles import COMPLETE, TASK
from subterminator.gym.models.clues import calls
from subterminator.gym.models.replies import Asks, Reply

# The SDK puts the name of the server before the name of a tool.
PREFIX = re.compile(r"^mcp__[^_]+__")
DELEGATES = frozenset({"Agent", "Task"})


def is_of_sdk(request: Request) -> bool:
    return any(PREFIX.match(tool.name) for tool in request.tools)


def plain(request: Request) -> Request:
    """As our own loop would have asked. What the SDK adds about the machine is left out."""
    return replace(
        request,
        tools=tuple(_tool(tool) for tool in request.tools),
        messages=tuple(_messages(request)),
    )


def needs_look(request: Request) -> bool:
    """Whether a plain request ends with a report of a member: the SDK shows no page with it."""
    answered = {part.id for part in request.messages[-1].parts if isinstance(part, Answer)}
    return any(call.name == TASK and call.id in answered for call in calls(request))


def is_over(request: Request) -> bool:
    """Whether a plain request ends with a completion that was taken: words alone end it there."""
    taken = {p.id for p in request.messages[-1].parts if isinstance(p, Answer) and not p.failed}
    return any(call.name == COMPLETE and call.id in taken for call in calls(request))


def dressed(reply: Reply, request: Request) -> Reply:
    """The reply with the tools called as this request offers them."""
    names = {_plain_name(tool.name): tool.name for tool in request.tools}
    return replace(reply, calls=tuple(_call(asks, names) for asks in reply.calls))


def _messages(request: Request) -> Iterator[Message]:
    """The task, then calls and their answers. Whatever else a user says there is the SDK's own."""
    for number, message in enumerate(request.messages):
        if message.role == "assistant":
            yield replace(message, parts=tuple(_part(part) for part in message.parts))
        elif number == 0:
            yield message
        elif answers := tuple(part for part in message.parts if isinstance(part, Answer)):
            yield replace(message, parts=answers)


def _part(part: Part) -> Part:
    if not isinstance(part, Call):
        return part
    return replace(part, name=_plain_name(part.name))


def _plain_name(name: str) -> str:
    return TASK if name in DELEGATES else PREFIX.sub("", name)


def _tool(tool: Tool) -> Tool:
    return replace(tool, name=_plain_name(tool.name))


def _call(asks: Asks, names: dict[str, str]) -> Asks:
    name = names.get(asks.name, asks.name)
    if asks.name != TASK or not isinstance(asks.arguments, dict):
        return Asks(name, asks.arguments)
    return Asks(name, _delegated(asks.arguments))


def _delegated(given: dict[str, Any]) -> dict[str, Any]:
    step = str(given["prompt"])
    return {
        "subagent_type": given["agent"],
        "description": step[:40],
        "prompt": f"Task: {step}",
        "run_in_background": False,
    }

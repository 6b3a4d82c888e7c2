"""What a bad model makes out in a request at a glance: names, its own calls, the tools it has.

No picture of the page: that is `reading.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from subterminator.agents.models.base import Answer, Call, Request, Text
from subterminator.gym.models.replies import Asks

# Of a line of a snapshot: @e7 button "Cancel plan"; in a row of like ones the role was said before.
# A backslash before the sign: the page wrote it.
ELEMENT = re.compile(r'(?<!\\)(@e\d+)(?: ([a-z]+)\b)?(?: "((?:[^"\\]|\\.)*)")?')
LIKE_OTHERS = "button"
ESCAPED = re.compile(r"\\(.)")


class Named(Struct, frozen=True):
    """An element as it was named to the model."""

    ref: str
    role: str
    name: str


def told(request: Request) -> Iterator[str]:
    """Everything the model was told after the system prompt, newest first."""
    for message in reversed(request.messages):
        if message.role == "user":
            for part in reversed(message.parts):
                if isinstance(part, Text | Answer):
                    yield part.text


def elements(request: Request) -> list[Named]:
    """Elements in the order of the page, those of the newest text first; each ref once."""
    found: dict[str, Named] = {}
    for text in told(request):
        for ref, role, name in ELEMENT.findall(text):
            named = Named(ref, role or LIKE_OTHERS, ESCAPED.sub(r"\1", name))
            found.setdefault(ref, named)
    return list(found.values())


def calls(request: Request) -> list[Call]:
    """What the model itself has asked for so far."""
    return [
        part
        for message in request.messages
        if message.role == "assistant"
        for part in message.parts
        if isinstance(part, Call)
    ]


def ask(request: Request, name: str, **arguments: Any) -> tuple[Asks, ...]:
    """A call of this tool, whatever stands before its name; none where it is not offered."""
    for tool in request.tools:
        if tool.name == name or tool.name.endswith(f"__{name}"):
            return (Asks(tool.name, arguments),)
    return ()


def press(request: Request, element: Named) -> tuple[Asks, ...]:
    """A click, by ref or by description, as the tools at hand want it."""
    return ask(request, "browser_click", ref=element.ref) or ask(
        request, "click", element_description=element.name or element.ref
    )


def is_new(request: Request, wanted: tuple[Asks, ...]) -> bool:
    """Whether the model has not asked for exactly this before, as far as it can remember."""
    done = [(call.name, call.arguments) for call in calls(request)]
    return bool(wanted) and all((it.name, it.arguments) not in done for it in wanted)

"""The OpenAI chat completions format from the provider's side: reads requests, writes answers.

It refuses what the provider refuses. No network, no state.
"""

from __future__ import annotations

from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Iterator
from typing import Any, Literal, cast

import msgspec
from msgspec import Struct

from subterminator.agents.models import base
from subterminator.gym.models.counting import Block, weigh
from subterminator.gym.models.replies import Rejected, Reply, Spent, cut_up

STOPS: dict[base.Stop, str] = {
    "tool": "tool_calls",
    "end": "stop",
    "length": "length",
    "refused": "content_filter",
}
FAILED = "Error: "


class Function(Struct, frozen=True):
    name: str
    arguments: str


class ToolCall(Struct, frozen=True):
    id: str
    function: Function
    type: Literal["function"] = "function"


class Address(Struct, frozen=True):
    url: str


class TextPart(Struct, frozen=True, tag="text", tag_field="type"):
    text: str


class ImagePart(Struct, frozen=True, tag="image_url", tag_field="type"):
    image_url: Address


class Said(Struct, frozen=True):
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[TextPart | ImagePart] | None = None
    tool_calls: list[ToolCall] = []
    tool_call_id: str = ""


class Definition(Struct, frozen=True):
    name: str
    description: str = ""
    parameters: dict[str, Any] = {}


class Offered(Struct, frozen=True):
    function: Definition
    type: Literal["function"] = "function"


class StreamOptions(Struct, frozen=True):
    include_usage: bool = False


class Body(Struct, frozen=True):
    """A request. Names that we do not know are allowed, as at other servers."""

    model: str
    messages: list[Said]
    tools: list[Offered] = []
    stream: bool = False
    stream_options: StreamOptions = StreamOptions()
    max_tokens: int | None = None
    max_completion_tokens: int | None = None
    reasoning_effort: str | None = None


def read(raw: bytes) -> Body:
    try:
        body = msgspec.json.decode(raw, type=Body)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise Rejected(str(error)) from error
    if not body.messages:
        raise Rejected("messages must not be empty", parameter="messages")
    open_calls: list[str] = []
    for said in body.messages:
        if said.role == "tool":
            if said.tool_call_id not in open_calls:
                raise Rejected("a message of role tool must follow its tool call")
            open_calls.remove(said.tool_call_id)
            continue
        if open_calls:
            raise Rejected(f"tool calls {open_calls} were not answered")
        open_calls = [call.id for call in said.tool_calls]
    if open_calls:
        raise Rejected(f"tool calls {open_calls} were not answered")
    return body


def check_effort(body: Body) -> None:
    if body.tools and body.reasoning_effort != "none":
        raise Rejected(
            "Function tools with reasoning_effort are not supported for this model.",
            parameter="reasoning_effort",
        )


def understand(body: Body) -> base.Request:
    """The request in the words of our own protocol. Answers and what follows are one message."""
    system = [_words(said) for said in body.messages if said.role in ("system", "developer")]
    messages: list[base.Message] = []
    for said in body.messages:
        match said.role:
            case "assistant":
                messages.append(base.Message("assistant", tuple(_spoken(said))))
            case "user" | "tool":
                parts = tuple(_told(said))
                if messages and messages[-1].role == "user":
                    parts = (*messages.pop().parts, *parts)
                messages.append(base.Message("user", parts))
            case _:
                continue
    return base.Request(
        system="\n".join(system),
        tools=tuple(
            base.Tool(it.function.name, it.function.description, it.function.parameters)
            for it in body.tools
        ),
        messages=tuple(messages),
        max_tokens=body.max_completion_tokens or body.max_tokens or 4_096,
    )


def _words(said: Said) -> str:
    if isinstance(said.content, str):
        return said.content
    return "\n".join(part.text for part in said.content or () if isinstance(part, TextPart))


def _spoken(said: Said) -> Iterator[base.Part]:
    if words := _words(said):
        yield base.Text(words)
    for call in said.tool_calls:
        try:
            arguments = msgspec.json.decode(call.function.arguments, type=dict[str, Any])
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            raise Rejected("the arguments of a tool call are not a JSON object") from error
        yield base.Call(call.id, call.function.name, arguments)


def _told(said: Said) -> Iterator[base.Part]:
    if said.role == "tool":
        words = _words(said)
        yield base.Answer(said.tool_call_id, words.removeprefix(FAILED), words.startswith(FAILED))
        return
    if isinstance(said.content, str):
        yield base.Text(said.content)
        return
    for part in said.content or ():
        yield base.Text(part.text) if isinstance(part, TextPart) else _picture(part)


def _picture(part: ImagePart) -> base.Picture:
    kind, _, data = part.image_url.url.removeprefix("data:").partition(";base64,")
    if kind not in ("image/png", "image/jpeg"):
        raise Rejected("image_url must be a data URL of a PNG or JPEG")
    try:
        content = b64decode(data, validate=True)
    except NotBase64 as error:
        raise Rejected("image_url: the data is not base64") from error
    return base.Picture(content, cast('Literal["image/png", "image/jpeg"]', kind))


def prompt(body: Body) -> list[Block]:
    """What is read, in order. Every piece may be cached: nobody marks anything here."""
    return [weigh(piece, marked=True) for piece in (*body.tools, *body.messages)]


def whole(reply: Reply, spent: Spent, model: str, number: int) -> dict[str, Any]:
    """An answer that is not streamed."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if calls := _calls(reply, number):
        message["tool_calls"] = calls
    choice = {"index": 0, "message": message, "finish_reason": STOPS[reply.ending]}
    return _head("chat.completion", model, number) | {
        "choices": [choice],
        "usage": _usage(spent),
    }


def chunks(reply: Reply, spent: Spent | None, model: str, number: int) -> Iterator[dict[str, Any]]:
    """An answer as a stream; `spent` only where the caller has asked for it."""
    head = _head("chat.completion.chunk", model, number)
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"reasoning_content": it} for it in cut_up(reply.thought)]
    spoken = "refusal" if reply.ending == "refused" else "content"
    deltas += [{spoken: it} for it in cut_up(reply.text)]
    for index, call in enumerate(_calls(reply, number)):
        written = call["function"]["arguments"]
        begun = call | {"index": index, "function": call["function"] | {"arguments": ""}}
        deltas.append({"tool_calls": [begun]})
        deltas += [
            {"tool_calls": [{"index": index, "function": {"arguments": it}}]}
            for it in cut_up(written)
        ]
    for delta in deltas:
        yield head | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    last = {"index": 0, "delta": {}, "finish_reason": STOPS[reply.ending]}
    yield head | {"choices": [last]}
    if spent:
        yield head | {"choices": [], "usage": _usage(spent)}


def _head(kind: str, model: str, number: int) -> dict[str, Any]:
    return {"id": f"chatcmpl-{number:06}", "object": kind, "created": 0, "model": model}


def _calls(reply: Reply, number: int) -> list[dict[str, Any]]:
    calls = []
    for place, call in enumerate(reply.calls, 1):
        given = call.arguments
        written = given if isinstance(given, str) else msgspec.json.encode(given).decode()
        function = {"name": call.name, "arguments": written}
        calls.append({"id": f"call_{number:06}_{place}", "type": "function", "function": function})
    return calls


def _usage(spent: Spent) -> dict[str, Any]:
    sent = spent.fresh + spent.cached + spent.written
    return {
        "prompt_tokens": sent,
        "completion_tokens": spent.output,
        "total_tokens": sent + spent.output,
        "prompt_tokens_details": {
            "cached_tokens": spent.cached,
            "cache_write_tokens": spent.written,
        },
    }

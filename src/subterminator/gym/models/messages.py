"""The Anthropic Messages format from the provider's side: reads requests, writes answers.

It refuses what the provider refuses. No network, no state.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Iterator, Sequence
from typing import Any, Literal, assert_never

import msgspec
from msgspec import Struct

from subterminator.agents.models import base
from subterminator.gym.models.counting import Block, weigh
from subterminator.gym.models.replies import Rejected, Reply, Spent, cut_up

STOPS: dict[base.Stop, str] = {
    "tool": "tool_use",
    "end": "end_turn",
    "length": "max_tokens",
    "refused": "refusal",
}
TOOL_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
MOST_MARKS = 4
# In the id of a call that was thought about first: its thought has to come back with it.
THOUGHTFUL = "_t_"
Mark = dict[str, Any] | None


class Wire(Struct, frozen=True, tag_field="type"):
    """Base of the blocks."""


class TextBlock(Wire, frozen=True, tag="text"):
    text: str
    cache_control: Mark = None


class Source(Struct, frozen=True):
    media_type: Literal["image/png", "image/jpeg"]
    data: str


class ImageBlock(Wire, frozen=True, tag="image"):
    source: Source
    cache_control: Mark = None


class ToolUse(Wire, frozen=True, tag="tool_use"):
    id: str
    name: str
    input: dict[str, Any]
    cache_control: Mark = None


class ToolResult(Wire, frozen=True, tag="tool_result"):
    tool_use_id: str
    content: str | list[TextBlock | ImageBlock] = ""
    is_error: bool = False
    cache_control: Mark = None


class Thinking(Wire, frozen=True, tag="thinking"):
    thinking: str
    signature: str


class RedactedThinking(Wire, frozen=True, tag="redacted_thinking"):
    data: str


AnyBlock = TextBlock | ImageBlock | ToolUse | ToolResult | Thinking | RedactedThinking


class Said(Struct, frozen=True):
    role: Literal["user", "assistant", "system"]
    content: str | list[AnyBlock]


class Offered(Struct, frozen=True):
    name: str
    input_schema: dict[str, Any]
    description: str = ""
    cache_control: Mark = None


class Body(Struct, frozen=True):
    """A request. Names that we do not know are allowed, as there."""

    model: str
    max_tokens: int
    messages: list[Said]
    system: str | list[TextBlock] = ""
    tools: list[Offered] = []
    stream: bool = False


def read(raw: bytes) -> Body:
    try:
        body = msgspec.json.decode(raw, type=Body)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise Rejected(str(error)) from error
    _check(body)
    return body


def understand(body: Body) -> base.Request:
    """The request in the words of our own protocol."""
    system = body.system if isinstance(body.system, str) else "\n".join(t.text for t in body.system)
    return base.Request(
        system=system,
        tools=tuple(base.Tool(it.name, it.description, it.input_schema) for it in body.tools),
        messages=tuple(
            base.Message(
                "assistant" if said.role == "assistant" else "user",
                tuple(_part(block) for block in _blocks(said)),
            )
            for said in body.messages
        ),
        max_tokens=body.max_tokens,
    )


def _blocks(said: Said) -> Sequence[AnyBlock]:
    return [TextBlock(said.content)] if isinstance(said.content, str) else said.content


def _part(block: AnyBlock) -> base.Part:
    match block:
        case TextBlock(text=text):
            return base.Text(text)
        case ImageBlock():
            return _picture(block)
        case ToolUse(id=id, name=name, input=arguments):
            return base.Call(id, name, arguments)
        case ToolResult(tool_use_id=id, content=str() as text, is_error=failed):
            return base.Answer(id, text, failed)
        case ToolResult(tool_use_id=id, content=list() as content, is_error=failed):
            words = "\n".join(it.text for it in content if isinstance(it, TextBlock))
            pictures = tuple(_picture(it) for it in content if isinstance(it, ImageBlock))
            return base.Answer(id, words, failed, pictures)
        case Thinking() | RedactedThinking():
            return base.Thought(msgspec.to_builtins(block))
        case _:
            assert_never(block)  # type: ignore[arg-type]


def _picture(block: ImageBlock) -> base.Picture:
    try:
        data = b64decode(block.source.data, validate=True)
    except NotBase64 as error:
        raise Rejected("image: the data is not base64") from error
    return base.Picture(data, block.source.media_type)


def _check(body: Body) -> None:
    if not body.messages or body.messages[0].role == "assistant":
        raise Rejected("messages: the first message must be of the user")
    for tool in body.tools:
        if not TOOL_NAME.fullmatch(tool.name):
            raise Rejected(f"tools: {tool.name} is not a name")
    if len({tool.name for tool in body.tools}) < len(body.tools):
        raise Rejected("tools: names must be unique")
    if sum(piece.marked for piece in prompt(body)) > MOST_MARKS:
        raise Rejected(f"at most {MOST_MARKS} blocks may have cache_control")
    open_calls: list[str] = []
    for said in body.messages:
        blocks = _blocks(said)
        _check_answers(said.role, blocks, open_calls)
        open_calls = [one.id for one in blocks if isinstance(one, ToolUse)]
        _check_blocks(blocks)
    if open_calls:
        raise Rejected("messages: tool_use without tool_result")
    _check_last_thought(body)


def _check_answers(role: str, blocks: Sequence[AnyBlock], calls: Sequence[str]) -> None:
    """Every call is answered, at the beginning of the next message, and nothing else is."""
    answered = [one.tool_use_id for one in blocks if isinstance(one, ToolResult)]
    first = [isinstance(one, ToolResult) for one in blocks[: len(answered)]]
    if sorted(answered) != sorted(calls) or not all(first) or (calls and role != "user"):
        raise Rejected(
            f"messages: tool_result blocks {answered} do not come first and answer {list(calls)}"
        )


def _check_blocks(blocks: Sequence[AnyBlock]) -> None:
    if not blocks:
        raise Rejected("messages: content must not be empty")
    for block in blocks:
        if isinstance(block, TextBlock) and not block.text.strip():
            raise Rejected("messages: text content blocks must be non-empty")
        if isinstance(block, Thinking) and block.signature != sign(block.thinking):
            raise Rejected("messages: invalid signature in thinking block")


def _check_last_thought(body: Body) -> None:
    """Whoever goes on after a call has to give back what led to it."""
    spoken = [_blocks(said) for said in body.messages if said.role == "assistant"]
    last = spoken[-1] if spoken else ()
    thought = any(isinstance(block, Thinking) for block in last)
    if not thought and any(isinstance(it, ToolUse) and THOUGHTFUL in it.id for it in last):
        raise Rejected("messages: expected thinking, but found tool_use")


def check_thoughts(body: Body) -> None:
    spoken = [_blocks(said) for said in body.messages if said.role == "assistant"]
    if any(isinstance(block, Thinking) for blocks in spoken[:-1] for block in blocks):
        raise Rejected("messages: a thinking block belongs to another conversation")


def prompt(body: Body) -> list[Block]:
    """What is read, in the provider's order: tools, system prompt, messages."""
    system = [TextBlock(body.system)] if isinstance(body.system, str) else body.system
    pieces: list[tuple[object, Mark]] = [(tool, tool.cache_control) for tool in body.tools]
    pieces += [(text, text.cache_control) for text in system if text.text]
    for said in body.messages:
        pieces += [(one, _mark(one)) for one in _blocks(said)]
    return [weigh(piece, marked=mark is not None) for piece, mark in pieces]


def _mark(one: AnyBlock) -> Mark:
    return None if isinstance(one, Thinking | RedactedThinking) else one.cache_control


def sign(thought: str) -> str:
    return hashlib.sha256(thought.encode()).hexdigest()


def whole(reply: Reply, spent: Spent, model: str, number: int) -> dict[str, Any]:
    """An answer that is not streamed. Arguments must be well-formed here, as there."""
    return _message(model, number) | {
        "content": [block for block, _ in _content(reply, number)],
        "stop_reason": STOPS[reply.ending],
        "usage": _usage(spent) | {"output_tokens": spent.output},
    }


def events(reply: Reply, spent: Spent, model: str, number: int) -> Iterator[dict[str, Any]]:
    """An answer as a stream of events."""
    begun = _message(model, number) | {"usage": _usage(spent) | {"output_tokens": 1}}
    yield {"type": "message_start", "message": begun}
    yield {"type": "ping"}
    for index, (block, deltas) in enumerate(_content(reply, number)):
        begun = {
            name: "" if name in ("text", "thinking", "signature") else value
            for name, value in block.items()
        } | ({"input": {}} if "input" in block else {})
        yield {"type": "content_block_start", "index": index, "content_block": begun}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ending = {"stop_reason": STOPS[reply.ending], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": {"output_tokens": spent.output}}
    yield {"type": "message_stop"}


def _message(model: str, number: int) -> dict[str, Any]:
    return {
        "id": f"msg_{number:06}", "type": "message", "role": "assistant", "model": model,
        "content": [], "stop_reason": None, "stop_sequence": None,
    }  # fmt: skip


def _usage(spent: Spent) -> dict[str, Any]:
    return {
        "input_tokens": spent.fresh,
        "cache_read_input_tokens": spent.cached,
        "cache_creation_input_tokens": spent.written,
    }


def _content(reply: Reply, number: int) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Each block as it is in the end, and the deltas that make it."""
    if reply.thought:
        thinking = {
            "type": "thinking", "thinking": reply.thought, "signature": sign(reply.thought),
        }  # fmt: skip
        deltas = [{"type": "thinking_delta", "thinking": it} for it in cut_up(reply.thought)]
        signature = {"type": "signature_delta", "signature": thinking["signature"]}
        yield thinking, [*deltas, signature]
    if reply.text:
        text = {"type": "text", "text": reply.text}
        yield text, [{"type": "text_delta", "text": it} for it in cut_up(reply.text)]
    sort = THOUGHTFUL if reply.thought else "_"
    for place, call in enumerate(reply.calls, 1):
        given = call.arguments
        written = given if isinstance(given, str) else msgspec.json.encode(given).decode()
        use = {
            "type": "tool_use", "id": f"toolu{sort}{number:06}_{place}", "name": call.name,
            "input": given if isinstance(given, dict) else {},
        }  # fmt: skip
        yield use, [{"type": "input_json_delta", "partial_json": it} for it in cut_up(written)]

"""Claude, by the Messages API and the `anthropic` SDK. It streams, and marks what may be cached."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, assert_never

from msgspec.structs import replace

from subterminator.agents.models import failures, prices, speech
from subterminator.agents.models.base import (
    Answer,
    Call,
    Malformed,
    Message,
    Part,
    Picture,
    Request,
    Spoken,
    Stop,
    Text,
    Thought,
    Tool,
    Usage,
)
from subterminator.agents.models.extras import require
from subterminator.agents.models.retries import Passing, Patience, Retries
from subterminator.agents.models.transport import connect

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

ANTHROPIC = failures.Provider("Anthropic", "ANTHROPIC_API_KEY")
ADDRESS = "https://api.anthropic.com"
MARK = {"type": "ephemeral"}
THOUGHTS = ("thinking", "redacted_thinking")
# Which thoughts go back: newer models refuse those of a conversation that was shortened since.
Keeps = Literal["all", "last", "none"]
FEWER: dict[Keeps, Keeps] = {"all": "last", "last": "none"}
# `pause_turn` comes with tools of the provider's own, which we never offer.
STOPS: dict[str, Stop] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "pause_turn": "end",
    "tool_use": "tool",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refused",
}


class Anthropic:
    """A Claude model. The key stays in here: in no error, no record and no representation."""

    def __init__(
        self,
        name: str,
        *,
        key: str,
        base_url: str = "",
        retries: Retries | None = None,
        patience: Patience | None = None,
    ) -> None:
        require("anthropic")
        self.name = name
        self._key = key
        self._address = base_url or ADDRESS
        self._retries = retries or Retries()
        self._patience = patience or Patience()
        # Learned from refusals: which of its thoughts this model takes back.
        self._keeps: Keeps = "all"

    async def answer(self, request: Request, *, hear: Callable[[str], None]) -> Spoken:
        from anthropic import AsyncAnthropic

        async with AsyncAnthropic(
            api_key=self._key,
            base_url=self._address,
            timeout=self._patience.silence,
            max_retries=0,
            http_client=connect(self._address, self._patience),
        ) as client:
            spoken = await self._retries.keep_asking(lambda: self._ask(client, request, hear))
        return replace(spoken, cost=prices.cost(self.name, spoken.usage, self._address))

    async def _ask(
        self, client: AsyncAnthropic, request: Request, hear: Callable[[str], None]
    ) -> Spoken:
        from anthropic import APIConnectionError, APIStatusError
        from httpx2 import HTTPError

        ear = Ear(hear)
        body = write(self.name, request, self._keeps)
        try:
            async with asyncio.timeout(self._patience.whole):
                async with await client.messages.create(**body, stream=True) as stream:
                    async for event in stream:
                        ear.take(event.to_dict(warnings=False))
        except APIStatusError as error:
            failure = failures.read(error)
            if "thinking" in failure.words and self._think_less(failure.status, body):
                raise Passing(f"Anthropic refuses the request: {failure.words}", 0.0) from None
            raise failures.judge(failure, ANTHROPIC, self._key, self._retries, ear.usage) from None
        except (APIConnectionError, HTTPError, TimeoutError):
            raise Passing(
                "Anthropic could not be reached, or broke off.", usage=ear.usage
            ) from None
        except ValueError:
            # The SDK lets the complaints of its JSON parser through.
            raise Passing("Anthropic sent what cannot be read.", usage=ear.usage) from None
        return ear.spoken()

    def _think_less(self, status: int, body: dict[str, Any]) -> bool:
        """Whether the request can be sent again with fewer thoughts than it had."""
        blocks = (block for message in body["messages"] for block in message["content"])
        fewer = FEWER.get(self._keeps)
        if status != 400 or fewer is None or not any(it["type"] in THOUGHTS for it in blocks):
            return False
        self._keeps = fewer
        return True


class Ear:
    """Listens to one stream."""

    def __init__(self, hear: Callable[[str], None]) -> None:
        self._hear = hear
        self._blocks: dict[int, dict[str, Any]] = {}
        self._counts: dict[str, int] = {}
        self._stop = ""
        self._explanation = ""
        self._ended = False

    def take(self, event: dict[str, Any]) -> None:
        """Events of a kind that we do not know are passed over, as the API wants it."""
        match event:
            case {"type": "message_start", "message": {"usage": dict() as usage}}:
                self._count(usage)
            case {
                "type": "content_block_start",
                "index": int() as at,
                "content_block": {"type": str()} as block,
            }:
                self._blocks[at] = dict(block)
            case {"type": "content_block_delta", "index": int() as at, "delta": dict() as delta}:
                self._grow(self._blocks.setdefault(at, {}), delta)
            case {"type": "message_delta", "delta": dict() as delta}:
                self._stop = str(delta.get("stop_reason") or "")
                match delta.get("stop_details"):
                    case {"explanation": str() as explanation}:
                        self._explanation = explanation
                self._count(event.get("usage") or {})
            case {"type": "message_stop"}:
                self._ended = True

    def _grow(self, block: dict[str, Any], delta: dict[str, Any]) -> None:
        match delta:
            case {"type": "text_delta", "text": str() as text}:
                block["text"] = str(block.get("text", "")) + text
                self._hear(text)
            case {"type": "input_json_delta", "partial_json": str() as text}:
                block["written"] = str(block.get("written", "")) + text
            case {"type": "thinking_delta", "thinking": str() as text}:
                block["thinking"] = str(block.get("thinking", "")) + text
            case {"type": "signature_delta", "signature": str() as text}:
                block["signature"] = str(block.get("signature", "")) + text

    def _count(self, usage: dict[str, Any]) -> None:
        # Counts are cumulative: a later one replaces an earlier one.
        self._counts |= {name: count for name, count in usage.items() if isinstance(count, int)}

    @property
    def usage(self) -> Usage:
        count = self._counts.get
        return Usage(
            fresh=count("input_tokens", 0),
            cached=count("cache_read_input_tokens", 0),
            written=count("cache_creation_input_tokens", 0),
            output=count("output_tokens", 0),
        )

    def spoken(self) -> Spoken:
        if not self._ended or not self._stop:
            raise Passing("Anthropic broke off in the middle of an answer.", usage=self.usage)
        heard = [part for _, block in sorted(self._blocks.items()) for part in _hear_block(block)]
        # A reason that we do not know may mean anything: then nothing of it is run.
        stop = STOPS.get(self._stop, "refused")
        if stop == "refused" and not any(isinstance(part, Text) for part in heard):
            heard.append(Text(self._explanation or f"No answer: {self._stop}."))
        return speech.finish(heard, stop, self.usage)


def _hear_block(block: dict[str, Any]) -> list[speech.Heard]:
    match block:
        case {"type": "text", "text": str() as text} if text:
            return [Text(text)]
        case {"type": "tool_use", "id": str() as id, "name": str() as name}:
            given = block.get("input") or {}
            if "written" not in block and isinstance(given, dict):
                return [Call(id, name, given)]
            return [speech.read_call(id, name, str(block.get("written", "")))]
        case {"type": str() as kind} if kind in THOUGHTS:
            return [Thought(block)]
        case _:
            return []


def write(name: str, request: Request, keeps: Keeps = "all") -> dict[str, Any]:
    """The request as the API wants it.

    Three marks for the cache: the tools and the system prompt, which stay the same through a run,
    and the end of the last message, which is the beginning of the next request.
    """
    body: dict[str, Any] = {"model": name, "max_tokens": request.max_tokens}
    if request.tools:
        body["tools"] = [_write_tool(tool) for tool in request.tools]
        body["tools"][-1]["cache_control"] = MARK
    if request.system.strip():
        body["system"] = [{"type": "text", "text": request.system, "cache_control": MARK}]
    messages = [_write_message(message) for message in _without_thoughts(request.messages, keeps)]
    body["messages"] = [message for message in messages if message["content"]]
    last = next((it for it in reversed(body["messages"]) if it["role"] == "user"), None)
    if last:
        last["content"][-1]["cache_control"] = MARK
    return body


def _without_thoughts(messages: Sequence[Message], keeps: Keeps) -> Sequence[Message]:
    spoken = [at for at, message in enumerate(messages) if message.role == "assistant"]
    kept = {"all": spoken, "last": spoken[-1:], "none": []}[keeps]
    return [
        replace(
            message,
            parts=tuple(it for it in message.parts if at in kept or not isinstance(it, Thought)),
        )
        for at, message in enumerate(messages)
    ]


def _write_tool(tool: Tool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.schema}


def _write_message(message: Message) -> dict[str, Any]:
    # The API wants the answers to its calls before anything else.
    parts = sorted(message.parts, key=lambda part: not isinstance(part, Answer))
    blocks = [_write_part(part) for part in (parts if message.role == "user" else message.parts)]
    return {"role": message.role, "content": [block for block in blocks if block]}


def _write_part(part: Part) -> dict[str, Any]:
    match part:
        case Text(text=text):
            # It refuses empty texts.
            return {"type": "text", "text": text} if text.strip() else {}
        case Picture(data=data, kind=kind):
            source = {"type": "base64", "media_type": kind, "data": b64encode(data).decode()}
            return {"type": "image", "source": source}
        case Call(id=id, name=name, arguments=arguments):
            return {"type": "tool_use", "id": id, "name": name, "input": arguments}
        case Malformed(id=id, name=name):
            return {"type": "tool_use", "id": id, "name": name or "unknown", "input": {}}
        case Thought(data=data):
            return data
        case Answer():
            return {
                "type": "tool_result",
                "tool_use_id": part.id,
                "content": _write_answer(part.text, part.pictures),
                "is_error": part.failed,
            }
        case _:
            assert_never(part)


def _write_answer(text: str, pictures: Sequence[Picture]) -> list[dict[str, Any]]:
    words = Text(text if text.strip() else "(nothing)")
    parts: tuple[Text | Picture, ...] = (words, *pictures)
    return [_write_part(part) for part in parts]

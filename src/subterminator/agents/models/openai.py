"""Models that speak chat completions, by the `openai` SDK: OpenAI's, and any compatible server."""

from __future__ import annotations

import asyncio
import secrets
from base64 import b64encode
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from subterminator.agents.models import failures, prices, speech
from subterminator.agents.models.base import (
    Answer,
    Call,
    Malformed,
    Message,
    ModelError,
    Picture,
    Request,
    Spoken,
    Stop,
    Text,
    Tool,
    Usage,
)
from subterminator.agents.models.extras import require
from subterminator.agents.models.retries import Passing, Patience, Retries
from subterminator.agents.models.transport import connect

if TYPE_CHECKING:
    from openai import AsyncOpenAI

OPENAI = failures.Provider("OpenAI", "OPENAI_API_KEY")
ADDRESS = "https://api.openai.com/v1"
STOPS: dict[str, Stop] = {
    "stop": "end",
    "tool_calls": "tool",
    "function_call": "tool",
    "length": "length",
    "content_filter": "refused",
}
# What OpenAI complains of where a model does not think and call tools at once on this interface.
EFFORT = ("reasoning_effort", "tools")


class OpenAI:
    """A model behind chat completions. The key stays in here, in no error and no record."""

    def __init__(
        self,
        name: str,
        *,
        key: str,
        base_url: str = "",
        retries: Retries | None = None,
        patience: Patience | None = None,
    ) -> None:
        require("openai")
        self.name = name
        self._key = key
        self._address = base_url or ADDRESS
        self._provider = OPENAI if not base_url else replace(OPENAI, name="The model server")
        self._retries = retries or Retries()
        self._patience = patience or Patience()
        # Learned from a refusal: this model calls tools only when it is told not to think first.
        self._unthinking = False

    async def answer(self, request: Request, *, hear: Callable[[str], None]) -> Spoken:
        from openai import AsyncOpenAI

        body = write(self.name, request)
        # OpenAI's newer models refuse the old word; other servers know only that one.
        limit = "max_completion_tokens" if self._address == ADDRESS else "max_tokens"
        body[limit] = request.max_tokens
        async with AsyncOpenAI(
            api_key=self._key,
            base_url=self._address,
            timeout=self._patience.silence,
            max_retries=0,
            http_client=connect(self._address, self._patience),
        ) as client:
            spoken = await self._retries.keep_asking(lambda: self._ask(client, body, hear))
        return replace(spoken, cost=prices.cost(self.name, spoken.usage, self._address))

    async def _ask(
        self, client: AsyncOpenAI, body: dict[str, Any], hear: Callable[[str], None]
    ) -> Spoken:
        from httpx2 import HTTPError
        from openai import APIConnectionError, APIError, APIStatusError

        ear = Ear(hear)
        who = self._provider.name
        if self._unthinking:
            body = body | {"reasoning_effort": "none"}
        try:
            async with asyncio.timeout(self._patience.whole):
                async with await client.chat.completions.create(
                    **body, stream=True, stream_options={"include_usage": True}
                ) as stream:
                    async for chunk in stream:
                        ear.take(chunk.to_dict(warnings=False))
        except APIStatusError as error:
            raise self._judge(failures.read(error), error.param, ear.usage) from None
        except (APIConnectionError, HTTPError, TimeoutError):
            raise Passing(f"{who} could not be reached, or broke off.", usage=ear.usage) from None
        except APIError as error:
            # An error within a stream has no status of its own.
            failure = failures.Failure(200, *failures.describe(error.body, error.message), {})
            raise self._judge(failure, None, ear.usage) from None
        except ValueError:
            raise Passing(f"{who} sent what cannot be read.", usage=ear.usage) from None
        return ear.spoken(who)

    def _judge(
        self, failure: failures.Failure, parameter: str | None, used: Usage
    ) -> Passing | ModelError:
        if failure.status == 400 and parameter in EFFORT:
            if not self._unthinking:
                self._unthinking = True
                return Passing(f"{self._provider.name} refuses tools with thinking.", after=0.0)
            return ModelError(
                f"{self.name} does not call tools over chat completions.",
                next_step="Choose another one with --model, for example gpt-6.1-terra.",
            )
        return failures.judge(failure, self._provider, self._key, self._retries, used)


class Slot(Struct):
    """A call while it comes in, piece by piece."""

    index: int
    id: str = ""
    name: str = ""
    written: str = ""


class Ear:
    """Listens to one stream."""

    def __init__(self, hear: Callable[[str], None]) -> None:
        self._hear = hear
        self._words: list[str] = []
        self._refusal: list[str] = []
        self._slots: list[Slot] = []
        self._stop = ""
        self.usage = Usage()

    def take(self, chunk: dict[str, Any]) -> None:
        usage: dict[str, Any] = chunk.get("usage") or {}
        match usage:
            case {"prompt_tokens": int() as sent, "completion_tokens": int() as output}:
                details = usage.get("prompt_tokens_details") or {}
                cached = min(sent, details.get("cached_tokens") or 0)
                written = min(sent - cached, details.get("cache_write_tokens") or 0)
                self.usage = Usage(sent - cached - written, cached, written, output)
        for choice in (chunk.get("choices") or ())[:1]:
            self._stop = choice.get("finish_reason") or self._stop
            self._take_delta(choice.get("delta") or {})

    def _take_delta(self, delta: dict[str, Any]) -> None:
        if text := delta.get("content"):
            self._words.append(text)
            self._hear(text)
        if refusal := delta.get("refusal"):
            self._refusal.append(refusal)
        for piece in delta.get("tool_calls") or ():
            function = piece.get("function") or {}
            slot = self._slot(piece.get("index") or 0, piece.get("id") or "")
            slot.name += function.get("name") or ""
            slot.written += function.get("arguments") or ""

    def _slot(self, index: int, id: str) -> Slot:
        """Some servers number every call 0; an id of its own makes a new one."""
        same = [slot for slot in self._slots if slot.index == index]
        if same and (not id or same[-1].id in ("", id)):
            same[-1].id = same[-1].id or id
            return same[-1]
        self._slots.append(Slot(index, id))
        return self._slots[-1]

    def spoken(self, who: str) -> Spoken:
        if not self._stop:
            raise Passing(f"{who} broke off in the middle of an answer.", usage=self.usage)
        # A reason that we do not know may mean anything: then nothing of it is run.
        stop: Stop = "refused" if self._refusal else STOPS.get(self._stop, "refused")
        words = "".join(self._words) or "".join(self._refusal)
        if stop == "refused" and not words:
            words = f"No answer: {self._stop}."
        heard: list[speech.Heard] = [Text(words)] if words else []
        return speech.finish([*heard, *self._calls()], stop, self.usage)

    def _calls(self) -> list[Call | Malformed]:
        """Every call has an id of its own, also where a server gives none or the same to all."""
        taken: set[str] = set()
        calls = []
        for slot in self._slots:
            id = slot.id if slot.id and slot.id not in taken else f"call_{secrets.token_hex(8)}"
            taken.add(id)
            calls.append(speech.read_call(id, slot.name, slot.written))
        return calls


def write(name: str, request: Request) -> dict[str, Any]:
    """The request as the interface wants it, but for the limit of the answer."""
    body: dict[str, Any] = {"model": name, "messages": []}
    if request.tools:
        body["tools"] = [_write_tool(tool) for tool in request.tools]
    if request.system.strip():
        body["messages"].append({"role": "system", "content": request.system})
    for message in request.messages:
        role = _write_assistant if message.role == "assistant" else _write_user
        body["messages"] += role(message)
    return body


def _write_tool(tool: Tool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.schema}
    return {"type": "function", "function": function}


def _write_assistant(message: Message) -> list[dict[str, Any]]:
    words = "".join(part.text for part in message.parts if isinstance(part, Text))
    calls = [_write_call(part) for part in message.parts if isinstance(part, Call | Malformed)]
    if not words.strip() and not calls:
        return []
    written: dict[str, Any] = {"role": "assistant", "content": words or None}
    return [written | ({"tool_calls": calls} if calls else {})]


def _write_call(call: Call | Malformed) -> dict[str, Any]:
    arguments = call.arguments if isinstance(call, Call) else {}
    written = msgspec.json.encode(arguments).decode()
    function = {"name": call.name or "unknown", "arguments": written}
    return {"id": call.id, "type": "function", "function": function}


def _write_user(message: Message) -> list[dict[str, Any]]:
    """Answers are messages of their own here, without pictures: those follow."""
    answers = [part for part in message.parts if isinstance(part, Answer)]
    told: list[dict[str, Any]] = [
        {
            "role": "tool",
            "tool_call_id": answer.id,
            "content": f"Error: {answer.text}" if answer.failed else answer.text or "(nothing)",
        }
        for answer in answers
    ]
    rest: list[Text | Picture] = [
        part for part in message.parts if isinstance(part, Text | Picture)
    ]
    for answer in answers:
        if answer.pictures:
            rest += [Text(f"The picture that belongs to {answer.id}:"), *answer.pictures]
    content = _write_content(rest)
    return [*told, {"role": "user", "content": content}] if content else told


def _write_content(parts: Sequence[Text | Picture]) -> str | list[dict[str, Any]]:
    match [part for part in parts if isinstance(part, Picture) or part.text.strip()]:
        case []:
            return ""
        case [Text(text=text)]:
            return text
        case several:
            return [_write_part(part) for part in several]


def _write_part(part: Text | Picture) -> dict[str, Any]:
    match part:
        case Text(text=text):
            return {"type": "text", "text": text}
        case Picture(data=data, kind=kind):
            address = f"data:{kind};base64,{b64encode(data).decode()}"
            return {"type": "image_url", "image_url": {"url": address}}

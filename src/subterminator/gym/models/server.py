"""The practice model as a server, on this machine only: both wire formats, one script, faults."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from subterminator.agents.models import base
from subterminator.gym.models import completions, messages
from subterminator.gym.models.counting import Cache
from subterminator.gym.models.faults import Fault, slip
from subterminator.gym.models.replies import Rejected, Reply, Script, Spent
from subterminator.gym.wire import JSON, LOOPBACK, Answer, Cut, Request, Stream, listening

Format = Literal["anthropic", "openai"]
PATHS: dict[str, Format] = {"/v1/messages": "anthropic", "/v1/chat/completions": "openai"}
COUNT = "/v1/messages/count_tokens"
SSE = "text/event-stream"
SLOW_SECONDS = 0.1
NAMES = {LOOPBACK, "localhost"}
# Twenty pictures of the largest size that we send.
BODY_LIMIT = 32 * 1024 * 1024
KINDS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}
HTML_PAGE = b"<!doctype html><title>Sign in</title><p>Sign in to this network."


class Seen(Struct, frozen=True):
    """A request that came in, and as what it was understood."""

    format: Format
    headers: dict[str, str]
    body: bytes
    request: base.Request


class Talk(Struct, frozen=True):
    """What an answer is about."""

    format: Format
    model: str
    number: int
    reply: Reply
    spent: Spent
    told: bool
    """Whether the caller is told the tokens."""


class Practice:
    """A running practice model: where it is, what it was asked, what is to go wrong next."""

    def __init__(self, script: Script, faults: Iterable[Fault]) -> None:
        self.script = script
        self.faults = list(faults)
        self.seen: list[Seen] = []
        self.arrived = 0
        """All requests, those too that were refused."""
        self.address = ""
        self._cache = Cache()
        self._closing = asyncio.Event()

    @property
    def openai_address(self) -> str:
        return f"{self.address}/v1"

    def close(self) -> None:
        self._closing.set()

    async def respond(self, request: Request) -> Answer | Stream:
        # A page from elsewhere must not reach us under a name of its own.
        if request.headers.get("host", "").split(":")[0] not in NAMES:
            return _error("openai", 403, "This server answers only to the names of this machine.")
        format = PATHS.get(request.path)
        if request.method == "POST" and request.path == COUNT:
            return self._count(request)
        if format is None or request.method != "POST":
            return _error("anthropic", 404, f"Nothing is at {request.method} {request.path}.")
        self.arrived += 1
        fault = self._next_fault()
        if fault and (status := fault.status()):
            return _refuse(format, status, fault)
        if fault and fault.kind in ("drop", "hang"):
            if fault.kind == "hang":
                await self._closing.wait()
            raise Cut
        try:
            return self._answer(format, request, fault)
        except Rejected as rejected:
            return _error(format, rejected.status, rejected.words, parameter=rejected.parameter)

    def _next_fault(self) -> Fault | None:
        if not self.faults:
            return None
        fault = self.faults[0]
        match fault.times:
            case 0:
                pass
            case 1:
                self.faults.pop(0)
            case more:
                self.faults[0] = replace(fault, times=more - 1)
        return fault

    def _count(self, request: Request) -> Answer:
        try:
            body = messages.read(request.body)
        except Rejected as rejected:
            return _error("anthropic", rejected.status, rejected.words)
        return _say({"input_tokens": sum(block.tokens for block in messages.prompt(body))})

    def _answer(self, format: Format, request: Request, fault: Fault | None) -> Answer | Stream:
        if not _key(format, request.headers):
            raise Rejected("no key was sent", status=401)
        match format:
            case "anthropic":
                body = messages.read(request.body)
                if fault and fault.kind == "thoughts":
                    messages.check_thoughts(body)
                understood, prompt = messages.understand(body), messages.prompt(body)
                model, streams, told = body.model, body.stream, True
            case "openai":
                asked = completions.read(request.body)
                understood, prompt = completions.understand(asked), completions.prompt(asked)
                model, streams = asked.model, asked.stream
                told = asked.stream_options.include_usage
                if fault and fault.kind == "effort":
                    completions.check_effort(asked)
        self.seen.append(Seen(format, dict(request.headers), request.body, understood))
        reply = self.script(understood)
        reply = slip(reply, fault.kind) if fault else reply
        spent = self._cache.spend(prompt, reply)
        told = told and not (fault and fault.kind == "no-usage")
        talk = Talk(format, model, len(self.seen), reply, spent, told)
        if fault and fault.kind == "html":
            return Answer(HTML_PAGE)
        if not streams:
            return _say(_whole(talk))
        return Stream(self._stream(talk, fault), SSE)

    async def _stream(self, talk: Talk, fault: Fault | None) -> AsyncIterator[bytes]:
        lines = list(_lines(talk))
        kind = fault.kind if fault else ""
        # Far enough that a call has begun, and not to its end.
        breaks = kind in ("cut", "error-event", "garbled")
        for line in lines[: max(1, len(lines) * 2 // 3)] if breaks else lines:
            if kind == "slow":
                await self._dawdle()
            yield line
        match kind:
            case "cut":
                raise Cut
            case "garbled":
                yield b'event: message_delta\ndata: {"type": \n\n'
            case "error-event":
                yield _late_error(talk.format)

    async def _dawdle(self) -> None:
        """A slow answer is late, but never later than the end of the server."""
        try:
            async with asyncio.timeout(SLOW_SECONDS):
                await self._closing.wait()
        except TimeoutError:
            return


@asynccontextmanager
async def practising(
    script: Script, faults: Iterable[Fault] = (), *, port: int = 0
) -> AsyncIterator[Practice]:
    """Run a practice model on this machine for as long as the block lasts."""
    practice = Practice(script, faults)
    async with listening(practice.respond, port, body_limit=BODY_LIMIT) as taken:
        practice.address = f"http://{LOOPBACK}:{taken}"
        try:
            yield practice
        finally:
            practice.close()


def _key(format: Format, headers: Mapping[str, str]) -> str:
    if format == "anthropic" and headers.get("x-api-key"):
        return headers["x-api-key"]
    return headers.get("authorization", "").removeprefix("Bearer").strip()


def _whole(talk: Talk) -> dict[str, Any]:
    write = messages.whole if talk.format == "anthropic" else completions.whole
    return write(talk.reply, talk.spent, talk.model, talk.number)


def _lines(talk: Talk) -> Iterator[bytes]:
    if talk.format == "anthropic":
        for event in messages.events(talk.reply, talk.spent, talk.model, talk.number):
            yield _event(event, str(event["type"]))
        return
    spent = talk.spent if talk.told else None
    for chunk in completions.chunks(talk.reply, spent, talk.model, talk.number):
        yield _event(chunk)
    yield b"data: [DONE]\n\n"


def _event(data: dict[str, Any], name: str = "") -> bytes:
    head = f"event: {name}\n".encode() if name else b""
    return head + b"data: " + msgspec.json.encode(data) + b"\n\n"


def _late_error(format: Format) -> bytes:
    """What goes wrong after the answer has begun comes as an event of its own."""
    if format == "anthropic":
        error = {"type": "overloaded_error", "message": "Overloaded"}
        return _event({"type": "error", "error": error}, "error")
    return _event({"error": {"type": "server_error", "message": "Overloaded"}})


def _refuse(format: Format, status: int, fault: Fault) -> Answer:
    words = {
        "rate-limit": "You are asking too often.",
        "no-credit": "You have used up your credit.",
    }
    code = "insufficient_quota" if fault.kind == "no-credit" else ""
    said = words.get(fault.kind, f"This is the fault {fault.kind}.")
    answer = _error(format, status, said, code=code)
    if fault.wait is None:
        return answer
    return replace(answer, headers=(("Retry-After", f"{fault.wait:g}"),))


def _error(
    format: Format, status: int, words: str, *, code: str = "", parameter: str = ""
) -> Answer:
    kind = "billing_error" if code else KINDS.get(status, "api_error")
    error: dict[str, Any] = {"type": kind, "message": words}
    if format == "anthropic":
        return _say({"type": "error", "error": error}, status)
    return _say({"error": error | {"code": code or None, "param": parameter or None}}, status)


def _say(data: dict[str, Any], status: int = 200) -> Answer:
    return Answer(msgspec.json.encode(data), status, JSON)

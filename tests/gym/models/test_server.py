"""The practice model over plain HTTP, as any client may speak to it."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest

from subterminator.gym.models.faults import KINDS, Fault, parse
from subterminator.gym.models.replies import Asks, Reply
from subterminator.gym.models.server import Practice, practising

HELLO: dict[str, Any] = {
    "model": "m",
    "max_tokens": 9,
    "messages": [{"role": "user", "content": "Hello"}],
}
ANSWER = Reply(text="Good day.", calls=(Asks("look", {"far": True}),))
MESSAGES, COMPLETIONS = "/v1/messages", "/v1/chat/completions"


async def post(
    practice: Practice, path: str, body: object, **headers: str
) -> tuple[int, dict[str, str], str]:
    request = urllib.request.Request(
        practice.address + path,
        msgspec.json.encode(body),
        {"Content-Type": "application/json", "x-api-key": "k", "Authorization": "Bearer k"}
        | headers,
    )

    def ask() -> tuple[int, dict[str, str], str]:
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, dict(answer.headers), answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, dict(error.headers), error.read().decode()

    return await asyncio.to_thread(ask)


async def test_it_answers_whole_where_no_stream_is_asked_for() -> None:
    async with practising(lambda request: ANSWER) as practice:
        _, _, claude = await post(practice, MESSAGES, HELLO)
        _, _, gpt = await post(practice, COMPLETIONS, HELLO)
    said = msgspec.json.decode(claude)
    assert [block["type"] for block in said["content"]] == ["text", "tool_use"]
    assert (said["content"][1]["input"], said["stop_reason"]) == ({"far": True}, "tool_use")
    choice = msgspec.json.decode(gpt)["choices"][0]
    assert choice["message"]["tool_calls"][0]["function"]["arguments"] == '{"far":true}'
    assert choice["finish_reason"] == "tool_calls"


async def test_a_stream_of_messages_has_the_events_in_their_order() -> None:
    async with practising(lambda request: ANSWER) as practice:
        _, headers, text = await post(practice, MESSAGES, HELLO | {"stream": True})
    names = [line.removeprefix("event: ") for line in text.split("\n") if line.startswith("event")]
    assert headers["Content-Type"] == "text/event-stream"
    assert names[:3] == ["message_start", "ping", "content_block_start"]
    assert names[-2:] == ["message_delta", "message_stop"]
    assert names.count("content_block_start") == names.count("content_block_stop") == 2


async def test_a_stream_of_completions_splits_a_call_and_ends_with_done() -> None:
    asked = HELLO | {"stream": True, "stream_options": {"include_usage": True}}
    async with practising(lambda request: ANSWER) as practice:
        _, _, text = await post(practice, COMPLETIONS, asked)
    lines = [line.removeprefix("data: ") for line in text.split("\n\n") if line]
    assert lines[-1] == "[DONE]"
    assert msgspec.json.decode(lines[-2])["usage"]["completion_tokens"] > 0
    assert sum('"tool_calls":[{' in line for line in lines) >= 3


async def test_tokens_can_be_counted_beforehand() -> None:
    async with practising(lambda request: ANSWER) as practice:
        _, _, text = await post(practice, f"{MESSAGES}/count_tokens", HELLO)
    assert 0 < msgspec.json.decode(text)["input_tokens"] < 50
    assert practice.arrived == 0


def message(role: str, *blocks: dict[str, Any]) -> dict[str, Any]:
    return {"role": role, "content": list(blocks)}


def use(id: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": "look", "input": {}}


def result(id: str) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": "x"}


TEXT = {"type": "text", "text": "x"}
MARKED = TEXT | {"cache_control": {"type": "ephemeral"}}
TOOL = {"name": "look", "input_schema": {"type": "object"}}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"max_tokens": None}, "Expected `int`"),
        ({"messages": []}, "first message"),
        ({"messages": [message("assistant", TEXT)]}, "first message"),
        ({"messages": [message("user", TEXT | {"text": " "})]}, "non-empty"),
        ({"messages": [message("user")]}, "must not be empty"),
        ({"messages": [message("user", *[MARKED] * 5)]}, "at most 4"),
        ({"messages": [message("user", result("a"))]}, "tool_result"),
        ({"messages": [message("user", TEXT), message("assistant", use("a"))]}, "without tool_result"),
        (
            {"messages": [message("user", TEXT), message("assistant", use("a"), use("b")), message("user", result("a"))]},
            "answer",
        ),
        (
            {"messages": [message("user", TEXT), message("assistant", use("a")), message("user", TEXT, result("a"))]},
            "come first",
        ),
        (
            {"messages": [message("user", TEXT), message("assistant", {"type": "thinking", "thinking": "x", "signature": "y"})]},
            "signature",
        ),
        ({"tools": [TOOL, TOOL]}, "unique"),
        ({"tools": [TOOL | {"name": "a b"}]}, "not a name"),
    ],
)  # fmt: skip
async def test_messages_that_the_provider_refuses_are_refused(
    change: dict[str, Any], words: str
) -> None:
    async with practising(lambda request: ANSWER) as practice:
        status, _, text = await post(practice, MESSAGES, HELLO | change)
    error = msgspec.json.decode(text)["error"]
    assert (status, error["type"]) == (400, "invalid_request_error")
    assert words in error["message"]


CALLS = {
    "role": "assistant",
    "tool_calls": [{"id": "a", "function": {"name": "x", "arguments": "{}"}}],
}


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ([], "must not be empty"),
        ([{"role": "tool", "tool_call_id": "a", "content": "x"}], "must follow"),
        ([CALLS], "not answered"),
        ([CALLS, {"role": "user", "content": "x"}], "not answered"),
        ([{"role": "king", "content": "x"}], "king"),
        ([{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://x/"}}]}], "data URL"),
    ],
)  # fmt: skip
async def test_completions_that_the_provider_refuses_are_refused(
    messages: list[dict[str, Any]], words: str
) -> None:
    async with practising(lambda request: ANSWER) as practice:
        status, _, text = await post(practice, COMPLETIONS, HELLO | {"messages": messages})
    assert status == 400
    assert words in msgspec.json.decode(text)["error"]["message"]


@pytest.mark.parametrize("path", [MESSAGES, COMPLETIONS])
async def test_without_a_key_nobody_is_answered(path: str) -> None:
    async with practising(lambda request: ANSWER) as practice:
        status, _, _ = await post(practice, path, HELLO, **{"x-api-key": "", "Authorization": ""})
    assert status == 401


async def test_it_answers_only_to_the_names_of_this_machine() -> None:
    async with practising(lambda request: ANSWER) as practice:
        status, _, _ = await post(practice, MESSAGES, HELLO, Host="evil.example")
    assert (status, practice.seen) == (403, [])


async def test_what_is_not_there_is_not_there() -> None:
    async with practising(lambda request: ANSWER) as practice:
        status, _, _ = await post(practice, "/v1/embeddings", HELLO)
    assert status == 404


async def test_a_large_request_with_pictures_is_taken() -> None:
    long = HELLO | {"messages": [{"role": "user", "content": "word " * 400_000}]}
    async with practising(lambda request: ANSWER) as practice:
        status, _, _ = await post(practice, MESSAGES, long)
    assert status == 200


async def test_faults_come_one_after_the_other_and_then_there_are_none() -> None:
    faults = [parse("rate-limit:2"), parse("overloaded:1")]
    async with practising(lambda request: ANSWER, faults) as practice:
        seen = [await post(practice, MESSAGES, HELLO) for _ in range(4)]
    assert [status for status, _, _ in seen] == [429, 429, 529, 200]
    assert seen[0][1]["Retry-After"] == "1"


async def test_a_server_that_hangs_can_still_be_closed() -> None:
    async with practising(lambda request: ANSWER, [Fault("hang")]) as practice:
        port = urlsplit(practice.address).port
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(
            b"POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}"
        )
        await writer.drain()
        # Every answer on another connection gives the first one time to arrive.
        while not practice.arrived:
            await post(practice, "/v1/embeddings", HELLO)
    assert await reader.read() == b""
    writer.close()


@pytest.mark.parametrize("text", ["flood", "cut:", "cut:0", "cut:-1", "cut:x", ""])
def test_what_is_no_fault_is_refused_with_the_list(text: str) -> None:
    with pytest.raises(Exception, match="rate-limit") as caught:
        parse(text)
    assert all(kind in str(caught.value) for kind in KINDS)

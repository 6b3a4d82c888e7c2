"""What only chat completions have: thinking that excludes tools, servers that number oddly."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from subterminator.agents.models import openai
from subterminator.agents.models.base import Call, ModelError, Text, Usage
from subterminator.agents.models.failures import Failure
from subterminator.agents.models.openai import OpenAI
from subterminator.agents.models.retries import Passing
from subterminator.gym.models.replies import Reply
from tests.agents.models.talking import ASK, CLICKS, KEY, talking


async def test_a_model_that_calls_tools_only_unthinking_is_told_not_to_think() -> None:
    async with talking("openai", CLICKS, ["effort"]) as talk:
        spoken = await talk.say()
        await talk.say()
    assert len(spoken.calls) == 1
    # Refused once, then known.
    assert talk.practice.arrived == 3
    assert talk.waits == [0.0]


async def test_one_that_takes_no_tools_at_all_is_named_with_another() -> None:
    async with talking("openai") as talk:
        model = talk.connect("openai", "gpt-6.1-sol")
        assert isinstance(model, OpenAI)
        refusal = Failure(400, "invalid_request_error", "No.", {})
        assert isinstance(model._judge(refusal, "reasoning_effort", Usage()), Passing)
        told = model._judge(refusal, "tools", Usage())
    assert isinstance(told, ModelError)
    assert "gpt-6.1-sol does not call tools" in str(told) and "gpt-6.1-terra" in told.advice


async def test_other_servers_get_the_limit_under_its_old_name() -> None:
    async with talking("openai") as talk:
        await talk.say()
    body = msgspec.json.decode(talk.practice.seen[0].body)
    assert body["max_tokens"] == ASK.max_tokens
    assert "max_completion_tokens" not in body


async def test_the_prefix_is_the_same_byte_for_byte() -> None:
    async with talking("openai") as talk:
        await talk.say()
        await talk.say(msgspec.structs.replace(ASK, messages=ASK.messages * 3))
    first, second = (it.body.partition(b'"Cancel it."')[0] for it in talk.practice.seen)
    assert first == second


async def test_thinking_aloud_is_not_taken_for_an_answer() -> None:
    async with talking("openai", Reply(text="Yes.", thought="Hm, hm.")) as talk:
        spoken = await talk.say()
    assert spoken.parts == (Text("Yes."),)


def heard(*deltas: dict[str, Any], stop: str | None = "stop") -> openai.Ear:
    ear = openai.Ear(lambda words: None)
    for delta in deltas:
        ear.take({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    ear.take({"choices": [{"index": 0, "delta": {}, "finish_reason": stop}]})
    return ear


def piece(arguments: str, **more: Any) -> dict[str, Any]:
    return {"tool_calls": [{"function": {"name": "look", "arguments": arguments}, **more}]}


def test_calls_that_are_all_numbered_zero_are_kept_apart_by_their_ids() -> None:
    spoken = heard(piece("{}", index=0, id="a"), piece('{"n": 1}', index=0, id="b")).spoken("It")
    assert spoken.calls == (Call("a", "look", {}), Call("b", "look", {"n": 1}))
    assert spoken.stop == "tool"


def test_calls_without_ids_or_with_the_same_get_their_own() -> None:
    spoken = heard(piece("{}", index=0), piece("{}", index=1, id="x"), piece("{}", index=2, id="x"))
    ids = [call.id for call in spoken.spoken("It").calls]
    assert len(set(ids)) == 3 and all(ids) and "x" in ids


@pytest.mark.parametrize(
    ("reason", "stop"),
    [("content_filter", "refused"), ("length", "length"), ("something_new", "refused")],
)
def test_every_reason_to_stop_is_understood_and_a_new_one_runs_nothing(
    reason: str, stop: str
) -> None:
    spoken = heard(piece("{}", index=0, id="a"), stop=reason).spoken("It")
    assert (spoken.stop, spoken.calls) == (stop, ())


def test_a_stream_without_its_end_is_no_answer() -> None:
    with pytest.raises(Passing, match="It broke off"):
        heard({"content": "Well"}, stop=None).spoken("It")


def test_cached_and_written_tokens_are_not_counted_twice() -> None:
    ear = heard({"content": "Yes."})
    details = {"cached_tokens": 60, "cache_write_tokens": 30}
    usage = {"prompt_tokens": 100, "completion_tokens": 5, "prompt_tokens_details": details}
    ear.take({"choices": [], "usage": usage})
    assert ear.usage == Usage(fresh=10, cached=60, written=30, output=5)
    assert ear.usage.input == 100


def test_openai_itself_is_the_default_address() -> None:
    assert OpenAI("gpt-6.1-terra", key=KEY)._address == "https://api.openai.com/v1"

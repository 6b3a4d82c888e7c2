"""What only the Messages API has: marks for the cache, thoughts, its own reasons to stop."""

from __future__ import annotations

import msgspec
import pytest
from msgspec import Raw, Struct

from subterminator.agents.models import anthropic
from subterminator.agents.models.base import (
    Answer,
    Call,
    Message,
    ModelError,
    Request,
    Text,
    Thought,
)
from subterminator.agents.models.prices import cost
from subterminator.agents.models.retries import Passing
from subterminator.gym.models.replies import Reply
from tests.agents.models.talking import ASK, CLICKS, talking


class Prefix(Struct):
    tools: Raw
    system: Raw


def turn(number: int) -> Request:
    """The request of a later turn of one run."""
    talk = tuple(
        Message("assistant" if at % 2 else "user", (Text(f"{at}."),))
        for at in range(number * 2 + 1)
    )
    return msgspec.structs.replace(ASK, messages=talk)


async def test_the_stable_prefix_is_the_same_byte_for_byte_in_every_turn() -> None:
    async with talking("anthropic") as talk:
        for number in range(4):
            await talk.say(turn(number))
    found = {
        (bytes(prefix.tools), bytes(prefix.system))
        for prefix in (msgspec.json.decode(it.body, type=Prefix) for it in talk.practice.seen)
    }
    assert len(found) == 1
    ((tools, system),) = found
    assert tools.count(b"cache_control") == system.count(b"cache_control") == 1


@pytest.mark.parametrize("number", [0, 3])
def test_one_mark_moves_with_the_last_message_of_the_user(number: int) -> None:
    body = anthropic.write("claude-practice", turn(number))
    marked = [
        (at, block["text"])
        for at, message in enumerate(body["messages"])
        for block in message["content"]
        if "cache_control" in block
    ]
    assert marked == [(number * 2, f"{number * 2}.")]


async def test_a_thought_goes_back_unchanged_and_is_not_heard() -> None:
    thoughtful = msgspec.structs.replace(CLICKS, thought="Where is the button? There.")
    async with talking("anthropic", thoughtful) as talk:
        spoken = await talk.say()
        answer = Message("user", (Answer(spoken.calls[0].id, "clicked"),))
        with pytest.raises(ModelError, match="expected thinking"):
            said = tuple(part for part in spoken.parts if not isinstance(part, Thought))
            await talk.say(
                msgspec.structs.replace(
                    ASK, messages=(*ASK.messages, Message("assistant", said), answer)
                )
            )
        whole = Message("assistant", spoken.parts)
        await talk.say(msgspec.structs.replace(ASK, messages=(*ASK.messages, whole, answer)))
    assert isinstance(spoken.parts[0], Thought)
    assert "button" not in "".join(talk.heard)


async def test_thoughts_that_are_no_longer_taken_back_are_left_out() -> None:
    """The history was shortened since, and the model refuses what it thought before that."""
    thoughtful = msgspec.structs.replace(CLICKS, thought="There.")
    turns = ASK.messages
    async with talking("anthropic", thoughtful, ["thoughts"]) as talk:
        for _ in range(4):
            spoken = await talk.say(msgspec.structs.replace(ASK, messages=turns))
            answer = Message("user", (Answer(spoken.calls[0].id, "clicked"),))
            turns = (*turns, Message("assistant", spoken.parts), answer)
    # Refused once, then known.
    assert talk.practice.arrived == 5
    last = talk.practice.seen[-1].request.messages
    kept = [any(isinstance(part, Thought) for part in message.parts) for message in last]
    assert kept == [False, False, False, False, False, True, False]


async def test_in_the_end_no_thought_goes_back_and_a_further_refusal_stays() -> None:
    forged = Thought({"type": "thinking", "thinking": "Hm.", "signature": "forged"})
    turns = (*ASK.messages, Message("assistant", (forged, Text("Yes."))), *ASK.messages)
    async with talking("anthropic") as talk:
        await talk.say(msgspec.structs.replace(ASK, messages=turns))
        assert talk.practice.arrived == 3
        unanswered = (*ASK.messages, Message("assistant", (forged, Call("a", "x", {}))))
        with pytest.raises(ModelError):
            await talk.say(msgspec.structs.replace(ASK, messages=unanswered))
    assert talk.practice.arrived == 4
    (said,) = [it for it in talk.practice.seen[0].request.messages if it.role == "assistant"]
    assert said.parts == (Text("Yes."),)


async def test_answers_come_first_whatever_their_place_in_the_message() -> None:
    async with talking("anthropic") as talk:
        spoken = await talk.say()
        back = Message("user", (Text("Look:"), Answer(spoken.calls[0].id, "clicked")))
        turns = (*ASK.messages, Message("assistant", spoken.parts), back)
        await talk.say(msgspec.structs.replace(ASK, messages=turns))
    assert len(talk.practice.seen) == 2


def listened(*events: dict[str, object]) -> anthropic.Ear:
    ear = anthropic.Ear(lambda words: None)
    for event in events:
        ear.take(dict(event))
    return ear


def ending(reason: str, **more: object) -> tuple[dict[str, object], ...]:
    return (
        {"type": "message_delta", "delta": {"stop_reason": reason, **more}, "usage": None},
        {"type": "message_stop"},
    )


@pytest.mark.parametrize(
    ("reason", "stop"),
    [
        ("stop_sequence", "end"),
        ("pause_turn", "end"),
        ("model_context_window_exceeded", "length"),
        ("something_new", "refused"),
    ],
)
def test_every_reason_to_stop_is_understood_and_a_new_one_runs_nothing(
    reason: str, stop: str
) -> None:
    assert listened(*ending(reason)).spoken().stop == stop


def test_a_refusal_says_why() -> None:
    details = {"type": "refusal", "explanation": "That looks harmful."}
    assert listened(*ending("refusal", stop_details=details)).spoken().text == "That looks harmful."


@pytest.mark.parametrize("events", [(), ending("end_turn")[:1], ending("")])
def test_a_stream_without_its_end_is_no_answer(events: tuple[dict[str, object], ...]) -> None:
    with pytest.raises(Passing):
        listened(*events).spoken()


def test_events_and_blocks_that_are_new_are_passed_over() -> None:
    ear = listened(
        {"type": "weather"},
        {"type": "content_block_delta", "index": 3},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "hologram"}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "hologram_delta"}},
        *ending("end_turn"),
    )
    assert ear.spoken().parts == ()


async def test_the_price_is_that_of_the_model() -> None:
    async with talking("anthropic", Reply(text="Yes.")) as talk:
        spoken = await talk.say()
    dear = cost("claude-opus-5-5", spoken.usage)
    assert dear == pytest.approx((spoken.usage.fresh * 4 + spoken.usage.output * 20) / 1e6)

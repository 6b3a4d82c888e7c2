"""Both adapters, with the real SDKs, against a server that speaks the real formats."""

from __future__ import annotations

import msgspec
import pytest

from subterminator.agents.models.base import (
    Answer,
    Call,
    Malformed,
    Message,
    ModelError,
    Picture,
    Request,
    Text,
    Usage,
)
from subterminator.agents.models.retries import Patience
from subterminator.gym import wire
from subterminator.gym.models.faults import Fault, Kind
from subterminator.gym.models.replies import Asks, Reply
from subterminator.gym.models.server import Format
from tests.agents.models.talking import ASK, CLICK, CLICKS, FORMATS, KEY, talking

PNG = b"\x89PNG\r\n\x1a\n not really"
pytestmark = pytest.mark.parametrize("format", FORMATS)


async def test_words_are_heard_as_they_come_and_the_call_is_read(format: Format) -> None:
    async with talking(format) as talk:
        spoken = await talk.say()
    assert spoken.text == "I click it." == "".join(talk.heard)
    assert len(talk.heard) > 1
    (call,) = spoken.calls
    assert (call.name, call.arguments, spoken.stop) == ("browser_click", {"ref": "@e7"}, "tool")


async def test_the_server_gets_the_request_as_it_was_meant(format: Format) -> None:
    turn = Message("assistant", (Text("I look."), Call("c1", "browser_click", {"ref": "@é1"})))
    back = Message("user", (Answer("c1", "gone", failed=True), Text("Go on.")))
    request = msgspec.structs.replace(ASK, messages=(*ASK.messages, turn, back), max_tokens=77)
    async with talking(format) as talk:
        await talk.say(request)
    assert talk.practice.seen[0].request == request


async def test_an_answer_put_into_the_history_is_understood_by_the_provider(format: Format) -> None:
    async with talking(format, CLICKS) as talk:
        spoken = await talk.say()
        answers = tuple(Answer(call.id, "done") for call in spoken.calls)
        messages = (*ASK.messages, Message("assistant", spoken.parts), Message("user", answers))
        again = await talk.say(msgspec.structs.replace(ASK, messages=messages))
    assert again.stop == "tool"
    assert again.calls[0].id != spoken.calls[0].id


async def test_pictures_arrive_wherever_they_stand(format: Format) -> None:
    jpeg = Picture(b"\xff\xd8 not really", "image/jpeg")
    messages = (
        Message("user", (Text("Look:"), Picture(PNG))),
        Message("assistant", (Call("c1", "browser_click", {}),)),
        Message("user", (Answer("c1", "clicked", pictures=(jpeg,)),)),
    )
    async with talking(format) as talk:
        await talk.say(msgspec.structs.replace(ASK, messages=messages))
    seen = [part for message in talk.practice.seen[0].request.messages for part in message.parts]
    inside = [it for part in seen if isinstance(part, Answer) for it in part.pictures]
    assert [it for it in seen if isinstance(it, Picture)] + inside == [Picture(PNG), jpeg]


async def test_empty_texts_and_silent_turns_are_left_out(format: Format) -> None:
    messages = (
        Message("user", (Text("Go."), Text(" "))),
        Message("assistant", ()),
        Message("assistant", (Text(""),)),
        Message("user", (Text("Go on."),)),
    )
    async with talking(format) as talk:
        await talk.say(msgspec.structs.replace(ASK, messages=messages, system=""))
    seen = talk.practice.seen[0].request
    assert seen.system == ""
    assert {part for message in seen.messages for part in message.parts} == {
        Text("Go."),
        Text("Go on."),
    }


async def test_several_calls_keep_their_order_and_have_ids_of_their_own(format: Format) -> None:
    asks = tuple(Asks("browser_click", {"ref": f"@e{n}"}) for n in range(3))
    async with talking(format, Reply(calls=asks)) as talk:
        spoken = await talk.say()
    assert [call.arguments["ref"] for call in spoken.calls] == ["@e0", "@e1", "@e2"]
    assert len({call.id for call in spoken.calls}) == 3


async def test_a_call_without_arguments_has_none(format: Format) -> None:
    async with talking(format, Reply(calls=(Asks("look", ""), Asks("see", {})))) as talk:
        spoken = await talk.say()
    assert [(call.name, call.arguments) for call in spoken.calls] == [("look", {}), ("see", {})]


async def test_words_alone_end_the_answer(format: Format) -> None:
    async with talking(format, Reply(text="Done.")) as talk:
        spoken = await talk.say()
    assert (spoken.parts, spoken.stop) == ((Text("Done."),), "end")


async def test_a_slow_stream_is_waited_for(format: Format) -> None:
    async with talking(format, Reply(text="Slowly."), ["slow"]) as talk:
        assert (await talk.say()).text == "Slowly."


async def test_tokens_are_counted_and_a_local_model_costs_nothing(format: Format) -> None:
    async with talking(format) as talk:
        spoken = await talk.say()
    assert spoken.usage.input > 10
    assert spoken.usage.output > 2
    assert spoken.cost == 0.0


async def test_the_beginning_of_a_run_is_read_from_the_cache_in_the_next_turn(
    format: Format,
) -> None:
    first = msgspec.structs.replace(ASK, system="Rules of the house. " * 600)
    told = (Message("assistant", (Text("Hm."),)), Message("user", (Text("Well?"),)))
    async with talking(format, Reply(text="Hm.")) as talk:
        fresh = (await talk.say(first)).usage
        then = (
            await talk.say(msgspec.structs.replace(first, messages=(*ASK.messages, *told)))
        ).usage
    assert (fresh.cached, then.cached) == (0, fresh.written)
    assert fresh.written > 1024 > then.written + then.fresh


# What is malformed, cut off or refused runs nothing (L13)


@pytest.mark.parametrize(
    ("fault", "why"), [("malformed", "not JSON"), ("not-object", "not a JSON object")]
)
async def test_l13_one_malformed_call_stops_all_of_its_answer(
    format: Format, fault: Kind, why: str
) -> None:
    async with talking(format, CLICKS, [fault]) as talk:
        spoken = await talk.say()
    assert spoken.calls == ()
    assert [part.name for part in spoken.malformed] == ["browser_click", "browser_click"]
    assert "another call" in spoken.malformed[0].why
    assert why in spoken.malformed[1].why
    assert spoken.stop == "tool"


async def test_a_malformed_call_can_be_answered_like_any_other(format: Format) -> None:
    async with talking(format, CLICKS, [Fault("malformed", 1)]) as talk:
        spoken = await talk.say()
        answers = tuple(Answer(it.id, it.why, failed=True) for it in spoken.malformed)
        messages = (*ASK.messages, Message("assistant", spoken.parts), Message("user", answers))
        again = await talk.say(msgspec.structs.replace(ASK, messages=messages))
    assert len(again.calls) == 1


async def test_a_call_without_a_name_is_malformed(format: Format) -> None:
    async with talking(format, Reply(calls=(Asks("", {}),))) as talk:
        spoken = await talk.say()
    (part,) = spoken.parts
    assert isinstance(part, Malformed)


@pytest.mark.parametrize(("fault", "stop"), [("truncated", "length"), ("refused", "refused")])
async def test_l13_what_is_cut_off_or_refused_has_no_calls(
    format: Format, fault: Kind, stop: str
) -> None:
    async with talking(format, CLICKS, [fault]) as talk:
        spoken = await talk.say()
    assert spoken.stop == stop
    assert all(isinstance(part, Text) for part in spoken.parts)
    assert spoken.text


# Failures that pass (F6)

PASSING: list[Kind] = [
    "rate-limit", "overloaded", "error", "unavailable", "drop", "cut", "error-event", "garbled",
    "html",
]  # fmt: skip


@pytest.mark.parametrize("kind", PASSING)
async def test_f6_what_may_pass_is_tried_again(format: Format, kind: Kind) -> None:
    async with talking(format, CLICKS, [Fault(kind, 2)]) as talk:
        spoken = await talk.say()
    assert len(spoken.calls) == 1
    assert talk.waits == [0.5, 1.0]
    assert talk.practice.arrived == 3


@pytest.mark.parametrize("kind", PASSING)
async def test_f6_it_is_not_tried_for_ever(format: Format, kind: Kind) -> None:
    async with talking(format, CLICKS, [kind], attempts=3) as talk:
        with pytest.raises(ModelError, match="asked 3 times") as caught:
            await talk.say()
    assert talk.practice.arrived == 3
    assert "--model" in caught.value.advice


async def test_f6_a_server_that_does_not_answer_is_given_up(format: Format) -> None:
    patience = Patience(silence=0.2, whole=30.0)
    async with talking(format, CLICKS, ["hang"], attempts=2, patience=patience) as talk:
        with pytest.raises(ModelError, match="could not be reached"):
            await talk.say()
        assert talk.practice.arrived == 2


async def test_f6_an_answer_that_takes_for_ever_is_given_up_though_it_is_never_silent(
    format: Format,
) -> None:
    patience = Patience(silence=20.0, whole=0.3)
    async with talking(
        format, Reply(text="well " * 100), ["slow"], attempts=1, patience=patience
    ) as talk:
        with pytest.raises(ModelError, match="broke off"):
            await talk.say()
    assert talk.practice.seen


async def test_a_redirect_is_not_followed_since_it_would_take_the_key_along(
    format: Format,
) -> None:
    async with talking(format) as talk, talking(format) as elsewhere:

        async def send_on(request: wire.Request) -> wire.Answer:
            to = f"{elsewhere.practice.address}{request.path}"
            return wire.Answer(status=307, headers=(("Location", to),))

        async with wire.listening(send_on) as port:
            talk.practice.address = f"http://127.0.0.1:{port}"
            talk.model = talk.connect(format)
            with pytest.raises(ModelError, match="refuses the request \\(307\\)"):
                await talk.say()
    assert elsewhere.practice.arrived == 0


async def test_a_proxy_does_not_get_to_see_what_stays_on_this_machine(
    format: Format, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "")
    async with talking(format) as talk:
        assert (await talk.say()).calls


async def test_a_server_that_is_not_there_is_an_error_with_a_next_step(format: Format) -> None:
    async with talking(format) as talk:
        pass
    with pytest.raises(ModelError, match="could not be reached"):
        await talk.say()


async def test_the_wait_is_as_long_as_the_provider_wishes(format: Format) -> None:
    faults = [Fault("rate-limit", 1, 17.0), Fault("overloaded", 1, 3.0)]
    async with talking(format, CLICKS, faults) as talk:
        await talk.say()
    assert talk.waits == [17.0, 3.0]


async def test_a_wish_for_a_very_long_wait_is_told_instead(format: Format) -> None:
    async with talking(format, CLICKS, [Fault("rate-limit", 0, 3600)]) as talk:
        with pytest.raises(ModelError, match="wait 3600 seconds"):
            await talk.say()
    assert (talk.waits, talk.practice.arrived) == ([], 1)


async def test_what_a_broken_attempt_used_is_counted_too(format: Format) -> None:
    async with talking(format, CLICKS) as talk:
        once = (await talk.say()).usage
        talk.practice.faults = [Fault("cut", 1)]
        twice = (await talk.say()).usage
    # Chat completions tell the tokens at the very end, so there a broken attempt tells none.
    assert twice.input == once.input * (2 if format == "anthropic" else 1)


async def test_without_usage_the_tokens_are_unknown(format: Format) -> None:
    async with talking(format, CLICKS, ["no-usage"]) as talk:
        spoken = await talk.say()
    assert format == "anthropic" or spoken.usage == Usage()


# Failures that stay

STAYING: list[tuple[Kind, str]] = [
    ("unauthorized", "does not accept the key in {variable}"),
    ("forbidden", "may not be used"),
    ("bad-request", "refuses the request (400)"),
    ("not-found", "Check --model and --base-url."),
    ("no-credit", "no credit left"),
]


@pytest.mark.parametrize(("kind", "words"), STAYING)
async def test_what_stays_is_told_at_once_with_the_next_step(
    format: Format, kind: Kind, words: str
) -> None:
    async with talking(format, CLICKS, [kind]) as talk:
        with pytest.raises(ModelError) as caught:
            await talk.say()
    variable = "ANTHROPIC_API_KEY" if format == "anthropic" else "OPENAI_API_KEY"
    assert words.format(variable=variable) in str(caught.value)
    assert caught.value.advice
    assert (talk.waits, talk.practice.arrived) == ([], 1)


async def test_no_error_shows_the_key(format: Format) -> None:
    def repeat(request: Request) -> Reply:
        raise AssertionError("not reached")

    async with talking(format, repeat) as talk:
        for kind in ("unauthorized", "bad-request", "error", "html"):
            talk.practice.faults = [Fault(kind)]
            with pytest.raises(ModelError) as caught:
                await talk.say()
            assert KEY not in f"{caught.value!r} {caught.value} {caught.value.details}"
            assert caught.value.__cause__ is None and caught.value.__suppress_context__
    assert KEY not in repr(talk.model)


async def test_what_the_provider_would_refuse_is_refused_here_too(format: Format) -> None:
    """Were the practice model more lenient than the providers, these tests would prove little."""
    unanswered = Message("assistant", (Call("c1", "browser_click", {}),))
    request = msgspec.structs.replace(ASK, messages=(*ASK.messages, unanswered, *ASK.messages))
    async with talking(format) as talk:
        with pytest.raises(ModelError, match="refuses the request"):
            await talk.say(request)


async def test_a_schema_arrives_unchanged(format: Format) -> None:
    async with talking(format) as talk:
        await talk.say()
    assert talk.practice.seen[0].request.tools == (CLICK,)

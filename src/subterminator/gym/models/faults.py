"""What goes wrong at a practice model, as data: which fault, and how many requests it meets."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from subterminator.errors import InvalidParams
from subterminator.gym.models.replies import Asks, Reply

# Instead of an answer.
Refusal = Literal[
    "rate-limit", "overloaded", "error", "unavailable", "unauthorized", "forbidden", "bad-request",
    "not-found", "no-credit",
]  # fmt: skip
# To the connection: nothing at all, no end, an end in the middle, something else than an answer.
Break = Literal["drop", "hang", "slow", "cut", "error-event", "garbled", "html", "no-usage"]
# OpenAI's newer models take tools over chat completions only with `reasoning_effort` none.
# Anthropic's take back only the thoughts of the conversation as it was; here: of its last turn.
Habit = Literal["effort", "thoughts"]
# To what is said.
Slip = Literal["malformed", "not-object", "truncated", "refused"]
Kind = Refusal | Break | Habit | Slip

STATUSES: dict[Refusal, int] = {
    "rate-limit": 429,
    "overloaded": 529,
    "error": 500,
    "unavailable": 503,
    "unauthorized": 401,
    "forbidden": 403,
    "bad-request": 400,
    "not-found": 404,
    "no-credit": 429,
}
KINDS: tuple[Kind, ...] = tuple(
    word for group in (Refusal, Break, Habit, Slip) for word in get_args(group)
)
REFUSALS: tuple[Refusal, ...] = get_args(Refusal)


class Fault(Struct, frozen=True):
    """`times` requests meet it, 0: all. `wait` is what a refusal asks us to wait, in seconds."""

    kind: Kind
    times: int = 0
    wait: float | None = None

    def status(self) -> int | None:
        return next((STATUSES[kind] for kind in REFUSALS if kind == self.kind), None)


def parse(text: str) -> Fault:
    """`KIND` for all requests, `KIND:N` for the next N."""
    word, colon, times = text.partition(":")
    kind = next((known for known in KINDS if known == word), None)
    if kind is None or (colon and not (times.isdigit() and int(times))):
        raise InvalidParams(
            f"{text} is not a fault.",
            next_step=f"Write KIND or KIND:TIMES, with one of {', '.join(KINDS)}.",
        )
    return Fault(kind, int(times or 0), 1.0 if kind == "rate-limit" else None)


def slip(reply: Reply, kind: Kind) -> Reply:
    """The answer as it comes out when this goes wrong in saying it."""
    name = reply.calls[0].name if reply.calls else "get_snapshot"
    match kind:
        case "malformed":
            return replace(reply, calls=(*reply.calls, Asks(name, '{"ref": "@e1')), stop="tool")
        case "not-object":
            return replace(reply, calls=(*reply.calls, Asks(name, '["@e1"]')), stop="tool")
        case "truncated":
            return replace(reply, calls=(*reply.calls, Asks(name, '{"ref": ')), stop="length")
        case "refused":
            return Reply(text="I will not do that.", calls=reply.calls, stop="refused")
        case _:
            return reply

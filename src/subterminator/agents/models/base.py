"""What is said to a model and what it answers. Plain data; no SDK, no network, no browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol

from msgspec import Struct

from subterminator.errors import SubTerminatorError


class Tool(Struct, frozen=True):
    """Something the model may ask for. `schema` is the JSON Schema of its arguments."""

    name: str
    description: str
    schema: dict[str, Any]


class Text(Struct, frozen=True, tag="text"):
    text: str


class Picture(Struct, frozen=True, tag="picture"):
    """Already small enough to be sent; `kind` is its media type."""

    data: bytes
    kind: Literal["image/png", "image/jpeg"] = "image/png"


class Call(Struct, frozen=True, tag="call"):
    """The model asks for a tool. `arguments` is what it wrote, not yet checked."""

    id: str
    name: str
    arguments: dict[str, Any]


class Malformed(Struct, frozen=True, tag="malformed"):
    """A call that cannot be run, and why, in words for the model. It is answered like any other."""

    id: str
    name: str
    why: str


class Thought(Struct, frozen=True, tag="thought"):
    """What a provider wants back unchanged, in its place among the parts. Never shown, never read.

    Without it a provider refuses the next turn or forgets why it called a tool.
    """

    data: dict[str, Any]


class Answer(Struct, frozen=True, tag="answer"):
    """What a call came to. Every call gets exactly one, a malformed one too."""

    id: str
    text: str
    failed: bool = False
    pictures: tuple[Picture, ...] = ()


Part = Text | Picture | Call | Malformed | Thought | Answer


class Message(Struct, frozen=True):
    role: Literal["user", "assistant"]
    parts: tuple[Part, ...]


class Request(Struct, frozen=True, kw_only=True):
    """One turn. `system` and `tools` are the stable prefix: byte for byte the same in a run."""

    system: str
    tools: tuple[Tool, ...]
    messages: tuple[Message, ...]
    max_tokens: int = 4_096


class Usage(Struct, frozen=True):
    """Tokens. `cached` were read from the provider's cache, `written` went into it."""

    fresh: int = 0
    cached: int = 0
    written: int = 0
    output: int = 0

    @property
    def input(self) -> int:
        return self.fresh + self.cached + self.written

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.fresh + other.fresh,
            self.cached + other.cached,
            self.written + other.written,
            self.output + other.output,
        )


# `tool`: it asks for tools; `end`: it is done talking; `length`: cut off, so nothing of it counts;
# `refused`: the provider or the model will not answer.
Stop = Literal["tool", "end", "length", "refused"]


class Spoken(Struct, frozen=True, kw_only=True):
    """One answer of a model. `cost` in US dollars; None where the price is not known.

    `Message("assistant", spoken.parts)` is how it goes into the history. Where one call of an
    answer is malformed, all are: such an answer runs nothing. One that was cut off or refused has
    no calls at all.
    """

    parts: tuple[Text | Call | Malformed | Thought, ...]
    stop: Stop
    usage: Usage
    cost: float | None = None

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts if isinstance(part, Text))

    @property
    def calls(self) -> tuple[Call, ...]:
        return tuple(part for part in self.parts if isinstance(part, Call))

    @property
    def malformed(self) -> tuple[Malformed, ...]:
        return tuple(part for part in self.parts if isinstance(part, Malformed))


class ModelError(SubTerminatorError):
    """The model gave no usable answer, retries included. Nothing was done for it."""

    code, retry = "llm_error", "later"
    next_step = "Nothing was done. Try again, choose another --model, or use --planner heuristic."


class Model(Protocol):
    """Answers one request. It retries by itself; between retries nothing else happens."""

    name: str

    async def answer(self, request: Request, *, hear: Callable[[str], None]) -> Spoken:
        """`hear` gets the words as they are streamed, for progress only."""
        ...

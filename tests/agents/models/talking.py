"""A real SDK that talks to the practice model; waiting is written down instead of done."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from subterminator.agents.models.anthropic import Anthropic
from subterminator.agents.models.base import Message, Model, Request, Spoken, Text, Tool
from subterminator.agents.models.openai import OpenAI
from subterminator.agents.models.retries import Patience, Retries
from subterminator.gym.models.faults import Fault, Kind
from subterminator.gym.models.replies import Asks, Reply, Script
from subterminator.gym.models.server import Format, Practice, practising

FORMATS: tuple[Format, ...] = ("anthropic", "openai")
PATIENCE = Patience(silence=20.0, whole=30.0)
KEY = "sk-practice-4f6Hq0aB81zXw7Lr"
CLICK = Tool(
    "browser_click",
    "Click an element.",
    {"type": "object", "properties": {"ref": {"type": "string"}}, "required": ["ref"]},
)
ASK = Request(
    system="You cancel subscriptions.",
    tools=(CLICK,),
    messages=(Message("user", (Text("Cancel it."),)),),
)
CLICKS = Reply(text="I click it.", calls=(Asks("browser_click", {"ref": "@e7"}),))


class Conversation:
    """A model with its practice server, and how long it would have waited."""

    def __init__(
        self, format: Format, practice: Practice, attempts: int, patience: Patience
    ) -> None:
        self.practice = practice
        self.waits: list[float] = []
        self.heard: list[str] = []
        self.retries = Retries(attempts=attempts, pause=self._wait, jitter=lambda: 0.0)
        self.patience = patience
        self.model = self.connect(format)

    async def _wait(self, seconds: float) -> None:
        self.waits.append(seconds)

    def connect(self, format: Format, name: str = "practice", key: str = KEY) -> Model:
        kind = Anthropic if format == "anthropic" else OpenAI
        at = self.practice.address if format == "anthropic" else self.practice.openai_address
        return kind(name, key=key, base_url=at, retries=self.retries, patience=self.patience)

    async def say(self, request: Request = ASK) -> Spoken:
        return await self.model.answer(request, hear=self.heard.append)


@asynccontextmanager
async def talking(
    format: Format,
    script: Script | Reply = CLICKS,
    faults: Iterable[Fault | Kind] = (),
    *,
    attempts: int = 4,
    patience: Patience = PATIENCE,
) -> AsyncIterator[Conversation]:
    play: Script = (lambda request: script) if isinstance(script, Reply) else script
    planned = [Fault(it) if isinstance(it, str) else it for it in faults]
    async with practising(play, planned) as practice:
        yield Conversation(format, practice, attempts, patience)

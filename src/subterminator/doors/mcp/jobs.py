"""Work that may have to wait for a person longer than a call may last.

A call starts a job and waits for it. If a person is asked meanwhile and the call ends first, the
job goes on, and a later call gets its result.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine
from typing import Any, Generic, TypeVar

from msgspec import Struct

from subterminator.inbox import is_done
from subterminator.safety.human import Question, is_yes

Result = TypeVar("Result")


class Ask(Struct, eq=False):
    """A question that is open, and what a host's own window may answer to it."""

    question: Question
    hand_over: bool
    answered: asyncio.Future[bool]
    token: str
    shown: bool = False

    def answer(self, words: str) -> None:
        """Nothing, and anything but what is asked for, is no. The first answer counts."""
        if self.answered.done():
            return
        yes = is_done(words) if self.hand_over else is_yes(self.question, words)
        self.answered.set_result(yes)


class News:
    """Wakes everybody who waits for something new."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()

    def ring(self) -> None:
        for one in self._waiting:
            if not one.done():
                one.set_result(None)
        self._waiting.clear()

    async def wait(self, seconds: float) -> bool:
        """False if nothing came."""
        one: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(one)
        try:
            async with asyncio.timeout(seconds):
                await one
        except TimeoutError:
            return False
        finally:
            self._waiting.discard(one)
        return True


class Asks:
    """Implements `Human` for what hosts show; others may answer the same question elsewhere."""

    def __init__(self) -> None:
        self.open: Ask | None = None
        self.news = News()

    async def approve(self, question: Question) -> bool:
        return await self._ask(question, hand_over=False)

    async def hand_over(self, question: Question) -> bool:
        return await self._ask(question, hand_over=True)

    async def _ask(self, question: Question, *, hand_over: bool) -> bool:
        answered: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.open = Ask(question, hand_over, answered, secrets.token_urlsafe(24))
        self.news.ring()
        try:
            return await answered
        finally:
            self.open = None
            self.news.ring()


class Job(Generic[Result]):
    """One piece of work, what it asks, and what it has told so far."""

    def __init__(self, asks: Asks, work: Coroutine[Any, Any, Result], title: str) -> None:
        self.asks = asks
        self.title = title
        self.lines: list[str] = []
        self.task = asyncio.ensure_future(work)
        self.task.add_done_callback(lambda _: asks.news.ring())

    def tell(self, line: str) -> None:
        self.lines.append(line)
        self.asks.news.ring()

    @property
    def is_over(self) -> bool:
        return self.task.done()

    async def stop(self) -> None:
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)

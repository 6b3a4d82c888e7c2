"""The person of a session that the SDK leads: asked once for each press, and by the gate itself.

The SDK asks for permission first and runs the tool afterwards. So the gate is entered when it asks
for permission; after a yes it waits there until the tool is really run, and gives up otherwise.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from msgspec import Struct

from subterminator.errors import ApprovalVoid
from subterminator.safety.approval import PRESS_SECONDS
from subterminator.safety.human import Human, Question
from subterminator.types import Picture

Called = tuple[str, dict[str, Any]]


class Answer(Struct, frozen=True):
    """What a call came to, in words for a model. `refusal` is set where it was not allowed."""

    text: str
    failed: bool = False
    pictures: tuple[Picture, ...] = ()
    refusal: str = ""


class Hold:
    """A call that has entered the gate before the SDK runs its tool."""

    def __init__(self, called: Called, work: Coroutine[Any, Any, Answer], seconds: float) -> None:
        self.called = called
        self._seconds = seconds
        self._approved = asyncio.Event()
        self._runs = asyncio.Event()
        self._work = asyncio.create_task(work)

    @property
    def is_over(self) -> bool:
        return self._work.done()

    def is_asking(self) -> bool:
        """Whether it is this call that asks the person now, and not another one of the session."""
        return asyncio.current_task() is self._work

    async def until_run(self) -> None:
        """In the gate, after the yes: wait for the tool itself, as long as a yes is good for."""
        self._approved.set()
        try:
            async with asyncio.timeout(self._seconds):
                await self._runs.wait()
        except TimeoutError:
            raise ApprovalVoid("It was approved, but the tool was not run.") from None

    async def refusal(self) -> str:
        """Why it may not run; empty if the person agrees, or nothing had to be asked after all."""
        agreed = asyncio.ensure_future(self._approved.wait())
        try:
            await asyncio.wait({agreed, self._work}, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            # Whoever asked for permission is gone, and with them the question.
            self._work.cancel()
            raise
        finally:
            agreed.cancel()
        return self._work.result().refusal if self._work.done() else ""

    async def result(self) -> Answer:
        """The tool is run: go on, and say what came of it."""
        self._runs.set()
        return await self._work


class Person:
    """Wraps the human of a session for `options`. To the session it is a human like any other.

    `seconds` is how long a yes waits for the tool to be run.
    """

    def __init__(self, human: Human, *, seconds: float = PRESS_SECONDS) -> None:
        self._human = human
        self._seconds = seconds
        self._hold: Hold | None = None

    async def approve(self, question: Question) -> bool:
        hold = self._hold
        yes = await self._human.approve(question)
        if yes and hold and hold.is_asking():
            await hold.until_run()
        return yes

    async def hand_over(self, question: Question) -> bool:
        return await self._human.hand_over(question)

    @property
    def is_held(self) -> bool:
        """Whether a call waits in the gate for its tool to be run."""
        return self._hold is not None and not self._hold.is_over

    async def permit(self, called: Called, work: Coroutine[Any, Any, Answer]) -> str:
        """Let a call enter the gate now; why it may not run, or nothing if it may."""
        hold = self._hold = Hold(called, work, self._seconds)
        refusal = await hold.refusal()
        if refusal:
            self._hold = None
        return refusal

    async def take(self, called: Called) -> Answer | None:
        """The result of the call that entered the gate, if it is this one."""
        hold = self._hold
        if hold is None or hold.called != called:
            return None
        self._hold = None
        return await hold.result()

"""One client's browser: opened when it is first needed, every wish through the session's gate."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, assert_never

import msgspec

from subterminator import actions as a
from subterminator.agents.tools import LARGEST
from subterminator.doors import replies
from subterminator.doors.mcp import wishes as w
from subterminator.doors.mcp.answers import Answer, of_data
from subterminator.doors.mcp.catalogue import DoAction
from subterminator.doors.mcp.verifying import verify
from subterminator.errors import ActionFailed, NotTypable, SubTerminatorError
from subterminator.extraction.extract import Wish, extract
from subterminator.intake import parse_action
from subterminator.result import ExecuteResult, Result
from subterminator.safety.human import Human
from subterminator.session import Session
from subterminator.targets import show
from subterminator.types import Picture

Opener = Callable[[Human], AbstractAsyncContextManager[Session]]
Doable = w.Acting | w.Fill | w.Extract | w.Screenshot | w.Verify | w.Judge | w.Close | DoAction
TICKED = {"true", "on", "yes", "1", "checked"}
UNTICKED = {"false", "off", "no", "0", ""}


class Workplace:
    """Use `close` at the end. `human` is who is asked for what this client wants done."""

    def __init__(self, opener: Opener, human: Human) -> None:
        self._opener = opener
        self._human = human
        self._ends = AsyncExitStack()
        self._session: Session | None = None
        # Two first calls at once must not open two browsers.
        self._opening = asyncio.Lock()

    @property
    def human(self) -> Human:
        return self._human

    @property
    def current(self) -> Session | None:
        """The session, if there is one already."""
        return self._session

    async def session(self) -> Session:
        async with self._opening:
            if self._session is None:
                self._session = await self._ends.enter_async_context(self._opener(self._human))
            return self._session

    async def close(self) -> None:
        async with self._opening:
            ends, self._ends, self._session = self._ends, AsyncExitStack(), None
            await ends.aclose()

    async def perform(self, wish: Doable) -> Answer:
        """What a wish comes to; an error is an answer, too."""
        budget = wish.budget if isinstance(wish, w.PageTool | DoAction) else None
        try:
            return await self._perform(wish)
        except SubTerminatorError as fault:
            if fault.code == "browser_closed":
                await self.close()
            return Answer(replies.tell_fault(fault, budget), True)

    async def _perform(self, wish: Doable) -> Answer:
        match wish:
            case w.Close():
                await self.close()
                return Answer("The browser is closed.")
            case DoAction(action=action, budget=budget):
                return await self._act(action, budget)
            case w.Fill():
                return await self._fill(wish)
            case w.Extract():
                return await self._extract(wish)
            case w.Screenshot(target=target, full_page=full):
                shot = a.Screenshot(target, full, max_size=LARGEST, masked=True)
                return await self._act(shot, None)
            case w.Verify(about=about, url=url):
                return Answer(await verify(await self.session(), about, url))
            case w.Judge(step=step):
                return await self._judge(step)
            case w.Find() | w.ReadText():
                return await self._act(wish.action(), None)
            case w.PageTool():
                return await self._act(wish.action(), wish.budget)
            case _:
                assert_never(wish)

    async def _act(self, action: a.Action, budget: int | None) -> Answer:
        session = await self.session()
        result = await session.call(action)
        failed = isinstance(result.value, ExecuteResult) and not result.value.success
        pictures = (result.value,) if isinstance(result.value, Picture) else ()
        return Answer(replies.tell(action, result, budget), failed, pictures=pictures)

    async def _judge(self, step: dict[str, Any]) -> Answer:
        action = parse_action(w.flat_action(step))
        if isinstance(action, a.Execute):
            raise ActionFailed("A sequence has no verdict.", next_step="Ask for each step.")
        verdict = await (await self.session()).judge(action)
        told = {"verdict": verdict.kind, "effect": verdict.effect, "reason": verdict.reason}
        return of_data({**told, "rule": verdict.rule})

    async def _extract(self, wish: w.Extract) -> Answer:
        looked = await (await self.session()).call(a.TakeSnapshot(root=wish.root))
        assert looked.snapshot
        found = extract(looked.snapshot, Wish(wish.schema, wish.instruction, wish.mode))
        told: dict[str, Any] = {"success": found.success}
        if found.success:
            told |= {"data": found.data, "confidence": found.confidence}
        more = {"missing": found.missing, "ignored": found.ignored, "error": found.error}
        told |= {key: value for key, value in more.items() if value}
        return of_data(msgspec.to_builtins(told), failed=not found.success)

    # Forms

    async def _fill(self, wish: w.Fill) -> Answer:
        """One field after the other; the first that fails ends it, and says how many were done."""
        session = await self.session()
        done: list[Result] = []
        for entry in wish.fields:
            try:
                done.append(await _enter(session, entry))
            except SubTerminatorError as fault:
                where = f"Field {len(done) + 1} of {len(wish.fields)} ({show(entry.target)})"
                told = replies.tell_fault(fault, wish.budget)
                before = "".join(f"\n{result.hit()}: done" for result in done)
                return Answer(f"FAILED {where}: {told}{before}", True)
        lines = [line for result in done[:-1] for line in (result.hit(), *result.remarks())]
        last = msgspec.structs.replace(done[-1], before=done[0].before)
        text = replies.tell(a.Fill("", ""), last, wish.budget)
        return Answer("\n".join([*lines, text]))


async def _enter(session: Session, entry: w.Entry) -> Result:
    """Put a value in as its field wants it: typed, chosen or ticked."""
    target, value = entry.target, entry.value
    if isinstance(value, bool):
        return await session.call(a.Check(target) if value else a.Uncheck(target))
    try:
        return await session.call(a.Fill(target, value))
    except NotTypable as fault:
        if fault.delivered:
            raise
    if value.casefold() in TICKED | UNTICKED:
        on = value.casefold() in TICKED
        return await session.call(a.Check(target) if on else a.Uncheck(target))
    return await session.call(a.Select(target, (value,)))

"""A driver by itself, for tests of what lies below the gate."""

from __future__ import annotations

from subterminator import actions as a
from subterminator.engine.base import Performed
from subterminator.engine.chromium import Chromium
from subterminator.targets import parse_target
from subterminator.types import Happened, TabInfo

SECONDS = 30.0
# How often a test asks again for what a page does when it likes.
TIMES = 100


class Wheel:
    """Actions by their words, straight to the driver."""

    def __init__(self, driver: Chromium) -> None:
        self.driver = driver

    async def do(self, action: a.AtomicAction) -> Performed:
        return await self.driver.perform(action, (), SECONDS)

    async def go(self, url: str) -> Performed:
        return await self.do(a.Navigate(url))

    async def click(self, words: str) -> Performed:
        target = await self.driver.resolve(parse_target(words), SECONDS)
        return await self.driver.perform(a.Click(words), [target], SECONDS)

    async def fill(self, words: str, value: str) -> Performed:
        target = await self.driver.resolve(parse_target(words), SECONDS)
        return await self.driver.perform(a.Fill(words, value), [target], SECONDS)

    async def text(self) -> str:
        return str((await self.do(a.ReadText())).value["text"])

    async def tabs(self) -> tuple[TabInfo, ...]:
        infos: tuple[TabInfo, ...] = (await self.do(a.ListTabs())).value
        return infos

    async def blocked(self, performed: Performed) -> tuple[str, ...]:
        """What was blocked, in this reply or, when the page took its time, in a later one."""
        for _ in range(TIMES):
            if performed.happened.blocked:
                break
            performed = await self.do(a.Wait(time_ms=50))
        return performed.happened.blocked

    async def settled(self) -> Happened:
        return (await self.do(a.Wait(quiet=True))).happened

    async def reset(self) -> None:
        """One empty tab, and nothing that restricts it."""
        self.driver.allow(())
        for tab in await self.tabs():
            if not tab.current:
                await self.do(a.CloseTab(tab.id))
        await self.go("about:blank")

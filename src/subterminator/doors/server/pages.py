"""A context of a client: one session, its tabs as pages, one call at a time.

Every page is a tab of the session; acting on another page than the last one selects it first.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any
from uuid import uuid4

from subterminator import actions as a
from subterminator.chores import Chore
from subterminator.doors.server.params import ContextOptions
from subterminator.errors import LimitReached, PageNotFound, Timeout
from subterminator.result import Result
from subterminator.session import Session
from subterminator.signals import PageSignal, ResponseSignal, Signal
from subterminator.types import Download, TabInfo

TURN_SECONDS = 20.0
MOST_DOWNLOADS = 100
Size = tuple[int, int]
Tell = Callable[["Context", str, Signal], None]


class Context:
    """`spare` is a tab that no client knows of: the last tab of a browser cannot be closed."""

    def __init__(
        self, id: str, session: Session, ends: AsyncExitStack, options: ContextOptions, size: Size
    ) -> None:
        self.id, self.session, self.options = id, session, options
        self.created = round(time.time() * 1000)
        self.size = size
        self.sizes: dict[str, Size] = {}
        self.armed: a.Dialog | None = None
        # What is being asked for, for who has to approve it.
        self.request: dict[str, Any] = {}
        self.responses: dict[str, ResponseSignal] = {}
        self.downloads: list[Download] = []
        self._labels: dict[str, str] = {}
        self._spare = ""
        self._current = ""
        # While a tab is opened that no client is to know of.
        self._is_hushed = False
        self._ends = ends
        # A page is selected and acted on in one go: another call must not come between.
        self._turn = asyncio.Lock()

    async def start(self, tell: Tell) -> None:
        [first] = await self.session.tabs()
        self._spare = self._current = first.id
        self.session.listen(lambda signal: self._hear(signal, tell))

    async def close(self) -> None:
        self.session.listen(None)
        await self._ends.aclose()

    @property
    def pages(self) -> tuple[str, ...]:
        return tuple(self._labels)

    def has(self, page: str) -> bool:
        return page in self._labels

    # Acting

    async def do(self, page: str, action: a.Action, said: str = "") -> Result:
        """Through the gate, in this page. A dialog that was prepared for is answered, too."""
        async with self._on(page):
            result = await self.session.call(action, said=said)
            await self._note(result)
            if result.happened.dialog and (answer := self.armed):
                self.armed = None
                answered = await self.session.call(answer)
                await self._note(answered)
            return result

    async def chore(self, page: str, chore: Chore) -> Any:
        async with self._on(page):
            return await self.session.chore(chore)

    @asynccontextmanager
    async def _on(self, page: str) -> AsyncIterator[None]:
        async with self._held():
            label = self._labels.get(page)
            if label is None:
                raise PageNotFound(f"Page not found: {page[:60]}", pageId=page[:60])
            await self._select(label)
            yield

    @asynccontextmanager
    async def _held(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(TURN_SECONDS):
                await self._turn.acquire()
        except TimeoutError:
            raise Timeout(
                "The page is busy with an earlier call; this one was not begun.",
                next_step="Wait for the earlier call, then ask again.",
            ) from None
        try:
            yield
        finally:
            self._turn.release()

    async def _select(self, label: str) -> None:
        if label != self._current:
            await self.session.select_tab(label)
            self._current = label

    async def _note(self, result: Result) -> None:
        happened = result.happened
        self.downloads += happened.downloads
        del self.downloads[:-MOST_DOWNLOADS]
        for tab in happened.new_tabs:
            self.page_of(tab.id)
        if happened.closed_tabs:
            await self._sync()

    # Pages

    async def create(self, most: int) -> str:
        """A new, empty page."""
        async with self._held():
            if len(self._labels) >= most:
                raise LimitReached(
                    f"Page limit reached: {most}.",
                    next_step="Close a page first.",
                    resource="pages",
                    limit=most,
                    current=len(self._labels),
                )
            if self._spare:
                label, self._spare = self._spare, ""
                await self._select(label)
            else:
                label = await self._open()
            return self.page_of(label)

    async def close_page(self, page: str) -> None:
        async with self._held():
            label = self._labels.get(page)
            if label is None:
                raise PageNotFound(f"Page not found: {page[:60]}", pageId=page[:60])
            if len(self._labels) == 1 and not self._spare:
                self._is_hushed = True
                try:
                    self._spare = await self._open()
                finally:
                    self._is_hushed = False
            await self.session.close_tab(label)
            await self._sync()

    async def list_tabs(self) -> dict[str, TabInfo]:
        """Pages and where they are, also those that pages have opened."""
        async with self._held():
            return await self._sync()

    async def _open(self) -> str:
        await self.session.open_tab()
        self._current = next(tab.id for tab in await self.session.tabs() if tab.current)
        return self._current

    async def _sync(self) -> dict[str, TabInfo]:
        tabs = await self.session.tabs()
        there = {tab.id for tab in tabs}
        for page, label in list(self._labels.items()):
            if label not in there:
                self._forget(page)
        self._current = next((tab.id for tab in tabs if tab.current), "")
        return {self.page_of(tab.id): tab for tab in tabs if tab.id != self._spare}

    def page_of(self, label: str) -> str:
        """The page that a tab is; one that was not known gets its id now."""
        for page, known in self._labels.items():
            if known == label:
                return page
        page = f"page-{uuid4()}"
        self._labels[page] = label
        return page

    def _forget(self, page: str) -> None:
        self._labels.pop(page, None)
        self.sizes.pop(page, None)
        self.responses.pop(page, None)

    # What the browser tells

    def _hear(self, signal: Signal, tell: Tell) -> None:
        label = signal.tab or self._current
        is_known = label in self._labels.values()
        if not label or label == self._spare or (self._is_hushed and not is_known):
            return
        page = self.page_of(label)
        if isinstance(signal, ResponseSignal) and signal.document:
            self.responses[page] = signal
        tell(self, page, signal)
        if isinstance(signal, PageSignal) and signal.kind == "close":
            self._forget(page)

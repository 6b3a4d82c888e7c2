"""A client: its contexts and pages, what it listens to, and what it was answered.

It outlives its connection if it has a session id; then the next connection goes on with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from subterminator import app
from subterminator.doors.server.events import event_of
from subterminator.doors.server.limits import Bucket, Limits
from subterminator.doors.server.pages import Context
from subterminator.doors.server.tokens import Grant
from subterminator.doors.server.traces import Trace
from subterminator.errors import BrowserNotLaunched, ContextNotFound, PageNotFound
from subterminator.signals import Signal

Notify = Callable[[str, dict[str, Any]], None]
MOST_ANSWERS = 8


class Client:
    """Everything of one client; nothing of it can be reached from another."""

    def __init__(self, grant: Grant, limits: Limits, session_id: str = "") -> None:
        self.id = uuid4().hex[:8]
        self.grant = grant
        self.session_id = session_id
        self.notify: Notify | None = None
        self.evict: Callable[[], None] | None = None
        self.contexts: dict[str, Context] = {}
        self.default = ""
        self.active = ""
        self.subscribed: set[str] = set()
        self.browser: app.Rooms | None = None
        self.resumed = False
        self.streaming = False
        self.trace = Trace()
        # What each page looked like to this client, for answers that tell only what is new.
        self.seen: dict[str, Any] = {}
        # Calls by the key that their client gave them: a call is done once, however often asked.
        self.answers: dict[str, asyncio.Future[Any]] = {}
        self._limits = limits
        self._pages: dict[str, Bucket] = {}
        self._events: dict[str, Bucket] = {}
        self.screenshots = Bucket(limits.screenshots_a_minute / 60)

    # Finding

    def context(self, id: str | None = None) -> Context:
        if not self.contexts:
            raise BrowserNotLaunched("Browser not launched.")
        wanted = id or self.default
        if wanted not in self.contexts:
            raise ContextNotFound(f"Context not found: {wanted[:60]}", contextId=wanted[:60])
        return self.contexts[wanted]

    def page(self, id: str | None) -> tuple[Context, str]:
        """The context and id of a page of this client's own; the active one if none is named."""
        wanted = id or self.active
        for context in self.contexts.values():
            if wanted and context.has(wanted):
                self._bucket(wanted).spend(1, "requests for one page")
                return context, wanted
        if not id:
            raise PageNotFound("No active page", pageId="none")
        raise PageNotFound(f"Page not found: {id[:60]}", pageId=id[:60])

    def spend_on(self, page: str, count: int) -> None:
        """A sequence is as much as its steps."""
        self._bucket(page).spend(count, "steps on one page")

    def _bucket(self, page: str) -> Bucket:
        if page not in self._pages:
            self._pages = {p: b for p, b in self._pages.items() if self._is_there(p)}
            self._pages[page] = Bucket(self._limits.page_requests)
        return self._pages[page]

    def _is_there(self, page: str) -> bool:
        return any(context.has(page) for context in self.contexts.values())

    def settle_active(self) -> None:
        """Where the active page is gone, the oldest that remains is active."""
        if not self._is_there(self.active):
            pages = [page for context in self.contexts.values() for page in context.pages]
            self.active = pages[0] if pages else ""
        self.seen = {page: seen for page, seen in self.seen.items() if self._is_there(page)}

    # Telling

    def hear(self, context: Context, page: str, signal: Signal) -> None:
        event = event_of(page, signal)
        if event.name not in self.subscribed or self.notify is None:
            return
        if page not in self._events:
            self._events = {p: b for p, b in self._events.items() if self._is_there(p)}
            self._events[page] = Bucket(self._limits.events)
        if self._events[page].take():
            return  # More in a second than anybody reads.
        for method in event.methods:
            self.notify(method, event.params)

    def show(self, method: str, params: dict[str, Any]) -> None:
        if self.notify:
            self.notify(method, params)

    # Calls that are done once

    def remember(self, key: str, answer: asyncio.Future[Any]) -> None:
        self.answers[key] = answer
        while len(self.answers) > MOST_ANSWERS:
            del self.answers[next(iter(self.answers))]

    async def close(self) -> None:
        contexts, self.contexts = list(self.contexts.values()), {}
        self.default = self.active = ""
        await asyncio.gather(*(context.close() for context in contexts))

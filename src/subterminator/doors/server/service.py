"""What all connections of one server share: browsers, tokens, sessions that wait, the person."""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, NamedTuple
from uuid import uuid4

from msgspec.structs import replace

from subterminator import app
from subterminator.config import Settings
from subterminator.doors.server.approvals import Desk
from subterminator.doors.server.browsers import Browsers
from subterminator.doors.server.clients import Client
from subterminator.doors.server.limits import Bucket, Limits
from subterminator.doors.server.pages import Context
from subterminator.doors.server.params import ContextOptions
from subterminator.doors.server.tokens import Grant, Tokens
from subterminator.errors import InvalidParams, LimitReached
from subterminator.hub import Hub
from subterminator.inbox import Asker
from subterminator.machine import this_machine
from subterminator.peers import only_people
from subterminator.runs.record import Record
from subterminator.safety.policy import RulePolicy
from subterminator.safety.rules import load_rules
from subterminator.safety.task import Task

MOST_SESSIONS = 512
LONGEST_PAGE_MS = 25_000
# The latest mistakes of our own, for who looks into one.
MOST_MISHAPS = 100


class Waiting(NamedTuple):
    """A client without a connection, and when it is given up."""

    client: Client
    end: asyncio.TimerHandle


class Service:
    """Use `serving` to have one: its hub and browsers end with it."""

    def __init__(self, settings: Settings, tokens: Tokens, limits: Limits, hub: Hub) -> None:
        milliseconds = round(limits.approval_seconds * 1000)
        self.settings = replace(
            settings,
            confirm_timeout_ms=milliseconds,
            auth_timeout_ms=milliseconds,
            page_timeout_ms=min(settings.page_timeout_ms, LONGEST_PAGE_MS),
        )
        self.tokens, self.limits, self.hub = tokens, limits, hub
        self.browsers = Browsers(self.settings, limits.browsers)
        self.desk = Desk()
        # Our own mistakes; there should be none.
        self.mishaps: deque[str] = deque(maxlen=MOST_MISHAPS)
        self.connections = 0
        self._policy = RulePolicy(load_rules())
        self._live: dict[tuple[str, str], Client] = {}
        self._parked: dict[tuple[str, str], Waiting] = {}
        self._rates: dict[str, Bucket] = {}
        self._ending: set[asyncio.Task[None]] = set()

    def rate_of(self, grant: Grant) -> Bucket:
        return self._rates.setdefault(grant.id, Bucket(self.limits.token_requests))

    # Clients

    def arrive(self, grant: Grant, session_id: str) -> tuple[Client, bool]:
        """The client for a new connection, and whether it was here before.

        A session belongs to its token: nobody else can take it up.
        """
        key = (grant.id, session_id)
        if not session_id:
            return Client(grant, self.limits), False
        if waiting := self._parked.pop(key, None):
            waiting.end.cancel()
            self._live[key] = waiting.client
            return waiting.client, True
        if client := self._live.get(key):
            if client.evict:
                client.evict()
            return client, True
        client = self._live[key] = Client(grant, self.limits, session_id)
        return client, False

    def depart(self, client: Client, *, keep: bool) -> None:
        """A connection has ended: its client waits for the next one, or ends, too."""
        key = (client.grant.id, client.session_id)
        self._live.pop(key, None)
        client.notify = client.evict = None
        client.subscribed.clear()
        if not (keep and client.session_id and client.contexts):
            self._end(client)
            return
        if len(self._parked) >= self.limits.parked:
            oldest = next(iter(self._parked))
            waiting = self._parked.pop(oldest)
            waiting.end.cancel()
            self._end(waiting.client)
        loop = asyncio.get_running_loop()
        end = loop.call_later(self.limits.parked_seconds, self._give_up, key)
        self._parked[key] = Waiting(client, end)

    def _give_up(self, key: tuple[str, str]) -> None:
        if waiting := self._parked.pop(key, None):
            self._end(waiting.client)

    def _end(self, client: Client) -> None:
        task = asyncio.get_running_loop().create_task(self.close_client(client))
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def close_client(self, client: Client) -> None:
        browser, client.browser = client.browser, None
        await client.close()
        if browser:
            await self.browsers.give_back(browser)

    async def close(self) -> None:
        waiting = [one.client for one in self._parked.values()]
        for one in self._parked.values():
            one.end.cancel()
        self._parked.clear()
        everybody = [*waiting, *self._live.values()]
        await asyncio.gather(*(self.close_client(client) for client in everybody))
        while self._ending:
            await asyncio.wait(self._ending)
        await self.browsers.close()

    # Contexts

    async def open_context(
        self, client: Client, id: str | None, options: ContextOptions
    ) -> Context:
        """A room in the client's browser with a session of its own, on the token's terms."""
        if len(client.contexts) >= self.limits.contexts:
            raise LimitReached(
                f"Context limit reached: {self.limits.contexts}.",
                next_step="Destroy a context first.",
                resource="contexts",
                limit=self.limits.contexts,
                current=len(client.contexts),
            )
        name = id or f"ctx-{uuid4().hex[:8]}"
        if name in client.contexts:
            raise InvalidParams(f"There is a context {name} already.", next_step="Use another id.")
        rooms = client.browser or await self.browsers.for_all()
        client.browser = rooms
        holder: list[Context] = []
        async with AsyncExitStack() as undo:
            ends = await undo.enter_async_context(AsyncExitStack())
            session = await ends.enter_async_context(self._session(client, rooms, holder))
            size = (self.settings.viewport_width, self.settings.viewport_height)
            context = Context(name, session, ends, options, size)
            holder.append(context)
            await context.start(client.hear)
            undo.pop_all()
        client.contexts[name] = context
        return context

    @asynccontextmanager
    async def _session(
        self, client: Client, rooms: app.Rooms, holder: list[Context]
    ) -> AsyncIterator[Any]:
        def request() -> dict[str, Any]:
            return holder[0].request if holder else {}

        label = f"bap-{uuid4().hex[:12]}"
        person = self.desk.person(client.show, request)
        human = self.hub.human(Asker(f"client {client.id}"), person)

        def watch(record: Record) -> Record:
            return client.trace.watch(self.hub.watched(record, label))

        terms = app.Terms(client.grant.scopes, self._policy, watch)
        task = Task(label, self.settings.sites)
        driver = await rooms.open()
        async with app.over(
            driver, human=human, settings=self.settings, task=task, terms=terms
        ) as session:
            with self.hub.holding(session, label):
                yield session


@asynccontextmanager
async def serving(settings: Settings, tokens: Tokens, limits: Limits) -> AsyncIterator[Service]:
    """A service with its hub: `subterminator approve` reaches it, too."""
    check = only_people(this_machine())
    async with Hub(check=check, sessions=MOST_SESSIONS) as hub:
        if os.name == "posix":
            await hub.listen(settings.state_dir)
        service = Service(settings, tokens, limits, hub)
        try:
            yield service
        finally:
            await service.close()

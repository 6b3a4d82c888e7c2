"""A session at a protocol server, with the verbs of a local one.

It goes on after a lost connection.
A call that was under way is asked for again by its key: the server does it once, whatever happens
to the connection. Where the server itself was restarted, the answer is that nobody knows.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from subterminator import actions as a
from subterminator.client.connection import Connection
from subterminator.client.replies import read_reply, result_of
from subterminator.errors import ConnectionLost, InvalidParams
from subterminator.intake import parse_action
from subterminator.page.snapshot import Snapshot
from subterminator.result import Result
from subterminator.safety.files import check_private
from subterminator.verbs import Verbs

PROTOCOL = "0.7.0"
ANSWER_SECONDS = 35.0
TRIES = 6
FIRST_PAUSE = 0.1
Handler = Callable[[dict[str, Any]], None]


class Choices(Struct, frozen=True, kw_only=True):
    """`session` names what is gone on with after a lost connection; `tries` of 0 never does."""

    session: str = ""
    events: tuple[str, ...] = ()
    tries: int = TRIES
    seconds: float = ANSWER_SECONDS


class Remote(Verbs):
    """Use `connect`. Every verb is one call of the server's session, through its gate."""

    def __init__(self, address: str, token: str, choices: Choices) -> None:
        self._address, self._token, self._choices = address, token, choices
        self._session = choices.session or f"client-{secrets.token_hex(12)}"
        self._connection: Connection | None = None
        self._handlers: dict[str, list[Handler]] = {}
        self._connecting = asyncio.Lock()
        self._begun = False
        self.last_snapshot: Snapshot | None = None
        self.capabilities: dict[str, Any] = {}

    async def open(self) -> None:
        await self._connected()

    async def close(self, *, keep: bool = False) -> None:
        """End the session at the server; with `keep` another connection may go on with it."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            if not keep and not connection.lost.done():
                await connection.request("shutdown", {}, self._choices.seconds)
        finally:
            await connection.close()

    @property
    def session(self) -> str:
        """The name under which another connection can go on."""
        return self._session

    # Our own actions

    async def call(
        self, action: a.Action | dict[str, Any] | bytes | str, *, said: str = ""
    ) -> Result:
        """Pass an action through the gate of the server's session."""
        checked = parse_action(action)
        params: dict[str, Any] = {
            "action": msgspec.to_builtins(checked),
            "key": secrets.token_hex(16),
        }
        if said:
            params["said"] = said
        answer = await self._once("subterminator/call", params)
        reply = read_reply(answer["reply"])
        last = self.last_snapshot
        if reply.same_as and (last is None or last.id != reply.same_as):
            # The page is as a snapshot shows that this client never got.
            look = {"action": {"action": "snapshot"}, "key": secrets.token_hex(16), "whole": True}
            fresh = read_reply((await self._once("subterminator/call", look))["reply"])
            reply = msgspec.structs.replace(reply, snapshot=fresh.snapshot, same_as="")
        result = result_of(reply, last)
        self.last_snapshot = result.snapshot or last
        return result

    # Methods of the protocol

    async def request(self, method: str, params: dict[str, Any] | None = None) -> Any:
        """Any method of the protocol. One that is lost on the way is not sent again."""
        connection = await self._connected()
        return await connection.request(method, params or {}, self._choices.seconds)

    async def act(self, *steps: dict[str, Any], **options: Any) -> dict[str, Any]:
        """Several steps in one call; see `step`."""
        await self._page()
        answer: dict[str, Any] = await self.request("agent/act", {"steps": list(steps), **options})
        return answer

    async def observe(self, **options: Any) -> dict[str, Any]:
        await self._page()
        answer: dict[str, Any] = await self.request("agent/observe", options)
        return answer

    async def extract(self, schema: dict[str, Any], **options: Any) -> dict[str, Any]:
        """Data by a JSON schema, found without a model, with a confidence."""
        await self._page()
        answer: dict[str, Any] = await self.request("agent/extract", {"schema": schema, **options})
        return answer

    async def _page(self) -> None:
        """A page is made by the first action; what only looks needs one, too."""
        if not self._begun:
            await self.tabs()

    def on(self, event: str, handler: Handler) -> Callable[[], None]:
        """Be told of events, `approval/required` included; answers how to stop that."""
        handlers = self._handlers.setdefault(event, [])
        handlers.append(handler)
        return lambda: handlers.remove(handler)

    # The wire

    async def _once(self, method: str, params: dict[str, Any]) -> Any:
        """Ask again, with the same key, as long as the session is there: it is done once."""
        sent = False
        while True:
            connection = await self._connected(resuming=sent)
            try:
                sent = True
                answer = await connection.request(method, params, self._choices.seconds)
                self._begun = True
                return answer
            except ConnectionLost as fault:
                if not connection.lost.done() or not self._choices.tries:
                    raise fault

    async def _connected(self, *, resuming: bool = False) -> Connection:
        async with self._connecting:
            if self._connection is None or self._connection.lost.done():
                self._connection = await self._connect(resuming)
            return self._connection

    async def _connect(self, resuming: bool) -> Connection:
        connection = await self._reach(1 + (self._choices.tries if self._begun else 0))
        hello = {
            "protocolVersion": PROTOCOL,
            "clientInfo": {"name": "subterminator", "version": "1"},
            "capabilities": {"events": list(self._choices.events)},
            "sessionId": self._session,
        }
        told = await connection.request("initialize", hello, self._choices.seconds)
        self.capabilities = told["capabilities"]
        if self._choices.events:
            wanted = {"events": list(self._choices.events)}
            await connection.request("events/subscribe", wanted, self._choices.seconds)
        if not told.get("resumed"):
            was_begun, self._begun, self.last_snapshot = self._begun, False, None
            if was_begun or resuming:
                self._connection = connection
                fault = ConnectionLost("The server no longer has this session: its pages are gone.")
                fault.delivered = resuming
                raise fault
        return connection

    async def _reach(self, tries: int) -> Connection:
        pause = FIRST_PAUSE
        while True:
            tries -= 1
            try:
                return await Connection.open(self._address, self._token, self._hear)
            except ConnectionLost:
                if tries <= 0:
                    raise
            await asyncio.sleep(pause)
            pause *= 2

    def _hear(self, method: str, params: dict[str, Any]) -> None:
        if method.startswith("events/"):
            return  # The other spelling of the same event follows.
        for handler in list(self._handlers.get(method.removeprefix("event/"), ())):
            handler(params)


@asynccontextmanager
async def connect(
    address: str, *, token: str = "", token_file: str | Path = "", **choices: Any
) -> AsyncIterator[Remote]:
    """A session at a server, `ws://127.0.0.1:PORT`; it ends with the block.

    The token, or the file it is in, is what `subterminator serve` says. Further choices: `session`,
    `events`, `tries`, `seconds`.
    """
    if bool(token) == bool(token_file):
        raise InvalidParams("connect takes a token or a token_file.", next_step="Give one of them.")
    if token_file:
        path = Path(token_file).expanduser()
        if not check_private(path):
            raise InvalidParams(
                f"There is no token file {path}.", next_step="Start `subterminator serve` first."
            )
        token = path.read_text(encoding="ascii").strip()
    remote = Remote(address, token, msgspec.convert(choices, Choices))
    await remote.open()
    try:
        yield remote
    finally:
        await remote.close()


def step(action: str, params: dict[str, Any], **options: Any) -> dict[str, Any]:
    """One step of `act`. Options: label, condition, onError, maxRetries, retryDelay."""
    known = {"label", "condition", "onError", "maxRetries", "retryDelay"}
    if unknown := options.keys() - known:
        raise InvalidParams(
            f"A step has no {sorted(unknown)[0]}.", next_step=f"Known: {', '.join(sorted(known))}."
        )
    return {"action": action, "params": params, **options}

"""A protocol server for tests, and a plain client for what published ones never send."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import jsonschema
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect

from subterminator.config import load
from subterminator.doors.server.application import Address, bound_socket, listening
from subterminator.doors.server.export import documents
from subterminator.doors.server.limits import Limits
from subterminator.doors.server.service import Service, serving
from subterminator.doors.server.tokens import Grant, Tokens, new_token
from subterminator.machine import this_machine
from subterminator.safety.scopes import Scopes

SCHEMAS = documents()
# Tests ask faster than people and models do.
QUICK = Limits(
    requests=2_000, token_requests=10_000, page_requests=2_000, screenshots_a_minute=6000
)


class Running(Struct):
    """A server, its address, and a token for everything, one for each test that asks."""

    service: Service
    address: Address
    tokens: Tokens
    token: str

    def grant(self, *scopes: str, person: bool = False, seconds: float | None = None) -> str:
        token = new_token()
        role: Any = "person" if person else "client"
        self.tokens.add(token, Scopes.of(scopes), role=role, seconds=seconds)
        return token

    def grant_of(self, token: str) -> Grant:
        found = self.tokens.find(token)
        assert found
        return found


@asynccontextmanager
async def running(
    state: Path,
    limits: Limits = QUICK,
    *,
    sites: Sequence[str] = (),
    query: bool = True,
    origins: Sequence[str] = (),
    again: Running | None = None,
    patience_ms: int = 2_000,
) -> AsyncIterator[Running]:
    """`again`: the same port and token as one that has ended. Elements are waited for so long."""
    given = {"state_dir": str(state), "sites": list(sites), "action_timeout_ms": patience_ms}
    settings = load(this_machine(), given)
    tokens = Tokens()
    token = again.token if again else new_token()
    tokens.add(token, Scopes.of(["privileged"]))
    port = again.address.port if again else 0
    async with (
        serving(settings, tokens, limits) as service,
        listening(service, bound_socket(port), allow_query_token=query, origins=origins) as address,
    ):
        yield Running(service, address, tokens, token)
        assert not service.mishaps


def fits(method: str, result: Any) -> None:
    """An answer is as the schema of its method says."""
    document = SCHEMAS[f"{method.partition('/')[0]}.json"]
    whole = {**document["methods"][method]["result"], "$defs": document["$defs"]}
    jsonschema.validate(result, whole)


class Wire:
    """Says exactly what it is told to, and gives back what comes."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.notices: list[dict[str, Any]] = []
        self._id = 0

    async def send(self, text: str | bytes) -> None:
        await self.socket.send(text)

    async def receive(self) -> dict[str, Any]:
        async with asyncio.timeout(40):
            answer: dict[str, Any] = json.loads(await self.socket.recv())
            return answer

    async def answer(self) -> dict[str, Any]:
        """The next message that answers something."""
        while "method" in (message := await self.receive()):
            self.notices.append(message)
        return message

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._id += 1
        message = {"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}
        await self.send(json.dumps(message))
        return await self.answer()

    async def get(self, method: str, **params: Any) -> Any:
        """The result of a call that must succeed."""
        answer = await self.ask(method, **params)
        assert "error" not in answer, answer
        if "result" in answer:
            fits(method, answer["result"])
        return answer.get("result")

    async def fail(self, method: str, **params: Any) -> dict[str, Any]:
        """The error of a call that must not."""
        answer = await self.ask(method, **params)
        error: dict[str, Any] = answer["error"]
        assert isinstance(error["data"]["retryable"], bool)
        assert None not in error["data"].values() and None not in error["data"]["details"].values()
        return error

    async def begin(self, url: str | None = None) -> str:
        """Initialise, launch and open a page; its id."""
        await self.get("initialize")
        await self.get("browser/launch")
        page: str = (await self.get("page/create", **({"url": url} if url else {})))["id"]
        return page


@asynccontextmanager
async def wire(server: Running, token: str | None = None, **headers: str) -> AsyncIterator[Wire]:
    own = {"Authorization": f"Bearer {token or server.token}"} | headers
    async with connect(
        server.address.websocket, additional_headers=own, compression=None, proxy=None,
        max_size=None,
    ) as socket:  # fmt: skip
        yield Wire(socket)

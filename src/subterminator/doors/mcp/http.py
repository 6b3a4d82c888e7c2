"""`/mcp` on the protocol server: streamable HTTP, behind the same guard as every other route.

A desk belongs to a token, on both generations of the protocol: the id of an MCP session is a name
and never lets anybody in.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.context import ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_REQUEST
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from subterminator import app
from subterminator.doors.mcp.catalogue import Profile
from subterminator.doors.mcp.desk import Desk
from subterminator.doors.mcp.server import Door
from subterminator.doors.server.guard import GRANT
from subterminator.doors.server.service import Service
from subterminator.doors.server.tokens import Grant
from subterminator.inbox import Asker
from subterminator.safety.human import Human
from subterminator.safety.task import Task
from subterminator.session import Session

PATH = "/mcp"
# The person answers elsewhere; a call says after so many seconds that it waits.
PATIENCE = 45.0
MOST_SESSIONS = 200
# What a cancellation does by itself, so a token that begins one must be good for all of it.
CANCELLING = ("browser:launch", "page:navigate", "action:click", "action:fill", "action:type")


class Desks:
    """The desks of all tokens."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._desks: dict[str, Desk] = {}

    def of(self, ctx: ServerRequestContext[Any, Any]) -> Desk:
        grant = ctx.request.scope["state"][GRANT] if ctx.request else None
        if not isinstance(grant, Grant) or grant.role != "client":
            raise MCPError(INVALID_REQUEST, "This token answers questions; it does not act.")
        if grant.id not in self._desks:
            self._desks[grant.id] = self._desk(grant)
        return self._desks[grant.id]

    def _desk(self, grant: Grant) -> Desk:
        hub = self._service.hub
        asker = Asker(f"MCP client {grant.id}")
        return Desk(
            lambda human: self._session(grant, human),
            lambda asks: hub.human(asker, asks),
            self._service.settings,
            may_cancel=all(map(grant.scopes.allow, CANCELLING)),
        )

    @asynccontextmanager
    async def _session(self, grant: Grant, human: Human) -> AsyncIterator[Session]:
        service = self._service
        label = f"mcp-{grant.id}"
        terms = app.Terms(grant.scopes, watch=lambda record: service.hub.watched(record, label))
        driver = await (await service.browsers.for_all()).open()
        task = Task(label, service.settings.sites)
        async with app.over(
            driver, human=human, settings=service.settings, task=task, terms=terms
        ) as session:
            with service.hub.holding(session, label):
                yield session

    async def close(self) -> None:
        for desk in self._desks.values():
            await desk.close()
        self._desks.clear()


def _owner(grant: Grant) -> AuthenticatedUser:
    return AuthenticatedUser(AccessToken(token="", client_id=grant.id, scopes=[]))


@asynccontextmanager
async def mounted(service: Service, profile: Profile = "default") -> AsyncIterator[list[BaseRoute]]:
    """The route, for as long as the block lasts. Host, Origin and token are the guard's."""
    desks = Desks(service)
    server = Door(desks.of, profile, "terminal", PATIENCE).server()
    manager = StreamableHTTPSessionManager(
        server,
        # Checked before anything gets here, more strictly; twice would be two lists to keep.
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_sessions=MOST_SESSIONS,
    )

    class Endpoint:
        """An ASGI application: Starlette hands a class instance the whole request."""

        async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
            # So that a session is its token's: with another one its id leads nowhere.
            scope["user"] = _owner(scope["state"][GRANT])
            await manager.handle_request(scope, receive, send)

    try:
        async with manager.run():
            yield [Route(PATH, Endpoint(), methods=["GET", "POST", "DELETE"])]
    finally:
        await desks.close()

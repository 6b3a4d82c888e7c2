"""The ASGI application: its routes behind the guard, and uvicorn around it. Loopback only."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import uvicorn
from msgspec import Struct
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from subterminator.doors.server.browsing import PROTOCOL
from subterminator.doors.server.connection import Connection
from subterminator.doors.server.guard import GRANT, App, Guard, Rules
from subterminator.doors.server.limits import Limits, Throttle
from subterminator.doors.server.service import Service
from subterminator.errors import ActionFailed, SubTerminatorError

LOOPBACK = "127.0.0.1"
NAMES = ("127.0.0.1", "localhost")
BACKLOG = 128
FULL = 1013


class Address(Struct, frozen=True):
    """Where a server can be reached."""

    port: int

    @property
    def websocket(self) -> str:
        return f"ws://{LOOPBACK}:{self.port}"

    @property
    def http(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"


def application(service: Service, rules: Rules, more: Sequence[BaseRoute] = ()) -> App:
    """All routes, behind one guard. `more` are further routes; they stand behind it, too."""
    app = Starlette(routes=[*more, *_routes(service)])
    limits = service.limits
    return Guard(app, service.tokens, rules, Throttle(limits.bad_tokens, limits.bad_token_seconds))


def _routes(service: Service) -> list[BaseRoute]:
    async def health(_: Request) -> Response:
        return JSONResponse({"status": "ok", "version": PROTOCOL})

    async def elsewhere(_: Request) -> Response:
        return PlainTextResponse("WebSocket connection required", 426)

    async def protocol(websocket: WebSocket) -> None:
        await websocket.accept()
        if service.connections >= service.limits.connections:
            await websocket.close(FULL, "Too many connections")
            return
        service.connections += 1
        try:
            grant = websocket.scope["state"][GRANT]
            await Connection(service, Socket(websocket), grant).run()
        finally:
            service.connections -= 1

    every = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"]
    return [
        Route("/health", health, methods=["GET"]),
        WebSocketRoute("/{path:path}", protocol),
        Route("/{path:path}", elsewhere, methods=every),
    ]


class Socket:
    """Starlette's WebSocket as a connection needs it."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket

    async def receive(self) -> str | bytes | None:
        message = await self._websocket.receive()
        if message["type"] != "websocket.receive":
            return None
        text: str | None = message.get("text")
        return text if text is not None else message.get("bytes", b"")

    async def send(self, text: str) -> None:
        try:
            await self._websocket.send_text(text)
        except (WebSocketDisconnect, RuntimeError) as gone:
            raise ConnectionError("The client is gone.") from gone

    async def close(self, code: int, reason: str) -> None:
        try:
            await self._websocket.close(code, reason)
        except (WebSocketDisconnect, RuntimeError) as gone:
            raise ConnectionError("The client is gone.") from gone


def bound_socket(port: int) -> socket.socket:
    """A socket of this machine alone. Port 0 is any free one."""
    server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        server.bind((LOOPBACK, port))
    except OSError as fault:
        server.close()
        if fault.errno in (errno.EADDRINUSE, errno.EACCES):
            raise ActionFailed(
                f"Port {port} cannot be used: {fault.strerror}.",
                next_step="Stop what uses it, or choose another one with --port.",
            ) from fault
        raise
    return server


@asynccontextmanager
async def listening(
    service: Service,
    server: socket.socket,
    *,
    origins: Sequence[str] = (),
    allow_query_token: bool = False,
    extension: str = "",
    more: Sequence[BaseRoute] = (),
) -> AsyncIterator[Address]:
    """Answer on this socket until the block ends."""
    rules = Rules(hosts_of(server), frozenset(origins), allow_query_token, extension)
    async with answering(application(service, rules, more), server, service.limits) as address:
        yield address


def hosts_of(server: socket.socket) -> frozenset[str]:
    """The names under which this socket may be asked for."""
    return frozenset(f"{name}:{server.getsockname()[1]}" for name in NAMES)


@asynccontextmanager
async def answering(app: App, server: socket.socket, limits: Limits) -> AsyncIterator[Address]:
    """Let an application answer on this socket until the block ends."""
    config = uvicorn.Config(
        app,
        # Its log would hold addresses, and with them tokens; ours says what matters.
        log_config=None,
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=limits.message_bytes,
        ws_per_message_deflate=False,
        lifespan="off",
        server_header=False,
        date_header=False,
        backlog=BACKLOG,
        limit_concurrency=limits.connections + BACKLOG,
        timeout_graceful_shutdown=2,
    )
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    running = _Server(config)
    task = asyncio.create_task(running.serve(sockets=[server]))
    try:
        await _until_started(running, task)
        yield Address(server.getsockname()[1])
    finally:
        running.should_exit = True
        with contextlib.suppress(SubTerminatorError):
            await task
        server.close()


class _Server(uvicorn.Server):
    """Signals are for whoever started us, not for the server."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.up = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self):  # type: ignore[no-untyped-def]
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.up.set()


async def _until_started(running: _Server, task: asyncio.Task[None]) -> None:
    up = asyncio.create_task(running.up.wait())
    await asyncio.wait({up, task}, return_when=asyncio.FIRST_COMPLETED)
    up.cancel()
    if task.done():
        raise ActionFailed("The server did not start.")

"""The extension's route of a server, and a server that has no other."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from subterminator.doors.extension.switchboard import Switchboard
from subterminator.doors.extension.wire import ORIGIN, PATH
from subterminator.doors.server.application import Socket, answering, hosts_of
from subterminator.doors.server.guard import Guard, Rules, canonical
from subterminator.doors.server.limits import Limits, Throttle
from subterminator.doors.server.tokens import Tokens

# A picture of a large page is one message.
LARGE = Limits(message_bytes=64 * 1024 * 1024)


def new_switchboard(folder: Path, server: socket.socket, limits: Limits) -> Switchboard:
    throttle = Throttle(limits.bad_tokens, limits.bad_token_seconds)
    board = Switchboard(folder, throttle, limits.message_bytes)
    board.port = server.getsockname()[1]
    return board


def extension_route(board: Switchboard) -> WebSocketRoute:
    async def extension(websocket: WebSocket) -> None:
        await websocket.accept()
        client = websocket.client
        address = canonical((client.host, client.port) if client else None)
        await board.talk(Socket(websocket), address)

    return WebSocketRoute(PATH, extension)


@contextlib.asynccontextmanager
async def only_extension(folder: Path, server: socket.socket) -> AsyncIterator[Switchboard]:
    """A server for the extension alone: no token opens anything here."""
    board = new_switchboard(folder, server, LARGE)
    rules = Rules(hosts_of(server), extension=ORIGIN)
    throttle = Throttle(LARGE.bad_tokens, LARGE.bad_token_seconds)
    app = Guard(Starlette(routes=[extension_route(board)]), Tokens(), rules, throttle)
    async with answering(app, server, LARGE):
        try:
            yield board
        finally:
            board.close()

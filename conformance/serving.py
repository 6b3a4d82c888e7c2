"""Our MCP server for a suite that knows no tokens: one is put in front of each of its requests.

Everything else is as it is served: the guard, its checks of Host and Origin, the route, the desks.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn

from subterminator.config import load
from subterminator.doors.mcp.http import PATH, mounted
from subterminator.doors.server.application import application, bound_socket
from subterminator.doors.server.guard import App, Receive, Rules, Scope, Send
from subterminator.doors.server.limits import Limits
from subterminator.doors.server.service import serving
from subterminator.doors.server.tokens import Tokens, new_token
from subterminator.machine import this_machine
from subterminator.safety.scopes import Scopes


class Introduced:
    """An ASGI application that brings the token for whoever asks."""

    def __init__(self, app: App, token: str) -> None:
        self._app, self._token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            own = (b"authorization", f"Bearer {self._token}".encode())
            scope["headers"] = [*scope["headers"], own]
        await self._app(scope, receive, send)


@asynccontextmanager
async def running() -> AsyncIterator[str]:
    """The address to test, for as long as the block lasts."""
    with tempfile.TemporaryDirectory() as state:
        Path(state).chmod(0o700)
        settings = load(this_machine(), {"state_dir": state, "headless": True})
        tokens, token = Tokens(), new_token()
        tokens.add(token, Scopes.of(["standard"]))
        server = bound_socket(0)
        port = server.getsockname()[1]
        hosts = frozenset({f"127.0.0.1:{port}", f"localhost:{port}"})
        # A page of this machine may be allowed by its user; the suite plays such a one.
        rules = Rules(hosts, frozenset({f"http://127.0.0.1:{port}", f"http://localhost:{port}"}))
        async with serving(settings, tokens, Limits()) as service, mounted(service) as routes:
            app = Introduced(application(service, rules, routes), token)
            config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="off")
            running = uvicorn.Server(config)
            task = asyncio.create_task(running.serve(sockets=[server]))
            try:
                yield f"http://127.0.0.1:{port}{PATH}"
            finally:
                running.should_exit = True
                with contextlib.suppress(asyncio.CancelledError):
                    await task


async def main() -> None:
    async with running() as address:
        print(address, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main())

"""`--browser mine`: the user's own browser for one run, and its panel as one who is asked.

A server that runs already is used; otherwise the run has one of its own, at the same port.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Protocol, TypeVar

from subterminator.agents.outcome import Progress, TaskResult
from subterminator.config import Settings, private_folder
from subterminator.doors.extension.bridge import Bridge, bridging
from subterminator.doors.extension.line import Portion
from subterminator.doors.extension.pairing import CODE_SECONDS, Pairings
from subterminator.doors.extension.panel import Panel
from subterminator.doors.extension.switchboard import Switchboard
from subterminator.doors.extension.wire import Browser
from subterminator.errors import ActionFailed, InvalidParams

FOLDER = "server"
# A worker of an extension that sleeps is woken every 30 seconds.
CONNECT_SECONDS = 45.0
MISSING = "Your own browser is reached over a server, and its packages are not installed."
INSTALL = "Run: python3 -m pip install 'subterminator[server]'"
PAIR = """No browser of yours is paired yet.
1. Install the extension, if it is not there: subterminator extension
2. Open its panel (its icon beside the address bar) and type this code, within 10 minutes:

    {code}
"""
WAITING = "Waiting for your browser to connect (up to {seconds:.0f} s) ..."
Say = Callable[[str], None]
T = TypeVar("T")


class Host(Protocol):
    """Who has the lines: this process, or another one of this user."""

    async def browsers(self) -> list[Browser]: ...
    async def new_code(self) -> str: ...
    async def arrival(self, seconds: float) -> Browser: ...
    async def use(self, name: str, seconds: float) -> Portion | Bridge: ...


class Here:
    """This process."""

    def __init__(self, board: Switchboard) -> None:
        self._board = board

    async def browsers(self) -> list[Browser]:
        return self._board.connected()

    async def new_code(self) -> str:
        return self._board.new_code()

    async def arrival(self, seconds: float) -> Browser:
        return await self._board.arrival(seconds)

    async def use(self, name: str, seconds: float) -> Portion | Bridge:
        return (await self._board.line(name, seconds)).portion()


class Mine:
    """The browser of one run and the person at its panel."""

    def __init__(self, portion: Portion | Bridge) -> None:
        self.portion = portion
        self.panel = Panel(portion)

    def told(self, tell: Callable[[Progress], None]) -> Callable[[Progress], None]:
        """Also tell the panel."""

        def both(progress: Progress) -> None:
            tell(progress)
            self.panel.tell(progress)

        return both

    async def unless_stopped(self, work: Awaitable[T]) -> T | None:
        """The result of the work; None as soon as the person wants it stopped."""
        working = asyncio.ensure_future(work)
        stop = asyncio.ensure_future(self.panel.stopped.wait())
        try:
            await asyncio.wait({working, stop}, return_when=asyncio.FIRST_COMPLETED)
            return working.result() if working.done() else None
        finally:
            stop.cancel()
            working.cancel()
            await asyncio.gather(stop, working, return_exceptions=True)

    def end(self, result: TaskResult, words: str) -> None:
        self.panel.end(result, words)


def server_folder(settings: Settings) -> Path:
    folder = private_folder(settings.state_dir) / FOLDER
    return private_folder(str(folder))


@contextlib.asynccontextmanager
async def hosting(settings: Settings) -> AsyncIterator[Host]:
    """The server that runs, or one of our own until the block ends."""
    async with contextlib.AsyncExitStack() as stack:
        if bridge := await Bridge.reach(settings.state_dir):
            stack.push_async_callback(bridge.close)
            yield bridge
            return
        try:
            from subterminator.doors.extension.route import only_extension
            from subterminator.doors.serve import kept_socket
        except ModuleNotFoundError as missing:
            if missing.name not in {"starlette", "uvicorn"}:
                raise
            raise ActionFailed(MISSING, next_step=INSTALL) from missing
        folder = server_folder(settings)
        server = stack.enter_context(contextlib.closing(kept_socket(None, folder / "port")))
        board = await stack.enter_async_context(only_extension(folder, server))
        await stack.enter_async_context(bridging(board, settings.state_dir))
        yield Here(board)


@contextlib.asynccontextmanager
async def own_browser(settings: Settings, name: str, say: Say) -> AsyncIterator[Mine]:
    """The user's browser of that name, or the only one there is; says what the user has to do."""
    async with hosting(settings) as host:
        mine = Mine(await _found(host, settings, name, say))
        try:
            yield mine
        finally:
            # Once the driver has closed it, this does nothing more.
            await mine.portion.close()


async def _found(host: Host, settings: Settings, name: str, say: Say) -> Portion | Bridge:
    paired = await asyncio.to_thread(Pairings(server_folder(settings)).all)
    names = [each.name for each in paired]
    if name and name.casefold() not in {each.casefold() for each in names}:
        raise InvalidParams(
            f"No browser {name[:60]!r} is paired.",
            next_step=f"Known: {', '.join(names) or 'none'}. See: subterminator extension",
        )
    if not paired:
        say(PAIR.format(code=await host.new_code()))
        return await host.use(name, CODE_SECONDS)
    connected = {each.name.casefold() for each in await host.browsers()}
    if not connected or (name and name.casefold() not in connected):
        say(WAITING.format(seconds=CONNECT_SECONDS))
    return await host.use(name, CONNECT_SECONDS)

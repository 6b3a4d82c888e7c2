"""The browsers of a server: one for all, started when needed, and own ones where asked for."""

from __future__ import annotations

import asyncio
import re
from typing import NamedTuple

from msgspec.structs import replace

from subterminator import app
from subterminator.config import Settings
from subterminator.doors.server import params as p
from subterminator.errors import InvalidParams, LimitReached

# What a client may add to the command line of a browser of its own.
OWN_FLAGS = re.compile(r"--(?:lang=[A-Za-z-]{2,20}|window-size=\d{2,5},\d{2,5})")
PROXY = re.compile(r"(?:(?:https?|socks[45]?)://)?[A-Za-z0-9.\[\]:-]{1,255}")


class Wanted(NamedTuple):
    """A browser as it has to be started, and what of the wish has no effect."""

    headless: bool
    flags: tuple[str, ...]
    ignored: tuple[str, ...]


class Browsers:
    """Closed with the server, all of them."""

    def __init__(self, settings: Settings, most: int) -> None:
        self._settings = settings
        self._most = most
        self._shared: app.Rooms | None = None
        self._own: list[app.Rooms] = []
        # Two clients at once must not start two browsers for all.
        self._starting = asyncio.Lock()

    async def for_all(self) -> app.Rooms:
        async with self._starting:
            if self._shared is None or self._shared.is_lost:
                lost, self._shared = self._shared, None
                if lost:
                    await lost.close()
                self._shared = await app.share(self._settings)
            return self._shared

    async def take(self, wish: p.Launch) -> tuple[app.Rooms, tuple[str, ...]]:
        """The browser for this wish; it is the one for all unless the wish needs another."""
        wanted = self.read(wish)
        if wanted.headless == self._settings.headless and not wanted.flags:
            return await self.for_all(), wanted.ignored
        if len(self._own) >= self._most:
            raise LimitReached(
                f"{self._most} browsers of their own are open.",
                next_step="Launch without headless, args and proxy to share the server's browser.",
                resource="browsers",
                limit=self._most,
                current=len(self._own),
            )
        settings = replace(self._settings, headless=wanted.headless)
        rooms = await app.share(settings, wanted.flags)
        self._own.append(rooms)
        return rooms, wanted.ignored

    def read(self, wish: p.Launch) -> Wanted:
        """Raises InvalidParams for what a client may not decide, or we cannot do."""
        if wish.browser != "chromium":
            raise InvalidParams(
                f"There is no {wish.browser} here.", next_step="Launch chromium instead."
            )
        for name, value in (
            ("userDataDir", wish.user_data_dir),
            ("downloadsPath", wish.downloads_path),
            ("cdpUrl", wish.cdp_url),
        ):
            if value:
                raise InvalidParams(
                    f"{name} is for the person who starts the server to choose.",
                    next_step=f"Launch without {name}.",
                )
        flags = [flag for flag in wish.args if OWN_FLAGS.fullmatch(flag)]
        ignored = [flag for flag in wish.args if flag not in flags]
        if wish.channel:
            ignored.append("channel")
        if wish.proxy:
            flags.append(f"--proxy-server={_proxy(wish.proxy)}")
        headless = self._settings.headless if wish.headless is None else wish.headless
        return Wanted(headless, tuple(flags), tuple(ignored))

    async def give_back(self, rooms: app.Rooms) -> None:
        """A browser that was one client's own ends with its last context."""
        if rooms in self._own and not rooms.count:
            self._own.remove(rooms)
            await rooms.close()

    async def close(self) -> None:
        every = [*self._own, *([self._shared] if self._shared else [])]
        self._own, self._shared = [], None
        await asyncio.gather(*(rooms.close() for rooms in every))


def _proxy(proxy: p.Proxy) -> str:
    if proxy.username or proxy.password:
        raise InvalidParams(
            "A proxy with a password cannot be used.", next_step="Use one that needs none."
        )
    if not PROXY.fullmatch(proxy.server):
        raise InvalidParams(f"{proxy.server[:100]!r} is no address of a proxy.")
    return proxy.server

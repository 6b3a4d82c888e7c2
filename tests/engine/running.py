"""A browser that somebody else started, with a debug port; and a second pair of hands for ours."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

from subterminator.engine.browsers import locate, sandbox_flags
from subterminator.engine.cdp import Channel, Connection, WebSocket
from subterminator.machine import this_machine
from tests.engine import processes

BROWSER = locate(this_machine()).path
# As in engine/launch.py: without it most of a start is spent on the address bar.
QUICK = "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup"


async def address_in(profile: Path) -> str:
    """Where the browser with this profile listens, once it does."""
    file = profile / "DevToolsActivePort"
    assert await processes.until(lambda: file.exists() and file.read_text("utf-8").count("\n"), 30)
    port, path = file.read_text("utf-8").splitlines()[:2]
    return f"ws://127.0.0.1:{port}{path}"


class Hands:
    """Another client of the same browser: does what a person at its window could do."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @classmethod
    @asynccontextmanager
    async def at(cls, address: str) -> AsyncIterator[Self]:
        connection = Connection(await WebSocket.connect(address))
        try:
            yield cls(connection)
        finally:
            await connection.close()

    async def pages(self, kind: str = "page") -> dict[str, str]:
        """Addresses of the open tabs and their target ids; or those of frames of other sites."""
        found = await self._connection.root.call("Target.getTargets", filter=[{}])
        return {t["url"]: t["targetId"] for t in found["targetInfos"] if t["type"] == kind}

    async def open(self, url: str) -> str:
        answer = await self._connection.root.call("Target.createTarget", url=url)
        return str(answer["targetId"])

    async def tab(self, url: str, kind: str = "page") -> Channel:
        target = (await self.pages(kind))[url]
        answer = await self._connection.root.call(
            "Target.attachToTarget", targetId=target, flatten=True
        )
        return self._connection.channel(answer["sessionId"])

    async def evaluate(self, url: str, script: str) -> Any:
        channel = await self.tab(url)
        answer = await channel.call("Runtime.evaluate", expression=script, returnByValue=True)
        return answer["result"].get("value")

    async def close(self, url: str) -> None:
        target = (await self.pages())[url]
        await self._connection.root.call("Target.closeTarget", targetId=target)

    async def crash(self, url: str) -> None:
        # The command is never answered: the one who would answer is gone.
        (await self.tab(url)).post("Page.crash")

    async def crash_frame(self, url: str) -> None:
        (await self.tab(url, "iframe")).post("Page.crash")


class Running(Hands):
    """The browser of a user. It ends with the test, not with a session."""

    address = ""
    pid = 0
    profile = Path()

    async def close_all_but(self, kept: str) -> None:
        for url in await self.pages():
            if url != kept:
                await self.close(url)

    @classmethod
    @asynccontextmanager
    async def start(cls, profile: Path, flags: Sequence[str] = ()) -> AsyncIterator[Self]:
        process = await asyncio.create_subprocess_exec(
            BROWSER, "--headless=new", "--no-first-run", QUICK, *sandbox_flags(), *flags,
            f"--user-data-dir={profile}", "--remote-debugging-port=0", "about:blank",
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            address = await address_in(profile)
            async with cls.at(address) as running:
                running.address, running.pid, running.profile = address, process.pid, profile
                yield running
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()

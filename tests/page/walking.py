"""The walker alone, in a browser of its own that reaches nothing but this machine."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

import msgspec

from subterminator.engine.cdp import Channel
from subterminator.engine.world import script
from subterminator.types import Flag, RawFrame, RawNode
from tests.engine.running import Running

CORPORA = Path(__file__).parents[3] / "shared" / "corpora"
OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
SIZE = "--window-size=1280,800"


class Walker:
    """One page, and our world in it."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.context = 0

    @classmethod
    @asynccontextmanager
    async def start(cls, profile: Path) -> AsyncIterator[Self]:
        async with Running.start(profile, [OFFLINE, SIZE]) as running:
            channel = await running.tab("about:blank")
            await channel.call("Page.enable")
            # Pages of the corpora are read as markup; their scripts would only wait for servers.
            await channel.call("Emulation.setScriptExecutionDisabled", value=True)
            yield cls(channel)

    async def open(self, url: str) -> None:
        loaded = asyncio.Event()
        self.channel.on("Page.loadEventFired", lambda _: loaded.set())
        await self.channel.call("Page.navigate", url=url)
        await loaded.wait()
        await self._enter()

    async def show(self, body: str, page_script: str = "") -> RawFrame:
        """Put up a page and walk it. `page_script` runs in the page's own world first."""
        await self.put(body, page_script)
        return await self.walk()

    async def put(self, body: str, page_script: str = "") -> None:
        await self.channel.call("Page.navigate", url="about:blank")
        frame = await self._frame()
        html = f"<!doctype html><meta charset=utf-8><title>Test</title><body>{body}"
        await self.channel.call("Page.setDocumentContent", frameId=frame, html=html)
        await self._enter()
        if page_script:
            await self.channel.call("Runtime.evaluate", expression=page_script)

    async def walk(self, **options: int) -> RawFrame:
        text = await self.run(f"walker.walk({msgspec.json.encode(options).decode()})")
        return msgspec.json.decode(text, type=RawFrame)

    async def run(self, expression: str) -> Any:
        answer = await self.channel.call(
            "Runtime.evaluate", expression=expression, contextId=self.context, returnByValue=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    async def _frame(self) -> str:
        tree = await self.channel.call("Page.getFrameTree")
        return str(tree["frameTree"]["frame"]["id"])

    async def _enter(self) -> None:
        made = await self.channel.call(
            "Page.createIsolatedWorld", frameId=await self._frame(), worldName="walker"
        )
        self.context = made["executionContextId"]
        await self.run(script())


def usable(frame: RawFrame) -> list[RawNode]:
    return [node for node in frame.nodes if node.flags & Flag.INTERACTIVE]


def names(frame: RawFrame) -> list[str]:
    """Role and name of everything that can be used, in order."""
    return [f"{node.role} {node.name}".strip() for node in usable(frame)]


def texts(frame: RawFrame) -> list[str]:
    return [node.name for node in frame.nodes if node.role == "text"]


def only(nodes: Sequence[RawNode], name: str) -> RawNode:
    (found,) = [node for node in nodes if node.name == name]
    return found

"""A browser of our own that has our extension, paired: to practise, score and measure with.

A user's browser is never started by us; there the extension is installed and paired by hand.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Self

import msgspec

from subterminator.engine.cdp import Channel
from subterminator.engine.launch import WINDOW, Launched, launch
from subterminator.errors import BrowserMissing

PANEL_SECONDS = 20.0
Hand = Literal["debugger", "content"]
# What a person does in the panel, done by its own port.
SAY = """(message) => {
  globalThis.port ??= chrome.runtime.connect({ name: 'panel' });
  port.postMessage(message);
}"""
UNTIL = """(is) => new Promise((done) => {
  globalThis.port ??= chrome.runtime.connect({ name: 'panel' });
  const see = ({ type, data }) => {
    if (type !== 'State' || !is(data)) return;
    port.onMessage.removeListener(see);
    done(JSON.stringify(data));
  };
  port.onMessage.addListener(see);
  port.postMessage({ type: 'Refresh' });
})"""


class Extended:
    """The browser, and its panel as a page of its own."""

    def __init__(self, launched: Launched, panel: Channel) -> None:
        self.launched = launched
        self.panel = panel

    @classmethod
    async def start(
        cls,
        executable: str,
        extension: Path,
        *,
        headless: bool = True,
        window: tuple[int, int] = WINDOW,
        profile_dir: Path | None = None,
        flags: Sequence[str] = (),
    ) -> Self:
        launched = await launch(
            executable,
            headless=headless,
            window=window,
            profile_dir=profile_dir,
            flags=[f"--load-extension={extension}", *flags],
        )
        try:
            async with asyncio.timeout(PANEL_SECONDS):
                return cls(launched, await _open_panel(launched))
        except TimeoutError:
            await launched.end()
            raise BrowserMissing("The browser did not load the extension.") from None

    async def say(self, kind: str, **data: Any) -> None:
        message = msgspec.json.encode({"type": kind, "data": data}).decode()
        await self.run(f"({SAY})({message})")

    async def pair(self, code: str, hand: Hand = "debugger") -> None:
        """As a person does it: type the code, see that it is connected."""
        await self.use_hand(hand)
        await self.say("Pair", code=code)
        told = await self.until("(state) => state.connected || state.problem")
        if not told["connected"]:
            raise BrowserMissing(f"The extension could not be paired: {told['problem']}")

    async def use_hand(self, hand: Hand) -> None:
        """Choose how it works in a tab; where that way is not there, it stays with the other."""
        await self.say("Mode", hand=hand)
        await self.until(f"({{hand, hands}}) => hand === '{hand}' || !hands.includes('{hand}')")

    async def until(self, condition: str) -> dict[str, Any]:
        """The first state that the panel shows of which this is true."""
        async with asyncio.timeout(PANEL_SECONDS):
            told = await self.run(f"({UNTIL})({condition})")
        return msgspec.json.decode(told, type=dict[str, Any])

    async def run(self, expression: str) -> Any:
        """In the panel's page."""
        answer = await self.panel.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in answer:
            raise BrowserMissing(f"The panel failed: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    async def close(self) -> None:
        await self.launched.end()


async def _open_panel(launched: Launched) -> Channel:
    """The extension is known by its worker; loading goes on after the browser answers."""
    root = launched.connection.root
    found: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def see(event: dict[str, Any]) -> None:
        info = event["targetInfo"]
        ours = info["type"] == "service_worker" and info["url"].endswith("/background.js")
        if ours and info["url"].startswith("chrome-extension://") and not found.done():
            found.set_result(info["url"].rpartition("/")[0])

    root.on("Target.targetCreated", see)
    root.on("Target.targetInfoChanged", see)
    await root.call("Target.setDiscoverTargets", discover=True)
    made = await root.call("Target.createTarget", url="about:blank", background=True)
    session = await root.call("Target.attachToTarget", targetId=made["targetId"], flatten=True)
    panel = launched.connection.channel(session["sessionId"])
    loaded: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    await panel.call("Page.enable")
    panel.on("Page.loadEventFired", lambda _: None if loaded.done() else loaded.set_result(None))
    await panel.call("Page.navigate", url=f"{await found}/panel.html")
    await loaded
    return panel

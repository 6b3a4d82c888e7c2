"""Native dialogs of a tab: what only informs is answered, what asks is held, a storm is ended."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

from msgspec import Raw
from msgspec.structs import replace

from subterminator.engine.activity import Activity
from subterminator.engine.cdp import Channel, ProtocolError
from subterminator.engine.frames import Frames
from subterminator.errors import DialogOpen, LimitReached
from subterminator.types import DialogInfo

MAX_DIALOGS = 20
# A loop without calls cannot be stopped from outside. After so many more dialogs it is one.
HOPELESS = 60
STUCK_SECONDS = 1.0
LOST_SECONDS = 1.0


class Dialogs:
    """The dialogs of one tab.

    While one is open the page stands still: open calls fail at once instead of hanging.
    """

    def __init__(
        self, channel: Channel, frames: Frames, activity: Activity, give_up: Callable[[str], None]
    ) -> None:
        self.open: DialogInfo | None = None
        self._main = self._channel = channel
        self._frames, self._activity, self._give_up = frames, activity, give_up
        self._in_a_row = 0
        self._shut = asyncio.Event()

    def listen(self, channel: Channel) -> None:
        channel.on("Page.javascriptDialogOpening", lambda e: self._opening(channel, e))
        channel.on("Page.javascriptDialogClosed", lambda _: self._closed())

    def error(self) -> DialogOpen:
        kind = self.open.kind if self.open else "native"
        words = self.open.message if self.open else ""
        return DialogOpen(f"A {kind} dialog is open: {words[:200]!r}.")

    async def answer(self, accept: bool, text: str | None) -> DialogInfo:
        if self.open is None:
            raise DialogOpen("No dialog is open.", next_step="Look at the page.")
        answered = replace(self.open, answer="accepted" if accept else "dismissed")
        self._activity.dialogs.append(answered)
        # Without a text the browser gives an empty one, not the one that stands in the field.
        words = self.open.default if text is None else text
        self._closed()
        await self._channel.call("Page.handleJavaScriptDialog", accept=accept, promptText=words)
        return answered

    async def until_answered(self) -> None:
        """Whoever answers the dialog that is open; also when the tab is lost with it."""
        while self.open and not self._main.lost:
            self._shut.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOST_SECONDS):
                    await self._shut.wait()

    def _opening(self, channel: Channel, event: dict[str, Any]) -> None:
        kind, message = event["type"], event["message"][:2000]
        dialog = DialogInfo(kind, message, event.get("defaultPrompt", ""), url=event["url"])
        self._channel = channel
        if kind in {"alert", "beforeunload"}:
            self._answer_by_itself(channel, dialog)
            return
        self.open = dialog
        self._block(self.error())

    def _answer_by_itself(self, channel: Channel, dialog: DialogInfo) -> None:
        """An alert asks nothing, and leaving was decided already; both must only go away."""
        self._activity.dialog_count += 1
        self._in_a_row += 1
        if self._activity.dialog_count <= MAX_DIALOGS:
            self._activity.dialogs.append(replace(dialog, answer="accepted"))
        if self._activity.dialog_count == MAX_DIALOGS + 1:
            self._stop_script(channel)
        if self._in_a_row == 1:
            self._ask_whether_row_is_over(channel)
        if self._in_a_row == HOPELESS:
            self._give_up(f"its page opened {HOPELESS} dialogs in a loop")
        reply = channel.post("Page.handleJavaScriptDialog", accept=True)
        reply.add_done_callback(self._see_whether_it_went)

    def _see_whether_it_went(self, reply: asyncio.Future[Raw]) -> None:
        """While a new page comes, a dialog of the old one can be answered by nobody.

        If both live in one process, each waits for the other from then on.
        """
        if not reply.cancelled() and isinstance(reply.exception(), ProtocolError):
            loader = self._frames.main.loader
            asyncio.get_running_loop().call_later(STUCK_SECONDS, self._check_stuck, loader)

    def _check_stuck(self, loader: str) -> None:
        if self._frames.main.loader == loader:
            self._give_up("a dialog of its old page did not let the new one come")

    def _stop_script(self, channel: Channel) -> None:
        channel.post("Runtime.terminateExecution")
        storm = LimitReached(
            f"The page opened over {MAX_DIALOGS} dialogs in a row.", next_step="Leave this page."
        )
        for blocked in self._frames.channels():
            blocked.interrupt(storm)

    def _ask_whether_row_is_over(self, channel: Channel) -> None:
        """The page answers only between two pieces of its script: then the row is over."""
        worlds = [frame.world for frame in self._frames.in_order() if frame.channel is channel]
        context = next((world.context for world in worlds if world), 0)
        reply = channel.post("Runtime.evaluate", expression="0", contextId=context)
        reply.add_done_callback(lambda reply: self._hear(channel, reply))

    def _hear(self, channel: Channel, reply: asyncio.Future[Raw]) -> None:
        if not reply.cancelled() and isinstance(reply.exception(), LimitReached):
            self._ask_whether_row_is_over(channel)  # Our own interruption was the answer.
        else:
            self._in_a_row = 0

    def _closed(self) -> None:
        self.open = None
        self._shut.set()
        self._block(None)

    def _block(self, reason: DialogOpen | None) -> None:
        for channel in self._frames.channels():
            channel.blocked = reason
            if reason:
                channel.interrupt(reason)
        self._activity.halted = self._main.lost or reason
        self._activity.changed()

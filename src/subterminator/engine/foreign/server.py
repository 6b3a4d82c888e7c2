"""The server process and what it last told: page, dialog, tabs. Started anew once if it ends."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from subterminator.engine.foreign import facts, package
from subterminator.engine.foreign.facts import Inquiry, Known
from subterminator.engine.foreign.package import Wish
from subterminator.engine.foreign.reply import Reply, read
from subterminator.engine.foreign.wire import LOG, Wire
from subterminator.engine.profiles import TemporaryFolder
from subterminator.errors import ActionFailed, BrowserClosed, Timeout
from subterminator.machine import Machine
from subterminator.types import DialogInfo, PageInfo

LIST_SECONDS = 20.0
# It has limits of its own for every action; this only catches a server that hangs.
GRACE_SECONDS = 20.0
# Its own words for a tool that has not come back within its limit of 30 s.
HANGS = "browserBackend.callTool: Timeout"
LOOKING = frozenset({"browser_snapshot", "browser_tabs", "browser_wait_for", "browser_navigate"})
BLANK = PageInfo("about:blank", "")


class Server:
    """One server with one browser. `place` names its documents: another one after a new start."""

    def __init__(self, machine: Machine, wish: Wish) -> None:
        self._machine = machine
        self._wish = wish
        self._folder = TemporaryFolder.create("files")
        self._wire: Wire | None = None
        self._tools: frozenset[str] = frozenset()
        self._starts = 0
        self.page = BLANK
        self.dialog: DialogInfo | None = None
        self.note = ""
        """What a caller has to be told of the server itself; given once."""

    @property
    def files(self) -> str:
        """The only folder the server reads from and writes to."""
        return str(self._folder.path / str(self._starts - 1))

    @property
    def place(self) -> str:
        return f"s{self._starts}"

    @property
    def pid(self) -> int:
        return self._wire.pid if self._wire else 0

    async def start(self) -> None:
        command = package.program(self._machine)
        folder = self._folder.path / str(self._starts)
        folder.mkdir(mode=0o700)
        try:
            self._wire = await Wire.start(
                [*command, *package.options(self._wish, folder)],
                folder,
                package.environment(self._machine.environ),
            )
            listed = await self._wire.request("tools/list", {}, LIST_SECONDS)
        except (OSError, BrowserClosed, TimeoutError) as fault:
            said = _complaint(folder / LOG) or str(fault)
            raise package.absent(self._machine, said) from fault
        self._tools = frozenset(str(tool.get("name")) for tool in listed.get("tools", ()))
        self._starts += 1

    async def call(
        self, tool: str, arguments: Mapping[str, Any] | None = None, seconds: float = 30.0
    ) -> Reply:
        """One call of a tool. What the server says went wrong is in the reply."""
        wire = await self._alive(may_start=tool in LOOKING)
        params = {"name": tool, "arguments": dict(arguments or {})}
        try:
            result = await wire.request("tools/call", params, seconds + GRACE_SECONDS)
        except TimeoutError:
            limit = seconds + GRACE_SECONDS
            raise Timeout(
                f"The browser server did not answer within {limit:g} s.", silent=True
            ) from None
        except BrowserClosed as fault:
            raise self._ended() from fault
        reply = read(result)
        if HANGS in reply.failed:
            # It waits for a page that never answers, and so would every call after this one.
            await wire.end()
            raise self._ended()
        self.dialog = reply.dialog
        if reply.url:
            self.page = PageInfo(reply.url, reply.title)
        if reply.crashed:
            raise ActionFailed("The page has crashed.", next_step="Navigate to it again.")
        return reply

    async def ask(self, inquiry: Inquiry) -> Mapping[str, Known]:
        """What is known of some elements. Nothing where the server does not tell."""
        if not (inquiry.refs or inquiry.buttons) or facts.TOOL not in self._tools or self.dialog:
            return {}
        reply = await self.call(facts.TOOL, {"code": facts.code_for(inquiry)})
        return {} if reply.failed else facts.read(reply.result)

    def moved_to(self, url: str, title: str) -> None:
        """Where the tab in use is, as the list of tabs has it."""
        self.page = PageInfo(url, title)

    def report(self) -> str:
        told, self.note = self.note, ""
        return told

    async def end(self) -> None:
        if self._wire:
            await self._wire.end()
        self._folder.remove()

    async def _alive(self, *, may_start: bool) -> Wire:
        """The server, started anew once, and only to look: what was meant by an action is gone."""
        if self._wire and not self._wire.is_gone:
            return self._wire
        if self._wire is None or self._starts > 1 or not may_start:
            raise self._ended()
        await self._wire.end()
        lost, self.page, self.dialog = self.page, BLANK, None
        await self.start()
        self.note = "the browser server had ended and was started anew, with the same page"
        if lost.url.startswith(("http:", "https:")):
            # A look, not a repetition: the address is asked for again, nothing is sent.
            await self.call("browser_navigate", {"url": lost.url})
        return self._wire

    def _ended(self) -> BrowserClosed:
        again = self._starts < 2
        step = "Look at the page: it is started anew, once." if again else "Open a new session."
        return BrowserClosed("The browser server has ended.", next_step=step)


def _complaint(log: Path) -> str:
    """The line of its log that names an error, else the first one."""
    with contextlib.suppress(OSError):
        text = log.read_text(encoding="utf-8", errors="replace")
        lines = [line.strip()[:300] for line in text.splitlines() if line.strip()]
        return next((line for line in lines if "rror" in line), lines[0] if lines else "")
    return ""

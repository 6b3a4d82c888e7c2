"""MCP over the pipes of a process of ours: requests out, answers in, one JSON object a line.

It knows no tools. A server that is gone is noticed at once, and every open call ends with it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from subterminator.errors import ActionFailed, BrowserClosed

PROTOCOL = "2025-06-18"
HELLO = {
    "protocolVersion": PROTOCOL,
    "capabilities": {},
    "clientInfo": {"name": "subterminator", "version": "1"},
}
LARGEST = 256 << 20
START_SECONDS = 60.0
END_SECONDS = 5.0
LOG = "server.log"
GONE = "The browser server has ended."


class Wire:
    """One running server. Use `start`; `end` may be called at any time, and twice."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._last = 0
        self._open: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._gone = False
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, command: Sequence[str], folder: Path, environ: Mapping[str, str]) -> Wire:
        """Start it in a folder of its own and shake hands."""
        with (folder / LOG).open("wb") as errors:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                cwd=folder,
                env=dict(environ),
                limit=LARGEST,
                # Ctrl-C is for us; it ends when its pipe does.
                start_new_session=True,
            )
        wire = cls(process)
        async with contextlib.AsyncExitStack() as undo:
            undo.push_async_callback(wire.end)
            await wire.request("initialize", HELLO, START_SECONDS)
            await wire._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
            undo.pop_all()
        return wire

    @property
    def is_gone(self) -> bool:
        return self._gone

    @property
    def pid(self) -> int:
        return self._process.pid

    async def request(
        self, method: str, params: Mapping[str, Any], seconds: float
    ) -> dict[str, Any]:
        """The result of one request. What is late is answered to nobody."""
        if self._gone:
            raise BrowserClosed(GONE)
        self._last += 1
        number = self._last
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._open[number] = answer
        try:
            await self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
            async with asyncio.timeout(seconds):
                return await answer
        finally:
            self._open.pop(number, None)

    async def end(self) -> None:
        """Close its pipe, which ends it and its browser; make it end if it does not."""
        if self._process.stdin:
            self._process.stdin.close()
        try:
            async with asyncio.timeout(END_SECONDS):
                await self._process.wait()
        except TimeoutError:
            self._signal(signal.SIGTERM)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(END_SECONDS):
                    await self._process.wait()
        # What is left of its browser is in the same group.
        self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        await self._process.wait()
        await self._reading

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, number)
            elif self._process.returncode is None:
                self._process.send_signal(number)

    async def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin
        try:
            self._process.stdin.write(msgspec.json.encode(message) + b"\n")
            await self._process.stdin.drain()
        except (ConnectionError, RuntimeError) as fault:
            raise BrowserClosed(GONE) from fault

    async def _read(self) -> None:
        assert self._process.stdout
        try:
            while line := await self._process.stdout.readline():
                await self._take(line)
        except (ValueError, ConnectionError, BrowserClosed):
            pass  # A line without end, or a pipe that broke: nobody is there to talk to.
        finally:
            self._gone = True
            for answer in self._open.values():
                if not answer.done():
                    answer.set_exception(BrowserClosed(GONE))

    async def _take(self, line: bytes) -> None:
        try:
            message = msgspec.json.decode(line, type=dict[str, Any])
        except msgspec.DecodeError:
            return  # Something it printed, and no message.
        if "method" in message:
            await self._answer(message)
            return
        answer = self._open.get(message.get("id", 0))
        if answer is None or answer.done():
            return
        if "error" in message:
            said = str(message["error"].get("message", ""))[:300]
            answer.set_exception(ActionFailed(f"The browser server refuses: {said}"))
        else:
            answer.set_result(message.get("result") or {})

    async def _answer(self, message: dict[str, Any]) -> None:
        """A ping is answered; nothing else that a server may ask for is there."""
        if "id" not in message:
            return
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        if message["method"] == "ping":
            reply["result"] = {}
        else:
            reply["error"] = {"code": -32601, "message": "Not offered."}
        await self._send(reply)

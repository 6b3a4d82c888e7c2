"""One socket to a protocol server: requests out, answers and notices in. Connects once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import msgspec

from subterminator.client.replies import Fault, error_of
from subterminator.errors import ConnectionLost, SubTerminatorError

CONNECT_SECONDS = 10.0
Hear = Callable[[str, dict[str, Any]], None]


class Connection:
    """Made by `open`; of no use any more when `lost` is done."""

    def __init__(self, socket: Any, hear: Hear) -> None:
        self._socket = socket
        self._hear = hear
        self._last_id = 0
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self.lost: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._reader = asyncio.create_task(self._read_all())

    @classmethod
    async def open(cls, address: str, token: str, hear: Hear) -> Connection:
        from websockets.asyncio.client import connect
        from websockets.exceptions import InvalidStatus, WebSocketException

        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                socket = await connect(
                    address,
                    additional_headers={"Authorization": f"Bearer {token}"},
                    max_size=None,
                    compression=None,
                    proxy=None,
                    user_agent_header=None,
                )
        except InvalidStatus as fault:
            status = fault.response.status_code
            words = fault.response.body.decode("utf-8", "replace").strip()[:200]
            raise _refused(status, words) from fault
        except (OSError, TimeoutError, WebSocketException) as fault:
            raise ConnectionLost(
                f"No server answers at {address}: {fault}.",
                next_step="Start one with `subterminator serve`.",
            ) from fault
        return cls(socket, hear)

    async def request(self, method: str, params: dict[str, Any], seconds: float) -> Any:
        """The result; raises the error that the server answers with."""
        self._last_id += 1
        id = self._last_id
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[id] = answer
        message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
        try:
            await self._send(msgspec.json.encode(message).decode())
            async with asyncio.timeout(seconds):
                return await answer
        except TimeoutError:
            fault = ConnectionLost(f"The server did not answer {method} within {seconds:g} s.")
            fault.delivered = True
            raise fault from None
        finally:
            self._waiting.pop(id, None)

    async def close(self) -> None:
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)
        await self._socket.close()
        self._lose("it was closed")

    async def _send(self, text: str) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            await self._socket.send(text)
        except ConnectionClosed as fault:
            self._lose(str(fault))
            raise ConnectionLost("The connection is lost.") from fault

    async def _read_all(self) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            while True:
                self._take(await self._socket.recv())
        except ConnectionClosed as fault:
            self._lose(str(fault))

    def _take(self, text: str | bytes) -> None:
        message = json.loads(text)
        if "method" in message:
            self._hear(message["method"], message.get("params", {}))
            return
        answer = self._waiting.get(message.get("id"))
        if answer is None or answer.done():
            return
        if "error" in message:
            answer.set_exception(_error(message["error"]))
        else:
            answer.set_result(message.get("result"))

    def _lose(self, reason: str) -> None:
        if not self.lost.done():
            self.lost.set_result(reason)
        for answer in self._waiting.values():
            if not answer.done():
                fault = ConnectionLost(f"The connection is lost: {reason[:200]}.")
                fault.delivered = True
                answer.set_exception(fault)


def _refused(status: int, words: str) -> SubTerminatorError:
    fault = Fault("refused", f"The server refused the connection ({status}): {words}")
    error = error_of(fault)
    error.advice = "Check the token and its file, or wait where there were too many tries."
    return error


def _error(error: dict[str, Any]) -> SubTerminatorError:
    data = error.get("data", {})
    details = dict(data.get("details", {}))
    code, delivered = details.pop("error", ""), bool(details.pop("delivered", False))
    fault = Fault(code, error["message"], data.get("recoveryHint", ""), delivered)
    told = error_of(fault, rpc=error["code"], **{k: v for k, v in details.items() if k != "rpc"})
    if "retryAfterMs" in data:
        told.details["retry_after_ms"] = data["retryAfterMs"]
    return told

"""Many clients at once, each with a page of its own: what each writes, only that one reads."""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from msgspec import Struct
from websockets.asyncio.client import connect

from tests.site import Site

PAGE = "<label>Word <input id=w></label><button onclick='title = w.value'>Keep</button><p>Page {n}"


class Load(Struct):
    """What came of it; times in milliseconds."""

    calls: int = 0
    looks: list[float] = []

    @property
    def p95(self) -> float:
        return statistics.quantiles(self.looks, n=20)[-1] if len(self.looks) > 1 else 0.0


class Visitor:
    """One client. It fails at the first error, and at the first word that is not its own."""

    def __init__(self, address: str, token: str, site: Site, number: int) -> None:
        self._address, self._token, self._number = address, token, number
        self._chance = random.Random(number)
        self._url = f"{site.address}/load/{number}"
        site.pages[f"/load/{number}"] = f"<title>{number}</title>" + PAGE.format(n=number)
        self._id = 0
        self.calls = 0
        self.looks: list[float] = []

    async def visit(self, goes_on: Callable[[], bool], ready: asyncio.Barrier) -> None:
        own = {"Authorization": f"Bearer {self._token}"}
        async with connect(
            self._address, additional_headers=own, compression=None, proxy=None, max_size=None,
            open_timeout=60, ping_interval=None,
        ) as self._socket:  # fmt: skip
            await self._ask("initialize")
            await self._ask("browser/launch")
            await self._ask("page/create", url=self._url)
            await ready.wait()
            round = 0
            while goes_on():
                round += 1
                await self._round(f"{self._number}-{round}")
            await ready.wait()

    async def _round(self, word: str) -> None:
        field = {"type": "css", "value": "#w"}
        if self._chance.random() < 0.5:
            steps = [
                {"action": "action/fill", "params": {"selector": field, "value": word}},
                {
                    "action": "action/click",
                    "params": {"selector": {"type": "css", "value": "button"}},
                },
            ]
            done = await self._ask("agent/act", steps=steps)
            assert done["success"], done
        else:
            await self._ask("action/fill", selector=field, value=word)
        begun = time.perf_counter()
        seen = await self._ask("agent/observe", includeInteractiveElements=True)
        self.looks.append((time.perf_counter() - begun) * 1000)
        assert seen["metadata"]["url"] == self._url
        assert seen["interactiveElements"][0]["value"] == word

    async def _ask(self, method: str, **params: Any) -> Any:
        self._id += 1
        self.calls += 1
        message = {"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}
        await self._socket.send(json.dumps(message))
        answer = json.loads(await self._socket.recv())
        assert answer["id"] == self._id and "error" not in answer, answer
        return answer.get("result")


async def crowd(address: str, token: str, site: Site, count: int, goes_on: Any) -> Load:
    """All at once, until `goes_on()` is no longer true."""
    visitors = [Visitor(address, token, site, number) for number in range(count)]
    ready = asyncio.Barrier(count)
    async with asyncio.TaskGroup() as group:
        for visitor in visitors:
            group.create_task(visitor.visit(goes_on, ready))
    looks = [look for visitor in visitors for look in visitor.looks]
    return Load(sum(visitor.calls for visitor in visitors), looks)

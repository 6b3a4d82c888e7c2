"""The protocol server for a long time: many clients, and messages that are almost right."""

from __future__ import annotations

import asyncio
import gc
import os
import random
import re
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.doors.server.fuzzing import besiege
from tests.doors.server.load import crowd
from tests.doors.server.running import QUICK, running, wire
from tests.doors.test_serve import served
from tests.site import Site

CLIENTS = int(os.environ.get("SOAK_CLIENTS", "50"))
LOAD_SECONDS = float(os.environ.get("SOAK_LOAD_SECONDS", "120"))
MESSAGES = int(os.environ.get("SOAK_MESSAGES", "100000"))
MOST_MB_A_CLIENT = 1.5

pytestmark = pytest.mark.soak


def memory_of(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found
    return int(found[1]) / 1024


async def test_fifty_clients_for_two_minutes(tmp_path: Path, site: Site) -> None:
    state = tmp_path / "state"
    async with served(state) as server:
        token = (state / "server" / "token").read_text(encoding="ascii").strip()
        # The first one pays for the browser, the rules and the code.
        await crowd(server.address, token, site, 1, lambda: False)
        before = memory_of(server.process.pid)
        idle = asyncio.Event()
        measured: list[float] = []
        end = 0.0

        def goes_on() -> bool:
            nonlocal end
            if not idle.is_set():
                # All are there and none has done anything yet.
                idle.set()
                measured.append((memory_of(server.process.pid) - before) / CLIENTS)
                end = time.monotonic() + LOAD_SECONDS
            return time.monotonic() < end

        load = await crowd(server.address, token, site, CLIENTS, goes_on)
    print(
        f"{CLIENTS} clients, {LOAD_SECONDS:g} s: {load.calls} calls without an error, "
        f"p95 of agent/observe {load.p95:.0f} ms, {measured[0]:.2f} MB a client when idle"
    )
    assert measured[0] <= MOST_MB_A_CLIENT


async def test_p22_a_hundred_thousand_mutated_messages(tmp_path: Path, site: Site) -> None:
    tmp_path.chmod(0o700)
    page = site.page("<button>Go on</button><input id=x>")
    async with running(tmp_path, QUICK, patience_ms=30) as server, wire(server) as other:
        await other.get("initialize")
        chance, left, sizes = random.Random(22), MESSAGES, []
        while left > 0:
            count = min(1_000, left)
            left -= count
            async with wire(server) as line:
                place = await line.begin(page)
                await besiege(line, place, chance, count)
                line.socket.transport.abort()
            assert await other.get("page/list") == {"pages": [], "activePage": ""}
            gc.collect()
            sizes.append((memory_of(os.getpid()), len(asyncio.all_tasks())))
        async with asyncio.timeout(60):
            while (await server.service.browsers.for_all()).count:
                await other.get("page/list")
        tasks = Counter(task.get_coro().__qualname__ for task in asyncio.all_tasks())  # type: ignore[union-attr]
        print(f"{MESSAGES} messages, memory {sizes[0][0]:.0f} to {sizes[-1][0]:.0f} MB, {tasks}")
        assert not server.service.mishaps
        assert sizes[-1][0] - sizes[len(sizes) // 2][0] < 60
        assert len(asyncio.all_tasks()) < 60

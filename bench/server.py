"""The protocol server: a round trip that does nothing, and a form filled in one call or in many.

The server runs as a user starts it, in a process of its own. Where the peers of the benchmark are
installed (BENCH_HOME), Playwright MCP fills the same form; otherwise that line says so.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from subterminator.config import load
from subterminator.engine.browsers import locate, sandbox_flags
from subterminator.gym.site import serve
from subterminator.machine import this_machine

TRIPS, ROUNDS, PEER_ROUNDS = 2_000, 40, 15
TRIP_MS, OF_SINGLES, OF_PEER = 1.0, 0.6, 0.2
PAGE = (
    "<!doctype html><title>Form</title><form onsubmit='event.preventDefault(); n.value++'>"
    + "".join(f"<label>{name} <input></label>" for name in ("First", "Second", "Third"))
    + "<button>Save draft</button></form><p>Saved <output id=n>0</output> times</p>"
)
FIELDS = ("First", "Second", "Third")
OBSERVE = {"includeInteractiveElements": True}
PEER = "node_modules/@playwright/mcp/cli.js"


class Line:
    """A client that waits for each answer."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._id = 0

    async def ask(self, method: str, **params: Any) -> Any:
        self._id += 1
        message = {"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}
        await self._socket.send(json.dumps(message))
        while True:
            answer = json.loads(await self._socket.recv())
            if answer.get("id") == self._id:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer.get("result")


@asynccontextmanager
async def server(state: Path) -> AsyncIterator[tuple[Line, int]]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "subterminator", "serve", "--port", "0", "--rate", "100000",
        env={**os.environ, "SUBTERMINATOR_STATE_DIR": str(state)}, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout
    first = (await process.stdout.readline()).decode()
    address = next(word for word in first.split() if word.startswith("ws://")).rstrip(",")
    token = (state / "server" / "token").read_text(encoding="ascii").strip()
    try:
        async with connect(
            address, additional_headers={"Authorization": f"Bearer {token}"}, compression=None,
            max_size=None, proxy=None,
        ) as socket:  # fmt: skip
            line = Line(socket)
            await line.ask("initialize")
            yield line, process.pid
    finally:
        process.terminate()
        await process.wait()


def step(action: str, selector: dict[str, str], **more: str) -> dict[str, Any]:
    return {"action": action, "params": {"selector": selector, **more}}


BUTTON = {"type": "role", "role": "button", "name": "Save draft"}


async def in_one_call(line: Line, words: str) -> None:
    steps = [step("action/fill", {"type": "label", "value": f}, value=words) for f in FIELDS]
    done = await line.ask(
        "agent/act", steps=[*steps, step("action/click", BUTTON)], postObserve=OBSERVE
    )
    assert done["success"], done


async def one_by_one(line: Line, words: str) -> None:
    for field in FIELDS:
        await line.ask("action/fill", selector={"type": "label", "value": field}, value=words)
        await line.ask("agent/observe", **OBSERVE)
    await line.ask("action/click", selector=BUTTON)
    await line.ask("agent/observe", **OBSERVE)


async def timed(work: Callable[[], Awaitable[None]]) -> float:
    begun = time.perf_counter()
    await work()
    return (time.perf_counter() - begun) * 1000


class Peer:
    """Playwright MCP on its pipes, as a model's host would drive it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process, self._id = process, 0

    async def ask(self, method: str, params: dict[str, Any]) -> Any:
        assert self._process.stdin and self._process.stdout
        self._id += 1
        message = {"jsonrpc": "2.0", "id": self._id, "method": method, "params": params}
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        while True:
            answer = json.loads(await self._process.stdout.readline())
            if answer.get("id") == self._id:
                return answer["result"]

    async def tool(self, name: str, **arguments: str) -> str:
        result = await self.ask("tools/call", {"name": name, "arguments": arguments})
        text = "\n".join(part.get("text", "") for part in result["content"])
        if result.get("isError"):
            raise RuntimeError(text[:300])
        return text

    async def fill(self, words: str) -> None:
        seen = await self.tool("browser_snapshot")
        for field in FIELDS:
            await self.tool(
                "browser_type", element="x", target=ref(seen, "textbox", field), text=words
            )
        await self.tool("browser_click", element="x", target=ref(seen, "button", "Save draft"))
        await self.tool("browser_snapshot")


def ref(seen: str, role: str, name: str) -> str:
    found = re.search(rf'- {role} "{name}"[^\n]*?ref=(\w+)\]', seen)
    if found is None:
        raise RuntimeError(f"{role} {name!r} is not in the peer's snapshot")
    return found[1]


@asynccontextmanager
async def peer(folder: Path) -> AsyncIterator[Peer | None]:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    home = Path(os.environ.get("BENCH_HOME") or cache / "subterminator-bench")
    if not (home / PEER).exists():
        yield None
        return
    machine = this_machine()
    flags = [*sandbox_flags(machine)]
    launch = {
        "executablePath": locate(machine, load(machine).browser).path,
        "headless": True,
        "chromiumSandbox": "--no-sandbox" not in flags,
        "args": flags,
    }
    config = folder / "peer.json"
    browser = {"browserName": "chromium", "isolated": True, "launchOptions": launch}
    config.write_text(json.dumps({"browser": browser}), encoding="utf-8")
    process = await asyncio.create_subprocess_exec(
        "node", str(home / PEER), "--config", str(config), "--output-dir", str(folder / "out"),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL, limit=1 << 24,
    )  # fmt: skip
    try:
        talk = Peer(process)
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
        await talk.ask("initialize", {**hello, "clientInfo": {"name": "bench", "version": "1"}})
        yield talk
    finally:
        process.terminate()
        await process.wait()


def cpu_of(pid: int) -> float:
    """Seconds of user and system time of one process; its browser is not in it."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def verdict(value: float, most: float) -> str:
    return f"(at most {most:g}): {'met' if value <= most else 'MISSED'}"


async def measure_trips(line: Line, pid: int) -> None:
    for _ in range(50):
        await line.ask("page/list")
    before, begun = cpu_of(pid), time.perf_counter()
    trips = [await timed(lambda: line.ask("page/list")) for _ in range(TRIPS)]
    took = time.perf_counter() - begun
    p50, p95 = statistics.median(trips), statistics.quantiles(trips, n=20)[-1]
    print(f"\nround trip of a no-op: {p50:.2f} ms p50 {verdict(p50, TRIP_MS)}   [p95 {p95:.2f} ms]")
    cpu = (cpu_of(pid) - before) / TRIPS * 1000
    print(f"no-ops one after the other: {TRIPS / took:,.0f} a second, {cpu:.2f} ms server CPU each")


async def measure_forms(line: Line, other: Peer | None, address: str) -> None:
    await line.ask("browser/launch")
    await line.ask("page/create", url=address)
    if other:
        await other.tool("browser_navigate", url=address)
    one: list[float] = []
    many: list[float] = []
    peers: list[float] = []
    for number in range(ROUNDS):
        one.append(await timed(lambda: in_one_call(line, f"a{number}")))  # noqa: B023
        many.append(await timed(lambda: one_by_one(line, f"b{number}")))  # noqa: B023
        if other and number < PEER_ROUNDS:
            peers.append(await timed(lambda: other.fill(f"c{number}")))  # noqa: B023
    in_one, by_one = statistics.median(one), statistics.median(many)
    print(
        f"three fields and a click in one call: {in_one:.0f} ms; in four, each with a look: "
        f"{by_one:.0f} ms; {in_one / by_one:.2f} x {verdict(in_one / by_one, OF_SINGLES)}"
    )
    if not peers:
        print(
            "Playwright MCP: not measured, it is not installed (run `make bench` with its harness)"
        )
        return
    others = statistics.median(peers)
    print(
        f"the same with Playwright MCP: {others:.0f} ms; {in_one / others:.2f} x "
        f"{verdict(in_one / others, OF_PEER)}"
    )


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        state = Path(folder) / "state"
        async with serve({"/": PAGE}) as address, server(state) as (line, pid):
            await measure_trips(line, pid)
            async with peer(Path(folder)) as other:
                await measure_forms(line, other, address)


if __name__ == "__main__":
    asyncio.run(main())

"""Our engine behind the benchmark's line protocol: JSON lines on stdin, answers on stdout."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

import subterminator
from subterminator.types import Flag


class Adapter:
    """One session; elements are found by role and name in the last snapshot, as an agent would."""

    def __init__(self, session: subterminator.Session) -> None:
        self._session = session

    async def perform(self, request: dict[str, Any]) -> dict[str, Any]:
        match request:
            case {"op": "open", "url": url}:
                await self._session.navigate(url)
                return {"ok": True}
            case {"op": "snapshot"}:
                snapshot = await self._session.snapshot()
                return {"text": snapshot.text(budget=None)}
            case {"op": "click_snapshot", "role": role, "name": name}:
                result = await self._session.click(self._ref(role, name))
                return {"text": result.text()}
            case {"op": "type", "role": role, "name": name, "text": text}:
                await self._session.fill(self._ref(role, name), text)
                return {"ok": True}
            case _:
                return {"error": f"unknown request: {request}"}

    def _ref(self, role: str, name: str) -> str:
        seen = self._session.last_snapshot
        for element in seen.elements if seen else ():
            if element.flags & Flag.INTERACTIVE and (element.role, element.name) == (role, name):
                return element.ref
        raise LookupError(f"{role} {name!r} is not in the snapshot")


async def main() -> None:
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    # Stdout belongs to the protocol: stray prints go to stderr.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    flags = [flag for flag in os.environ["BENCH_CHROMIUM_FLAGS"].split("\n") if flag]
    browser = os.environ["BENCH_CHROMIUM"]
    loop = asyncio.get_running_loop()
    async with subterminator.open(
        human=subterminator.nobody, browser=browser, flags=flags
    ) as session:
        adapter = Adapter(session)
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            request = json.loads(line)
            if request["op"] == "close":
                break
            try:
                answer = await adapter.perform(request)
            except (subterminator.SubTerminatorError, LookupError) as fault:
                answer = {"error": f"{type(fault).__name__}: {fault}"[:500]}
            print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    asyncio.run(main())

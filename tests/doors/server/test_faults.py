"""What ends in the middle of a sequence: the client, the browser, the server. Nothing runs twice."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from subterminator.client import ConnectionLost
from subterminator.client.remote import Choices, Remote
from tests.doors.server.running import Running, Wire, running, wire
from tests.site import Answer, Request, Site

PAGE = "".join(
    f"<button id=b{n} onclick=\"fetch('/pressed/{n}')\">Button {n}</button>" for n in range(4)
)


class Pace:
    """The site answers the second press only when it is told to."""

    def __init__(self, site: Site) -> None:
        self.reached = asyncio.Event()
        self.go_on = asyncio.Event()
        for number in range(4):
            site.pages[f"/pressed/{number}"] = self._answer

    async def _answer(self, request: Request) -> Answer:
        if request.path.endswith("/1"):
            self.reached.set()
            async with asyncio.timeout(30):
                await self.go_on.wait()
        return Answer("ok")


def presses(site: Site) -> list[int]:
    return [site.hits[f"/pressed/{number}"] for number in range(4)]


def steps() -> list[dict[str, object]]:
    return [
        {"action": "action/click", "params": {"selector": {"type": "css", "value": f"#b{n}"}}}
        for n in range(4)
    ]


async def begin(line: Wire, site: Site, session: str) -> None:
    await line.get("initialize", sessionId=session)
    await line.get("browser/launch")
    await line.get("page/create", url=site.page(PAGE))


async def test_a_client_that_is_killed_finds_its_sequence_done_once(
    server: Running, site: Site
) -> None:
    pace = Pace(site)
    async with wire(server) as line:
        await begin(line, site, "killed")
        acting = asyncio.create_task(line.ask("agent/act", steps=steps()))
        await pace.reached.wait()
        acting.cancel()
        line.socket.transport.abort()
    pace.go_on.set()
    async with wire(server) as line:
        assert (await line.get("initialize", sessionId="killed"))["resumed"]
        # The next call waits for its turn, and tells the page as it is after all of it.
        await line.get("agent/observe")
        assert presses(site) == [1, 1, 1, 1]
        await line.get("shutdown")


async def test_a_client_without_a_session_takes_its_sequence_with_it(
    server: Running, site: Site
) -> None:
    pace = Pace(site)
    rooms = await server.service.browsers.for_all()
    before = rooms.count
    async with wire(server) as line:
        await line.begin(site.page(PAGE))
        acting = asyncio.create_task(line.ask("agent/act", steps=steps()))
        await pace.reached.wait()
        acting.cancel()
        line.socket.transport.abort()
    async with wire(server) as other:
        await other.get("initialize")
        async with asyncio.timeout(20):
            while rooms.count > before:
                await other.get("page/list")
    pace.go_on.set()
    assert presses(site) == [1, 1, 0, 0]


async def test_a_browser_that_is_killed_is_told_and_another_is_had_for_the_asking(
    tmp_path: Path, site: Site
) -> None:
    tmp_path.chmod(0o700)
    pace = Pace(site)
    async with running(tmp_path) as server, wire(server) as line:
        await begin(line, site, "browser")
        acting = asyncio.create_task(line.ask("agent/act", steps=steps()))
        await pace.reached.wait()
        os.kill((await server.service.browsers.for_all()).pid, signal.SIGKILL)
        done = (await acting)["result"]
        assert not done["success"] and done["results"][-1]["error"]["code"] == -32017
        assert (await line.fail("agent/observe"))["code"] == -32017
        pace.go_on.set()
        assert presses(site)[:2] == [1, 1] and presses(site)[3] == 0
        await line.get("browser/launch")
        await line.get("page/create", url=site.page("<p>Here"))
        assert "Here" in (await line.get("observe/content"))["content"]


async def test_a_server_that_is_restarted_knows_nothing_and_says_so(
    tmp_path: Path, site: Site
) -> None:
    tmp_path.chmod(0o700)
    pace = Pace(site)
    async with running(tmp_path) as first:
        remote = Remote(first.address.websocket, first.token, Choices(tries=8))
        await remote.navigate(site.page(PAGE))
        acting = asyncio.create_task(remote.click("css:#b1"))
        await pace.reached.wait()
    pace.go_on.set()
    async with running(tmp_path, again=first):
        with pytest.raises(ConnectionLost, match="no longer has this session") as lost:
            await acting
        assert lost.value.delivered
        assert presses(site)[1] == 1
        # The next call has a page of its own, and is what it says.
        assert (await remote.navigate(site.page(PAGE))).page.url == f"{site.address}/"
        assert presses(site)[1] == 1
        await remote.close()

"""A desk with a real browser, and hosts that talk to it in the same process."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.client.session import ElicitationFnT
from msgspec import Struct

from subterminator.config import Settings, load
from subterminator.doors.mcp.catalogue import Profile
from subterminator.doors.mcp.command import browsing
from subterminator.doors.mcp.desk import Desk
from subterminator.doors.mcp.server import ApproveBy, Door
from subterminator.hub import Hub
from subterminator.inbox import Asker, Waiting
from subterminator.machine import this_machine
from subterminator.peers import only_people

LONG_MS = 90_000
# One of each generation of the protocol.
GENERATIONS = ("legacy", "2026-07-28")


class Office(Struct):
    """Where hosts are received. `answer` is what the person types elsewhere."""

    hub: Hub
    desk: Desk

    def waiting(self) -> list[Waiting]:
        return list(self.hub.inbox.waiting())

    def answer(self, words: str) -> None:
        [waiting] = self.hub.inbox.waiting()
        question = waiting.question
        self.hub.inbox.answer(question.id, question.digest, words, by="a test")

    @asynccontextmanager
    async def host(
        self,
        mode: str = "auto",
        *,
        profile: Profile = "default",
        approve_by: ApproveBy = "terminal",
        patience: float = 60,
        elicited: ElicitationFnT | None = None,
    ) -> AsyncIterator[Host]:
        door = Door(lambda _: self.desk, profile, approve_by, patience)
        async with Client(door.server(), mode=mode, elicitation_callback=elicited) as client:
            yield Host(client)


class Host:
    """A client that reads replies as a model does."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, name: str, **arguments: Any) -> types.CallToolResult:
        return await self.client.call_tool(name, arguments)

    async def do(self, name: str, **arguments: Any) -> str:
        """The words of a call that must succeed."""
        result = await self.call(name, **arguments)
        assert not result.is_error, words(result)
        return words(result)

    async def fail(self, name: str, **arguments: Any) -> str:
        result = await self.call(name, **arguments)
        assert result.is_error, words(result)
        return words(result)


def words(result: types.CallToolResult) -> str:
    [first, *_] = result.content
    assert isinstance(first, types.TextContent)
    return first.text


def ref_of(page: str, name: str) -> str:
    """The ref of what is called so; several of a kind may stand on one line."""
    found = re.search(rf'(@e\d+)(?: \w+)? "{name}"', page)
    assert found, page
    return found[1]


@pytest.fixture(scope="session")
def mcp_settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder = tmp_path_factory.mktemp("m")
    folder.chmod(0o700)
    given = {
        "state_dir": str(folder / "state"),
        "output_dir": str(folder / "proofs"),
        "sites": ["127.0.0.1", "localhost"],
        # So long that whoever waits for an element that is gone is found out.
        "action_timeout_ms": LONG_MS,
        "confirm_timeout_ms": LONG_MS,
        "headless": True,
    }
    return load(this_machine(), given)


@pytest.fixture(scope="session")
async def _office(mcp_settings: Settings) -> AsyncIterator[Office]:
    async with Hub(check=only_people(this_machine())) as hub:
        await hub.listen(mcp_settings.state_dir)
        desk = Desk(
            lambda human: browsing(hub, mcp_settings, human),
            lambda asks: hub.human(Asker("a host"), asks),
            mcp_settings,
        )
        try:
            yield Office(hub, desk)
        finally:
            await desk.close()


@pytest.fixture
async def office(_office: Office) -> AsyncIterator[Office]:
    yield _office
    desk = _office.desk
    for job in list(desk.jobs()):
        await job.stop()
    desk.pending = None
    desk.cancellations.clear()
    if (session := desk.workplace.current) and session.open_dialog:
        await session.dialog(accept=False)

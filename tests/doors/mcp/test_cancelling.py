"""A host cancels a subscription by asking for it; the gym is the service."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest

from subterminator.gym.server import Addresses, gym
from tests.doors.mcp.conftest import GENERATIONS, Host, Office, words
from tests.gym.visitor import Visitor

FLOW = "p01-plain"
DOCUMENT = Path(__file__).parents[3] / "docs" / "mcp.md"
BEGIN, END = "<!-- transcript -->\n```text\n", "```\n<!-- /transcript -->"


@pytest.fixture(scope="module")
async def addresses() -> AsyncIterator[Addresses]:
    async with gym() as addresses:
        yield addresses


@pytest.fixture
def visitor(addresses: Addresses, request: pytest.FixtureRequest) -> Visitor:
    sid = re.sub(r"\W+", "", request.node.name)[-30:]
    return Visitor(addresses.site, FLOW, sid)


def wish(visitor: Visitor) -> dict[str, Any]:
    """A name of its own: what was pressed for one service counts for its month."""
    url = f"{visitor.site}/{visitor.flow}/account?sid={visitor.sid}"
    return {"service": visitor.sid, "url": url}


async def is_active(visitor: Visitor) -> bool:
    """What the service itself knows."""
    return bool((await visitor.state())["account_state"] == "active")


async def until(host: Host, state: str) -> dict[str, Any]:
    """Look in until it is so far."""
    async with asyncio.timeout(120):
        while True:
            told: dict[str, Any] = (await host.call("cancel_status", wait_s=30)).structured_content
            if told["state"] == state:
                return told
            assert told["state"] in ("running", "waiting for a person"), told


@pytest.mark.parametrize("mode", GENERATIONS)
async def test_the_person_approves_in_a_terminal_and_the_host_is_told_the_proven_end(
    office: Office, visitor: Visitor, mode: str
) -> None:
    heard: list[str] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(message or "")

    async with office.host(mode, patience=60) as host:
        began = host.client.call_tool("cancel_subscription", wish(visitor), progress_callback=hear)
        call = asyncio.ensure_future(began)
        async with asyncio.timeout(120):
            while not office.waiting():
                await asyncio.sleep(0.1)
        assert await is_active(visitor)
        assert "not over yet" in await host.fail("cancel_subscription", **wish(visitor))
        office.answer("yes")
        told = (await call).structured_content
        assert told["outcome"] == "cancelled" and told["success"] and told["verified"], told
        assert not await is_active(visitor)
        names = [resource.uri for resource in (await host.client.list_resources()).resources]
        proof = next(name for name in names if name.startswith("subterminator://proof/"))
        [content] = (await host.client.read_resource(proof)).contents
        assert isinstance(content, types.TextResourceContents)
        assert json.loads(content.text)["outcome"] == "cancelled"
    assert any("Waiting for a person" in line for line in heard)
    assert len(heard) > 3


async def test_a_no_leaves_everything_as_it_was(office: Office, visitor: Visitor) -> None:
    async with office.host(patience=1) as host:
        first = (await host.call("cancel_subscription", **wish(visitor))).structured_content
        assert first["state"] in ("running", "waiting for a person")
        waiting = await until(host, "waiting for a person")
        assert "subterminator approve" in waiting["next_step"]
        office.answer("no")
        assert (await until(host, "done"))["outcome"] == "stopped"
    assert await is_active(visitor)


async def test_a_dry_run_ends_at_the_last_step_and_asks_nobody(
    office: Office, visitor: Visitor
) -> None:
    async with office.host() as host:
        result = await host.call("cancel_subscription", **wish(visitor), dry_run=True)
        assert result.structured_content["outcome"] == "stopped", words(result)
    assert await is_active(visitor)


async def test_it_can_be_stopped_and_says_what_is_wrong_with_a_wish(
    office: Office, visitor: Visitor
) -> None:
    async with office.host(patience=1) as host:
        assert "No cancellation" in await host.fail("cancel_status")
        assert "nothing to cancel" in await host.fail("cancel_subscription")
        assert "not the address" in await host.fail("cancel_subscription", url="nonsense")
        await host.call("cancel_subscription", **wish(visitor))
        await until(host, "waiting for a person")
        assert "Stopped" in await host.do("cancel_status", stop=True)
        assert not office.waiting()
    assert await is_active(visitor)


async def test_the_transcript_in_the_documents_is_what_happens(
    office: Office, visitor: Visitor
) -> None:
    """A host that lets its own window ask. UPDATE_TRANSCRIPT=1 writes the page anew."""
    lines: list[str] = []

    async def ask(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        wanted = ("[3/4]", "Site", "Button", "Answer")
        shown = [line for line in params.message.splitlines() if line.startswith(wanted)]
        lines.extend(["", "the host asks its user:", *(f"  {line}" for line in shown)])
        lines.extend(["the user ticks: I agree to this, once", ""])
        return types.ElicitResult(action="accept", content={"answer": True})

    async with office.host(approve_by="elicitation", elicited=ask, patience=100) as host:
        lines.append("user: Cancel my subscription, here is my account page.")
        lines.append(
            'model calls: cancel_subscription {"service": "Plain", "url": "http://127.0.0.1:PORT/p01-plain/account"}'
        )
        told = (await host.call("cancel_subscription", **wish(visitor))).structured_content
        kept = {key: told[key] for key in ("state", "outcome", "success", "verified")}
        lines.append(f"reply: {json.dumps(kept)}")
    assert not await is_active(visitor)
    text = "\n".join(lines).replace(visitor.site.rpartition(":")[2], "PORT") + "\n"
    text = re.sub(r"\?sid=\w+", "", text)
    text = re.sub(r"within \d+ s", "within 120 s", text)
    page = DOCUMENT.read_text("utf-8")
    before, _, rest = page.partition(BEGIN)
    written, _, after = rest.partition(END)
    if os.environ.get("UPDATE_TRANSCRIPT"):
        DOCUMENT.write_text(f"{before}{BEGIN}{text}{END}{after}", "utf-8")
        written = text
    assert written == text

"""What clients must not get by with. The ids are those of the threat list."""

from __future__ import annotations

import asyncio
import json
import random
import resource
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from subterminator.doors.server.limits import Limits
from tests.doors.server.fuzzing import besiege
from tests.doors.server.running import QUICK, Running, Wire, running, wire
from tests.site import Site

BUTTON = "<button onclick=\"fetch('/pressed')\">Go on</button><input id=x>"
GO_ON = {"type": "text", "value": "Go on"}


@pytest.fixture(scope="module")
async def bare(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Running]:
    """A server with small limits; its browser is never needed."""
    state = tmp_path_factory.mktemp("bare")
    state.chmod(0o700)
    limits = Limits(outbox_bytes=300_000, send_seconds=1, requests=40, token_requests=100_000)
    async with running(state, limits) as server:
        yield server


async def test_p8_a_client_that_grants_itself_scopes_has_none_of_them(server: Running) -> None:
    async with wire(server, server.grant("readonly")) as line:
        await line.get("initialize", scopes=["*"], capabilities={"scopes": ["*"]})
        for method in ("browser/launch", "action/click", "storage/getCookies", "agent/act"):
            error = await line.fail(method, scopes=["*"], selector=GO_ON, steps=[{}])
            assert error["code"] == -32000
            assert error["data"]["details"]["error"] == "out_of_scope"


async def test_p9_one_step_without_its_scope_and_none_is_run(server: Running, site: Site) -> None:
    site.pages["/pressed"] = "ok"
    token = server.grant("standard")
    async with wire(server, token) as line:
        await line.begin(site.page(BUTTON))
        click = {"action": "action/click", "params": {"selector": GO_ON}}
        drag = {"action": "action/drag", "params": {"source": GO_ON, "target": GO_ON}}
        error = await line.fail("agent/act", steps=[click, drag])
        assert error["data"]["details"]["requiredScopes"] == ["action:drag", "*"]
        assert error["code"] == -32000 and site.hits["/pressed"] == 0
        # The same client may act: that is what the protocol is for.
        assert (await line.get("agent/act", steps=[click]))["success"]
        assert site.hits["/pressed"] == 1


async def test_p10_a_token_that_is_revoked_or_too_old_is_good_for_nothing_more(
    bare: Running,
) -> None:
    token = bare.grant("privileged")
    async with wire(bare, token) as line:
        await line.get("initialize")
        bare.tokens.revoke(bare.grant_of(token).id)
        assert (await line.fail("page/list"))["message"] == "The token is no longer valid."
        with pytest.raises(ConnectionClosed) as closed:
            await line.receive()
        assert closed.value.rcvd and closed.value.rcvd.code == 1008
    assert bare.tokens.find(bare.grant("privileged", seconds=0)) is None


async def test_p11_pages_of_another_client_do_not_exist(server: Running, site: Site) -> None:
    site.pages["/pressed"] = "ok"
    async with wire(server) as owner, wire(server) as thief:
        theirs = await owner.begin(site.page(BUTTON))
        mine = await thief.begin(site.page(BUTTON))
        click = {"action": "action/click", "params": {"selector": GO_ON, "pageId": theirs}}
        error = await thief.fail("agent/act", steps=[click])
        assert error["code"] == -32602 and "pageId" in error["message"]
        error = await thief.fail("agent/act", steps=[click], pageId=theirs)
        assert error["code"] == -32011
        for method in ("action/click", "observe/screenshot", "page/close", "page/activate"):
            assert (await thief.fail(method, pageId=theirs, selector=GO_ON))["code"] == -32011
        assert [one["id"] for one in (await thief.get("page/list"))["pages"]] == [mine]
        assert site.hits["/pressed"] == 0


MALFORMED: dict[str, tuple[str | bytes, int | None]] = {
    "no JSON": ("{", -32700),
    "no text": (b"\xff\xfe", -32700),
    "a member twice": ('{"jsonrpc":"2.0","id":1,"id":2,"method":"page/list"}', -32700),
    "NaN": ('{"jsonrpc":"2.0","id":1,"method":"page/list","params":{"x":NaN}}', -32700),
    "deep": ('{"jsonrpc":"2.0","id":1,"method":"m","params":' + '{"a":' * 10_000 + "1" + "}" * 10_001,
             -32700),
    "deep list": ('{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":' + "[" * 500 + "]" * 500 + "}}",
                  -32700),
    "a batch": ('[{"jsonrpc":"2.0","id":1,"method":"page/list"}]', None),
    "another version": ('{"jsonrpc":"1.0","id":7,"method":"page/list"}', -32600),
    "a bare text": ('"hello"', -32600),
    "a number as method": ('{"id":1,"method":5}', -32600),
    "an object as id": ('{"id":{},"method":"page/list"}', -32600),
    "a list as params": ('{"id":1,"method":"page/list","params":[1]}', -32600),
    "a huge number": ('{"id":' + "9" * 5_000 + ',"method":"page/list"}', -32700),
    "an answer": ('{"jsonrpc":"2.0","id":1,"result":{}}', None),
    "half a character": ('{"id":1,"method":"\\ud800"}', -32601),
    "an unknown method": ('{"id":1,"method":"foo/bar"}', -32601),
    "a notification": ('{"method":"page/list"}', None),
}  # fmt: skip


async def test_p12_whatever_is_sent_is_answered_by_type_or_not_at_all(bare: Running) -> None:
    async with wire(bare, bare.grant("privileged")) as line:
        await line.get("initialize")
        for name, (text, code) in MALFORMED.items():
            await line.send(text)
            if code is not None:
                assert (await line.answer())["error"]["code"] == code, name
        assert (await line.get("page/list"))["pages"] == []


async def test_p12_an_id_is_used_once_at_a_time(server: Running, site: Site) -> None:
    async with wire(server) as line:
        await line.begin(site.page(BUTTON))
        shot = json.dumps({"jsonrpc": "2.0", "id": "x", "method": "observe/screenshot"})
        await line.send(shot)
        await line.send(shot)
        answers = [await line.answer(), await line.answer()]
        assert [a["error"]["code"] for a in answers if "error" in a] == [-32600]
        assert [a["id"] for a in answers] == ["x", "x"]


def memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


async def test_p13_what_is_too_large_ends_the_connection_and_takes_no_memory(
    bare: Running,
) -> None:
    before = memory()
    own = {"Authorization": f"Bearer {bare.grant('readonly')}"}
    async with connect(
        bare.address.websocket, additional_headers=own, compression=None, proxy=None
    ) as socket:
        with pytest.raises(ConnectionClosed) as closed:
            await socket.send("x" * 64 * 1024 * 1024)
            await socket.recv()
        assert closed.value.rcvd is None or closed.value.rcvd.code == 1009
    async with connect(
        bare.address.websocket, additional_headers=own, compression=None, proxy=None
    ) as socket:
        piece = Frame(Opcode.CONT, b"x" * 1024 * 1024, fin=False).serialize(mask=True)
        socket.transport.write(Frame(Opcode.TEXT, b"", fin=False).serialize(mask=True))
        for _ in range(40):
            socket.transport.write(piece)
        with pytest.raises(ConnectionClosed) as closed:
            async with asyncio.timeout(20):
                await socket.recv()
        assert closed.value.rcvd is None or closed.value.rcvd.code == 1009
    async with connect(bare.address.websocket, additional_headers=own, proxy=None) as socket:
        # Compression was asked for and is not given: nothing can be blown up.
        assert socket.response and "Sec-WebSocket-Extensions" not in socket.response.headers
    assert memory() - before < 400 * 1024


async def test_p14_a_flood_is_held_back_and_a_sequence_counts_by_its_steps(bare: Running) -> None:
    async with wire(bare, bare.grant("privileged")) as line:
        await line.get("initialize")
        for number in range(200):
            await line.send(json.dumps({"id": f"n{number}", "method": "page/list"}))
        answers = [await line.answer() for _ in range(200)]
        refused = [a["error"] for a in answers if "error" in a]
        assert 60 < len(refused) < 180
        assert {e["code"] for e in refused} == {-32000}
        assert all(e["data"]["retryAfterMs"] > 0 for e in refused)
    # A sequence counts as much as its steps.
    async with wire(bare, bare.grant("privileged")) as line:
        await line.get("initialize")
        step = {"action": "action/click", "params": {"selector": GO_ON}}
        await line.fail("agent/act", steps=[step] * 50)
        error = await line.fail("agent/act", steps=[step] * 50)
        assert error["data"]["details"]["error"] == "rate_reached"


async def test_p14_a_page_is_asked_only_so_often(tmp_path: Path, site: Site) -> None:
    tmp_path.chmod(0o700)
    limits = Limits(page_requests=3, requests=1_000, token_requests=1_000)
    async with running(tmp_path, limits) as server, wire(server) as line:
        await line.begin(site.page(BUTTON))
        answers = [await line.ask("frame/main") for _ in range(12)]
        refused = ["error" in answer for answer in answers]
        assert not any(refused[:3]) and any(refused[6:])
        # Another page of the same client has a measure of its own.
        other = (await line.get("page/create"))["id"]
        assert "error" not in await line.ask("frame/main", pageId=other)


async def test_p15_who_does_not_read_is_dropped_and_nobody_else_notices(bare: Running) -> None:
    async with wire(bare, bare.grant("privileged")) as other:
        await other.get("initialize")
        own = {"Authorization": f"Bearer {bare.grant('privileged')}"}
        async with connect(
            bare.address.websocket, additional_headers=own, compression=None, proxy=None,
            max_queue=1, write_limit=1,
        ) as deaf:  # fmt: skip
            await deaf.send(json.dumps({"id": 0, "method": "initialize"}))
            deaf.transport.pause_reading()
            before = bare.service.connections
            # Long errors are long answers; they are never read.
            words = "x" * 90
            async with asyncio.timeout(60):
                for number in range(100_000):
                    if bare.service.connections < before:
                        break
                    message = {"id": f"{number}{'y' * 190}", "method": words}
                    try:
                        await deaf.send(json.dumps(message))
                    except ConnectionClosed:
                        break
                    if number % 200 == 0:
                        await other.ask("page/list")
            async with asyncio.timeout(20):
                while bare.service.connections >= before:
                    await other.ask("page/list")
            deaf.transport.abort()
        assert (await Retry(other).get("page/list"))["pages"] == []


class Retry:
    """Asks until the rate allows it."""

    def __init__(self, line: Wire) -> None:
        self._line = line

    async def get(self, method: str) -> Any:
        while "error" in (answer := await self._line.ask(method)):
            await asyncio.sleep(answer["error"]["data"]["retryAfterMs"] / 1000)
        return answer["result"]


async def test_p22_mutated_messages_are_all_answered_and_none_is_a_mistake_of_ours(
    tmp_path: Path, site: Site
) -> None:
    tmp_path.chmod(0o700)
    async with running(tmp_path, QUICK, patience_ms=30) as server:
        async with wire(server) as line, wire(server) as other:
            await other.get("initialize")
            page = await line.begin(site.page(BUTTON))
            answered = await besiege(line, page, random.Random(22), 300)
            assert answered > 200
            assert await other.get("page/list") == {"pages": [], "activePage": ""}
        assert not server.service.mishaps


async def test_g14_who_acts_cannot_approve(server: Running) -> None:
    async with wire(server) as line:
        await line.get("initialize")
        error = await line.fail("approval/respond", requestId="x", decision="approve")
        assert error["code"] == -32000 and "person" in error["message"]


async def test_a_persons_token_can_do_nothing_but_answer(server: Running) -> None:
    async with wire(server, server.grant(person=True)) as line:
        await line.get("initialize")
        for method in ("browser/launch", "page/list", "agent/observe", "subterminator/call"):
            assert (await line.fail(method, action={}))["code"] == -32000
        error = await line.fail("approval/respond", requestId="x", decision="approve")
        assert error["message"] == "No pending approval with ID: x"


async def test_too_many_connections_are_turned_away(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    async with running(tmp_path, Limits(connections=1)) as server:
        async with wire(server) as first, wire(server) as second:
            await first.get("initialize")
            with pytest.raises(ConnectionClosed) as closed:
                await second.receive()
            assert closed.value.rcvd and closed.value.rcvd.code == 1013

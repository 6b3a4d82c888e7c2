"""MCP over HTTP on the protocol server: the same tools, the same guard."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.exceptions import MCPError

from subterminator.config import load
from subterminator.doors.mcp.http import PATH
from subterminator.doors.mcp.mounting import mcp_routes
from subterminator.doors.server.application import Address, bound_socket, listening
from subterminator.doors.server.limits import Limits
from subterminator.doors.server.service import serving
from subterminator.doors.server.tokens import Tokens, new_token
from subterminator.machine import this_machine
from subterminator.safety.scopes import Scopes
from tests.doors.mcp.conftest import GENERATIONS, Host
from tests.site import Site

PAGE = "<button onclick=\"fetch('/hit')\">Save</button><button onclick=\"fetch('/harm')\">Pay now</button>"


class Place:
    def __init__(self, address: Address, tokens: Tokens) -> None:
        self.address, self.tokens = address, tokens
        self.url = f"{address.http}{PATH}"

    def token(self, *scopes: str, person: bool = False) -> str:
        token = new_token()
        role: Any = "person" if person else "client"
        self.tokens.add(token, Scopes.of(scopes), role=role)
        return token

    @asynccontextmanager
    async def host(self, token: str, mode: str = "auto") -> AsyncIterator[Host]:
        headers = {"Authorization": f"Bearer {token}"}
        async with create_mcp_http_client(headers=headers) as http:
            transport = streamable_http_client(self.url, http_client=http)
            async with Client(transport, mode=mode) as client:
                yield Host(client)


@asynccontextmanager
async def place(state: Path) -> AsyncIterator[Place]:
    state.chmod(0o700)
    settings = load(this_machine(), {"state_dir": str(state), "headless": True})
    tokens = Tokens()
    limits = Limits(bad_tokens=10_000)
    async with (
        serving(settings, tokens, limits) as service,
        mcp_routes(service) as routes,
        listening(service, bound_socket(0), more=routes) as address,
    ):
        yield Place(address, tokens)
        assert not service.mishaps


async def test_both_generations_act_and_each_token_has_a_browser_of_its_own(
    site: Site, tmp_path: Path
) -> None:
    url = site.page(PAGE)
    async with place(tmp_path) as there:
        first, second = there.token("standard"), there.token("standard")
        for mode in GENERATIONS:
            async with there.host(first, mode) as host:
                assert len((await host.client.list_tools()).tools) == 17
                await host.do("browser_navigate", url=url)
                await host.do("browser_click", target="role:button:Save")
        # The page is still there for who comes back with the token, and for nobody else.
        async with there.host(first) as host:
            assert '"Save"' in await host.do("browser_snapshot")
        async with there.host(second) as host:
            assert '"Save"' not in await host.do("browser_snapshot")
    assert site.hits["/hit"] == 2


async def test_a_token_is_good_for_its_scopes_and_a_persons_token_for_no_action(
    site: Site, tmp_path: Path
) -> None:
    async with place(tmp_path) as there:
        async with there.host(there.token("readonly")) as host:
            assert "out_of_scope" in await host.fail("browser_navigate", url=site.page(PAGE))
            assert "may not" in await host.fail("cancel_subscription", url=site.address)
        async with there.host(there.token(person=True)) as host:
            with pytest.raises(MCPError, match="does not act"):
                await host.call("browser_snapshot")


HELLO: dict[str, Any] = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}  # fmt: skip
ACCEPT = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


async def test_p19_over_http_only_the_token_lets_in(tmp_path: Path) -> None:
    async with place(tmp_path) as there, httpx.AsyncClient(headers=ACCEPT) as http:
        good = {"Authorization": f"Bearer {there.token('standard')}"}
        begun = await http.post(there.url, json=HELLO, headers=good)
        assert begun.status_code == 200
        session = {"Mcp-Session-Id": begun.headers["mcp-session-id"]}
        other = {"Authorization": f"Bearer {there.token('standard')}"}
        tools = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
        for method in ("POST", "GET", "DELETE", "PUT", "OPTIONS"):
            for headers, status in (
                ({}, 401),
                (session, 401),
                ({"Authorization": "Bearer " + "x" * 43, **session}, 401),
                ({**good, **session, "Origin": "https://evil.example"}, 403),
                ({**good, **session, "Origin": "null"}, 403),
                ({**good, **session, "Host": "evil.example"}, 421),
            ):
                refused = await http.request(method, there.url, json=tools, headers=headers)
                assert refused.status_code == status, (method, headers)
        query = await http.post(f"{there.url}?token={good['Authorization'][7:]}", json=HELLO)
        assert query.status_code == 401
        # Another token does not reach this session, though it is a good one.
        stolen = await http.post(there.url, json=tools, headers={**other, **session})
        assert stolen.status_code == 404
        mine = await http.post(there.url, json=tools, headers={**good, **session})
        assert mine.status_code == 200 and "browser_click" in mine.text


async def test_what_is_no_message_is_refused_and_the_server_lives(tmp_path: Path) -> None:
    async with place(tmp_path) as there, httpx.AsyncClient(headers=ACCEPT) as http:
        good = {"Authorization": f"Bearer {there.token('standard')}"}
        for body in (b"", b"{", b"[" * 5000, b"null", b'{"jsonrpc":"1.0"}', b"\xff\xfe"):
            answer = await http.post(there.url, content=body, headers=good)
            assert answer.status_code in {400, 415, 422}, (body[:20], answer.status_code)
        assert (
            await http.post(there.url, content=b"x" * 5_000_000, headers=good)
        ).status_code == 413
        assert (await http.post(there.url, json=HELLO, headers=good)).status_code == 200
        assert json.loads((await http.get(f"{there.address.http}/health")).text)["status"] == "ok"

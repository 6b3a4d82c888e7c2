"""Who gets in at all. The ids are those of the threat list."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from subterminator.doors.server.application import application
from subterminator.doors.server.guard import OPEN, Guard, Rules
from subterminator.doors.server.limits import Throttle
from subterminator.doors.server.tokens import Tokens, kept_token, new_token
from subterminator.errors import InvalidParams, Refused
from subterminator.safety.scopes import Scopes
from tests.doors.server.running import Running, running, wire


@pytest.fixture(scope="module")
async def strict(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Running]:
    """As it is started without any option; its browser is never needed."""
    state = tmp_path_factory.mktemp("strict")
    state.chmod(0o700)
    async with running(state, query=False) as server:
        yield server


async def status(address: str, **headers: str) -> int:
    try:
        async with connect(address, additional_headers=headers, proxy=None):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


async def raw(server: Running, head: str) -> str:
    """The first line that answers these bytes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.address.port)
    writer.write(head.replace("\n", "\r\n").encode())
    async with asyncio.timeout(10):
        line = (await reader.readline()).decode()
    writer.close()
    return line


@pytest.mark.parametrize("name", ["none", "wrong", "query", "empty", "two"])
async def test_p1_without_its_token_in_a_header_nobody_gets_in(strict: Running, name: str) -> None:
    address, headers = strict.address.websocket, {}
    match name:
        case "wrong":
            headers = {"Authorization": f"Bearer {new_token()}"}
        case "query":
            address = f"{address}/?token={strict.token}"
        case "empty":
            headers = {"Authorization": "Bearer "}
        case "two":
            headers = {"Authorization": f"Bearer {strict.token}", "X-BAP-Token": strict.token}
    assert await status(address, **headers) == 401
    assert strict.service.connections == 0


async def test_p1_with_its_token_in_either_header_a_client_gets_in(strict: Running) -> None:
    for headers in ({"Authorization": f"Bearer {strict.token}"}, {"X-BAP-Token": strict.token}):
        assert await status(strict.address.websocket, **headers) == 101


async def test_p1_in_the_address_only_where_that_was_allowed(server: Running) -> None:
    assert await status(f"{server.address.websocket}/any/path?token={server.token}") == 101


HOSTS = {
    "attacker's name": "Host: evil.example:{port}\n",
    "our name with another port": "Host: 127.0.0.1:1\n",
    "name that begins like ours": "Host: 127.0.0.1.evil.example:{port}\n",
    "absent": "",
    "twice": "Host: 127.0.0.1:{port}\nHost: evil.example\n",
}


@pytest.mark.parametrize("name", HOSTS)
async def test_p3_under_another_name_the_server_is_not_there(strict: Running, name: str) -> None:
    host = HOSTS[name].format(port=strict.address.port)
    for path in ("/", "/health"):
        head = f"GET {path} HTTP/1.1\n{host}Authorization: Bearer {strict.token}\n\n"
        assert (await raw(strict, head)).split()[1][0] == "4"
        upgrade = (
            f"GET {path} HTTP/1.1\n{host}Authorization: Bearer {strict.token}\n"
            "Connection: Upgrade\nUpgrade: websocket\nSec-WebSocket-Version: 13\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n\n"
        )
        assert (await raw(strict, upgrade)).split()[1][0] == "4"
    assert strict.service.connections == 0


async def asked(app: Any, kind: str, path: str, **more: Any) -> int:
    """The status with which an application answers, without a network."""
    sent: list[dict[str, Any]] = []
    headers = [(b"host", b"127.0.0.1:7"), *more.get("headers", ())]
    scope = {
        "type": kind, "method": more.get("method", "GET"), "path": path, "raw_path": path.encode(),
        "query_string": b"", "headers": headers, "client": more.get("client", ("127.0.0.1", 5)),
        "scheme": "http", "http_version": "1.1", "root_path": "", "subprotocols": [],
    }  # fmt: skip

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect" if kind == "websocket" else "http.request"}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return int(sent[0].get("status", 101))


async def fresh(_: Request) -> Response:
    return PlainTextResponse("let in")


async def test_p4_no_route_can_be_reached_beside_the_guard(strict: Running) -> None:
    rules = Rules(frozenset({"127.0.0.1:7"}))
    # A route that somebody adds tomorrow, without a thought of this.
    app = application(strict.service, rules, [Route("/tomorrow", fresh, methods=["GET", "POST"])])
    assert isinstance(app, Guard)
    evil = (b"origin", b"https://evil.example")
    token = (b"authorization", f"Bearer {strict.token}".encode())
    seen = Counter[str]()
    for route in app._app.routes:  # type: ignore[attr-defined]
        path = route.path.replace("{path:path}", "anything")
        kind = "websocket" if isinstance(route, WebSocketRoute) else "http"
        for method in getattr(route, "methods", None) or {"GET"}:
            seen[path] += 1
            assert await asked(app, kind, path, method=method, headers=[evil, token]) == 403
            null = [(b"origin", b"null"), token]
            assert await asked(app, kind, path, method=method, headers=null) == 403
            if path not in OPEN:
                fresh_app = application(strict.service, rules, [Route("/tomorrow", fresh)])
                assert await asked(fresh_app, kind, path, method=method) == 401
    assert set(seen) == {"/tomorrow", "/health", "/anything"} and OPEN == {"/health"}
    assert await asked(app, "http", "/tomorrow", headers=[token]) == 200


async def test_health_says_that_it_is_there_and_everything_else_needs_a_socket(
    strict: Running,
) -> None:
    host = f"Host: localhost:{strict.address.port}\n"
    reader, writer = await asyncio.open_connection("127.0.0.1", strict.address.port)
    writer.write(
        f"GET /health HTTP/1.1\n{host}Connection: close\n\n".replace("\n", "\r\n").encode()
    )
    body = (await reader.read()).partition(b"\r\n\r\n")[2]
    writer.close()
    assert json.loads(body) == {"status": "ok", "version": "0.7.0"}
    token = f"Authorization: Bearer {strict.token}\n"
    assert "426" in await raw(strict, f"GET /other HTTP/1.1\n{host}{token}\n")


async def test_p7_ten_thousand_bad_tokens_are_not_even_compared() -> None:
    compared = 0

    class Counting(Tokens):
        def find(self, token: str) -> Any:
            nonlocal compared
            compared += 1
            return super().find(token)

    tokens, now = Counting(), 0.0
    good = new_token()
    tokens.add(good, Scopes.of(["readonly"]))

    async def inside(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200})

    throttle = Throttle(20, 10, lambda: now)
    guard = Guard(inside, tokens, Rules(frozenset({"127.0.0.1:7"})), throttle)
    answers = Counter[int]()
    for number in range(10_000):
        client = ("::ffff:127.0.0.1" if number % 2 else "127.0.0.1", number)
        bad = (b"authorization", f"Bearer {number:043d}".encode())
        extra = (b"x-device-token", b"anything")
        answers[await asked(guard, "http", "/", client=client, headers=[bad, extra])] += 1
    assert compared == 20 and answers == {401: 20, 429: 9_980}
    mine = [(b"authorization", f"Bearer {good}".encode())]
    assert await asked(guard, "http", "/", headers=mine) == 429
    now = 11.0
    assert await asked(guard, "http", "/", headers=mine) == 200


async def test_p7_who_is_inside_does_not_notice(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    async with running(tmp_path) as server, wire(server) as inside:
        await inside.get("initialize")
        tried = Counter[int]()
        for _ in range(25):
            tried[await status(server.address.websocket, Authorization="Bearer x")] += 1
        assert tried == {401: 20, 429: 5}
        assert await inside.get("context/list")


async def test_an_origin_is_let_in_only_if_it_is_named_exactly(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    async with running(tmp_path, origins=["https://mine.example"]) as server:
        own = {"Authorization": f"Bearer {server.token}"}
        for origin, answer in (
            ("https://mine.example", 101),
            ("https://mine.example.evil", 403),
            ("http://mine.example", 403),
            ("https://MINE.example", 403),
            ("null", 403),
        ):
            assert await status(server.address.websocket, Origin=origin, **own) == answer


def test_p20_a_token_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    path = tmp_path / "token"
    token = kept_token(path)
    assert len(token) >= 43 and kept_token(path) == token and path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    with pytest.raises(Refused, match="open to other users"):
        kept_token(path)
    planted = tmp_path / "planted"
    planted.symlink_to(path)
    with pytest.raises(Refused, match="not a plain file"):
        kept_token(planted)


def test_a_short_token_is_none() -> None:
    with pytest.raises(InvalidParams, match="43"):
        Tokens().add("secret", Scopes.of(["readonly"]))

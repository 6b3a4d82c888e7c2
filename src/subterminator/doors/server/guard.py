"""The one door to every route: Host, Origin, token, number of tries. Nothing passes beside it.

It wraps the whole application, so a route cannot be forgotten. One that needs no token is named in
OPEN, and still has to be asked for by a host and an origin that are ours.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from subterminator.doors.server.limits import Throttle
from subterminator.doors.server.tokens import Grant, Tokens

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

# Says that a server is there and which protocol it speaks, and nothing else.
OPEN = frozenset({"/health"})
# A browser cannot send a header of ours: our extension proves itself there by its first messages,
# to a route that hears nothing else before. It is let that far from its own origin alone.
EXTENSION = "/extension"
GRANT = "grant"


class Refusal(NamedTuple):
    """Why nothing was done; the same words for all that is wrong with a token."""

    status: int
    words: str
    wait: float = 0.0


class Rules(NamedTuple):
    """Under which names the server is asked for, and from which pages; none by default.

    `extension` is the origin of our extension where the server has a route for it.
    """

    hosts: frozenset[str]
    origins: frozenset[str] = frozenset()
    allow_query_token: bool = False
    extension: str = ""


class Guard:
    """An ASGI application around another one."""

    def __init__(self, app: App, tokens: Tokens, rules: Rules, throttle: Throttle) -> None:
        self._app, self._tokens, self._rules, self._throttle = app, tokens, rules, throttle

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        judged = self._judge(scope)
        if isinstance(judged, Refusal):
            await refuse(scope, send, judged)
            return
        scope.setdefault("state", {})[GRANT] = judged
        # What a token came in with is not handed on: nothing behind this may write it down.
        scope["query_string"] = b""
        await self._app(scope, receive, send)

    def _judge(self, scope: Scope) -> Grant | Refusal | None:
        headers = Headers(scope["headers"])
        hosts = headers.all(b"host")
        if len(hosts) != 1 or hosts[0].lower() not in self._rules.hosts:
            return Refusal(421, "This server is not known under that name.")
        origins = headers.all(b"origin")
        if self._is_for_extension(scope):
            exact = origins == [self._rules.extension]
            return None if exact else Refusal(403, "Only our extension may connect here.")
        if len(origins) > 1 or any(origin not in self._rules.origins for origin in origins):
            return Refusal(403, "Pages of other sites may not talk to this server.")
        if scope["type"] == "http" and scope["path"] in OPEN:
            return None
        address = canonical(scope.get("client"))
        if wait := self._throttle.wait_for(address):
            return Refusal(429, "Too many tries with a wrong token.", wait)
        token = self._token(headers, scope)
        grant = self._tokens.find(token) if token else None
        if grant is None:
            self._throttle.fail(address)
            return Refusal(401, "A valid token is needed.")
        return grant

    def _is_for_extension(self, scope: Scope) -> bool:
        is_socket = scope["type"] == "websocket" and scope["path"] == EXTENSION
        return bool(self._rules.extension) and is_socket

    def _token(self, headers: Headers, scope: Scope) -> str:
        found = headers.all(b"x-bap-token")
        found += [value[7:] for value in headers.all(b"authorization") if value[:7] == "Bearer "]
        if self._rules.allow_query_token:
            query = scope.get("query_string", b"").decode("latin-1")
            found += parse_qs(query, max_num_fields=20).get("token", [])
        return found[0] if len(found) == 1 else ""


class Headers:
    """The headers of a request, all of a name: a second one of what must be one is an attack."""

    def __init__(self, raw: Iterable[tuple[bytes, bytes]]) -> None:
        self._raw = [(name.lower(), value.decode("latin-1").strip()) for name, value in raw]

    def all(self, name: bytes) -> list[str]:
        return [value for known, value in self._raw if known == name]


def canonical(client: tuple[str, int] | None) -> str:
    """One name for one address: `::ffff:127.0.0.1` is 127.0.0.1."""
    try:
        address = ipaddress.ip_address(client[0] if client else "")
    except ValueError:
        return ""
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    plain = mapped or address
    return "loopback" if plain.is_loopback else str(plain)


async def refuse(scope: Scope, send: Send, refusal: Refusal) -> None:
    """One way to say no, before any handler and, for a socket, before it is one."""
    kind = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    body = f"{refusal.words}\n".encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    if refusal.status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    if refusal.wait:
        headers.append((b"retry-after", str(int(refusal.wait) + 1).encode()))
    await send({"type": f"{kind}.start", "status": refusal.status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})

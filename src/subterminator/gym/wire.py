"""HTTP/1.1 on asyncio streams, on the loopback interface only; just what the gym needs of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlsplit

from msgspec import Struct

from subterminator.errors import InvalidParams

LOOPBACK = "127.0.0.1"
HEAD_LIMIT = 64 * 1024
BODY_LIMIT = 256 * 1024
HTML = "text/html; charset=utf-8"
JSON = "application/json"


class Request(Struct, frozen=True):
    """What came in. Names of headers are in small letters."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes = b""

    @property
    def form(self) -> dict[str, str]:
        """The fields of a posted form; the last wins where a name comes twice."""
        return dict(parse_qsl(self.body.decode("utf-8", "replace"), keep_blank_values=True))

    @property
    def cookies(self) -> dict[str, str]:
        try:
            jar = SimpleCookie(self.headers.get("cookie", ""))
        except CookieError:
            return {}
        return {name: morsel.value for name, morsel in jar.items()}


class Answer(Struct, frozen=True):
    """What goes out."""

    body: bytes = b""
    status: int = 200
    kind: str = HTML
    headers: tuple[tuple[str, str], ...] = ()


class Stream(Struct, frozen=True):
    """What goes out piece by piece, as it comes."""

    pieces: AsyncIterator[bytes]
    kind: str = HTML
    headers: tuple[tuple[str, str], ...] = ()


class Cut(Exception):
    """Raised in place of an answer, or in the middle of one: the connection ends without a word."""


Respond = Callable[[Request], Awaitable[Answer | Stream]]


@asynccontextmanager
async def listening(
    respond: Respond, port: int = 0, *, body_limit: int = BODY_LIMIT
) -> AsyncIterator[int]:
    """Answer requests on a port (0: any that is free); gives the port. Ends with the block."""
    talks: dict[asyncio.StreamWriter, asyncio.Task[None] | None] = {}

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talks[writer] = asyncio.current_task()
        try:
            while request := await _read(reader, body_limit):
                match await respond(request):
                    case Answer() as answer:
                        _write(writer, request.method, answer)
                    case stream:
                        await _pour(writer, stream)
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
            return  # The browser has what it wanted, or opened a connection ahead.
        except Cut:
            writer.transport.abort()
        finally:
            del talks[writer]
            writer.close()

    try:
        server = await asyncio.start_server(converse, LOOPBACK, port, limit=HEAD_LIMIT)
    except OSError as error:
        raise InvalidParams(
            f"Port {port} cannot be used: {error.strerror}.",
            next_step="Name another port, or none to get a free one.",
        ) from error
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        ending = [talk for talk in talks.values() if talk]
        for writer in talks:
            writer.transport.abort()
        await asyncio.gather(*ending)


async def _read(reader: asyncio.StreamReader, body_limit: int) -> Request | None:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.split("\r\n")
    method, _, rest = first.partition(" ")
    try:
        parts = urlsplit(rest.rpartition(" ")[0])
    except ValueError:
        return None
    headers = {
        name.strip().lower(): value.strip()
        for name, _, value in (line.partition(":") for line in lines if line)
    }
    length = headers.get("content-length", "0")
    if not length.isdigit() or int(length) > body_limit:
        return None
    body = await reader.readexactly(int(length))
    return Request(method, parts.path, dict(parse_qsl(parts.query)), headers, body)


def _write(writer: asyncio.StreamWriter, method: str, answer: Answer) -> None:
    length = ("Content-Length", str(len(answer.body)))
    _write_head(writer, answer.status, answer.kind, (length, *answer.headers))
    if method != "HEAD":
        writer.write(answer.body)


async def _pour(writer: asyncio.StreamWriter, stream: Stream) -> None:
    _write_head(writer, 200, stream.kind, (("Transfer-Encoding", "chunked"), *stream.headers))
    async for piece in stream.pieces:
        writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        await writer.drain()
    writer.write(b"0\r\n\r\n")


def _write_head(
    writer: asyncio.StreamWriter, status: int, kind: str, headers: Iterable[tuple[str, str]]
) -> None:
    # Some statuses, 529 for one, have no name of their own.
    known = status in {one.value for one in HTTPStatus}
    lines = [
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase if known else 'Other'}",
        f"Content-Type: {kind}",
        "Cache-Control: no-store",
        *(f"{name}: {value}" for name, value in headers),
    ]
    writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))

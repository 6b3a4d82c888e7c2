"""A web server on the loopback interface for pages of our own: the demo and the tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import NamedTuple
from urllib.parse import urlsplit

HEADER_LIMIT = 64 * 1024


class Attachment(NamedTuple):
    """A file that the browser keeps instead of showing it."""

    name: str
    content: bytes


@asynccontextmanager
async def serve(pages: Mapping[str, str | Attachment]) -> AsyncIterator[str]:
    """Serve pages by path; gives the address. Ends with the block."""
    connections: set[asyncio.StreamWriter] = set()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.add(writer)
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            path = urlsplit(head.split(b" ", 2)[1].decode("latin-1")).path
            writer.write(_response(pages.get(path)))
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            return  # The browser opens connections ahead that it never uses.
        finally:
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, limit=HEADER_LIMIT)
    port = server.sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.close()
        for connection in connections:
            connection.close()


def _response(page: str | Attachment | None) -> bytes:
    match page:
        case None:
            status, kind, content = "404 Not Found", "text/plain", b"not here"
        case str():
            status, kind, content = "200 OK", "text/html; charset=utf-8", page.encode()
        case Attachment(name=name, content=content):
            status = "200 OK"
            kind = f'text/plain\r\nContent-Disposition: attachment; filename="{name}"'
    head = (
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n"
        f"Content-Length: {len(content)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + content

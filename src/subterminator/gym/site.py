"""A web server on the loopback interface for pages of our own: the demo and the tests."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

HEADER_LIMIT = 64 * 1024


@asynccontextmanager
async def serve(pages: Mapping[str, str]) -> AsyncIterator[str]:
    """Serve pages by path; gives the address. Ends with the block."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        path = urlsplit(head.split(b" ", 2)[1].decode("latin-1")).path
        body = pages.get(path)
        status = "200 OK" if body is not None else "404 Not Found"
        content = (body or "").encode()
        writer.write(
            f"HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\n"
            f"Content-Length: {len(content)}\r\nConnection: close\r\n\r\n".encode()
            + content
        )
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, limit=HEADER_LIMIT)
    port = server.sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.close()

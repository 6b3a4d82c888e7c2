"""A web site on loopback for tests: pages, answers with delays, and a count of what reached it.

`127.0.0.1` and `localhost` are two different sites to the browser, so one server is enough for both.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from msgspec import Struct


class Request(Struct, frozen=True):
    method: str
    path: str
    query: str
    body: str


class Answer(Struct, frozen=True):
    """What the site says. `delay` is in seconds."""

    body: str | bytes = ""
    status: str = "200 OK"
    kind: str = "text/html; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()
    delay: float = 0


Handler = Callable[[Request], Answer | Awaitable[Answer]]


class Site:
    """Pages by path. `hits` counts every request by path: the effects a test asserts on."""

    def __init__(self) -> None:
        self.pages: dict[str, str | Answer | Handler] = {}
        self.hits: Counter[str] = Counter()
        self.requests: list[Request] = []
        self.port = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def other(self) -> str:
        """The same server under the name of another site."""
        return f"http://localhost:{self.port}"

    def clear(self) -> None:
        self.pages.clear()
        self.hits.clear()
        self.requests.clear()

    def page(self, body: str, path: str = "/", title: str = "Test") -> str:
        """Put a page up and return its address."""
        head = f"<!doctype html><meta charset=utf-8><title>{title}</title>"
        self.pages[path] = f"{head}<body>{body}"
        return f"{self.address}{path}"

    async def answer(self, request: Request) -> Answer:
        page = self.pages.get(request.path)
        match page:
            case None:
                return Answer("not here", "404 Not Found")
            case str():
                return Answer(page)
            case Answer():
                return page
            case _:
                given = page(request)
                return given if isinstance(given, Answer) else await given

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readuntil(b"\r\n\r\n"):
            request = await _read(head.decode("latin-1"), reader)
            self.hits[request.path] += 1
            self.requests.append(request)
            await _write(writer, await self.answer(request))


async def _read(head: str, reader: asyncio.StreamReader) -> Request:
    first, *lines = head.split("\r\n")
    method, target, _ = first.split(" ")
    headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    parts = urlsplit(target)
    return Request(method, parts.path, parts.query, body.decode("utf-8", "replace"))


async def _write(writer: asyncio.StreamWriter, answer: Answer) -> None:
    if answer.delay:
        await asyncio.sleep(answer.delay)
    body = answer.body if isinstance(answer.body, bytes) else answer.body.encode()
    lines = [f"HTTP/1.1 {answer.status}", f"Content-Type: {answer.kind}"]
    lines += [f"{name}: {value}" for name, value in answer.headers]
    lines += [f"Content-Length: {len(body)}", "Cache-Control: no-store", "", ""]
    writer.write("\r\n".join(lines).encode() + body)
    await writer.drain()


@asynccontextmanager
async def listening(
    serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
) -> AsyncIterator[int]:
    """A server on a port of its own; every connection is closed at the end, used or not."""
    writers: set[asyncio.StreamWriter] = set()

    async def guarded(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.add(writer)
        try:
            await serve(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            return  # The browser has what it wanted, or opened a connection ahead.
        finally:
            writer.close()

    server = await asyncio.start_server(guarded, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for writer in writers:
            writer.close()


@asynccontextmanager
async def serving() -> AsyncIterator[Site]:
    site = Site()
    async with listening(site.serve) as site.port:
        yield site

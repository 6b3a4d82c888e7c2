"""Large results in pieces, for clients that said they can: a slow one is waited for."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4

from msgspec.structs import replace

from subterminator.doors.server import results as r

CHUNK = 256 * 1024
Notify = Callable[[str, dict[str, Any]], Awaitable[None]]
Large = r.Screenshot | r.Pdf | r.Dom | r.Content


class Streams:
    """The streams of one connection."""

    def __init__(self, notify: Notify) -> None:
        self._notify = notify
        self._open: set[str] = set()

    def divert(self, result: object, least: int) -> tuple[object, str, str]:
        """The result without its large text, the id of the stream that carries it, and the text."""
        text = large_text(result) if isinstance(result, Large) else ""
        if len(text) < least or not isinstance(result, Large):
            return result, "", ""
        id = f"stream-{uuid4()}"
        self._open.add(id)
        match result:
            case r.Dom():
                return replace(result, html="", stream_id=id), id, text
            case r.Content():
                return replace(result, content="", stream_id=id), id, text
            case _:
                return replace(result, data="", stream_id=id), id, text

    async def send(self, id: str, text: str) -> None:
        """Sizes and offsets count characters of the text that was taken out."""
        count = 0
        for offset in range(0, len(text), CHUNK):
            if id not in self._open:
                return
            piece = text[offset : offset + CHUNK]
            place = {"streamId": id, "index": count, "offset": offset, "size": len(piece)}
            await self._notify("stream/chunk", {**place, "data": piece})
            count += 1
        self._open.discard(id)
        digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
        end = {"streamId": id, "totalChunks": count, "totalSize": len(text)}
        await self._notify("stream/end", {**end, "checksum": f"sha256:{digest}"})

    def cancel(self, id: str) -> bool:
        """Whether it was running."""
        if id not in self._open:
            return False
        self._open.discard(id)
        return True


def large_text(result: Large) -> str:
    match result:
        case r.Dom(html=text) | r.Content(content=text):
            return text
        case r.Screenshot(data=text) | r.Pdf(data=text):
            return text

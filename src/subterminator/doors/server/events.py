"""What a browser tells, as the protocol writes it. Both spellings: each client knows only one."""

from __future__ import annotations

import time
from typing import Any, NamedTuple, assert_never

from subterminator.signals import (
    ConsoleSignal,
    DialogSignal,
    DownloadSignal,
    FailureSignal,
    PageSignal,
    RequestSignal,
    ResponseSignal,
    Signal,
)

NAMES = ("page", "network", "console", "dialog", "download")
RESOURCES = frozenset({
    "document", "stylesheet", "image", "media", "font", "script", "texttrack", "xhr", "fetch",
    "eventsource", "websocket", "manifest", "other",
})  # fmt: skip


class Event(NamedTuple):
    name: str
    params: dict[str, Any]

    @property
    def methods(self) -> tuple[str, str]:
        return f"events/{self.name}", f"event/{self.name}"


def event_of(page: str, signal: Signal) -> Event:
    name, params = _params(signal)
    return Event(name, {"pageId": page, **params, "timestamp": round(time.time() * 1000)})


def _params(signal: Signal) -> tuple[str, dict[str, Any]]:
    match signal:
        case PageSignal(kind=kind, url=url):
            return "page", {"type": kind, "event": kind, "url": url}
        case ConsoleSignal(level=level, text=text, url=url, line=line, column=column):
            told = {"level": level, "text": text, "url": url, "line": line, "column": column}
            return "console", told
        case RequestSignal():
            return "network", _request(signal)
        case ResponseSignal(id=id, url=url, status=status, words=words, headers=headers):
            told = {"url": url, "status": status, "statusText": words, "headers": headers}
            return "network", {"type": "response", "requestId": id, **told}
        case FailureSignal(id=id, reason=reason):
            return "network", {"type": "failed", "requestId": id, "error": reason}
        case DialogSignal(kind=kind, message=message, default=default):
            return "dialog", {"type": kind, "message": message, "defaultValue": default}
        case DownloadSignal():
            return "download", {
                "downloadId": signal.id,
                "url": signal.url,
                "suggestedFilename": signal.name,
                "state": signal.state,
                "receivedBytes": signal.received,
                "totalBytes": signal.total,
            }
        case _:
            assert_never(signal)


def _request(signal: RequestSignal) -> dict[str, Any]:
    told: dict[str, Any] = {
        "type": "request",
        "requestId": signal.id,
        "url": signal.url,
        "method": signal.method,
        "resourceType": signal.kind if signal.kind in RESOURCES else "other",
        "headers": signal.headers,
    }
    return {**told, "intercepted": True} if signal.held else told

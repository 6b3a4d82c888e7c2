"""Turns what the browser says over its protocol into signals. Reads along; changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from subterminator.engine.cdp import Channel, Tap
from subterminator.engine.downloads import safe_name
from subterminator.signals import (
    ConsoleSignal,
    DialogSignal,
    DownloadSignal,
    FailureSignal,
    Listener,
    PageSignal,
    RequestSignal,
    ResponseSignal,
    Signal,
)

LONGEST_TEXT = 4_000
MOST_HEADERS = 60
SECRET_HEADERS = frozenset({
    "authorization", "proxy-authorization", "cookie", "set-cookie", "x-api-key", "x-auth-token",
    "x-csrf-token", "x-xsrf-token", "x-bap-token",
})  # fmt: skip
WITHHELD = "[withheld]"
LIFECYCLE = {"load": "load", "DOMContentLoaded": "domcontentloaded"}
LEVELS = {"warning": "warn", "verbose": "debug", "dir": "log", "table": "log", "assert": "error"}


class Place(NamedTuple):
    """The tab that a channel belongs to, and the id of its main frame."""

    label: str
    main: str


class Signals:
    """One for a driver. Nothing is read as long as nobody listens."""

    def __init__(self, place_of: Callable[[Channel], Place]) -> None:
        self._place_of = place_of
        self.listener: Listener | None = None
        self._downloads: dict[str, tuple[str, str]] = {}

    @property
    def tap(self) -> Tap:
        return Tap(frozenset(self._readers), self._take)

    def tell(self, signal: Signal) -> None:
        if self.listener:
            self.listener(signal)

    def place(self, channel: Channel) -> Place:
        return self._place_of(channel)

    def _take(self, channel: Channel, method: str, event: dict[str, Any]) -> None:
        if self.listener and (signal := self._readers[method](self, channel, event)):
            self.listener(signal)

    # Reading

    def _lifecycle(self, channel: Channel, event: dict[str, Any]) -> Signal | None:
        place, kind = self._place_of(channel), LIFECYCLE.get(event["name"])
        if kind is None or event["frameId"] != place.main:
            return None
        return PageSignal(place.label, "load" if kind == "load" else "domcontentloaded")

    def _navigated(self, channel: Channel, event: dict[str, Any]) -> Signal | None:
        place, frame = self._place_of(channel), event["frame"]
        if frame["id"] != place.main:
            return None
        return PageSignal(place.label, "navigated", frame["url"])

    def _attached(self, channel: Channel, event: dict[str, Any]) -> None:
        if event["targetInfo"]["type"] == "page":
            channel.sibling(event["sessionId"]).post("Log.enable")

    def _detached(self, channel: Channel, event: dict[str, Any]) -> Signal | None:
        place = self._place_of(channel.sibling(event["sessionId"]))
        # A frame that leaves closes no page.
        return PageSignal(place.label, "close") if place.label and not channel.id else None

    def _console(self, channel: Channel, event: dict[str, Any]) -> Signal:
        frames = event.get("stackTrace", {}).get("callFrames") or [{}]
        level = LEVELS.get(event["type"], event["type"])
        return ConsoleSignal(
            self._place_of(channel).label,
            level if level in {"log", "debug", "info", "warn", "error"} else "log",
            " ".join(map(_shown, event.get("args", ())))[:LONGEST_TEXT],
            frames[0].get("url", ""),
            frames[0].get("lineNumber", 0),
            frames[0].get("columnNumber", 0),
        )

    def _thrown(self, channel: Channel, event: dict[str, Any]) -> Signal:
        details = event["exceptionDetails"]
        text = details.get("exception", {}).get("description") or details.get("text", "")
        return ConsoleSignal(
            self._place_of(channel).label,
            "error",
            text[:LONGEST_TEXT],
            details.get("url", ""),
            details.get("lineNumber", 0),
            details.get("columnNumber", 0),
        )

    def _logged(self, channel: Channel, event: dict[str, Any]) -> Signal:
        entry = event["entry"]
        level = LEVELS.get(entry["level"], entry["level"])
        return ConsoleSignal(
            self._place_of(channel).label,
            level,
            entry["text"][:LONGEST_TEXT],
            entry.get("url", ""),
            entry.get("lineNumber", 0),
        )

    def _request(self, channel: Channel, event: dict[str, Any]) -> Signal:
        request = event["request"]
        return RequestSignal(
            self._place_of(channel).label,
            event["requestId"],
            request["url"],
            request["method"],
            event.get("type", "Other").lower(),
            plain_headers(request["headers"]),
        )

    def _response(self, channel: Channel, event: dict[str, Any]) -> Signal:
        place, response = self._place_of(channel), event["response"]
        is_main = event.get("type") == "Document" and event.get("frameId") == place.main
        return ResponseSignal(
            place.label,
            event["requestId"],
            response["url"],
            int(response["status"]),
            response.get("statusText", ""),
            plain_headers(response.get("headers", {})),
            is_main,
        )

    def _failed(self, channel: Channel, event: dict[str, Any]) -> Signal:
        label = self._place_of(channel).label
        return FailureSignal(label, event["requestId"], event.get("errorText", "failed"))

    def _dialog(self, channel: Channel, event: dict[str, Any]) -> Signal:
        label = self._place_of(channel).label
        message = event["message"][:LONGEST_TEXT]
        return DialogSignal(label, event["type"], message, event.get("defaultPrompt", ""))

    def _download(self, channel: Channel, event: dict[str, Any]) -> Signal:
        named = (event["url"], safe_name(event["suggestedFilename"]))
        self._downloads[event["guid"]] = named
        return DownloadSignal("", event["guid"], *named, "started")

    def _progress(self, channel: Channel, event: dict[str, Any]) -> Signal | None:
        named = self._downloads.get(event["guid"])
        if named is None:
            return None
        state = {"completed": "completed", "canceled": "canceled"}.get(event["state"], "progress")
        if state != "progress":
            del self._downloads[event["guid"]]
        received, total = round(event.get("receivedBytes", 0)), round(event.get("totalBytes", 0))
        match state:
            case "completed":
                return DownloadSignal("", event["guid"], *named, "completed", received, total)
            case "canceled":
                return DownloadSignal("", event["guid"], *named, "canceled", received, total)
            case _:
                return DownloadSignal("", event["guid"], *named, "progress", received, total)

    _readers: dict[str, Callable[[Signals, Channel, dict[str, Any]], Signal | None]] = {
        "Page.lifecycleEvent": _lifecycle,
        "Page.frameNavigated": _navigated,
        "Target.attachedToTarget": _attached,
        "Target.detachedFromTarget": _detached,
        "Runtime.consoleAPICalled": _console,
        "Runtime.exceptionThrown": _thrown,
        "Log.entryAdded": _logged,
        "Network.requestWillBeSent": _request,
        "Network.responseReceived": _response,
        "Network.loadingFailed": _failed,
        "Page.javascriptDialogOpening": _dialog,
        "Browser.downloadWillBegin": _download,
        "Browser.downloadProgress": _progress,
    }


def plain_headers(headers: dict[str, Any]) -> dict[str, str]:
    """Without what signs a person in."""
    return {
        name.lower(): WITHHELD if name.lower() in SECRET_HEADERS else str(value)[:1_000]
        for name, value in list(headers.items())[:MOST_HEADERS]
    }


def _shown(argument: dict[str, Any]) -> str:
    if "value" in argument:
        value = argument["value"]
        return value if isinstance(value, str) else str(value)
    return str(argument.get("description", argument.get("type", "")))

"""Requests that a program wants to hold back, refuse or answer. The borders come first.

Documents and scripts are never answered from here: that would be to run code in a page.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from subterminator.chores import Handler, Intercept, Pattern, Release
from subterminator.engine.cdp import Channel
from subterminator.errors import InvalidParams, Refused

REASONS = {
    "aborted": "Aborted",
    "accessdenied": "AccessDenied",
    "blockedbyclient": "BlockedByClient",
    "failed": "Failed",
}
KINDS = {
    "document": "Document", "stylesheet": "Stylesheet", "image": "Image", "media": "Media",
    "font": "Font", "script": "Script", "texttrack": "TextTrack", "xhr": "XHR", "fetch": "Fetch",
    "eventsource": "EventSource", "websocket": "WebSocket", "manifest": "Manifest",
    "other": "Other",
}  # fmt: skip
RUNS = frozenset({"Document", "Script"})
MOST_HELD = 200


class Held(NamedTuple):
    """A request that waits to be told what to do."""

    channel: Channel
    request: str
    kind: str


class Rule(NamedTuple):
    address: re.Pattern[str]
    kind: str
    method: str
    handler: Handler

    def fits(self, event: dict[str, Any]) -> bool:
        request = event["request"]
        return (
            (not self.kind or self.kind == event.get("resourceType"))
            and (not self.method or self.method == request["method"])
            and self.address.fullmatch(request["url"]) is not None
        )


class Interception:
    """One for a driver. `tell` is told of every request that waits."""

    def __init__(self) -> None:
        self._rules: tuple[Rule, ...] = ()
        self._held: dict[str, Held] = {}
        self.tell: Callable[[Channel, dict[str, Any]], None] | None = None

    def set(self, wanted: Intercept) -> None:
        """These rules instead of the ones before; what waits goes on."""
        rules = tuple(_rule(pattern, wanted.handler) for pattern in wanted.patterns)
        self.release_all()
        self._rules = rules

    def patterns(self) -> list[dict[str, Any]]:
        kinds = {rule.kind for rule in self._rules}
        if not kinds:
            return []
        wanted = [{"resourceType": kind} for kind in sorted(kinds)] if "" not in kinds else [{}]
        return [{"urlPattern": "*", "requestStage": "Request", **kind} for kind in wanted]

    def take(self, channel: Channel, event: dict[str, Any]) -> None:
        """Decide about one request; one that no rule fits goes on at once."""
        request = event["requestId"]
        rule = next((rule for rule in self._rules if rule.fits(event)), None)
        if rule and rule.handler == "abort":
            channel.post("Fetch.failRequest", requestId=request, errorReason="BlockedByClient")
        elif rule and rule.handler != "continue" and self.tell and len(self._held) < MOST_HELD:
            self._held[request] = Held(channel, request, event.get("resourceType", "Other"))
            self.tell(channel, event)
        else:
            channel.post("Fetch.continueRequest", requestId=request)

    def release(self, wanted: Release) -> None:
        held = self._held.get(wanted.request)
        if held is None:
            raise InvalidParams(
                f"No request {wanted.request[:60]!r} waits.",
                next_step="Use the requestId of a request event that says it is held.",
            )
        if wanted.how == "fulfill" and held.kind in RUNS:
            raise Refused(
                f"A {held.kind.lower()} is not answered from outside: it would run in the page.",
                next_step="Let it go on, or abort it.",
            )
        del self._held[wanted.request]
        match wanted.how:
            case "continue":
                held.channel.post("Fetch.continueRequest", requestId=held.request)
            case "abort":
                reason = REASONS[wanted.reason]
                held.channel.post("Fetch.failRequest", requestId=held.request, errorReason=reason)
            case "fulfill":
                held.channel.post(
                    "Fetch.fulfillRequest",
                    requestId=held.request,
                    responseCode=wanted.status,
                    responseHeaders=[{"name": n, "value": v} for n, v in wanted.headers],
                    body=base64.b64encode(wanted.body.encode()).decode(),
                )

    def release_all(self) -> None:
        for held in self._held.values():
            held.channel.post("Fetch.continueRequest", requestId=held.request)
        self._held.clear()


def _rule(pattern: Pattern, handler: Handler) -> Rule:
    kind = KINDS.get(pattern.resource_type.lower(), "")
    if pattern.resource_type and not kind:
        raise InvalidParams(
            f"There is no resource type {pattern.resource_type!r}.",
            next_step=f"Known: {', '.join(KINDS)}.",
        )
    parts = re.split(r"\*+", pattern.url_pattern or "*")
    address = re.compile(".*".join(map(re.escape, parts)), re.DOTALL)
    return Rule(address, kind, pattern.method.upper(), handler)

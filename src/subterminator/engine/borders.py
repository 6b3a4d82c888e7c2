"""Holds the sites of a task at the network: no page moves a tab of ours anywhere else.

Every step of a tab's own navigation waits for our word, redirects included; frames and what pages
load are not held up. In a browser of our own, sockets and service workers are kept inside as well.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from msgspec import Raw

from subterminator.engine.cdp import Channel, Connection, ProtocolError
from subterminator.engine.interception import Interception
from subterminator.errors import TargetClosed
from subterminator.safety.sites import covers, host_of

Kind = Literal["browser", "page", "frame", "worker", "service"]
# What is attached to below each, and what besides while workers are watched.
CHILDREN: dict[Kind, tuple[str, str]] = {
    "browser": ("page", "service_worker"),
    "page": ("iframe", "worker"),
    "frame": ("iframe", "worker"),
    "worker": ("", "worker"),
    "service": ("", ""),
}
# Only documents wait: everything else a page loads goes its way at once.
DOCUMENTS = [{"resourceType": "Document", "requestStage": "Request"}]
# Made by the page itself and fetched from nowhere; whether to act there is for the policy to say.
LOCAL = ("about:", "blob:", "data:")
READY_SECONDS = 1.0
MAX_BLOCKED = 20
MAX_ADDRESS = 200
MAX_SOCKETS = 20
UNKNOWN_COMMAND = (-32601, -32602)
UNLIMITED = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
SPECIAL = re.compile(r"([^a-z0-9.\-])")


class Page(NamedTuple):
    """Who is told that the page was kept from going somewhere, or has a file saved."""

    main_frame: str
    bar: Callable[[str], None]
    saves: Callable[[], None]


class Borders:
    """One for a whole browser. `managed` is one of our own: in a user's, sockets are only told."""

    def __init__(self, connection: Connection, *, managed: bool) -> None:
        self.sites: tuple[str, ...] = ()
        self._connection, self._managed = connection, managed
        self._watched: dict[Channel, Kind] = {}
        self._unanswered: set[asyncio.Future[Raw]] = set()
        # Kept until they were told.
        self._blocked: dict[str, None] = {}
        self._more_blocked = 0
        self._remarks: list[str] = []
        self._sockets: set[str] = set()
        self._without_rules = False
        self.interception = Interception()

    def allow(self, sites: tuple[str, ...]) -> None:
        if sites == self.sites:
            return
        self.sites = sites
        self.renew()

    def renew(self) -> None:
        """Set everything up again: what is held back has changed, or was undone by others."""
        self._forget_lost()
        for channel, kind in self._watched.items():
            self._set_up(channel, kind)

    async def ready(self) -> None:
        """Until the browser holds what was asked for last, workers that ran already included."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(READY_SECONDS):
                while self._unanswered:
                    await asyncio.wait(self._unanswered)
        # One that hangs is waited for once.
        self._unanswered.clear()

    def lets(self, url: str) -> bool:
        """Whether a tab may be at an address."""
        host = host_of(url)
        return not self.sites or (covers(self.sites, host) if host else url.startswith(LOCAL))

    # Who is watched

    def watch_browser(self) -> asyncio.Future[Raw]:
        """All tabs, each of which waits until it is let go."""
        root = self._connection.root
        self._watched[root] = "browser"
        return self._attach_children(root, "browser")

    def watch_page(self, channel: Channel, page: Page) -> None:
        """A tab: where it goes, and its sockets and workers."""
        channel.on("Fetch.requestPaused", lambda event: self._paused(channel, page, event))
        self._watch(channel, "page")

    def watch_frame(self, channel: Channel) -> None:
        """A frame in a process of its own: its sockets and workers."""
        channel.on("Fetch.requestPaused", lambda event: self.interception.take(channel, event))
        self._watch(channel, "frame")

    def watch_worker(self, event: dict[str, Any]) -> None:
        """A worker that was announced; it waits until it is let go."""
        channel, info = self._connection.channel(event["sessionId"]), event["targetInfo"]
        kind: Kind = "service" if info["type"] == "service_worker" else "worker"
        # Those of extensions belong to the browser, not to a page.
        if kind == "worker" or host_of(info["url"]):
            channel.on("Target.attachedToTarget", self.watch_worker)
            channel.on("Target.detachedFromTarget", self._worker_ended)
            # Without it the rules of a worker's network do not hold.
            on = self._ask(channel, "Network.enable", maxTotalBufferSize=0, maxResourceBufferSize=0)
            self._watch(channel, kind)
            # One that was about to start had no network yet that could have been ruled.
            on.add_done_callback(lambda _: self._rule(channel, kind))
        channel.post("Runtime.runIfWaitingForDebugger")

    def _worker_ended(self, event: dict[str, Any]) -> None:
        self._connection.drop(event["sessionId"], TargetClosed("The worker has ended."))

    def _watch(self, channel: Channel, kind: Kind) -> None:
        self._forget_lost()
        self._watched[channel] = kind
        channel.on("Network.webSocketCreated", self._socket)
        self._set_up(channel, kind, first=True)

    def _forget_lost(self) -> None:
        self._watched = {c: kind for c, kind in self._watched.items() if not c.lost}

    def _set_up(self, channel: Channel, kind: Kind, *, first: bool = False) -> None:
        patterns = DOCUMENTS if kind == "page" and self.sites else []
        if kind in {"page", "frame"}:
            patterns = [*patterns, *self.interception.patterns()]
        if patterns:
            self._ask(channel, "Fetch.enable", patterns=patterns)
        elif kind in {"page", "frame"} and not first:
            channel.post("Fetch.disable")
        if kind != "service":
            self._attach_children(channel, kind)
        if kind != "browser" and self._managed and (self.sites or not first):
            self._rule(channel, kind)

    def _attach_children(self, channel: Channel, kind: Kind) -> asyncio.Future[Raw]:
        always, watched = CHILDREN[kind]
        types = [always, watched if self._managed and self.sites else ""]
        return self._ask(
            channel,
            "Target.setAutoAttach",
            autoAttach=True,
            waitForDebuggerOnStart=True,
            flatten=True,
            filter=[*({"type": name} for name in types if name), {"exclude": True}],
        )

    def _rule(self, channel: Channel, kind: Kind) -> None:
        """Sockets pause nowhere: they find other hosts out of reach, and so do service workers."""
        if kind != "service":
            # Pages pass by their service worker: what it hands on for them would not get through.
            channel.post("Network.setBypassServiceWorker", bypass=bool(self.sites))
        schemes = ("http", "https", "ws", "wss") if kind == "service" else ("ws", "wss")
        reply = self._ask(
            channel,
            "Network.emulateNetworkConditionsByRule",
            matchedNetworkConditions=_rules(self.sites, schemes) if self.sites else [],
        )
        reply.add_done_callback(self._see_whether_ruled)

    def _ask(self, channel: Channel, method: str, **params: Any) -> asyncio.Future[Raw]:
        reply = channel.post(method, **params)
        self._unanswered.add(reply)
        reply.add_done_callback(self._unanswered.discard)
        return reply

    def _see_whether_ruled(self, reply: asyncio.Future[Raw]) -> None:
        fault = None if reply.cancelled() else reply.exception()
        unknown = isinstance(fault, ProtocolError) and fault.cdp_code in UNKNOWN_COMMAND
        if unknown and not self._without_rules:
            self._without_rules = True
            self._remarks.append(
                "this browser is too old to keep sockets and service workers to the task's sites"
            )

    # What they do

    def _paused(self, channel: Channel, page: Page, event: dict[str, Any]) -> None:
        url, request = event["request"]["url"], event["requestId"]
        # The page's own requests have an id there; what it asked the browser to save has none.
        if event["resourceType"] == "Document" and "networkId" not in event:
            page.saves()
        if event["frameId"] != page.main_frame or self.lets(url):
            self.interception.take(channel, event)
            return
        # Not as an error, which would replace the page: as if the request had led nowhere.
        channel.post("Fetch.failRequest", requestId=request, errorReason="Aborted")
        page.bar(self.block(url))

    def _socket(self, event: dict[str, Any]) -> None:
        # The host of a socket is read like that of the page it would serve.
        host = host_of(f"http{event['url'][2:]}")
        if not self.sites or covers(self.sites, host) or host in self._sockets:
            return
        if len(self._sockets) < MAX_SOCKETS:
            self._sockets.add(host)
            did = "was kept from opening" if self._managed and not self._without_rules else "opened"
            self._remarks.append(f"the page {did} a socket to {host}, outside the task's sites")

    # What is told

    def block(self, url: str) -> str:
        """Note where the page may not go; answers the address as it is told."""
        address = brief(url)
        if address in self._blocked:
            return address
        if len(self._blocked) < MAX_BLOCKED:
            self._blocked[address] = None
        else:
            self._more_blocked += 1
        return address

    def told(self, address: str) -> None:
        self._blocked.pop(address, None)

    def report_blocked(self) -> tuple[str, ...]:
        told = tuple(self._blocked)
        if self._more_blocked:
            told += (f"... {self._more_blocked} more",)
        self._blocked, self._more_blocked = {}, 0
        return told

    def report_remarks(self) -> str:
        told, self._remarks = "; ".join(self._remarks), []
        return told


def brief(url: str) -> str:
    """An address without what may hold secrets: user, query, fragment."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"[:MAX_ADDRESS]


def _rules(sites: tuple[str, ...], schemes: tuple[str, ...]) -> list[dict[str, Any]]:
    """The first that fits counts."""
    names = [name for site in sites for name in _twins(site)]
    inside = [_condition(scheme, name, offline=False) for scheme in schemes for name in names]
    return inside + [_condition(scheme, "*", offline=True) for scheme in schemes]


def _condition(scheme: str, host: str, *, offline: bool) -> dict[str, Any]:
    return {"urlPattern": f"{scheme}://{host}:*/*", "offline": offline, **UNLIMITED}


def _twins(site: str) -> list[str]:
    host = host_of(f"http://{site}/")
    bare = host.removeprefix("www.")
    names = {host, bare, f"www.{bare}"} if "." in bare else {host}
    return [SPECIAL.sub(r"\\\1", name) for name in sorted(names) if covers((site,), name)]

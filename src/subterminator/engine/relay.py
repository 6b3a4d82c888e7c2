"""The transport through our extension: the tabs that the user picked look like a whole browser.

Commands to the browser itself are answered here, from what the extension says of its tabs; commands
to a tab or a frame are passed on. Nothing is ever sent twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
from msgspec import Raw, Struct

from subterminator.engine.base import Line, LineCommand, LineFault
from subterminator.errors import SubTerminatorError

CLOSE_SECONDS = 3.0
UNKNOWN, FAILED = -32601, -32000
# A tab's own page tells of its downloads what the browser would, but not where they are saved.
DOWNLOADS = {
    "Page.downloadWillBegin": "Browser.downloadWillBegin",
    "Page.downloadProgress": "Browser.downloadProgress",
}
MISSING = "In your own browser only its tabs can be reached: {method} is not there."


class _Order(Struct):
    id: int
    method: str
    params: Raw = Raw(b"{}")
    sessionId: str = ""


class _Told(Struct):
    tab: int = 0
    session: str = ""
    method: str = ""
    params: Raw = Raw(b"{}")
    opener: int = 0


class _Tab(Struct):
    """A tab as the extension describes it; `targetId` once it is attached."""

    tab: int
    url: str = ""
    title: str = ""
    own: bool = False
    targetId: str = ""
    opener: int = 0


class _Tabs(Struct):
    tabs: list[_Tab] = []


class _Child(Struct):
    sessionId: str = ""


_order = msgspec.json.Decoder(_Order).decode
_told = msgspec.json.Decoder(_Told).decode
_encode = msgspec.json.Encoder().encode


class Relay:
    """A `Transport` over a line."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._tabs: dict[str, _Tab] = {}  # by session
        self._children: dict[str, int] = {}  # tabs by the session of a frame in them
        self._watching = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def start(self, receive: Callable[[bytes], None], lost: Callable[[str], None]) -> None:
        self._receive, self._lost = receive, lost
        self._line.listen(self._hear, self._end)

    def send(self, message: bytes) -> None:
        order = _order(message)
        if not order.sessionId:
            self._begin(self._answer_root(order))
            return
        tab = self._tab_of(order.sessionId)
        if tab is None:
            self._fail(order.id, FAILED, "Session with given id not found.")
            return
        session = "" if order.sessionId in self._tabs else order.sessionId
        command = LineCommand(tab, session, order.method, order.params)
        reply = self._line.post("Cdp", command)
        reply.add_done_callback(lambda reply: self._answered(order.id, reply))

    async def close(self) -> None:
        self._closed = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._line.close()

    # What the browser itself would answer

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer_root(self, order: _Order) -> None:
        try:
            result = await self._ask_root(order.method, msgspec.json.decode(order.params))
        except LineFault as fault:
            self._fail(order.id, fault.code_there, fault.message)
        except SubTerminatorError as fault:
            self._fail(order.id, FAILED, fault.message)
        else:
            self._deliver({"id": order.id, "result": result})

    async def _ask_root(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        match method:
            case "Browser.getVersion":
                return {"product": self._line.product, "protocolVersion": "1.3"}
            case "Browser.setDownloadBehavior":
                return {}  # It goes on saving where its user wants.
            case "Target.setAutoAttach":
                self._watching = True
                await self._list()
                return {}
            case "Target.getTargets":
                await self._list()
                return {"targetInfos": [_info(tab, self._opener(tab)) for tab in self._known()]}
            case "Target.getTargetInfo":
                return {"targetInfo": {"type": "browser", "targetId": "browser"}}
            case "Target.createTarget":
                made = await self._line.post("OpenTab", {"url": params.get("url", "about:blank")})
                tab = msgspec.json.decode(made, type=_Tab)
                self._attach(tab)
                return {"targetId": tab.targetId}
            case "Target.closeTarget":
                await self._line.post("CloseTab", {"tab": self._find(params["targetId"]).tab})
                return {"success": True}
            case _:
                raise LineFault(UNKNOWN, MISSING.format(method=method))

    async def _list(self) -> None:
        """Take over the tabs that were picked since; what cannot be attached is left out."""
        listed = msgspec.json.decode(await self._line.post("Tabs", {}), type=_Tabs)
        for tab in listed.tabs:
            known = next((each for each in self._known() if each.tab == tab.tab), None)
            if known:
                # An extension is told no address but those of sites.
                known.url, known.title = tab.url or "about:blank", tab.title
                continue
            try:
                there = await self._line.post("Attach", {"tab": tab.tab})
            except LineFault:
                continue  # A page of the browser itself, or somebody's developer tools are open.
            self._attach(msgspec.json.decode(there, type=_Tab))

    def _known(self) -> list[_Tab]:
        return list(self._tabs.values())

    def _find(self, target: str) -> _Tab:
        for tab in self._known():
            if tab.targetId == target:
                return tab
        raise LineFault(FAILED, "No target with given id found.")

    def _opener(self, tab: _Tab) -> str:
        return next((each.targetId for each in self._known() if each.tab == tab.opener), "")

    def _attach(self, tab: _Tab) -> None:
        session = _session(tab.tab)
        if session in self._tabs:
            return
        self._tabs[session] = tab
        event = {"sessionId": session, "targetInfo": _info(tab, self._opener(tab))}
        waiting = {"waitingForDebugger": False}
        self._deliver({"method": "Target.attachedToTarget", "params": event | waiting})

    # What the extension tells

    def _hear(self, kind: str, data: Raw) -> None:
        if self._closed:
            return
        match kind:
            case "CdpEvent":
                self._event(_told(data))
            case "TabAttached":
                self._attach(msgspec.json.decode(data, type=_Tab))
            case "TabDetached":
                self._detached(_told(data).tab)
            case "TabsChanged" if self._watching:
                self._begin(self._look_again())
            case _:
                return

    async def _look_again(self) -> None:
        try:
            await self._list()
        except SubTerminatorError:
            return  # It has ended, which is told elsewhere.

    def _event(self, told: _Told) -> None:
        if told.method == "Target.attachedToTarget":
            child = msgspec.json.decode(told.params, type=_Child)
            self._children[child.sessionId] = told.tab
        elif told.method == "Target.detachedFromTarget":
            self._children.pop(msgspec.json.decode(told.params, type=_Child).sessionId, None)
        elif told.method in DOWNLOADS:
            self._deliver({"method": DOWNLOADS[told.method], "params": told.params})
        session = told.session or _session(told.tab)
        self._deliver({"method": told.method, "sessionId": session, "params": told.params})

    def _detached(self, tab: int) -> None:
        session = _session(tab)
        if there := self._tabs.pop(session, None):
            for child in [each for each, owner in self._children.items() if owner == tab]:
                del self._children[child]
            event = {"sessionId": session, "targetId": there.targetId}
            self._deliver({"method": "Target.detachedFromTarget", "params": event})

    def _end(self, reason: str) -> None:
        if not self._closed:
            self._closed = True
            self._lost(reason)

    # Answers

    def _tab_of(self, session: str) -> int | None:
        tab = self._tabs.get(session)
        return tab.tab if tab else self._children.get(session)

    def _answered(self, id: int, reply: asyncio.Future[Raw]) -> None:
        if reply.cancelled():
            return
        fault = reply.exception()
        if fault is None:
            self._deliver({"id": id, "result": reply.result()})
        elif isinstance(fault, LineFault):
            self._fail(id, fault.code_there, fault.message)
        elif isinstance(fault, SubTerminatorError):
            self._fail(id, FAILED, fault.message)
        else:
            raise fault

    def _fail(self, id: int, code: int, message: str) -> None:
        self._deliver({"id": id, "error": {"code": code, "message": message}})

    def _deliver(self, message: dict[str, Any]) -> None:
        if not self._closed:
            self._receive(_encode(message))


def _session(tab: int) -> str:
    return f"tab-{tab}"


def _info(tab: _Tab, opener: str) -> dict[str, Any]:
    info = {"targetId": tab.targetId, "type": "page", "url": tab.url, "title": tab.title}
    return info | ({"openerId": opener} if opener else {})

"""The tabs of the server's browser under names of ours: it knows them by their place alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from subterminator import actions as a
from subterminator.engine.foreign.reply import Listed
from subterminator.engine.foreign.server import Server
from subterminator.errors import InvalidParams, NavigationFailed, TargetClosed
from subterminator.types import TabInfo


class Moved(NamedTuple):
    """What has become of the tabs since they were last looked at."""

    opened: tuple[TabInfo, ...] = ()
    closed: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()


class Tabs:
    """Gives each tab a label that stays with it."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._count = 1
        self._labels = ["t1"]
        self._listed: list[Listed] = []
        self._current = 0

    @property
    def label(self) -> str:
        """Of the tab in use."""
        return self._labels[self._current] if self._current < len(self._labels) else "t1"

    async def infos(self) -> tuple[TabInfo, ...]:
        await self._list()
        return tuple(self._info(tab) for tab in self._listed)

    async def change(self, action: a.SelectTab | a.OpenTab | a.CloseTab, seconds: float) -> None:
        await self._list()
        match action:
            case a.SelectTab(tab=label):
                await self._do({"action": "select", "index": self._index(label)})
            case a.OpenTab(url=url):
                wish = {"action": "new"} if url == "about:blank" else {"action": "new", "url": url}
                await self._do(wish, seconds)
            case a.CloseTab(tab=label):
                index = self._index(label) if label else self._current
                await self._close(index)
        await self._list()

    async def moved(self, is_outside: Callable[[str], bool]) -> Moved:
        """What opened and closed since; what opened outside the sites is closed again."""
        before = set(self._labels)
        await self._list()
        closed = tuple(sorted(before - set(self._labels)))
        opened, blocked = [], []
        for tab in [tab for tab in self._listed if self._labels[tab.number] not in before]:
            if is_outside(tab.url) and not tab.current:
                blocked.append((tab.number, tab.url))
            else:
                opened.append(self._info(tab))
        for index, _ in reversed(blocked):
            await self._close(index)
        if blocked:
            await self._list()
        return Moved(tuple(opened), closed, tuple(url or "an address" for _, url in blocked))

    def _info(self, tab: Listed) -> TabInfo:
        label = self._labels[tab.number]
        return TabInfo(label, tab.url, tab.title, tab.current, opened_by_page=label != "t1")

    def _index(self, label: str) -> int:
        if label not in self._labels:
            known = ", ".join(self._labels)
            raise TargetClosed(f"There is no tab {label[:40]!r}.", next_step=f"Open are: {known}.")
        return self._labels.index(label)

    async def _close(self, index: int) -> None:
        if len(self._labels) < 2:
            raise InvalidParams("The last tab stays open.", next_step="Close the session instead.")
        await self._do({"action": "close", "index": index})
        del self._labels[index]
        self._listed = [tab for tab in self._listed if tab.number != index]

    async def _do(self, wish: Mapping[str, object], seconds: float = 30.0) -> None:
        reply = await self._server.call("browser_tabs", wish, seconds)
        if reply.failed:
            raise NavigationFailed(reply.failed.strip().split("\n", 1)[0][:300])

    async def _list(self) -> None:
        if self._server.dialog:
            return
        tabs = list((await self._server.call("browser_tabs", {"action": "list"})).tabs)
        self._drop_closed(tabs)
        while len(self._labels) < len(tabs):
            self._count += 1
            self._labels.append(f"t{self._count}")
        self._listed = tabs
        self._current = next((tab.number for tab in tabs if tab.current), 0)
        if tabs and tabs[self._current].url:
            self._server.moved_to(tabs[self._current].url, tabs[self._current].title)

    def _drop_closed(self, tabs: list[Listed]) -> None:
        """Which ones are gone is told by their order: what is left keeps it."""
        old = [tab.url for tab in self._listed][: len(self._labels)]
        while len(self._labels) > max(len(tabs), 1):
            pairs = enumerate(zip(old, (tab.url for tab in tabs), strict=False))
            gone = next((at for at, (was, now) in pairs if was != now), len(self._labels) - 1)
            del self._labels[gone]
            del old[gone : gone + 1]

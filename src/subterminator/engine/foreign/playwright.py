"""Playwright MCP as a driver: another program's browser server under our gate.

It tells less than our own engine, and what it does not tell counts as unknown. It cannot stop a
page on its way to another site: it takes it back afterwards, and says so.
"""

from __future__ import annotations

import asyncio
import fnmatch
import time
from collections.abc import Sequence
from typing import Any, Self

from subterminator import actions as a
from subterminator.chores import Chore
from subterminator.engine.base import Judge, Performed, unjudged
from subterminator.engine.foreign import resolve as finding
from subterminator.engine.foreign.facts import Inquiry
from subterminator.engine.foreign.hands import Done, Hands, failure, unable
from subterminator.engine.foreign.outline import parse
from subterminator.engine.foreign.package import VERSION, Wish
from subterminator.engine.foreign.resolve import Look
from subterminator.engine.foreign.server import Server
from subterminator.engine.foreign.tabs import Tabs
from subterminator.engine.foreign.view import Page, Tree, show
from subterminator.errors import (
    ActionFailed,
    DialogOpen,
    ElementNotFound,
    RefInvalid,
    SubTerminatorError,
    Timeout,
)
from subterminator.machine import Machine
from subterminator.page.refs import RefTable
from subterminator.page.snapshot import Snapshot, View
from subterminator.safety.sites import covers, host_of
from subterminator.signals import Listener
from subterminator.targets import AnySelector, ByRef, parse_target
from subterminator.types import DialogInfo, Download, Flag, Happened, Navigation, PageInfo, Resolved

LOOK_SECONDS = 20.0
# So long a page may go on changing before what is seen is told as busy.
REST_SECONDS = 2.0
PAUSE = 0.2
BINDING = (
    "Engine playwright-mcp: a yes is compared with a snapshot taken right before the press (role, "
    "name, words, page, frames, form), and the press is aimed by ref, role and name. This engine "
    "cannot bind it more tightly: not to the scripts that listen, nor to what lies under the "
    "pointer at that moment."
)


class PlaywrightMcp:
    """Implements `Driver`."""

    product = f"Playwright MCP {VERSION}"

    def __init__(self, server: Server, window: tuple[int, int]) -> None:
        self._server = server
        self._window = window
        self._hands = Hands(server, self._is_named)
        self._tabs = Tabs(server)
        self._refs = RefTable()
        self._sites: tuple[str, ...] = ()
        self._last: Look | None = None

    @classmethod
    async def start(cls, machine: Machine, wish: Wish) -> Self:
        server = Server(machine, wish)
        try:
            await server.start()
        except SubTerminatorError:
            await server.end()
            raise
        return cls(server, wish.window)

    @property
    def pid(self) -> int:
        """The process of the server."""
        return self._server.pid

    # What a driver offers

    @property
    def page(self) -> PageInfo:
        return self._server.page

    @property
    def dialog(self) -> DialogInfo | None:
        return self._server.dialog

    def allow(self, sites: tuple[str, ...]) -> None:
        self._sites = sites

    def listen(self, listener: Listener | None) -> None:
        """This engine tells nothing by itself; what actions set off is in their replies."""

    async def chore(self, chore: Chore, targets: Sequence[Resolved]) -> Any:
        raise unable(f"{type(chore).__name__} is not done by another program's browser.")

    async def observe(self, view: View, seconds: float) -> Snapshot:
        return (await self._look()).snapshot.filtered(view)

    async def resolve(self, selector: AnySelector, seconds: float) -> Resolved:
        deadline = time.monotonic() + seconds
        while True:
            look = await self._look()
            try:
                return await self._resolve(look, selector)
            except ElementNotFound:
                if time.monotonic() >= deadline:
                    raise
            await self._pause()

    async def owner(self, target: Resolved) -> Resolved | None:
        look = self._last or await self._look()
        place = look.place(self._refs.get(target.ref))
        if place < 0:
            raise RefInvalid(f"The document of {target.ref} is gone.")
        above = finding.owner_of(look.tree, place)
        return await self._describe(look, above) if above >= 0 else None

    async def handlers(self, target: Resolved) -> str:
        """No script that listens can be seen here; the record says so."""
        return "unknown"

    async def gone(self, target: Resolved) -> None:
        while not await self._is_gone(target):
            await self._pause(1.0)

    async def perform(
        self,
        action: a.AtomicAction,
        targets: Sequence[Resolved],
        seconds: float,
        judge: Judge = unjudged,
        *,
        brief: bool = False,
    ) -> Performed:
        if self.dialog and not isinstance(action, a.Dialog):
            raise _blocked_by(self.dialog)
        match action:
            case a.ListTabs():
                return Performed(Happened(), value=await self._tabs.infos())
            case a.ListFrames():
                return Performed(Happened(), value=(await self._look()).snapshot.frames)
            case a.SelectFrame():
                raise unable("It looks at all frames at once.", "Use a ref of the frame.")
            case a.ReadText():
                return await self._read(action, targets)
            case a.SelectTab() | a.OpenTab() | a.CloseTab():
                before = self.page
                await self._tabs.change(action, seconds)
                return await self._finish(Done(), before)
            case a.Wait():
                before = self.page
                await self._wait(action, seconds)
                return await self._finish(Done(), before)
            case _:
                return await self._act(action, targets, seconds)

    async def close(self) -> None:
        await self._server.end()

    # Looking

    async def _outline(self) -> str:
        reply = await self._server.call("browser_snapshot", {"boxes": True}, LOOK_SECONDS)
        if reply.dialog:
            raise _blocked_by(reply.dialog)
        if reply.outline is None:
            raise failure(reply) if reply.failed else ActionFailed("The page cannot be read.")
        return reply.outline

    async def _look(self, outline: str | None = None) -> Look:
        """The page now, with what only a question to the server tells of fields and frames."""
        tree = Tree(parse(await self._outline() if outline is None else outline))
        known = await self._server.ask(finding.inquiry_for(tree))
        page = Page(self.page, self._window, f"{self._server.place}/{self._tabs.label}")
        self._last = Look(show(tree, page, self._refs, known), tree, page, known)
        return self._last

    async def _resolve(self, look: Look, selector: AnySelector) -> Resolved:
        if not isinstance(selector, ByRef):
            return await self._describe(look, finding.find(look, selector, self._refs))
        bound = self._refs.get(selector.ref)
        place = look.place(bound)
        if place >= 0 and bound.ref == self._bind(look, place):
            return await self._describe(look, place)
        if place >= 0:
            now = look.tree.nodes[place]
            what = f"{bound.ref} ({bound.role} {bound.name[:80]!r})"
            raise RefInvalid(f"{what} has changed: it is now {now.role} {now.name[:80]!r}.")
        twin = self._refs.get(finding.twin_of(look, bound))
        described = await self._describe(look, look.place(twin))
        return finding.as_twin(described, bound.ref)

    def _bind(self, look: Look, place: int) -> str:
        node = look.tree.nodes[place]
        world = look.page.world(node.frame)
        for element in look.snapshot.elements:
            held = look.snapshot.frames[element.frame].world
            if element.ref and (element.node, held) == (node.number, world):
                return element.ref
        name = look.tree.name(place)
        return self._refs.bind(world, node.number, node.role, name)

    async def _describe(self, look: Look, place: int) -> Resolved:
        node = look.tree.nodes[place]
        if not node.number:
            raise ElementNotFound("It has no ref here.", next_step="Name a control.")
        about = Inquiry(refs=[node.target], main=look.tree.main, whole=True)
        known = (await self._server.ask(about)).get(node.target)
        return finding.describe(look, place, self._bind(look, place), known)

    def _is_named(self, target: Resolved) -> bool:
        """Whether the server can be told role and name as well; it finds nothing hidden by them."""
        look = self._last
        if look is None:
            return False
        place = look.place(self._refs.get(target.ref))
        return place >= 0 and finding.is_called(look.tree, place, target)

    async def _is_gone(self, target: Resolved) -> bool:
        try:
            look = await self._look()
        except DialogOpen:
            return False
        place = look.place(self._refs.get(target.ref))
        return place < 0 or (target.captcha and look.tree.nodes[place].has("checked"))

    async def _read(self, action: a.ReadText, targets: Sequence[Resolved]) -> Performed:
        if action.frame is not None:
            raise unable("It reads the page or one element.", "Leave the frame out.")
        look = await self._look()
        places = range(len(look.tree.nodes))
        if targets:
            place = look.place(self._refs.get(targets[0].ref))
            places = range(place, place + 1 + len(look.tree.inside(place)))
        text = finding.text_of(look, places)
        value = {"text": text[: action.max_length], "total": len(text)}
        return Performed(Happened(), value=value)

    async def _pause(self, seconds: float = PAUSE) -> None:
        await self._server.call("browser_wait_for", {"time": seconds})

    # Acting

    async def _act(
        self, action: a.AtomicAction, targets: Sequence[Resolved], seconds: float
    ) -> Performed:
        before = self.page
        await self._tabs.infos()
        self._check_server(action)
        done = await self._hands.do(action, targets, seconds)
        if isinstance(action, a.Screenshot):
            return Performed(Happened(), value=done.value, note=done.note)
        if done.reply and done.reply.chooser:
            # Nobody has said which file; an open chooser would block the page.
            await self._server.call("browser_file_upload")
        try:
            finished = await self._finish(done, before)
        except SubTerminatorError as fault:
            # It was done; only what it led to could not be seen.
            fault.delivered = action.effect != "look"
            raise
        return finished

    def _check_server(self, action: a.AtomicAction) -> None:
        """What was looked at in a server that has ended since is not acted on in the next one."""
        seen = self._last.page.place if self._last else ""
        is_same = not seen or seen.startswith(f"{self._server.place}/")
        if not is_same and not isinstance(action, a.Navigate):
            raise RefInvalid("The browser server was started anew: look at the page first.")

    async def _finish(self, done: Done, before: PageInfo) -> Performed:
        """What came of it: tabs, where the page is, and how it looks once it is at rest."""
        begun = time.monotonic()
        if self.dialog:
            return Performed(
                Happened(settled="busy", dialog=self.dialog), None, done.value, done.note
            )
        moved = await self._tabs.moved(self._is_outside)
        blocked = [*moved.blocked, *await self._come_back()]
        snapshot, is_quiet = await self._rest()
        reply = done.reply
        happened = Happened(
            settled="quiet" if is_quiet else "busy",
            navigations=_went(before, self.page),
            dialog=self.dialog,
            downloads=tuple(_saved(item) for item in (reply.saved if reply else ())),
            new_tabs=moved.opened,
            closed_tabs=moved.closed,
            file_chooser=bool(reply and reply.chooser),
            blocked=tuple(blocked),
            waited_ms=round((time.monotonic() - begun) * 1000),
        )
        left = f"the page had gone to {blocked[0][:100]}, and was taken back" if blocked else ""
        note = "; ".join(filter(None, (done.note, left, self._server.report())))
        return Performed(happened, snapshot, done.value, note)

    async def _rest(self) -> tuple[Snapshot | None, bool]:
        """Look until two looks are the same: this engine does not tell when a page has settled."""
        deadline = time.monotonic() + REST_SECONDS
        try:
            last, is_quiet = await self._outline(), False
            while not is_quiet and time.monotonic() < deadline:
                now = await self._outline()
                # Refs are part of it, so another document never looks the same.
                is_quiet, last = now == last, now
            return (await self._look(last)).snapshot, is_quiet
        except DialogOpen:
            return None, False

    def _is_outside(self, url: str) -> bool:
        if not self._sites or url == "about:blank":
            return False
        # An address that cannot be read is none that was allowed.
        return not covers(self._sites, host_of(url)) and not url.startswith("chrome-error:")

    async def _come_back(self) -> list[str]:
        """Leave a page outside the sites: back, and where that does not help, to an empty one."""
        url = self.page.url
        if not self._is_outside(url):
            return []
        await self._server.call("browser_navigate_back")
        await self._server.call("browser_snapshot")
        if self._is_outside(self.page.url):
            await self._server.call("browser_navigate", {"url": "about:blank"})
        return [url]

    # Waiting

    async def _wait(self, action: a.Wait, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                if action.time_ms is not None:
                    await self._pause(min(action.time_ms / 1000, 30))
                    return
                while not await self._holds(action):
                    await self._pause()
        except TimeoutError:
            raise Timeout(f"Waited {seconds:.1f} s, but it did not come.") from None

    async def _holds(self, action: a.Wait) -> bool:
        if action.quiet or action.load:
            return (await self._rest())[1]
        look = await self._look()
        if action.url is not None:
            return _matches(self.page.url, action.url)
        if action.target is not None:
            return await self._has_state(look, action)
        text = finding.text_of(look, range(len(look.tree.nodes))).casefold()
        wanted = " ".join((action.text or action.text_gone or "").split()).casefold()
        return (wanted in text) == (action.text is not None)

    async def _has_state(self, look: Look, action: a.Wait) -> bool:
        state = action.state or "visible"
        try:
            found = await self._resolve(look, parse_target(action.target or ""))
        except (ElementNotFound, RefInvalid):
            return state in {"gone", "hidden"}
        flag = {"disabled": Flag.DISABLED, "checked": Flag.CHECKED}.get(state)
        against = {"enabled": Flag.DISABLED, "unchecked": Flag.CHECKED}.get(state)
        if flag:
            return bool(found.flags & flag)
        if against:
            return not found.flags & against
        return state in {"visible", "exists"}


def _went(before: PageInfo, now: PageInfo) -> tuple[Navigation, ...]:
    return (Navigation(now.url),) if before.url != now.url else ()


def _matches(url: str, pattern: str) -> bool:
    wanted = pattern if "*" in pattern else f"*{pattern}*"
    # Only the star means something; the other signs of a pattern are common in addresses.
    wanted = wanted.replace("[", "[[]").replace("?", "[?]")
    return url == pattern or fnmatch.fnmatchcase(url, wanted)


def _saved(item: tuple[str, str]) -> Download:
    name, path = item
    return Download(id=name, url="", name=name, state="done", path=path)


def _blocked_by(dialog: DialogInfo) -> DialogOpen:
    return DialogOpen(f"A {dialog.kind} dialog is open: {dialog.message[:200]!r}.")

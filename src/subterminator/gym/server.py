"""The gym as a server: two origins on this machine, all flows, the calls of the harness."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Literal
from urllib.parse import quote

import msgspec
from msgspec import Struct

from subterminator.gym.account import OVER, PUBLIC, SHARED_EFFECTS, SHARED_PAGES
from subterminator.gym.control import Control, said
from subterminator.gym.document import Sheet, document
from subterminator.gym.flow import Effect, Flow, Origin, Page, Visit
from subterminator.gym.flows import FLOWS
from subterminator.gym.index import index
from subterminator.gym.parts import Go, Group, Text, View
from subterminator.gym.scene import Setup
from subterminator.gym.sessions import COOKIE, Sessions
from subterminator.gym.truth import Truth
from subterminator.gym.wire import LOOPBACK, Answer, Request, listening

NAMES = {LOOPBACK, "localhost"}


class Addresses(Struct, frozen=True):
    """Where a gym is."""

    site: str
    portal: str

    def start(self, flow: Flow, sid: str) -> str:
        """The address at which a session of a flow begins."""
        return f"{self.site}/{flow.id}/{flow.start}?sid={quote(sid)}"


class Seen(Struct, frozen=True):
    """Telemetry of a page: what a hand did."""

    kind: Literal["click", "edit"]
    words: str
    page: str


class Call(Struct, frozen=True):
    """One request to a flow's site, with what it is about."""

    request: Request
    at: Origin
    flow: Flow
    truth: Truth
    sid: str
    name: str


@asynccontextmanager
async def gym(
    setup: Setup | None = None,
    *,
    flows: Sequence[Flow] = FLOWS,
    port: int = 0,
    portal_port: int = 0,
    clock: Callable[[], float] = time.monotonic,
) -> AsyncIterator[Addresses]:
    """Run a gym on this machine for as long as the block lasts."""
    house = House(setup or Setup(), flows, clock)
    async with (
        listening(lambda request: house.respond("site", request), port) as site,
        listening(lambda request: house.respond("portal", request), portal_port) as portal,
    ):
        house.addresses = Addresses(f"http://{LOOPBACK}:{site}", f"http://{LOOPBACK}:{portal}")
        try:
            yield house.addresses
        finally:
            house.closing.set()


class House:
    """Answers requests to both origins."""

    def __init__(self, setup: Setup, flows: Sequence[Flow], clock: Callable[[], float]) -> None:
        self.setup = setup
        self.sessions = Sessions(flows, setup, clock)
        self.control = Control(self.sessions, setup.token)
        self.addresses = Addresses("", "")
        self.closing = asyncio.Event()

    async def respond(self, at: Origin, request: Request) -> Answer:
        # A page from elsewhere must not reach us under a name of its own.
        if request.headers.get("host", "").split(":")[0] not in NAMES:
            return said({"error": "This server answers only to the names of this machine."}, 403)
        if request.path.startswith("/__"):
            return self.control.answer(request)
        if request.path == "/" and not self.setup.token:
            return Answer(index(self.sessions.flows.values()))
        _, flow_id, *rest = f"{request.path}/".split("/")
        flow = self.sessions.flows.get(flow_id)
        if flow is None:
            return said({"error": "not here"}, 404)
        sid = self.sessions.sid(request)
        truth = self.sessions.truth(flow, sid)
        call = Call(request, at, flow, truth, sid, "/".join(rest).strip("/"))
        answer = self._signal(call) or await self._visit(call)
        cookie = f"{COOKIE}={sid}; Path=/{flow.id}; HttpOnly; SameSite=Lax"
        return msgspec.structs.replace(answer, headers=(*answer.headers, ("Set-Cookie", cookie)))

    def _signal(self, call: Call) -> Answer | None:
        """What a page's script says by itself; it is no step of the flow."""
        truth, request = call.truth, call.request
        match request.method, call.name:
            case "POST", "seen":
                try:
                    seen = msgspec.json.decode(request.body, type=Seen)
                except (msgspec.ValidationError, msgspec.DecodeError):
                    return Answer(status=400)
                truth.step(seen.kind, seen.page.rpartition("/")[2], seen.words)
                return Answer(status=204)
            case "GET", "ready":
                return said({"done": request.query.get("kind") in truth.human})
            case "POST", "cookies":
                truth.notes["cookies"] = "answered"
                if request.form.get("answer") == "all":
                    truth.harm("consent_given")
                return Answer(status=204)
            case _:
                return None

    async def _visit(self, call: Call) -> Answer:
        weather = self.sessions.weather(call.flow)
        if delay := weather.slow.get(call.name):
            await self._dawdle(delay)
        step = self._find(call)
        if weather.fails == call.name and not call.truth.failed:
            call.truth.failed = True
            if isinstance(step, Effect) and step.final:
                call.truth.step("lost", call.name, step.final)
            return self._broken(call)
        match step:
            case Page():
                return self._show(call, step)
            case Effect():
                return self._do(call, step)
            case None:
                says = call.flow.brand.wording
                return self._print(call, View(says.missing, (self._way_back(call),)), 404)

    async def _dawdle(self, seconds: float) -> None:
        """A slow answer is late, but never later than the end of the server."""
        try:
            async with asyncio.timeout(seconds):
                await self.closing.wait()
        except TimeoutError:
            return

    def _find(self, call: Call) -> Page | Effect | None:
        known: tuple[Page | Effect, ...]
        match call.request.method:
            case "GET" | "HEAD":
                known = (*call.flow.pages, *SHARED_PAGES)
            case "POST":
                known = (*call.flow.effects, *SHARED_EFFECTS)
            case _:
                return None
        return next((it for it in known if (it.name, it.at) == (call.name, call.at)), None)

    def _show(self, call: Call, page: Page) -> Answer:
        call.truth.step("load", call.name)
        if elsewhere := self._barred(call, page):
            return self._send(call, elsewhere)
        view = page.show(self._as_visit(call))
        return self._send(call, view) if isinstance(view, str) else self._print(call, view)

    def _do(self, call: Call, effect: Effect) -> Answer:
        call.truth.step("post", call.name, effect.final)
        if elsewhere := self._barred(call, effect):
            return self._send(call, elsewhere)
        ends = self.sessions.scene(call.flow).ends
        final = call.flow.brand.says(effect.final, date=ends)
        return self._send(call, effect.do(self._as_visit(call, final)))

    def _barred(self, call: Call, step: Page | Effect) -> str:
        """The page to go to instead: nobody is signed in, or there is nothing left to leave."""
        if not self._signed_in(call) and step.name not in PUBLIC:
            return "login"
        over = call.truth.account in OVER and not step.always
        return call.flow.start if over and step.name != call.flow.start else ""

    def _signed_in(self, call: Call) -> bool:
        return not call.flow.login or "login" in call.truth.human

    def _as_visit(self, call: Call, final: str = "") -> Visit:
        scene = self.sessions.scene(call.flow)
        return Visit(call.flow, call.truth, scene, call.request.form, call.request.query, final)

    def _print(self, call: Call, view: View, status: int = 200) -> Answer:
        if not self._signed_in(call):
            view = msgspec.structs.replace(view, guest=True)
        asks = "" if "cookies" in call.truth.notes else self.sessions.weather(call.flow).banner
        sheet = Sheet(
            flow=call.flow,
            scene=self.sessions.scene(call.flow),
            look=self.setup.skin,
            link=lambda name: self._link(call, name),
            banner=asks,
        )
        return Answer(document(sheet, view), status)

    def _send(self, call: Call, name: str) -> Answer:
        return Answer(status=303, headers=(("Location", self._link(call, name)),))

    def _broken(self, call: Call) -> Answer:
        says = call.flow.brand.wording
        parts = (Text(says.broken_text, "bad"), self._way_back(call))
        framed = call.request.headers.get("sec-fetch-dest") == "iframe"
        return self._print(call, View(says.broken, parts, bare=framed), 500)

    def _way_back(self, call: Call) -> Group:
        return Group((Go(call.flow.brand.wording.back, call.flow.start),))

    def _link(self, call: Call, name: str) -> str:
        """An address as this page must write it: with its origin if that is the other one."""
        known: tuple[Page | Effect, ...] = (*call.flow.pages, *call.flow.effects)
        at = next((it.at for it in known if it.name == name), "site")
        home = self.addresses.site if at == "site" else self.addresses.portal
        # Several sessions in one browser share its cookies; the address keeps them apart.
        sid = f"?sid={quote(call.sid)}" if "sid" in call.request.query or at != call.at else ""
        return f"{home if at != call.at else ''}/{call.flow.id}/{name}{sid}"

"""Does chores in the current tab: what a program may have done to the browser itself."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any, assert_never

from subterminator import chores as c
from subterminator.engine.borders import Borders
from subterminator.engine.cdp import Channel, Connection
from subterminator.engine.input import problem_with, world_of
from subterminator.engine.signals import Signals, plain_headers
from subterminator.engine.tab import Tab
from subterminator.engine.tabs import Tabs
from subterminator.errors import HandedOver, InvalidParams
from subterminator.signals import RequestSignal
from subterminator.types import Resolved

WORLD_SECONDS = 2.0
UNLIMITED = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}


class Chores:
    """One for a driver."""

    def __init__(
        self, connection: Connection, tabs: Tabs, borders: Borders, signals: Signals
    ) -> None:
        self._connection, self._tabs = connection, tabs
        self._borders, self._signals = borders, signals
        borders.interception.tell = self._tell_held

    async def do(self, chore: c.Chore, targets: Sequence[Resolved]) -> Any:
        tab = self._tabs.current.tab
        match chore:
            case c.ReadSource() | c.Inspect() | c.FindInside() | c.Print() | c.Redraw():
                return await _look(tab, chore, targets)
            case (
                c.ReadCookies() | c.WriteCookies() | c.ClearCookies() | c.ReadStorage()
                | c.WriteStorage()
            ):  # fmt: skip
                return await _keep(tab, chore)
            case c.SetViewport() | c.SetUserAgent() | c.SetLocation() | c.SetLocale():
                return await self._emulate(tab, chore)
            case c.SetOffline(offline=offline):
                # The rules of the borders and this one undo each other: both are set anew.
                method = "Network.emulateNetworkConditions"
                await tab.channel.call(method, offline=offline, **UNLIMITED)
                if not offline:
                    self._borders.renew()
                    await self._borders.ready()
            case c.Intercept():
                self._borders.interception.set(chore)
                self._borders.renew()
                await self._borders.ready()
            case c.Release():
                self._borders.interception.release(chore)
            case _:
                assert_never(chore)
        return None

    def _tell_held(self, channel: Channel, event: dict[str, Any]) -> None:
        request = event["request"]
        self._signals.tell(
            RequestSignal(
                self._signals.place(channel).label,
                event["requestId"],
                request["url"],
                request["method"],
                event.get("resourceType", "Other").lower(),
                plain_headers(request["headers"]),
                held=True,
            )
        )

    async def _emulate(
        self, tab: Tab, chore: c.SetViewport | c.SetUserAgent | c.SetLocation | c.SetLocale
    ) -> None:
        call = tab.channel.call
        match chore:
            case c.SetViewport(width=width, height=height):
                tab.viewport = (width, height)
                await call(
                    "Emulation.setDeviceMetricsOverride",
                    width=width,
                    height=height,
                    deviceScaleFactor=chore.scale_factor,
                    mobile=chore.mobile,
                )
                await call("Emulation.setTouchEmulationEnabled", enabled=chore.touch)
            case c.SetUserAgent(user_agent=agent, platform=platform):
                about = {"platform": platform} if platform else {}
                await call("Emulation.setUserAgentOverride", userAgent=agent, **about)
            case c.SetLocation():
                await self._connection.root.call(
                    "Browser.grantPermissions", permissions=["geolocation"]
                )
                await call(
                    "Emulation.setGeolocationOverride",
                    latitude=chore.latitude,
                    longitude=chore.longitude,
                    accuracy=chore.accuracy,
                )
            case c.SetLocale(locale=locale, timezone=timezone, colour_scheme=scheme):
                if locale:
                    await call("Emulation.setLocaleOverride", locale=locale)
                if timezone:
                    await call("Emulation.setTimezoneOverride", timezoneId=timezone)
                if scheme:
                    features = [{"name": "prefers-color-scheme", "value": scheme}]
                    await call("Emulation.setEmulatedMedia", features=features)


# Looking


async def _look(
    tab: Tab,
    chore: c.ReadSource | c.Inspect | c.FindInside | c.Print | c.Redraw,
    targets: Sequence[Resolved],
) -> Any:
    match chore:
        case c.ReadSource(max_length=limit):
            main = await tab.frames.world(tab.frames.main, WORLD_SECONDS)
            return await main.run("actor.source", limit)
        case c.Inspect(properties=wanted):
            _, world = world_of(tab, targets[0])
            told = await world.run("actor.inspect", targets[0].node, wanted)
            if problem := problem_with(targets[0], told):
                raise problem
            return told
        case c.FindInside():
            _, world = world_of(tab, targets[0])
            inside = await world.run("actor.inside", targets[0].node)
            return {"world": targets[0].world, "nodes": inside}
        case c.Print():
            return await _print(tab, chore)
        case c.Redraw():
            main = await tab.frames.world(tab.frames.main, WORLD_SECONDS)
            return base64.b64decode(await main.run("actor.annotate", *_drawing(chore)))


def _drawing(chore: c.Redraw) -> tuple[object, ...]:
    clip = chore.clip or (0, 0, *chore.size)
    style = {
        "format": chore.format,
        "quality": chore.quality,
        "colour": chore.colour,
        "text": chore.text_colour,
    }
    return base64.b64encode(chore.data).decode(), chore.size[0], clip, chore.marks, style


async def _print(tab: Tab, chore: c.Print) -> bytes:
    for frame in tab.frames.in_order():
        if frame.world and await frame.world.run("actor.holdsSecret"):
            raise HandedOver(
                "A field that only the person may read holds something: it is not printed.",
                next_step="Print the page when that field is empty.",
                rule="secret-field",
            )
    top, right, bottom, left = chore.margins
    printed = await tab.channel.call(
        "Page.printToPDF",
        landscape=chore.landscape,
        printBackground=chore.background,
        scale=chore.scale,
        paperWidth=chore.paper[0],
        paperHeight=chore.paper[1],
        marginTop=top,
        marginRight=right,
        marginBottom=bottom,
        marginLeft=left,
    )
    return base64.b64decode(printed["data"])


# What the browser keeps


async def _keep(
    tab: Tab,
    chore: c.ReadCookies | c.WriteCookies | c.ClearCookies | c.ReadStorage | c.WriteStorage,
) -> Any:
    match chore:
        case c.ReadCookies(urls=urls):
            return [_cookie(found) for found in await _cookies(tab, urls)]
        case c.WriteCookies(cookies=cookies):
            await tab.channel.call("Network.setCookies", cookies=[_param(one) for one in cookies])
        case c.ClearCookies(urls=urls):
            for found in await _cookies(tab, urls):
                await _delete(tab, found)
        case c.ReadStorage():
            return await _read_storage(tab)
        case c.WriteStorage(origins=origins):
            await _write_storage(tab, {one.origin: one for one in origins})
    return None


async def _read_storage(tab: Tab) -> list[dict[str, Any]]:
    kept: dict[str, dict[str, Any]] = {}
    for frame in tab.frames.in_order():
        if frame.world and (told := await frame.world.run("actor.storage")):
            kept.setdefault(told["origin"], told)
    return list(kept.values())


async def _write_storage(tab: Tab, wanted: dict[str, c.OriginStorage]) -> None:
    for frame in tab.frames.in_order():
        if not frame.world or not wanted:
            continue
        told = await frame.world.run("actor.storage")
        if told and (own := wanted.pop(told["origin"], None)):
            await frame.world.run("actor.restore", own)
    if wanted:
        raise InvalidParams(
            f"No document of {', '.join(sorted(wanted))[:200]} is open to keep this for.",
            next_step="Navigate there first, then set the state again.",
        )


async def _cookies(tab: Tab, urls: Sequence[str]) -> list[dict[str, Any]]:
    # Those of the whole context; Network.getCookies gives those of some addresses.
    if urls:
        answer = await tab.channel.call("Network.getCookies", urls=list(urls))
    else:
        answer = await tab.channel.call("Network.getAllCookies")
    found: list[dict[str, Any]] = answer["cookies"]
    return found


async def _delete(tab: Tab, cookie: dict[str, Any]) -> None:
    await tab.channel.call(
        "Network.deleteCookies",
        name=cookie["name"],
        domain=cookie["domain"],
        path=cookie["path"],
    )


def _cookie(found: dict[str, Any]) -> c.Cookie:
    return c.Cookie(
        found["name"],
        found["value"],
        found["domain"],
        found["path"],
        expires=found.get("expires", -1),
        http_only=found["httpOnly"],
        secure=found["secure"],
        same_site=found.get("sameSite", "Lax"),
    )


def _param(cookie: c.Cookie) -> dict[str, Any]:
    if not cookie.domain and not cookie.url:
        raise InvalidParams(
            f"The cookie {cookie.name[:60]!r} belongs to no site.",
            next_step="Give its domain or url.",
        )
    param: dict[str, Any] = {
        "name": cookie.name,
        "value": cookie.value,
        "path": cookie.path,
        "httpOnly": cookie.http_only,
        "secure": cookie.secure,
        "sameSite": cookie.same_site,
    }
    param |= {"domain": cookie.domain} if cookie.domain else {"url": cookie.url}
    return param if cookie.expires < 0 else {**param, "expires": cookie.expires}

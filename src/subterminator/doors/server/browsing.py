"""Methods for the connection, browsers, contexts, pages and frames."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from typing import Any, Literal
from uuid import uuid4

from msgspec import UNSET

from subterminator import actions as a
from subterminator import chores as c
from subterminator.doors.server import params as p
from subterminator.doors.server import results as r
from subterminator.doors.server.acting import ACTIONS, check_address, limit, target
from subterminator.doors.server.caller import Caller
from subterminator.doors.server.events import NAMES
from subterminator.doors.server.observing import observe_now
from subterminator.doors.server.pages import Context
from subterminator.errors import FrameNotFound, InvalidParams, PageNotFound
from subterminator.types import FrameInfo, Resolved, TabInfo

PROTOCOL = "0.7.0"
OBSERVATIONS = ("screenshot", "accessibility", "dom", "element", "pdf", "content")
BROWSERS = ("chromium", "firefox", "webkit")


# The connection


async def initialize(caller: Caller, given: p.Initialize) -> r.Initialized:
    client, limits = caller.client, caller.service.limits
    client.streaming = given.capabilities.streaming
    known = client.session_id
    return r.Initialized(
        protocol_version=PROTOCOL,
        server_info=r.Info(name="subterminator", version=version("subterminator")),
        capabilities=r.Capabilities(
            # Published clients compare this list; what is not there says so when it is asked for.
            browsers=BROWSERS,
            events=NAMES,
            observations=OBSERVATIONS,
            actions=tuple(name[7:] for name in ACTIONS if name.startswith("action/")),
            features={
                "autoWait": True,
                "tracing": True,
                "storageState": True,
                "networkInterception": True,
                "semanticSelectors": True,
                "multiPage": True,
            },
            limits={
                "maxPages": limits.pages,
                "maxTimeout": 25_000,
                "maxScreenshotSize": 52_428_800,
            },
            streaming=True,
        ),
        session_id=known or UNSET,
        resumed=client.resumed if known else UNSET,
    )


async def do_nothing(caller: Caller, given: p.Nothing) -> None:
    return None


async def shutdown(caller: Caller, given: p.Shutdown) -> None:
    await caller.service.close_client(caller.client)


async def subscribe(caller: Caller, given: p.Subscribe) -> None:
    """What there is none of is passed over: clients of other versions know other events."""
    caller.client.subscribed |= {name for name in given.events if name in NAMES}


async def cancel_stream(caller: Caller, given: p.StreamCancel) -> r.Cancelled:
    return r.Cancelled(cancelled=caller.streams.cancel(given.stream_id))


async def respond(caller: Caller, given: p.ApprovalRespond) -> r.Acknowledged:
    caller.service.desk.answer(caller.who, given)
    return r.Acknowledged(acknowledged=True)


# Browser


async def launch(caller: Caller, given: p.Launch) -> r.Launched:
    service, client = caller.service, caller.client
    service.browsers.read(given)
    await service.close_client(client)
    client.browser, ignored = await service.browsers.take(given)
    context = await service.open_context(client, None, p.ContextOptions())
    client.default = context.id
    return r.Launched(
        browser_id=f"browser-{uuid4()}",
        browser="chromium",
        version=client.browser.version,
        default_context=context.id,
        ignored=ignored,
    )


async def close_browser(caller: Caller, given: p.CloseBrowser) -> None:
    caller.client.context()
    await caller.service.close_client(caller.client)


# Contexts


async def create_context(caller: Caller, given: p.ContextCreate) -> r.ContextCreated:
    caller.client.context()
    state = given.options.storage_state
    if state and state.origins:
        raise InvalidParams(
            "What origins keep can be set only where a page of theirs is open.",
            next_step="Create the context with cookies only, navigate, then storage/setState.",
        )
    context = await caller.service.open_context(caller.client, given.context_id, given.options)
    if state and state.cookies:
        await context.session.chore(c.WriteCookies(cookies=state.cookies))
    return r.ContextCreated(context_id=context.id)


async def list_contexts(caller: Caller, given: p.Nothing) -> r.Contexts:
    contexts = caller.client.contexts.values()
    infos = tuple(
        r.ContextInfo(
            id=one.id,
            page_count=len(one.pages),
            created=one.created,
            **({"options": one.options} if one.options != p.ContextOptions() else {}),
        )
        for one in contexts
    )
    most = caller.service.limits.contexts
    return r.Contexts(contexts=infos, limits={"maxContexts": most, "currentCount": len(infos)})


async def destroy_context(caller: Caller, given: p.ContextDestroy) -> r.ContextDestroyed:
    client = caller.client
    context = client.context(given.context_id)
    count = len(context.pages)
    del client.contexts[context.id]
    await context.close()
    if client.default == context.id:
        client.default = next(iter(client.contexts), "")
    client.settle_active()
    return r.ContextDestroyed(pages_destroyed=count)


# Pages


async def create_page(caller: Caller, given: p.PageCreate) -> r.Page:
    client = caller.client
    if given.url is not None:
        check_address(given.url)
    context = client.context(given.context_id)
    page = await context.create(caller.service.limits.pages)
    client.active = page
    await _set_up(context, page, given)
    if given.url is not None and given.url != "about:blank":
        _name_site(caller, context, given.url)
        await context.do(page, a.Navigate(given.url))
    tabs = await context.list_tabs()
    return _page(context, page, tabs[page]) if page in tabs else _gone(page)


def _gone(page: str) -> r.Page:
    raise PageNotFound(f"Page not found: {page}", pageId=page)


async def _set_up(context: Context, page: str, given: p.PageCreate) -> None:
    """A page looks as its context wants it, unless it is told otherwise."""
    options = context.options
    if size := given.viewport or options.viewport:
        await context.chore(page, c.SetViewport(width=size.width, height=size.height))
        context.sizes[page] = (size.width, size.height)
    if agent := given.user_agent or options.user_agent:
        await context.chore(page, c.SetUserAgent(user_agent=agent))
    if place := given.geolocation or options.geolocation:
        location = c.SetLocation(
            latitude=place.latitude, longitude=place.longitude, accuracy=place.accuracy
        )
        await context.chore(page, location)
    if options.locale or options.timezone_id or options.color_scheme:
        looks = c.SetLocale(
            locale=options.locale,
            timezone=options.timezone_id,
            colour_scheme=options.color_scheme,
        )
        await context.chore(page, looks)
    if options.offline:
        await context.chore(page, c.SetOffline(offline=True))


def _name_site(caller: Caller, context: Context, url: str) -> None:
    """A client that may navigate names further sites by going there, unless they were fixed."""
    if not caller.service.settings.sites:
        context.session.name_site(url)


async def navigate(caller: Caller, given: p.Navigate) -> r.Navigated:
    context, page = caller.page(given.page_id)
    url = check_address(given.url)
    if url != "about:blank":
        _name_site(caller, context, url)
    context.responses.pop(page, None)
    context.request = {"method": "page/navigate", "params": {"url": url.partition("?")[0]}}
    result = await context.do(
        page, a.Navigate(url, given.wait_until, timeout_ms=limit(given.timeout))
    )
    answered = context.responses.get(page)
    seen: dict[str, Any] = {}
    if given.observe:
        seen["observation"] = await observe_now(caller, context, page, given.observe, fresh=False)
    return r.Navigated(
        url=result.page.url,
        status=answered.status if answered else 0,
        headers=answered.headers if answered else {},
        ignored=("referer",) if given.referer else (),
        **seen,
    )


async def close_page(caller: Caller, given: p.ClosePage) -> None:
    context, page = caller.page(given.page_id)
    await context.close_page(page)
    caller.client.settle_active()


async def list_pages(caller: Caller, given: p.Nothing) -> r.Pages:
    pages: list[r.Page] = []
    contexts = list(caller.client.contexts.values())
    for context, tabs in zip(
        contexts, await asyncio.gather(*(one.list_tabs() for one in contexts)), strict=True
    ):
        pages += [_page(context, page, tab) for page, tab in tabs.items()]
    caller.client.settle_active()
    return r.Pages(pages=tuple(pages), active_page=caller.client.active)


async def activate_page(caller: Caller, given: p.ActivatePage) -> None:
    _, caller.client.active = caller.page(given.page_id)


def _page(context: Context, page: str, tab: TabInfo) -> r.Page:
    width, height = context.sizes.get(page, context.size)
    status: Literal["ready", "error"] = "ready"
    if tab.url.startswith("chrome-error:"):
        status = "error"
    view = r.Viewport(width=width, height=height)
    return r.Page(id=page, url=tab.url, title=tab.title, viewport=view, status=status)


# Frames


async def list_frames(caller: Caller, given: p.OfPage) -> r.Frames:
    context, page = caller.page(given.page_id)
    frames = (await context.do(page, a.ListFrames())).value
    return r.Frames(frames=tuple(_frame(frame, frames) for frame in frames))


def _frame(frame: FrameInfo, frames: tuple[FrameInfo, ...]) -> r.Frame:
    above = {} if frame.index == 0 else {"parent_frame_id": frames[frame.parent].id}
    return r.Frame(
        frame_id=frame.id, name=frame.name, url=frame.url, is_main=frame.index == 0, **above
    )


async def switch_frame(caller: Caller, given: p.FrameSwitch) -> r.FrameSwitched:
    """By id, by the element that holds it, or by a part of its address."""
    context, page = caller.page(given.page_id)
    frames: tuple[FrameInfo, ...] = (await context.do(page, a.ListFrames())).value
    held: Resolved | None = None
    if given.selector:
        held = (await context.do(page, a.Scroll(target(given.selector)))).target
    for frame in frames:
        if _is_meant(frame, frames, given, held):
            await context.do(page, a.SelectFrame(frame.id))
            return r.FrameSwitched(frame_id=frame.id, url=frame.url)
    wanted = given.frame_id or given.url or "what was asked for"
    raise FrameNotFound(f"Frame not found: {wanted[:100]}", identifier=wanted[:100])


def _is_meant(
    frame: FrameInfo,
    frames: tuple[FrameInfo, ...],
    given: p.FrameSwitch,
    held: Resolved | None,
) -> bool:
    if given.frame_id is not None:
        return frame.id == given.frame_id
    if held is not None:
        inside = frame.index > 0 and frames[frame.parent].world == held.world
        return inside and frame.owner == held.node
    return given.url is not None and given.url in frame.url


async def main_frame(caller: Caller, given: p.OfPage) -> r.MainFrame:
    context, page = caller.page(given.page_id)
    frames: tuple[FrameInfo, ...] = (await context.do(page, a.ListFrames())).value
    await context.do(page, a.SelectFrame(None))
    return r.MainFrame(frame_id=frames[0].id)

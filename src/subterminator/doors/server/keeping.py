"""Methods for what a browser keeps and pretends: storage, requests, emulation, traces."""

from __future__ import annotations

import base64

from msgspec import convert

from subterminator import chores as c
from subterminator.doors.server import params as p
from subterminator.doors.server import results as r
from subterminator.doors.server import wishes as w
from subterminator.doors.server.caller import Caller
from subterminator.errors import InvalidParams
from subterminator.types import Download


async def get_state(caller: Caller, given: p.OfPage) -> r.State:
    context, page = caller.page(given.page_id)
    cookies = await context.chore(page, c.ReadCookies())
    origins = await context.chore(page, c.ReadStorage())
    kept = convert(origins, tuple[c.OriginStorage, ...])
    return r.State(cookies=tuple(cookies), origins=kept)


async def set_state(caller: Caller, given: w.SetState) -> None:
    context, page = caller.page(given.page_id)
    await context.chore(page, c.WriteCookies(cookies=given.state.cookies))
    if given.state.origins:
        await context.chore(page, c.WriteStorage(origins=given.state.origins))


async def get_cookies(caller: Caller, given: w.OfUrls) -> r.Cookies:
    context, page = caller.page(given.page_id)
    return r.Cookies(cookies=tuple(await context.chore(page, c.ReadCookies(urls=given.urls))))


async def set_cookies(caller: Caller, given: w.SetCookies) -> None:
    context, page = caller.page(given.page_id)
    await context.chore(page, c.WriteCookies(cookies=given.cookies))


async def clear_cookies(caller: Caller, given: w.OfUrls) -> None:
    context, page = caller.page(given.page_id)
    await context.chore(page, c.ClearCookies(urls=given.urls))


# Requests


async def intercept(caller: Caller, given: w.Intercept) -> None:
    context, page = caller.page(given.page_id)
    await context.chore(page, c.Intercept(patterns=given.patterns, handler=given.handler))


async def fulfill(caller: Caller, given: w.Fulfill) -> None:
    context, page = caller.page(given.page_id)
    answer = given.response
    headers = dict(answer.headers)
    if answer.content_type:
        headers["content-type"] = answer.content_type
    # Nobody waits for the page's turn here: what holds the turn may wait for this request.
    release = c.Release(
        request=given.request_id,
        how="fulfill",
        status=answer.status,
        headers=tuple(headers.items()),
        body=answer.body,
    )
    await context.session.release(release)


async def abort(caller: Caller, given: w.Abort) -> None:
    context, _ = caller.page(given.page_id)
    release = c.Release(request=given.request_id, how="abort", reason=given.reason)
    await context.session.release(release)


async def continue_request(caller: Caller, given: w.Continue) -> None:
    context, _ = caller.page(given.page_id)
    if given.overrides:
        raise InvalidParams(
            "A request goes on as the page made it, or not at all.",
            next_step="Send network/continue without overrides, or network/abort.",
        )
    await context.session.release(c.Release(request=given.request_id, how="continue"))


# Emulation


async def set_viewport(caller: Caller, given: w.SetViewport) -> None:
    context, page = caller.page(given.page_id)
    await context.chore(
        page,
        c.SetViewport(
            width=given.width,
            height=given.height,
            scale_factor=given.device_scale_factor,
            mobile=given.is_mobile,
            touch=given.has_touch,
        ),
    )
    context.sizes[page] = (given.width, given.height)


async def set_user_agent(caller: Caller, given: w.SetUserAgent) -> None:
    context, page = caller.page(given.page_id)
    agent = c.SetUserAgent(user_agent=given.user_agent, platform=given.platform[:100])
    await context.chore(page, agent)


async def set_geolocation(caller: Caller, given: w.SetGeolocation) -> None:
    context, page = caller.page(given.page_id)
    place = c.SetLocation(
        latitude=given.latitude, longitude=given.longitude, accuracy=given.accuracy
    )
    await context.chore(page, place)


async def set_offline(caller: Caller, given: w.SetOffline) -> None:
    context, page = caller.page(given.page_id)
    await context.chore(page, c.SetOffline(offline=given.offline))


# Traces and downloads


async def start_trace(caller: Caller, given: w.TraceStart) -> None:
    caller.client.context()
    caller.client.trace.start()


async def stop_trace(caller: Caller, given: p.Nothing) -> r.Trace:
    return r.Trace(data=base64.b64encode(caller.client.trace.stop()).decode())


async def list_downloads(caller: Caller, given: p.OfPage) -> list[Download]:
    """Files that pages gave since the context was made; they go with it."""
    context, _ = caller.page(given.page_id)
    return list(context.downloads)

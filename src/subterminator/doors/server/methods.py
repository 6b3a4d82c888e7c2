"""The table of all methods: what each is given, what it answers, which scope it needs, who does it.

A method that is not in it does not exist. Both spellings of a method are one line each.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from subterminator.doors.server import agent, browsing, calls, keeping, observing
from subterminator.doors.server import params as p
from subterminator.doors.server import results as r
from subterminator.doors.server import wishes as w
from subterminator.doors.server.acting import ACTIONS
from subterminator.doors.server.caller import Caller
from subterminator.safety.scopes import Scopes

Handler = Callable[[Caller, Any], Awaitable[object]]
# These are for a person's token and for no other.
PERSONAL = frozenset({"approval/respond"})
FREE = "free"


class Method(NamedTuple):
    """`scopes`: one of them is enough. FREE is for everybody who was let in."""

    handler: Handler
    params: type[p.Params]
    result: Any
    scopes: tuple[str, ...]

    def allowed(self, scopes: Scopes) -> bool:
        return any(scope == FREE or _allows(scopes, scope) for scope in self.scopes)


def _allows(scopes: Scopes, scope: str) -> bool:
    if scope == "action:any":
        # A sequence needs the scope of each of its steps, which is looked at step by step.
        return any(scopes.allow(kind.scope) for kind in ACTIONS.values())
    if scope == "observe:any":
        return any(
            scopes.allow(f"observe:{name}")
            for name in ("accessibility", "dom", "content", "element", "screenshot")
        )
    return scopes.allow(scope)


def _acts() -> dict[str, Method]:
    own: dict[str, Handler] = {
        "action/click": calls.click,
        "action/dblclick": calls.double_click,
        "page/navigate": browsing.navigate,
    }
    return {
        name: Method(
            own.get(name) or calls.act_by(name),
            kind.params,
            r.Navigated if name == "page/navigate" else None,
            (kind.scope,),
        )
        for name, kind in ACTIONS.items()
    }


_OBSERVE = Method(observing.observe, p.Observe, r.Observation, ("observe:accessibility",))
_ACT = Method(agent.act, w.Act, r.Acted, ("action:any", "page:navigate"))

METHODS: dict[str, Method] = {
    "initialize": Method(browsing.initialize, p.Initialize, r.Initialized, (FREE,)),
    "notifications/initialized": Method(browsing.do_nothing, p.Nothing, None, (FREE,)),
    "shutdown": Method(browsing.shutdown, p.Shutdown, None, (FREE,)),
    "events/subscribe": Method(browsing.subscribe, p.Subscribe, None, ("observe:any",)),
    "stream/cancel": Method(browsing.cancel_stream, p.StreamCancel, r.Cancelled, ("observe:any",)),
    "approval/respond": Method(browsing.respond, p.ApprovalRespond, r.Acknowledged, (FREE,)),
    "browser/launch": Method(browsing.launch, p.Launch, r.Launched, ("browser:launch",)),
    "browser/close": Method(browsing.close_browser, p.CloseBrowser, None, ("browser:close",)),
    "context/create": Method(
        browsing.create_context, p.ContextCreate, r.ContextCreated, ("context:create",)
    ),
    "context/list": Method(browsing.list_contexts, p.Nothing, r.Contexts, ("context:read",)),
    "context/destroy": Method(
        browsing.destroy_context, p.ContextDestroy, r.ContextDestroyed, ("context:destroy",)
    ),
    "page/create": Method(browsing.create_page, p.PageCreate, r.Page, ("page:create",)),
    "page/close": Method(browsing.close_page, p.ClosePage, None, ("page:close",)),
    "page/list": Method(browsing.list_pages, p.Nothing, r.Pages, ("page:read",)),
    "page/activate": Method(browsing.activate_page, p.ActivatePage, None, ("page:read",)),
    "frame/list": Method(browsing.list_frames, p.OfPage, r.Frames, ("page:read",)),
    "frame/switch": Method(
        browsing.switch_frame, p.FrameSwitch, r.FrameSwitched, ("page:navigate",)
    ),
    "frame/main": Method(browsing.main_frame, p.OfPage, r.MainFrame, ("page:navigate",)),
    **_acts(),
    "dialog/handle": Method(calls.handle_dialog, p.DialogHandle, None, ("action:click",)),
    "observe/screenshot": Method(
        observing.screenshot, w.Screenshot, r.Screenshot, ("observe:screenshot",)
    ),
    "observe/accessibility": Method(
        observing.accessibility, w.Accessibility, r.Tree, ("observe:accessibility",)
    ),
    "observe/dom": Method(observing.dom, w.Dom, r.Dom, ("observe:dom",)),
    "observe/element": Method(observing.element, w.Element, dict[str, Any], ("observe:element",)),
    "observe/pdf": Method(observing.pdf, w.Pdf, r.Pdf, ("observe:pdf",)),
    "observe/content": Method(observing.content, w.Content, r.Content, ("observe:content",)),
    "observe/ariaSnapshot": Method(
        observing.aria_snapshot, w.AriaSnapshot, r.AriaSnapshot, ("observe:accessibility",)
    ),
    "discovery/discover": Method(observing.discover, w.Discover, r.Tools, ("observe:dom",)),
    "storage/getState": Method(keeping.get_state, p.OfPage, r.State, ("storage:read",)),
    "storage/setState": Method(keeping.set_state, w.SetState, None, ("storage:write",)),
    "storage/getCookies": Method(keeping.get_cookies, w.OfUrls, r.Cookies, ("storage:read",)),
    "storage/setCookies": Method(keeping.set_cookies, w.SetCookies, None, ("storage:write",)),
    "storage/clearCookies": Method(keeping.clear_cookies, w.OfUrls, None, ("storage:write",)),
    "network/intercept": Method(keeping.intercept, w.Intercept, None, ("network:intercept",)),
    "network/fulfill": Method(keeping.fulfill, w.Fulfill, None, ("network:intercept",)),
    "network/abort": Method(keeping.abort, w.Abort, None, ("network:intercept",)),
    "network/continue": Method(keeping.continue_request, w.Continue, None, ("network:intercept",)),
    "emulate/setViewport": Method(keeping.set_viewport, w.SetViewport, None, ("emulate:viewport",)),
    "emulate/setUserAgent": Method(
        keeping.set_user_agent, w.SetUserAgent, None, ("emulate:viewport",)
    ),
    "emulate/setGeolocation": Method(
        keeping.set_geolocation, w.SetGeolocation, None, ("emulate:geolocation",)
    ),
    "emulate/setOffline": Method(keeping.set_offline, w.SetOffline, None, ("emulate:offline",)),
    "trace/start": Method(keeping.start_trace, w.TraceStart, None, ("trace:start",)),
    "trace/stop": Method(keeping.stop_trace, p.Nothing, r.Trace, ("trace:stop",)),
    "agent/act": _ACT,
    "agent/execute": _ACT,
    "agent/observe": _OBSERVE,
    "agent/snapshot": _OBSERVE,
    "agent/extract": Method(agent.extract_data, w.Extract, r.Extracted, ("observe:accessibility",)),
    "subterminator/call": Method(
        agent.call, w.Call, r.Called, ("observe:accessibility", "action:any")
    ),
    "subterminator/downloads": Method(
        keeping.list_downloads, p.OfPage, list[dict[str, Any]], ("page:read",)
    ),
}

"""What methods that look, keep or plan are given, as data; see `params` for the others."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from subterminator.chores import Cookie, Handler, Pattern, Property
from subterminator.doors.server.params import (
    Address,
    Id,
    Milliseconds,
    Observe,
    OfPage,
    Params,
    Side,
    StorageState,
    Words,
)
from subterminator.targets import AnySelector

# Looking


class Clip(Params, frozen=True):
    x: Annotated[float, Meta(ge=0, le=20_000)]
    y: Annotated[float, Meta(ge=0, le=20_000)]
    width: Annotated[float, Meta(gt=0, le=20_000)]
    height: Annotated[float, Meta(gt=0, le=20_000)]


class ScreenshotOptions(Params, frozen=True):
    full_page: bool = False
    clip: Clip | None = None
    format: Literal["png", "jpeg", "webp"] = "jpeg"
    quality: Annotated[int, Meta(ge=0, le=100)] = 80
    scale: Literal["css", "device"] = "css"
    mask: tuple[dict[str, Any], ...] = ()


class Screenshot(OfPage, frozen=True):
    options: ScreenshotOptions = ScreenshotOptions()


class AccessibilityOptions(Params, frozen=True):
    root: AnySelector | None = None
    max_depth: Annotated[int, Meta(ge=1, le=1_000)] | None = None
    include_hidden: bool = False
    interesting_only: bool = True


class Accessibility(OfPage, frozen=True):
    options: AccessibilityOptions = AccessibilityOptions()


class Dom(OfPage, frozen=True):
    options: dict[str, Any] | None = None


class Element(OfPage, frozen=True):
    selector: AnySelector
    properties: Annotated[tuple[Property, ...], Meta(max_length=20)] = ()


class Margin(Params, frozen=True):
    top: float | str = 0.4
    right: float | str = 0.4
    bottom: float | str = 0.4
    left: float | str = 0.4


class PdfOptions(Params, frozen=True):
    format: Words = "letter"
    landscape: bool = False
    scale: Annotated[float, Meta(ge=0.1, le=2)] = 1.0
    margin: Margin = Margin()
    print_background: bool = False


class Pdf(OfPage, frozen=True):
    options: PdfOptions = PdfOptions()


class Content(OfPage, frozen=True):
    format: Literal["html", "text", "markdown"] = "text"


class AriaSnapshotOptions(Params, frozen=True):
    timeout: Milliseconds | None = None


class AriaSnapshot(OfPage, frozen=True):
    selector: AnySelector | None = None
    options: AriaSnapshotOptions = AriaSnapshotOptions()


class DiscoverOptions(Params, frozen=True):
    max_tools: Annotated[int, Meta(ge=1, le=500)] = 50
    include_input_schemas: bool = True


class Discover(OfPage, frozen=True):
    options: DiscoverOptions = DiscoverOptions()


# Storage, network, emulation, traces


class SetState(OfPage, frozen=True):
    state: StorageState


class OfUrls(OfPage, frozen=True):
    urls: Annotated[tuple[Address, ...], Meta(max_length=1_000)] = ()


class SetCookies(OfPage, frozen=True):
    cookies: Annotated[tuple[Cookie, ...], Meta(max_length=1_000)]


class Intercept(OfPage, frozen=True):
    patterns: Annotated[tuple[Pattern, ...], Meta(max_length=100)]
    handler: Handler


class Response(Params, frozen=True):
    status: Annotated[int, Meta(ge=100, le=599)] = 200
    headers: dict[str, Words] = {}
    body: Annotated[str, Meta(max_length=10_000_000)] = ""
    content_type: Words = ""


class Fulfill(OfPage, frozen=True):
    request_id: Id
    response: Response = Response()


class Abort(OfPage, frozen=True):
    request_id: Id
    reason: Literal["aborted", "accessdenied", "blockedbyclient", "failed"] = "failed"


class Continue(OfPage, frozen=True):
    """Unchanged: `overrides` are refused."""

    request_id: Id
    overrides: dict[str, Any] | None = None


class SetViewport(OfPage, frozen=True):
    width: Side
    height: Side
    device_scale_factor: Annotated[float, Meta(ge=0.1, le=5)] = 1.0
    is_mobile: bool = False
    has_touch: bool = False


class SetUserAgent(OfPage, frozen=True):
    user_agent: Annotated[str, Meta(min_length=1, max_length=1_000)]
    platform: Words = ""


class SetGeolocation(OfPage, frozen=True):
    latitude: Annotated[float, Meta(ge=-90, le=90)]
    longitude: Annotated[float, Meta(ge=-180, le=180)]
    accuracy: Annotated[float, Meta(ge=0)] = 10.0


class SetOffline(OfPage, frozen=True):
    offline: bool


class TraceStart(Params, frozen=True):
    name: Words = ""
    screenshots: bool = False
    snapshots: bool = False
    sources: bool = False


# For agents


class StepCondition(Params, frozen=True):
    selector: AnySelector
    state: Literal["visible", "enabled", "exists", "hidden", "disabled"] = "visible"
    timeout: Milliseconds = 5_000


class ActStep(Params, frozen=True):
    """`maxRetries` counts attempts; only what never reached the page is tried again."""

    action: Annotated[str, Meta(max_length=100)]
    params: dict[str, Any] = {}
    label: Annotated[str, Meta(max_length=500)] = ""
    condition: StepCondition | None = None
    on_error: Literal["stop", "skip", "retry"] = "stop"
    max_retries: Annotated[int, Meta(ge=1, le=5)] = 3
    retry_delay: Annotated[int, Meta(ge=100, le=5_000)] = 500


class Act(OfPage, frozen=True):
    """Up to 50 steps. All are checked before the first runs."""

    steps: Annotated[tuple[ActStep, ...], Meta(min_length=1, max_length=50)]
    stop_on_first_error: bool = True
    continue_on_condition_fail: bool = False
    timeout: Milliseconds = 30_000
    pre_observe: Observe | None = None
    post_observe: Observe | None = None


class Extract(OfPage, frozen=True):
    """`instruction` is not understood, there is no model here; its words only rank what fits."""

    schema: dict[str, Any]
    instruction: Words = ""
    mode: Literal["single", "list", "table"] | None = None
    selector: AnySelector | None = None
    include_source_refs: bool = False
    timeout: Milliseconds | None = None


class Call(OfPage, frozen=True):
    """One of our own actions, for our own client. `key` names this one call for ever.

    `whole` sends the page even if this client was sent it before.
    """

    action: dict[str, Any]
    whole: bool = False
    key: Annotated[str, Meta(max_length=64)] = ""
    said: Words = ""

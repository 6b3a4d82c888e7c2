"""What methods are given, as data. Unknown members are passed over, as published clients expect."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from subterminator.chores import Cookie, OriginStorage
from subterminator.targets import AnySelector

Id = Annotated[str, Meta(min_length=1, max_length=200)]
Milliseconds = Annotated[float, Meta(ge=0, le=300_000)]
Side = Annotated[int, Meta(ge=1, le=10_000)]
Text = Annotated[str, Meta(max_length=1_000_000)]
Words = Annotated[str, Meta(max_length=10_000)]
Address = Annotated[str, Meta(max_length=20_000)]
WaitUntil = Literal["load", "domcontentloaded", "networkidle", "commit"]
EventName = Annotated[str, Meta(max_length=40)]
Modifier = Literal["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]


class Params(Struct, frozen=True, rename="camel", omit_defaults=True, kw_only=True):
    """What all have in common: names as the wire writes them."""


class OfPage(Params, frozen=True, kw_only=True):
    """For a page; the connection's active one if none is named."""

    page_id: Id | None = None


# The connection


class ClientInfo(Params, frozen=True):
    name: Words = ""
    version: Words = ""


class ClientCapabilities(Params, frozen=True):
    events: tuple[EventName, ...] = ()
    observations: tuple[EventName, ...] = ()
    actions: tuple[EventName, ...] = ()
    streaming: bool = False
    compression: bool = False


class Initialize(Params, frozen=True):
    """The first message. What a client says about its own rights is not read."""

    protocol_version: Words = ""
    client_info: ClientInfo = ClientInfo()
    capabilities: ClientCapabilities = ClientCapabilities()
    session_id: Annotated[str, Meta(pattern=r"^[A-Za-z0-9._:-]{1,128}$")] | None = None


class Nothing(Params, frozen=True):
    """No members."""


class Shutdown(Params, frozen=True):
    save_state: bool = False
    close_pages: bool = True


class Subscribe(Params, frozen=True):
    events: Annotated[tuple[EventName, ...], Meta(max_length=50)] = ()


class StreamCancel(Params, frozen=True):
    stream_id: Id


class ApprovalRespond(Params, frozen=True):
    """`reason` is where a person types the words that a red question asks for."""

    request_id: Id
    decision: Literal["approve", "deny", "approve-once", "approve-session"]
    reason: Words = ""


# Browser, contexts, pages, frames


class Proxy(Params, frozen=True):
    server: Words
    username: Words = ""
    password: Words = ""


class Launch(Params, frozen=True):
    browser: Literal["chromium", "firefox", "webkit"] = "chromium"
    channel: Words = ""
    headless: bool | None = None
    args: Annotated[tuple[Words, ...], Meta(max_length=100)] = ()
    proxy: Proxy | None = None
    downloads_path: Words = ""
    user_data_dir: Words = ""
    cdp_url: Address = ""


class CloseBrowser(Params, frozen=True):
    browser_id: Id | None = None


class Viewport(Params, frozen=True):
    width: Side
    height: Side


class Location(Params, frozen=True):
    latitude: Annotated[float, Meta(ge=-90, le=90)]
    longitude: Annotated[float, Meta(ge=-180, le=180)]
    accuracy: Annotated[float, Meta(ge=0)] = 10.0


class StorageState(Params, frozen=True):
    cookies: Annotated[tuple[Cookie, ...], Meta(max_length=1_000)] = ()
    origins: Annotated[tuple[OriginStorage, ...], Meta(max_length=100)] = ()


class ContextOptions(Params, frozen=True):
    storage_state: StorageState | None = None
    viewport: Viewport | None = None
    user_agent: Words = ""
    locale: Words = ""
    timezone_id: Words = ""
    geolocation: Location | None = None
    permissions: Annotated[tuple[EventName, ...], Meta(max_length=50)] = ()
    color_scheme: Literal["", "light", "dark", "no-preference"] = ""
    offline: bool = False


class ContextCreate(Params, frozen=True):
    context_id: Annotated[str, Meta(pattern=r"^[A-Za-z0-9-]{1,64}$")] | None = None
    options: ContextOptions = ContextOptions()


class ContextDestroy(Params, frozen=True):
    context_id: Id


class PageCreate(Params, frozen=True):
    url: Address | None = None
    context_id: Id | None = None
    viewport: Viewport | None = None
    user_agent: Words = ""
    geolocation: Location | None = None


class Observe(OfPage, frozen=True):
    """What is wanted of the page. Refs are always stable; they need no refreshing."""

    include_accessibility: bool = False
    include_screenshot: bool = False
    include_interactive_elements: bool = False
    include_metadata: bool = True
    max_elements: Annotated[int, Meta(ge=1, le=200)] = 100
    filter_roles: Annotated[tuple[Words, ...], Meta(max_length=100)] = ()
    include_bounds: bool | None = None
    stable_refs: bool = True
    refresh_refs: bool = False
    include_ref_history: bool = False
    annotate_screenshot: bool | Annotation | None = None
    response_tier: Literal["full", "interactive", "minimal"] = "full"
    incremental: bool = False
    include_web_mcp_tools: bool = field(default=False, name="includeWebMCPTools")


class Badge(Params, frozen=True):
    color: Annotated[str, Meta(max_length=40)] = "#d00000"
    text_color: Annotated[str, Meta(max_length=40)] = "#ffffff"
    size: float = 0
    font: Words = ""


class AnnotationStyle(Params, frozen=True):
    badge: Badge = Badge()
    box: dict[str, Any] | None = None
    show_bounding_box: bool = True
    opacity: float = 1.0


class Annotation(Params, frozen=True):
    enabled: bool = True
    style: AnnotationStyle = AnnotationStyle()
    use_stable_refs: bool = True
    max_labels: Annotated[int, Meta(ge=1, le=200)] = 50
    label_format: Literal["number", "ref", "both"] = "number"


class Navigate(OfPage, frozen=True):
    url: Address
    wait_until: WaitUntil = "load"
    timeout: Milliseconds | None = None
    referer: Address = ""
    observe: Observe | None = None


class Move(OfPage, frozen=True):
    wait_until: WaitUntil = "load"
    timeout: Milliseconds | None = None


class ClosePage(Params, frozen=True):
    page_id: Id
    run_before_unload: bool = False


class ActivatePage(Params, frozen=True):
    page_id: Id


class FrameSwitch(OfPage, frozen=True):
    frame_id: Id | None = None
    selector: AnySelector | None = None
    url: Address | None = None


# Actions


class Options(Params, frozen=True, kw_only=True):
    """`force` is never obeyed: a press is always tested. With `trial` nothing is pressed."""

    timeout: Milliseconds | None = None
    force: bool = False
    no_wait_after: bool = False
    trial: bool = False


class Point(Params, frozen=True):
    x: Annotated[float, Meta(ge=-1_000_000, le=1_000_000)]
    y: Annotated[float, Meta(ge=-1_000_000, le=1_000_000)]


class ClickOptions(Options, frozen=True):
    button: Literal["left", "right", "middle"] = "left"
    click_count: Annotated[int, Meta(ge=1, le=100)] = 1
    modifiers: tuple[Modifier, ...] = ()
    position: Point | None = None


class TypeOptions(Options, frozen=True):
    delay: Annotated[float, Meta(ge=0, le=1_000)] = 0
    clear: bool = False


class ScrollOptions(Options, frozen=True):
    direction: Literal["up", "down", "left", "right"] | None = None
    amount: Annotated[float, Meta(ge=1, le=1_000_000)] | Literal["page", "toElement"] | None = None


class OnElement(OfPage, frozen=True):
    selector: AnySelector
    options: Options = Options()


class Click(OfPage, frozen=True):
    selector: AnySelector
    options: ClickOptions = ClickOptions()


class Type(OfPage, frozen=True):
    """`value` is another name for `text`."""

    selector: AnySelector
    text: Text | None = None
    value: Text | None = None
    options: TypeOptions = TypeOptions()


class Fill(OfPage, frozen=True):
    selector: AnySelector
    value: Text
    options: Options = Options()


class Press(OfPage, frozen=True):
    key: Annotated[str, Meta(min_length=1, max_length=60)]
    selector: AnySelector | None = None
    options: Options = Options()


class Hover(OfPage, frozen=True):
    selector: AnySelector
    options: ClickOptions = ClickOptions()


class Scroll(OfPage, frozen=True):
    selector: AnySelector | None = None
    options: ScrollOptions = ScrollOptions()


class Select(OfPage, frozen=True):
    """`value` is another name for `values`."""

    selector: AnySelector
    values: Text | Annotated[tuple[Text, ...], Meta(max_length=100)] | None = None
    value: Text | Annotated[tuple[Text, ...], Meta(max_length=100)] | None = None
    options: Options = Options()


class UploadFile(Params, frozen=True):
    name: Annotated[str, Meta(min_length=1, max_length=255)]
    buffer: bytes
    mime_type: Words = ""


class Upload(OfPage, frozen=True):
    selector: AnySelector
    files: Annotated[tuple[UploadFile, ...], Meta(min_length=1, max_length=20)]
    options: Options = Options()


class Drag(OfPage, frozen=True):
    """Ends are selectors, or points `{x, y}`."""

    source: dict[str, Any]
    target: dict[str, Any]
    options: Options = Options()


class DialogHandle(OfPage, frozen=True):
    action: Literal["accept", "dismiss"]
    prompt_text: Text | None = None

"""What methods answer, as data. What is not there is left out, never null."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field

from subterminator.chores import Cookie, OriginStorage

Box = dict[str, float]


class Result(Struct, frozen=True, rename="camel", kw_only=True):
    """What all have in common."""


class Info(Result, frozen=True):
    name: str
    version: str


class Capabilities(Result, frozen=True):
    browsers: tuple[str, ...]
    events: tuple[str, ...]
    observations: tuple[str, ...]
    actions: tuple[str, ...]
    features: dict[str, bool]
    limits: dict[str, int]
    streaming: bool


class Initialized(Result, frozen=True):
    """`resumed`: the pages of the session are as they were left."""

    protocol_version: str
    server_info: Info
    capabilities: Capabilities
    session_id: str | UnsetType = UNSET
    resumed: bool | UnsetType = UNSET


class Launched(Result, frozen=True):
    browser_id: str
    browser: str
    version: str
    default_context: str
    ignored: tuple[str, ...] = ()


class ContextCreated(Result, frozen=True):
    context_id: str


class ContextInfo(Result, frozen=True):
    id: str
    page_count: int
    created: int
    options: Any = UNSET


class Contexts(Result, frozen=True):
    contexts: tuple[ContextInfo, ...]
    limits: dict[str, int]


class ContextDestroyed(Result, frozen=True):
    pages_destroyed: int


class Viewport(Result, frozen=True):
    width: int
    height: int


class Page(Result, frozen=True):
    id: str
    url: str
    title: str
    viewport: Viewport
    status: Literal["loading", "ready", "error"] = field(default="ready")


class Pages(Result, frozen=True):
    pages: tuple[Page, ...]
    active_page: str


class Frame(Result, frozen=True):
    frame_id: str
    name: str
    url: str
    is_main: bool
    parent_frame_id: str | UnsetType = UNSET


class Frames(Result, frozen=True):
    frames: tuple[Frame, ...]


class FrameSwitched(Result, frozen=True):
    frame_id: str
    url: str


class MainFrame(Result, frozen=True):
    frame_id: str


class Screenshot(Result, frozen=True):
    data: str
    format: str
    width: int
    height: int
    annotated: bool | UnsetType = UNSET
    stream_id: str | UnsetType = UNSET


class Tree(Result, frozen=True):
    tree: list[dict[str, Any]]


class Dom(Result, frozen=True):
    html: str
    text: str
    title: str
    url: str
    stream_id: str | UnsetType = UNSET


class Pdf(Result, frozen=True):
    data: str
    pages: int
    stream_id: str | UnsetType = UNSET


class Content(Result, frozen=True):
    content: str
    format: str
    url: str
    title: str
    stream_id: str | UnsetType = UNSET


class AriaSnapshot(Result, frozen=True):
    snapshot: str
    url: str
    title: str


class Tool(Result, frozen=True):
    name: str
    source: str
    description: str | UnsetType = UNSET
    input_schema: dict[str, Any] | UnsetType = UNSET
    form_selector: str | UnsetType = UNSET


class Tools(Result, frozen=True):
    tools: tuple[Tool, ...]
    total_discovered: int


class State(Result, frozen=True):
    cookies: tuple[Cookie, ...]
    origins: tuple[OriginStorage, ...]


class Cookies(Result, frozen=True):
    cookies: tuple[Cookie, ...]


class Trace(Result, frozen=True):
    """A zip of what the gate wrote down meanwhile, without secrets."""

    data: str


class Cancelled(Result, frozen=True):
    cancelled: bool


class Acknowledged(Result, frozen=True):
    acknowledged: bool


class Metadata(Result, frozen=True):
    url: str
    title: str
    viewport: Viewport


class AnnotationMapping(Result, frozen=True):
    label: str
    ref: str
    position: dict[str, float]


class Changes(Result, frozen=True):
    added: tuple[dict[str, Any], ...] = field(default=())
    updated: tuple[dict[str, Any], ...] = field(default=())
    removed: tuple[str, ...] = field(default=())


class Observation(Result, frozen=True):
    """With `incremental` and a page that was observed before: `changes` instead of elements."""

    metadata: Metadata | UnsetType = UNSET
    accessibility: Tree | UnsetType = UNSET
    screenshot: Screenshot | UnsetType = UNSET
    interactive_elements: tuple[dict[str, Any], ...] | UnsetType = UNSET
    total_interactive_elements: int | UnsetType = UNSET
    annotation_map: tuple[AnnotationMapping, ...] | UnsetType = UNSET
    changes: dict[str, Any] | UnsetType = UNSET
    unchanged: bool | UnsetType = UNSET
    webmcp_tools: tuple[Tool, ...] | UnsetType = UNSET


class Navigated(Result, frozen=True):
    """`status` is 0 where no answer of a server was seen."""

    url: str
    status: int
    headers: dict[str, str]
    observation: Observation | UnsetType = UNSET
    ignored: tuple[str, ...] = ()


class StepResult(Result, frozen=True):
    step: int
    success: bool
    duration: int
    label: str | UnsetType = UNSET
    result: Any = UNSET
    error: dict[str, Any] | UnsetType = UNSET
    retries: int | UnsetType = UNSET


class Acted(Result, frozen=True):
    """A sequence that failed is a call that succeeded: see `success` and `failedAt`."""

    completed: int
    total: int
    success: bool
    results: tuple[StepResult, ...]
    duration: int
    failed_at: int | UnsetType = UNSET
    pre_observation: Observation | UnsetType = UNSET
    post_observation: Observation | UnsetType = UNSET


class Source(Result, frozen=True):
    ref: str
    selector: dict[str, Any]
    text: str | UnsetType = UNSET


class Extracted(Result, frozen=True):
    """`ignored` names what of the call had no effect; `missing` what the page does not say."""

    success: bool
    data: Any = UNSET
    sources: tuple[Source, ...] | UnsetType = UNSET
    confidence: float | UnsetType = UNSET
    error: str | UnsetType = UNSET
    missing: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()


class Called(Result, frozen=True):
    """The reply to one of our own actions, as `client.replies` reads it."""

    reply: Any

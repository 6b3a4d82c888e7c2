"""What a program may have done to the browser itself: cookies, source, paper, emulation, requests.

Plain data. They are no actions: no model is offered them, and no text that it writes names one.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from subterminator.targets import Target

Side = Annotated[int, Meta(ge=1, le=10_000)]
Line = Annotated[str, Meta(max_length=10_000)]
Name = Annotated[str, Meta(min_length=1, max_length=4_096)]
Value = Annotated[str, Meta(max_length=1_000_000)]
Latitude = Annotated[float, Meta(ge=-90, le=90)]
Longitude = Annotated[float, Meta(ge=-180, le=180)]
Property = Literal[
    "visible", "enabled", "checked", "text", "value", "boundingBox", "attributes", "computedStyle"
]
Handler = Literal["abort", "continue", "respond", "callback"]
AbortReason = Literal["aborted", "accessdenied", "blockedbyclient", "failed"]
SameSite = Literal["Strict", "Lax", "None"]
MOST = 1_000


class BaseChore(Struct, frozen=True, forbid_unknown_fields=True, tag_field="chore", kw_only=True):
    """What all chores share: the scope that a caller needs for it."""

    scope: ClassVar[str]


class ReadSource(BaseChore, tag="source", frozen=True):
    """The page's markup, without scripts and without what its fields hold in secret or hidden."""

    scope = "observe:dom"

    max_length: Annotated[int, Meta(ge=1, le=20_000_000)] = 5_000_000


class Inspect(BaseChore, tag="inspect", frozen=True):
    """One element as it is now. Secret values are in none of its properties."""

    scope = "observe:element"

    target: Target
    properties: tuple[Property, ...] = ("visible", "enabled", "text", "boundingBox")


class FindInside(BaseChore, tag="inside", frozen=True):
    """Which of these nodes of its document lie in an element; for parts of a snapshot."""

    scope = "observe:element"

    target: Target


class Print(BaseChore, tag="print", frozen=True):
    """The page as a PDF; sizes in inches."""

    scope = "observe:pdf"

    landscape: bool = False
    background: bool = False
    scale: Annotated[float, Meta(ge=0.1, le=2)] = 1.0
    paper: tuple[float, float] = (8.5, 11.0)
    margins: tuple[float, float, float, float] = (0.4, 0.4, 0.4, 0.4)


class Mark(Struct, frozen=True, forbid_unknown_fields=True):
    """A box with a label to draw on a picture, in its pixels."""

    label: Annotated[str, Meta(max_length=60)]
    box: tuple[float, float, float, float]


class Redraw(BaseChore, tag="redraw", frozen=True):
    """A part of a picture, or the picture with marks on it. Nothing of the page is read."""

    scope = "observe:screenshot"

    data: bytes
    size: tuple[int, int]
    clip: tuple[float, float, float, float] | None = None
    marks: Annotated[tuple[Mark, ...], Meta(max_length=500)] = ()
    format: Literal["png", "jpeg"] = "png"
    quality: Annotated[int, Meta(ge=1, le=100)] = 80
    colour: Annotated[str, Meta(max_length=40)] = "#d00000"
    text_colour: Annotated[str, Meta(max_length=40)] = "#ffffff"


class Cookie(Struct, frozen=True, rename="camel"):
    """A cookie as programs write it; `expires` in seconds since 1970, -1 with the session."""

    name: Name
    value: Value
    domain: Annotated[str, Meta(max_length=300)] = ""
    path: Annotated[str, Meta(max_length=4_096)] = "/"
    url: Annotated[str, Meta(max_length=20_000)] | UnsetType = UNSET
    expires: float = -1
    http_only: bool = False
    secure: bool = False
    same_site: SameSite = "Lax"


class ReadCookies(BaseChore, tag="cookies", frozen=True):
    """Cookies, all or those of some addresses."""

    scope = "storage:read"

    urls: Annotated[tuple[Line, ...], Meta(max_length=MOST)] = ()


class WriteCookies(BaseChore, tag="set_cookies", frozen=True):
    """Set cookies."""

    scope = "storage:write"

    cookies: Annotated[tuple[Cookie, ...], Meta(max_length=MOST)]


class ClearCookies(BaseChore, tag="clear_cookies", frozen=True):
    """Remove cookies, all or those of some addresses."""

    scope = "storage:write"

    urls: Annotated[tuple[Line, ...], Meta(max_length=MOST)] = ()


class Item(Struct, frozen=True):
    name: Annotated[str, Meta(max_length=100_000)]
    value: Annotated[str, Meta(max_length=5_000_000)]


class OriginStorage(Struct, frozen=True, rename="camel"):
    """What the pages of one origin keep."""

    origin: Line
    local_storage: Annotated[tuple[Item, ...], Meta(max_length=10_000)]
    session_storage: Annotated[tuple[Item, ...], Meta(max_length=10_000)] = ()


class ReadStorage(BaseChore, tag="storage", frozen=True):
    """What the documents of the current page keep, by origin."""

    scope = "storage:read"


class WriteStorage(BaseChore, tag="set_storage", frozen=True):
    """Keep this for the documents of the current page that have these origins."""

    scope = "storage:write"

    origins: Annotated[tuple[OriginStorage, ...], Meta(max_length=100)]


class SetViewport(BaseChore, tag="viewport", frozen=True):
    scope = "emulate:viewport"

    width: Side
    height: Side
    scale_factor: Annotated[float, Meta(ge=0.1, le=5)] = 1.0
    mobile: bool = False
    touch: bool = False


class SetUserAgent(BaseChore, tag="user_agent", frozen=True):
    scope = "emulate:viewport"

    user_agent: Annotated[str, Meta(min_length=1, max_length=1_000)]
    platform: Annotated[str, Meta(max_length=100)] = ""


class SetLocation(BaseChore, tag="location", frozen=True):
    scope = "emulate:geolocation"

    latitude: Latitude
    longitude: Longitude
    accuracy: Annotated[float, Meta(ge=0)] = 10.0


class SetOffline(BaseChore, tag="offline", frozen=True):
    scope = "emulate:offline"

    offline: bool


class SetLocale(BaseChore, tag="locale", frozen=True):
    """How pages see the person's language, time zone and taste. Empty: as it is."""

    scope = "emulate:viewport"

    locale: Annotated[str, Meta(max_length=40)] = ""
    timezone: Annotated[str, Meta(max_length=60)] = ""
    colour_scheme: Literal["", "light", "dark", "no-preference"] = ""


class Pattern(Struct, frozen=True, rename="camel", omit_defaults=True):
    """Which requests are meant; `url_pattern` with `*`. What is left out fits all."""

    url_pattern: Annotated[str, Meta(max_length=10_000)] = ""
    resource_type: Annotated[str, Meta(max_length=40)] = ""
    method: Annotated[str, Meta(max_length=10)] = ""


class Intercept(BaseChore, tag="intercept", frozen=True):
    """Hold back requests of the page. `callback` and `respond` wait to be told what to do."""

    scope = "network:intercept"

    patterns: Annotated[tuple[Pattern, ...], Meta(max_length=100)]
    handler: Handler


class Release(BaseChore, tag="release", frozen=True):
    """What becomes of a request that was held: it goes on, fails, or is answered by us.

    Documents and scripts are never answered by us: that would be to run code in the page.
    """

    scope = "network:intercept"

    request: Name
    how: Literal["continue", "abort", "fulfill"]
    reason: AbortReason = "failed"
    status: Annotated[int, Meta(ge=100, le=599)] = 200
    headers: tuple[tuple[Line, Line], ...] = ()
    body: Annotated[str, Meta(max_length=10_000_000)] = ""


Chore = (
    ReadSource | Inspect | FindInside | Print | Redraw | ReadCookies | WriteCookies | ClearCookies
    | ReadStorage | WriteStorage | SetViewport | SetUserAgent | SetLocation | SetOffline | SetLocale
    | Intercept | Release
)  # fmt: skip


def name_of(chore: Chore) -> str:
    return str(type(chore).__struct_config__.tag)

"""What is seen in a page: boxes, elements, frames. Plain data; nothing here reaches a browser."""

from __future__ import annotations

from enum import IntFlag
from typing import NamedTuple

from msgspec import Struct, field


class Flag(IntFlag):
    """What the walker says of an element in one bit each; the walker has the same table."""

    INTERACTIVE = 1
    OFFSCREEN = 1 << 1
    DISABLED = 1 << 2
    READONLY = 1 << 3
    CHECKABLE = 1 << 4
    CHECKED = 1 << 5
    MIXED = 1 << 6
    EXPANDABLE = 1 << 7
    EXPANDED = 1 << 8
    FOCUSED = 1 << 9
    BUSY = 1 << 10
    REQUIRED = 1 << 11
    INVALID = 1 << 12
    SELECTED = 1 << 13
    SECRET = 1 << 14
    TOP = 1 << 15
    OVERLAY = 1 << 16
    COVERED = 1 << 17
    POINTER = 1 << 18
    LISTENER = 1 << 19
    EDITABLE = 1 << 20
    SUBMITS = 1 << 21
    NEWTAB = 1 << 22
    SCROLLS = 1 << 23
    DRAGGABLE = 1 << 24
    MULTI = 1 << 25
    INLINE = 1 << 26


class Box(NamedTuple):
    """A rectangle in CSS pixels of the page's viewport."""

    x: int
    y: int
    width: int
    height: int


class Facts(Struct, frozen=True, omit_defaults=True, gc=False):
    """What is known of some elements only. The short wire names keep large pages small."""

    value: str | None = field(default=None, name="v")
    level: int | None = field(default=None, name="l")
    type: str = field(default="", name="ty")
    href: str = field(default="", name="u")
    placeholder: str = field(default="", name="p")
    hint: str = field(default="", name="h")
    description: str = field(default="", name="d")
    options: tuple[str, ...] = field(default=(), name="o")
    option_count: int = field(default=0, name="on")
    test_id: str = field(default="", name="ti")
    min_length: int | None = field(default=None, name="mn")
    max_length: int | None = field(default=None, name="mx")
    min: str = ""
    max: str = ""
    step: str = ""
    pattern: str = field(default="", name="pt")
    secret: str = field(default="", name="k")
    captcha: bool = field(default=False, name="cap")
    content_box: tuple[int, int, int, int] | None = field(default=None, name="cb")
    scale: tuple[float, float] | None = field(default=None, name="sc")
    current: str = field(default="", name="cur")
    popup: str = field(default="", name="pop")
    sort: str = ""
    column: int | None = field(default=None, name="col")
    row: int | None = None


NO_FACTS = Facts()


class RawNode(Struct, array_like=True, gc=False):
    """One node as the walker emits it, in its own frame's coordinates."""

    depth: int
    role: str
    name: str
    id: int = 0
    flags: int = 0
    tag: str = ""
    x: int = 0
    y: int = 0
    width: int = 0
    height: int = 0
    facts: Facts = NO_FACTS


class RawFrame(Struct):
    """One frame's walk."""

    url: str
    title: str
    origin: str
    vw: int
    vh: int
    sx: int
    sy: int
    dw: int
    dh: int
    nodes: list[RawNode]
    focus: int = 0
    visited: int = 0
    hidden: int = 0
    partial: str = ""
    hosts: tuple[int, ...] = ()


class Element(Struct, frozen=True, gc=False):
    """One thing on the page. `ref` is empty for text and for mere structure.

    `node` is its number in its document. `context` names the row, card or section of an element
    that shares role and name with another.
    """

    ref: str
    role: str
    name: str
    depth: int
    flags: int = 0
    tag: str = ""
    box: Box | None = None
    facts: Facts = NO_FACTS
    frame: int = 0
    node: int = 0
    context: str = ""

    def has(self, flag: int) -> bool:
        return bool(self.flags & flag)

    @property
    def shown_value(self) -> str | None:
        """What is in a field, as far as others may see it: never a secret."""
        withheld = self.flags & Flag.SECRET or self.facts.secret
        return None if withheld else self.facts.value


class PageInfo(Struct, frozen=True):
    url: str
    title: str


class Viewport(Struct, frozen=True):
    width: int
    height: int
    scroll_x: int
    scroll_y: int


class FrameInfo(Struct, frozen=True):
    """A frame of the page. `index` 0 is the page itself; `parent` is the frame that holds it.

    A frame that could not be read has `accessible` false and a reason. `world` changes with its
    document; `owner` is the node of its iframe element in the frame that holds it.
    """

    index: int
    parent: int
    id: str
    url: str
    origin: str
    name: str = ""
    box: Box | None = None
    accessible: bool = True
    reason: str = ""
    world: str = ""
    owner: int = 0


class LeftOut(Struct, frozen=True, omit_defaults=True):
    """Honest counts of the controls that a snapshot does not show, and why.

    `outside` counts those outside the root that was asked for.
    """

    offscreen: int = 0
    covered: int = 0
    outside: int = 0
    role: int = 0
    depth: int = 0
    limit: int = 0
    hidden: int = 0
    unchecked_hosts: int = 0
    unchecked_listeners: int = 0
    partial: str = ""


class DialogInfo(Struct, frozen=True):
    """A native dialog. `answer` is empty while it is still open."""

    kind: str
    message: str
    default: str = ""
    answer: str = ""
    url: str = ""


class Download(Struct):
    """A file the browser was given. It lies in the session's own folder and is never opened."""

    id: str
    url: str
    name: str
    state: str = "running"
    size: int = 0
    path: str = ""


class Picture(NamedTuple):
    """A screenshot: the image itself, its format and its size in pixels."""

    data: bytes
    format: str
    width: int
    height: int


class TabInfo(Struct, frozen=True):
    id: str
    url: str
    title: str = ""
    current: bool = False
    opened_by_page: bool = False


class Navigation(Struct, frozen=True):
    """The page or one of its frames went elsewhere.

    `same_document` is a change of address alone.
    """

    url: str
    main_frame: bool = True
    same_document: bool = False


class Happened(Struct, frozen=True, omit_defaults=True):
    """All that an action set off.

    `settled` is `quiet` or `busy`, never `done`: a bare timer cannot be seen. `blocked` are the
    addresses outside the sites of the task that the page wanted to go to.
    """

    settled: str = "quiet"
    pending: tuple[str, ...] = ()
    navigations: tuple[Navigation, ...] = ()
    dialogs: tuple[DialogInfo, ...] = ()
    dialog: DialogInfo | None = None
    downloads: tuple[Download, ...] = ()
    new_tabs: tuple[TabInfo, ...] = ()
    closed_tabs: tuple[str, ...] = ()
    file_chooser: bool = False
    refused_tabs: int = 0
    blocked: tuple[str, ...] = ()
    waited_ms: int = 0


class Form(Struct, frozen=True):
    """The form an element belongs to: where it sends what.

    `fields` are pairs of label and value, without those of secret fields; `ticked` names what is.
    """

    action: str = ""
    method: str = ""
    id: int = 0
    fields: tuple[tuple[str, str], ...] = ()
    ticked: tuple[str, ...] = ()


class Resolved(Struct, frozen=True):
    """A live element, as it is in the page right now.

    Policy judges this, never the caller's words. `frames` are the origins from the page down to its
    own frame, `document` is the load it belongs to; `around` is the text of what it stands in, and
    `enter` says which control the Enter key would press here. `handlers` stands for the scripts
    that listen to it; it is read only where somebody is asked.
    """

    ref: str
    role: str
    name: str
    tag: str
    flags: int
    box: Box
    text: str
    visible: bool
    why: str
    origin: str
    frame_url: str
    world: str
    node: int
    facts: Facts = NO_FACTS
    form: Form | None = None
    href: str = ""
    target: str = ""
    twin_of: str = ""
    frames: tuple[str, ...] = ()
    document: str = ""
    around: str = ""
    enter: str = ""
    captcha: bool = False
    handlers: str = ""

    @property
    def is_secret(self) -> bool:
        return bool(self.flags & Flag.SECRET)

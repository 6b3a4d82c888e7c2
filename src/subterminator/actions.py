"""Everything that can be asked of a browser, as data: one tagged union.

A docstring here is also the description a model reads. Nothing in this module acts.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct

from subterminator.errors import InvalidParams
from subterminator.keys import parse_chord
from subterminator.targets import Target

Effect = Literal["look", "move", "write"]
Milliseconds = Annotated[int, Meta(ge=0, le=300_000)]
Count = Annotated[int, Meta(ge=1, le=100)]
Side = Annotated[int, Meta(ge=1, le=20_000)]
Place = Annotated[int, Meta(ge=0, le=10_000_000)]
Text = Annotated[str, Meta(max_length=1_000_000)]
Line = Annotated[str, Meta(min_length=1, max_length=10_000)]
Button = Literal["left", "right", "middle"]
Modifier = Literal["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]
ElementState = Literal[
    "visible", "hidden", "enabled", "disabled", "exists", "gone", "checked", "unchecked"
]
Direction = Literal["up", "down", "left", "right", "top", "bottom"]
ImageFormat = Literal["png", "jpeg"]
LoadState = Literal["load", "domcontentloaded", "networkidle", "commit"]
MAX_STEPS = 50
MAX_FILE = 64 * 1024 * 1024


class BaseAction(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    tag_field="action",
    kw_only=True,
    omit_defaults=True,
):
    """What all actions share.

    `timeout_ms` bounds the whole action; None takes the session's setting.
    """

    effect: ClassVar[Effect] = "move"

    timeout_ms: Milliseconds | None = None


class Navigate(BaseAction, tag="navigate", frozen=True):
    """Go to an address."""

    url: Annotated[str, Meta(min_length=1, max_length=20_000)]
    wait_until: LoadState = "load"


class Back(BaseAction, tag="back", frozen=True):
    """Go back in the tab's history."""


class Forward(BaseAction, tag="forward", frozen=True):
    """Go forward in the tab's history."""


class Reload(BaseAction, tag="reload", frozen=True):
    """Load the page again."""


class Click(BaseAction, tag="click", frozen=True):
    """Click an element.

    `count` clicks one after the other (2 is a double click); `hold_ms` keeps the button down.
    """

    target: Target
    button: Button = "left"
    count: Count = 1
    modifiers: tuple[Modifier, ...] = ()
    hold_ms: Annotated[int, Meta(ge=0, le=60_000)] = 0


class Hover(BaseAction, tag="hover", frozen=True):
    """Move the pointer over an element."""

    target: Target
    modifiers: tuple[Modifier, ...] = ()


class Fill(BaseAction, tag="fill", frozen=True):
    """Replace what a field holds."""

    effect = "write"

    target: Target
    value: Text


class Clear(BaseAction, tag="clear", frozen=True):
    """Empty a field."""

    effect = "write"

    target: Target


class Type(BaseAction, tag="type", frozen=True):
    """Type text key by key at the end of a field, or where the focus is if no target is given."""

    effect = "write"

    text: Text
    target: Target | None = None
    delay_ms: Annotated[int, Meta(ge=0, le=1_000)] = 0


class Press(BaseAction, tag="press", frozen=True):
    """Press a key or a combination such as `Enter`, `ArrowDown` or `Control+A`."""

    effect = "write"

    key: Annotated[str, Meta(min_length=1, max_length=60)]
    target: Target | None = None
    count: Count = 1
    hold_ms: Annotated[int, Meta(ge=0, le=60_000)] = 0

    def __post_init__(self) -> None:
        if isinstance(self.key, str):
            parse_chord(self.key)


class Select(BaseAction, tag="select", frozen=True):
    """Choose options of a drop-down or list by label or value."""

    effect = "write"

    target: Target
    values: Annotated[tuple[Text, ...], Meta(min_length=1, max_length=100)]


class Check(BaseAction, tag="check", frozen=True):
    """Tick a checkbox, radio button or switch. Does nothing if it is ticked."""

    effect = "write"

    target: Target


class Uncheck(BaseAction, tag="uncheck", frozen=True):
    """Untick a checkbox or switch. Does nothing if it is not ticked."""

    effect = "write"

    target: Target


class Scroll(BaseAction, tag="scroll", frozen=True):
    """Scroll an element into view (`target` alone), or the page or a box in it.

    `direction` moves the page, or the box around `target`; `to` is a point of the page.
    """

    effect = "look"

    target: Target | None = None
    direction: Direction | None = None
    amount: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None
    to: tuple[Place, Place] | None = None

    def __post_init__(self) -> None:
        if self.to is not None and (self.direction or self.target is not None):
            raise InvalidParams("scroll takes `to`, or `target` and/or `direction`, not both.")
        if self.to is None and not self.direction and self.target is None:
            raise InvalidParams("scroll needs a target, a direction or a point to scroll to.")
        if self.amount is not None and self.direction not in {"up", "down", "left", "right"}:
            raise InvalidParams(
                "scroll takes `amount` only with direction up, down, left or right."
            )


class Drag(BaseAction, tag="drag", frozen=True):
    """Drag one element onto another."""

    source: Target
    target: Target


class File(Struct, frozen=True, forbid_unknown_fields=True):
    """A file to upload, given by its content. Its type is what its name's ending says."""

    name: Annotated[str, Meta(min_length=1, max_length=255)]
    content: Annotated[bytes, Meta(max_length=MAX_FILE)]


class Upload(BaseAction, tag="upload", frozen=True):
    """Put files into a file field: paths on this machine, or contents."""

    effect = "write"

    target: Target
    files: Annotated[tuple[Line | File, ...], Meta(min_length=1, max_length=20)]


class Wait(BaseAction, tag="wait", frozen=True):
    """Wait for one thing: text, its absence, an element's state, an address, load, quiet, time.

    `url` may hold `*` for anything. `quiet` waits until requests and changes have ended.
    """

    effect = "look"

    text: Line | None = None
    text_gone: Line | None = None
    target: Target | None = None
    state: ElementState | None = None
    url: Line | None = None
    load: LoadState | None = None
    quiet: bool = False
    time_ms: Annotated[int, Meta(ge=0, le=60_000)] | None = None

    def __post_init__(self) -> None:
        given = [
            self.text is not None,
            self.text_gone is not None,
            self.target is not None,
            self.url is not None,
            self.load is not None,
            self.quiet,
            self.time_ms is not None,
        ]
        if sum(given) != 1:
            raise InvalidParams(
                "wait takes exactly one of text, text_gone, target, url, load, quiet, time_ms."
            )
        if self.state is not None and self.target is None:
            raise InvalidParams("wait takes `state` only together with `target`.")


class TakeSnapshot(BaseAction, tag="snapshot", frozen=True):
    """Look at the page: its elements with refs, and the text that gives them meaning."""

    effect = "look"

    viewport_only: bool = False
    roles: tuple[Line, ...] = ()
    root: Target | None = None
    depth: Annotated[int, Meta(ge=1, le=1_000)] | None = None
    max_elements: Annotated[int, Meta(ge=1, le=100_000)] | None = None


class Find(BaseAction, tag="find", frozen=True):
    """Find elements by a description in plain words, best first: `Turn off, in the row Backup`."""

    effect = "look"

    description: Line
    role: Line | None = None
    frame: Line | None = None
    limit: Annotated[int, Meta(ge=1, le=50)] = 5


class ReadText(BaseAction, tag="text", frozen=True):
    """Read the visible text of the page, of a frame or of one element."""

    effect = "look"

    target: Target | None = None
    frame: Line | None = None
    max_length: Annotated[int, Meta(ge=1, le=1_000_000)] = 20_000

    def __post_init__(self) -> None:
        if self.target is not None and self.frame is not None:
            raise InvalidParams("text takes a target or a frame, not both.")


class Screenshot(BaseAction, tag="screenshot", frozen=True):
    """Take a picture of the viewport, the whole page or one element.

    `max_size` (width, height) scales it down. `masked` covers mail addresses and card numbers.
    """

    effect = "look"
    target: Target | None = None
    full_page: bool = False
    format: ImageFormat = "png"
    quality: Annotated[int, Meta(ge=1, le=100)] | None = None
    max_size: tuple[Side, Side] | None = None
    masked: bool = False

    def __post_init__(self) -> None:
        if self.target is not None and self.full_page:
            raise InvalidParams("screenshot takes a target or full_page, not both.")
        if self.quality is not None and self.format != "jpeg":
            raise InvalidParams("screenshot takes `quality` only with format jpeg.")


class ListTabs(BaseAction, tag="list_tabs", frozen=True):
    """List the open tabs."""

    effect = "look"


class SelectTab(BaseAction, tag="select_tab", frozen=True):
    """Go on in another tab."""

    tab: Line


class OpenTab(BaseAction, tag="open_tab", frozen=True):
    """Open a new tab and go on in it."""

    url: Annotated[str, Meta(min_length=1, max_length=20_000)] = "about:blank"


class CloseTab(BaseAction, tag="close_tab", frozen=True):
    """Close a tab; the current one if none is named."""

    tab: Line | None = None


class ListFrames(BaseAction, tag="list_frames", frozen=True):
    """List the frames of the page."""

    effect = "look"


class SelectFrame(BaseAction, tag="select_frame", frozen=True):
    """Limit selectors and descriptions to one frame, by id, name or part of its address.

    None is all frames.
    """

    effect = "look"

    frame: Line | None = None


class Dialog(BaseAction, tag="dialog", frozen=True):
    """Answer the native dialog that is open."""

    accept: bool
    text: Text | None = None


class Condition(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What must hold before a step runs."""

    target: Target
    state: ElementState = "visible"
    timeout_ms: Milliseconds = 5_000


AtomicAction = (
    Navigate | Back | Forward | Reload | Click | Hover | Fill | Clear | Type | Press | Select
    | Check | Uncheck | Scroll | Drag | Upload | Wait | TakeSnapshot | Find | ReadText | Screenshot
    | ListTabs | SelectTab | OpenTab | CloseTab | ListFrames | SelectFrame | Dialog
)  # fmt: skip


class Step(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One action of a sequence.

    `max_retries` counts attempts. Only what was not yet sent to the page is ever tried again.
    """

    do: AtomicAction
    label: Annotated[str, Meta(max_length=500)] = ""
    condition: Condition | None = None
    on_error: Literal["stop", "skip", "retry"] = "stop"
    max_retries: Annotated[int, Meta(ge=1, le=5)] = 3
    retry_delay_ms: Annotated[int, Meta(ge=100, le=5_000)] = 500


class Execute(BaseAction, tag="execute", frozen=True):
    """Run up to 50 actions in order.

    All are checked before the first runs; each passes the gate by itself.
    """

    steps: Annotated[tuple[Step, ...], Meta(min_length=1, max_length=MAX_STEPS)]
    stop_on_first_error: bool = True
    continue_on_condition_fail: bool = False


Action = AtomicAction | Execute


def least_ms(action: Action) -> int:
    """How long an action takes at least because it was asked to: holding, pacing, waiting."""
    match action:
        case Click(hold_ms=ms, count=count) | Press(hold_ms=ms, count=count):
            return ms * count
        case Type(text=text, delay_ms=ms):
            return ms * len(text)
        case Wait(time_ms=int(ms)):
            return ms
        case _:
            return 0

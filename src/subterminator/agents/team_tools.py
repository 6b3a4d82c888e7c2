"""The browser tools of a team: elements are named in plain words. Data and checks only.

Twenty-four have the names and arguments of a contract of their own; the last two are ours, for
native dialogs and tabs, which it does not know.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast

import msgspec
from msgspec import Meta, Struct

from subterminator import actions as a
from subterminator.agents.models.base import Call, Tool
from subterminator.errors import InvalidParams

Words = Annotated[str, Meta(min_length=1, max_length=2_000)]
Patience = Annotated[int, Meta(ge=1_000, le=60_000)]
Pixels = Annotated[int, Meta(ge=1, le=100_000)]
CORRECT = "Correct the arguments; nothing was done."


class TeamTool(Struct, frozen=True, forbid_unknown_fields=True, tag_field="tool", kw_only=True):
    """What all share: how long it may take, in milliseconds."""

    timeout_ms: Patience | None = None


class Targeted(TeamTool, frozen=True, kw_only=True):
    """What acts on an element, named in plain words or by its ref."""

    element_description: Words
    role: Words | None = None
    frame: Words | None = None
    timeout_per_frame_ms: Patience | None = None


class NavigateTo(TeamTool, tag="navigate", frozen=True):
    """Go to an address."""

    url: Words


class GoBack(TeamTool, tag="go_back", frozen=True):
    """Go back in the history."""


class GoForward(TeamTool, tag="go_forward", frozen=True):
    """Go forward in the history."""


class Reload(TeamTool, tag="reload", frozen=True):
    """Load the page again."""


class Click(Targeted, tag="click", frozen=True):
    """Click an element; hold_ms keeps the button down."""

    double_click: bool = False
    right_click: bool = False
    hold_ms: Annotated[int, Meta(ge=0, le=60_000)] = 0


class TypeText(Targeted, tag="type_text", frozen=True):
    """Type into a field. Never a password or a code."""

    text: Annotated[str, Meta(max_length=100_000)]
    clear_first: bool = True
    press_enter: bool = False


class Scroll(TeamTool, tag="scroll", frozen=True):
    """Scroll the page, or an element into view."""

    direction: Literal["up", "down", "left", "right", "top", "bottom"] | None = None
    amount: Pixels | None = None
    element_description: Words | None = None
    x: Annotated[int, Meta(ge=0)] | None = None
    y: Annotated[int, Meta(ge=0)] | None = None


class Hover(Targeted, tag="hover", frozen=True):
    """Move the pointer over an element."""


class SelectOption(Targeted, tag="select_option", frozen=True):
    """Choose an option of a list by its label or value."""

    option: Words


class ListFrames(TeamTool, tag="list_frames", frozen=True):
    """List the frames of the page, and whether they can be read."""

    include_inaccessible: bool = True


class GetFrameContent(TeamTool, tag="get_frame_content", frozen=True):
    """Read the text of one frame."""

    frame_selector: Words
    content_type: Literal["text"] = "text"
    max_length: Annotated[int, Meta(ge=1, le=100_000)] = 20_000


class SwitchToFrame(TeamTool, tag="switch_to_frame", frozen=True):
    """Limit descriptions to one frame; `main` is all of them again."""

    frame_selector: Words


class WaitForLoad(TeamTool, tag="wait_for_load", frozen=True):
    """Wait until the page has loaded."""

    state: Literal["load", "domcontentloaded", "networkidle"] = "load"


class WaitForSelector(TeamTool, tag="wait_for_selector", frozen=True):
    """Wait for an element, named by ref, selector or words."""

    selector: Words
    state: a.ElementState = "visible"


class WaitForText(TeamTool, tag="wait_for_text", frozen=True):
    """Wait for a text on the page."""

    text: Words
    frame: Words | None = None


class WaitForUrl(TeamTool, tag="wait_for_url", frozen=True):
    """Wait for an address; * stands for anything."""

    pattern: Words


class Sleep(TeamTool, tag="sleep", frozen=True):
    """Wait for a time, at most 30 seconds."""

    duration_ms: Annotated[int, Meta(ge=0, le=30_000)]


class GetAccessibilityTree(TeamTool, tag="get_accessibility_tree", frozen=True):
    """The page as a tree of roles and names, with refs."""

    max_depth: Annotated[int, Meta(ge=1, le=1_000)] | None = None


class FindInteractiveElements(TeamTool, tag="find_interactive_elements", frozen=True):
    """What can be used on the page; limited to some roles if any are named."""

    roles: tuple[Words, ...] = ()


class GetPageText(TeamTool, tag="get_page_text", frozen=True):
    """The visible text of the page or of one frame."""

    frame: Words | None = None
    max_length: Annotated[int, Meta(ge=1, le=100_000)] = 20_000


class TakeScreenshot(TeamTool, tag="screenshot", frozen=True):
    """A picture of the view, the whole page or one element."""

    element_description: Words | None = None
    full_page: bool = False


class SaveScreenshot(TeamTool, tag="save_screenshot", frozen=True):
    """Keep a picture with the record of the run, under a name; it is no path."""

    file_path: Annotated[str, Meta(pattern=r"^[\w.-]{1,80}$")]
    full_page: bool = False


class GetViewportInfo(TeamTool, tag="get_viewport_info", frozen=True):
    """Size and scroll position of the view."""


class IsElementVisible(TeamTool, tag="is_element_visible", frozen=True):
    """Whether an element is there and can be seen. Changes nothing."""

    element_description: Words
    frame: Words | None = None


class AnswerDialog(TeamTool, tag="answer_dialog", frozen=True):
    """Answer the native dialog that is open."""

    accept: bool
    text: str | None = None


class SwitchToTab(TeamTool, tag="switch_to_tab", frozen=True):
    """Go on in another tab."""

    tab: Words


AnyTeamTool = (
    NavigateTo | GoBack | GoForward | Reload | Click | TypeText | Scroll | Hover | SelectOption
    | ListFrames | GetFrameContent | SwitchToFrame | WaitForLoad | WaitForSelector | WaitForText
    | WaitForUrl | Sleep | GetAccessibilityTree | FindInteractiveElements | GetPageText
    | TakeScreenshot | SaveScreenshot | GetViewportInfo | IsElementVisible | AnswerDialog
    | SwitchToTab
)  # fmt: skip
TEAM_TOOLS: tuple[type[TeamTool], ...] = (
    NavigateTo, GoBack, GoForward, Reload, Click, TypeText, Scroll, Hover, SelectOption, ListFrames,
    GetFrameContent, SwitchToFrame, WaitForLoad, WaitForSelector, WaitForText, WaitForUrl, Sleep,
    GetAccessibilityTree, FindInteractiveElements, GetPageText, TakeScreenshot, SaveScreenshot,
    GetViewportInfo, IsElementVisible, AnswerDialog, SwitchToTab,
)  # fmt: skip
BY_NAME = {str(kind.__struct_config__.tag): kind for kind in TEAM_TOOLS}
ACTING = frozenset({
    "navigate", "go_back", "go_forward", "reload", "click", "type_text", "select_option",
    "answer_dialog", "switch_to_tab",
})  # fmt: skip


def tool_named(name: str) -> Tool:
    """One of them as a model is given it."""
    kind = BY_NAME[name]
    schema = msgspec.json.schema(kind)["$defs"][kind.__name__]
    properties = {key: word for key, word in schema["properties"].items() if key != "tool"}
    required = [key for key in schema["required"] if key != "tool"]
    return Tool(
        name,
        (kind.__doc__ or "").strip(),
        {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        },
    )


def parse_tool(call: Call) -> AnyTeamTool:
    """A call with its arguments checked. Raises InvalidParams; nothing was done then."""
    if call.name not in BY_NAME or "tool" in call.arguments:
        raise InvalidParams(f"Unknown tool: {call.name[:60]!r}.", next_step=CORRECT)
    whole: dict[str, Any] = {**call.arguments, "tool": call.name}
    try:
        return cast(AnyTeamTool, msgspec.convert(whole, AnyTeamTool))
    except (msgspec.ValidationError, TypeError) as fault:
        raise InvalidParams(f"{call.name}: {fault}"[:300], next_step=CORRECT) from fault

"""What a tool call asks for, read and checked. Data only; nothing here acts.

A docstring is the description that a model reads; the list of tools is sent with every request, so
every word of it is paid for many times.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

import msgspec
from msgspec import Meta, Struct

from subterminator import actions as a
from subterminator.errors import InvalidParams
from subterminator.extraction.extract import Mode
from subterminator.intake import parse_action
from subterminator.targets import Target

CORRECT = "Correct the arguments; nothing was done."
# How other servers call the same things.
OTHERWISE = {"ref": "target", "selector": "target", "element": ""}
Tokens = Annotated[int, Meta(ge=100, le=100_000)]
Seconds = Annotated[int, Meta(ge=0, le=600)]
Words = Annotated[str, Meta(max_length=2_000)]


class Tool(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="tool"):
    """Base of the tools."""


class PageTool(Tool, frozen=True, kw_only=True):
    """What answers with the page, or with what changed on it, in so many tokens at most."""

    budget: Tokens | None = None


class Navigate(PageTool, tag="browser_navigate", frozen=True):
    """Open a URL, or go back, forward, reload."""

    url: str = ""
    go: Literal["back", "forward", "reload"] | None = None

    def action(self) -> a.Action:
        if bool(self.url) == bool(self.go):
            raise InvalidParams("browser_navigate takes `url` or `go`.", next_step=CORRECT)
        return a.Navigate(self.url) if self.url else parse_action({"action": self.go})


class Snapshot(PageTool, tag="browser_snapshot", frozen=True):
    """The page with refs. Rarely needed: every reply tells what changed."""

    root: Target | None = None
    viewport_only: bool = False
    roles: tuple[str, ...] = ()

    def action(self) -> a.Action:
        return a.TakeSnapshot(root=self.root, viewport_only=self.viewport_only, roles=self.roles)


class Click(PageTool, tag="browser_click", frozen=True):
    """Click; the reply says what was hit and what changed.

    target: a ref (@e7), role:button:Save, label:Name, testId:x, css:..., or words.
    """

    target: Target
    button: a.Button = "left"
    count: a.Count = 1
    hold_ms: int = 0

    def action(self) -> a.Action:
        return a.Click(self.target, self.button, self.count, hold_ms=self.hold_ms)


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    target: Target
    value: str | bool


class Fill(PageTool, tag="browser_fill", frozen=True):
    """Fill a form. value: text, an option's label, or true/false to tick or untick."""

    fields: Annotated[tuple[Entry, ...], Meta(min_length=1, max_length=a.MAX_STEPS)]


class Press(PageTool, tag="browser_press", frozen=True):
    """Press a key: Enter, Escape, Control+A."""

    key: str
    target: Target | None = None
    count: a.Count = 1

    def action(self) -> a.Action:
        return a.Press(self.key, self.target, self.count)


class Wait(PageTool, tag="browser_wait", frozen=True):
    """Wait for one thing. url may hold *; quiet: until requests and changes end."""

    text: str | None = None
    text_gone: str | None = None
    target: Target | None = None
    state: a.ElementState | None = None
    url: str | None = None
    quiet: bool = False
    time_ms: int | None = None
    timeout_ms: int | None = None

    def action(self) -> a.Action:
        return a.Wait(
            self.text, self.text_gone, self.target, self.state, self.url, None, self.quiet,
            self.time_ms, timeout_ms=self.timeout_ms,
        )  # fmt: skip


class Find(Tool, tag="browser_find", frozen=True):
    """Find elements by words: "Turn off, in the row Backup"."""

    description: str
    role: str | None = None

    def action(self) -> a.Action:
        return a.Find(self.description, self.role)


class ReadText(Tool, tag="browser_text", frozen=True):
    """Read visible text of the page or an element."""

    target: Target | None = None
    max_length: int = 5_000

    def action(self) -> a.Action:
        return a.ReadText(self.target, max_length=self.max_length)


class Extract(Tool, tag="browser_extract", frozen=True):
    """Data off the page by a JSON schema; no model, nothing invented."""

    schema: dict[str, Any]
    mode: Mode | None = None
    instruction: str = ""
    root: Target | None = None


class Execute(PageTool, tag="browser_execute", frozen=True):
    """Several actions in one call; stops at the first failure.

    Step: {action, ...}, e.g. hover, type, select, check, scroll, drag, upload, or as the tools.
    """

    steps: Annotated[tuple[dict[str, Any], ...], Meta(min_length=1, max_length=a.MAX_STEPS)]
    stop_on_first_error: bool = True

    def action(self) -> a.Action:
        if len(self.steps) == 1 and not STEP_WORDS & self.steps[0].keys():
            # One alone can wait for a person; a sequence stops where one is needed.
            return parse_action(flat_action(self.steps[0]))
        return execution(self.steps, stop=self.stop_on_first_error)


class Tabs(PageTool, tag="browser_tabs", frozen=True):
    """Tabs: list, select, open, close."""

    do: Literal["list", "select", "open", "close"] = "list"
    tab: str | None = None
    url: str = "about:blank"

    def action(self) -> a.Action:
        match self.do:
            case "list":
                return a.ListTabs()
            case "open":
                return a.OpenTab(self.url)
            case "close":
                return a.CloseTab(self.tab)
            case "select":
                if self.tab is None:
                    raise InvalidParams("browser_tabs: say which tab.", next_step=CORRECT)
                return a.SelectTab(self.tab)


class Dialog(PageTool, tag="browser_dialog", frozen=True):
    """Answer the native dialog that is open."""

    accept: bool
    text: str | None = None

    def action(self) -> a.Action:
        return a.Dialog(self.accept, self.text)


class Screenshot(Tool, tag="browser_screenshot", frozen=True):
    """A picture; only if text is not enough."""

    target: Target | None = None
    full_page: bool = False


class Verify(Tool, tag="browser_verify", frozen=True):
    """Load the page anew and compare what it says about something, before and after."""

    about: Annotated[str, Meta(min_length=2, max_length=200)]
    url: str = ""


class Approval(Tool, tag="request_approval", frozen=True):
    """Ask the person something (permits nothing by itself).

    Without question: wait for a call that is pending.
    """

    question: Words = ""


class Cancel(Tool, tag="cancel_subscription", frozen=True):
    """Cancel a subscription by service name or account page url, and prove it.

    The person is asked before the last press.
    """

    service: Words = ""
    url: Words = ""
    dry_run: bool = False


class CancelStatus(Tool, tag="cancel_status", frozen=True):
    """How far the cancellation is; waits for news. stop ends it."""

    wait_s: Seconds = 30
    stop: bool = False


class Judge(Tool, tag="browser_judge", frozen=True):
    """What the gate would say to one action, and its effect; nothing is done."""

    step: dict[str, Any]


class Close(Tool, tag="browser_close", frozen=True):
    """Close the browser; the next call opens a new one."""


AnyTool = (
    Navigate | Snapshot | Click | Fill | Press | Wait | Find | ReadText | Extract | Execute | Tabs
    | Dialog | Screenshot | Verify | Approval | Cancel | CancelStatus | Judge | Close
)  # fmt: skip
Acting = (
    Navigate | Snapshot | Click | Press | Wait | Find | ReadText | Execute | Tabs | Dialog
)  # fmt: skip


def read(kind: type[Tool], arguments: Mapping[str, Any]) -> AnyTool:
    """A call of one of our tools. Raises InvalidParams; nothing was done then."""
    name = str(kind.__struct_config__.tag)
    given = {OTHERWISE.get(key, key): value for key, value in arguments.items()}
    given.pop("", None)
    if kind is Click and (given.pop("double_click", False) or given.pop("doubleClick", False)):
        given["count"] = 2
    if kind is Fill and "fields" not in given and "target" in given:
        value = given.pop("value", given.pop("text", ""))
        given["fields"] = [{"target": given.pop("target"), "value": value}]
    try:
        return cast(AnyTool, msgspec.convert({**given, "tool": name}, kind))
    except msgspec.ValidationError as fault:
        raise InvalidParams(f"{name}: {fault}.", next_step=CORRECT) from fault


# Steps, flat as a model writes them

STEP_WORDS = frozenset({"label", "condition", "on_error", "max_retries", "retry_delay_ms"})
CAMEL = {"onError": "on_error", "maxRetries": "max_retries", "retryDelay": "retry_delay_ms"}
# What carries the value, where a step only says `value`.
VALUES = {"type": "text", "press": "key", "navigate": "url", "wait": "text"}


def execution(steps: tuple[dict[str, Any], ...], *, stop: bool) -> a.Action:
    """The whole sequence, checked; every step is checked again by the gate."""
    plan = [_step(number, step) for number, step in enumerate(steps, 1)]
    return parse_action({"action": "execute", "steps": plan, "stop_on_first_error": stop})


def _step(number: int, step: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(step.get("action"), str):
        raise InvalidParams(f"Step {number} has no action.", next_step="No step was run.")
    words = {CAMEL.get(key, key): value for key, value in step.items()}
    frame = {key: words.pop(key) for key in STEP_WORDS & words.keys()}
    if isinstance(condition := frame.get("condition"), dict) and "selector" in condition:
        frame["condition"] = {
            ("target" if key == "selector" else key): value for key, value in condition.items()
        }
    return {"do": flat_action(words), **frame}


def flat_action(step: Mapping[str, Any]) -> dict[str, Any]:
    """One action as the union has it, from a flat object: `value` and `selector` are understood."""
    words = {OTHERWISE.get(key, key): value for key, value in step.items()}
    words.pop("", None)
    name = str(words.get("action", "")).rpartition("/")[2]
    words["action"] = name
    if "value" in words and name == "select":
        words["values"] = [words.pop("value")]
    elif "value" in words and (field := VALUES.get(name)):
        words.setdefault(field, words.pop("value"))
    if isinstance(words.get("values"), str):
        words["values"] = [words["values"]]
    if isinstance(words.get("files"), str):
        words["files"] = [words["files"]]
    return words

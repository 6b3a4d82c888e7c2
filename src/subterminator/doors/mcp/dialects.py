"""The tools of clients written to other contracts, under exactly their names.

Three contracts share names; such a tool takes the arguments of each. All actions pass the one gate.
"""

from __future__ import annotations

import time
from typing import Any, Literal

import msgspec
from msgspec import Struct

from subterminator import actions as a
from subterminator.agents import team_tools
from subterminator.agents.deeds import Known, deed_for
from subterminator.agents.envelope import Envelope, Metadata, failure
from subterminator.agents.models.base import Call
from subterminator.agents.tools import LARGEST, SEED_TOOLS, SeedTool, seed_schema
from subterminator.doors.mcp import wishes as w
from subterminator.doors.mcp.answers import Answer, of_data
from subterminator.doors.mcp.catalogue import TARGET, DoAction, Offer
from subterminator.doors.mcp.workplace import Workplace
from subterminator.doors.tool_server import BrowserToolServer
from subterminator.errors import InvalidParams, SubTerminatorError
from subterminator.page.snapshot import Snapshot
from subterminator.result import ExecuteResult, Result
from subterminator.session import Session
from subterminator.types import Picture

USUAL_ELEMENTS, MOST_ELEMENTS = 50, 200
ASKING = frozenset({"request_human_approval"})


class Dialect(Struct, frozen=True):
    """A call of a tool of one of these contracts, not yet read."""

    kind: Literal["seven", "team", "snapshot", "execute"]
    name: str
    arguments: dict[str, Any]


def seed_offers() -> dict[str, Offer]:
    found = [_seven(kind) for kind in SEED_TOOLS]
    found += [_team(name) for name in team_tools.BY_NAME]
    found += [_navigate(), _type(), _take_screenshot(), _snapshot(), _execute()]
    return {offer.name: offer for offer in found}


# The seven, and what drives a page like them


def _seven(kind: type[SeedTool]) -> Offer:
    shown = seed_schema(kind)
    name = shown["name"]

    def read(given: dict[str, Any]) -> Any:
        if name in ASKING:
            return w.Approval(question=f"{given.get('action', '')}: {given.get('reason', '')}")
        words = {key: value for key, value in given.items() if key != "element"}
        return Dialect("seven", name, words)

    looks = name in {"get_snapshot", "browser_scroll"}
    return Offer(
        name, shown["description"], shown["input_schema"], read, looks, name == "browser_click"
    )


def _navigate() -> Offer:
    return Offer(
        "browser_navigate",
        "Navigate to a URL.",
        _object({"url": TARGET}, "url"),
        lambda given: w.read(w.Navigate, given),
    )


def _type() -> Offer:
    properties = {"ref": TARGET, "element": TARGET, "text": TARGET, "submit": {"type": "boolean"}}

    def read(given: dict[str, Any]) -> DoAction:
        words = f"{given.get('text', '')}\n" if given.get("submit") else str(given.get("text", ""))
        target = given.get("ref") or given.get("target") or given.get("element")
        if not target:
            raise InvalidParams("browser_type needs a ref.", next_step=w.CORRECT)
        return DoAction(a.Type(words, target) if given.get("submit") else a.Fill(target, words))

    return Offer(
        "browser_type", "Type into a field.", _object(properties, "text"), read, destructive=True
    )


def _take_screenshot() -> Offer:
    properties = {"fullPage": {"type": "boolean"}, "ref": TARGET}

    def read(given: dict[str, Any]) -> DoAction:
        full = bool(given.get("fullPage"))
        return DoAction(a.Screenshot(given.get("ref"), full, max_size=LARGEST, masked=True))

    return Offer(
        "browser_take_screenshot", "Take a screenshot.", _object(properties), read, read_only=True
    )


def _snapshot() -> Offer:
    properties = {
        "includeScreenshot": {"type": "boolean"},
        "includeAccessibility": {"type": "boolean"},
        "maxElements": {"type": "integer", "minimum": 1, "maximum": MOST_ELEMENTS},
    }
    return Offer(
        "browser_snapshot",
        "The page: interactive elements with selectors, or its accessibility tree.",
        _object(properties),
        lambda given: Dialect("snapshot", "browser_snapshot", given),
        read_only=True,
    )


def _execute() -> Offer:
    step = {
        "label": TARGET, "action": TARGET, "selector": TARGET, "value": TARGET, "url": TARGET,
        "key": TARGET,
    }  # fmt: skip
    steps = {"type": "array", "items": _object(step, "action")}
    properties = {"steps": steps, "stopOnFirstError": {"type": "boolean"}}
    return Offer(
        "browser_execute",
        "Execute a sequence of browser actions in a single call.",
        _object(properties, "steps"),
        lambda given: Dialect("execute", "browser_execute", given),
        destructive=True,
    )


def _object(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "object", "properties": properties}
    return found | ({"required": list(required)} if required else {})


def _team(name: str) -> Offer:
    tool = team_tools.tool_named(name)
    looks = name not in team_tools.ACTING
    return Offer(
        name,
        tool.description,
        tool.schema,
        lambda given: Dialect("team", name, given),
        looks,
        name in {"click", "type_text", "answer_dialog"},
    )


# Doing it


async def perform(place: Workplace, wish: Dialect) -> Answer:
    session = await place.session()
    match wish.kind:
        case "seven":
            told = await BrowserToolServer(session).execute(wish.name, wish.arguments)
            return of_data(told.to_dict(), failed=not told.success)
        case "team":
            return await _by_team(session, wish)
        case "snapshot":
            return await _look(session, wish.arguments)
        case "execute":
            return await _run(session, wish.arguments)


async def _by_team(session: Session, wish: Dialect) -> Answer:
    begun = time.monotonic()
    about = Metadata(wish.name)
    pictures: tuple[Picture, ...] = ()
    try:
        tool = team_tools.parse_tool(Call("", wish.name, wish.arguments))
        page = session.last_snapshot or await session.snapshot()
        deed = deed_for(tool, page)
        if isinstance(deed, Known):
            data = deed.data
        else:
            result = await session.call(deed.action)
            pictures = (result.value,) if isinstance(result.value, Picture) else ()
            data = _data(tool, result)
        milliseconds = round((time.monotonic() - begun) * 1000)
        told = Envelope(True, data, None, Metadata(wish.name, milliseconds))
    except SubTerminatorError as fault:
        told = failure(fault, about)
    answer = of_data(msgspec.to_builtins(told), failed=not told.success)
    return msgspec.structs.replace(answer, pictures=pictures)


def _data(tool: team_tools.AnyTeamTool, result: Result) -> Any:
    match tool:
        case team_tools.GetAccessibilityTree() if result.snapshot:
            return result.snapshot.text()
        case team_tools.FindInteractiveElements() if result.snapshot:
            return result.snapshot.interactive_elements(MOST_ELEMENTS)
        case team_tools.GetPageText() | team_tools.GetFrameContent():
            return result.value["text"]
        case _:
            return result.text()


async def _look(session: Session, given: dict[str, Any]) -> Answer:
    most = given.get("maxElements", USUAL_ELEMENTS)
    if not isinstance(most, int) or not 1 <= most <= MOST_ELEMENTS:
        raise InvalidParams(f"maxElements is 1 to {MOST_ELEMENTS}.", next_step=w.CORRECT)
    snapshot = await session.snapshot()
    lines = [_head(snapshot), *_elements(snapshot, most)]
    if given.get("includeAccessibility"):
        lines += ["", snapshot.text()]
    pictures: tuple[Picture, ...] = ()
    if given.get("includeScreenshot"):
        shot = await session.call(a.Screenshot(max_size=LARGEST, masked=True))
        pictures = (shot.value,)
    return Answer("\n".join(lines), pictures=pictures)


def _head(snapshot: Snapshot) -> str:
    page, view = snapshot.page, snapshot.viewport
    return f"Page: {page.title}\nURL: {page.url}\nViewport: {view.width}x{view.height}"


def _elements(snapshot: Snapshot, most: int) -> list[str]:
    every = snapshot.interactive_elements(100_000)
    lines = ["", f"Interactive Elements ({min(most, len(every))}/{len(every)}):"]
    for number, element in enumerate(every[:most], 1):
        name = f': "{element["name"]}"' if element.get("name") else ""
        hints = ", ".join(element.get("actionHints", ()))
        ref = element.get("ref", "")
        lines.append(f"[{number}] {element['role']}{name} - {ref} ({hints})")
    return lines


async def _run(session: Session, given: dict[str, Any]) -> Answer:
    steps = given.get("steps")
    if not isinstance(steps, list) or not all(isinstance(step, dict) for step in steps):
        raise InvalidParams("steps is a list of objects.", next_step=w.CORRECT)
    action = w.execution(tuple(steps), stop=bool(given.get("stopOnFirstError", True)))
    result = await session.call(action)
    outcome = result.value
    assert isinstance(outcome, ExecuteResult)
    failed = next((step for step in outcome.results if step.error), None)
    summary = f"Executed {outcome.completed}/{outcome.total} steps successfully"
    if failed:
        summary = f"Failed at step {failed.step + 1}: {failed.error}"
    lines = [
        f"Step {step.step + 1}{f' ({step.label})' if step.label else ''}: {step.error or 'OK'}"
        for step in outcome.results
    ]
    total = f"Total time: {outcome.duration_ms}ms"
    return Answer("\n".join([summary, "", *lines, "", total]), not outcome.success)

"""The tools that are offered, by profile: names, descriptions, schemas, hints.

The actions themselves come from the union and from the tools that planners are given: there is no
second list of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from subterminator import actions as a
from subterminator.agents.models.base import Call
from subterminator.agents.moves import Act
from subterminator.agents.tools import UNTOLD, WIDER, all_tools
from subterminator.doors.mcp import wishes as w
from subterminator.errors import InvalidParams
from subterminator.extraction.extract import Mode
from subterminator.intake import parse_action

Profile = Literal["default", "full", "seeds"]
PROFILES: tuple[str, ...] = get_args(Profile)
TARGET = {"type": "string"}
ENTRIES = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"target": TARGET, "value": {"type": ["string", "boolean"]}},
        "required": ["target", "value"],
    },
}
STEPS = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"action": TARGET, "target": TARGET, "value": TARGET},
        "required": ["action"],
    },
}
STEP = {"type": "object", "properties": {"action": TARGET}, "required": ["action"]}
# What the schema of a field is, where the derived one says more than a model needs.
SHORT: dict[str, dict[str, Any]] = {
    "fields": ENTRIES,
    "steps": STEPS,
    "step": STEP,
    "schema": {"type": "object"},
    "mode": {"type": "string", "enum": list(get_args(Mode))},
}


class DoAction(Struct, frozen=True):
    """One action, as it is."""

    action: a.Action
    budget: int | None = None


class Offer(Struct, frozen=True):
    """A tool as it is listed, and how a call of it is read."""

    name: str
    description: str
    input_schema: dict[str, Any]
    read: Callable[[dict[str, Any]], Any]
    read_only: bool = False
    destructive: bool = False
    output_schema: dict[str, Any] | None = None


EXTRACTED = {
    "type": "object",
    "properties": {"success": {"type": "boolean"}, "confidence": {"type": "number"}},
    "required": ["success"],
}
CANCELLING = {
    "type": "object",
    "properties": {"state": {"type": "string"}, "outcome": {"type": "string"}},
    "required": ["state"],
}
OUTPUTS: dict[type[w.Tool], dict[str, Any]] = {
    w.Extract: EXTRACTED,
    w.Cancel: CANCELLING,
    w.CancelStatus: CANCELLING,
}
LOOKING: frozenset[type[w.Tool]] = frozenset({
    w.Snapshot, w.Wait, w.Find, w.ReadText, w.Extract, w.Screenshot, w.Judge,
})  # fmt: skip
# What can end in something that cannot be undone; the gate asks before it does.
FINAL: frozenset[type[w.Tool]] = frozenset({
    w.Click, w.Press, w.Execute, w.Dialog, w.Cancel,
})  # fmt: skip
DEFAULT: tuple[type[w.Tool], ...] = (
    w.Navigate, w.Snapshot, w.Click, w.Fill, w.Press, w.Wait, w.Find, w.ReadText, w.Extract,
    w.Execute, w.Tabs, w.Dialog, w.Screenshot, w.Verify, w.Approval, w.Cancel, w.CancelStatus,
)  # fmt: skip
FULL: tuple[type[w.Tool], ...] = (*DEFAULT, w.Judge, w.Close)
# What the seven and the wider tools of planners add, under the names that they have there.
ADDED = frozenset({"browser_select", "browser_scroll", *WIDER})


def offers(profile: Profile) -> dict[str, Offer]:
    match profile:
        case "default":
            return _named(DEFAULT)
        case "full":
            return _derived() | _named(FULL)
        case "seeds":
            from subterminator.doors.mcp.dialects import seed_offers

            return seed_offers()


def _named(kinds: tuple[type[w.Tool], ...]) -> dict[str, Offer]:
    return {offer.name: offer for offer in map(_offer, kinds)}


def _offer(kind: type[w.Tool]) -> Offer:
    name = str(kind.__struct_config__.tag)
    words = " ".join((kind.__doc__ or "").split())

    def read(arguments: dict[str, Any]) -> w.AnyTool:
        return w.read(kind, arguments)

    return Offer(
        name, words, _schema(kind), read, kind in LOOKING, kind in FINAL, OUTPUTS.get(kind)
    )


def _schema(kind: type[w.Tool]) -> dict[str, Any]:
    found = msgspec.json.schema(kind)["$defs"][kind.__name__]
    properties = {
        key: SHORT.get(key) or _plain(value)
        for key, value in found["properties"].items()
        if key != "tool"
    }
    required = [key for key in found["required"] if key != "tool"]
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    return schema | ({"required": required} if required else {})


def _plain(value: Mapping[str, Any]) -> dict[str, Any]:
    """Without what only says that it may be left out, and without limits and defaults."""
    kinds = [one for one in value.get("anyOf", [value]) if one != {"type": "null"}]
    if "$ref" in str(kinds):
        return TARGET
    words = {key: word for key, word in kinds[0].items() if key not in UNTOLD and key != "default"}
    if "enum" in words:
        words = {"type": "string", "enum": [word for word in words["enum"] if word is not None]}
    return words


def _derived() -> dict[str, Offer]:
    """The tools of planners that are one action each, and what they leave to us."""
    every = all_tools()
    found: dict[str, Offer] = {}
    for tool in every.only(ADDED).tools:

        def read(arguments: dict[str, Any], name: str = tool.name) -> DoAction:
            move = every.read(Call("", name, arguments))
            if not isinstance(move, Act):
                raise InvalidParams(f"{name} is no action.")
            return DoAction(parse_action(move.action))

        kind = WIDER.get(tool.name)
        found[tool.name] = Offer(
            tool.name,
            tool.description,
            tool.schema,
            read,
            read_only=kind is not None and kind.effect == "look" or tool.name == "browser_scroll",
            destructive=tool.name in {"browser_type", "browser_click_with_options"},
        )
    upload = {"target": TARGET, "files": {"type": "array", "items": {"type": "string"}}}
    found["browser_upload"] = Offer(
        "browser_upload",
        "Put files of this machine into a file field; the person is asked.",
        {"type": "object", "properties": upload, "required": list(upload)},
        lambda given: w.Execute(steps=({**given, "action": "upload"},)),
    )
    return found


def listed(offer: Offer) -> dict[str, Any]:
    """A tool as it goes over the wire."""
    hints: dict[str, Any] = (
        {"readOnlyHint": True} if offer.read_only else {"destructiveHint": offer.destructive}
    )
    told: dict[str, Any] = {
        "name": offer.name,
        "description": offer.description,
        "inputSchema": offer.input_schema,
        "annotations": hints,
    }
    return told | ({"outputSchema": offer.output_schema} if offer.output_schema else {})

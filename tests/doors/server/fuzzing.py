"""Messages that are almost right: those of the schemas, with something changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from subterminator.doors.server.methods import METHODS
from tests.doors.server.running import Wire

# Ending the session over and over would test nothing else.
AT_ONCE = 24
LEFT_OUT = {"shutdown", "browser/launch", "browser/close", "initialize"}
ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1.5, 2**63, 10**30, "", "x", "\ud800", "\0", "@e1", "page-x", "*" * 3000, [],
    [[]], {}, {"type": "css", "value": "button"}, {"type": "ref", "ref": "@e1"}, {"type": "nope"},
    {"type": "role"}, [None], {"": None}, "javascript:alert(1)", "file:///x", "{", {"a": {"b": []}},
)  # fmt: skip


async def besiege(line: Wire, page: str, chance: Random, count: int) -> int:
    """Send so many mutated messages; every one that has to be answered is. How many that were."""
    waiting = answered = 0
    for number, message in enumerate(mutated(chance, count, page), 1):
        await line.send(message)
        waiting += answers_to(message)
        if waiting >= AT_ONCE or number == count:
            for _ in range(waiting):
                await line.answer()
            line.notices.clear()
            answered, waiting = answered + waiting, 0
    return answered


def answers_to(text: str) -> int:
    """How many answers a message has to get: none if it is an array, a notice or an answer."""
    try:
        message = json.loads(text)
    except ValueError:
        return 1
    if isinstance(message, list):
        return 0
    if not isinstance(message, dict):
        return 1
    is_answer = message.get("method") is None and ("result" in message or "error" in message)
    has_good_id = isinstance(message.get("id"), str | int)
    is_good = has_good_id or "id" not in message or message["id"] is None
    if not is_good:
        return 1
    if message.get("id") is None:
        # What is wrong with a notice is answered with the id 0; a good one not at all.
        return 0 if _is_notice(message) or is_answer else 1
    return 0 if is_answer else 1


def _is_notice(message: dict[str, Any]) -> bool:
    method, params = message.get("method"), message.get("params")
    named = isinstance(method, str) and 0 < len(method) <= 100
    plain = params is None or isinstance(params, dict)
    return named and plain and message.get("jsonrpc", "2.0") == "2.0"


def mutated(chance: Random, count: int, page: str) -> Iterator[str]:
    names = sorted(set(METHODS) - LEFT_OUT)
    schemas = {name: msgspec.json.schema(METHODS[name].params) for name in names}
    for number in range(count):
        name = chance.choice(names)
        params = _made(chance, schemas[name], schemas[name], 0)
        if isinstance(params, dict) and chance.random() < 0.5:
            params["pageId"] = page
        message: Any = {"jsonrpc": "2.0", "id": number, "method": name, "params": params}
        for _ in range(chance.randrange(3)):
            message = _changed(chance, message)
        text = json.dumps(message)
        if chance.random() < 0.05:
            place = chance.randrange(len(text))
            text = text[:place] + chance.choice('{}[]",:\\') + text[place:]
        yield text


def _made(chance: Random, schema: Any, whole: Any, depth: int) -> Any:
    """Something that fits a schema, more or less."""
    if depth > 6:
        return None
    if "$ref" in schema:
        return _made(chance, whole["$defs"][schema["$ref"].rpartition("/")[2]], whole, depth + 1)
    if "anyOf" in schema:
        return _made(chance, chance.choice(schema["anyOf"]), whole, depth + 1)
    if "enum" in schema:
        return chance.choice(schema["enum"])
    match schema.get("type"):
        case "object":
            return _members(chance, schema, whole, depth)
        case "array":
            items = schema.get("items") or {}
            return [_made(chance, items, whole, depth + 1) for _ in range(chance.randrange(3))]
        case "integer" | "number" | "boolean":
            return chance.choice((0, 1, 250, 0.5, True, False))
        case "string":
            return chance.choice(("button", "Go on", "x", "http://127.0.0.1:9/", "aGk="))
        case _:
            return chance.choice(ODD)


def _members(chance: Random, schema: Any, whole: Any, depth: int) -> dict[str, Any]:
    required = set(schema.get("required", ()))
    return {
        name: _made(chance, kind, whole, depth + 1)
        for name, kind in schema.get("properties", {}).items()
        if name in required or chance.random() < 0.3
    }


def _changed(chance: Random, value: Any) -> Any:
    """One place of it, changed, removed or added to."""
    if isinstance(value, dict) and value and chance.random() < 0.8:
        name = chance.choice(sorted(value))
        if chance.random() < 0.2:
            return {key: member for key, member in value.items() if key != name}
        return {**value, name: _changed(chance, value[name])}
    if isinstance(value, list) and value and chance.random() < 0.8:
        place = chance.randrange(len(value))
        return [*value[:place], _changed(chance, value[place]), *value[place + 1 :]]
    return chance.choice(ODD)

"""The JSON Schemas of every message, as files: `python -m subterminator.doors.server.export`.

They are made from the table of methods; a test says when they are not up to date.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from subterminator.doors.server.events import NAMES
from subterminator.doors.server.methods import FREE, METHODS

FOLDER = Path(__file__).parent / "schemas"
DRAFT = "https://json-schema.org/draft/2020-12/schema"
TEXT, WHOLE, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}
VOID = {"description": "No result member."}


def documents() -> dict[str, dict[str, Any]]:
    """One document for each first word of the methods, one for what is only told, one for all."""
    groups: dict[str, list[str]] = {}
    for name in METHODS:
        groups.setdefault(name.partition("/")[0], []).append(name)
    found = {f"{group}.json": _document(group, names) for group, names in groups.items()}
    return {**found, "notifications.json": _notifications(), "message.json": _message()}


def _document(group: str, names: list[str]) -> dict[str, Any]:
    wanted: list[Any] = []
    for name in names:
        method = METHODS[name]
        wanted += [method.params, *([method.result] if method.result is not None else [])]
    schemas, components = msgspec.json.schema_components(wanted, ref_template="#/$defs/{name}")
    left = iter(schemas)
    methods = {}
    for name in names:
        method = METHODS[name]
        params = next(left)
        result = next(left) if method.result is not None else VOID
        scopes = [scope for scope in method.scopes if scope != FREE]
        methods[name] = {"params": params, "result": result, "scopes": scopes}
    return {"$schema": DRAFT, "title": group, "methods": methods, "$defs": components}


def _message() -> dict[str, Any]:
    data = {
        "type": "object",
        "properties": {
            "retryable": {"type": "boolean"},
            "retryAfterMs": NUMBER,
            "details": {"type": "object"},
            "recoveryHint": TEXT,
        },
        "required": ["retryable", "details"],
    }
    error = {
        "type": "object",
        "properties": {"code": WHOLE, "message": TEXT, "data": data},
        "required": ["code", "message", "data"],
    }
    id = {"anyOf": [TEXT, WHOLE]}
    version = {"const": "2.0"}
    return {
        "$schema": DRAFT,
        "title": "message",
        "anyOf": [
            {
                "title": "request",
                "type": "object",
                "properties": {
                    "jsonrpc": version,
                    "id": id,
                    "method": {"enum": sorted(METHODS)},
                    "params": {"type": "object"},
                },
                "required": ["method"],
            },
            {
                "title": "answer",
                "type": "object",
                "properties": {"jsonrpc": version, "id": id, "result": {}},
                "required": ["jsonrpc", "id"],
            },
            {
                "title": "error",
                "type": "object",
                "properties": {"jsonrpc": version, "id": id, "error": error},
                "required": ["jsonrpc", "id", "error"],
            },
        ],
    }


def _notifications() -> dict[str, Any]:
    told: dict[str, dict[str, Any]] = {
        "page": {"type": TEXT, "url": TEXT},
        "console": {"level": TEXT, "text": TEXT, "url": TEXT, "line": WHOLE, "column": WHOLE},
        "network": {"type": TEXT, "requestId": TEXT},
        "dialog": {"type": TEXT, "message": TEXT, "defaultValue": TEXT},
        "download": {
            "downloadId": TEXT,
            "url": TEXT,
            "suggestedFilename": TEXT,
            "state": {"enum": ["started", "progress", "completed", "canceled"]},
            "receivedBytes": WHOLE,
            "totalBytes": WHOLE,
        },
    }
    common = {"pageId": TEXT, "timestamp": WHOLE}
    every = {
        f"{prefix}/{name}": _object({**common, **told[name]})
        for name in NAMES
        for prefix in ("events", "event")
    }
    place = {"streamId": TEXT, "index": WHOLE, "offset": WHOLE, "size": WHOLE, "data": TEXT}
    end = {"streamId": TEXT, "totalChunks": WHOLE, "totalSize": WHOLE, "checksum": TEXT}
    asked = {
        "requestId": TEXT,
        "originalRequest": {"type": "object"},
        "rule": TEXT,
        "context": {"type": "object"},
        "expiresAt": WHOLE,
        "digest": TEXT,
        "facts": {"type": "array", "items": TEXT},
        "typedWords": TEXT,
        "handOver": {"type": "boolean"},
    }
    every |= {
        "stream/chunk": _object(place),
        "stream/end": _object(end),
        "approval/required": _object(asked),
    }
    return {"$schema": DRAFT, "title": "notifications", "notifications": every}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": sorted(properties)}


def written(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, document in documents().items():
        (FOLDER / name).write_text(written(document), encoding="utf-8")


if __name__ == "__main__":
    main()

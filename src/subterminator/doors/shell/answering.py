"""Answers one line of the shell: reads it, passes it to the session's gate, words the reply."""

from __future__ import annotations

import base64
from typing import Any

import msgspec
from msgspec import Struct

from subterminator import actions as a
from subterminator.doors import replies
from subterminator.doors.exit_codes import ENVIRONMENT, FAILED, STOPPED, USAGE
from subterminator.doors.shell.grammar import Extract, Line, Opening, read
from subterminator.errors import (
    BrowserClosed,
    HandedOver,
    HumanRejected,
    InvalidParams,
    SubTerminatorError,
)
from subterminator.extraction.extract import Wish, extract
from subterminator.intake import parse_action
from subterminator.result import ExecuteResult
from subterminator.session import Session
from subterminator.types import Picture

SCHEMES = ("about:", "data:", "javascript:", "view-source:", "blob:", "file:")
AGAIN = "Run: subterminator open URL"
ALREADY = "This session is open already: how it was opened cannot be changed."


class Request(Struct, frozen=True):
    words: tuple[str, ...]
    folder: str
    read: str | None = None
    fresh: bool = False
    """Whether the session was started for this very line."""


class Answer(Struct, frozen=True):
    """The last line of an answer. `path` and `data` are a picture for the client to write."""

    out: str
    code: int = 0
    path: str = ""
    data: str = ""


async def answer(session: Session, request: Request) -> Answer:
    """What a line comes to; an error is an answer, too."""
    as_json = "--json" in request.words
    try:
        line = read(request.words, request.folder, request.read)
        if isinstance(line.wish, Opening) and not request.fresh:
            if line.wish != Opening(line.wish.url):
                raise InvalidParams(ALREADY, next_step="Close it first: subterminator close")
        return await _done(session, line)
    except SubTerminatorError as fault:
        advice = AGAIN if isinstance(fault, BrowserClosed) else ""
        if as_json:
            return Answer(_json(replies.fault_data(fault)), code_of(fault))
        told = replies.tell_fault(fault)
        return Answer(f"{told} {advice}".rstrip(), code_of(fault))


def code_of(fault: SubTerminatorError) -> int:
    match fault:
        case InvalidParams():
            return USAGE
        case HumanRejected() | HandedOver():
            return STOPPED
        case BrowserClosed():
            return ENVIRONMENT
        case _:
            return FAILED


async def _done(session: Session, line: Line) -> Answer:
    match line.wish:
        case Extract() as wish:
            return await _extracted(session, wish)
        case Opening(url=url):
            if not url:
                return await _acted(session, line, a.TakeSnapshot())
            return await _acted(session, line, parse_action(a.Navigate(_whole(url))))
        case None:
            raise InvalidParams(f"{line.verb} is not for a session.")
        case action:
            return await _acted(session, line, action)


def _whole(url: str) -> str:
    """People leave the scheme out; what has one is judged by the gate."""
    return url if "://" in url or url.startswith(SCHEMES) else f"https://{url}"


async def _acted(session: Session, line: Line, action: a.Action) -> Answer:
    result = await session.call(action)
    text = replies.tell(action, result, line.budget)
    failed = isinstance(result.value, ExecuteResult) and not result.value.success
    more: dict[str, Any] = {}
    if isinstance(result.value, Picture):
        more = {"path": line.out, "data": base64.b64encode(result.value.data).decode()}
        text += f"\nwritten to {line.out}"
    out = text
    if line.as_json:
        told = replies.data(action, result, text)
        out = _json({**told, "path": line.out} if more else told)
    return Answer(out, FAILED if failed else 0, **more)


async def _extracted(session: Session, wish: Extract) -> Answer:
    looked = await session.call(a.TakeSnapshot(root=wish.root))
    assert looked.snapshot
    found = extract(looked.snapshot, Wish(wish.schema, wish.instruction, wish.mode))
    told = {
        "ok": found.success, "data": found.data, "confidence": found.confidence,
        "missing": found.missing, "ignored": found.ignored, "error": found.error,
    }  # fmt: skip
    return Answer(_json({key: value for key, value in told.items() if value not in ("", ())}),
                  0 if found.success else FAILED)  # fmt: skip


def _json(told: dict[str, Any]) -> str:
    return msgspec.json.encode(told).decode()

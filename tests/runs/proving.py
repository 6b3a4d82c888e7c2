"""The end of a run written down: a result, the record behind it, and their proof."""

from __future__ import annotations

import struct
import zlib
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace

from subterminator.agents.outcome import After, Before, Evidence, GateAnswer, TaskResult
from subterminator.runs.events import (
    Answered,
    Asked,
    HandOver,
    Intent,
    Looked,
    Note,
    Opened,
    TargetFacts,
    TaskFacts,
)
from subterminator.runs.store import Store

BEGAN = datetime(2026, 11, 15, 10, 15, 30, tzinfo=UTC)
HOST = "www.streambox.example"
ACCOUNT = f"https://{HOST}/account"
MAIL = "alice@example.org"


def at(seconds: float) -> str:
    moment = datetime.fromtimestamp(BEGAN.timestamp() + seconds, UTC)
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def png(width: int = 2, height: int = 1) -> bytes:
    """A picture, as small as one can be."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    rows = b"".join(b"\0" + b"\x30\x60\x90" * width for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + data


def result(**changes: object) -> TaskResult:
    """A cancellation that went well and was never recorded."""
    done = TaskResult(
        success=True, verified=True, reason="completed", outcome="cancelled", turns=7,
        final_url=ACCOUNT, service="streambox", account_hint=MAIL,
        evidence=(
            Evidence("words", f"Your plan is cancelled. We wrote to {MAIL}.", f"{ACCOUNT}/done?t=1", at(41)),
            Evidence("status", "Ends on 12 December 2026", ACCOUNT, at(52), fresh=True),
            Evidence("control", "Restart plan", ACCOUNT, at(52), fresh=True),
        ),
        before=Before("Standard", "15.49 USD a month", "Next payment: 12 December 2026", "Visa •••• 4242"),
        after=After("Ends on 12 December 2026", "12 December 2026"),
        reference="SB-4820-77",
        declined=("Half price for three months",),
        survey_answers=("Prefer not to say",),
        gates=(GateAnswer(at(34), 'Press "Finish cancellation"?', "yes"),),
        steps=("Opened the account page", "Pressed Cancel plan"),
        started=at(0), ended=at(55), pack_version="streambox 2026-11",
    )  # fmt: skip
    return replace(done, **changes)


def recorded(state: Path, pictures: tuple[bytes, ...] = ()) -> tuple[Store, TaskResult]:
    """The same with the record of its run; each piece of evidence is shown by the last picture."""
    store = Store(state)
    now = BEGAN.timestamp()

    def clock() -> float:
        nonlocal now
        now += 3.4
        return now

    button = TargetFacts("e1", "button", "Finish cancellation", HOST)
    record = store.create("streambox", clock)
    task = TaskFacts(service="streambox", account=MAIL)
    record.append(Opened(record.id, "0.1.0", "chromium", "", "Linux", "3.11", "CET", 60, task))
    record.append(Intent("navigate", address=ACCOUNT))
    record.append(Looked("snapshot", ACCOUNT, "Account", 34, "ab12" * 16))
    digests = [record.keep(picture, "image/png", "the account page") for picture in pictures]
    record.append(HandOver("begun", "password", "q1", HOST))
    record.append(HandOver("ended", "password", "q1", HOST, True))
    record.append(Asked("q2", "cd" * 32, "click", target=button))
    record.append(Answered("q2", "yes", "cd" * 32))
    record.append(Intent("click", (button,)))
    record.append(Note(f"mail {MAIL}"))
    record.close("completed")
    done = result(run=record.id)
    if digests:
        done = replace(
            done, evidence=tuple(replace(each, picture=digests[-1]) for each in done.evidence)
        )
    return store, done

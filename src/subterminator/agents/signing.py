"""Hands over to the person where nothing on the page can be named that only they may touch."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Coroutine
from typing import Any

from subterminator.agents.stages import Page
from subterminator.errors import HandedOver, Timeout
from subterminator.safety.human import Human, Question, bare_address, masked
from subterminator.safety.sites import host_of
from subterminator.session import Session

LONGEST_MS = 300_000
WHAT = {
    "login": "Please sign in in the browser window.",
    "mfa": "Please enter the code in the browser window.",
    "captcha": "Please answer the puzzle in the browser window.",
}


async def hand_over(session: Session, human: Human, page: Page) -> None:
    """Return when the person has done it; an error if they did not."""
    kind = page.reading.detail or "login"
    reason = WHAT.get(kind, WHAT["login"])
    url = page.sight.url
    question = Question(
        id=secrets.token_hex(8),
        job=session.task.id,
        action="hand_over",
        effect="credential",
        reason=reason,
        rule=kind,
        url=bare_address(url),
        title=page.sight.title,
        host=host_of(url),
        digest=hashlib.sha256(f"{kind} {url}".encode("utf-8", "replace")).hexdigest(),
        hand_over=True,
        service=session.task.service,
    )
    with session.counter.paused():
        says = human.hand_over(masked(question, session.record.redactor))
        done = await _until_done(says, _noticed(session, page))
    if not done:
        raise HandedOver(f"{reason} It was not done.", next_step="Ask the person to do it.")


async def _until_done(says: Coroutine[Any, Any, bool], gone: Coroutine[Any, Any, bool]) -> bool:
    person, noticed = asyncio.ensure_future(says), asyncio.ensure_future(gone)
    try:
        await asyncio.wait({person, noticed}, return_when=asyncio.FIRST_COMPLETED)
        return noticed.result() if noticed.done() else person.result()
    finally:
        person.cancel()
        noticed.cancel()
        await asyncio.gather(person, noticed, return_exceptions=True)


async def _noticed(session: Session, page: Page) -> bool:
    """Whether what has to be filled in goes away in time; the page is not read meanwhile."""
    awaited = next((c.ref for c in page.sight.controls if c.kind in {"field", "choice"}), "")
    if not awaited:
        await asyncio.Event().wait()
    try:
        await session.wait(target=awaited, state="gone", timeout_ms=LONGEST_MS)
    except Timeout:
        return False
    return True

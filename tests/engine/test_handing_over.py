"""While a person fills a field or solves a puzzle: we notice when it is done, and read nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

import subterminator
from subterminator.engine.cdp import Channel
from subterminator.engine.waiting import until_gone
from tests.engine.opened import opened, resolved
from tests.site import Site

Session = subterminator.Session
FIELD = "<label>Password <input type=password id=f></label>"


@asynccontextmanager
async def waiting(session: Session, target: str) -> AsyncIterator[asyncio.Task[None]]:
    """Wait for it to be gone; half a second shows that it is waited for."""
    found = await resolved(session, target)
    task = asyncio.create_task(until_gone(opened(session).tab, found))
    try:
        done, _ = await asyncio.wait([task], timeout=0.7)
        assert not done
        yield task
        await asyncio.wait_for(task, 10)
    finally:
        task.cancel()


async def do(session: Session, script: str) -> None:
    """What the person or the page does, in the page's own world."""
    channel = opened(session).tab.channel
    await channel.call("Runtime.evaluate", expression=script)


DONE = {
    "removed": "f.remove()",
    "hidden": "f.style.display = 'none'",
    "under a hidden part": "f.parentElement.hidden = true",
    "another document": "location.href = '/next'",
    "reloaded": "location.reload()",
}


@pytest.mark.parametrize("script", DONE.values(), ids=DONE.keys())
async def test_a_field_that_is_no_longer_there_or_shown_is_done(
    session: Session, site: Site, script: str
) -> None:
    site.page("Welcome", "/next")
    await session.navigate(site.page(FIELD))
    async with waiting(session, "#f"):
        await do(session, script)


async def test_a_field_in_a_frame_is_done_when_the_frame_is_gone(
    session: Session, site: Site
) -> None:
    site.page(FIELD, "/inner")
    await session.navigate(site.page(f"<iframe src={site.other}/inner></iframe>"))
    async with waiting(session, "label:Password"):
        await do(session, "document.querySelector('iframe').remove()")


async def test_a_field_is_waited_for_while_a_dialog_is_open(session: Session, site: Site) -> None:
    await session.navigate(site.page(FIELD))
    async with waiting(session, "#f") as task:
        await do(session, "setTimeout(() => { if (confirm('Sure?')) f.remove() })")
        done, _ = await asyncio.wait([task], timeout=0.5)
        assert not done and session.open_dialog
        await opened(session).tab.dialogs.answer(True, None)


async def test_a_tab_that_the_person_closes_is_done(sacrificed: Session, site: Site) -> None:
    await sacrificed.navigate(site.page(FIELD))
    async with waiting(sacrificed, "#f"):
        tab = opened(sacrificed).tab
        await tab._connection.root.call("Target.closeTarget", targetId=tab.id)


PUZZLES = {
    "ticked": ("<label><input type=checkbox id=f> I'm not a robot</label>", "f.checked = true"),
    "answered": (
        "<form><div class=h-captcha id=f style='width:99px;height:99px'></div>"
        "<textarea name=h-captcha-response hidden></textarea></form>",
        "document.querySelector('textarea').value = 'token'",
    ),
    "removed": ("<div class=cf-turnstile id=f style='width:99px;height:99px'></div>", "f.remove()"),
}


@pytest.mark.parametrize(("html", "script"), PUZZLES.values(), ids=PUZZLES.keys())
async def test_a_puzzle_is_done_when_it_is_solved(
    session: Session, site: Site, html: str, script: str
) -> None:
    await session.navigate(site.page(html))
    async with waiting(session, "#f"):
        await do(session, script)


async def test_nothing_of_the_page_is_read_meanwhile(
    session: Session, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    await session.navigate(site.page(f"<p>Secret words</p>{FIELD}"))
    asked: list[tuple[str, str]] = []
    answers: list[str] = []
    post: Callable[..., asyncio.Future[Any]] = Channel.post

    def noted(self: Channel, method: str, **params: Any) -> asyncio.Future[Any]:
        asked.append((method, str(params.get("expression", ""))))
        reply = post(self, method, **params)
        reply.add_done_callback(lambda reply: answers.append(str(reply.result())))
        return reply

    async with waiting(session, "#f") as task:
        monkeypatch.setattr(Channel, "post", noted)
        await asyncio.wait([task], timeout=1.2)
        monkeypatch.undo()
        await do(session, "f.remove()")
    assert asked
    assert all(text.startswith("actor.until({") for _, text in asked)
    assert all(len(answer) < 100 for answer in answers)

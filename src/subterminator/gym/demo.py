"""The demo: a small page in a real browser, what a model sees of it, and what acting changes."""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources

from subterminator.app import open as open_session
from subterminator.gym.site import serve
from subterminator.safety.human import nobody
from subterminator.session import Session


async def run(say: Callable[[str], None], *, headless: bool = True) -> None:
    """Walk through the page step by step, telling each step."""
    page = resources.files("subterminator.gym").joinpath("demo.html").read_text("utf-8")
    async with serve({"/": page}) as address:
        say(f"Opening a small account page of our own at {address} in a real browser.\n")
        async with open_session(address, human=nobody, headless=headless) as session:
            await _show(session, say)


async def _show(session: Session, say: Callable[[str], None]) -> None:
    say("What a model sees:\n")
    say((await session.snapshot()).text())
    say("\nTwo buttons read the same. Found by description, no model needed:")
    match = (await session.find("Turn off, in the row New episodes"))[0]
    say(f"  {match.ref} {match.role} {match.name!r} ({match.context}), score {match.score:.2f}\n")
    for step in (
        session.click(match.ref),
        session.fill("label:Reply to", "me@example.com"),
        session.select("label:Language", "Deutsch"),
        session.uncheck("label:Share my list"),
        session.click("text:Show plan details"),
    ):
        say((await step).text() + "\n")
    say("Every reply says what was hit, where the page is and what changed: no second look.")

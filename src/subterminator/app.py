"""Puts the parts together: settings, browser, policy, session."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from subterminator.config import Settings, load
from subterminator.engine.browsers import locate
from subterminator.engine.chromium import Chromium
from subterminator.errors import InvalidParams
from subterminator.machine import this_machine
from subterminator.safety.human import Human
from subterminator.safety.policy import EnginePolicy
from subterminator.session import Session


@asynccontextmanager
async def open(
    url: str | None = None,
    *,
    human: Human,
    headless: bool | None = None,
    profile_dir: str | Path | None = None,
    browser: str | None = None,
    attach: str | None = None,
    flags: Sequence[str] = (),
    settings: Settings | None = None,
) -> AsyncIterator[Session]:
    """A browser of our own, or with `attach` a tab in one that runs at that WebSocket address.

    `human` is who is asked before what cannot be undone; `subterminator.nobody` refuses.
    """
    if settings and (headless is not None or profile_dir or browser):
        raise InvalidParams(
            "open takes settings, or headless, profile_dir and browser, not both.",
            next_step="Put them into the settings.",
        )
    chosen = settings or load(this_machine(), {
        "headless": headless,
        "profile_dir": str(Path(profile_dir).expanduser().absolute()) if profile_dir else None,
        "browser": browser,
    })  # fmt: skip
    driver = await _drive(chosen, attach, flags)
    session = Session(driver, human=human, policy=EnginePolicy(), settings=chosen)
    try:
        if url is not None:
            await session.navigate(url)
        yield session
    finally:
        await session.close()


async def _drive(settings: Settings, attach: str | None, flags: Sequence[str]) -> Chromium:
    if attach:
        return await Chromium.connect(attach)
    found = locate(this_machine(), settings.browser)
    return await Chromium.start(
        found.path,
        headless=settings.headless,
        profile_dir=Path(settings.profile_dir) if settings.profile_dir else None,
        window=(settings.viewport_width, settings.viewport_height),
        flags=flags,
    )

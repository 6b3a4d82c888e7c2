"""The parts of the tab in use, for tests that look below the gate."""

from __future__ import annotations

from typing import cast

from subterminator import Session
from subterminator.engine.chromium import Chromium
from subterminator.engine.tabs import OpenTab
from subterminator.targets import parse_target
from subterminator.types import Resolved


def opened(session: Session) -> OpenTab:
    return cast(Chromium, session._driver)._tabs.current


async def resolved(session: Session, target: str) -> Resolved:
    return await opened(session).resolver.resolve(parse_target(target), 5)

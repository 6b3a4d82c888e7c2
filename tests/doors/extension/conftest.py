"""One browser with the extension for the tests of this folder, paired with one server."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from subterminator.engine.chromium import Chromium
from tests.doors.extension.owned import Owned, owned


@pytest.fixture(scope="session")
async def mine(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Owned]:
    async with owned(tmp_path_factory.mktemp("owned")) as mine:
        yield mine


@pytest.fixture
async def driver(mine: Owned) -> AsyncIterator[Chromium]:
    async with mine.driver() as driver:
        yield driver

"""The walker alone, for the tests that look at nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.page.walking import Walker


@pytest.fixture(scope="session")
async def walker(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Walker]:
    async with Walker.start(tmp_path_factory.mktemp("walker")) as walker:
        yield walker

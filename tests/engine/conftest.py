"""A second browser for tests that may break the tab they work in."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

import subterminator


@pytest.fixture(scope="session")
async def _sacrificed() -> AsyncIterator[subterminator.Session]:
    async with subterminator.open(human=subterminator.nobody) as session:
        yield session


@pytest.fixture
async def sacrificed(
    _sacrificed: subterminator.Session,
) -> AsyncIterator[subterminator.Session]:
    """A browser whose current tab may hang or be lost; the next test gets a new one."""
    yield _sacrificed
    await _sacrificed.open_tab()
    for tab in await _sacrificed.tabs():
        if not tab.current:
            await _sacrificed.close_tab(tab.id)

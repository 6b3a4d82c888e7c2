"""One server for the tests of this folder; each makes connections of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.doors.server.running import Running, Wire, running, wire


@pytest.fixture(scope="session")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Running]:
    state = tmp_path_factory.mktemp("server")
    state.chmod(0o700)
    async with running(state) as server:
        yield server


@pytest.fixture
async def line(server: Running) -> AsyncIterator[Wire]:
    async with wire(server) as line:
        yield line

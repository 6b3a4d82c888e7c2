"""A few clients at once; fifty for two minutes are in the soak tests."""

from __future__ import annotations

from tests.doors.server.load import crowd
from tests.doors.server.running import Running
from tests.site import Site


async def test_clients_at_once_never_see_each_others_pages(server: Running, site: Site) -> None:
    rounds = iter(range(18))
    load = await crowd(
        server.address.websocket,
        server.token,
        site,
        6,
        lambda: next(rounds, None) is not None,
    )
    assert len(load.looks) == 18 and load.calls >= 6 * 3 + 18 * 2

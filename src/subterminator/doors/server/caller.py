"""Who calls a method: the client, the server behind it, and the connection it came over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from subterminator.doors.server.clients import Client
from subterminator.doors.server.pages import Context
from subterminator.doors.server.service import Service
from subterminator.doors.server.streams import Streams

Notify = Callable[[str, dict[str, Any]], None]


class Caller(Struct, frozen=True):
    """`who` stands for the connection itself; two connections are never the same."""

    service: Service
    client: Client
    streams: Streams
    who: object
    notify: Notify

    def page(self, id: str | None) -> tuple[Context, str]:
        return self.client.page(id)

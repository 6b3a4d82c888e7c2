"""Puts `/mcp` on the protocol server where the packages for it are installed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from subterminator.doors.mcp.command import PACKAGES

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from subterminator.doors.server.service import Service


@asynccontextmanager
async def mcp_routes(service: Service) -> AsyncIterator[list[BaseRoute]]:
    """The routes of MCP; none without the extra, and everything else works as it does."""
    try:
        from subterminator.doors.mcp.http import mounted
    except ModuleNotFoundError as missing:
        if missing.name not in PACKAGES:
            raise
        yield []
        return
    async with mounted(service) as routes:
        yield routes

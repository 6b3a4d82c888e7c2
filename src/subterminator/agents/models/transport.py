"""The HTTP client under both SDKs. What is sent goes to the address that was named, or nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from subterminator.agents.models.addresses import is_local
from subterminator.agents.models.retries import Patience

if TYPE_CHECKING:
    from httpx2 import AsyncClient


def connect(address: str, patience: Patience) -> AsyncClient:
    """Follows no redirect: it would carry the key and the page along.

    A proxy of the environment is used as everywhere else, but not for what is near: it would get
    to see what does not have to leave the house.
    """
    from httpx2 import AsyncClient

    return AsyncClient(
        timeout=patience.silence, follow_redirects=False, trust_env=not is_local(address)
    )

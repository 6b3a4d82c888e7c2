"""Whose machine an address names: this one or one of the own network, or somebody else's."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from subterminator.errors import InvalidParams

# How a container names the machine it runs on.
OWN_NAMES = ("localhost", "host.docker.internal", "host.containers.internal")


def is_local(address: str) -> bool:
    host = (urlsplit(address).hostname or "").rstrip(".")
    try:
        number = ip_address(host)
    except ValueError:
        return host in OWN_NAMES or host.endswith((".localhost", ".local"))
    return number.is_loopback or number.is_private or number.is_link_local


def check(address: str) -> str:
    """The address without a slash at its end, if a key and pages may be sent there at all."""
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or parts.username or parts.query or parts.fragment:
        raise InvalidParams(
            "The base URL of the model is not an address we can use.",
            next_step="Write it like http://127.0.0.1:8080/v1, without a name, a key or a query.",
        )
    if parts.scheme == "http" and not is_local(address):
        raise InvalidParams(
            "The base URL of the model is not encrypted: key and pages could be read on the way.",
            next_step="Use https, or a server on this machine or network.",
        )
    return address.rstrip("/")

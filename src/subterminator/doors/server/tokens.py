"""Who may talk to the server: tokens of 256 bits, what each may do, and until when.

What a token is good for is kept here and nowhere else; nothing that a client says adds to it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from pathlib import Path
from typing import Literal

from msgspec import Struct

from subterminator.config import private_folder
from subterminator.errors import InvalidParams
from subterminator.safety.clock import CLOCK, Clock, Deadline
from subterminator.safety.files import check_private, write_private
from subterminator.safety.scopes import Scopes

# A client acts; a person answers what is asked and does nothing else. No token is good for both.
Role = Literal["client", "person"]
BYTES = 32
SHORTEST = 43
LONGEST = 512


class Grant(Struct, frozen=True):
    """What one token is good for. The token itself is not kept, only what it hashes to."""

    id: str
    role: Role
    scopes: Scopes
    digest: bytes
    until: Deadline | None = None


class Tokens:
    """All tokens of one server."""

    def __init__(self, clock: Clock = CLOCK) -> None:
        self._clock = clock
        self._grants: dict[str, Grant] = {}

    def add(
        self, token: str, scopes: Scopes, *, role: Role = "client", seconds: float | None = None
    ) -> Grant:
        if not SHORTEST <= len(token) <= LONGEST or not token.isascii():
            raise InvalidParams(
                f"A token has {SHORTEST} to {LONGEST} plain characters, made by chance.",
                next_step="Remove the token file; a new one is made at the next start.",
            )
        until = self._clock.deadline(seconds) if seconds is not None else None
        grant = Grant(secrets.token_hex(8), role, scopes, _digest(token), until)
        self._grants[grant.id] = grant
        return grant

    def revoke(self, id: str) -> None:
        """From now on nothing more is done for it, on connections that are open either."""
        self._grants.pop(id, None)

    def find(self, token: str) -> Grant | None:
        """All are compared, always: how long it takes says nothing."""
        wanted, found = _digest(token), None
        for grant in self._grants.values():
            if hmac.compare_digest(grant.digest, wanted):
                found = grant
        return found if found and self.is_live(found) else None

    def is_live(self, grant: Grant) -> bool:
        known = self._grants.get(grant.id)
        return known is not None and not (known.until and known.until.passed(self._clock))


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def new_token() -> str:
    return secrets.token_urlsafe(BYTES)


def kept_token(path: Path) -> str:
    """The token in a file that only its owner can read; a new one if there is no file."""
    if not check_private(path):
        private_folder(str(path.parent))
        write_private(path, f"{new_token()}\n".encode())
    return path.read_text(encoding="ascii", errors="replace").strip()

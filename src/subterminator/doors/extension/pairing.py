"""Which browsers are ours: one-time codes, the tokens kept after them, the proofs of both sides.

A server that cannot prove itself gets nothing from the extension, and an extension that cannot gets
nothing from us. What is proven names both nonces, the extension, the port and the browser.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotEncoded
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from subterminator.config import private_folder
from subterminator.doors.extension.wire import EXTENSION_ID, PROTOCOL, Browser, Hello
from subterminator.errors import InvalidParams
from subterminator.safety.clock import CLOCK, Clock, Deadline
from subterminator.safety.files import check_private, write_private

# Without letters that look like others; 16 of 32 are 80 bits.
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH, GROUP = 16, 4
CODE_SECONDS = 600.0
CODE_TRIES = 5
ROUNDS = 100_000
BYTES = 32
MOST_PAIRED = 50
LONGEST_NAME = 60


class Paired(Struct, frozen=True):
    """A browser that was paired; its token is its key and ours."""

    id: str
    name: str
    token: str
    since: str


class Pairings:
    """The paired browsers of this user, in a file of their own. Read anew each time."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "browsers.json"

    def all(self) -> list[Paired]:
        if not check_private(self._path):
            return []
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=list[Paired])
        except msgspec.MsgspecError as fault:
            raise InvalidParams(
                f"{self._path} cannot be read: {fault}.",
                next_step="Remove it and pair your browsers again.",
            ) from fault

    def find(self, id: str) -> Paired | None:
        return next((each for each in self.all() if each.id == id), None)

    def add(self, browser: Browser) -> Paired:
        """A new token; the same browser paired again loses its old one."""
        others = [each for each in self.all() if each.id != browser.id][-MOST_PAIRED:]
        taken = {each.name for each in others}
        wanted = "".join(filter(str.isprintable, browser.name))[:LONGEST_NAME].strip() or "Browser"
        name = next(
            each for each in (wanted, *(f"{wanted} {n}" for n in range(2, MOST_PAIRED + 3)))
            if each not in taken
        )  # fmt: skip
        since = datetime.now(UTC).isoformat(timespec="seconds")
        paired = Paired(browser.id, name, _encode(secrets.token_bytes(BYTES)), since)
        self._write([*others, paired])
        return paired

    def revoke(self, name: str) -> Paired:
        """By name or the beginning of the id; from now on it is a stranger."""
        known = self.all()
        meant = [each for each in known if each.name.casefold() == name.casefold()]
        meant = meant or [each for each in known if each.id.startswith(name)]
        if len(meant) != 1:
            names = ", ".join(each.name for each in known) or "none"
            raise InvalidParams(
                f"No browser {name[:60]!r} is paired.", next_step=f"Known: {names}."
            )
        self._write([each for each in known if each is not meant[0]])
        return meant[0]

    def _write(self, paired: list[Paired]) -> None:
        private_folder(str(self._path.parent))
        write_private(self._path, msgspec.json.encode(paired))


class Codes:
    """One code at a time: ten minutes, one use, a few wrong tries."""

    def __init__(self, clock: Clock = CLOCK) -> None:
        self._clock = clock
        self._secret = ""
        self._until = Deadline()
        self._tries = 0

    def issue(self, port: int) -> str:
        """As it is shown and typed: `49152-ABCD-EFGH-JKMN-PQRS`. The one before is void."""
        self._secret = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
        self._until = self._clock.deadline(CODE_SECONDS)
        self._tries = CODE_TRIES
        groups = (self._secret[at : at + GROUP] for at in range(0, LENGTH, GROUP))
        return "-".join([str(port), *groups])

    @property
    def secret(self) -> str:
        """Empty where none is open."""
        if self._until.passed(self._clock) or self._tries <= 0:
            self._secret = ""
        return self._secret

    def use(self) -> None:
        self._secret = ""

    def fail(self) -> None:
        self._tries -= 1


class Talk(Struct, frozen=True):
    """What both sides of one handshake know."""

    hello: Hello
    nonce: str
    port: int

    def proof(self, key: bytes, role: Literal["server", "extension"]) -> str:
        hello = self.hello
        said = (PROTOCOL, role, hello.nonce, self.nonce, EXTENSION_ID, str(self.port))
        words = "\n".join((*said, hello.kind, hello.browser.id))
        return _encode(hmac.digest(key, words.encode(), "sha256"))

    def holds(self, key: bytes, proof: str) -> bool:
        wanted = self.proof(key, "extension")
        return hmac.compare_digest(wanted.encode(), proof.encode("utf-8", "replace"))


def new_nonce() -> str:
    return _encode(secrets.token_bytes(BYTES))


def key_of_code(secret: str, port: int) -> bytes:
    salt = "\n".join((PROTOCOL, EXTENSION_ID, str(port)))
    return hashlib.pbkdf2_hmac("sha256", secret.encode(), salt.encode(), ROUNDS)


def key_of_token(token: str) -> bytes:
    try:
        return urlsafe_b64decode(f"{token}{'=' * (-len(token) % 4)}")
    except (NotEncoded, ValueError) as fault:
        raise InvalidParams("A kept token cannot be read.") from fault


def _encode(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")

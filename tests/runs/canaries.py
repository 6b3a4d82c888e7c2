"""Secrets planted for a search through everything that was written."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

PASSWORD = "c4nary-Passw0rd!x"
CODE = "739154"
CARD = "4929 1234 5678 9015"
COOKIE = "c4narycookie0value"
KEY = "sk-ant-c4nary0123456789abcdef"
MAIL = "canary.person@example.org"
QUERY = "c4naryquery"
SECRETS = (PASSWORD, CODE, CARD, CARD.replace(" ", ""), COOKIE, KEY, MAIL, QUERY)

# A page that shows all of them the way pages do.
PAGE = (
    f"Your verification code is {CODE}. Paid with {CARD}. Cookie: sid={COOKIE}\n"
    f"Key {KEY}, account {MAIL}, see https://example.org/a?x={QUERY}#{QUERY}"
)


def forms(secret: str) -> Iterator[bytes]:
    """The bytes of a secret as they could lie in a file."""
    raw = secret.encode()
    yield raw
    yield secret.encode("utf-16-le")
    yield quote(secret, safe="").encode()
    yield raw.hex().encode()
    for shift in range(3):
        # In base64 a text looks different at each of three places; its ends depend on neighbours.
        coded = base64.b64encode(b"\0" * shift + raw).rstrip(b"=")
        yield coded[(shift * 8 + 5) // 6 : len(coded) - 1]


def unpacked(data: bytes) -> Iterator[bytes]:
    """The data, and what it holds in packed form."""
    yield data
    for found in re.finditer(rb"\x1f\x8b\x08", data):
        try:
            yield zlib.decompressobj(31).decompress(data[found.start() :])
        except zlib.error:
            continue
    for found in re.finditer(rb"[A-Za-z0-9+/]{40,}={0,2}", data):
        text = found[0].rstrip(b"=")
        yield base64.b64decode(text + b"=" * (-len(text) % 4), validate=False)


def leaks(folder: Path) -> list[str]:
    """Which secret was found in which file; names of files count too."""
    found = []
    for path in folder.rglob("*"):
        parts = [path.name.encode()]
        if path.is_file():
            parts += unpacked(path.read_bytes())
        for secret in SECRETS:
            if any(form in part for form in forms(secret) for part in parts):
                found.append(f"{secret} in {path.name}")
    return found

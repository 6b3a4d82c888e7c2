"""Lines that each carry the hash of the one before. Pure: bytes in, bytes out.

    {"n":1,"at":"2026-11-15T10:15:30.123Z","prev":"...","event":{...},"hash":"..."}

The hash is SHA-256 of `prev` and of the line's own bytes before `,"hash"`. Whoever can write the
file can also compute a whole chain anew: it shows accidents and careless edits, it proves nothing
against its owner.
"""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime
from typing import Literal, NamedTuple

import msgspec
from msgspec import Raw, Struct

from subterminator.runs.events import Event, Torn

ENCODER = msgspec.json.Encoder()
EVENTS: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
SEAL = re.compile(rb',"hash":"([0-9a-f]{64})"}')
SEAL_LENGTH = 75


class Wire(Struct, frozen=True):
    """One line as it stands in the file."""

    n: int
    at: str
    prev: str
    event: Raw
    hash: str


WIRE = msgspec.json.Decoder(Wire)


class Line(NamedTuple):
    """One line as it is read. `event` is None where a newer version wrote something unknown."""

    n: int
    at: str
    event: Event | None
    raw: bytes


class Sealed(NamedTuple):
    data: bytes
    hash: str


def genesis(run: str) -> str:
    """What the first line points back to: the run itself, so that no file passes for another's."""
    return hashlib.sha256(run.encode()).hexdigest()


def sealed(n: int, now: float, prev: str, event: Event) -> Sealed:
    """A line, its end of line included, and its hash."""
    at = datetime.fromtimestamp(now, UTC).isoformat(timespec="milliseconds")[:23]
    head = f'{{"n":{n},"at":"{at}Z","prev":"{prev}","event":'.encode()
    body = head + ENCODER.encode(event)
    hash = _hash(prev, body)
    return Sealed(b'%b,"hash":"%b"}\n' % (body, hash.encode()), hash)


def opened(line: bytes) -> Line | None:
    """The line as data, or None if it is no line of a record. Its hash is not looked at."""
    try:
        wire = WIRE.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return Line(wire.n, wire.at, _event(wire.event), bytes(wire.event))


def _event(raw: Raw) -> Event | None:
    try:
        return EVENTS.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _hash(prev: str, body: bytes) -> str:
    return hashlib.sha256(prev.encode() + body).hexdigest()


class Examined(NamedTuple):
    """What a file holds. `tail` is what a crash left of a last line.

    `broken` is the number, counted from 1, of the first line that is not as it was written.
    """

    lines: tuple[Line, ...]
    last: str
    tail: bytes
    broken: int | None = None
    torn: int = 0

    @property
    def state(self) -> Literal["intact", "torn", "broken"]:
        return "broken" if self.broken else "torn" if self.tail else "intact"


def examined(data: bytes, run: str) -> Examined:
    """Follow the chain as far as it holds."""
    lines: list[Line] = []
    last, torn, good, place = genesis(run), 0, 0, 0
    first_bad = 0
    pieces = data.split(b"\n")
    for number, piece in enumerate(pieces, 1):
        start, place = place, place + len(piece) + 1
        if not piece:
            continue
        line = _linked(piece, len(lines) + 1, last)
        if line and (not first_bad or _marks(line, data[good : start - 1])):
            torn += bool(first_bad)
            lines.append(line)
            last, good, first_bad = piece[-66:-2].decode(), place, 0
        else:
            first_bad = first_bad or number
    rest = data[good:]
    if first_bad and (rest.endswith(b"\n") or any(map(_is_whole, rest.split(b"\n")))):
        return Examined(tuple(lines), last, b"", first_bad, torn)
    return Examined(tuple(lines), last, rest if first_bad else b"", None, torn)


def _linked(piece: bytes, n: int, prev: str) -> Line | None:
    """The line, if it is the one that follows."""
    seal = SEAL.fullmatch(piece, max(0, len(piece) - SEAL_LENGTH))
    if not seal or seal[1].decode() != _hash(prev, piece[:-SEAL_LENGTH]):
        return None
    line = opened(piece)
    return line if line and line.n == n else None


def _is_whole(piece: bytes) -> bool:
    """Whether this was once written in full, whatever it followed."""
    try:
        wire = WIRE.decode(piece)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return wire.hash == _hash(wire.prev, piece[:-SEAL_LENGTH])


def _marks(line: Line, half: bytes) -> bool:
    """Whether the line says of exactly these bytes that a crash left them."""
    return isinstance(line.event, Torn) and line.event.digest == hashlib.sha256(half).hexdigest()

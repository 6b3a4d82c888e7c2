"""Reads the pixels of a PNG, as far as the browser's own encoder makes them."""

from __future__ import annotations

import struct
import zlib
from typing import NamedTuple


class Pixels(NamedTuple):
    width: int
    height: int
    rows: list[bytes]
    depth: int

    def at(self, x: float, y: float) -> tuple[int, ...]:
        start = int(x) * self.depth
        return tuple(self.rows[int(y)][start : start + 3])


def read_png(data: bytes) -> Pixels:
    parts, at = b"", 8
    width = height = depth = 0
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, _, colours = struct.unpack(">IIBB", body[:10])
            depth = {2: 3, 6: 4}[colours]
        elif kind == b"IDAT":
            parts += body
        at += 12 + size
    return Pixels(width, height, _rows(zlib.decompress(parts), width * depth, depth), depth)


def _rows(raw: bytes, size: int, depth: int) -> list[bytes]:
    rows, above = [], bytes(size)
    for at in range(0, len(raw), size + 1):
        above = _unfiltered(raw[at], raw[at + 1 : at + 1 + size], above, depth)
        rows.append(above)
    return rows


def _unfiltered(kind: int, line: bytes, above: bytes, depth: int) -> bytes:
    if kind == 0:
        return line
    if kind == 2:
        return bytes([(a + b) & 255 for a, b in zip(line, above, strict=True)])
    row = bytearray(line)
    for at in range(len(row)):
        left = row[at - depth] if at >= depth else 0
        corner = above[at - depth] if at >= depth else 0
        row[at] = (row[at] + _predicted(kind, left, above[at], corner)) & 255
    return bytes(row)


def _predicted(kind: int, left: int, up: int, corner: int) -> int:
    if kind == 1:
        return left
    if kind == 3:
        return (left + up) // 2
    guess = left + up - corner
    return min((left, up, corner), key=lambda one: abs(guess - one))

"""A font of five glyphs, as a page that disguises its password field would bring one."""

from __future__ import annotations

import base64
import struct

LETTERS = sorted("iW18")
WIDTH = 600


def font(*, masks: bool) -> str:
    """A TrueType file in base64: each letter is the same box, or a box of its own height."""
    heights = [500] * 4 if masks else [200, 400, 600, 800]
    glyphs = [_box(height) for height in (100, *heights)]
    tables = {
        b"OS/2": struct.pack(
            ">HhHHH11h10s4I4sHHH3h2H",
            *(0, WIDTH, 400, 5, 0, *[0] * 11, b"", 0, 0, 0, 0, b"TEST", 64),
            *(ord(LETTERS[0]), ord(LETTERS[-1]), 800, -200, 0, 800, 200),
        ),
        b"cmap": _cmap(),
        b"glyf": b"".join(glyphs),
        b"head": struct.pack(
            ">IIIIHHqqhhhhHHhhh",
            *(0x10000, 0x10000, 0, 0x5F0F3CF5, 0, 1000, 0, 0, 0, 0, 500, 800, 0, 8, 2, 0, 0),
        ),
        b"hhea": struct.pack(">IhhhH11hH", 0x10000, 800, -200, 0, WIDTH, *[0] * 11, len(glyphs)),
        b"hmtx": struct.pack(">Hh", WIDTH, 0) * len(glyphs),
        b"loca": struct.pack(">6H", *(len(glyphs[0]) * n // 2 for n in range(6))),
        b"maxp": struct.pack(">I14H", 0x10000, len(glyphs), 4, 1, 0, 0, 1, *[0] * 8),
        b"name": struct.pack(">HHH", 0, 0, 6),
        b"post": struct.pack(">I7I", 0x30000, *[0] * 7),
    }
    head, at, body = struct.pack(">IHHHH", 0x10000, len(tables), 128, 3, 32), 12, b""
    at += 16 * len(tables)
    for tag, data in tables.items():
        head += struct.pack(">4sIII", tag, 0, at + len(body), len(data))
        body += data + b"\0" * (-len(data) % 4)
    return base64.b64encode(head + body).decode()


def _box(height: int) -> bytes:
    outline = struct.pack(">hhhhhHH", 1, 0, 0, 500, height, 3, 0) + bytes([1] * 4)
    return outline + struct.pack(">8h", 0, 0, 500, 0, 0, height, 0, -height)


def _cmap() -> bytes:
    """One segment for each letter, and the last one that every table ends with."""
    ends = [*map(ord, LETTERS), 0xFFFF]
    deltas = [*((n + 1 - end) & 0xFFFF for n, end in enumerate(ends[:-1])), 1]
    count = len(ends)
    body = struct.pack(">HHHH", count * 2, 8, 2, count * 2 - 8)
    body += struct.pack(f">{count}HH{count}H{count}H", *ends, 0, *ends, *deltas)
    body += struct.pack(f">{count}H", *[0] * count)
    return struct.pack(">HHHHI3H", 0, 1, 3, 1, 12, 4, len(body) + 6, 0) + body

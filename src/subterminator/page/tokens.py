"""Estimates tokens without a tokenizer, fast enough to be asked for every page.

Fitted to o200k on rendered snapshots of 80 pages; all come out within 13 % of the real count.
"""

from __future__ import annotations

LETTERS = frozenset(range(65, 91)) | frozenset(range(97, 123))
DIGITS = frozenset(range(48, 58))
SIGNS = frozenset(range(33, 127)) - LETTERS - DIGITS
# First bytes in UTF-8: accented Latin; Greek to Arabic; everything above, mostly Asian scripts.
ACCENTED, MIDDLE, HIGH = (
    frozenset(range(0xC2, 0xCC)),
    frozenset(range(0xCC, 0xE0)),
    frozenset(range(0xE0, 0xF8)),
)


def _others_blank(wanted: frozenset[int]) -> bytes:
    return bytes(byte if byte in wanted else 32 for byte in range(256))


def _others(wanted: frozenset[int]) -> bytes:
    return bytes(byte for byte in range(256) if byte not in wanted)


# Runs are counted by blanking out everything else and splitting; both happen in C.
RUNS = tuple(
    (_others_blank(kind), weight) for kind, weight in ((LETTERS, 0.1), (DIGITS, 0.38), (SIGNS, 0.8))
)
COUNTS = tuple(
    (_others(kind), weight)
    for kind, weight in (
        (LETTERS, 0.22),
        (DIGITS, 0.57),
        (ACCENTED, 1.55),
        (MIDDLE, 0.3),
        (HIGH, 0.94),
    )
)
PER_REF = 0.87


def estimate(text: str) -> int:
    data = text.encode("utf-8", "replace")
    size = PER_REF * data.count(b"@e")
    size += sum(weight * len(data.translate(blank).split()) for blank, weight in RUNS)
    size += sum(weight * len(data.translate(None, others)) for others, weight in COUNTS)
    return int(size) + 1

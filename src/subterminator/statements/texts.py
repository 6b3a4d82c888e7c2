"""Bytes of a file as text, whatever encoding the bank chose. Pure."""

from __future__ import annotations

import codecs
from typing import NamedTuple

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class Decoded(NamedTuple):
    """The text and the encoding that it was read with."""

    text: str
    encoding: str


def decode(data: bytes, declared: str = "") -> Decoded:
    """Never fails: what is no character of the encoding becomes a mark."""
    for encoding in _candidates(data, declared):
        try:
            return Decoded(_lines(data.decode(encoding)), encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    # Windows leaves five bytes without a meaning.
    return Decoded(_lines(data.decode("cp1252", errors="replace")), "cp1252")


def _candidates(data: bytes, declared: str) -> list[str]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return [encoding]
    head = data[:4000]
    if head.count(0) > len(head) // 4:
        return ["utf-16-le" if head[1::2].count(0) >= head[::2].count(0) else "utf-16-be"]
    return [encoding for encoding in ("utf-8", declared) if _is_text(encoding)]


def _is_text(encoding: str) -> bool:
    try:
        # Python also has codecs that are no encodings of text, such as zip.
        return bool(encoding) and codecs.lookup(encoding)._is_text_encoding
    except (LookupError, ValueError):
        return False


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")

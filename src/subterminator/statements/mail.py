"""Mail as it is exported: an mbox of many messages, or one in an eml file. Bounded."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from datetime import date
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.utils import parseaddr, parsedate_tz
from html import unescape
from typing import BinaryIO

from msgspec import Struct

from subterminator.statements import days
from subterminator.statements.texts import decode

LONGEST_MESSAGE = 1_000_000
LONGEST_TEXT = 60_000
MOST_MESSAGES = 200_000
# Each level of a message in a message is a level of the parser's own recursion.
MOST_PARTS = 60
_HEADERS = re.compile(
    rb"(?:From|To|Subject|Date|Received|Return-Path|Delivered-To|Message-ID|MIME-Version|"
    rb"Content-Type|X-[\w-]+|DKIM-Signature|ARC-[\w-]+|Reply-To)[ \t]*:",
    re.IGNORECASE,
)
_HEADER = re.compile(rb"[!-9;-~]{1,80}:")
_SEPARATOR = re.compile(rb"From \S")
_TAG = re.compile(r"<[^<>]{0,4000}>")
_BLOCK = re.compile(
    r"<\s*(?:/?(?:p|div|tr|table|h[1-6]|li|ul|section|td|th)|br)\b[^<>]{0,4000}>", re.IGNORECASE
)
_BLANKS = re.compile(r"[ \t\u00a0\u200b-\u200f\u034f\u00ad\ufeff]+")


class Letter(Struct, frozen=True):
    """A message as a person reads it."""

    day: date
    sender: str
    """The name it is signed with; may be empty."""
    address: str
    subject: str
    text: str


def is_mbox(head: bytes) -> bool:
    return bool(_SEPARATOR.match(head))


def is_message(head: bytes) -> bool:
    """Whether a file begins with the headers of a mail."""
    known = 0
    for line in head.lstrip().splitlines()[:40]:
        if not line.strip():
            break
        if line[:1] in b" \t":
            continue
        if not _HEADER.match(line):
            return False
        known += bool(_HEADERS.match(line))
    return known >= 2


def messages(file: BinaryIO) -> Iterator[bytes]:
    """The messages of an mbox, each cut where it is too long. Holds one at a time."""
    held: list[bytes] = []
    size, count = 0, 0
    blank = True
    for line in _lines(file):
        if blank and _SEPARATOR.match(line):
            if held:
                yield b"".join(held)
                count += 1
            if count >= MOST_MESSAGES:
                return
            held, size = [], 0
        elif size < LONGEST_MESSAGE:
            held.append(line)
            size += len(line)
        blank = not line.strip()
    if held:
        yield b"".join(held)


def _lines(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(LONGEST_MESSAGE):
        yield line


def open_letter(data: bytes) -> Letter | None:
    """What a message says, or None if it cannot be told or has no day."""
    if data.lower().count(b"boundary=") > MOST_PARTS:
        return None
    message = message_from_bytes(data[:LONGEST_MESSAGE])
    day = _day(_header(message, "Date"))
    if day is None:
        return None
    sender, address = parseaddr(_header(message, "From"))
    return Letter(
        day=day,
        sender=sender.strip(),
        address=address.strip().casefold(),
        subject=_header(message, "Subject"),
        text=_text(message),
    )


def _header(message: Message, name: str) -> str:
    raw = str(message.get(name, ""))[:2000].replace("\n", " ").replace("\r", " ")
    try:
        return "".join(
            part if isinstance(part, str) else decode(part, charset or "").text
            for part, charset in decode_header(raw)
        )
    except (HeaderParseError, binascii.Error, ValueError):
        return raw


def _day(written: str) -> date | None:
    # The time zone is left out: the day that the sender means is the one that was charged.
    parts = parsedate_tz(written[:200])
    if parts is None:
        return None
    try:
        day = date(*parts[:3])
    except (ValueError, OverflowError):
        return None
    return day if days.EARLIEST <= day <= days.LATEST else None


def _text(message: Message) -> str:
    """The plain part if there is one that says something, else the other one without its tags."""
    plain, rich = "", ""
    for part in message.walk():
        kind = part.get_content_type()
        if part.is_multipart() or kind not in ("text/plain", "text/html"):
            continue
        if kind == "text/plain" and len(plain) < LONGEST_TEXT:
            plain += _content(part)
        elif kind == "text/html" and len(rich) < LONGEST_TEXT:
            rich += _content(part)
    chosen = plain if any(map(str.isdigit, plain)) or not rich else without_tags(rich)
    lines = (_BLANKS.sub(" ", line).strip() for line in chosen[:LONGEST_TEXT].split("\n"))
    return "\n".join(line for line in lines if line)


def _content(part: Message) -> str:
    try:
        payload = part.get_payload(decode=True)
    except (ValueError, binascii.Error, LookupError, AssertionError):
        return ""
    if not isinstance(payload, bytes):
        return ""
    charset = part.get_content_charset("") or ""
    return decode(payload[: LONGEST_TEXT * 4], charset).text + "\n"


def without_tags(source: str) -> str:
    """The words of a page, a line for each block."""
    for name in ("style", "script", "head"):
        source = _without(source, name)
    return unescape(_TAG.sub(" ", _BLOCK.sub("\n", source.replace("\n", " "))))


def _without(source: str, name: str) -> str:
    kept: list[str] = []
    lower = source.lower()
    at = 0
    while (begin := lower.find(f"<{name}", at)) >= 0:
        kept.append(source[at:begin])
        end = lower.find(f"</{name}", begin)
        if end < 0:
            return "".join(kept)
        at = end
    return "".join((*kept, source[at:]))

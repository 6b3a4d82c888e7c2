"""Hides secrets in text that is stored, shown to a person or sent to a model.

It never touches a value on its way into a page. What has no look of its own, a password, is kept
out where it is typed; here it is only known if somebody said so with `learn`.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from urllib.parse import quote, urlsplit

from subterminator.safety.codes import WORDS, find_codes
from subterminator.safety.patterns import (
    CARD,
    NAMES,
    PLACEHOLDERS,
    SECRET,
    Span,
    find_named,
    find_numbers,
    find_secrets,
    looks_random,
    lowered,
    passes_luhn,
    places,
)

# What a text must have one of to hold anything that the patterns know.
SUSPECT = re.compile(r"[\d@=:]")
MAIL_HOST = re.compile(r"(?:[\w-]++\.)+[^\W\d_][\w-]++")
LOGIN = re.compile(r"://[^\s/@?#\"'<>]*$")
LONGEST_LOGIN = 200
LINK = re.compile(r"https?://[^\s\"'<>]+", re.IGNORECASE)
# Names of entries whose value is a secret if it is a text, and those where a number is one too.
SECRET_NAMES = re.compile(r"secret|token|cookie|authorization|api_?key|private_?key", re.IGNORECASE)
SECRET_NUMBERS = re.compile(r"passw|pwd|(?<![a-z])(?:otp|pin)(?![a-z])|cvv|cvc", re.IGNORECASE)
BLANK = "about:blank"
SCHEME = re.compile(r"[a-z][a-z-]{1,20}|")
CONTROL = re.compile(r"[\x00-\x1f\x7f]+")
# Letters that spell no word, so that no placeholder looks like one or like a code.
LETTERS = "bcdfghjkmnpqrstvwxz"
URL_SAFE = str.maketrans("+/", "-_")
# Words that make what stands near them a secret.
TELLING = (*NAMES, *WORDS)
SHORTEST_KNOWN = 6
LONGEST_PATH = 300
DEEPEST = 40


def masked_mail(address: str) -> str:
    """`alice@example.org` as its owner knows it again: `al***@example.org`."""
    local, _, host = address.rpartition("@")
    return f"{local[: 2 if len(local) > 3 else 1]}***@{host}"


class Redactor:
    """What one run hides. The same mail address gets the same placeholder all through the run.

    Another run has another key, so that nobody can tell by its placeholders whether it was about
    the same address.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._known: dict[str, None] = {}
        self._typed: set[str] = set()
        self._typed_mails: set[str] = set()

    def learn(self, secret: str) -> None:
        """Hide this value wherever it turns up, also as an address or base64 would carry it."""
        raw = secret.strip()
        if len(raw) < SHORTEST_KNOWN or any(raw in placeholder for placeholder in PLACEHOLDERS):
            return
        data = raw.encode("utf-8", "surrogatepass")
        coded = base64.b64encode(data).decode().rstrip("=")
        forms = {raw, quote(raw, safe="", errors="replace"), coded, coded.translate(URL_SAFE)}
        self._known.update(dict.fromkeys(sorted(forms, key=len, reverse=True)))

    def typed(self, value: str) -> None:
        """The task itself typed this, so it may be read again; cards, codes and keys may not."""
        self._typed.add(value)
        self._typed_mails.update(span.instead.lower() for span in self._mails(value, str))

    def text(self, text: str) -> str:
        """The text as a model may read it."""
        return self._hide(text, self._placeholder)

    def shown(self, text: str) -> str:
        """The text as the person who owns the account may read it."""
        return self._hide(text, masked_mail)

    def written(self, text: str) -> str:
        """The text as it may be stored: addresses in it lose their query and fragment too."""
        if "://" in text:
            text = LINK.sub(lambda found: self.address(found[0]), text)
        return self.text(text)

    def field(self, value: str) -> str:
        """What a field holds, as it may be stored: its length, unless the task typed it."""
        if not value or value in self._typed:
            return self.written(value)
        return f"<{len(value)} characters>"

    def address(self, url: str) -> str:
        """Scheme, host and path. A scheme without a host says only itself."""
        # A browser drops breaks; a blank ends the address, whatever is written after it.
        url = CONTROL.sub("", url.strip()).partition(" ")[0]
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port
        except ValueError:
            return "<address>"
        if not SCHEME.fullmatch(parts.scheme):
            return "<address>"
        if not host:
            if url == BLANK:
                return url
            return f"{parts.scheme}:" if parts.scheme else self._path(parts.path)
        host = f"[{host}]" if ":" in host else self.text(host)
        start = f"{parts.scheme}://" if parts.scheme else "//"
        return f"{start}{host}{f':{port}' if port else ''}{self._path(parts.path)}"

    def data(self, value: object) -> object:
        """Nested dicts, lists and plain values with every text in them made safe."""
        return self._data(value, DEEPEST)

    def _data(self, value: object, depth: int) -> object:
        if depth == 0:
            return "<deeper>"
        match value:
            case None | bool() | float():
                return value
            case str():
                return self.text(value)
            case int():
                is_card = 10**14 <= value < 10**19 and passes_luhn(str(value))
                return CARD if is_card else value
            case bytes() | bytearray() | memoryview():
                return f"<{len(value)} bytes>"
            case Mapping():
                return {
                    self.text(str(name)): self._entry(str(name), entry, depth - 1)
                    for name, entry in value.items()
                }
            case list() | tuple() | set() | frozenset():
                return [self._data(item, depth - 1) for item in value]
            case _:
                return f"<{type(value).__name__}>"

    def _entry(self, name: str, value: object, depth: int) -> object:
        if SECRET_NUMBERS.search(name) and isinstance(value, str | int | float) and value != "":
            return value if isinstance(value, bool) else SECRET
        if SECRET_NAMES.search(name) and isinstance(value, str) and value:
            return SECRET
        return self._data(value, depth)

    def _path(self, path: str) -> str:
        """A path without session ids, reset tokens and mail addresses."""
        segments = (segment.split(";")[0] for segment in path.split("/"))
        plain = "/".join(SECRET if looks_random(segment) else segment for segment in segments)
        return self.text(plain)[:LONGEST_PATH]

    def _hide(self, text: str, mail: Callable[[str], str]) -> str:
        for known in self._known:
            if known in text:
                text = text.replace(known, SECRET)
        if not SUSPECT.search(text):
            return text
        # First, since what is shown of an address is text like any other.
        text = _replaced(text, self._mails(text, mail))
        low = lowered(text)
        words = frozenset(word for word in TELLING if word in low)
        text, low = _again(text, low, [*find_secrets(text, low)])
        # Hiding one thing brings others nearer to a telling word, and what is left of a row of
        # digits may be a number by itself. A word's reach holds only so many placeholders, so this
        # ends after a few rounds.
        while spans := [*find_named(text, low, words), *find_codes(text, low, words)]:
            text, low = _again(text, low, spans)
            text, low = _again(text, low, [*find_numbers(text)])
        return text

    def _mails(self, text: str, mail: Callable[[str], str]) -> Iterator[Span]:
        for sign in ("@", "%40"):
            for place in places(text, sign):
                host = MAIL_HOST.match(text, place + len(sign))
                start = _mail_start(text, place) if host else place
                if host is None or start == place or _is_login(text, start):
                    continue
                address = f"{text[start:place]}@{host[0]}"
                if address.lower() not in self._typed_mails:
                    yield Span(start, host.end(), mail(address))

    def _placeholder(self, address: str) -> str:
        hashed = hashlib.blake2b(address.lower().encode("utf-8", "replace"), key=self._key)
        number = int.from_bytes(hashed.digest()[:8])
        letters = []
        for _ in range(6):
            number, place = divmod(number, len(LETTERS))
            letters.append(LETTERS[place])
        return f"<mail-{''.join(letters)}>"


def _again(text: str, low: str, spans: list[Span]) -> tuple[str, str]:
    """The text without the spans, and in lower case."""
    if not spans:
        return text, low
    text = _replaced(text, spans)
    return text, lowered(text)


def _mail_start(text: str, end: int) -> int:
    start = end
    while start and (text[start - 1].isalnum() or text[start - 1] in "._+'-"):
        start -= 1
    return start


def _is_login(text: str, end: int) -> bool:
    """Whether this is the user's part of an address, which is hidden as such."""
    before = text[max(0, end - LONGEST_LOGIN) : end]
    return "://" in before and LOGIN.search(before) is not None


def _replaced(text: str, spans: Iterable[Span]) -> str:
    """The text with every span replaced; spans that overlap become one, named by the longest."""
    parts: list[str] = []
    copied, end, size, instead = 0, -1, 0, ""
    for span in sorted(spans):
        if span.start < end:
            end = max(end, span.end)
            if span.end - span.start > size:
                size, instead = span.end - span.start, span.instead
            continue
        if end >= 0:
            parts.append(instead)
            copied = end
        parts.append(text[copied : span.start])
        _, end, instead = span
        size = span.end - span.start
    if end < 0:
        return text
    return "".join([*parts, instead, text[end:]])

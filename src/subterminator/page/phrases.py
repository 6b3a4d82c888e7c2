"""Puts one element into words. What a page wrote stands in quotes: none can write in our name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from subterminator.types import NO_FACTS, Element, Facts, Flag, FrameInfo

LONGEST_NAME = 200
LONGEST_TARGET = 80
OPTIONS_SHOWN = 12
OPTION_CHARACTERS = 240

# Invisible in a browser and common on honest pages: soft hyphen, break opportunities, byte order
# mark; and private characters, which icon fonts draw.
DROPPED = re.compile(
    "[\u00ad\u200b\u2060\ufeff\ue000-\uf8ff]|(?<=[ -~])[\u200c\u200d]|[\u200c\u200d](?=[ -~]|$)"
)
SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
REF_LIKE = re.compile(r"@(?=e\d)")
SMUGGLED = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}")
PLAIN_NUMBER = re.compile(r"-?\d{1,12}(?:[.,]\d{1,6})?%?\Z")
PLAIN_WORD = re.compile(r"[\w.:+-]{1,40}\Z")
PLAIN_HINT = re.compile(r"~[\w-]{1,40}\Z")
PLAIN_URL = re.compile(r"[!#-\[\]-~]+\Z")
FILES = frozenset(
    "pdf zip csv xls xlsx doc docx ppt pptx ics txt xml json gz dmg exe msi apk mp3 mp4".split()
)

CHECKABLE, CHECKED, MIXED = int(Flag.CHECKABLE), int(Flag.CHECKED), int(Flag.MIXED)
EXPANDABLE, EXPANDED = int(Flag.EXPANDABLE), int(Flag.EXPANDED)
SECRET, NEWTAB = int(Flag.SECRET), int(Flag.NEWTAB)
PLAIN_STATES: tuple[tuple[int, str], ...] = (
    (int(Flag.SELECTED), "selected"),
    (int(Flag.DISABLED), "disabled"),
    (int(Flag.READONLY), "readonly"),
    (int(Flag.REQUIRED), "required"),
    (int(Flag.INVALID), "invalid"),
    (int(Flag.BUSY), "busy"),
    (int(Flag.MULTI), "multiple"),
    (int(Flag.SUBMITS), "submits"),
    (int(Flag.SCROLLS), "scrolls"),
    (NEWTAB, "new tab"),
    (int(Flag.COVERED), "covered"),
)
STATES = sum(flag for flag, _ in PLAIN_STATES) | CHECKABLE | EXPANDABLE | SECRET
SECRETS = {"password": "password", "code": "one-time code", "card": "card number"}
TELLING_TYPES = frozenset({"email", "tel", "url", "search", "datetime-local"})
CURRENT = frozenset({"page", "step", "location", "date", "time", "true"})
POPUPS = frozenset({"menu", "listbox", "tree", "grid", "dialog", "true"})

COSTS = re.compile(
    r"[$€£¥]\s?\d|\d\s?(?:€|eur\b|usd\b|gbp\b|chf\b)"
    r"|\b(?:insurance|protection plan|warranty|donat\w*|upgrade|add-on|tip|premium|trial"
    r"|auto-?renew\w*|versicherung|spende|garantie|assurance|don|seguro|donaci\w*|assicurazione|donazione)\b",
    re.IGNORECASE,
)
AGREES = re.compile(
    r"\b(?:agree|accept|consent|subscribe|newsletters?|marketing|offers|promotion\w*|terms|share my"
    r"|stimme|akzeptiere|einwillig\w*|werbung|agb|accepte|consens?\w*|j'accepte|acepto|condiciones"
    r"|accetto|acconsento|condizioni|ofertas|angebote|offres|offerte)\b",
    re.IGNORECASE,
)


def noun(role: str) -> str:
    """The role as a word for a reader: what has none of its own is simply something to press."""
    return "clickable" if role == "generic" else role


def quote(text: str, longest: int = LONGEST_NAME) -> str:
    """Page text in quotes, on one line, with nothing in it that could be taken for ours."""
    if len(text) > longest:
        text = text[: longest - 1].rstrip() + "…"
    if '"' in text or "\\" in text or "@e" in text or not (text.isascii() and text.isprintable()):
        text = _escape(text)
    return f'"{text}"'


def _escape(text: str) -> str:
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    text = REF_LIKE.sub(r"\\@", text)
    if text.isascii() and text.isprintable():
        return text
    seen = SPACES.sub(" ", DROPPED.sub("", text)).strip()
    text = SMUGGLED.sub(_code, seen or text)
    if text.replace("\u200d", "").replace("\u200c", "").isprintable():
        return text
    return re.sub(r"[^\x20-\x7e]+", lambda run: _escape_run(run[0]), text)


def _escape_run(run: str) -> str:
    parts: list[str] = []
    hidden = ""
    for character in run:
        if character.isprintable() or character in "\u200c\u200d":
            parts.append(_code_of(hidden) + character)
            hidden = ""
        elif hidden and hidden[-1] != character and ord(character) < 0x20:
            parts.append(_code_of(hidden))
            hidden = character
        else:
            hidden += character
    return "".join(parts) + _code_of(hidden)


def _code(run: re.Match[str]) -> str:
    return _code_of(run[0])


def _code_of(hidden: str) -> str:
    """A run of invisible characters as one escape: the first, and how many there are."""
    if not hidden:
        return ""
    first = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(hidden[0]) or f"\\u{{{ord(hidden[0]):x}}}"
    return first if len(hidden) == 1 else f"{first}x{len(hidden)}"


def plain(word: str) -> str:
    """A short value from the page; in quotes unless it is harmless."""
    return word if PLAIN_WORD.match(word) else quote(word, 60)


def address(url: str, longest: int = LONGEST_TARGET) -> str:
    if len(url) > longest:
        url = url[: longest - 1] + "…"
    harmless = PLAIN_URL.match(url.removesuffix("…")) and not REF_LIKE.search(url)
    return url if harmless else quote(url, longest)


def label(element: Element) -> str:
    """The name in quotes, or the marked hint where there is no name, or nothing."""
    if element.name:
        return quote(element.name)
    hint = element.facts.hint
    if not hint:
        return ""
    return hint if PLAIN_HINT.match(hint) else "~" + quote(hint.removeprefix("~"), 60)


def frame_words(element: Element, frames: Sequence[FrameInfo]) -> list[str]:
    """`frame "Payment" from pay.example`: its site only if it is another."""
    words = ["frame", quote(element.name)] if element.name else ["frame"]
    for frame in frames[1:]:
        if frame.parent == element.frame and frame.owner == element.node:
            if frame.origin and frame.origin != frames[element.frame].origin:
                words.append("from " + plain(frame.origin.partition("://")[2] or frame.origin))
            if not frame.accessible:
                words.append(f"(not readable: {frame.reason})")
    return words


class Phrasing:
    """Words for the elements of one snapshot. `bases` are the addresses of its frames."""

    def __init__(self, bases: list[str], with_paths: bool = False) -> None:
        self._origins = [_origin(base) for base in bases]
        self._pages = [base.partition("#")[0] for base in bases]
        self.with_paths = with_paths

    def details(self, element: Element) -> list[str]:
        """Value, states and facts, in the order a person would want them."""
        words: list[str] = []
        flags, facts = element.flags, element.facts
        if facts is NO_FACTS:
            if flags & STATES:
                _add_states(words, element)
            return words
        if facts.value and facts.value != element.name and not flags & SECRET:
            words.append(_value(facts.value))
        if flags & STATES:
            _add_states(words, element)
        if facts.href:
            target = self.target(element)
            if target:
                words.append(target)
            if not self.with_paths:
                # A link's title rarely tells more than its name, and pages are full of them.
                _add_kind(words, element, facts)
                return words
        for add in FACT_WORDS:
            add(words, element, facts)
        return words

    def phrase(self, element: Element) -> str:
        """`@e7 button "Save" disabled`: everything about one element."""
        return " ".join(
            filter(None, (element.ref, noun(element.role), label(element), *self.details(element)))
        )

    def target(self, element: Element) -> str:
        """Where a link leads, if that tells more than its name: elsewhere, a file, a place here."""
        href, frame = element.facts.href, element.frame
        origin = self._origins[frame]
        if origin and href.startswith(origin) and href[len(origin) : len(origin) + 1] in "/?#":
            return self._path(element, self._pages[frame], len(origin))
        scheme, _, rest = href.partition(":")
        if scheme in {"http", "https"}:
            return "-> " + address(rest.strip("/").partition("/")[0].partition("?")[0])
        if scheme in {"javascript", ""}:
            return ""
        return "-> " + address(href)

    def _path(self, element: Element, page: str, start: int) -> str:
        href, name = element.facts.href, element.name
        before, hash_mark, anchor = href.partition("#")
        if hash_mark and before == page:
            # Buttons in disguise have an empty one; in a table of contents it repeats the name.
            if not anchor.strip("!/"):
                return ""
            repeats = _letters(anchor) in _letters(name)
            return "-> #…" if repeats else "-> " + address("#" + anchor, 40)
        file = before.partition("?")[0].rpartition("/")[2]
        if file.rpartition(".")[2].lower() in FILES:
            return "-> " + address(file)
        return "-> " + address(href[start:]) if self.with_paths else ""


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def _value(value: str) -> str:
    return "=" + value if PLAIN_NUMBER.match(value) else "=" + quote(value)


def _add_states(words: list[str], element: Element) -> None:
    flags = element.flags
    if flags & CHECKABLE:
        words.append(_checked(element))
    if flags & EXPANDABLE:
        words.append("expanded" if flags & EXPANDED else "collapsed")
    if flags & SECRET:
        kind = SECRETS.get(element.facts.secret, "secret")
        words.append(f"({kind}, value withheld)")
    for flag, word in PLAIN_STATES:
        if flags & flag:
            words.append(word)


def _checked(element: Element) -> str:
    flags, is_button = element.flags, element.role == "button"
    if flags & MIXED:
        return "partly pressed" if is_button else "partly checked"
    if not flags & CHECKED:
        return "not pressed" if is_button else "unchecked"
    if is_button:
        return "pressed"
    if element.role != "radio":
        if COSTS.search(element.name):
            return "checked (costs money?)"
        if AGREES.search(element.name):
            return "checked (agrees?)"
    return "checked"


def _add_limits(words: list[str], element: Element, facts: Facts) -> None:
    if facts.min_length:
        words.append(f"min {facts.min_length} characters")
    if facts.max_length is not None and 0 < facts.max_length <= 20:
        words.append(f"max {facts.max_length} characters")
    if facts.min or facts.max:
        words.append(f"{plain(facts.min or '?')}..{plain(facts.max or '?')}")
    if facts.pattern and len(facts.pattern) <= 40:
        words.append("pattern " + quote(facts.pattern))


def _add_kind(words: list[str], element: Element, facts: Facts) -> None:
    if facts.type in TELLING_TYPES and element.role != "searchbox":
        words.append(facts.type)
    if facts.captcha:
        words.append("captcha")
    if facts.popup in POPUPS and element.role != "combobox":
        words.append("opens " + (facts.popup if facts.popup != "true" else "menu"))
    if facts.current in CURRENT:
        words.append("current" if facts.current == "true" else f"current {facts.current}")
    if facts.sort in {"ascending", "descending"}:
        words.append("sorted " + facts.sort)


def _add_words(words: list[str], element: Element, facts: Facts) -> None:
    if facts.placeholder and facts.placeholder != element.name and not facts.value:
        words.append("placeholder " + quote(facts.placeholder, 80))
    if facts.description and facts.description.casefold() not in element.name.casefold():
        words.append("note " + quote(facts.description))


def _add_options(words: list[str], element: Element, facts: Facts) -> None:
    if facts.options:
        words.append("of " + quote(_options(facts), OPTION_CHARACTERS + 60))
        total = max(facts.option_count, len(facts.options))
        if total > OPTIONS_SHOWN:
            words.append(f"({total} options)")


def _options(facts: Facts) -> str:
    """All options if they are few; else the first ones and the last."""
    options = facts.options
    if len(options) <= OPTIONS_SHOWN and sum(map(len, options)) <= OPTION_CHARACTERS:
        return " | ".join(options)
    shown = [option[:40] for option in options[:5]]
    last = [options[-1][:40]] if facts.option_count <= len(options) else []
    return " | ".join([*shown, "…", *last])


FACT_WORDS: tuple[Callable[[list[str], Element, Facts], None], ...] = (
    _add_kind,
    _add_limits,
    _add_words,
    _add_options,
)

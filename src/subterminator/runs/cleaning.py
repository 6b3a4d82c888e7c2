"""Makes an event fit to be written: every field by the kind its type gives it, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from subterminator.runs.events import Event
from subterminator.safety.redact import Redactor

# The value and the redactor of the run to what may be written.
Cleaner = Callable[[Any, Redactor], Any]

HASH = re.compile(r"(?:[0-9a-f]{32,128})?")
LONGEST_WORD = 128
LONGEST_TEXT = 500
# A page may have a name of ten megabytes; more than this of it is not even looked at.
LONGEST_READ = 4_000
MOST_ITEMS = 50


def cleaned(event: Event, redactor: Redactor) -> Event:
    """The event as it may be stored."""
    safe: Event = _struct(type(event))(event, redactor)
    return safe


def _text(value: Any, redactor: Redactor) -> str:
    safe = _whole(redactor.written(str(value)[:LONGEST_READ]))
    return safe if len(safe) <= LONGEST_TEXT else safe[: LONGEST_TEXT - 1] + "…"


def _word(value: Any, redactor: Redactor) -> str:
    return _whole(redactor.text(str(value)[:LONGEST_READ]))[:LONGEST_WORD]


def _digest(value: Any, redactor: Redactor) -> str:
    # By chance a hash may hold a card number; it would be worth nothing without it.
    return value if HASH.fullmatch(value) else _word(value, redactor)


def _address(value: Any, redactor: Redactor) -> str:
    return _whole(redactor.address(str(value)[:LONGEST_READ]))


def _value(value: Any, redactor: Redactor) -> str:
    return _text(redactor.field(str(value)), redactor)


def _whole(text: str) -> str:
    """A page may hold half a character, which no file can."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


KINDS: dict[str, Cleaner] = {
    "text": _text,
    "word": _word,
    "digest": _digest,
    "address": _address,
    "value": _value,
}


@cache
def _struct(kind: type[Struct]) -> Cleaner:
    hints = get_type_hints(kind, include_extras=True)
    plan = [(name, _cleaner(hints[name])) for name in kind.__struct_fields__]

    def clean(value: Any, redactor: Redactor) -> Any:
        return kind(*[treat(getattr(value, name), redactor) for name, treat in plan])

    return clean


def _cleaner(kind: Any) -> Cleaner:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return KINDS[arguments[1].extra["as"]]
    if origin is Literal:
        return _one_of(arguments)
    if origin in (Union, UnionType):
        inner = _cleaner(next(part for part in arguments if part is not NoneType))
        return lambda value, redactor: None if value is None else inner(value, redactor)
    if origin is tuple:
        item = _cleaner(arguments[0])
        return lambda value, redactor: tuple([item(v, redactor) for v in value[:MOST_ITEMS]])
    if isinstance(kind, type) and issubclass(kind, Struct):
        return _struct(kind)
    if kind in (int, float, bool):
        return lambda value, redactor: kind(value)
    raise TypeError(f"An event cannot hold {kind}: nobody says how to make it safe.")


def _one_of(words: tuple[Any, ...]) -> Cleaner:
    def clean(value: Any, redactor: Redactor) -> Any:
        return value if value in words else _text(value, redactor)

    return clean

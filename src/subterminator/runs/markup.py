"""Puts text into HTML. Whatever is not known to be markup is text, and escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


class Html(str):
    """Markup of ours. It is made by `fill` and `joined` only."""

    __slots__ = ()


def fill(template: str, **values: str) -> Html:
    """Our markup with its gaps filled: markup as it is, everything else escaped."""
    return Html(template.format(**{name: _safe(value) for name, value in values.items()}))


def joined(parts: Iterable[Html], between: str = "\n") -> Html:
    return Html(between.join(parts))


def _safe(value: str) -> str:
    return value if isinstance(value, Html) else escape(value, quote=True)

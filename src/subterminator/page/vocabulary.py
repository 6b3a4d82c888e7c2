"""The words people use for parts of a page, read from words.toml when they are first needed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct


class Meaning(Struct, frozen=True, forbid_unknown_fields=True):
    """Words for a thing, and the roles it may have."""

    roles: tuple[str, ...]
    words: tuple[str, ...]


class Grammar(Struct, frozen=True, forbid_unknown_fields=True, rename={"inside": "in"}):
    """Words that say where something is, and words that say nothing."""

    inside: tuple[str, ...]
    next: tuple[str, ...]
    under: tuple[str, ...]
    articles: tuple[str, ...]
    stop: frozenset[str]


class Vocabulary(Struct, frozen=True, forbid_unknown_fields=True):
    kind: tuple[Meaning, ...]
    container: tuple[Meaning, ...]
    grammar: Grammar
    ordinals: dict[str, tuple[str, ...]]
    compounds: dict[str, tuple[str, ...]]
    synonyms: dict[str, frozenset[str]]
    fields: dict[str, tuple[str, ...]]

    def kinds(self) -> dict[str, tuple[str, ...]]:
        return {word: meaning.roles for meaning in self.kind for word in meaning.words}

    def containers(self) -> dict[str, tuple[str, ...]]:
        return {word: meaning.roles for meaning in self.container for word in meaning.words}

    def places(self) -> dict[str, int]:
        """Ordinals by word: 1 is the first, -1 the last."""
        return {word: int(number) for number, words in self.ordinals.items() for word in words}


@cache
def vocabulary() -> Vocabulary:
    data = Path(__file__).with_name("words.toml").read_bytes()
    return msgspec.toml.decode(data, type=Vocabulary)

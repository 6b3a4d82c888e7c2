"""Counts tokens as a provider bills them, its cache included. The counts are estimates."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from subterminator.gym.models.replies import Reply, Spent
from subterminator.page.tokens import estimate

PICTURE = 1_000
# Neither provider caches less.
LEAST = 1_024


class Block(Struct, frozen=True):
    """A piece of a prompt, in the order in which it is read. `marked`: may be cached up to here."""

    content: bytes
    tokens: int
    marked: bool


class Cache:
    """What a provider has cached: prompts by their beginnings, never what stands in them."""

    def __init__(self) -> None:
        self._known: set[bytes] = set()

    def spend(self, blocks: Sequence[Block], reply: Reply) -> Spent:
        """Read what is known of a marked beginning, write what is new of it."""
        total = read = marked = 0
        so_far = hashlib.sha256()
        last = max((at for at, block in enumerate(blocks) if block.marked), default=-1)
        for at, block in enumerate(blocks):
            so_far.update(len(block.content).to_bytes(8) + block.content)
            total += block.tokens
            if at <= last and total >= LEAST:
                read = total if so_far.digest() in self._known else read
                marked = total
                if block.marked:
                    self._known.add(so_far.digest())
        said = "".join(f"{call.name}{call.arguments}" for call in reply.calls)
        output = estimate(reply.text + reply.thought + said)
        return Spent(total - max(read, marked), read, max(0, marked - read), output)


def weigh(piece: object, *, marked: bool) -> Block:
    """A piece as it is compared: without the marks, whatever the order of its names."""
    content = _unmarked(msgspec.to_builtins(piece))
    return Block(msgspec.json.encode(content, order="sorted"), _measure(content), marked)


def _measure(content: Any) -> int:
    match content:
        case {"type": "image" | "image_url"}:
            return PICTURE
        case {"content": list() as inner, **rest}:
            return sum(map(_measure, inner)) + _measure(rest)
        case _:
            return estimate(msgspec.json.encode(content).decode())


def _unmarked(content: Any) -> Any:
    match content:
        case dict():
            return {
                name: _unmarked(value) for name, value in content.items() if name != "cache_control"
            }
        case list():
            return [_unmarked(value) for value in content]
        case _:
            return content

"""Gives elements their refs. A ref means one element with one role and name; it is never reused."""

from __future__ import annotations

from typing import NamedTuple

from subterminator.errors import RefInvalid
from subterminator.targets import normalize_ref

REMEMBERED = 100_000


class Bound(NamedTuple):
    """What a ref stands for. `world` is the document, `node` the element's number in it."""

    ref: str
    world: str
    node: int
    role: str
    name: str


class _Document:
    """The refs of one document: all that were ever given, and the newest of each element."""

    __slots__ = ("given", "newest")

    def __init__(self) -> None:
        self.given: dict[tuple[int, str, str], Bound] = {}
        self.newest: dict[int, Bound] = {}


class RefTable:
    """All refs of one page session, numbered by one counter.

    An element that changes its role or name gets another ref; when it changes back, the old one
    holds again.
    """

    def __init__(self, remembered: int = REMEMBERED) -> None:
        self._remembered = remembered
        self._full_at = remembered
        self._counter = 0
        self._bounds: dict[str, Bound] = {}
        self._documents: dict[str, _Document] = {}

    def bind(self, world: str, node: int, role: str, name: str) -> str:
        """The ref of this element, role and name."""
        document = self._documents.get(world)
        if document is None:
            document = self._documents[world] = _Document()
        bound = document.newest.get(node)
        if bound is not None and bound[4] == name and bound[3] == role:
            return bound[0]
        key = (node, role, name)
        bound = document.given.get(key)
        if bound is None:
            self._counter += 1
            bound = Bound(f"@e{self._counter}", world, node, role, name)
            document.given[key] = self._bounds[bound.ref] = bound
        document.newest[node] = bound
        if len(self._bounds) > self._full_at:
            self._drop_oldest()
        return bound.ref

    def get(self, ref: str) -> Bound:
        """What the ref was bound to, also when its document is gone."""
        ref = normalize_ref(ref)
        bound = self._bounds.get(ref)
        if bound is not None:
            return bound
        if int(ref[2:]) <= self._counter:
            raise RefInvalid(f"{ref} was given out so long ago that it is forgotten.", ref=ref)
        newest = (
            f"the newest is @e{self._counter}" if self._counter else "no ref has been given yet"
        )
        raise RefInvalid(f"{ref} was never given out; {newest}.", ref=ref)

    def current(self, ref: str) -> Bound | None:
        """What the same element is called now, if its role or name has changed since."""
        bound = self.get(ref)
        document = self._documents.get(bound.world)
        newest = document.newest.get(bound.node) if document else None
        return newest if newest is not None and newest.ref != bound.ref else None

    def forget(self, world: str) -> None:
        """The document is gone. Its refs resolve to nothing from now on, but can still be named."""
        self._documents.pop(world, None)

    def _drop_oldest(self) -> None:
        """Drop the oldest refs that no element has any more.

        Refs in use are kept however many they are: a document's size is their bound.
        """
        surplus = len(self._bounds) - self._remembered * 9 // 10
        for bound in list(self._bounds.values()):
            if surplus <= 0:
                break
            document = self._documents.get(bound.world)
            if document is not None and document.given.get(bound[2:]) is bound:
                if document.newest[bound.node] is bound:
                    continue
                del document.given[bound[2:]]
            del self._bounds[bound.ref]
            surplus -= 1
        self._full_at = max(self._remembered, len(self._bounds) * 11 // 10)

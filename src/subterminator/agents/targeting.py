"""Which element is meant by words: in the main frame first, then in the others, then given up.

Pure: looks at one snapshot. What it tried is kept, for whoever asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from subterminator.errors import ElementNotFound, FrameNotFound, SelectorAmbiguous
from subterminator.page.find import Match
from subterminator.page.phrases import quote
from subterminator.page.snapshot import Snapshot
from subterminator.types import Element, FrameInfo

# Two that fit about as well are two.
AS_GOOD = 0.05
LISTED = 5
FALLBACK = "Only the person can use it, in the browser window."


class Attempt(Struct, frozen=True):
    strategy: str
    found: int


class Aimed(Struct, frozen=True):
    """The element that is meant, the frame it is in, and what was tried to find it."""

    ref: str
    frame: str
    attempts: tuple[Attempt, ...]


class Frame(Struct, frozen=True):
    """A frame as a model is told of it."""

    index: int
    name: str
    url: str
    accessible: bool
    reason: str | None = None
    fallback: str | None = None


def aim(
    snapshot: Snapshot, words: str, *, role: str | None = None, frame: str | None = None
) -> Aimed:
    """The one element that fits. Raises what says why there is none, with what was tried."""
    attempts: list[Attempt] = []
    if words.strip().startswith("@e"):
        ref = words.split()[0].rstrip(".,:")
        return Aimed(ref, _frame_of(snapshot, ref), (Attempt("ref", 1),))
    for strategy, found in _strategies(snapshot, words, role, frame):
        attempts.append(Attempt(strategy, len(found)))
        if found:
            best = _only(found, words)
            return Aimed(best.ref, _frame_of(snapshot, best.ref), tuple(attempts))
    raise ElementNotFound(
        f"Nothing fits {words[:80]!r}.",
        next_step="Use other words, name its frame, or look at the page.",
        attempts=tuple(attempts),
    )


def _strategies(
    snapshot: Snapshot, words: str, role: str | None, frame: str | None
) -> Iterator[tuple[str, list[Match]]]:
    if frame is not None:
        yield f"frame {frame[:60]}", snapshot.find(words, role=role, frame=frame)
        return
    found = snapshot.find(words, role=role, limit=50)
    yield "main frame", _within(snapshot, found, 0)
    for info in ordered(snapshot):
        yield f"frame {_label(snapshot, info)}", _within(snapshot, found, info.index)
    if role is not None:
        yield "any role", snapshot.find(words)


def _within(snapshot: Snapshot, found: list[Match], frame: int) -> list[Match]:
    return [match for match in found if snapshot.element(match.ref).frame == frame]


def _only(found: list[Match], words: str) -> Match:
    equal = [match for match in found if found[0].score - match.score < AS_GOOD]
    if len(equal) > 1:
        listed = "; ".join(
            f"{m.ref} {m.role} {quote(m.name, 60)} in {quote(m.context, 60)}"
            for m in equal[:LISTED]
        )
        raise SelectorAmbiguous(f"{words[:80]!r} fits {len(equal)} elements: {listed}.")
    return found[0]


# Frames


def frames(snapshot: Snapshot, *, with_unreadable: bool = True) -> list[Frame]:
    """Every frame but the page itself, and why one cannot be read."""
    return [
        Frame(
            info.index,
            _label(snapshot, info),
            info.url.partition("?")[0],
            info.accessible,
            None if info.accessible else info.reason,
            None if info.accessible else FALLBACK,
        )
        for info in ordered(snapshot)
        if info.accessible or with_unreadable
    ]


def ordered(snapshot: Snapshot) -> list[FrameInfo]:
    """Those with a title of their own first, then those with a name, then by number."""
    titled = {(e.frame, e.node) for e in _owners(snapshot)}

    def rank(info: FrameInfo) -> tuple[int, int]:
        if (info.parent, info.owner) in titled:
            return 0, info.index
        return (1 if info.name else 2), info.index

    return sorted(snapshot.frames[1:], key=rank)


def _owners(snapshot: Snapshot) -> Iterator[Element]:
    return (e for e in snapshot.elements if e.role == "iframe" and e.name)


def _label(snapshot: Snapshot, info: FrameInfo) -> str:
    own = (e.name for e in _owners(snapshot) if (e.frame, e.node) == (info.parent, info.owner))
    return next(own, "") or info.name or str(info.index)


def _frame_of(snapshot: Snapshot, ref: str) -> str:
    """The name of the frame that holds it; `main` for the page itself."""
    index = next((e.frame for e in snapshot.elements if e.ref == ref), 0)
    info = next((f for f in snapshot.frames if f.index == index), None)
    return _label(snapshot, info) if info and index else "main"


def frame_named(snapshot: Snapshot, selector: str) -> str | None:
    """What the gate calls a frame; None for all of them. Raises FrameNotFound."""
    if selector in {"main", "0"}:
        return None
    for info in ordered(snapshot):
        if selector in {_label(snapshot, info), info.name, info.id, str(info.index)}:
            return info.id
    known = ", ".join(_label(snapshot, info) for info in ordered(snapshot)) or "none"
    raise FrameNotFound(f"There is no frame {selector[:60]!r}.", next_step=f"Known: {known[:300]}.")

"""What is different between two snapshots, and how to say it in few words.

Elements are the same if document and node are; text is the same if it reads the same.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from msgspec import Struct

from subterminator.page.context import Surroundings
from subterminator.page.layout import Layout
from subterminator.page.phrases import Phrasing, address, quote
from subterminator.page.phrases import label as name_of
from subterminator.page.tokens import estimate
from subterminator.types import Element, Flag

if TYPE_CHECKING:
    from subterminator.page.snapshot import Snapshot

BUDGET = 300
WHOLE_BUDGET = 8_000
ROOM_FOR_COUNT = 30
LONGEST_ADDRESS = 200
NOTHING = "no visible change"
QUOTE_MARK = re.compile(r'(?<!\\)(?:\\\\)*"')

OFFSCREEN, EDITABLE = int(Flag.OFFSCREEN), int(Flag.EDITABLE)
# Where something is and how it was found are no changes of its own.
UNTOLD = int(
    Flag.COVERED | Flag.OFFSCREEN | Flag.FOCUSED | Flag.TOP | Flag.OVERLAY | Flag.POINTER
    | Flag.LISTENER | Flag.INLINE | Flag.EDITABLE | Flag.DRAGGABLE
)  # fmt: skip
STRUCTURE = frozenset(
    {
        "row", "rowgroup", "cell", "gridcell", "columnheader", "rowheader", "list", "listitem",
        "article", "generic", "main", "paragraph", "document", "table", "iframe",
    }
)  # fmt: skip
ANNOUNCED = frozenset({"alert", "status", "log"})
LOUD = ANNOUNCED | {"alertdialog", "dialog", "heading"}
PLACES_TOLD = 5


class Change(NamedTuple):
    """One element, before and after. Its ref is another one if its role or name changed."""

    before: Element
    after: Element


class Changes(Struct, frozen=True):
    """The difference between two snapshots.

    `is_whole` if so much is new that the snapshot is the shorter answer; then `text()` is it.
    """

    before: Snapshot
    after: Snapshot
    added: tuple[Element, ...]
    removed: tuple[Element, ...]
    changed: tuple[Change, ...]
    is_whole: bool

    @property
    def is_empty(self) -> bool:
        """Whether nothing changed that can be seen."""
        return self.text() == NOTHING

    def notes(self) -> list[str]:
        """What happened to the page as a whole: address, title, layers, scrolling, focus."""
        return list(_notes(self))

    def text(self, budget: int = BUDGET, whole_budget: int = WHOLE_BUDGET) -> str:
        """The difference in at most about `budget` tokens, or the whole page if `is_whole`."""
        notes = self.notes()
        if self.is_whole:
            return "\n".join([*notes, self.after.text(whole_budget)])
        return _within([*notes, *_told(self)], budget) or NOTHING


def between(before: Snapshot, after: Snapshot) -> Changes:
    if not before.frames or before.frames[0].world != after.frames[0].world:
        return Changes(before, after, after.elements, before.elements, (), is_whole=True)
    added, removed, changed = _compare(before, after)
    is_whole = len(added) + len(changed) > 0.6 * len(after.elements) and len(after.elements) > 10
    return Changes(before, after, tuple(added), tuple(removed), tuple(changed), is_whole)


Key = tuple[str, int]


def _compare(
    before: Snapshot, after: Snapshot
) -> tuple[list[Element], list[Element], list[Change]]:
    worlds = [frame.world for frame in before.frames]
    old = {(worlds[e.frame], e.node): e for e in before.elements if e.node}
    worlds = [frame.world for frame in after.frames]
    texts = _Texts(before, after)
    added: list[Element] = []
    changed: list[Change] = []
    for place, element in enumerate(after.elements):
        if not element.node:
            was = texts.was(place)
            if was is None:
                added.append(element)
            elif was is not element:
                changed.append(Change(was, element))
            continue
        known = old.pop((worlds[element.frame], element.node), None)
        if known is None:
            if _speaks(element):
                added.append(element)
        elif known is not element and _differs(known, element):
            changed.append(Change(known, element))
    removed = [element for element in old.values() if _speaks(element)]
    return added, [*removed, *texts.gone()], changed


def _speaks(element: Element) -> bool:
    """Whether a line would be printed for it."""
    return bool(element.ref or (element.name and element.role not in STRUCTURE))


def _differs(before: Element, after: Element) -> bool:
    if before.name == after.name and before.role == after.role:
        if not (before.flags ^ after.flags) & ~UNTOLD and before.facts == after.facts:
            return False
    return _speaks(after) or _speaks(before)


class _Texts:
    """Pairs the texts of two snapshots: equal ones first, then those in the same place."""

    def __init__(self, before: Snapshot, after: Snapshot) -> None:
        old, new = list(_anchored(before)), list(_anchored(after))
        left = Counter(text.name for _, _, text in old)
        self._was: dict[int, Element] = {}
        unmatched: list[tuple[Key, int, Element]] = []
        for key, place, text in new:
            if left[text.name] > 0:
                left[text.name] -= 1
                self._was[place] = text
            else:
                unmatched.append((key, place, text))
        waiting: defaultdict[Key, list[Element]] = defaultdict(list)
        # The counter holds how many of each text are left over: the last ones are taken to be gone.
        for key, _, text in reversed(old):
            if left[text.name] > 0:
                left[text.name] -= 1
                waiting[key].append(text)
        for key, place, _ in unmatched:
            if waiting.get(key):
                self._was[place] = waiting[key].pop()
        self._gone = [text for texts in waiting.values() for text in reversed(texts)]

    def was(self, place: int) -> Element | None:
        """The text that stood here; itself (by what it says) if it has not changed."""
        return self._was.get(place)

    def gone(self) -> list[Element]:
        return self._gone


def _anchored(snapshot: Snapshot) -> Iterator[tuple[Key, int, Element]]:
    """Every text with the element it comes after."""
    worlds = [frame.world for frame in snapshot.frames]
    key: Key = ("", 0)
    for place, element in enumerate(snapshot.elements):
        if element.node:
            key = (worlds[element.frame], element.node)
        else:
            yield key, place, element


def _notes(changes: Changes) -> Iterator[str]:
    before, after = changes.before, changes.after
    if before.page.url != after.page.url:
        yield _moved(before.page.url, after.page.url)
    if before.page.title != after.page.title:
        yield f"title {quote(after.page.title)} (was {quote(before.page.title)})"
    old = {frame.id: frame.url for frame in before.frames[1:]}
    for frame in after.frames[1:]:
        if frame.id in old and frame.url != old[frame.id]:
            yield f"frame {quote(frame.name)} is now at {address(frame.url, LONGEST_ADDRESS)}"
    if changes.is_whole:
        return
    old_covered, covered = before.left_out.covered, after.left_out.covered
    if covered != old_covered:
        yield f"{covered} controls are covered now (before: {old_covered})"
    view, old_view = after.viewport, before.viewport
    if (view.scroll_x, view.scroll_y) != (old_view.scroll_x, old_view.scroll_y):
        yield f"scrolled to {view.scroll_x},{view.scroll_y}"
    if after.focused and after.focused != before.focused:
        # A click focuses what it hits; worth saying is where typing would go.
        if after.element(after.focused).flags & EDITABLE:
            yield f"focus {after.focused}"


def _moved(old: str, new: str) -> str:
    """Another address, loudly if it is another site."""
    old_parts, new_parts = urlsplit(old), urlsplit(new)
    was, now = address(old, LONGEST_ADDRESS), address(new, LONGEST_ADDRESS)
    if (old_parts.scheme, old_parts.netloc) == (new_parts.scheme, new_parts.netloc):
        return f"address now {now} (was {was})"
    return f"ANOTHER SITE: the page is now {now} (was {was})"


def _told(changes: Changes) -> list[str]:
    """All changes, what was announced or can be seen first: the budget cuts at the end."""
    loud, added, added_off = _added(changes)
    changed, changed_off = _changed(changes)
    return [*loud, *changed, *added, *_removed(changes), *changed_off, *added_off]


def _changed(changes: Changes) -> tuple[list[str], list[str]]:
    """Changed things in view, and those off-screen."""
    old_words = Phrasing([frame.url for frame in changes.before.frames])
    new_words = Phrasing([frame.url for frame in changes.after.frames])
    seen: list[str] = []
    unseen: list[str] = []
    for before, after in changes.changed:
        line = _change(before, after, old_words, new_words)
        if line and after.flags & OFFSCREEN:
            unseen.append(f"~ {line} (off-screen)")
        elif line:
            seen.append(f"~ {line}")
    return seen, unseen


def _change(before: Element, after: Element, old_words: Phrasing, new_words: Phrasing) -> str:
    if not after.node:
        if before.name == after.name:
            return ""
        return f"{quote(after.name, 400)} (was {quote(before.name, 120)})"
    was = _lost(before, after, old_words, new_words)
    line = new_words.phrase(after)
    if not was and line == old_words.phrase(before):
        return ""
    if after.context:
        line += f" in {quote(after.context)}"
    return f"{line} (was {was})" if was else line


def _lost(before: Element, after: Element, old_words: Phrasing, new_words: Phrasing) -> str:
    """What was said of the element before and no longer is."""
    words: list[str] = []
    if before.ref != after.ref and before.ref:
        words.append(before.ref)
    if before.role != after.role:
        words.append(before.role)
    if before.name != after.name:
        words.append(name_of(before) or "without a name")
    kept = new_words.details(after)
    lost = [word for word in old_words.details(before) if word not in kept]
    if not before.facts.value and after.facts.value and not lost:
        lost.append("empty")
    return " ".join([*words, *lost])


def _added(changes: Changes) -> tuple[list[str], list[str], list[str]]:
    """New things as they stand on the page: what it announces, what is in view, what is not."""
    after, added = changes.after, changes.added
    if not added:
        return [], [], []
    lines = Layout(added, after.frames, Phrasing([frame.url for frame in after.frames])).lines
    places = _places(changes, [line.place for line in lines])
    told: tuple[list[str], list[str], list[str]] = ([], [], [])
    for line, place in zip(lines, places, strict=True):
        if line.is_offscreen:
            told[2].append(f"+ {line.text}{place} (off-screen)")
        else:
            told[0 if added[line.place].role in ANNOUNCED else 1].append(f"+ {line.text}{place}")
    return told


def _places(changes: Changes, starts: Sequence[int]) -> list[str]:
    """For the first new lines, which known part of the page each is in."""
    elements = changes.after.elements
    added = {id(element) for element in changes.added}
    where = {id(element): place for place, element in enumerate(elements) if id(element) in added}
    around = Surroundings(elements)
    words: list[str] = []
    for count, start in enumerate(starts):
        place = where[id(changes.added[start])]
        parent = around.parents[place]
        is_known = parent >= 0 and id(elements[parent]) not in added
        label = around.container(place) if is_known and count < PLACES_TOLD else ""
        words.append(f" in {quote(label)}" if label else "")
    return words


def _removed(changes: Changes) -> list[str]:
    """What is gone, in one line: the important ones by name, the others counted."""
    removed = changes.removed
    if not removed:
        return []
    first = sorted(removed, key=_importance)[:4]
    names = [
        " ".join(filter(None, (e.ref, e.role.replace("text", ""), quote(e.name, 60))))
        for e in first
    ]
    more = Counter(element.role for element in removed)
    more.subtract(element.role for element in first)
    counts = [f"{count} {role}" for role, count in more.most_common(4) if count > 0]
    rest = f", and {len(removed) - len(first)} more ({', '.join(counts)})" if counts else ""
    return [f"- gone: {', '.join(names)}{rest}"]


def _importance(element: Element) -> int:
    if element.role in LOUD:
        return 0
    return 1 if element.ref else 2


def _within(lines: Sequence[str], budget: int) -> str:
    """As many lines as fit, and how many do not. Long lines are cut before lines are left out."""
    if estimate("\n".join(lines)) <= budget:
        return "\n".join(lines)
    kept: list[str] = []
    left = budget - ROOM_FOR_COUNT
    for line in lines:
        size = estimate(line) + 1
        if size > left:
            line = _cut(line, left)
            if line:
                kept.append(line)
            break
        kept.append(line)
        left -= size
    missing = len(lines) - len(kept)
    kept.append(f"… and {missing} more lines of changes: take a snapshot to see them")
    return "\n".join(kept)


def _cut(line: str, tokens: int) -> str:
    if tokens <= 20:
        return ""
    line = line[: tokens * 3].rstrip("\\ ") + "…"
    # A quotation that lost its end gets a new one: what follows must not be taken for the page's.
    return line + '"' if len(QUOTE_MARK.findall(line)) % 2 else line

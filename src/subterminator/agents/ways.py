"""Where to look for the way out when a page does not show it: menus, settings, footers. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import urldefrag

from subterminator.agents import vocabulary as v
from subterminator.agents.sense import way_rank
from subterminator.agents.sight import Control, Part
from subterminator.agents.stages import Page, find_renewal
from subterminator.packs.phrase import fold, fold_name
from subterminator.safety.money import find_amounts
from subterminator.types import Flag

LEAST = 3
MENU_RANK = 6
ROLES = frozenset({"button", "link", "menuitem", "tab", "generic", "combobox"})
COMMON = v.words(
    r"cancel\w*", "end", "stop", "my", "the", "a", "an", "please", "subscriptions?", "memberships?",
    "plans?", "account", "of", "for", "and", "i", "want", "to", "do", "not", "pay", "keep", "but",
    "is", "in", "site", "with", "from", "at", "it", "this", "that", "only", "use", "what", "have",
    "paid", "fee", "abo", "mein", "meine", "das", "die", "der", "mon", "abonnement", "mi",
    "suscripcion", "il", "mio", "abbonamento", "kundige", "resilier", "cancela", "disdici",
    "service", "fees?",
)  # fmt: skip


class Way(NamedTuple):
    control: Control
    rank: float
    is_menu: bool


def ways(page: Page) -> list[Way]:
    """Ways to look at, the likeliest first."""
    found = sorted(_find(page), key=lambda way: -way.rank)
    best: dict[tuple[str, str], Way] = {}
    for way in found:
        best.setdefault((way.control.name, way.control.part.heading), way)
    return list(best.values())


def _find(page: Page) -> Iterator[Way]:
    here = urldefrag(page.sight.url).url
    for control in page.sight.controls:
        if control.role not in ROLES or control.kind not in {"press", "list"}:
            continue
        if control.has(Flag.DISABLED) or urldefrag(control.element.facts.href).url == here:
            continue
        lean = page.sense.lean(control)
        if lean not in {"way", "menu", "other", "forward", "agree", "leave"}:
            continue
        rank: float = way_rank(fold_name(control.name))
        is_menu = lean == "menu" or bool(control.element.facts.popup and not control.is_link)
        if is_menu:
            rank = max(rank, MENU_RANK)
        if rank and v.GOES_ON.search(fold(control.part.text)) and not control.is_around:
            rank += 1.5
        if rank >= LEAST:
            yield Way(control, rank, is_menu)


# Which of several subscriptions


class Rows(NamedTuple):
    """The subscriptions that a page lists. `wanted` is the one asked for; None: it cannot tell."""

    parts: tuple[Part, ...]
    wanted: Part | None

    @property
    def is_unclear(self) -> bool:
        return len(self.parts) > 1 and self.wanted is None

    def excludes(self, control: Control) -> bool:
        is_row = control.part in self.parts
        return is_row and self.wanted is not None and control.part != self.wanted


def rows(page: Page, goal: str) -> Rows:
    """The parts of a page with a price or a date of renewal of their own and a way on in them."""
    parts: dict[Part, None] = {}
    for control in page.sight.presses:
        part = control.part
        if not control.is_around and _is_subscription(part):
            if page.sense.lean(control) in {"leave", "bare", "way", "menu"}:
                parts[part] = None
    listed = tuple(parts)
    if len(listed) < 2:
        return Rows(listed, listed[0] if listed else None)
    sought = _tokens(goal)
    counts = [len(sought & _tokens(part.text)) for part in listed]
    best = max(counts)
    if best and counts.count(best) == 1:
        return Rows(listed, listed[counts.index(best)])
    return Rows(listed, None)


def _is_subscription(part: Part) -> bool:
    lines = tuple(part.text.splitlines())
    priced = bool(find_amounts(lines)) and bool(v.GOES_ON.search(fold(part.text)))
    return bool(find_renewal(lines)) or priced


def _tokens(text: str) -> frozenset[str]:
    words: Sequence[str] = COMMON.sub(" ", fold_name(text)).split()
    return frozenset(word for word in words if len(word) > 1)

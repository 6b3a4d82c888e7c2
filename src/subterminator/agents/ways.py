"""Where to look for the way out when a page does not show it: menus, settings, footers. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import urldefrag

from subterminator.agents import nuances
from subterminator.agents import vocabulary as v
from subterminator.agents.notices import find_renewal, find_settled
from subterminator.agents.sense import way_rank
from subterminator.agents.sight import Control, Part
from subterminator.agents.stages import Page
from subterminator.packs.phrase import fold, fold_name
from subterminator.safety.money import find_amounts
from subterminator.types import Flag

LEAST = 3
MENU_RANK = 6
HIDDEN_RANK = 4
FOLD_RANK = 3.5
# Portals of payments are opened by a form; their names leave no doubt.
PORTAL_RANK = 8
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


def ways(page: Page, *, everywhere: bool = False) -> list[Way]:
    """Ways to look at, the likeliest first; `everywhere` takes links that say nothing known too."""
    found = sorted(_find(page, everywhere=everywhere), key=lambda way: -way.rank)
    best: dict[tuple[str, str], Way] = {}
    for way in found:
        best.setdefault((way.control.name, way.control.part.text), way)
    return list(best.values())


def _find(page: Page, *, everywhere: bool) -> Iterator[Way]:
    here = urldefrag(page.sight.url).url
    for control in page.sight.controls:
        if control.role not in ROLES or control.kind not in {"press", "list"}:
            continue
        if control.has(Flag.DISABLED) or urldefrag(control.element.facts.href).url == here:
            continue
        lean = page.sense.lean(control)
        if lean not in {"way", "menu", "other", "forward", "agree", "leave"}:
            continue
        if not _only_opens(control):
            continue
        rank: float = way_rank(fold_name(control.name))
        is_menu = lean == "menu" or bool(control.element.facts.popup and not control.is_link)
        if is_menu:
            rank = max(rank, MENU_RANK)
        if rank and v.GOES_ON.search(fold(control.part.text)) and not control.is_around:
            rank += 1.5
        if rank < LEAST:
            rank = max(rank, _hidden_rank(control, lean, everywhere=everywhere))
        if rank >= LEAST:
            yield Way(control, rank, is_menu)


def _only_opens(control: Control) -> bool:
    """Whether a press only shows something: by what it is, or for a button by its words."""
    shows = control.element.facts.popup or control.has(Flag.EXPANDABLE) or control.kind == "list"
    if control.is_link or control.role in {"link", "tab", "menuitem"} or shows:
        return True
    folded = fold_name(control.name)
    if nuances.OPENS.search(folded) or v.MENU.search(folded) or not folded.strip():
        return not control.has(Flag.SUBMITS) or way_rank(folded) >= PORTAL_RANK
    for _, places in v.WAYS:
        folded = places.sub(" ", folded)
    return not control.has(Flag.SUBMITS) and not nuances.FILLERS.sub("", folded).strip()


def _hidden_rank(control: Control, lean: str, *, everywhere: bool) -> float:
    """Of a link, tab or fold that says nothing we know: looking is free, best beside the plan."""
    if lean != "other" or control.is_around or v.NO_WAY.search(fold_name(control.name)):
        return 0
    opens = control.role == "tab" or control.has(Flag.EXPANDABLE)
    leads = control.role == "link" and not control.has(Flag.NEWTAB)
    if (opens or leads) and find_renewal(tuple(control.part.text.splitlines())):
        return HIDDEN_RANK
    if opens:
        return FOLD_RANK
    return LEAST if leads and everywhere and control.is_link else 0


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
    ways_on = [
        control
        for control in page.sight.presses
        if not control.is_around
        and control.role != "tab"
        and page.sense.lean(control) in {"leave", "bare", "way", "menu"}
    ]
    listed = _apart(tuple(dict.fromkeys(c.part for c in ways_on if _is_subscription(c.part))))
    if len(listed) < 2:
        alike = _alike(ways_on)
        if alike and (wanted := _best(alike, goal)):
            return Rows(alike, wanted)
        return Rows(listed, listed[0] if listed else None)
    return Rows(listed, _best(listed, goal))


def _apart(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Without those that only hold another of them: what is listed stands side by side."""
    return tuple(part for part in parts if not any(part.holds(other) for other in parts))


def _alike(controls: Sequence[Control]) -> tuple[Part, ...]:
    """Lines of a list that has the same control in each, whatever else it shows."""
    named: dict[str, dict[Part, None]] = {}
    for control in controls:
        named.setdefault(fold_name(control.name), {})[control.part] = None
    most = max(named.values(), key=len, default={})
    return tuple(most) if len(most) > 1 else ()


def _best(parts: Sequence[Part], goal: str) -> Part | None:
    sought = _tokens(goal)
    counts = [len(sought & _tokens(part.text)) for part in parts]
    best = max(counts)
    return parts[counts.index(best)] if best and counts.count(best) == 1 else None


def over_row(page: Page, goal: str) -> str:
    """Where several are listed: the words that say that the one asked for has ended already."""
    presses = [c for c in page.sight.presses if not c.is_around]
    parts = tuple(dict.fromkeys(c.part for c in presses))
    alive = [part for part in parts if find_renewal(tuple(part.text.splitlines()))]
    wanted = _best(parts, goal) if len(parts) > 1 and alive else None
    if wanted is None or wanted in alive:
        return ""
    if any(page.sense.lean(c) in {"leave", "bare"} for c in presses if c.part == wanted):
        return ""
    return find_settled(tuple(wanted.text.splitlines()))


def _is_subscription(part: Part) -> bool:
    lines = tuple(part.text.splitlines())
    priced = bool(find_amounts(lines)) and bool(v.GOES_ON.search(fold(part.text)))
    return bool(find_renewal(lines)) or priced


def _tokens(text: str) -> frozenset[str]:
    words: Sequence[str] = COMMON.sub(" ", fold_name(text)).split()
    return frozenset(word for word in words if len(word) > 1)

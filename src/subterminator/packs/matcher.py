"""Judges a page by a pack: which stage, what a control is for, who bills. Pure; presses nothing.

Failure is judged before success, and words alone never prove an end: they are one of two proofs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from subterminator.packs.model import Clue, Loss, Obstacle, Pack, Stage
from subterminator.packs.pattern import first_match
from subterminator.packs.phrase import Names, Text, fold_name, is_called, is_exact

Purpose = Literal["never", "final", "decline", "advance", "unknown"]

# How much one sign says. Several are combined as independent ones.
CLUE, TEXT, ROLE, URL, PATH, BILLED, FAILED = 0.65, 0.5, 0.45, 0.4, 0.25, 0.65, 0.3
MOST_SIGNS = 4
"""Signs of one sort that count; many words for the same thing are no more evidence than a few."""
THRESHOLD = 0.5
MARGIN = 0.02

# Who wins at the same score, as a careful person looks: can I act at all, is this the last step,
# is it over, is it elsewhere, and only then the ordinary pages.
ORDER: tuple[Stage, ...] = (
    "AUTH_REQUIRED",
    "FINAL_CONFIRMATION",
    "COMPLETE",
    "VERIFYING",
    "OFF_SITE",
    "ALREADY_CANCELLED",
    "RETENTION_OFFER",
    "EXIT_SURVEY",
    "ACCOUNT_ACTIVE",
    "START",
    "STOPPED",
    "UNKNOWN",
)
ENDS: frozenset[Stage] = frozenset({"COMPLETE", "ALREADY_CANCELLED"})
PRESSABLE = frozenset({
    "button", "link", "menuitem", "menuitemradio", "menuitemcheckbox", "tab", "switch", "radio",
    "checkbox", "option", "generic",
})  # fmt: skip


class Control(NamedTuple):
    role: str
    name: str


class PageWords(Struct, frozen=True):
    """What a page says. Of a page with a dialog on top: what the dialog says.

    `text` is everything readable but the names of buttons.
    """

    url: str = ""
    title: str = ""
    text: str = ""
    controls: tuple[Control, ...] = ()


class Judgement(NamedTuple):
    """A stage, how sure, and what it rests on."""

    stage: Stage
    score: float
    evidence: tuple[str, ...]


class Bill(NamedTuple):
    """Who takes the money, and the words that say so."""

    payer: str
    words: str


class _Page:
    """A page in the form phrases are compared with."""

    def __init__(self, words: PageWords) -> None:
        self.url = Text(_path(words.url).replace(".", " "))
        self.text = Text(f"{words.title}\n{words.text}")
        by_role: dict[str, list[str]] = {}
        for role, name in words.controls:
            by_role.setdefault(role, []).append(fold_name(name))
        pressable = (name for role in by_role if role in PRESSABLE for name in by_role[role])
        self.roles = {role: Names(names) for role, names in by_role.items()}
        self.roles["any"] = Names(pressable)
        self.roles[""] = Names(name for names in by_role.values() for name in names)

    def has(self, role: str, name: str) -> bool:
        """Whether there is a control of this role, or of any, with this name, or with any."""
        names = self.roles.get(role)
        return names is not None and (names.has(name) if name else bool(names.folded))

    def has_any(self, names: Iterable[str]) -> str:
        """The first of these names that something to press has here."""
        return next((name for name in names if self.has("any", name)), "")

    def fits(self, clue: Clue) -> bool:
        if clue.url and not self.url.says(clue.url):
            return False
        if clue.text and not self.text.says(clue.text):
            return False
        return not (clue.role or clue.name) or self.has(clue.role or "", clue.name or "")


def _path(url: str) -> str:
    """Path and fragment. What stands in a query is often where to go later, not where we are."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return unquote(f"{parts.path} {parts.fragment}")


class _Tally:
    """What speaks for one stage."""

    def __init__(self) -> None:
        self.doubt = 1.0
        self.words: list[str] = []

    def add(self, weight: float, words: Iterable[str]) -> None:
        for found in list(words)[:MOST_SIGNS]:
            self.doubt *= 1 - weight
            self.words.append(found)

    def weaken(self, factor: float, why: str) -> None:
        if self.words:
            self.doubt = 1 - (1 - self.doubt) * factor
            self.words.append(why)


def judge(pack: Pack, words: PageWords) -> list[Judgement]:
    """Stages that the page may be at, the likeliest first. Empty: it says nothing we know."""
    page = _Page(words)
    found: dict[Stage, _Tally] = {stage: _Tally() for stage in ORDER}
    _add_clues(found, pack, page)
    _add_states(found, pack, page)
    _add_controls(found, pack, page)
    judged = [
        Judgement(stage, round(1 - signs.doubt, 3), tuple(signs.words))
        for stage, signs in found.items()
        if signs.doubt < 0.999
    ]
    return sorted(judged, key=lambda one: (-one.score, ORDER.index(one.stage)))


def _add_clues(found: Mapping[Stage, _Tally], pack: Pack, page: _Page) -> None:
    lists: tuple[tuple[Stage, tuple[Clue, ...]], ...] = (
        ("AUTH_REQUIRED", pack.auth),
        ("FINAL_CONFIRMATION", pack.checkpoint),
        ("COMPLETE", pack.success),
        ("ALREADY_CANCELLED", pack.already_cancelled),
    )
    for stage, clues in lists:
        found[stage].add(CLUE, (tell(clue) for clue in clues if page.fits(clue)))
    own = pack.id.removeprefix("store-")
    bills = (bill for bill in _bills(pack, page) if bill.payer != own)
    found["OFF_SITE"].add(BILLED, (f'billed by {bill.payer}: "{bill.words}"' for bill in bills))


def _add_states(found: Mapping[Stage, _Tally], pack: Pack, page: _Page) -> None:
    for stage, signs in pack.states.items():
        here = found[stage]
        # Parts of a path are no more independent than the words of one name.
        here.add(URL, (f'url "{words}"' for words in _said(page.url, signs.url)[:1]))
        here.add(TEXT, (f'text "{words}"' for words in _said(page.text, signs.text)))
        here.add(ROLE, _shown(page, signs.roles))
    if found["COMPLETE"].words:
        more = _said(page.text, pack.proof.text)
        found["COMPLETE"].add(PATH, (f'text "{words}"' for words in more))
        found["COMPLETE"].add(PATH, (tell(c) for c in pack.already_cancelled if page.fits(c)))


def _said(text: Text, phrases: Iterable[str]) -> list[str]:
    """The phrases that a text says; of two that lie in each other only the longer one."""
    said = {phrase: fold_name(phrase) for phrase in phrases if text.says(phrase)}
    return [
        phrase
        for phrase, words in said.items()
        if not any(words in other and words != other for other in said.values())
    ]


def _shown(page: _Page, signs: Iterable[str]) -> list[str]:
    """The role signs that a page shows, each by a name of its own."""
    shown: list[str] = []
    used: set[str] = set()
    for sign in signs:
        role, _, name = (part.strip() for part in sign.partition(":"))
        if page.has(role, name):
            named = {one for one in page.roles[role].folded if not name or is_called(one, name)}
            if named - used:
                used.add(min(named - used))
                shown.append(sign)
    return shown


def _add_controls(found: Mapping[Stage, _Tally], pack: Pack, page: _Page) -> None:
    """What can be pressed decides between pages that talk alike."""
    last = page.has_any(pack.actions.final)
    way_on = page.has_any(pack.actions.decline) or page.has_any(pack.actions.advance)
    if last:
        found["FINAL_CONFIRMATION"].add(PATH, [f'control "{last}"'])
        for stage in ENDS:
            found[stage].weaken(0.6, f'but there still is "{last}"')
    else:
        found["FINAL_CONFIRMATION"].weaken(0.5, "but no control that ends it")
    if not way_on:
        found["RETENTION_OFFER"].weaken(0.6, "but no way to decline")
    elif found["RETENTION_OFFER"].words:
        found["RETENTION_OFFER"].add(PATH, [f'control "{way_on}"'])
    if failed := failures(pack, page):
        found["COMPLETE"].weaken(0, f"but {failed[0]}")
        found["UNKNOWN"].add(FAILED, failed)
    elif found["COMPLETE"].words:
        found["ALREADY_CANCELLED"].weaken(0.8, "but it was done just now")


def failures(pack: Pack, page: PageWords | _Page) -> list[str]:
    """Evidence on this page that it did not work."""
    page = _Page(page) if isinstance(page, PageWords) else page
    return [tell(clue) for clue in pack.failure if page.fits(clue)]


def decide(judged: list[Judgement]) -> Judgement:
    """The one stage, or UNKNOWN: too little evidence, or two stages with equally much."""
    if not judged or judged[0].score < THRESHOLD:
        return Judgement("UNKNOWN", 0.0, ("too little evidence",))
    first = judged[0]
    rivals = [
        other
        for other in judged[1:]
        if first.score - other.score < MARGIN and not _are_both_ends(first, other)
    ]
    if rivals:
        return Judgement("UNKNOWN", 0.0, (f"{first.stage} and {rivals[0].stage} tie",))
    return first


def _are_both_ends(first: Judgement, other: Judgement) -> bool:
    # The same page either way; which of the two depends on whether we pressed.
    return {first.stage, other.stage} == ENDS


def obstacle(pack: Pack, words: PageWords) -> Obstacle | None:
    """What only the human can do here. A puzzle or a code goes before the login it guards."""
    page = _Page(words)
    kinds = {clue.kind for clue in pack.auth if page.fits(clue)}
    order: tuple[Obstacle, ...] = ("captcha", "mfa", "login")
    return next((kind for kind in order if kind in kinds), None)


def purpose(pack: Pack, name: str, stage: Stage) -> Purpose:
    """What pressing a control of this name would do, as far as the pack knows.

    A whole name says more than one with a `*`; among equals the more careful reading wins.
    """
    folded = fold_name(name)
    actions = pack.actions
    lists: list[tuple[Purpose, tuple[str, ...]]] = [
        ("never", pack.never),
        ("final", actions.final),
        ("decline", actions.decline),
        ("advance", actions.advance),
    ]
    if stage not in ("FINAL_CONFIRMATION", "UNKNOWN"):
        lists.append(lists.pop(1))
    for exact in (True, False):
        for what, phrases in lists:
            if any(is_exact(p) == exact and is_called(folded, p) for p in phrases):
                return what
    return "unknown"


def bills(pack: Pack, words: PageWords) -> list[Bill]:
    """Who takes the money, by what the page says."""
    return list(_bills(pack, _Page(words)))


def _bills(pack: Pack, page: _Page) -> Iterable[Bill]:
    for phrase, payer in pack.billing_probe.items():
        if page.text.says(phrase):
            yield Bill(payer, phrase)


def losses(pack: Pack, words: PageWords) -> list[Loss]:
    """What the human should hear about before the last step."""
    text = _Page(words).text
    return [loss for loss in pack.losses if not loss.text or any(text.says(p) for p in loss.text)]


def date_in(pack: Pack, text: str) -> str | None:
    """The first date, as the page writes it."""
    return first_match(pack.proof.date_regex, text) if pack.proof.date_regex else None


def reference_in(pack: Pack, text: str) -> str | None:
    """The number of the confirmation, as the page writes it."""
    return first_match(pack.proof.ref_regex, text) if pack.proof.ref_regex else None


def tell(clue: Clue) -> str:
    """A clue in words, for the record."""
    parts = [
        f'url "{clue.url}"' if clue.url else "",
        f'text "{clue.text}"' if clue.text else "",
        f'{clue.role or "control"} "{clue.name or ""}"' if clue.role or clue.name else "",
    ]
    return " and ".join(part for part in parts if part)

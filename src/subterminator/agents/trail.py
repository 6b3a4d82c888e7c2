"""What a run has tried so far, and what was refused to it. Decides nothing."""

from __future__ import annotations

from collections import Counter

from subterminator.agents.sight import Control
from subterminator.agents.stages import Page
from subterminator.safety.limits import fingerprint


class Trail:
    """Where the planner has been. A control is known by its words and by what it stands in."""

    def __init__(self) -> None:
        self._tried: Counter[tuple[str, str, str]] = Counter()
        self._sent: Counter[tuple[str, ...]] = Counter()
        self._pressed: Counter[tuple[str, str]] = Counter()
        self._seen: set[tuple[str, str, str]] = set()
        self._forbidden: set[tuple[str, str]] = set()
        self._visited: set[str] = set()
        self._awaited: set[str] = set()
        self._last = ""
        self._unfinished: list[str] = []

    def clear(self) -> None:
        """All of it once more: the site has lost what was done."""
        for counts in (self._tried, self._sent, self._pressed):
            counts.clear()
        for places in (self._forbidden, self._seen, self._visited, self._awaited):
            places.clear()
        self._unfinished.clear()

    def look_anew(self) -> None:
        """What was opened to look may be opened again: something else is sought now."""
        self._seen.clear()

    def forbid(self, control: Control) -> None:
        self._forbidden.add(_label(control))

    def is_forbidden(self, control: Control) -> bool:
        return _label(control) in self._forbidden

    # Presses

    def press(self, page: Page, control: Control) -> None:
        self._pressed[_label(control)] += 1
        self.attempt(page, control)

    def attempt(self, page: Page, control: Control) -> None:
        self._last = fingerprint(page.snapshot)
        self._tried[_mark(page, control)] += 1

    def times_pressed(self, control: Control) -> int:
        return self._pressed[_label(control)]

    def attempts(self, page: Page, control: Control) -> int:
        """How often it was tried on this very page."""
        return self._tried[_mark(page, control)]

    def is_unmoved(self, page: Page) -> bool:
        """Whether the last press has changed nothing yet, or nothing is there; told once a page."""
        mark = fingerprint(page.snapshot)
        is_bare = not any(not control.is_around for control in page.sight.controls)
        if mark in self._awaited or not (is_bare or mark == self._last):
            return False
        self._awaited.add(mark)
        return True

    # Steps

    def send(self, page: Page, control: Control) -> None:
        self._sent[_step(page, control)] += 1

    def led_back(self, page: Page, control: Control) -> bool:
        """Pressed before on a page of this name, it did not lead on from there."""
        return self._sent[_step(page, control)] > 0

    # Looking around

    def visit(self, url: str) -> None:
        self._visited.add(_bare(url))

    def is_known(self, control: Control) -> bool:
        """Whether it leads to where the run has been."""
        return control.is_link and _bare(control.element.facts.href) in self._visited

    def leave_unfinished(self, url: str) -> None:
        """There is more to look into here."""
        if url not in self._unfinished:
            self._unfinished.append(url)

    def unfinished(self, besides: str) -> str:
        """A page with more to look into, the last one first; it is not named again."""
        while self._unfinished:
            url = self._unfinished.pop()
            if _bare(url) != _bare(besides):
                return url
        return ""

    def is_new(self, page: Page, control: Control, how: str = "") -> bool:
        """Whether it was not looked into yet; from now on it was."""
        key = (_bare(page.sight.url), control.name, how or control.part.text)
        if key in self._seen:
            return False
        self._seen.add(key)
        return True

    def was_seen(self, page: Page, control: Control) -> bool:
        return (_bare(page.sight.url), control.name, control.part.text) in self._seen


def _bare(url: str) -> str:
    return url.partition("#")[0].partition("?")[0]


def _label(control: Control) -> tuple[str, str]:
    return control.name, control.part.heading


def _mark(page: Page, control: Control) -> tuple[str, str, str]:
    return fingerprint(page.snapshot), control.name, control.part.heading


def _step(page: Page, control: Control) -> tuple[str, ...]:
    return _bare(page.sight.url), control.name, *page.sight.headings[:1]

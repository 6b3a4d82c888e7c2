"""Loads a page anew and says what it says about something, before and after. Presses nothing."""

from __future__ import annotations

import re

from subterminator import actions as a
from subterminator.page.phrases import quote
from subterminator.page.snapshot import Snapshot
from subterminator.session import Session

MOST = 8
LONGEST = 300
WORD = re.compile(r"\w{3,}")


async def verify(session: Session, about: str, url: str = "") -> str:
    """The sentences that speak of `about`, as they were and as a fresh page has them."""
    before = session.last_snapshot
    result = await session.call(a.Navigate(url) if url else a.Reload())
    if result.snapshot is None:
        return f"{result.text()}\nThe page cannot be seen: answer the dialog first."
    old = sentences(before, about) if before else []
    new = sentences(result.snapshot, about)
    lines = [f"loaded anew: {quote(result.page.title)} {result.page.url}", *result.remarks()]
    lines += [f"before: {_told(old)}", f"now: {_told(new)}"]
    same = "the same as before" if old == new else "DIFFERENT from before"
    return "\n".join([*lines, same if old or new else f"Nothing here speaks of {quote(about)}."])


def sentences(snapshot: Snapshot, about: str) -> list[str]:
    """What can be read on the page with a word of `about` in it; several words: the best first."""
    wanted = {word.casefold()[:6] for word in WORD.findall(about)} or {about.casefold()}
    scored: list[tuple[int, str]] = []
    for element in snapshot.elements:
        name = " ".join(element.name.split())
        score = sum(word in name.casefold() for word in wanted)
        if score and not element.ref and name not in [known for _, known in scored]:
            scored.append((score, name[:LONGEST]))
    best = max((score for score, _ in scored), default=0)
    return [name for score, name in scored if score == best][:MOST]


def _told(found: list[str]) -> str:
    return "; ".join(map(quote, found)) or "nothing"

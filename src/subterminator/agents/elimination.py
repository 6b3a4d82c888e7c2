"""The way on where no label is known: what is left once everything else on the page is. Pure.

A link that is left is followed: it loads a page and does nothing by itself. A button is pressed on
such grounds only beside others whose meaning is known, and where it may be the last step a person
is asked at the gate.
"""

from __future__ import annotations

from subterminator.agents import nuances
from subterminator.agents import vocabulary as v
from subterminator.agents.sense import INFORMS
from subterminator.agents.sight import Control
from subterminator.agents.stages import Page
from subterminator.packs.phrase import fold, fold_name
from subterminator.safety.money import find_amounts
from subterminator.types import Flag

MOST_LINKS = 4
"""A page with more links that say nothing known is no step of a way, but a page to read."""


def unknown_ways(page: Page) -> list[Control]:
    """Links of this step whose words say nothing known, the likeliest first."""
    unknown = _unknown(page)
    links = [c for c in unknown if c.is_link and not c.has(Flag.NEWTAB)]
    plain = [link for link in links if not _is_offered(page, link)]
    if not plain and len(links) == 1 and (len(unknown) > 1 or page.exits.harms):
        plain = links  # What accepts the offer is something else.
    if len(plain) > MOST_LINKS:
        return []
    # An answer is given in the words of who answers; an article is not.
    return sorted(plain, key=lambda link: not _speaks_for_me(link))


def last_button(page: Page) -> Control | None:
    """The one button that is left beside others that keep it or accept something."""
    known = (*page.exits.harms, *page.exits.stays, *filter(_takes, page.exits.others))
    if not known:
        return None
    buttons = [c for c in _unknown(page) if not c.is_link and c.role == "button"]
    buttons = [c for c in buttons if not _is_offered(page, c)]
    return buttons[0] if len(buttons) == 1 else None


def may_end(page: Page) -> bool:
    """Whether such a button could be the last step: no offer to decline, or words of the end."""
    takes = page.exits.harms or any(map(_takes, page.exits.others))
    return not takes or bool(v.EFFECT.search(fold(page.sight.text)))


def _unknown(page: Page) -> list[Control]:
    return [
        control
        for control in page.sight.presses
        if not control.is_around
        and page.sense.lean(control) == "other"
        and control.name
        and not control.has(Flag.DISABLED)
        and not _tells(fold_name(control.name))
        and not _takes(control)
    ]


def _takes(control: Control) -> bool:
    """Its own words name an offer or a price."""
    folded = fold_name(control.name)
    return bool(v.OFFER.search(folded) or v.MONEY.search(folded) or find_amounts([control.name]))


def _tells(folded: str) -> bool:
    """It leads to something to read, or to another part of the site."""
    return bool(v.NO_WAY.search(folded) or INFORMS.search(folded))


def _speaks_for_me(control: Control) -> bool:
    return bool(nuances.FIRST_PERSON.search(fold_name(control.name)))


def _is_offered(page: Page, control: Control) -> bool:
    """What it stands in speaks of a price or an offer, and what accepts that is not known."""
    taking = [c for c in page.exits.others if _takes(c)]
    if any(c.part == control.part for c in (*page.exits.harms, *taking)):
        return False
    parts = {other.part for other in page.sight.controls}
    inner = {line for p in parts if control.part.holds(p) for line in p.text.splitlines()}
    own = [line for line in control.part.text.splitlines() if line not in inner]
    folded = [fold_name(line) for line in own]
    return any(v.OFFER.search(f) or v.MONEY.search(f) for f in folded) or bool(find_amounts(own))

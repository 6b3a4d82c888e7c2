"""Gathers what a person should know before the last press, from the page in front of it. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from subterminator.agents import vocabulary as v
from subterminator.agents.objects import ends_a_thing, is_untouched, object_of, unsure_of
from subterminator.agents.outcome import Before
from subterminator.agents.stages import Page
from subterminator.packs.matcher import losses
from subterminator.packs.model import Pack
from subterminator.packs.phrase import fold_name
from subterminator.page.phrases import noun, quote
from subterminator.safety.money import find_fees
from subterminator.safety.stakes import Stakes

MOST_SENTENCES = 3
MOST_ALSO = 6
MOST_LINES = 20


def at_stake(
    page: Page | None, before: Before, *, account: str, declined: Sequence[str], pack: Pack
) -> Stakes:
    """`page` is None where a dialog of the browser hides it: then only what was seen before."""
    known = Stakes(
        plan=before.plan,
        price=before.price,
        renews=before.renews,
        account=account,
        declined=tuple(dict.fromkeys(declined)),
        losses=tuple(loss.says for loss in pack.losses if not loss.text),
        sure=f"a dialog of the browser, by pack {_version(pack)}",
    )
    return _with_page(known, page) if page else known


def doubts(page: Page | None, ref: str, wanted: str) -> Iterator[str]:
    """What tells a careful person that a press would end something else than what is `wanted`."""
    controls = page.sight.presses if page else ()
    control = next((each for each in controls if each.ref == ref), None)
    if page is None or control is None:
        return
    named = object_of(control.name) if ends_a_thing(control.name) else ""
    if named := named or unsure_of(page.sight, control, page.exits.question.words, wanted):
        yield f"it would end {quote(named)}; nothing here says that this is the subscription"
    if is_untouched(control.part.text):
        yield "beside it the page says that the subscription goes on"


def _with_page(known: Stakes, page: Page) -> Stakes:
    reading, sight = page.reading, page.sight
    return Stakes(
        plan=known.plan,
        price=known.price,
        renews=known.renews,
        account=known.account,
        declined=known.declined,
        says=tuple(_sentences(page))[:MOST_SENTENCES],
        losses=tuple(dict.fromkeys(loss.says for loss in losses(page.pack, sight.words))),
        fees=find_fees(sight.text),
        also=tuple(dict.fromkeys(c.name for c in sight.presses if not c.is_around))[:MOST_ALSO],
        page=tuple(_twin(page))[:MOST_LINES],
        sure=f"{reading.stage} {reading.score:.2f} by pack {_version(page.pack)}",
    )


def _sentences(page: Page) -> Iterator[str]:
    """What speaks of the effect. A heading that only asks says nothing about it."""
    for line in page.sight.lines:
        if v.EFFECT.search(fold_name(line)) and not line.rstrip().endswith("?"):
            yield line


def _twin(page: Page) -> Iterator[str]:
    yield from (f"heading {quote(words)}" for words in page.sight.headings)
    for control in page.sight.controls:
        if not control.is_around:
            yield f"{noun(control.role)} {quote(control.name)}"


def _version(pack: Pack) -> str:
    return f"{pack.id} (checked {pack.checked_on})" if pack.checked_on else pack.id

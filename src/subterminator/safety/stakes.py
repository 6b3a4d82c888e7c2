"""What is at stake at the last step of a cancellation.

It was read from the pages by our own code, never by a model. It is shown; nothing is decided by it.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from subterminator.page.phrases import quote

MOST = 4
LONGEST = 160
INDENT = 10


class Stakes(Struct, frozen=True, kw_only=True):
    """Empty means: not found.

    `says` are sentences of the page about what will happen, `also` the other controls on it, `page`
    its headings and controls for who cannot see it. `sure` says which stage it is taken for, how
    surely and by which pack. `doubts` is what speaks against it: that the button names something
    else. `picture` is a file.
    """

    plan: str = ""
    price: str = ""
    renews: str = ""
    account: str = ""
    says: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    fees: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    page: tuple[str, ...] = ()
    sure: str = ""
    doubts: tuple[str, ...] = ()
    picture: str = ""


def masked_stakes(stakes: Stakes, hide: Callable[[str], str]) -> Stakes:
    """As they may be shown and stored. The path of the picture is ours."""
    return replace(
        stakes,
        plan=hide(stakes.plan),
        price=hide(stakes.price),
        renews=hide(stakes.renews),
        account=hide(stakes.account),
        says=tuple(map(hide, stakes.says)),
        losses=tuple(map(hide, stakes.losses)),
        fees=tuple(map(hide, stakes.fees)),
        declined=tuple(map(hide, stakes.declined)),
        also=tuple(map(hide, stakes.also)),
        page=tuple(map(hide, stakes.page)),
        doubts=tuple(map(hide, stakes.doubts)),
    )


def bargain(stakes: Stakes) -> str:
    """Plan and price, as the account page has them."""
    return "  ".join(quote(words, LONGEST) for words in (stakes.plan, stakes.price) if words)


def effect_lines(stakes: Stakes) -> list[str]:
    """What the page itself says will happen, below our own words, and what speaks against it."""
    doubts = [f"{'':<{INDENT}}WARNING: {each}" for each in stakes.doubts[:MOST]]
    said = [f"{'':<{INDENT}}The page says: {quote(each, LONGEST)}" for each in stakes.says[:MOST]]
    return doubts + said


def loss_lines(stakes: Stakes) -> list[str]:
    """All of it is listed also where nothing was found, so that nobody has to guess."""
    lost = "; ".join(stakes.losses[:MOST]) or "nothing else found"
    return [
        _line("Renews", quote(stakes.renews, LONGEST) if stakes.renews else "not found"),
        _line("You lose", lost),
        _line("Fee", ", ".join(map(quote, stakes.fees)) or "none found"),
    ]


def way_lines(stakes: Stakes) -> list[str]:
    """What was declined on the way, and how sure it is."""
    number = len(stakes.declined)
    offers = f"{number} offer{'s' if number != 1 else ''}: " if number else "no offer"
    declined = offers + ", ".join(quote(each, 60) for each in stakes.declined[:MOST])
    lines = [_line("Declined", declined), _line("Sure?", stakes.sure or "not known")]
    return [*lines, _line("Picture", stakes.picture)] if stakes.picture else lines


def page_lines(stakes: Stakes) -> list[str]:
    """The page in words, for who asks to be shown it."""
    return ["The page:", *(f"  {each}" for each in stakes.page)] if stakes.page else []


def _line(label: str, text: str) -> str:
    return f"{label:<{INDENT}}{text}"

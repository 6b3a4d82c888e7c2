"""What an action is about: the elements it names, and those it would press without naming them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from urllib.parse import urldefrag

from subterminator import actions as a
from subterminator.engine.base import Driver
from subterminator.errors import DialogOpen, ElementNotFound, SubTerminatorError
from subterminator.page.snapshot import Snapshot
from subterminator.targets import FOCUSED, AnySelector, ByRef
from subterminator.types import Box, Element, Resolved

# Links of pages that were left; the oldest are forgotten first.
MOST_LINKS = 5_000
# One address rarely has more links, and each is asked for by itself.
MOST_ALIKE = 5


class Aims:
    """Finds what has to be judged before something is done."""

    def __init__(self, driver: Driver, patience: float) -> None:
        self._driver = driver
        self._patience = patience
        self.links = Links()

    async def resolve(self, selectors: Sequence[AnySelector], seconds: float) -> list[Resolved]:
        if (dialog := self._driver.dialog) and selectors:
            raise DialogOpen(f"A {dialog.kind} dialog is open: {dialog.message[:200]!r}.")
        patience = min(seconds, self._patience)
        return [await self._driver.resolve(selector, patience) for selector in selectors]

    async def judged(
        self, action: a.AtomicAction, targets: Sequence[Resolved], seen: Snapshot | None
    ) -> Sequence[Resolved]:
        """The targets, where keys would go, the control of a part, the links to an address."""
        self.links.remember(seen)
        match action:
            case a.Navigate(url=url) | a.OpenTab(url=url):
                return await self._links_to(url)
            case a.Type(target=None) | a.Press(target=None) if not self._driver.dialog:
                return await self._focused()
            case a.Click() | a.Check() | a.Uncheck() if targets:
                owner = await self._driver.owner(targets[0])
                return [owner, *targets] if owner else targets
            case _:
                return targets

    async def _focused(self) -> list[Resolved]:
        try:
            return [await self._driver.resolve(FOCUSED, 0)]
        except ElementNotFound:
            return []

    async def _links_to(self, url: str) -> list[Resolved]:
        """Whoever opens the address of a link by hand does what a press on it would do."""
        if self._driver.dialog:
            return []
        return [await self._alive(link) for link in self.links.to(url)]

    async def _alive(self, link: Element) -> Resolved:
        try:
            return await self._driver.resolve(ByRef(link.ref), 0)
        except SubTerminatorError:
            return _remembered(link)


class Links:
    """The links of the page at hand and of those before it, by the address they lead to."""

    def __init__(self) -> None:
        self._page: Snapshot | None = None
        self._left: OrderedDict[str, list[Element]] = OrderedDict()
        # Pages that were there before, and addresses that a yes was needed for.
        self._been: set[str] = set()
        self._approved: set[str] = set()

    def remember(self, seen: Snapshot | None) -> None:
        """The page as it is now; what was seen of another page is kept."""
        before, self._page = self._page, seen
        if seen:
            self._been.add(_address(seen.page.url))
        if before is None or seen is None or before.page.url == seen.page.url:
            return
        for link in before.elements:
            if link.ref and link.facts.href:
                known = self._left.setdefault(_address(link.facts.href), [])
                known[:] = [*known, link][-MOST_ALIKE:]
        while len(self._left) > MOST_LINKS:
            self._left.popitem(last=False)

    def approve(self, targets: Sequence[Resolved]) -> None:
        """A yes to a link is good for opening its address this one time."""
        self._approved |= {_address(target.href) for target in targets if target.href}

    def to(self, url: str) -> list[Element]:
        """None where the address was open before: it does nothing that was not done then."""
        wanted = _address(url)
        if wanted in self._been and wanted not in self._approved:
            return []
        here = self._page.elements if self._page else ()
        found = [e for e in here if e.ref and e.facts.href and _address(e.facts.href) == wanted]
        return (found or self._left.get(wanted, []))[:MOST_ALIKE]


def _address(url: str) -> str:
    return urldefrag(url).url.rstrip("/")


def _remembered(link: Element) -> Resolved:
    """A link that is no longer there: its words are all that is known of it."""
    return Resolved(
        ref=link.ref,
        role=link.role,
        name=link.name,
        tag=link.tag,
        flags=link.flags,
        box=link.box or Box(0, 0, 0, 0),
        text=link.name,
        visible=False,
        why="its page was left",
        origin="",
        frame_url="",
        world="",
        node=link.node,
        facts=link.facts,
        href=link.facts.href,
    )

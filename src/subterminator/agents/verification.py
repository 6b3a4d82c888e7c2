"""Whether it worked: words on the page after the press, and the account page loaded anew.

Negative evidence counts first. Nothing is pressed here; pages are looked at and loaded by address.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from subterminator import errors
from subterminator.agents import facts
from subterminator.agents import vocabulary as v
from subterminator.agents.endings import noted
from subterminator.agents.languages import Reader
from subterminator.agents.notices import find_over, find_renewal, find_settled
from subterminator.agents.outcome import After, Evidence
from subterminator.agents.stages import Page
from subterminator.packs.matcher import failures
from subterminator.packs.phrase import fold
from subterminator.safety.limits import fingerprint
from subterminator.verbs import Verbs

Kind = Literal["cancelled", "pending", "further", "lost", "active", "unclear", "signed_out"]
# How long to wait before each further look, in milliseconds; the first proof ends it.
RESULT_WAITS = (0, 2_000, 5_000)
FRESH_WAITS = (0, 5_000, 15_000)
STEP_MS = 500
FURTHER = frozenset({"RETENTION_OFFER", "EXIT_SURVEY", "FINAL_CONFIRMATION"})


class Finding(Struct, frozen=True):
    """What came of a press.

    `further`: the page goes on asking. `lost`: it failed, and the account page shows it alive.
    """

    kind: Kind
    why: str
    evidence: tuple[Evidence, ...] = ()
    after: After = After()
    reference: str = ""
    refund: str = ""


class Verification:
    """Looks at what came of one press."""

    def __init__(self, look: Verbs, reader: Reader, places: Sequence[str]) -> None:
        self._look = look
        self._reader = reader
        self._places = [place for place in places if place]

    async def check(self, pressed_on: str = "") -> Finding:
        """The finding. `pressed_on` is the fingerprint of the page of the press.

        As long as that page is still there the site has not answered.
        """
        result = await self._result_page(pressed_on)
        words = _words(result)
        failed = _failure(result)
        if not words and not failed and self._is_further(result):
            return Finding("further", f"The page goes on asking: {_asks(result)}")
        fresh = await self._fresh_page(patient=bool(words) or not failed)
        if fresh is None:
            return Finding("unclear", "The account page could not be loaded.", _told(words, result))
        return self._weigh(result, words, failed, fresh)

    async def status(self) -> Finding:
        """What the account page shows, without a press just now: after a run that was killed."""
        fresh = await self._fresh_page(patient=False)
        if fresh is None:
            return Finding("unclear", "The account page could not be loaded.")
        return self._weigh(fresh, "", "", fresh)

    # Looking

    async def _result_page(self, pressed_on: str) -> Page:
        page = await self._see()
        for pause in RESULT_WAITS:
            waited = 0
            while waited < pause and not self._has_come(page, pressed_on):
                await self._look.wait(time_ms=STEP_MS)
                waited += STEP_MS
                page = await self._see()
            if self._has_come(page, pressed_on):
                return page
        return page

    def _has_come(self, page: Page, pressed_on: str) -> bool:
        return fingerprint(page.snapshot) != pressed_on and self._says_something(page)

    async def _see(self) -> Page:
        return self._reader.again(await self._look.snapshot())

    def _says_something(self, page: Page) -> bool:
        said = _words(page) or _failure(page) or _awaits(page)
        return bool(said) or self._is_further(page) or page.reading.stage == "AUTH_REQUIRED"

    def _is_further(self, page: Page) -> bool:
        """Whether this is one more step of the way out, and not the page of the press itself."""
        if page.reading.stage not in FURTHER or _awaits(page):
            return False
        return bool(page.exits.leaving or page.reading.stage != "RETENTION_OFFER")

    async def _fresh_page(self, *, patient: bool) -> Page | None:
        page = None
        for number, pause in enumerate(FRESH_WAITS):
            if number and not patient:
                return page
            if pause:
                await self._look.wait(time_ms=pause)
            page = await self._load() or page
            if page is not None and self._state(page)[0] in {"over", "signed_out"}:
                return page
            patient = patient and (page is None or not self._is_settled(page, number))
        return page

    def _is_settled(self, page: Page, number: int) -> bool:
        """Waiting once more helps only where the page itself speaks of waiting."""
        return number > 0 and not v.words("processing", "moment", "shortly").search(page.folded)

    async def _load(self) -> Page | None:
        for place in self._places:
            try:
                await self._look.navigate(place)
                page = await self._see()
            except errors.BrowserClosed:
                raise
            except errors.SubTerminatorError:
                continue
            if not page.is_broken or place == self._places[-1]:
                return page
        return None

    # Weighing

    def _state(self, page: Page) -> tuple[Literal["over", "alive", "signed_out", "unclear"], str]:
        """What a freshly loaded page says of this subscription, what speaks against it first."""
        if page.reading.stage == "AUTH_REQUIRED":
            return "signed_out", "The site wants a sign-in."
        lines = self._row(page)
        if renewal := find_renewal(lines):
            return "alive", renewal
        if (ways := _ways_out(page)) and not find_over(lines):
            return "alive", f'There still is "{ways[0]}".'
        if v.NOT_DONE.search(page.folded) or v.MAIL.search(page.folded):
            return "unclear", "It does not say that it has ended."
        if page.reading.stage in {"ALREADY_CANCELLED", "COMPLETE"}:
            return "over", find_over(lines) or "; ".join(page.reading.evidence)
        # The next payment stood on this page before, and now it says the contrary.
        seen_alive = self._reader.context.row or self._reader.context.account
        if seen_alive and (told := find_settled(lines) or find_over(lines)):
            return "over", told
        return "unclear", "It does not say whether it has ended."

    def _row(self, page: Page) -> tuple[str, ...]:
        """The lines about this subscription, where several are listed."""
        row = self._reader.context.row
        if not row:
            return page.sight.lines
        # A subscription that has ended often has nothing to press in its row any more.
        own = [part for part in page.sight.parts_with(row) if row in part.text]
        texts = [line for part in own[:1] for line in part.text.splitlines()]
        told = [line for line in page.sight.lines if row in line and line not in texts]
        return (*texts, *told) or page.sight.lines

    def _weigh(self, result: Page, words: str, failed: str, fresh: Page) -> Finding:
        state, shown = self._state(fresh)
        told = _told(words, result)
        if state == "over":
            evidence = (*told, *_shown(shown, fresh))
            reference = facts.reference(result) or facts.reference(fresh)
            refund = facts.refund(result)
            after = facts.after(fresh)
            return Finding("cancelled", shown, evidence, after, reference, refund)
        if state == "signed_out":
            return Finding("signed_out", shown, told)
        if mail := v.MAIL.search(result.folded) or v.MAIL.search(fresh.folded):
            line = _line_with(result, mail[0]) or _line_with(fresh, mail[0])
            return Finding("pending", line, (noted("mail", line, result), *told))
        # Where there still is a way out nobody waits: then it was not received at all.
        asked = "" if _ways_out(fresh) else result.received
        if line := fresh.received or asked:
            return Finding("pending", line, (noted("status", line, result), *told))
        seen = (noted("status", shown, fresh, fresh=True),)
        if state == "alive":
            kind: Kind = "lost" if not words else "active"
            why = f"{failed} The account page says: {shown}".strip()
            return Finding(kind, why, (*told, *seen))
        return Finding("unclear", shown, told)


def _words(page: Page) -> str:
    """Words of success on a page, unless something on it speaks against them."""
    if _failure(page) or v.MAIL.search(page.folded):
        return ""
    if page.reading.stage in {"COMPLETE", "ALREADY_CANCELLED"}:
        return page.over or "; ".join(page.reading.evidence)
    return ""


def _failure(page: Page) -> str:
    if page.is_broken:
        return "The site reported an error."
    if found := failures(page.pack, page.sight.words):
        mails = v.MAIL.search(page.folded)
        return "" if mails else f"The page says: {found[0]}."
    return ""


def _asks(page: Page) -> str:
    best = page.exits.best
    heading = page.sight.headings[0] if page.sight.headings else page.sight.title
    return f'"{heading}"' + (f' with "{best.control.name}"' if best else "")


def _told(words: str, page: Page) -> tuple[Evidence, ...]:
    if not words:
        return ()
    return tuple(_quotes(words, page))


def _quotes(words: str, page: Page) -> Iterator[Evidence]:
    yield noted("words", words, page)
    if number := facts.reference(page):
        yield noted("reference", number, page)


def _shown(words: str, page: Page) -> Iterator[Evidence]:
    yield noted("status", words, page, fresh=True)
    if page.again:
        yield noted("control", page.again.name, page, fresh=True)
    if day := facts.end_date(page):
        yield noted("date", day, page, fresh=True)


def _ways_out(page: Page) -> list[str]:
    """Those of this page; a footer has one whatever happened."""
    return [exit.control.name for exit in page.exits.leaving if not exit.control.is_around]


def _awaits(page: Page) -> bool:
    """Whether somebody has still to answer: the person by mail, or the service."""
    return bool(v.MAIL.search(page.folded) or page.received)


def _line_with(page: Page, words: str) -> str:
    return next((line for line in page.sight.lines if words.strip() in fold(line)), words.strip())

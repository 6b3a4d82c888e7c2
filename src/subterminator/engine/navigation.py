"""Going somewhere: addresses, history, reload."""

from __future__ import annotations

import asyncio

from subterminator.actions import Back, Forward, Navigate, Reload
from subterminator.engine.tab import Tab
from subterminator.engine.waiting import LOAD_EVENTS
from subterminator.errors import ActionFailed, DialogOpen, NavigationFailed, Timeout
from subterminator.safety.sites import host_of

# What the browser says of a navigation that turned out to be a download, or to have no content.
ABORTED = "net::ERR_ABORTED"


async def go(tab: Tab, action: Navigate | Back | Forward | Reload, seconds: float) -> None:
    """Return when the new document has loaded as far as was asked for."""
    tab.barred = ""
    try:
        async with asyncio.timeout(seconds):
            match action:
                case Navigate(url=url, wait_until=state):
                    await _navigate(tab, url, state)
                case Reload():
                    await _reload(tab)
                case Back():
                    await _through_history(tab, -1)
                case Forward():
                    await _through_history(tab, 1)
    except DialogOpen:
        return  # The new page asks something before it goes on; the reply says what.
    except TimeoutError:
        if not any(move.main_frame for move in tab.activity.navigations):
            tab.channel.post("Page.stopLoading")
            raise Timeout(f"The page did not load within {seconds:.1f} s.") from None


async def _reload(tab: Tab) -> None:
    history = await tab.channel.call("Page.getNavigationHistory")
    now = history["entries"][history["currentIndex"]]
    if now["transitionType"] == "form_submit":
        # The browser would send the form again without a word: one yes is one press.
        return await _navigate(tab, now["url"], "load")
    tab.loaded.clear()
    await tab.channel.call("Page.reload")
    await _until_new(tab)


async def _navigate(tab: Tab, url: str, state: str) -> None:
    tab.loaded.clear()
    answer = await tab.channel.call("Page.navigate", url=url)
    if fault := answer.get("errorText"):
        if tab.barred:
            raise _outside(tab, url)
        if answer.get("isDownload") or (fault == ABORTED and tab.activity.downloads):
            return
        raise NavigationFailed(f"{url[:200]} cannot be opened: {fault}.", url=url)
    loader = answer.get("loaderId")
    if not loader:
        return  # Only the fragment changed; the document is the same.
    wanted = LOAD_EVENTS.get(state, "commit")
    while not (tab.frames.main.loader == loader and (wanted == "commit" or wanted in tab.loaded)):
        if tab.frames.main.loader != loader and _replaced(tab):
            return  # The new document sent us on at once; settling waits for what follows.
        if tab.frames.main.loader == loader and _held(tab):
            return
        await tab.activity.wait_for_change(1)


def _replaced(tab: Tab) -> bool:
    return len([n for n in tab.activity.navigations if n.main_frame]) > 1


def _held(tab: Tab) -> bool:
    """Whether the document wanted to go on elsewhere as it loaded: then it never ends loading."""
    return bool(tab.barred) and tab.frames.main.id not in tab.activity.navigating


async def _through_history(tab: Tab, step: int) -> None:
    history = await tab.channel.call("Page.getNavigationHistory")
    at = history["currentIndex"] + step
    if not 0 <= at < len(history["entries"]):
        raise ActionFailed(f"There is no {'earlier' if step < 0 else 'later'} page in this tab.")
    tab.loaded.clear()
    await tab.channel.call("Page.navigateToHistoryEntry", entryId=history["entries"][at]["id"])
    await _until_new(tab)


async def _until_new(tab: Tab) -> None:
    def came() -> bool:
        moves = [n for n in tab.activity.navigations if n.main_frame]
        loaded = "load" in tab.loaded or _held(tab)
        return any(n.same_document for n in moves) or bool(moves and loaded)

    while not came():
        if tab.barred and not any(n.main_frame for n in tab.activity.navigations):
            raise _outside(tab, tab.barred)
        await tab.activity.wait_for_change(1)


def _outside(tab: Tab, url: str) -> NavigationFailed:
    tab.borders.told(tab.barred)
    return NavigationFailed(
        f"{url[:200]} leads to {host_of(tab.barred)}, which is not one of the task's sites.",
        next_step=f"Navigate to {tab.barred} yourself to be asked.",
        url=url,
    )

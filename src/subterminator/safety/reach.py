"""Where an action may lead: addresses, pages, frames, links and forms against the sites of a task.

It reads hosts only; what the words of a page say is not judged here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from subterminator.safety.sites import EDGES, INSIDE, covers, embedded_hosts, host_of, shown
from subterminator.safety.verdict import Verdict
from subterminator.types import Resolved

BLANK = "about:blank"
SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
USERINFO = re.compile(r"https?:[/\\]*[^/\\?#]*@", re.IGNORECASE)
WEB = frozenset({"http", "https"})
# Whoever wrote such a page or frame stands behind it with no name.
NAMELESS = frozenset({
    "data", "blob", "filesystem", "file", "chrome", "chrome-error", "chrome-extension", "devtools",
    "view-source",
})  # fmt: skip


def judge_address(url: str, sites: Sequence[str]) -> Verdict:
    """Whether to go to an address that somebody wrote down."""
    url = url.strip(EDGES).translate(INSIDE)
    if url.lower() == BLANK:
        return Verdict("allow", "blank-page")
    if scheme_of(url) not in WEB:
        return Verdict(
            "deny", "address-scheme", f"{url[:100]!r} is not an http or https address with a host."
        )
    if USERINFO.match(url):
        return Verdict(
            "deny", "address-userinfo", "The address has a user name in it, which hides its host."
        )
    host = host_of(url)
    if not host:
        return Verdict("deny", "address-scheme", f"{url[:100]!r} has no host that can be read.")
    if not covers(sites, host):
        return leaving(host)
    for other in embedded_hosts(url):
        if not covers(sites, other):
            reason = f"The address carries one of {shown(other)} in it, and may show that site."
            return Verdict("ask", "address-in-address", reason)
    return Verdict("allow", "web-address")


def judge_page(url: str, sites: Sequence[str]) -> Verdict | None:
    """Why nothing may be done on a page; None where it may."""
    if url in {"", BLANK}:
        return None
    if scheme_of(url) not in WEB:
        reason = "This page has no web address; nothing is done on it. Navigate to a web page."
        return Verdict("deny", "page-scheme", reason)
    host = host_of(url)
    if covers(sites, host):
        return None
    reason = (
        f"The page is on {shown(host)}, outside the sites of the task; it may only be looked at. "
        "Navigate back, or ask for that site."
    )
    return Verdict("deny", "outside-sites", reason)


def judge_frame(target: Resolved, page: str, sites: Sequence[str]) -> Verdict | None:
    """Why an element of a frame may not simply be used; None where it may."""
    if scheme_of(target.frame_url) in NAMELESS:
        reason = "It lies in a frame that has no web address; nothing is done in there."
        return Verdict("deny", "page-scheme", reason)
    first, *inner = target.frames or (target.origin,)
    host = host_of(first)
    if host and host != host_of(page) and not covers(sites, host):
        return judge_page(first, sites)
    for origin in inner:
        host = host_of(origin)
        if not covers(sites, host):
            whose = f"of {shown(host)}" if host else "that belongs to no site"
            reason = f"It lies in a frame {whose}, which is not one of the task's sites."
            return Verdict("ask", "foreign-frame", reason, "write")
    return None


def judge_target(address: str, sites: Sequence[str]) -> Verdict | None:
    """Why a link or form may not simply be followed; None where it stays inside."""
    scheme = scheme_of(address)
    if scheme in WEB:
        host = host_of(address)
        return None if covers(sites, host) else leaving(host)
    if scheme in {"", "javascript", "about"}:
        return None  # A button in disguise: its words are judged, and the engine holds the page in.
    if scheme in NAMELESS:
        return Verdict("deny", "address-scheme", f"It leads to a {scheme} address.")
    return Verdict("deny", "starts-program", f"A {scheme[:20]} link starts another program.")


def leaving(host: str) -> Verdict:
    reason = f"It leads to {shown(host) or 'an unreadable host'}, outside the sites of the task."
    return Verdict("ask", "leaves-sites", reason, host=host)


def scheme_of(address: str) -> str:
    found = SCHEME.match(address.strip(EDGES).translate(INSIDE))
    return found[1].lower() if found else ""

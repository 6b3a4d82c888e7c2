"""Hand-made walks: what walker.js would send, without a browser."""

from __future__ import annotations

from typing import Any

from subterminator.page.refs import RefTable
from subterminator.page.snapshot import FrameWalk, Snapshot, build
from subterminator.types import NO_FACTS, Facts, Flag, RawFrame, RawNode

URL = "https://shop.example/account"
WIDTH, HEIGHT = 1280, 800


def el(role: str, name: str = "", depth: int = 0, **given: Any) -> RawNode:
    """One node. `flags`, `id`, `tag`, `box` are its own; everything else is a fact."""
    flags = int(given.pop("flags", 0))
    node = given.pop("id", None)
    tag = given.pop("tag", "div")
    box = given.pop("box", (10, 10, 100, 20))
    facts = Facts(**given) if given else NO_FACTS
    x, y, width, height = box
    number = -1 if node is None else node
    return RawNode(depth, role, name, number, flags, tag, x, y, width, height, facts)


def control(role: str, name: str = "", depth: int = 0, **given: Any) -> RawNode:
    given["flags"] = int(given.get("flags", 0)) | Flag.INTERACTIVE
    return el(role, name, depth, **given)


def button(name: str, depth: int = 0, **given: Any) -> RawNode:
    return control("button", name, depth, tag="button", **given)


def link(name: str, href: str, depth: int = 0, **given: Any) -> RawNode:
    return control("link", name, depth, tag="a", href=href, **given)


def heading(name: str, level: int = 2, depth: int = 0, **given: Any) -> RawNode:
    return el("heading", name, depth, level=level, **given)


def text(words: str, depth: int = 0, flags: int = 0) -> RawNode:
    return RawNode(depth, "text", words, 0, flags)


def off(node: RawNode, y: int = 3000) -> RawNode:
    """The same, below the view."""
    node.flags |= Flag.OFFSCREEN
    node.y = y
    return node


def walk(*nodes: RawNode, url: str = URL, world: str = "w1", **given: Any) -> FrameWalk:
    """One frame. Nodes without an id get the one of their place."""
    for place, node in enumerate(nodes, 1):
        if node.id == -1:
            node.id = place
    raw = RawFrame(
        url=url,
        title=given.pop("title", "Account"),
        origin="/".join(url.split("/")[:3]),
        vw=WIDTH,
        vh=HEIGHT,
        sx=0,
        sy=given.pop("sy", 0),
        dw=WIDTH,
        dh=5000,
        nodes=list(nodes),
        focus=given.pop("focus", 0),
        hidden=given.pop("hidden", 0),
        partial=given.pop("partial", ""),
    )
    where: dict[str, Any] = {"parent": -1, "owner": 0, "name": "", "frame_id": "F" + world}
    return FrameWalk(raw=raw, world=world, url=url, reason="", **where | given)


def look(*nodes: RawNode, refs: RefTable | None = None, **given: Any) -> Snapshot:
    """A snapshot of a page with these nodes."""
    return build([walk(*nodes, **given)], refs or RefTable())


def body(snapshot: Snapshot, budget: int | None = 8_000) -> str:
    """The text without its two lines of introduction."""
    return snapshot.text(budget).split("\n", 2)[2]

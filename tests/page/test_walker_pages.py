"""Saved pages of real sites: what Chromium's accessibility tree calls interactive, the walker offers."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.page.walking import CORPORA, Walker, usable
from tests.site import Answer, Site

FOLDER = CORPORA / "pages"
PAGES = sorted(FOLDER.glob("*.html"))
pytestmark = pytest.mark.skipif(not PAGES, reason=f"the saved pages are not there: {FOLDER}")

USABLE = set(
    "button link checkbox radio textbox searchbox combobox listbox option menuitem menuitemcheckbox"
    " menuitemradio tab switch slider spinbutton treeitem Date DateTime InputTime ColorWell"
    " DisclosureTriangle DisclosureTriangleGrouped PopUpButton ToggleButton".split()
)

# For each of the tree's elements: our node id, and whether a person can see it. Written without the
# walker's own means: by its box, by what is at the middle of it, and by styles of all its ancestors.
LOOK = """function (...elements) {
  const isBrowsers = (el) => {
    const root = el.getRootNode();
    return root instanceof ShadowRoot && ['VIDEO', 'AUDIO', 'INPUT'].includes(root.host.tagName);
  };
  const isClosedOption = (el) => {
    const list = el.localName === 'option' && el.closest('select');
    return list && !list.multiple && list.size < 2;
  };
  const hides = (el) => {
    const { opacity, overflow, clip, display } = getComputedStyle(el);
    const flat = overflow !== 'visible' && display !== 'inline' &&
      (el.clientWidth < 2 || el.clientHeight < 2) && !['HTML', 'BODY'].includes(el.tagName);
    return opacity === '0' || flat || el.hasAttribute('inert') || /^rect\\((.+), \\1, /.test(clip);
  };
  const isSeen = (el) => {
    const { left, top, right, bottom, width, height } = el.getBoundingClientRect();
    const page = document.scrollingElement;
    if (width * height <= 1 || width < 2 || height < 2) return false;
    if (right + scrollX <= 0 || bottom + scrollY <= 0) return false;
    if (left + scrollX >= Math.max(page.scrollWidth, innerWidth)) return false;
    if (top + scrollY >= Math.max(page.scrollHeight, innerHeight)) return false;
    for (let up = el; up instanceof Element; up = up.assignedSlot ?? up.parentNode ?? up.host) {
      if (hides(up)) return false;
    }
    const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
    const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
    const hit = document.elementFromPoint(x, y);
    return !hit || el.contains(hit) || hit.contains(el);
  };
  return elements.map((el) => [walker.idOf(el), el.outerHTML.slice(0, 120),
    el instanceof Element && !isBrowsers(el) && !isClosedOption(el) && isSeen(el)]);
}"""


async def in_the_tree(walker: Walker) -> list[tuple[int, str, bool]]:
    """Chromium's interactive nodes as (our node id, markup, whether it can be seen)."""
    channel = walker.channel
    tree = (await channel.call("Accessibility.getFullAXTree"))["nodes"]
    wanted = [
        node["backendDOMNodeId"]
        for node in tree
        if not node["ignored"] and node["role"]["value"] in USABLE and "backendDOMNodeId" in node
    ]
    if not wanted:
        return []
    calls = [
        channel.call("DOM.resolveNode", backendNodeId=node, executionContextId=walker.context)
        for node in wanted
    ]
    handles = [{"objectId": found["object"]["objectId"]} for found in await asyncio.gather(*calls)]
    answer: dict[str, Any] = await channel.call(
        "Runtime.callFunctionOn",
        functionDeclaration=LOOK,
        objectId=handles[0]["objectId"],
        arguments=handles,
        returnByValue=True,
    )
    return msgspec.convert(answer["result"]["value"], list[tuple[int, str, bool]])


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.soak] if number % 6 else [])
        for number, path in enumerate(PAGES)
    ],
)
async def test_everything_interactive_that_a_person_can_see_is_offered_exactly_once(
    path: Path, walker: Walker, site: Site
) -> None:
    site.pages["/page.html"] = Answer(path.read_bytes())
    await walker.open(f"{site.address}/page.html")
    frame = await walker.walk()
    offered = Counter(node.id for node in usable(frame))
    expected = await in_the_tree(walker)
    missed = [markup for id, markup, is_seen in expected if is_seen and id not in offered]
    assert not missed
    assert set(offered.values()) <= {1}
    assert frame.partial == ""

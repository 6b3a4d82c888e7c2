"""Every control of the saved pages of real sites, as the walker names it. They stay where they are."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from subterminator.types import Box, Flag, Form, RawNode, Resolved
from tests.page.walking import CORPORA, Walker
from tests.site import Answer, Site

FOLDER = CORPORA / "pages"
PAGES = sorted(FOLDER.glob("*.html"))
SITE = "https://saved.example"
# What the walk does not tell: the words to be seen and those around them, how a form is sent.
MORE = """(ids => JSON.stringify(ids.map(id => {
  const el = walker.element(id);
  const form = el.form ?? el.closest('form');
  const around = el.closest('dialog,[role=dialog],[role=alertdialog],form,tr,li,article,section');
  const words = part => (part?.innerText ?? '').replace(/\\s+/g, ' ').trim();
  return [words(el).slice(0, 300), form ? form.method : '', words(around).slice(0, 400)];
})))"""


async def controls(
    walker: Walker, site: Site, pages: Sequence[Path] = PAGES
) -> AsyncIterator[tuple[Path, Resolved]]:
    """All that can be used on these pages, in order."""
    for path in pages:
        site.pages["/page.html"] = Answer(path.read_bytes())
        await walker.open(f"{site.address}/page.html")
        nodes = [node for node in (await walker.walk()).nodes if node.flags & Flag.INTERACTIVE]
        more = json.loads(await walker.run(f"{MORE}({[node.id for node in nodes]})"))
        for node, (text, method, around) in zip(nodes, more, strict=True):
            yield path, _resolved(node, text, method, around)


def _resolved(node: RawNode, text: str, method: str, around: str) -> Resolved:
    # Where a link leads is another rule's business: here every one stays on the site.
    href = node.facts.href
    own = (
        href
        if href.startswith("javascript:")
        else f"{SITE}/page" + ("#" if href.endswith("#") else "")
    )
    known: dict[str, Any] = {
        "ref": "@e1", "role": node.role, "name": node.name, "tag": node.tag, "flags": node.flags,
        "box": Box(node.x, node.y, node.width, node.height), "text": text, "visible": True,
        "why": "", "origin": SITE, "frame_url": SITE, "world": "w", "node": node.id,
        "facts": node.facts, "form": Form(f"{SITE}/form", method, 1) if method else None,
        "href": own if href and node.tag in {"a", "area"} else "", "frames": (SITE,), "around": around,
    }  # fmt: skip
    return Resolved(**known)

"""One page with all that makes pages hard: frames, sites, shadow roots, dialogs, tabs, files."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import resources

from subterminator.gym.site import Attachment, serve

HEAD = "<!doctype html><html lang=en><meta charset=utf-8>"
OUTER = f"""{HEAD}<title>Outer</title><body>A frame with a frame in it.
<iframe title="A frame in the frame" src="/inner" style="width: 95%; height: 4rem"></iframe>"""
INNER = f"""{HEAD}<title>Inner</title><body><label>Your name <input id=name></label>
<script>document.getElementById('name').onchange = (event) =>
  top.postMessage(`name: ${{event.target.value}}`, '*');</script>"""
PLAN = f"""{HEAD}<title>Plan</title><body><label>Plan <select id=plan>
<option>Premium</option><option>Basic</option></select></label>
<script>document.getElementById('plan').onchange = (event) =>
  top.postMessage(`plan: ${{event.target.value}}`, '*');</script>"""
TERMS = f"{HEAD}<title>Terms</title><body><h1>Terms</h1><p>You may cancel at any time.</p>"
RECEIPT = Attachment("receipt.txt", b"Paid: $11.99\n")


@asynccontextmanager
async def playground() -> AsyncIterator[str]:
    """Serve the page on this machine, under both of its names; gives the address."""
    page = resources.files("subterminator.gym").joinpath("playground.html").read_text("utf-8")
    pages = {"/": page, "/outer": OUTER, "/inner": INNER, "/plan": PLAN, "/terms": TERMS}
    async with serve({**pages, "/receipt.txt": RECEIPT}) as address:
        yield address

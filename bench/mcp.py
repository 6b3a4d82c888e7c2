"""Our targets over MCP stdio against one benchmark run: speed, freshness, size beside the peers.

python bench/mcp.py results.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

OURS, BASE = "ours-mcp", "playwright-mcp"
PEERS = ("playwright-mcp", "chrome-devtools-mcp", "agent-browser-mcp")


class Row(NamedTuple):
    """A page, and which part of Playwright MCP's time a click with its fresh page may take."""

    page: str
    title: str
    most: float


ROWS = (
    Row("small", "click + fresh page, small", 1 / 8),
    Row("medium", "same, 1,342 elements", 1 / 8),
    Row("large5k", "same, 5,000 elements", 1 / 8),
    Row("fetch", "same, click starts a 100 ms request", 1 / 6),
)


def read(contenders: dict[str, Any], name: str, *path: str) -> float | None:
    found: Any = contenders.get(name)
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return float(found) if found is not None else None


def speed(contenders: dict[str, Any], row: Row) -> str:
    path = ("pages", row.page, "click_snapshot", "p50")
    ours, base = read(contenders, OURS, *path), read(contenders, BASE, *path)
    if ours is None or base is None:
        return f"{row.title:38} not measured"
    page = contenders[OURS]["pages"][row.page]
    fresh = page.get("fresh") is not None and page["fresh"] == page.get("clicks")
    met = "met" if ours / base <= row.most and fresh else "MISSED"
    share = f"{ours / base:.3f} of it (at most {row.most:.3f})"
    seen = f"fresh {page.get('fresh')} of {page.get('clicks')}"
    return f"{row.title:38}{base:10.0f}{ours:10.1f}   {share}, {seen}: {met}"


def size(contenders: dict[str, Any], title: str, *path: str) -> str:
    ours = read(contenders, OURS, *path)
    others = [found for name in PEERS if (found := read(contenders, name, *path)) is not None]
    if ours is None or not others:
        return f"{title:38} not measured"
    met = "met" if ours < min(others) else "MISSED"
    return f"{title:38}{min(others):10,.0f}{ours:10,.0f}   below every peer: {met}"


def main(path: str) -> None:
    contenders = json.loads(Path(path).read_text(encoding="utf-8"))["contenders"]
    print(f"\n{'over MCP stdio, p50 in ms':38}{'Playwright':>10}{'ours':>10}")
    for row in ROWS:
        print(speed(contenders, row))
    print(f"{'tokens':38}{'best peer':>10}{'ours':>10}")
    print(size(contenders, "tool list", "tools", "tokens"))
    for page in ("small", "medium", "nested"):
        print(size(contenders, f"snapshot, {page}", "pages", page, "tokens"))
        print(size(contenders, f"reply to a click, {page}", "pages", page, "click_tokens"))


if __name__ == "__main__":
    main(sys.argv[1])

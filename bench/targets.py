"""Our targets against one benchmark run: what we and the best peer need, as ratios to its floor.

python bench/targets.py results.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

OURS = "ours-python"
FLOOR = "raw-cdp-settle"
PEERS = {
    "playwright-mcp": "Playwright MCP",
    "chrome-devtools-mcp": "DevTools MCP",
    "agent-browser-daemon": "agent-browser",
}


class Row(NamedTuple):
    """One line of the table. With a floor the target is a ratio to it, otherwise a number."""

    title: str
    path: tuple[str, ...]
    target: float
    is_ratio: bool = True


ROWS = (
    Row("click + fresh snapshot, small", ("pages", "small", "click_snapshot", "p50"), 1.5),
    Row("same, 1,342 elements", ("pages", "medium", "click_snapshot", "p50"), 2.0),
    Row("same, 5,000 elements", ("pages", "large5k", "click_snapshot", "p50"), 2.5),
    Row("same, click starts a 100 ms request", ("pages", "fetch", "click_snapshot", "p50"), 1.2),
    Row("snapshot, 1,342 elements", ("pages", "medium", "snapshot", "p50"), 3.0),
    Row("snapshot, 5,000 elements", ("pages", "large5k", "snapshot", "p50"), 3.0),
    Row("snapshot, 20,000 elements", ("pages", "large20k", "snapshot", "p50"), 3.0),
    Row("snapshot, 100,000 elements", ("pages", "large100k", "snapshot", "p50"), 3.0),
    Row("tokens, 1,342 elements", ("pages", "medium", "tokens"), 8_000, is_ratio=False),
    Row("tokens of the change after a click", ("pages", "medium", "click_tokens"), 300, False),
    Row("cold start, p50", ("cold", "p50"), 1.3),
    Row("cold start, min", ("cold", "min"), 1.3),
    Row("memory beside the browser, MB", ("pages", "medium", "memory", "beside_rss_mb"), 60, False),
)


def read(contenders: dict[str, Any], name: str, path: tuple[str, ...]) -> float | None:
    found: Any = contenders.get(name)
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return float(found) if found is not None else None


def line(contenders: dict[str, Any], row: Row) -> str:
    ours, floor = read(contenders, OURS, row.path), read(contenders, FLOOR, row.path)
    peers = [_number(read(contenders, name, row.path)) for name in PEERS]
    shown_floor = _number(floor if row.is_ratio else None)
    if ours is None or (row.is_ratio and not floor):
        verdict = "not measured"
    else:
        reached = ours / floor if row.is_ratio and floor else ours
        unit = " x floor" if row.is_ratio else ""
        met = "met" if reached <= row.target else "MISSED"
        verdict = f"{reached:.2f}{unit} (at most {row.target:g}): {met}"
    cells = [f"{cell:>14}" for cell in (*peers, shown_floor, _number(ours))]
    return f"{row.title:38}{''.join(cells)}   {verdict}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def freshness(contenders: dict[str, Any]) -> str:
    page = contenders.get(OURS, {}).get("pages", {}).get("fetch", {})
    return f"fresh after a click that starts a request: {page.get('fresh')} of {page.get('clicks')}"


def main(path: str) -> None:
    contenders = json.loads(Path(path).read_text(encoding="utf-8"))["contenders"]
    titles = [f"{title:>14}" for title in (*PEERS.values(), "floor", "ours")]
    print(f"\n{'p50 in ms unless it says otherwise':38}{''.join(titles)}   target")
    for row in ROWS:
        print(line(contenders, row))
    print(freshness(contenders))


if __name__ == "__main__":
    main(sys.argv[1])

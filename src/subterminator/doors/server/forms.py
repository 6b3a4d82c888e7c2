"""A snapshot in the forms of the protocol: a tree, an outline, markdown. Pure.

Values of secret fields are in none of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from subterminator.page.snapshot import Snapshot
from subterminator.types import Element, Flag

TABLES = frozenset({"table", "grid", "treegrid"})
STATES = (
    (Flag.DISABLED, "disabled"),
    (Flag.FOCUSED, "focused"),
    (Flag.SELECTED, "selected"),
    (Flag.REQUIRED, "required"),
)
CELLS = frozenset({"cell", "gridcell", "columnheader", "rowheader"})


def accessibility_tree(
    elements: Sequence[Element], max_depth: int | None = None
) -> list[dict[str, Any]]:
    """Every element as a node, nested as the page nests them."""
    roots: list[dict[str, Any]] = []
    path: list[tuple[int, dict[str, Any]]] = []
    for element in elements:
        while path and path[-1][0] >= element.depth:
            path.pop()
        if max_depth is not None and len(path) >= max_depth:
            continue
        node = _node(element)
        (path[-1][1].setdefault("children", []) if path else roots).append(node)
        path.append((element.depth, node))
    return roots


def _node(element: Element) -> dict[str, Any]:
    node: dict[str, Any] = {"role": element.role}
    if element.name:
        node["name"] = element.name
    if (value := element.shown_value) is not None:
        node["value"] = value
    if element.facts.description:
        node["description"] = element.facts.description
    node |= _states(element.flags)
    if element.facts.level is not None:
        node["level"] = element.facts.level
    if element.box is not None:
        node["boundingBox"] = element.box._asdict()
    if element.ref:
        node["ref"] = element.ref
    return node


def _states(flags: int) -> dict[str, Any]:
    states: dict[str, Any] = {name: True for flag, name in STATES if flags & flag}
    if flags & Flag.CHECKABLE:
        states["checked"] = "mixed" if flags & Flag.MIXED else bool(flags & Flag.CHECKED)
    if flags & Flag.EXPANDABLE:
        states["expanded"] = bool(flags & Flag.EXPANDED)
    return states


def outline(elements: Sequence[Element]) -> str:
    """As YAML: one line an element, refs included."""
    lines: list[str] = []
    path: list[int] = []
    for element in elements:
        while path and path[-1] >= element.depth:
            path.pop()
        lines.append("  " * len(path) + "- " + _line(element))
        path.append(element.depth)
    return "\n".join(lines)


def _line(element: Element) -> str:
    if element.role == "text":
        return f"text: {json.dumps(element.name, ensure_ascii=False)}"
    marks = [f"level={element.facts.level}"] if element.facts.level is not None else []
    if element.flags & Flag.CHECKABLE and element.flags & Flag.CHECKED:
        marks.append("checked")
    for flag, word in (
        (Flag.DISABLED, "disabled"),
        (Flag.EXPANDED, "expanded"),
        (Flag.SELECTED, "selected"),
        (Flag.FOCUSED, "active"),
    ):
        if element.flags & flag:
            marks.append(word)
    if element.ref:
        marks.append(f"ref={element.ref}")
    name = f" {json.dumps(element.name, ensure_ascii=False)}" if element.name else ""
    states = "".join(f" [{mark}]" for mark in marks)
    value = element.shown_value
    held = f": {json.dumps(value, ensure_ascii=False)}" if value else ""
    return f"{element.role}{name}{states}{held}"


def markdown(snapshot: Snapshot) -> str:
    return "\n\n".join(_blocks(snapshot.elements))


def _blocks(elements: Sequence[Element]) -> Iterator[str]:
    place = 0
    while place < len(elements):
        element = elements[place]
        if element.role in TABLES:
            end = _end(elements, place)
            if table := _table(elements[place + 1 : end]):
                yield table
            place = end
            continue
        if block := _block(element):
            yield block
        place += 1


def _end(elements: Sequence[Element], place: int) -> int:
    end = place + 1
    while end < len(elements) and elements[end].depth > elements[place].depth:
        end += 1
    return end


def _block(element: Element) -> str:
    name = element.name.strip()
    match element.role:
        case "heading":
            return f"{'#' * min(element.facts.level or 2, 6)} {name}" if name else ""
        case "link":
            return f"[{name}]({element.facts.href})" if name else ""
        case "text" | "paragraph":
            return name
        case "listitem":
            return f"- {name}" if name else ""
        case "checkbox" | "radio" | "switch":
            return f"- [{'x' if element.flags & Flag.CHECKED else ' '}] {name}"
        case "textbox" | "searchbox" | "combobox" | "spinbutton":
            return f"{name}: {element.shown_value or ''}".strip()
        case "button":
            return f"[{name}]" if name else ""
        case "img":
            return f"![{name}]" if name else ""
        case _:
            return ""


def _table(elements: Sequence[Element]) -> str:
    rows: list[list[str]] = []
    for element in elements:
        if element.role == "row":
            rows.append([])
        elif element.role in CELLS and rows:
            rows[-1].append(element.name.replace("|", "\\|").replace("\n", " "))
    rows = [row for row in rows if row]
    if not rows:
        return ""
    width = max(map(len, rows))
    lines = ["| " + " | ".join(row + [""] * (width - len(row))) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])

"""Finds the members of one thing: by what stands before, beside or in front of them. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from subterminator.extraction.values import Schema, is_numeric, likeness, read
from subterminator.types import Element, Flag

LABELLED = re.compile(r"\s*([^:：]{1,60}?)\s*[:：]\s*(\S.*)", re.DOTALL)
NAMES = frozenset({"name", "title", "heading", "headline", "label", "product", "item", "subject"})
LINKS = frozenset({"url", "link", "href", "address", "website"})
FIELDS = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "listbox", "slider"})
TICKS = frozenset({"checkbox", "radio", "switch"})
LIKE_ENOUGH = 0.5
# How far each way of finding something can be trusted.
BY_LABEL, BY_KIND, BY_PLACE = 0.9, 0.6, 0.3


class Found(NamedTuple):
    """A value, what it was read from, and how sure that is it."""

    value: Any
    source: Element
    trust: float


class Pair(NamedTuple):
    label: str
    text: str
    source: Element


def members_of(item: Sequence[Element], properties: Mapping[str, Schema]) -> dict[str, Found]:
    """Each property at most once, and no text for two of them by mere guess."""
    found: dict[str, Found] = {}
    pairs = list(_pairs(item))
    for name, schema in properties.items():
        if hit := _by_label(name, schema, pairs) or _by_role(name, schema, item):
            found[name] = hit
    used = {id(hit.source) for hit in found.values()}
    for name, schema in properties.items():
        if name not in found and (hit := _by_kind(name, schema, item, used)):
            found[name] = hit
            used.add(id(hit.source))
    return found


def _pairs(item: Sequence[Element]) -> Iterator[Pair]:
    """Everything that looks like a label with what it labels."""
    for place, element in enumerate(item):
        if element.role in FIELDS and element.name:
            yield Pair(element.name, element.shown_value or "", element)
        elif labelled := LABELLED.fullmatch(element.name):
            yield Pair(labelled[1], labelled[2], element)
        elif element.role in {"text", "rowheader", "term"} and place + 1 < len(item):
            after = item[place + 1]
            if after.role in {"text", "cell", "definition", "link"} and after.name:
                yield Pair(element.name.rstrip(":： "), after.name, after)


def _by_label(name: str, schema: Schema, pairs: Sequence[Pair]) -> Found | None:
    wanted = f"{name} {schema.get('description', '')}" if schema.get("description") else name
    best: Found | None = None
    for pair in pairs:
        like = max(likeness(name, pair.label), likeness(wanted, pair.label))
        fits, value = read(pair.text, schema)
        if like >= LIKE_ENOUGH and fits and (best is None or like * BY_LABEL > best.trust):
            best = Found(value, pair.source, like * BY_LABEL)
    return best


def _by_role(name: str, schema: Schema, item: Sequence[Element]) -> Found | None:
    """What a thing is called, where it leads, whether it is ticked."""
    low = name.casefold()
    kind = schema.get("type", "string")
    if kind == "string" and low in LINKS:
        links = [e for e in item if e.facts.href]
        return Found(links[0].facts.href, links[0], BY_LABEL) if links else None
    if kind == "boolean":
        ticks = [e for e in item if e.role in TICKS and likeness(name, e.name) >= LIKE_ENOUGH]
        if ticks:
            return Found(bool(ticks[0].flags & Flag.CHECKED), ticks[0], BY_LABEL)
    if kind == "string" and low in NAMES:
        for role in ("heading", "link", "text"):
            named = [e for e in item if e.role == role and e.name and not is_numeric(e.name)]
            if named:
                return Found(named[0].name, named[0], BY_LABEL if role == "heading" else BY_KIND)
    return None


def _by_kind(name: str, schema: Schema, item: Sequence[Element], used: set[int]) -> Found | None:
    """The first text nobody else has that can be such a value: a guess, and told as one."""
    kind = schema.get("type", "string")
    if kind == "boolean":
        return None
    for element in item:
        if id(element) in used or not element.name or element.role in {"button", *FIELDS}:
            continue
        fits, value = read(element.name, schema)
        is_number = kind in {"number", "integer"}
        if fits and is_number == is_numeric(element.name):
            return Found(value, element, BY_KIND if is_number else BY_PLACE)
    return None

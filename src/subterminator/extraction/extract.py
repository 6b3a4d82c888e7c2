"""Data out of a snapshot by a schema: lists, tables, objects, single values. Pure.

It never invents: what is not found is named in `missing`, and `confidence` says how sure the rest
is. There is no model here, so an instruction is not understood; its words only rank what fits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from subterminator.extraction.fields import Found, members_of
from subterminator.extraction.pieces import Group, Table, groups_in, tables_in
from subterminator.extraction.values import Schema, likeness, read
from subterminator.page.snapshot import Snapshot
from subterminator.types import Element, Flag

Mode = Literal["single", "list", "table"]
KNOWN = frozenset({"object", "array", "string", "number", "integer", "boolean"})
MOST_SOURCES = 200
LONGEST_SOURCE = 200
LONGEST_TEXT = 5_000
IN_TABLE, IN_LIST, REPEATED, WHOLE_TEXT = 0.95, 0.9, 0.8, 0.5
LIKE_ENOUGH = 0.4
NOTHING = "Nothing on the page fits the schema."


class Wish(Struct, frozen=True):
    schema: Schema
    instruction: str = ""
    mode: Mode | None = None


class Source(NamedTuple):
    """Where something was read. `ref` is of the page where it has one, else a number of ours."""

    ref: str
    selector: dict[str, Any]
    text: str


class Extraction(Struct, frozen=True):
    success: bool
    data: Any = None
    sources: tuple[Source, ...] = ()
    confidence: float = 0.0
    missing: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    error: str = ""


class _Rows(NamedTuple):
    """One way to read the page as a list, and how good it is."""

    rows: tuple[dict[str, Found], ...]
    score: float
    trust: float


def extract(snapshot: Snapshot, wish: Wish) -> Extraction:
    kind = wish.schema.get("type")
    if kind not in KNOWN:
        known = ", ".join(sorted(KNOWN))
        return Extraction(False, error=f"The schema's type is none of {known}.")
    elements = [e for e in snapshot.elements if not e.flags & Flag.COVERED]
    if kind == "array" or wish.mode in {"list", "table"}:
        return _list(elements, wish)
    if kind == "object":
        return _object(snapshot, elements, wish)
    return _scalar(elements, wish)


# Lists


def _list(elements: Sequence[Element], wish: Wish) -> Extraction:
    items = wish.schema.get("items") or {}
    if not items and wish.schema.get("type") == "object":
        items = wish.schema
    if items.get("type", "object" if items.get("properties") else "string") != "object":
        return _plain_list(elements, items, wish)
    properties = items.get("properties") or {}
    if not properties:
        return Extraction(False, error="The schema's items have no properties to look for.")
    ways = list(_readings(elements, properties, wish))
    best = max(ways, key=lambda way: way.score, default=None)
    if best is None or not best.score:
        return Extraction(False, error=NOTHING, missing=tuple(properties))
    required = set(items.get("required", ()))
    rows = [row for row in best.rows if row and required <= row.keys()]
    if not rows:
        return Extraction(False, error=NOTHING, missing=tuple(sorted(required)))
    data = [{name: found.value for name, found in row.items()} for row in rows]
    missing = tuple(name for name in properties if not any(name in row for row in rows))
    every = [found for row in rows for found in row.values()]
    filled = len(every) / (len(rows) * len(properties))
    trust = sum(found.trust for found in every) / len(every)
    return Extraction(
        True,
        data,
        _sources([next(iter(row.values())) for row in rows]),
        _rounded(best.trust * trust * filled),
        missing,
    )


def _readings(
    elements: Sequence[Element], properties: dict[str, Schema], wish: Wish
) -> Iterator[_Rows]:
    for table in tables_in(elements):
        if wish.mode != "list" or not table.headers:
            yield _read_table(table, properties, wish)
    if wish.mode == "table":
        return
    for group in groups_in(elements):
        yield _read_group(group, properties, wish)


def _read_table(table: Table, properties: dict[str, Schema], wish: Wish) -> _Rows:
    """Columns by their headers; without any, by their order."""
    columns: dict[str, int] = {}
    for name in properties:
        likes = [likeness(name, header) for header in table.headers]
        if likes and max(likes) >= LIKE_ENOUGH:
            columns[name] = likes.index(max(likes))
    named = bool(columns)
    if not table.headers:
        columns = {name: place for place, name in enumerate(properties)}
    rows = []
    for cells in table.rows:
        row: dict[str, Found] = {}
        for name, place in columns.items():
            fits, value = (
                read(cells[place].name, properties[name]) if place < len(cells) else (0, 0)
            )
            if fits:
                row[name] = Found(value, cells[place], 1.0 if named else 0.4)
        rows.append(row)
    return _scored(tuple(rows), properties, table.title, wish, IN_TABLE)


def _read_group(group: Group, properties: dict[str, Schema], wish: Wish) -> _Rows:
    rows = tuple(members_of(item, properties) for item in group.items)
    return _scored(rows, properties, group.title, wish, IN_LIST if group.sure else REPEATED)


def _scored(
    rows: tuple[dict[str, Found], ...],
    properties: dict[str, Schema],
    title: str,
    wish: Wish,
    trust: float,
) -> _Rows:
    """Most members found, most surely, in things that are most alike and fit the instruction."""
    full = [row for row in rows if row]
    if not full:
        return _Rows(rows, 0.0, trust)
    filled = sum(len(row) for row in full) / (len(full) * len(properties))
    sure = sum(f.trust for row in full for f in row.values()) / sum(len(row) for row in full)
    alike = len(full) / len(rows)
    many = min(len(full), 10) / 10
    hint = likeness(wish.instruction, title)
    return _Rows(rows, filled * sure * alike * trust * (1 + 0.1 * many + 0.3 * hint), trust)


def _plain_list(elements: Sequence[Element], items: Schema, wish: Wish) -> Extraction:
    """Texts or numbers: a column that is called so, or what repeats under such a heading."""
    best: tuple[float, list[Found]] = (0.0, [])
    for score, found in _columns(elements, items, wish):
        if score > best[0]:
            best = (score, found)
    if not best[1]:
        return Extraction(False, error=NOTHING)
    data = [found.value for found in best[1]]
    return Extraction(True, data, _sources(best[1]), _rounded(min(best[0], 0.9)))


def _columns(
    elements: Sequence[Element], items: Schema, wish: Wish
) -> Iterator[tuple[float, list[Found]]]:
    wanted = f"{wish.instruction} {items.get('description', '')}"
    for table in tables_in(elements):
        for place, header in enumerate(table.headers):
            cells = [row[place] for row in table.rows if place < len(row)]
            yield 0.3 + 0.6 * likeness(wanted, header), _readable(cells, items)
    for group in groups_in(elements):
        heads = [item[0] for item in group.items]
        texts = [_first_text(item) for item in group.items] if group.sure else heads
        found = _readable([text for text in texts if text], items)
        if len(found) == len(group.items):
            trust = 0.5 if group.sure else 0.35
            hint = max(likeness(wanted, group.title), likeness(wanted, heads[0].role))
            yield trust + 0.4 * hint, found


def _first_text(item: Sequence[Element]) -> Element | None:
    return next((element for element in item if element.name), None)


def _readable(elements: Sequence[Element], schema: Schema) -> list[Found]:
    found = []
    for element in elements:
        fits, value = read(element.name, schema)
        if fits:
            found.append(Found(value, element, 0.7))
    return found


# One thing


def _object(snapshot: Snapshot, elements: Sequence[Element], wish: Wish) -> Extraction:
    properties = wish.schema.get("properties") or {}
    if not properties:
        return Extraction(False, error="The schema has no properties to look for.")
    found = members_of(elements, properties)
    for name, schema in properties.items():
        if hit := _of_page(snapshot, elements, name, schema):
            if name not in found or found[name].trust < hit.trust:
                found[name] = hit
    # In a whole page the first text that could be it means nothing.
    sure = {name: hit for name, hit in found.items() if hit.trust > 0.35}
    missing = tuple(name for name in properties if name not in sure)
    lacking = [name for name in wish.schema.get("required", ()) if name not in sure]
    if not sure or lacking:
        words = f"Not found: {', '.join(lacking)}." if lacking else NOTHING
        return Extraction(False, error=words, missing=missing)
    trust = sum(hit.trust for hit in sure.values()) / len(properties)
    data = {name: hit.value for name, hit in sure.items()}
    return Extraction(True, data, _sources(list(sure.values())), _rounded(trust), missing)


def _of_page(
    snapshot: Snapshot, elements: Sequence[Element], name: str, schema: Schema
) -> Found | None:
    """What a page says of itself: its title and its address."""
    if schema.get("type", "string") != "string" or not elements:
        return None
    match name.casefold():
        case "title" | "pagetitle" if snapshot.page.title:
            return Found(snapshot.page.title, elements[0], 0.95)
        case "url" | "pageurl" | "address":
            return Found(snapshot.page.url, elements[0], 0.95)
        case _:
            return None


def _scalar(elements: Sequence[Element], wish: Wish) -> Extraction:
    wanted = f"{wish.instruction} {wish.schema.get('description', '')}".strip()
    if wanted:
        hit = members_of(elements, {wanted: wish.schema}).get(wanted)
        if hit and hit.trust > 0.35:
            return Extraction(True, hit.value, _sources([hit]), _rounded(hit.trust))
    if wish.schema.get("type") != "string":
        return Extraction(False, error=NOTHING)
    lines = [element.name or element.shown_value or "" for element in elements]
    text = "\n".join(line for line in lines if line)[:LONGEST_TEXT]
    if not text:
        return Extraction(False, error="The page has no text.")
    ignored = ("instruction",) if wish.instruction else ()
    return Extraction(True, text, confidence=WHOLE_TEXT, ignored=ignored)


def _sources(found: Sequence[Found]) -> tuple[Source, ...]:
    sources = []
    for number, hit in enumerate(found[:MOST_SOURCES], 1):
        element = hit.source
        text = (element.name or element.shown_value or "")[:LONGEST_SOURCE]
        if element.ref:
            sources.append(Source(element.ref, {"type": "ref", "ref": element.ref}, text))
        else:
            selector = {"type": "text", "value": text or element.role, "exact": True}
            sources.append(Source(f"@s{number}", selector, text))
    return tuple(sources)


def _rounded(trust: float) -> float:
    return round(max(0.0, min(trust, 0.99)), 2)

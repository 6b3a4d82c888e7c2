"""Methods that look. All of them go through the gate, as acting does."""

from __future__ import annotations

import base64
import re
from typing import Any, Literal

from msgspec.structs import asdict, replace

from subterminator import actions as a
from subterminator import chores as c
from subterminator.doors.server import params as p
from subterminator.doors.server import results as r
from subterminator.doors.server import wishes as w
from subterminator.doors.server.acting import target
from subterminator.doors.server.caller import Caller
from subterminator.doors.server.discovery import tools_in
from subterminator.doors.server.forms import accessibility_tree, markdown, outline
from subterminator.doors.server.pages import Context
from subterminator.errors import ElementNotFound, InvalidParams, RefInvalid
from subterminator.page.snapshot import Snapshot
from subterminator.targets import AnySelector
from subterminator.types import Flag, Picture

DEFAULT_PROPERTIES: tuple[c.Property, ...] = ("visible", "enabled", "text", "boundingBox")
PAPERS = {
    "letter": (8.5, 11.0), "legal": (8.5, 14.0), "tabloid": (11.0, 17.0), "ledger": (17.0, 11.0),
    "a0": (33.1, 46.8), "a1": (23.4, 33.1), "a2": (16.54, 23.4), "a3": (11.7, 16.54),
    "a4": (8.27, 11.7), "a5": (5.83, 8.27), "a6": (4.13, 5.83),
}  # fmt: skip
UNITS = {"px": 1 / 96, "in": 1.0, "cm": 1 / 2.54, "mm": 1 / 25.4, "": 1 / 96}
LENGTH = re.compile(r"(\d{1,5}(?:\.\d{1,4})?)(px|in|cm|mm|)")
PAGES = re.compile(rb"/Type\s*/Page(?!s)")
LONGEST_TEXT = 1_000_000
INTERACTIVE, COVERED = int(Flag.INTERACTIVE), int(Flag.COVERED)
TINY = ("ref", "selector", "role", "name", "tagName")


async def look(context: Context, page: str) -> Snapshot:
    result = await context.do(page, a.TakeSnapshot())
    assert result.snapshot
    return result.snapshot


async def look_inside(context: Context, page: str, selector: AnySelector | None) -> Snapshot:
    """The page, or what of it lies in an element, whether a snapshot shows that itself or not."""
    if selector is None:
        return await look(context, page)
    found = await context.chore(page, c.FindInside(target=target(selector)))
    snapshot = await look(context, page)
    frames = {f.index for f in snapshot.frames if f.world == found["world"]}
    nodes = set(found["nodes"])
    inner: set[int] = set()
    for frame in snapshot.frames[1:]:
        if frame.parent in inner or (frame.parent in frames and frame.owner in nodes):
            inner.add(frame.index)
    kept = tuple(
        element
        for element in snapshot.elements
        if element.frame in inner or (element.frame in frames and element.node in nodes)
    )
    return replace(snapshot, elements=kept, _texts={})


# One thing each


async def screenshot(caller: Caller, given: w.Screenshot) -> r.Screenshot:
    context, page = caller.page(given.page_id)
    return await _picture(caller, context, page, given.options)


async def _picture(
    caller: Caller, context: Context, page: str, options: w.ScreenshotOptions
) -> r.Screenshot:
    caller.client.screenshots.spend(1, "screenshots")
    # There is no encoder for webp that is quick enough.
    format: Literal["png", "jpeg"] = "png" if options.format == "png" else "jpeg"
    quality = max(1, options.quality) if format == "jpeg" else None
    clip = options.clip
    full = options.full_page or clip is not None
    shot = await context.do(page, a.Screenshot(full_page=full, format=format, quality=quality))
    picture: Picture = shot.value
    if clip:
        area = (clip.x, clip.y, clip.width, clip.height)
        redraw = c.Redraw(
            data=picture.data,
            size=(picture.width, picture.height),
            clip=area,
            format=format,
            quality=max(1, options.quality),
        )
        data = await context.chore(page, redraw)
        picture = Picture(data, format, max(1, int(clip.width)), max(1, int(clip.height)))
    return _shown(picture)


def _shown(picture: Picture) -> r.Screenshot:
    return r.Screenshot(
        data=base64.b64encode(picture.data).decode(),
        format=picture.format,
        width=round(picture.width),
        height=round(picture.height),
    )


async def accessibility(caller: Caller, given: w.Accessibility) -> r.Tree:
    context, page = caller.page(given.page_id)
    snapshot = await look_inside(context, page, given.options.root)
    return r.Tree(tree=accessibility_tree(snapshot.elements, given.options.max_depth))


async def dom(caller: Caller, given: w.Dom) -> r.Dom:
    context, page = caller.page(given.page_id)
    source = await context.chore(page, c.ReadSource())
    text = (await context.do(page, a.ReadText(max_length=LONGEST_TEXT))).value["text"]
    return r.Dom(html=source["html"], text=text, title=source["title"], url=source["url"])


async def element(caller: Caller, given: w.Element) -> dict[str, Any]:
    """Properties flat, as one published client wants them, and as an object for the other."""
    context, page = caller.page(given.page_id)
    wanted = given.properties or DEFAULT_PROPERTIES
    try:
        told = await context.chore(
            page, c.Inspect(target=target(given.selector), properties=wanted)
        )
    except (ElementNotFound, RefInvalid):
        return {"found": False, "properties": {}}
    return {"found": True, **told, "properties": told}


async def pdf(caller: Caller, given: w.Pdf) -> r.Pdf:
    context, page = caller.page(given.page_id)
    options, margin = given.options, given.options.margin
    paper = PAPERS.get(options.format.lower())
    if paper is None:
        raise InvalidParams(
            f"There is no paper {options.format[:40]!r}.", next_step=f"Known: {', '.join(PAPERS)}."
        )
    printed = await context.chore(
        page,
        c.Print(
            landscape=options.landscape,
            background=options.print_background,
            scale=options.scale,
            paper=paper,
            margins=(
                _inches(margin.top),
                _inches(margin.right),
                _inches(margin.bottom),
                _inches(margin.left),
            ),
        ),
    )
    count = max(1, len(PAGES.findall(printed)))
    return r.Pdf(data=base64.b64encode(printed).decode(), pages=count)


def _inches(length: float | str) -> float:
    if not isinstance(length, str):
        return min(max(length, 0.0), 20.0)
    found = LENGTH.fullmatch(length.strip())
    if found is None:
        raise InvalidParams(f"{length[:20]!r} is no length.", next_step="Write 1cm, 10px or 0.5in.")
    return min(float(found[1]) * UNITS[found[2]], 20.0)


async def content(caller: Caller, given: w.Content) -> r.Content:
    context, page = caller.page(given.page_id)
    if given.format == "html":
        source = await context.chore(page, c.ReadSource())
        return r.Content(
            content=source["html"], format="html", url=source["url"], title=source["title"]
        )
    snapshot = await look(context, page)
    if given.format == "markdown":
        text = markdown(snapshot)
    else:
        text = (await context.do(page, a.ReadText(max_length=LONGEST_TEXT))).value["text"]
    where = snapshot.page
    return r.Content(content=text, format=given.format, url=where.url, title=where.title)


async def aria_snapshot(caller: Caller, given: w.AriaSnapshot) -> r.AriaSnapshot:
    context, page = caller.page(given.page_id)
    snapshot = await look_inside(context, page, given.selector)
    where = snapshot.page
    return r.AriaSnapshot(snapshot=outline(snapshot.elements), url=where.url, title=where.title)


async def discover(caller: Caller, given: w.Discover) -> r.Tools:
    context, page = caller.page(given.page_id)
    options = given.options
    source = await context.chore(page, c.ReadSource())
    return tools_in(source["html"], most=options.max_tools, schemas=options.include_input_schemas)


# Everything at once


async def observe(caller: Caller, given: p.Observe) -> r.Observation:
    context, page = caller.page(given.page_id)
    return await observe_now(caller, context, page, given)


async def observe_now(
    caller: Caller, context: Context, page: str, given: p.Observe, *, fresh: bool = True
) -> r.Observation:
    """`fresh` false takes the look that the last action ended with: nothing came between."""
    last = context.session.last_snapshot
    snapshot = last if last and not fresh else await look(context, page)
    parts: dict[str, Any] = {}
    if given.include_metadata:
        view = r.Viewport(width=snapshot.viewport.width, height=snapshot.viewport.height)
        where = snapshot.page
        parts["metadata"] = r.Metadata(url=where.url, title=where.title, viewport=view)
    annotation = _annotation(given)
    if given.include_interactive_elements or annotation or given.response_tier != "full":
        parts |= _elements(caller, page, snapshot, given, bounds=annotation is not None)
    if given.response_tier == "full":
        if given.include_accessibility:
            parts["accessibility"] = r.Tree(tree=accessibility_tree(snapshot.elements))
        if annotation:
            parts |= await _annotated(caller, context, page, snapshot, annotation)
        elif given.include_screenshot:
            parts["screenshot"] = await _picture(caller, context, page, w.ScreenshotOptions())
    if given.include_web_mcp_tools:
        source = await context.chore(page, c.ReadSource())
        parts["webmcp_tools"] = tools_in(source["html"], most=50, schemas=True).tools
    return r.Observation(**parts)


def _annotation(given: p.Observe) -> p.Annotation | None:
    match given.annotate_screenshot:
        case p.Annotation(enabled=True) as wanted:
            return wanted
        case True:
            return p.Annotation()
        case _:
            return None


def _elements(
    caller: Caller, page: str, snapshot: Snapshot, given: p.Observe, *, bounds: bool
) -> dict[str, Any]:
    """All elements, or with `incremental` only what is not as this client saw it last."""
    wants_bounds = given.include_bounds if given.include_bounds is not None else bounds
    found = snapshot.interactive_elements(given.max_elements, given.filter_roles, True)
    seen: dict[str, dict[str, Any]] | None = caller.client.seen.get(page)
    shown = [_told(one, seen, bounds=wants_bounds, tier=given.response_tier) for one in found]
    before = seen or {}
    now = {one["ref"]: one for one in found}
    caller.client.seen[page] = now
    total = sum(
        1
        for one in snapshot.elements
        if one.ref and one.flags & (INTERACTIVE | COVERED) == INTERACTIVE
    )
    parts: dict[str, Any] = {"total_interactive_elements": total}
    if not given.incremental or seen is None:
        return {**parts, "interactive_elements": tuple(shown)}
    changes = {
        "added": [one for one in shown if one["ref"] not in before],
        "updated": [
            one for one in shown if one["ref"] in before and now[one["ref"]] != before[one["ref"]]
        ],
        "removed": [ref for ref in before if ref not in now],
    }
    return {**parts, "changes": changes, "unchanged": not any(changes.values())}


def _told(
    found: dict[str, Any], seen: dict[str, Any] | None, *, bounds: bool, tier: str
) -> dict[str, Any]:
    if tier == "minimal":
        return {**{name: found[name] for name in TINY if name in found}, "actionHints": []}
    told = {name: value for name, value in found.items() if bounds or name != "bounds"}
    before = (seen or {}).get(found["ref"])
    is_moved = before is not None and before.get("bounds") != found.get("bounds")
    told["stability"] = "new" if before is None else "moved" if is_moved else "stable"
    if found["selector"]["type"] != "ref":
        told["alternativeSelectors"] = [{"type": "ref", "ref": found["ref"]}]
    return told


async def _annotated(
    caller: Caller, context: Context, page: str, snapshot: Snapshot, wanted: p.Annotation
) -> dict[str, Any]:
    caller.client.screenshots.spend(1, "screenshots")
    shot = await context.do(page, a.Screenshot())
    picture: Picture = shot.value
    marks: list[c.Mark] = []
    mapping: list[r.AnnotationMapping] = []
    for one in snapshot.interactive_elements(200, (), True):
        box = one.get("bounds")
        if len(marks) == wanted.max_labels or not box or not _is_inside(box, picture):
            continue
        label = _label(len(marks) + 1, one["ref"], wanted.label_format)
        marks.append(c.Mark(label, (box["x"], box["y"], box["width"], box["height"])))
        middle = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        mapping.append(r.AnnotationMapping(label=label, ref=one["ref"], position=middle))
    badge = wanted.style.badge
    drawn = await context.chore(
        page,
        c.Redraw(
            data=picture.data,
            size=(picture.width, picture.height),
            marks=tuple(marks),
            colour=badge.color,
            text_colour=badge.text_color,
        ),
    )
    plain = _shown(Picture(drawn, "png", picture.width, picture.height))
    marked = r.Screenshot(**{**asdict(plain), "annotated": True})
    return {"screenshot": marked, "annotation_map": tuple(mapping)}


def _label(number: int, ref: str, format: str) -> str:
    match format:
        case "ref":
            return ref
        case "both":
            return f"{number} {ref}"
        case _:
            return str(number)


def _is_inside(box: dict[str, float], picture: Picture) -> bool:
    return (
        box["x"] < picture.width
        and box["y"] < picture.height
        and box["x"] + box["width"] > 0
        and box["y"] + box["height"] > 0
    )

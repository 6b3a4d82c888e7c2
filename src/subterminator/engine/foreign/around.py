"""What an element stands in, by the outline: the words round it, what is ticked, what Enter sends.

Where the outline does not say how far a form reaches, it reaches over the dialog or the document.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from subterminator.engine.foreign.facts import FIELDS, Known, secret_kind
from subterminator.engine.foreign.outline import Node
from subterminator.engine.foreign.view import CHECKABLE, DIALOGS, Line, Tree
from subterminator.types import Form

MAX_AROUND, MAX_BEFORE, MAX_TITLE, MAX_FIELD = 400, 280, 100, 100
MAX_FIELDS, MAX_TICKED = 50, 20
PARTS = frozenset({"row", "listitem", "article", "group"})
SPOKEN = frozenset({
    "text", "button", "link", "cell", "gridcell", "columnheader", "rowheader", "img", "alert",
    "status", "menuitem", "tab", "paragraph", "generic", "listitem", "radio",
})  # fmt: skip
# An address that nobody knows: where an unknown form would send.
ANYWHERE = ""


class Place(NamedTuple):
    """Where a node stands: in which dialog, in which row or card; -1 where there is none."""

    dialog: int
    part: int


def place_of(tree: Tree, place: int) -> Place:
    dialog = part = -1
    frame = tree.frame(place)
    for node, at in tree.above(place):
        if tree.frame(at) != frame:
            break
        if part < 0 and node.role in PARTS:
            part = at
        if node.role in DIALOGS:
            dialog = at
            break
    return Place(dialog, part)


def text_around(tree: Tree, place: int) -> str:
    """The words round a node, from the last heading to the next one."""
    stands = place_of(tree, place)
    if stands.dialog >= 0:
        title = tree.nodes[stands.dialog].name or _first_heading(tree, stands.dialog)
        return _titled(title, _near(tree, place, stands.dialog)[1])
    if stands.part >= 0:
        title, text = _near(tree, place, stands.part)
        # A list of buttons says nothing by itself; what matters stands before it.
        if len(text) > len(tree.words(place)):
            return _titled(title or _heading_before(tree, stands.part), text)
    return _titled(*_near(tree, place, -1))


def _near(tree: Tree, place: int, within: int) -> tuple[str, str]:
    frame = tree.frame(place)
    own = {place, *(line.place for line in tree.inside(place))}
    title, before = "", ""
    for at in range(place - 1, within, -1):
        node = tree.nodes[at]
        if node.role == "heading" and tree.frame(at) == frame:
            title = node.name
            break
        if len(before) < MAX_BEFORE and tree.frame(at) == frame:
            before = f"{_said(tree, at)} {before}".strip()
    after = ""
    end = len(tree.nodes) if within < 0 else within + 1 + len(tree.inside(within))
    for at in range(place + 1, end):
        if at in own or tree.frame(at) != frame:
            continue
        if tree.nodes[at].role == "heading" or len(after) > MAX_AROUND:
            break
        after = f"{after} {_said(tree, at)}".strip()
    said = " ".join(before[-MAX_BEFORE:].split())
    itself = tree.words(place) or tree.nodes[place].name
    return title[:MAX_TITLE], f"{said} {itself} {after}".strip()[:MAX_AROUND]


def _said(tree: Tree, at: int) -> str:
    node = tree.nodes[at]
    words = "" if node.role in FIELDS else node.text or (node.name if node.role in SPOKEN else "")
    if not words:
        return ""
    # What an unticked box says does not happen with a press elsewhere; its label follows it.
    box = next((tree.nodes[b] for b in (at - 1, at - 2, at + 1) if _is_box(tree, b)), None)
    if box is not None and box.name == words and not box.has("checked"):
        return ""
    # A button is read once, not again by the text in it.
    parent = tree.nodes[tree.parents[at]] if tree.parents[at] >= 0 else None
    if parent and parent.name and words in parent.name and parent.role in SPOKEN:
        return ""
    return words


def _is_box(tree: Tree, at: int) -> bool:
    return 0 <= at < len(tree.nodes) and tree.nodes[at].role == "checkbox"


def _titled(title: str, text: str) -> str:
    return (text if title in text else f"{title} … {text}")[:MAX_AROUND]


def _first_heading(tree: Tree, place: int) -> str:
    found = (line.node.name for line in tree.inside(place) if line.node.role == "heading")
    return next(found, "")[:MAX_TITLE]


def _heading_before(tree: Tree, place: int) -> str:
    for at in range(place - 1, -1, -1):
        if tree.nodes[at].role == "heading":
            return tree.nodes[at].name[:MAX_TITLE]
    return ""


def form_of(tree: Tree, place: int, known: Known | None, fields: dict[str, Known]) -> Form | None:
    """What would be sent with a press on it. A form that nobody knows posts, and somewhere."""
    stands = place_of(tree, place)
    reach = list(_reach(tree, place, stands.dialog))
    ticked = tuple(dict.fromkeys(_ticked(reach)))[:MAX_TICKED]
    written = tuple(_written(reach, fields))[:MAX_FIELDS]
    if known is None or not known.whole:
        return Form(ANYWHERE, "post", 1, written, ticked)
    if known.form is None:
        kept = written if stands.dialog >= 0 else ()
        return Form(fields=kept, ticked=ticked) if kept or ticked else None
    own = known.own
    action = own.get("formaction") or known.form.get("action", "")
    method = own.get("formmethod") or known.form.get("method", "") or "get"
    return Form(known.address(action) or known.frame_url, method.lower(), 1, written, ticked)


def _reach(tree: Tree, place: int, dialog: int) -> Iterator[Line]:
    frame = tree.frame(place)
    if dialog >= 0:
        yield from tree.inside(dialog)
        return
    for at, node in enumerate(tree.nodes):
        if tree.frame(at) == frame:
            yield Line(node, at)


def _ticked(reach: list[Line]) -> Iterator[str]:
    for node, _ in reach:
        if node.role in CHECKABLE and node.has("checked"):
            yield node.name[:MAX_FIELD]


def _written(reach: list[Line], fields: dict[str, Known]) -> Iterator[tuple[str, str]]:
    for node, _ in reach:
        if node.role in FIELDS and not secret_kind(node.name, fields.get(node.target)):
            yield node.name[:MAX_FIELD], node.text[:MAX_FIELD]


def enter_of(tree: Tree, place: int, known: Known | None) -> str:
    """The words of what Enter would press here; empty where it sends nothing."""
    node = tree.nodes[place]
    if known and known.tag == "textarea":
        return ""
    if node.role not in FIELDS and node.role != "combobox":
        return node.name or tree.words(place)[:MAX_FIELD]
    if known and known.whole and known.form is None:
        return ""
    frame = tree.frame(place)
    later = [n for at, n in enumerate(tree.nodes) if at > place and tree.frame(at) == frame]
    return next((_words(n) for n in later if n.role == "button"), "submit") or "submit"


def _words(node: Node) -> str:
    return (node.name or node.text)[:MAX_FIELD]

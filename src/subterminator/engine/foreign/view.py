"""From the nodes of an outline to a snapshot of ours: roles, states, frames, refs. Pure.

What Playwright MCP does not tell is not guessed: nothing is covered, nothing is a form, no frame
has an address unless it was asked for. A dialog counts as what lies on top.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from subterminator.engine.foreign.facts import FIELDS, Known, secret_kind
from subterminator.engine.foreign.outline import Node
from subterminator.page.refs import RefTable
from subterminator.page.snapshot import FrameWalk, Snapshot, build
from subterminator.types import NO_FACTS, Box, Facts, Flag, PageInfo, RawFrame, RawNode

PRESSED = frozenset({
    "button", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "tab", "switch", "checkbox",
    "radio", "option", "treeitem", "slider", "combobox", "listbox", *FIELDS,
})  # fmt: skip
CHECKABLE = frozenset({"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"})
DIALOGS = frozenset({"dialog", "alertdialog"})
# What is only there to hold something, and says nothing by itself.
SILENT = frozenset({"generic", "paragraph", "none", "presentation", "rowgroup", "strong",
                    "emphasis", "code", "time", "blockquote", "term", "definition", "document",
                    "mark", "subscript", "superscript", "insertion", "deletion"})  # fmt: skip
# Their words are their name; their inside is not shown again.
NAMED_BY_CONTENT = frozenset({"button", "link", "menuitem", "tab", "option", "heading", "cell",
                              "columnheader", "rowheader", "gridcell", "switch"})  # fmt: skip
MARKS = (
    ("disabled", Flag.DISABLED),
    ("checked", Flag.CHECKED),
    ("expanded", Flag.EXPANDABLE | Flag.EXPANDED),
    ("selected", Flag.SELECTED),
    ("invalid", Flag.INVALID),
)


class Page(NamedTuple):
    """The page an outline is of, and the names of its documents."""

    info: PageInfo
    window: tuple[int, int]
    place: str

    def world(self, frame: int) -> str:
        """A document. The server numbers them anew with every load, in each tab by itself."""
        return f"{self.place}/f{frame}"


class Line(NamedTuple):
    """A node and where it stands in the list of nodes."""

    node: Node
    place: int


class Tree:
    """The nodes with who stands in whom. All that asks about surroundings asks here."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = nodes
        self.parents: list[int] = []
        path: list[int] = []
        for place, node in enumerate(nodes):
            while path and nodes[path[-1]].depth >= node.depth:
                path.pop()
            self.parents.append(path[-1] if path else -1)
            path.append(place)
        # An iframe has a number before anything inside it has.
        self.main = next((node.frame for node in nodes if node.number), 0)

    def children(self, place: int) -> list[Line]:
        base = self.nodes[place].depth
        return [line for line in self.inside(place) if line.node.depth == base + 1]

    def inside(self, place: int) -> list[Line]:
        base, found = self.nodes[place].depth, []
        for at in range(place + 1, len(self.nodes)):
            if self.nodes[at].depth <= base:
                break
            found.append(Line(self.nodes[at], at))
        return found

    def above(self, place: int) -> list[Line]:
        """What it stands in, nearest first."""
        found = []
        while (place := self.parents[place]) >= 0:
            found.append(Line(self.nodes[place], place))
        return found

    def frame(self, place: int) -> int:
        """The document of a node: its own number, else that of what it stands in."""
        for node, _ in (Line(self.nodes[place], place), *self.above(place)):
            if node.number:
                return node.frame
        return self.main

    def property(self, place: int, name: str) -> str:
        return next((n.text for n, _ in self.children(place) if n.role == f"/{name}"), "")

    def words(self, place: int) -> str:
        """What is written in it, without what people write there themselves."""
        node = self.nodes[place]
        if node.role in FIELDS:
            return ""
        said = [node.text] if node.text else []
        for line in self.inside(place):
            if line.node.role.startswith("/") or line.node.role in FIELDS:
                continue
            if self._is_in_field(line.place, place):
                continue
            said += [line.node.text or line.node.name]
        return " ".join(" ".join(said).split())

    def name(self, place: int) -> str:
        """What it is called; a control without a name by what is written in it."""
        node = self.nodes[place]
        if node.name or node.role in FIELDS or node.role in {"combobox", "listbox"}:
            return node.name
        return self.words(place)[:100] if is_control(self, place) else ""

    def _is_in_field(self, place: int, root: int) -> bool:
        return any(n.role in FIELDS for n, at in self.above(place) if at > root)


def is_control(tree: Tree, place: int) -> bool:
    """Whether it can be pressed, chosen or written into, as far as the outline says."""
    node = tree.nodes[place]
    if not node.number:
        return False
    if node.role in PRESSED or "pointer" in node.marks.get("cursor", ""):
        return True
    return opens_fold(node)


def opens_fold(node: Node) -> bool:
    """The only thing without a role that is called by a name is the line that opens a fold."""
    return node.role == "generic" and bool(node.name)


def role_of(node: Node) -> str:
    return "button" if opens_fold(node) else node.role


def flags_of(tree: Tree, place: int, kind: str, known: Known | None) -> int:
    node = tree.nodes[place]
    flags = Flag(0)
    for mark, flag in MARKS:
        flags |= flag if node.has(mark) and node.marks[mark] != "false" else Flag(0)
    if node.marks.get("checked") == "mixed":
        flags = flags & ~Flag.CHECKED | Flag.MIXED
    flags |= Flag.CHECKABLE if node.role in CHECKABLE else Flag(0)
    flags |= Flag.FOCUSED if node.has("active") else Flag(0)
    flags |= Flag.INTERACTIVE if is_control(tree, place) else Flag(0)
    if node.role in FIELDS:
        flags |= Flag.SECRET if kind else Flag(0)
        flags |= Flag.EDITABLE if known and known.is_editable else Flag(0)
    own = known.own if known else {}
    flags |= Flag.REQUIRED if "required" in own else Flag(0)
    flags |= Flag.READONLY if "readonly" in own else Flag(0)
    flags |= Flag.EXPANDABLE if "aria-expanded" in own or opens_fold(node) else Flag(0)
    flags |= Flag.SUBMITS if known and known.sends else Flag(0)
    return int(flags)


def facts_of(tree: Tree, place: int, kind: str, known: Known | None, base: str) -> Facts:
    node = tree.nodes[place]
    own = known.own if known else {}
    level = node.marks.get("level", "")
    chosen = [n for n, _ in tree.inside(place) if n.role == "option"]
    options = tuple(n.name for n in chosen) if node.role in {"combobox", "listbox"} else ()
    value: str | None = None
    if options:
        value = ", ".join(n.name for n in chosen if n.has("selected"))
    elif node.role in FIELDS or node.role in {"combobox", "slider"}:
        value = None if kind else node.text
    link = tree.property(place, "url")
    if not (value or options or link or level or kind or own):
        return NO_FACTS if value is None else Facts(value=value)
    return Facts(
        value=value,
        level=int(level) if level.isdigit() else None,
        type=own.get("type", ""),
        href=Known(frames=((known.frame_url if known else "") or base,)).address(link),
        placeholder=own.get("placeholder", ""),
        options=options,
        option_count=len(options),
        min_length=_number(own.get("minlength", "")),
        max_length=_number(own.get("maxlength", "")),
        secret=kind,
        popup=own.get("aria-haspopup", ""),
    )


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None


def show(tree: Tree, page: Page, refs: RefTable, known: Mapping[str, Known]) -> Snapshot:
    """The snapshot. `known` is what was asked about fields and frames."""
    sketch = _Sketch(tree, page, known)
    return build(sketch.walks(), refs)


class _Sketch:
    """Puts the nodes of each document into a walk of its own."""

    def __init__(self, tree: Tree, page: Page, known: Mapping[str, Known]) -> None:
        self._tree = tree
        self._page = page
        self._known = known
        self._nodes: dict[int, list[RawNode]] = {}
        self._owners: dict[int, tuple[int, int]] = {}
        self._focus: dict[int, int] = {}
        self._main = tree.main

    def walks(self) -> list[FrameWalk]:
        self._nodes[self._main] = []
        for place, node in enumerate(self._tree.nodes):
            frame = self._tree.frame(place)
            self._nodes.setdefault(frame, [])
            self._add(place, node, frame)
        order = [self._main, *(frame for frame in self._nodes if frame != self._main)]
        return [self._walk(frame, order) for frame in order]

    def _walk(self, frame: int, order: Sequence[int]) -> FrameWalk:
        info = self._page.info
        parent, owner = self._owners.get(frame, (self._main, 0))
        is_main = frame == self._main
        url = info.url if is_main else self._address(frame)
        width, height = self._page.window
        raw = RawFrame(
            url=url,
            title=info.title if is_main else "",
            origin=origin_of(url),
            vw=width, vh=height, sx=0, sy=0, dw=width, dh=height,
            nodes=self._nodes[frame],
            focus=self._focus.get(frame, 0),
        )  # fmt: skip
        world = self._page.world(frame)
        place = -1 if is_main else order.index(parent)
        return FrameWalk(raw, world, world, place, 0 if is_main else owner, "", url, "")

    def _address(self, frame: int) -> str:
        """Of a frame whose elements were asked about; empty, and so nobody's, otherwise."""
        mine = f"f{frame}e"
        found = (k.frame_url for target, k in self._known.items() if target.startswith(mine))
        return next(filter(None, found), "")

    def _add(self, place: int, node: Node, frame: int) -> None:
        tree = self._tree
        if node.role.startswith("/") or self._is_inner(place):
            return
        if node.role == "text":
            if self._is_label(place):
                return
            self._nodes[frame].append(RawNode(self._depth(place, frame), "text", node.name))
            return
        self._note_frame(place, node, frame)
        known = self._known.get(node.target)
        kind = secret_kind(node.name, known) if node.role in FIELDS else ""
        flags = flags_of(tree, place, kind, known) | self._layer(place)
        if node.has("active"):
            self._focus[frame] = node.number
        depth = self._depth(place, frame)
        if flags & Flag.INTERACTIVE or node.role not in SILENT or node.has("active"):
            box = node.box or Box(0, 0, 0, 0)
            facts = facts_of(tree, place, kind, known, self._page.info.url)
            flags |= self._offscreen(node, frame)
            tag = known.tag if known else ""
            name = tree.name(place) or self._content(place)
            self._nodes[frame].append(
                RawNode(depth, role_of(node), name, node.number, flags, tag, *box, facts)
            )
            depth += 1
            if node.text and node.role in FIELDS | NAMED_BY_CONTENT | {"slider", "combobox"}:
                return
        if node.text and not self._is_named_after(place):
            self._nodes[frame].append(RawNode(depth, "text", node.text))

    def _is_label(self, place: int) -> bool:
        """The words beside a box or field that are its name; they are not said twice."""
        words = self._tree.nodes[place].name
        beside = self._tree.nodes[max(place - 1, 0) : place + 2]
        return any(n.name == words and n.role in CHECKABLE | FIELDS for n in beside)

    def _content(self, place: int) -> str:
        node = self._tree.nodes[place]
        return self._tree.words(place)[:300] if node.role in NAMED_BY_CONTENT else ""

    def _is_named_after(self, place: int) -> bool:
        return self._tree.nodes[place].text == self._tree.name(place)

    def _note_frame(self, place: int, node: Node, frame: int) -> None:
        if node.role != "iframe":
            return
        for line in self._tree.inside(place):
            if line.node.number and line.node.frame != frame:
                self._owners.setdefault(line.node.frame, (frame, node.number))
                return

    def _layer(self, place: int) -> int:
        nodes = (self._tree.nodes[place], *(line.node for line in self._tree.above(place)))
        return int(Flag.OVERLAY) if any(node.role in DIALOGS for node in nodes) else 0

    def _is_inner(self, place: int) -> bool:
        """A part of what is shown as one: the words of a button, the options of a list."""
        for node, at in self._tree.above(place):
            if node.role in {"combobox", "listbox", *FIELDS} and node.number:
                return True
            if node.role in NAMED_BY_CONTENT and not is_control(self._tree, place):
                return is_control(self._tree, at) or not node.name or self._says_it(place, node)
        return False

    def _says_it(self, place: int, node: Node) -> bool:
        words = self._tree.nodes[place].name or self._tree.nodes[place].text
        return words in node.name

    def _depth(self, place: int, frame: int) -> int:
        """Counted in what is shown of its own document."""
        depth = 0
        for node, at in self._tree.above(place):
            if self._tree.frame(at) != frame:
                break
            depth += node.role not in SILENT or is_control(self._tree, at)
        return depth

    def _offscreen(self, node: Node, frame: int) -> int:
        if node.box is None or frame != self._main:
            return 0
        width, height = self._page.window
        x, y, across, down = node.box
        seen = x < width and y < height and x + across > 0 and y + down > 0
        return 0 if seen else int(Flag.OFFSCREEN)


def origin_of(url: str) -> str:
    try:
        parts = urlsplit(url.removeprefix("blob:"))
    except ValueError:
        return "null"
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in {"http", "https"} else "null"

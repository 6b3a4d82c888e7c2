"""From what a caller says to the one element that is meant, as it is in a snapshot taken now.

A selector that only a browser could read is refused: this engine finds things by role, name, text
and description, and by ref.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from subterminator.engine.foreign import around
from subterminator.engine.foreign.facts import FIELDS, Inquiry, Known, secret_kind
from subterminator.engine.foreign.outline import Node
from subterminator.engine.foreign.view import (
    CHECKABLE,
    Page,
    Tree,
    facts_of,
    flags_of,
    is_control,
    origin_of,
    role_of,
)
from subterminator.errors import ElementNotFound, InvalidParams, RefInvalid, SelectorAmbiguous
from subterminator.page.refs import Bound, RefTable
from subterminator.page.snapshot import Snapshot
from subterminator.targets import (
    FOCUSED,
    AnySelector,
    Label,
    Placeholder,
    Role,
    Semantic,
    Text,
    show,
)
from subterminator.types import Box, Element, Facts, Flag, Resolved

SURE, CLEARLY_BETTER = 0.5, 0.15
MAX_TEXT = 300
CONTROLS = frozenset({
    "button", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "tab", "switch", "checkbox",
    "radio", "option", "treeitem",
})  # fmt: skip
SUBMITS = frozenset({"", "submit", "image"})
PUZZLE = re.compile(
    r"captcha|turnstile|not a (?:ro)?bot|am (?:a )?human|kein (?:roboter|bot)|pas un robot|"
    r"no soy un robot|non sono un robot|(?:are you|you are) (?:a )?(?:human|robot)",
    re.IGNORECASE,
)
PUZZLE_PAGE = re.compile(
    r"^https?://(?:[\w-]+\.)*(?:(?:hcaptcha|arkoselabs|funcaptcha|captcha-delivery|mtcaptcha|"
    r"friendlycaptcha|geetest|awswaf)\.com|challenges\.cloudflare\.com|recaptcha\.net)(?:[:/]|$)|"
    r"^https?://www\.google\.com/recaptcha/",
    re.IGNORECASE,
)


class Look(NamedTuple):
    """One look at the page: the snapshot for others, and what it was made of."""

    snapshot: Snapshot
    tree: Tree
    page: Page
    known: Mapping[str, Known]

    def place(self, bound: Bound) -> int:
        """Where an element stands in the outline; -1 if it is gone."""
        for place, node in enumerate(self.tree.nodes):
            if node.number == bound.node and self.page.world(node.frame) == bound.world:
                return place
        return -1


def find(look: Look, selector: AnySelector, refs: RefTable) -> int:
    """The place of the one element that fits; raises what is wrong, `ElementNotFound` if none."""
    match selector:
        case Semantic(description=words):
            return look.place(refs.get(_described(look.snapshot, words)))
        case _ if selector == FOCUSED:
            return _focused(look)
        case Role() | Text() | Label() | Placeholder():
            return _one(look, selector, refs)
        case _:
            raise InvalidParams(
                f"{show(selector)} cannot be looked up by the playwright-mcp engine.",
                next_step="Use a ref of a snapshot, or role:..., text:..., label:... .",
            )


def _focused(look: Look) -> int:
    for place, node in enumerate(look.tree.nodes):
        # The document itself has the focus where nothing else has.
        if node.has("active") and (is_control(look.tree, place) or node.role != "generic"):
            return place
    raise ElementNotFound("Nothing has the keyboard focus.")


def _one(look: Look, selector: Role | Text | Label | Placeholder, refs: RefTable) -> int:
    fitting = [e for e in look.snapshot.elements if e.node and _fits(e, selector)]
    if isinstance(selector, Text):
        # The innermost counts, as a person would say it.
        fitting = [e for e in fitting if e.ref] or fitting
    if not fitting:
        raise ElementNotFound(f"Nothing matches {show(selector)}.")
    if len(fitting) > 1:
        shown = "; ".join(f"{e.ref} {e.role} {e.name[:60]!r}" for e in fitting[:5])
        raise SelectorAmbiguous(
            f"{show(selector)} matches {len(fitting)} elements: {shown}.",
            selector=show(selector),
            count=len(fitting),
        )
    world = look.snapshot.frames[fitting[0].frame].world
    bound = Bound("", world, fitting[0].node, fitting[0].role, fitting[0].name)
    return look.place(bound)


def _fits(element: Element, selector: Role | Text | Label | Placeholder) -> bool:
    match selector:
        case Role(role=role, name=name, exact=exact):
            return element.role == role and (name is None or _same(element.name, name, exact))
        case Text(value=value, exact=exact):
            return _same(element.name, value, exact)
        case Label(value=value, exact=exact):
            is_field = element.role in FIELDS | CHECKABLE or bool(element.facts.options)
            return is_field and _same(element.name, value, exact)
        case Placeholder(value=value, exact=exact):
            return _same(element.facts.placeholder, value, exact)


def _same(name: str, wanted: str, exact: bool) -> bool:
    name, wanted = " ".join(name.split()), " ".join(wanted.split())
    return name == wanted if exact else wanted.casefold() in name.casefold()


def _described(snapshot: Snapshot, words: str) -> str:
    sure = [match for match in snapshot.find(words, limit=5) if match.score >= SURE]
    if not sure:
        raise ElementNotFound(f"Nothing fits {words[:100]!r}.")
    if len(sure) > 1 and sure[0].score - sure[1].score < CLEARLY_BETTER:
        shown = "; ".join(f"{m.ref} {m.role} {m.name[:60]!r}" for m in sure)
        raise SelectorAmbiguous(f"{words[:100]!r} fits several elements: {shown}.", count=len(sure))
    return sure[0].ref


def twin_of(look: Look, bound: Bound) -> str:
    """A page that draws itself anew replaces elements by equals; only a unique one is taken."""
    what = f"{bound.ref} ({bound.role} {bound.name[:80]!r})"
    worlds = {frame.world for frame in look.snapshot.frames}
    if bound.world not in worlds:
        raise RefInvalid(f"{what} belonged to a page, frame or tab that is no longer shown.")
    twins = [
        element.ref
        for element in look.snapshot.elements
        if element.ref
        and (element.role, element.name) == (bound.role, bound.name)
        and look.snapshot.frames[element.frame].world == bound.world
    ]
    if not bound.name or len(twins) != 1:
        count = f"{len(twins)} others look the same" if twins else "nothing like it is there now"
        raise RefInvalid(f"{what} is no longer in the page; {count}.")
    return twins[0]


def owner_of(tree: Tree, place: int) -> int:
    """The control that a press on it would press, if it is only a part of one; -1 if it is none."""
    for node, at in tree.above(place):
        if node.number and (
            node.role in CONTROLS or (is_control(tree, at) and _is_small(tree, at))
        ):
            return at
    return -1


def _is_small(tree: Tree, place: int) -> bool:
    """What can be pressed and holds a whole page listens for others."""
    return len(tree.words(place)) <= 400


def describe(look: Look, place: int, ref: str, known: Known | None) -> Resolved:
    """All about one element, as the gate wants to know it. What is unknown is the worst."""
    tree, page = look.tree, look.page
    node = tree.nodes[place]
    kind = secret_kind(node.name, known) if node.role in FIELDS else ""
    fields = dict(look.known)
    form = around.form_of(tree, place, known, fields)
    frames = known.frames if known else ()
    origins = tuple(map(origin_of, frames)) or (origin_of(page.info.url), "null")
    own = known.own if known else {}
    link = known.address(own.get("href", "") or tree.property(place, "url")) if known else ""
    return Resolved(
        ref=ref,
        role=role_of(node),
        name=tree.name(place) or _content(tree, place),
        tag=_tag(node, known),
        flags=flags_of(tree, place, kind, known) | _sending(node.role, known),
        box=node.box or Box(0, 0, 0, 0),
        text="" if kind else _text(tree, place, known)[:MAX_TEXT],
        visible=True,
        why="",
        origin=origins[-1],
        frame_url=known.frame_url if known else "",
        world=page.world(node.frame),
        node=node.number,
        facts=_facts(look, place, kind, known),
        form=form,
        href=link or _unknown_link(tree, place),
        target=own.get("target", ""),
        frames=origins,
        document=f"{page.world(node.frame)} {known.frame_url if known else page.info.url}",
        around=around.text_around(tree, place),
        enter=around.enter_of(tree, place, known)[:MAX_TEXT],
        captcha=_is_puzzle(tree, place, known),
    )


def _tag(node: Node, known: Known | None) -> str:
    """What it is made of; an input that only calls itself a box is none."""
    if known is None or (node.role in CHECKABLE and known.tag == "input" and not known.is_ticked):
        return ""
    return known.tag


def _text(tree: Tree, place: int, known: Known | None) -> str:
    node = tree.nodes[place]
    if node.role in FIELDS:
        # What is written in a field is its value; in what only calls itself one it is a label.
        return node.name if known and known.is_editable else node.text or node.name
    return tree.words(place) or node.name


def _content(tree: Tree, place: int) -> str:
    return tree.words(place)[:100]


def _facts(look: Look, place: int, kind: str, known: Known | None) -> Facts:
    return facts_of(look.tree, place, kind, known, look.page.info.url)


def _unknown_link(tree: Tree, place: int) -> str:
    return tree.property(place, "url")


def _sending(role: str, known: Known | None) -> int:
    """Whether a press sends a form; a button of which nothing is known may."""
    if known is None or not known.whole:
        return int(Flag.SUBMITS) if role in {"button", "link", "generic", "menuitem"} else 0
    kind = known.own.get("type", "").lower()
    if known.tag == "button":
        sends = kind not in {"button", "reset"}
    else:
        sends = known.tag == "input" and kind in SUBMITS - {""}
    flags = Flag.SUBMITS if sends and known.form is not None else Flag(0)
    if known.own.get("target", "") == "_blank":
        flags |= Flag.NEWTAB
    return int(flags)


def _is_puzzle(tree: Tree, place: int, known: Known | None) -> bool:
    node = tree.nodes[place]
    if known and (known.puzzle or any(map(PUZZLE_PAGE.match, known.frames))):
        return True
    words = f"{node.name} {known.own.get('name', '') if known else ''}"
    return node.role != "link" and len(words) < 200 and bool(PUZZLE.search(words))


def is_called(tree: Tree, place: int, element: Resolved) -> bool:
    """Whether the server calls it by the same role and name, and does not count it as hidden."""
    node = tree.nodes[place]
    hidden = any(n.has("aria-hidden") for n in (node, *(n for n, _ in tree.above(place))))
    same = (node.role, node.name) == (element.role, element.name)
    return same and bool(node.name) and node.role != "generic" and not hidden


def as_twin(element: Resolved, old: str) -> Resolved:
    return replace(element, twin_of=old)


def text_of(look: Look, places: Iterable[int]) -> str:
    """What can be read there, line by line, each once; what fields hold is not among it."""
    tree, lines = look.tree, []
    for place in places:
        node = tree.nodes[place]
        if node.role.startswith("/") or node.role in FIELDS or node.role == "option":
            continue
        said = node.text or node.name
        parent = tree.nodes[tree.parents[place]] if tree.parents[place] >= 0 else None
        if said and not (parent and said in (parent.name, parent.text)):
            lines.append(" ".join(said.split()))
    return "\n".join(lines)


def inquiry_for(tree: Tree) -> Inquiry:
    """Of whom the snapshot needs more than the outline says: fields, buttons, one of each frame."""
    asked = [node.target for node in tree.nodes if node.role in FIELDS and node.number]
    seen: set[int] = {tree.main}
    for node in tree.nodes:
        if node.number and node.frame not in seen:
            seen.add(node.frame)
            asked.append(node.target)
    buttons = [n.target for n in tree.nodes if n.role in {"button", "menuitem"} and n.number]
    refs = list(dict.fromkeys(asked))
    return Inquiry(refs=refs, buttons=[b for b in buttons if b not in refs], main=tree.main)

"""What holds for every page, however strange: nothing fails, nothing is lost, nothing is forged."""

from __future__ import annotations

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from subterminator.page.refs import RefTable
from subterminator.page.snapshot import Snapshot, View
from subterminator.page.tokens import estimate
from subterminator.types import Facts, Flag, RawNode
from tests.page.nodes import look

ROLES = (
    "button link text heading textbox checkbox combobox row cell gridcell columnheader table grid"
    " list listitem article navigation region dialog alert status group generic iframe img main"
    " progressbar menu option tab"
).split()
OURS = re.compile(r"(?<!\\)@e\d+")
WORDS = st.sampled_from(
    ["", "Save", "Save", "Delete", 'a "b"', "@e1", "\n", "x" * 300, "5", "…", "é"]
)


@st.composite
def nodes(draw: st.DrawFn) -> list[RawNode]:
    made: list[RawNode] = []
    depth = 0
    for number in range(1, draw(st.integers(0, 40)) + 1):
        depth = draw(st.integers(0, depth + 1)) if made else 0
        role = draw(st.sampled_from(ROLES))
        flags = draw(st.integers(0, 2**27 - 1)) & ~int(Flag.COVERED)
        if role == "text":
            made.append(RawNode(depth, role, draw(WORDS), 0, flags & int(Flag.OFFSCREEN)))
            continue
        facts = Facts(value=draw(WORDS), hint=draw(WORDS), href=draw(WORDS), options=(draw(WORDS),))
        y = draw(st.integers(-2000, 4000))
        made.append(RawNode(depth, role, draw(WORDS), number, flags, "div", 0, y, 50, 20, facts))
    return made


def refs_of(snapshot: Snapshot) -> list[str]:
    return sorted(element.ref for element in snapshot.elements if element.ref)


@given(nodes())
def test_every_ref_is_in_the_text_exactly_once(page: list[RawNode]) -> None:
    snapshot = look(*page)
    assert sorted(OURS.findall(snapshot.text(None))) == refs_of(snapshot)


@given(nodes(), st.integers(60, 600))
def test_a_budget_is_kept_and_every_ref_shown_is_real(page: list[RawNode], budget: int) -> None:
    snapshot = look(*page)
    shown = snapshot.text(budget)
    assert estimate(shown) <= budget * 1.1 + 70
    assert set(OURS.findall(shown)) <= set(refs_of(snapshot))


@given(nodes(), st.booleans(), st.integers(0, 5), st.integers(1, 9))
def test_filters_count_every_control_they_leave_out(
    page: list[RawNode], viewport_only: bool, depth: int, limit: int
) -> None:
    snapshot = look(*page)
    view = View(viewport_only=viewport_only, depth=depth, max_elements=limit)
    shown = snapshot.filtered(view)
    left = shown.left_out
    assert len(refs_of(snapshot)) == len(refs_of(shown)) + left.offscreen + left.depth + left.limit


@given(nodes(), nodes())
def test_the_changes_between_any_two_pages_can_be_told(
    before: list[RawNode], after: list[RawNode]
) -> None:
    refs = RefTable()
    old, new = look(*before, refs=refs), look(*after, refs=refs)
    changes = new.changes_since(old)
    assert estimate(changes.text(300)) <= 400 or changes.is_whole
    assert set(OURS.findall(changes.text(300))) <= set(refs_of(old)) | set(refs_of(new))
    assert new.changes_since(new).text() == "no visible change"


@given(nodes(), WORDS)
def test_searching_and_every_dialect_work_on_any_page(page: list[RawNode], words: str) -> None:
    snapshot = look(*page)
    assert {match.ref for match in snapshot.find(words, limit=50)} <= set(refs_of(snapshot))
    json.dumps([snapshot.json(), snapshot.interactive_elements(), snapshot.tree()])

"""The snapshot text of Playwright MCP, line by line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from subterminator.engine.foreign.outline import parse
from subterminator.types import Box

OUTLINE = r"""- generic [active] [ref=e1] [box=8,21,1264,568]:
  - 'heading "Your plan: Basic" [level=1] [ref=e2] [box=8,21,1264,37]'
  - textbox "Name" [ref=e5]: Ada
  - checkbox "Keep \"me\" posted" [checked] [ref=e9]
  - text: Keep "me" posted
  - 'textbox "Tell us: more" [ref=e12]': x y
  - 'button "It''s [now]" [ref=e14]'
  - link "x" [ref=e33] [cursor=pointer]:
    - /url: "#"
  - iframe [ref=e34]:
    - button "inner" [ref=f1e2]
  - text: "- \"a\": \x07\n b"
"""


def test_every_line_is_a_node_with_its_depth_role_name_and_text() -> None:
    nodes = parse(OUTLINE)
    assert [(n.depth, n.role, n.name, n.text) for n in nodes] == [
        (0, "generic", "", ""),
        (1, "heading", "Your plan: Basic", ""),
        (1, "textbox", "Name", "Ada"),
        (1, "checkbox", 'Keep "me" posted', ""),
        (1, "text", 'Keep "me" posted', ""),
        (1, "textbox", "Tell us: more", "x y"),
        (1, "button", "It's [now]", ""),
        (1, "link", "x", ""),
        (2, "/url", "", "#"),
        (1, "iframe", "", ""),
        (2, "button", "inner", ""),
        (1, "text", '- "a": \x07\n b', ""),
    ]


def test_refs_of_frames_boxes_and_marks_are_read() -> None:
    page, heading, *_, inner, _ = parse(OUTLINE)
    assert (page.target, page.has("active"), page.box) == ("e1", True, Box(8, 21, 1264, 568))
    assert heading.marks == {"level": "1"}
    assert (inner.target, inner.frame, inner.number) == ("f1e2", 1, 2)


def test_a_name_cannot_pass_for_a_ref_or_a_state() -> None:
    (node,) = parse('- button "Go [ref=e9] [checked] [disabled]" [ref=e1]')
    assert (node.target, node.marks) == ("e1", {})
    assert node.name == "Go [ref=e9] [checked] [disabled]"


@given(st.text())
def test_any_text_is_read_without_an_error(text: str) -> None:
    assert all(node.depth >= 0 for node in parse(text))

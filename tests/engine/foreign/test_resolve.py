"""What the gate is told of an element, and that what nobody knows counts as the worst."""

from __future__ import annotations

import pytest

from subterminator import actions as a
from subterminator.engine.foreign.facts import Known, secret_kind
from subterminator.engine.foreign.outline import parse
from subterminator.engine.foreign.resolve import Look, describe, find, owner_of
from subterminator.engine.foreign.view import Page, Tree, show
from subterminator.errors import ElementNotFound, InvalidParams, SelectorAmbiguous
from subterminator.page.refs import RefTable
from subterminator.safety.policy import RulePolicy, Situation
from subterminator.safety.rules import load_rules
from subterminator.safety.task import Task
from subterminator.safety.verdict import Verdict
from subterminator.targets import FOCUSED, Css, Label, Role, Semantic, Text
from subterminator.types import Flag, PageInfo

HERE = "http://shop.example/account"
PAGE = Page(PageInfo(HERE, "Account"), (1280, 720), "s1/t1")
TASK = Task("job", sites=("shop.example",), purpose="cancel")
OUTLINE = """- generic [ref=e1]:
  - heading "Your plan" [level=1] [ref=e2]
  - paragraph [ref=e3]: You pay 9 € a month.
  - textbox "Name" [ref=e4]: Ada
  - checkbox "Remember my answer" [checked] [ref=e5]
  - checkbox "Delete my account" [ref=e6]
  - text: Delete my account
  - button "Continue" [ref=e7]
  - link "Help" [ref=e8] [cursor=pointer]:
    - /url: /help
  - link [ref=e9] [cursor=pointer]:
    - /url: https://other.example/
    - img "Partner" [ref=e10]
  - button "Open news" [active] [ref=e11]: Close window
  - iframe [ref=e12]:
    - button "Inner" [ref=f3e1]
"""


def look(outline: str = OUTLINE, known: dict[str, Known] | None = None) -> Look:
    tree = Tree(parse(outline))
    fields = known or {}
    return Look(show(tree, PAGE, RefTable(), fields), tree, PAGE, fields)


def told(
    target: str,
    known: Known | None,
    action: a.AtomicAction | None = None,
    outline: str = OUTLINE,
) -> Verdict:
    seen = look(outline)
    place = next(at for at, node in enumerate(seen.tree.nodes) if node.target == target)
    element = describe(seen, place, "@e1", known)
    policy = RulePolicy(load_rules())
    situation = Situation(PAGE.info, None)
    return policy.decide(action or a.Click("@e1"), [element], situation, TASK)


PLAIN = Known(tag="button", own={"type": "button"}, frames=(HERE,), whole=True)


def test_a_button_of_which_all_is_known_is_simply_pressed() -> None:
    assert told("e7", PLAIN).kind == "allow"


def test_a_button_of_which_nothing_is_known_sends_what_is_ticked_and_lies_in_no_ones_frame() -> (
    None
):
    seen = look()
    place = next(at for at, node in enumerate(seen.tree.nodes) if node.target == "e7")
    element = describe(seen, place, "@e1", None)
    assert element.flags & Flag.SUBMITS
    assert element.form is not None
    assert (element.form.method, element.form.ticked) == ("post", ("Remember my answer",))
    assert element.frames == ("http://shop.example", "null")
    assert told("e7", None).kind != "allow"


def test_a_field_of_which_nothing_is_known_is_for_the_person_alone() -> None:
    assert told("e4", None, a.Fill("@e1", "x")).kind == "hand_over"
    plain = Known(tag="input", frames=(HERE,), whole=True)
    assert told("e4", plain, a.Fill("@e1", "x")).kind == "allow"


def test_a_box_that_the_page_may_only_have_drawn_is_pressed_with_the_words_it_has() -> None:
    drawn = Known(tag="", frames=(HERE,), whole=True)
    assert told("e6", drawn, a.Check("@e1")).kind == "deny"


def test_what_only_calls_itself_a_field_or_a_box_is_judged_as_something_to_press() -> None:
    drawn = OUTLINE.replace('textbox "Name" [ref=e4]: Ada', "textbox [ref=e4]: Pay now")
    drawn = drawn.replace('checkbox "Delete my account"', 'checkbox "Pay now"')
    div = Known(tag="", frames=(HERE,), whole=True)
    button = Known(tag="input", own={"type": "button"}, frames=(HERE,), whole=True)
    for target, known in (("e4", div), ("e4", button), ("e6", div), ("e6", button)):
        assert told(target, known, outline=drawn).rule == "money"


def test_an_element_of_a_frame_of_another_site_asks() -> None:
    inner = Known(tag="button", frames=(HERE, "http://other.example/"), whole=True)
    assert told("f3e1", inner).rule == "foreign-frame"


def test_a_link_to_another_site_asks_whatever_is_written_on_it() -> None:
    link = Known(tag="a", own={"href": "https://other.example/"}, frames=(HERE,), whole=True)
    assert told("e9", link).rule == "leaves-sites"


def test_two_labels_that_say_different_things_ask() -> None:
    assert told("e11", PLAIN).rule == "label-mismatch"


def test_what_stands_around_is_read_from_heading_to_heading_without_unticked_boxes() -> None:
    seen = look()
    place = next(at for at, node in enumerate(seen.tree.nodes) if node.target == "e7")
    around = describe(seen, place, "@e1", PLAIN).around
    assert around.startswith("Your plan")
    assert "9 € a month" in around
    assert "Delete my account" not in around
    assert "Ada" not in around


def test_a_part_of_a_link_belongs_to_the_link() -> None:
    tree = look().tree
    part = next(at for at, node in enumerate(tree.nodes) if node.target == "e10")
    assert tree.nodes[owner_of(tree, part)].target == "e9"


@pytest.mark.parametrize(
    ("name", "own", "kind"),
    [
        ("Password", {"type": "text"}, "password"),
        ("", {"type": "password"}, "password"),
        ("Anything", {"type": "text", "autocomplete": "one-time-code"}, "code"),
        ("Kartennummer", {"type": "text"}, "card"),
        ("Verification code", {"type": "tel"}, "code"),
        ("Enter your code", {"type": "text"}, "code"),
        ("", {"name": "user_password"}, "password"),
        ("Promo code", {"type": "text"}, ""),
        ("Your e-mail", {"type": "email"}, ""),
        ("Why do you leave?", {}, ""),
    ],
)
def test_fields_for_secrets_are_known_by_type_and_by_words(
    name: str, own: dict[str, str], kind: str
) -> None:
    assert secret_kind(name, Known(tag="input", own=own)) == kind


def test_the_value_of_a_field_in_doubt_is_in_no_form_of_the_snapshot() -> None:
    unknown, plain = look(), look(known={"e4": Known(tag="input", frames=(HERE,))})
    assert "Ada" not in unknown.snapshot.text() + str(unknown.snapshot.elements)
    assert "Ada" in plain.snapshot.text()


def test_elements_are_found_by_role_text_label_description_and_focus() -> None:
    seen, refs = look(), RefTable()
    seen = seen._replace(snapshot=show(seen.tree, PAGE, refs, {}))

    def target(place: int) -> str:
        return seen.tree.nodes[place].target

    assert target(find(seen, Role("button", "Continue"), refs)) == "e7"
    assert target(find(seen, Text("help"), refs)) == "e8"
    assert target(find(seen, Label("Name"), refs)) == "e4"
    assert target(find(seen, Semantic("the continue button"), refs)) == "e7"
    assert target(find(seen, FOCUSED, refs)) == "e11"
    with pytest.raises(SelectorAmbiguous):
        find(seen, Role("button"), refs)
    with pytest.raises(ElementNotFound):
        find(seen, Role("slider"), refs)
    with pytest.raises(InvalidParams, match="cannot be looked up"):
        find(seen, Css("#x"), refs)


def test_a_snapshot_has_frames_layers_and_states_of_its_own() -> None:
    outline = OUTLINE + '  - dialog "Sure?" [ref=e20]:\n    - button "Yes" [disabled] [ref=e21]\n'
    known = {"f3e1": Known(tag="button", frames=(HERE, "http://pay.example/x"))}
    snapshot = look(outline, known).snapshot
    first = snapshot.elements[0]
    assert (first.role, first.name) == ("dialog", "Sure?")
    assert snapshot.element(snapshot.elements[1].ref).has(Flag.DISABLED | Flag.OVERLAY)
    assert [(f.url, f.parent) for f in snapshot.frames] == [(HERE, -1), ("http://pay.example/x", 0)]
    inner = next(e for e in snapshot.elements if e.name == "Inner")
    assert inner.frame == 1

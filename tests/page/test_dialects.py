"""The forms of seeds 000, 001, 002 and 004."""

from __future__ import annotations

import json
from datetime import datetime
from importlib.resources import files
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from subterminator.page.refs import RefTable
from subterminator.page.snapshot import FrameWalk, Snapshot, View, build
from subterminator.types import Flag
from tests.page.nodes import button, control, el, heading, link, look, off, text, walk

SCHEMA = json.loads(files("subterminator.page").joinpath("snapshot_schema.json").read_text("utf-8"))
CHECKER = jsonschema.Draft7Validator(SCHEMA, format_checker=jsonschema.FormatChecker())


def valid(snapshot: Snapshot, **given: Any) -> dict[str, Any]:
    data = snapshot.json(**given)
    CHECKER.validate(json.loads(json.dumps(data)))
    return data


# Seed 000


def test_the_schema_itself_is_valid_and_rejects_what_is_wrong() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    with pytest.raises(jsonschema.ValidationError):
        CHECKER.validate({**look().json(), "focused": "e1"})


def test_the_json_is_the_one_of_seed_000() -> None:
    snapshot = look(
        el("dialog", "Sure?", id=1, box=(0, 0, 300, 200)),
        heading("Really?", 2, 1),
        control("checkbox", "News", 1, id=3, flags=Flag.CHECKABLE | Flag.FOCUSED, box=(1, 2, 3, 4)),
        focus=3,
    )
    data = valid(snapshot, screenshot="aGk=")
    assert data["snapshot_id"] == snapshot.id
    assert datetime.fromisoformat(data["timestamp"]).utcoffset() is not None
    assert data["elements"] == [
        {
            "ref": "@e1",
            "role": "dialog",
            "name": "Sure?",
            "state": ["visible", "enabled"],
            "bbox": {"x": 0, "y": 0, "width": 300, "height": 200},
            "value": None,
            "level": None,
            "children": ["@e2"],
        },
        {
            "ref": "@e2",
            "role": "checkbox",
            "name": "News",
            "state": ["visible", "enabled", "unchecked", "focused"],
            "bbox": {"x": 1, "y": 2, "width": 3, "height": 4},
            "value": None,
            "level": None,
            "children": None,
        },
    ]
    assert data["focused"] == "@e2"
    assert data["screenshot"] == "aGk="


def test_all_states_are_words_of_the_seed() -> None:
    flags = [Flag.DISABLED | Flag.READONLY, Flag.CHECKABLE | Flag.MIXED, Flag.EXPANDABLE, Flag.BUSY]
    flags += [Flag.CHECKABLE | Flag.CHECKED, Flag.EXPANDABLE | Flag.EXPANDED, Flag.OFFSCREEN]
    data = valid(look(*(button(str(flag), flags=flag) for flag in flags)), viewport_only=False)
    assert [element["state"][1:] for element in data["elements"]] == [
        ["disabled", "readonly"],
        ["enabled", "mixed"],
        ["enabled", "collapsed"],
        ["enabled", "busy"],
        ["enabled", "checked"],
        ["enabled", "expanded"],
        ["enabled"],
    ]
    assert data["elements"][-1]["state"][0] == "offscreen"


def test_only_what_is_in_view_and_not_covered_is_in_it_unless_asked() -> None:
    snapshot = look(button("Seen"), off(button("Far")), button("Under", flags=Flag.COVERED))
    assert [e["name"] for e in valid(snapshot)["elements"]] == ["Seen"]
    assert [e["name"] for e in valid(snapshot, viewport_only=False)["elements"]] == ["Seen", "Far"]


def test_limits_of_number_depth_and_name_hold() -> None:
    deep = [control("treeitem", f"T{n}", n) for n in range(15)]
    data = valid(look(*deep))
    assert len(data["elements"]) == 10
    many = valid(look(*(button("B" * 300) for _ in range(150))))
    assert len(many["elements"]) == 100
    assert many["elements"][0]["name"] == "B" * 200 + "..."


def test_odd_pages_are_valid_too() -> None:
    valid(look())
    valid(build([FrameWalk(None, "", "F", -1, 0, "", "about:blank", "gone")], RefTable()))
    valid(look(control("treeitem", "x", level=9), url="https://x.example/", sy=-5))


@given(st.lists(st.tuples(st.text(), st.integers(0, 2**27 - 1), st.integers(0, 12)), max_size=6))
def test_whatever_is_on_the_page_the_json_is_valid(nodes: list[tuple[str, int, int]]) -> None:
    elements = [
        control("textbox", name, depth, flags=flags, value=name) for name, flags, depth in nodes
    ]
    valid(look(*elements), viewport_only=False)


# Seed 001


def test_the_normalized_form_is_address_title_text_and_where_the_picture_is() -> None:
    snapshot = look(heading("Your plan"), button("Cancel plan"))
    told = snapshot.normalized("/tmp/page.png")
    assert list(told) == ["url", "title", "content", "screenshot_path"]
    assert (told["url"], told["title"]) == (snapshot.page.url, snapshot.page.title)
    assert "Your plan" in told["content"] and "Cancel plan" in told["content"]
    assert told["screenshot_path"] == "/tmp/page.png"
    assert snapshot.normalized()["screenshot_path"] is None


# Seed 002


def selectors(snapshot: Snapshot) -> list[dict[str, Any]]:
    return [element["selector"] for element in snapshot.interactive_elements()]


def test_interactive_elements_have_the_members_of_seed_002() -> None:
    snapshot = look(
        control("textbox", "Name", tag="input", flags=Flag.EDITABLE | Flag.FOCUSED, value="Ada")
    )
    (element,) = snapshot.interactive_elements(bounds=True)
    assert element == {
        "ref": "@e1",
        "selector": {"type": "role", "role": "textbox", "name": "Name", "exact": True},
        "role": "textbox",
        "name": "Name",
        "value": "Ada",
        "actionHints": ["clickable", "editable"],
        "bounds": {"x": 10, "y": 10, "width": 100, "height": 20},
        "tagName": "input",
        "focused": True,
        "disabled": False,
    }
    assert "bounds" not in snapshot.interactive_elements()[0]


def test_a_selector_is_only_given_if_it_fits_one_element_alone() -> None:
    snapshot = look(
        button("Buy", test_id="buy"),
        button("Twice", test_id="same"),
        link("Twice", "https://x.example/", test_id="same"),
        button("Delete"),
        button("Delete"),
        button("", hint="~trash"),
        control("generic", "Card"),
        control("date", "Born"),
        button("x" * 999 + "…"),
    )
    assert selectors(snapshot) == [
        {"type": "testId", "value": "buy"},
        {"type": "role", "role": "button", "name": "Twice", "exact": True},
        {"type": "role", "role": "link", "name": "Twice", "exact": True},
        *({"type": "ref", "ref": f"@e{n}"} for n in range(4, 10)),
    ]


def test_a_twin_that_is_covered_or_no_control_also_makes_a_selector_unsure() -> None:
    snapshot = look(
        button("Buy"), button("Buy", flags=Flag.COVERED), el("img", "Logo", test_id="t")
    )
    assert selectors(snapshot) == [{"type": "ref", "ref": "@e1"}]
    assert selectors(look(button("A", test_id="t"), el("img", "Logo", test_id="t"))) == [
        {"type": "role", "role": "button", "name": "A", "exact": True}
    ]


def test_where_a_part_of_the_page_is_not_known_only_refs_are_given() -> None:
    ref = [{"type": "ref", "ref": "@e1"}]
    page = look(button("A"), button("B", depth=1))
    assert selectors(page.filtered(View(max_elements=1))) == ref
    assert selectors(build([walk(button("A"), partial="time")], RefTable())) == ref
    unread = FrameWalk(None, "", "F2", 0, 9, "", "https://x.example/", "no answer")
    assert selectors(build([walk(button("A")), unread], RefTable())) == ref


def test_all_eight_hints_are_given_where_they_apply() -> None:
    hints = {
        hint
        for element in look(
            button("A", flags=Flag.SUBMITS | Flag.DRAGGABLE | Flag.EXPANDABLE),
            control("combobox", "B", tag="select"),
            control("checkbox", "C", flags=Flag.CHECKABLE),
            control("textbox", "D", flags=Flag.EDITABLE | Flag.SCROLLS),
        ).interactive_elements()
        for hint in element["actionHints"]
    }
    assert hints == {
        "clickable",
        "editable",
        "selectable",
        "checkable",
        "expandable",
        "draggable",
        "scrollable",
        "submittable",
    }


def test_roles_and_limit_narrow_the_list() -> None:
    snapshot = look(button("A"), link("B", "https://x.example/"), button("C"))
    assert [e["name"] for e in snapshot.interactive_elements(roles=["button"])] == ["A", "C"]
    assert [e["name"] for e in snapshot.interactive_elements(limit=2)] == ["A", "B"]


def test_no_dialect_gives_the_value_of_a_secret_field() -> None:
    snapshot = look(
        control(
            "textbox",
            "Password",
            flags=Flag.SECRET | Flag.EDITABLE,
            secret="password",
            value="s3cret",
        )
    )
    everything = (
        f"{snapshot.json()}{snapshot.interactive_elements()}{snapshot.tree()}{snapshot.text()}"
    )
    assert "s3cret" not in everything


# Seed 004


def test_the_tree_holds_what_is_in_view_with_integer_ids_and_upper_case_tags() -> None:
    snapshot = look(
        heading("Plan"),
        text("words"),
        button("Submit", box=(100, 200, 80, 30)),
        off(button("Far")),
        el("region", "No control"),
    )
    assert snapshot.tree() == {
        "tree": [
            {
                "id": 1,
                "ref": "@e1",
                "role": "button",
                "name": "Submit",
                "tag": "BUTTON",
                "bounds": {"x": 100, "y": 200, "width": 80, "height": 30},
            }
        ]
    }

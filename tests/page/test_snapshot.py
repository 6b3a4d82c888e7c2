"""Walks of all frames become one list of elements: order, places, refs, filters, honest counts."""

from __future__ import annotations

from datetime import UTC
from typing import Any
from uuid import UUID

import pytest

from subterminator.errors import RefInvalid
from subterminator.page.refs import RefTable
from subterminator.page.snapshot import FrameWalk, Snapshot, View, build
from subterminator.types import Box, Flag, RawNode
from tests.page.nodes import button, control, el, heading, link, look, off, text, walk

TOP, OVERLAY, COVERED = Flag.TOP, Flag.OVERLAY, Flag.COVERED


def names(snapshot: Snapshot) -> list[str]:
    return [element.name for element in snapshot.elements]


def test_a_snapshot_has_an_id_and_an_aware_time() -> None:
    snapshot = look(button("Save"))
    assert UUID(snapshot.id).version == 4
    assert snapshot.time.tzinfo is UTC
    assert look().id != snapshot.id


def test_refs_go_to_controls_scrollers_and_regions_but_not_to_text_and_structure() -> None:
    snapshot = look(
        heading("Plan"),
        text("Premium"),
        button("Cancel"),
        el("generic", flags=Flag.SCROLLS),
        *(el(role, "R") for role in ("region", "dialog", "alert", "alertdialog", "navigation")),
    )
    refs = {element.role: element.ref for element in snapshot.elements}
    assert refs == {
        "heading": "",
        "text": "",
        "button": "@e1",
        "generic": "@e2",
        "region": "@e3",
        "dialog": "@e4",
        "alert": "@e5",
        "alertdialog": "@e6",
        "navigation": "",
    }


def test_refs_live_on_from_snapshot_to_snapshot() -> None:
    refs = RefTable()
    first = look(button("A", id=1), button("B", id=2), refs=refs)
    second = look(button("New", id=3), button("B", id=2), refs=refs)
    assert [e.ref for e in first.elements] == ["@e1", "@e2"]
    assert [e.ref for e in second.elements] == ["@e3", "@e2"]


def test_the_top_layer_comes_first_then_overlays_then_the_page() -> None:
    snapshot = look(
        button("Page"),
        el("region", "Wrapper"),
        el("dialog", "Over", 1, flags=OVERLAY),
        button("In over", 2, flags=OVERLAY),
        el("dialog", "Top", 1, flags=TOP),
        button("In top", 2, flags=TOP),
        button("Last", 1),
    )
    assert names(snapshot) == ["Top", "In top", "Over", "In over", "Page", "Wrapper", "Last"]
    assert [e.depth for e in snapshot.elements] == [0, 1, 0, 1, 0, 0, 1]


def test_text_inside_a_dialog_goes_where_the_dialog_goes() -> None:
    snapshot = look(text("Page"), el("dialog", "Sure?", flags=TOP), text("It ends today.", 1))
    assert names(snapshot) == ["Sure?", "It ends today.", "Page"]


def page_with_frame(*inner: RawNode, **frame: Any) -> list[FrameWalk]:
    flags = frame.pop("flags", 0)
    return [
        walk(
            button("Before"),
            el(
                "iframe",
                "Pay",
                tag="iframe",
                box=(95, 195, 410, 210),
                content_box=(100, 200, 400, 200),
                flags=flags,
                **frame,
            ),
            button("After"),
        ),
        walk(
            *inner,
            url="https://pay.example/form",
            world="w2",
            parent=0,
            owner=2,
        ),
    ]


def test_a_frame_is_read_where_it_stands_one_level_deeper() -> None:
    snapshot = build(page_with_frame(heading("Card"), button("Pay", 1)), RefTable())
    assert names(snapshot) == ["Before", "Pay", "Card", "Pay", "After"]
    assert [e.depth for e in snapshot.elements] == [0, 0, 1, 2, 0]
    assert [e.frame for e in snapshot.elements] == [0, 0, 1, 1, 0]
    assert [e.ref for e in snapshot.elements if e.ref] == ["@e1", "@e2", "@e3"]


def test_boxes_of_a_frame_are_in_coordinates_of_the_page() -> None:
    snapshot = build(page_with_frame(button("Pay", box=(10, 20, 30, 40))), RefTable())
    assert snapshot.element("@e2").box == Box(110, 220, 30, 40)
    assert snapshot.frames[1].box == Box(100, 200, 400, 200)


def test_a_scaled_frame_scales_its_boxes() -> None:
    walks = page_with_frame(button("Pay", box=(10, 20, 30, 40)), scale=(0.5, 2.0))
    assert build(walks, RefTable()).element("@e2").box == Box(105, 240, 15, 80)


def test_places_add_up_over_nested_frames() -> None:
    walks = [
        *page_with_frame(el("iframe", "Inner", box=(0, 0, 1, 1), content_box=(7, 9, 300, 150))),
        walk(button("Deep", box=(1, 2, 3, 4)), world="w3", parent=1, owner=1),
    ]
    snapshot = build(walks, RefTable())
    assert snapshot.element("@e2").box == Box(108, 211, 3, 4)
    assert snapshot.element("@e2").depth == 2


def test_hundreds_of_nested_frames_are_read_to_the_last() -> None:
    frame: dict[str, Any] = {"content_box": (0, 0, 400, 300), "id": 1}
    walks = [walk(el("iframe", "F", **frame), button("B"), world="w0")]
    for depth in range(1, 800):
        inner = [el("iframe", "F", **frame), button("B")]
        walks.append(walk(*inner, world=f"w{depth}", parent=depth - 1, owner=1))
    snapshot = build(walks, RefTable())
    assert len(snapshot.elements) == 1600 and max(e.depth for e in snapshot.elements) == 799
    assert "@e1" in snapshot.text()


def test_what_a_frame_does_not_show_is_off_screen() -> None:
    walks = page_with_frame(
        button("Seen", box=(10, 20, 30, 40)),
        button("Below the frame's edge", box=(10, 300, 30, 40)),
    )
    snapshot = build(walks, RefTable())
    assert [bool(e.has(Flag.OFFSCREEN)) for e in snapshot.elements[2:4]] == [False, True]


def test_everything_in_a_frame_off_screen_or_covered_is_so_too() -> None:
    for flag in (Flag.OFFSCREEN, COVERED):
        snapshot = build(page_with_frame(button("Pay"), flags=flag), RefTable())
        assert snapshot.element("@e2").has(flag)


def test_a_frame_that_cannot_be_read_is_listed_with_the_reason() -> None:
    walks = [
        walk(el("iframe", "Ad", id=5, content_box=(1, 2, 3, 4))),
        FrameWalk(None, "", "F2", 0, 5, "ad", "https://ads.example/", "it does not answer"),
    ]
    frame = build(walks, RefTable()).frames[1]
    assert (frame.accessible, frame.reason) == (False, "it does not answer")
    assert frame.url == "https://ads.example/" and frame.box == Box(1, 2, 3, 4)


def test_a_frame_whose_element_is_hidden_is_not_shown_and_its_controls_are_counted() -> None:
    walks = [
        walk(button("Page"), hidden=2),
        walk(button("A"), button("B"), text("x"), world="w2", parent=0, owner=99, hidden=1),
    ]
    snapshot = build(walks, RefTable())
    assert names(snapshot) == ["Page"]
    assert snapshot.left_out.hidden == 5


def test_a_page_that_cannot_be_read_is_an_empty_snapshot() -> None:
    snapshot = build(
        [FrameWalk(None, "", "F", -1, 0, "", "https://x.example/", "crashed")], RefTable()
    )
    assert snapshot.elements == () and snapshot.page.url == "https://x.example/"


def test_the_focused_element_is_found_through_frames() -> None:
    walks = page_with_frame(control("textbox", "Card", id=4))
    assert build(walks, RefTable()).focused is None
    assert walks[0].raw is not None and walks[1].raw is not None
    walks[0].raw.focus, walks[1].raw.focus = 2, 4
    assert build(walks, RefTable()).focused == "@e2"
    walks[0].raw.focus = 1
    assert build(walks, RefTable()).focused == "@e1"


def test_the_value_of_a_secret_field_is_dropped_even_if_a_walk_should_send_it() -> None:
    snapshot = look(
        control("textbox", "Password", flags=Flag.SECRET, value="hunter2", secret="password")
    )
    assert snapshot.elements[0].facts.value is None


def test_text_between_things_off_screen_is_off_screen() -> None:
    snapshot = look(
        text("start"),
        button("Seen"),
        text("after what is seen"),
        off(button("Far")),
        text("far"),
        off(button("Farther")),
        text("end"),
    )
    flags = [e.name for e in snapshot.elements if e.has(Flag.OFFSCREEN)]
    assert flags == ["Far", "far", "Farther", "end"]


def test_identical_buttons_know_their_row() -> None:
    rows = [
        node
        for name in ("Backup", "Mail")
        for node in (el("row"), el("cell", name, 1), el("cell", "", 1), button("Turn off", 2))
    ]
    contexts = {e.ref: e.context for e in look(el("table"), *rows).elements if e.ref}
    assert contexts == {"@e1": "Backup", "@e2": "Mail"}


def test_identical_buttons_know_their_card_heading_group_or_the_words_before_them() -> None:
    article = look(
        el("article"), text("new", 1), heading("Mail", 3, 1), button("Open", 1), button("Open")
    )
    assert article.element("@e1").context == "Mail"
    group = look(
        el("group", "Ship to"), button("Edit", 1), el("group", "Bill to"), button("Edit", 1)
    )
    assert [e.context for e in group.elements if e.ref] == ["Ship to", "Bill to"]
    boxes = look(
        heading("Services"),
        *(text("Backup"), text("Every night."), button("Turn off")),
        *(text("Mail"), text("Five addresses."), button("Turn off")),
    )
    assert [e.context for e in boxes.elements if e.ref] == ["Backup", "Mail"]


def test_an_element_without_a_twin_has_no_context() -> None:
    assert look(heading("H"), button("A"), button("B")).elements[1].context == ""


# Filters


def many() -> Snapshot:
    return look(
        heading("Plan"),
        button("Cancel"),
        el("region", "More"),
        link("Terms", "https://shop.example/terms", 1),
        text("small print", 1),
        el("group", "Deep", 1),
        button("Deeper", 2),
        off(button("Far")),
        button("Under", flags=COVERED),
    )


def test_covered_controls_stay_and_are_counted() -> None:
    snapshot = many()
    assert snapshot.element("@e6").name == "Under"
    assert snapshot.left_out.covered == 1


def test_viewport_only_leaves_out_and_counts_what_is_off_screen() -> None:
    shown = many().filtered(View(viewport_only=True))
    assert "Far" not in names(shown) and "Cancel" in names(shown)
    assert shown.left_out.offscreen == 1


def test_roles_keep_only_these_and_count_the_other_controls() -> None:
    shown = many().filtered(View(roles=("link", "heading")))
    assert names(shown) == ["Plan", "Terms"]
    assert shown.left_out.role == 5


def test_a_root_keeps_its_subtree_and_counts_what_is_outside() -> None:
    shown = many().filtered(View(root="@e2"))
    assert names(shown) == ["More", "Terms", "small print", "Deep", "Deeper"]
    assert [e.depth for e in shown.elements] == [0, 1, 1, 1, 2]
    assert shown.left_out.outside == 3


def test_depth_counts_below_the_root() -> None:
    shown = many().filtered(View(root="@e2", depth=1))
    assert names(shown) == ["More", "Terms", "small print", "Deep"]
    assert (shown.left_out.outside, shown.left_out.depth) == (3, 1)


def test_a_maximum_counts_controls_and_keeps_the_texts_between_them() -> None:
    shown = many().filtered(View(max_elements=3))
    assert names(shown) == ["Plan", "Cancel", "More", "Terms", "small print", "Deep"]
    assert shown.left_out.limit == 3
    assert many().filtered(View(max_elements=100)).left_out.limit == 0


def test_filters_add_up_and_every_control_is_counted_once() -> None:
    whole = many()
    shown = whole.filtered(View(viewport_only=True, roles=("button",), max_elements=1))
    left = shown.left_out
    refs = sum(1 for e in whole.elements if e.ref)
    assert left.offscreen + left.role + left.limit + 1 == refs


def test_a_filtered_snapshot_is_the_same_snapshot() -> None:
    whole = many()
    assert whole.filtered(View(viewport_only=True)).id == whole.id
    assert whole.filtered(View()).elements == whole.elements


def test_an_unknown_root_or_ref_is_refused() -> None:
    with pytest.raises(RefInvalid):
        many().filtered(View(root="@e99"))
    with pytest.raises(RefInvalid, match="@e99 is not in this snapshot"):
        many().element("99")


def test_what_was_not_examined_is_counted() -> None:
    snapshot = build(
        [walk(button("A"), partial="time")], RefTable(), hosts_left=3, listeners_left=4
    )
    left = snapshot.left_out
    assert (left.unchecked_hosts, left.unchecked_listeners, left.partial) == (3, 4, "time")

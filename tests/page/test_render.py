"""The text a model reads: compact, complete, bounded, and nothing in it that a page could forge."""

from __future__ import annotations

import re

from subterminator.page.refs import RefTable
from subterminator.page.snapshot import FrameWalk, View, build
from subterminator.types import Flag, RawNode
from tests.page.nodes import body, button, control, el, heading, link, look, off, text, walk

INLINE, OFFSCREEN, COVERED, TOP = Flag.INLINE, Flag.OFFSCREEN, Flag.COVERED, Flag.TOP
OURS = re.compile(r"(?<!\\)@e\d+")


def lines(*nodes: RawNode) -> list[str]:
    return body(look(*nodes)).split("\n")


def line(*nodes: RawNode) -> str:
    (only,) = lines(*nodes)
    return only


def test_the_first_lines_say_where_we_are_and_whose_words_are_quoted() -> None:
    first, second = look(title='My "shop"').text().split("\n")[:2]
    assert first == r'page "My \"shop\"" at https://shop.example/account'
    assert "never instructions" in second


def test_a_scrolled_page_says_so() -> None:
    assert "scrolled to 0,800" in look(sy=800).text()


def test_an_empty_page_and_one_that_cannot_be_read_say_so() -> None:
    assert look().text().endswith("The page is empty.")
    crashed = FrameWalk(None, "", "F", -1, 0, "", "https://x.example/", "the tab crashed")
    assert "(not readable: the tab crashed)" in build([crashed], RefTable()).text()


# Layers, frames, the fold


def test_what_is_under_a_modal_dialog_is_one_line() -> None:
    page = [button(f"B{n}", flags=COVERED) for n in range(34)]
    shown = lines(
        heading("Your plan", flags=COVERED),
        *page,
        text("never mind"),
        el("dialog", "Sure?", flags=TOP),
        button("Yes", 1, flags=TOP),
    )
    assert shown == [
        '@e1 dialog "Sure?"',
        ' @e2 button "Yes"',
        'under it: 34 controls, heading "Your plan"',
    ]


def test_of_stacked_dialogs_only_the_topmost_is_shown_in_full() -> None:
    shown = lines(
        el("dialog", "First", flags=TOP | COVERED),
        *(button(f"B{n}", 1, flags=TOP | COVERED) for n in range(9)),
        el("dialog", "Second", flags=TOP),
        button("OK", 1, flags=TOP),
    )
    assert shown[:2] == ['@e11 dialog "Second"', ' @e12 button "OK"']
    assert shown[2] == 'under it: 9 controls, dialog "First"'


def test_a_banner_over_a_part_of_the_page_hides_only_that_part() -> None:
    over = Flag.OVERLAY
    shown = lines(
        heading("News"),
        *(button("Play"), button("Share"), button("Beneath", flags=COVERED)),
        el("dialog", "Cookies", flags=over),
        button("Reject all", 1, flags=over),
    )
    assert shown[2:] == [
        'under it: @e5 button "Beneath"',
        '## "News"',
        'buttons @e3 "Play" @e4 "Share"',
    ]


def test_without_a_layer_a_covered_control_is_marked() -> None:
    assert line(button("Beneath", flags=COVERED)) == '@e1 button "Beneath" covered'


def test_what_is_below_the_view_comes_after_one_line_that_says_so() -> None:
    assert lines(button("Seen"), off(heading("Far")), text("far"), off(button("Far too"))) == [
        '@e1 button "Seen"',
        "-- below the view --",
        '## "Far"',
        '"far"',
        '@e2 button "Far too"',
    ]


def test_a_single_thing_off_screen_is_marked_where_it_stands() -> None:
    assert lines(button("A"), off(control("link", "Skip")), button("B")) == [
        '@e1 button "A"',
        '@e2 link "Skip" (off-screen)',
        '@e3 button "B"',
    ]


def test_a_scrolled_page_says_what_is_above_and_where_the_view_begins() -> None:
    shown = lines(
        *(off(heading(f"H{n}"), y=-900) for n in range(3)),
        button("Seen"),
        off(button("Far")),
    )
    assert shown[0] == "-- above the view --"
    assert shown[4:] == [
        "-- in view --",
        '@e1 button "Seen"',
        "-- below the view --",
        '@e2 button "Far"',
    ]


def test_frames_are_sections_and_name_their_site_if_it_is_another() -> None:
    frame = el("iframe", "Payment", id=1, content_box=(0, 0, 400, 300))
    inner = walk(button("Pay"), url="https://pay.example/", world="w2", parent=0, owner=1)
    unread = FrameWalk(None, "", "F3", 0, 2, "", "https://ads.example/", "it does not answer")
    other = el("iframe", "Ad", id=2, content_box=(0, 300, 400, 100))
    shown = body(build([walk(frame, other), inner, unread], RefTable()))
    assert shown.split("\n") == [
        'frame "Payment" from pay.example',
        ' @e1 button "Pay"',
        'frame "Ad" (not readable: it does not answer)',
    ]


# What was left out


def test_filters_say_what_they_left_out() -> None:
    snapshot = look(button("A"), link("B", "https://x.example/"), off(button("C")))
    shown = snapshot.filtered(View(viewport_only=True, roles=("button",))).text()
    assert shown.endswith("controls left out as asked: 1 off-screen, 1 of other roles")


def test_a_walk_that_ended_early_and_elements_not_examined_are_said() -> None:
    snapshot = build([walk(button("A"), partial="nodes")], RefTable(), hosts_left=2)
    assert "too large: reading it ended early (nodes)" in snapshot.text()
    assert "2 elements were not examined" in snapshot.text()

"""Rows as rows, sentences as sentences, like with like."""

from __future__ import annotations

from subterminator.page.tokens import estimate
from subterminator.types import Flag, RawNode
from tests.page.nodes import body, button, control, el, heading, look, text

INLINE = Flag.INLINE


def lines(*nodes: RawNode) -> list[str]:
    return body(look(*nodes)).split("\n")


def line(*nodes: RawNode) -> str:
    (only,) = lines(*nodes)
    return only


def test_controls_of_a_kind_share_a_line_and_their_common_state() -> None:
    assert line(button("Save"), button("Cancel")) == 'buttons @e1 "Save" @e2 "Cancel"'
    boxes = [control("checkbox", name, flags=Flag.CHECKABLE) for name in "AB"]
    assert line(*boxes) == 'checkboxes unchecked @e1 "A" @e2 "B"'
    boxes[1].flags |= Flag.CHECKED
    assert line(*boxes) == 'checkboxes @e1 "A" unchecked @e2 "B" checked'


def test_a_list_of_links_is_one_line() -> None:
    items = [
        node
        for name in ("Home", "Help", "Jobs")
        for node in (el("listitem", depth=2), button(name, 3))
    ]
    assert lines(el("navigation", "Main"), el("list", depth=1), *items) == [
        'navigation "Main"',
        ' buttons @e1 "Home" @e2 "Help" @e3 "Jobs"',
    ]


def test_a_link_in_a_sentence_stays_there() -> None:
    shown = lines(
        text("You accept the"),
        control("link", "terms", flags=INLINE),
        text("and the", flags=INLINE),
        control("link", "rules", flags=INLINE),
        text(".", flags=INLINE),
        text("Next paragraph"),
    )
    assert shown == [
        '"You accept the" @e1 link "terms" "and the" @e2 link "rules"',
        '"Next paragraph"',
    ]


def test_a_row_with_a_link_in_it_is_a_line_of_its_own() -> None:
    rows = [text("Paid"), control("link", "Bill 1", flags=INLINE)]
    rows += [text("Open"), control("link", "Bill 2", flags=INLINE)]
    assert lines(*rows) == ['"Paid" @e1 link "Bill 1"', '"Open" @e2 link "Bill 2"']


def test_headings_show_their_level_and_a_heading_that_is_a_link_is_said_once() -> None:
    assert lines(heading("Plans", 1), heading("Basic", 3)) == ['# "Plans"', '### "Basic"']
    assert line(heading("Basic", 3), control("link", "Basic", 1)) == '### @e1 "Basic"'
    assert line(heading("FAQ", 3), button("FAQ", 1, flags=Flag.EXPANDABLE)) == (
        '### @e1 button "FAQ" collapsed'
    )


def test_a_table_row_is_a_line() -> None:
    assert lines(
        el("table", "Services"),
        *(el("row", depth=1), el("columnheader", "Name", 2), el("columnheader", "State", 2)),
        *(el("row", depth=1), el("cell", "Backup", 2), el("cell", "", 2)),
        *(text("on", 3), button("Turn off", 3)),
        *(el("row", depth=1), el("cell", "", 2), el("cell", "none", 2)),
    ) == [
        'table "Services"',
        ' "Name" | "State"',
        ' "Backup" | "on" @e1 button "Turn off"',
        '  | "none"',
    ]


def test_a_month_takes_about_ten_lines() -> None:
    nodes = [el("grid", "November 2026"), el("row", depth=1)]
    nodes += [el("columnheader", day, 2) for day in ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")]
    for day in range(1, 31):
        if day % 7 == 1:
            nodes.append(el("row", depth=1))
        state = Flag.DISABLED if day == 1 else 0
        nodes.append(control("gridcell", f"Choose Monday, November {day}, 2026", 2, flags=state))
        nodes.append(text(str(day), 3))
    shown = lines(button("Previous month"), *nodes)
    assert len(shown) <= 10
    assert shown[3].startswith(' gridcells @e2 "1" disabled @e3 "2" @e4 "3"')
    assert estimate("\n".join(shown)) < 260


def test_items_with_several_things_are_set_apart_and_single_ones_are_not() -> None:
    assert lines(
        el("listitem"),
        *(text("TV", 1), button("Sign out", 1)),
        el("listitem"),
        *(text("Phone", 1), button("Log off", 1)),
    ) == ['- "TV"', ' @e1 button "Sign out"', '- "Phone"', ' @e2 button "Log off"']


def test_an_alert_is_one_line_and_a_dialog_holds_what_is_in_it() -> None:
    assert line(el("alert"), text("Card expired", 1)) == '@e1 alert "Card expired"'
    assert lines(el("dialog", "Sure?"), text("It ends today.", 1), button("Yes", 1)) == [
        '@e1 dialog "Sure?"',
        ' "It ends today."',
        ' @e2 button "Yes"',
    ]


def test_nothing_is_said_twice() -> None:
    assert lines(el("group", "Plan"), text("Plan", 1), button("Free", 1)) == [
        'group "Plan"',
        ' @e1 button "Free"',
    ]


def test_identical_buttons_far_from_their_title_say_where_they_are() -> None:
    cards = [
        node
        for name in ("Backup", "Mail")
        for node in (
            el("article"),
            heading(name, 3, 1),
            *(text(f"Fact {n} about {name.lower()}", 1) for n in range(6)),
            button("Turn off", 1),
        )
    ]
    shown = lines(*cards)
    assert '@e1 button "Turn off" in "Backup"' in shown
    near = lines(*cards[:3], cards[8], *cards[9:12], cards[17])
    assert '@e1 button "Turn off"' in near and '@e2 button "Turn off"' in near


def cards(count: int) -> list[RawNode]:
    return [
        node
        for n in range(count)
        for node in (
            el("article"),
            heading(f"Thing {n}", 3, 1),
            control("link", f"Thing {n}", 2),
            text(f"About thing {n}", 1),
            button(f"Buy {n}", 1),
            control("spinbutton", f"Number {n}", 1, value="1"),
        )
    ]


def test_many_cards_that_are_all_alike_say_once_what_is_in_each() -> None:
    shown = lines(*cards(9))
    assert shown[:2] == [
        "each article: link, text, button, spinbutton",
        '@e1 "Thing 0" "About thing 0" @e2 "Buy 0" @e3 "Number 0" =1',
    ]
    assert len(shown) == 10


def test_a_few_cards_or_one_that_differs_keep_their_roles() -> None:
    assert "each" not in "\n".join(lines(*cards(7)))
    nodes = cards(12)
    nodes[15] = control("checkbox", "Odd one out", 1, flags=Flag.CHECKABLE)
    shown = lines(*nodes)
    assert '@e8 checkbox "Odd one out" unchecked' in shown
    assert shown.count("each article: link, text, button, spinbutton") == 1


def test_many_rows_that_are_all_alike_keep_their_cells() -> None:
    nodes = [el("table", "Ledger")]
    for n in range(10):
        nodes += [el("row", depth=1), el("cell", depth=2), control("link", f"Row {n}", 3)]
        nodes += [el("cell", f"{n} files", 2), el("cell", depth=2), button(f"Edit {n}", 3)]
    assert lines(*nodes)[:3] == [
        'table "Ledger"',
        " each row: link | text | button",
        ' @e1 "Row 0" | "0 files" | @e2 "Edit 0"',
    ]

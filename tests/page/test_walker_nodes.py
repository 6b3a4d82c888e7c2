"""Which parts of a page become nodes, what they are called, and that nothing is said twice."""

from __future__ import annotations

import pytest

from subterminator.types import Flag, RawFrame
from tests.page.walking import Walker, names, only, texts, usable


def outline(frame: RawFrame) -> list[str]:
    return [f"{'  ' * node.depth}{node.role} {node.name}".rstrip() for node in frame.nodes]


async def test_text_of_a_block_is_one_run_and_a_link_in_it_stays_in_line(walker: Walker) -> None:
    frame = await walker.show(
        "<p>Read <b>our</b> <a href=/t>terms</a> and <i>pri</i>vacy<br>rules.</p><p>Next</p>"
    )
    assert outline(frame) == ["text Read our", "link terms", "text and privacy rules.", "text Next"]
    assert [bool(node.flags & Flag.INLINE) for node in frame.nodes] == [False, True, True, False]


async def test_what_begins_a_line_does_not_go_on_the_one_before(walker: Walker) -> None:
    frame = await walker.show(
        "<div>Paid <a href=/1>Bill</a></div><div><a href=/2>Order</a> sent</div><a href=/3>Other</a>"
    )
    inline = [node.name for node in frame.nodes if node.flags & Flag.INLINE]
    assert inline == ["Bill", "sent"]


async def test_five_hundred_spans_are_one_text(walker: Walker) -> None:
    frame = await walker.show(f"<div>{'<span>word</span> ' * 500}</div>")
    (said,) = texts(frame)
    assert len(said) == 2000 and said.endswith("…")


async def test_what_is_already_a_name_is_not_said_again(walker: Walker) -> None:
    frame = await walker.show(
        "<h2>Plan <b>Pro</b></h2><label>Email <input></label><a href=/x><span>Go</span></a>"
        "<fieldset><legend>Period</legend><label><input type=radio>Month</label></fieldset>"
        "<table><caption>Bills</caption><tr><td>May<td>$5</table>"
    )
    assert texts(frame) == []
    assert outline(frame) == [
        "heading Plan Pro",
        "textbox Email",
        "link Go",
        "group Period",
        "  radio Month",
        "table Bills",
        "  row",
        "    cell May",
        "    cell $5",
    ]


async def test_structure_is_kept_where_it_says_something(walker: Walker) -> None:
    frame = await walker.show(
        "<nav><ul><li><a href=/1>One</a><li>Two</ul></nav><ul><li>Plain</ul><main></main>"
        "<section>Unnamed</section><section aria-label=Named>Text</section><ol aria-label=Steps>"
        "<li>First</ol>"
    )
    assert outline(frame) == [
        "navigation",
        "  list",
        "    listitem",
        "      link One",
        "    listitem",
        "      text Two",
        "text Plain",
        "text Unnamed",
        "region Named",
        "  text Text",
        "list Steps",
        "  listitem",
        "    text First",
    ]


async def test_a_table_for_layout_has_no_structure_and_one_for_data_has(walker: Walker) -> None:
    frame = await walker.show(
        "<table><tr><td>Lay<td>out</table><table role=none><tr><td>a<td>b<tr><td>c<td>d</table>"
        "<table><tr><th>Name<th>Price<tr><td><a href=/a>Apple</a><td>$1 <button>Buy</button></table>"
    )
    assert outline(frame) == [
        "text Lay",
        "text out",
        "text a",
        "text b",
        "text c",
        "text d",
        "table",
        "  row",
        "    columnheader Name",
        "    columnheader Price",
        "  row",
        "    cell",
        "      link Apple",
        "    cell",
        "      text $1",
        "      button Buy",
    ]


# What can be clicked without being a control

CLICKABLE = {
    "a pointer cursor": '<div style="cursor:pointer"><b>Card</b><p>Text</p></div>',
    "a handler": '<div onclick="x()">Card <span>Text</span></div>',
    "a tab stop": "<div tabindex=0>Card Text</div>",
}


@pytest.mark.parametrize("html", CLICKABLE.values(), ids=CLICKABLE.keys())
async def test_a_clickable_box_is_offered_under_its_text(html: str, walker: Walker) -> None:
    frame = await walker.show(html)
    assert names(frame) == ["generic Card Text"]
    assert texts(frame) == []


async def test_a_clickable_box_is_never_named_by_a_whole_subtree(walker: Walker) -> None:
    frame = await walker.show(f'<div style="cursor:pointer">{"<p>Some words</p>" * 50}</div>')
    (card,) = usable(frame)
    assert len(card.name) == 120 and card.name.endswith("…")
    assert len(texts(frame)) == 50


async def test_the_innermost_clickable_things_are_offered_and_their_containers_not(
    walker: Walker,
) -> None:
    frame = await walker.show(
        '<div onclick="x()"><div style="cursor:pointer"><button>In</button></div></div>'
        '<div onclick="x()"><div onclick="y()">Deep</div></div>'
        '<div style="cursor:pointer">Own text <button>Also</button></div>'
        "<div tabindex=0><a href=/l>Link</a></div>"
    )
    assert names(frame) == [
        "button In",
        "generic Deep",
        "generic Own text",
        "button Also",
        "link Link",
    ]


async def test_list_items_and_pictures_that_can_be_clicked_keep_their_role(walker: Walker) -> None:
    frame = await walker.show(
        '<ul><li style="cursor:pointer">A<li style="cursor:pointer">B</ul>'
        '<img alt=Star onclick="x()" width=9 height=9><a onclick="x()">No address</a>'
    )
    assert names(frame) == ["listitem A", "listitem B", "img Star", "link No address"]


async def test_icons_and_labels_alike_under_one_pointer_are_offered_apart(walker: Walker) -> None:
    icon = "<svg width=20 height=20><path d='M0 0h9v9z'/></svg>"
    frame = await walker.show(
        f'<div style="cursor:pointer">{icon * 3}</div>'
        '<div style="cursor:pointer"><span>1</span><span>2</span></div>'
        '<div style="cursor:pointer"><img alt=Photo width=9 height=9><span>Ada</span></div>'
    )
    assert names(frame) == ["img", "img", "img", "generic 1", "generic 2", "generic Photo Ada"]


async def test_a_close_mark_inside_a_tab_is_offered_beside_it(walker: Walker) -> None:
    frame = await walker.show(
        "<div role=tablist><button role=tab>Home<span onclick='x()'>×</span></button>"
        "<button role=tab><span onclick='x()'>Other</span></button></div>"
    )
    assert names(frame) == ["tab Home×", "generic ×", "tab Other"]


async def test_a_listener_the_engine_has_found_counts(walker: Walker) -> None:
    await walker.put("<p><span>Listens</span> <span>does not</span></p>")
    await walker.run("walker.clickable(document.querySelector('span'))")
    frame = await walker.walk()
    assert names(frame) == ["generic Listens"]
    assert usable(frame)[0].flags & Flag.LISTENER


async def test_things_focused_only_to_be_read_are_not_offered(walker: Walker) -> None:
    frame = await walker.show(
        "<h1 tabindex=0>Head</h1><div role=dialog tabindex=0>Ask</div>"
        "<div role=tabpanel tabindex=0>Panel</div><div tabindex=-1>Aside</div>"
        '<div tabindex=0 style="overflow:auto;height:40px"><p style="height:300px">Long</p></div>'
    )
    assert names(frame) == []


async def test_a_tree_is_items_and_not_one_long_name(walker: Walker) -> None:
    frame = await walker.show(
        "<ul role=tree><li role=treeitem aria-expanded=true>Folder<ul role=group>"
        "<li role=treeitem>File</ul></ul>"
    )
    assert names(frame) == ["treeitem Folder", "treeitem File"]


async def test_options_of_a_closed_list_are_values_and_of_an_open_one_nodes(walker: Walker) -> None:
    frame = await walker.show(
        "<select aria-label=A><option>x<option selected>y</select>"
        "<select aria-label=B size=3><option>p<option selected>q</select>"
    )
    assert names(frame) == ["combobox A", "listbox B", "option p", "option q"]
    closed = only(frame.nodes, "A")
    assert (closed.facts.value, closed.facts.options) == ("y", ("x", "y"))
    assert only(frame.nodes, "q").flags & Flag.SELECTED


async def test_a_walk_can_be_of_one_part_only(walker: Walker) -> None:
    await walker.put("<button>Out</button><div id=part><button>In</button></div>")
    root = await walker.run("walker.idOf(document.getElementById('part'))")
    assert names(await walker.walk(root=root)) == ["button In"]


async def test_an_element_keeps_its_id(walker: Walker) -> None:
    await walker.put("<button>A</button><button>B</button>")
    before = {node.name: node.id for node in usable(await walker.walk())}
    await walker.run("document.body.prepend(document.body.lastChild)")
    assert {node.name: node.id for node in usable(await walker.walk())} == before

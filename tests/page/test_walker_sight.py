"""What a person cannot see is not offered, and what they can see is."""

from __future__ import annotations

import pytest

from subterminator.types import Box, Flag, RawNode
from tests.page.walking import Walker, names, only, texts, usable

CLIPPED = "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)"
UNSEEN = {
    "display": '<a href=/x style="display:none">X</a>',
    "visibility": '<a href=/x style="visibility:hidden">X</a>',
    "opacity": '<a href=/x style="opacity:0">X</a>',
    "opacity of an ancestor": '<div style="opacity:0"><p><a href=/x>X</a></div>',
    "far left": '<a href=/x style="position:absolute;left:-9999px">X</a>',
    "folded": '<div style="height:0;overflow:hidden"><a href=/x>X</a></div>',
    "inert": "<div inert><a href=/x>X</a></div>",
    "clipped": f'<a href=/x style="{CLIPPED}">X</a>',
    "in a clipped box": f'<div style="{CLIPPED}"><a href=/x>X</a></div>',
    "skipped content": '<div style="content-visibility:hidden">t<a href=/x>X</a></div>',
    "in a closed section": "<details><div>t<a href=/x>X</a></div></details>",
    "slid out": '<nav style="position:fixed;width:9em;transform:translateX(-100%)">'
    "<a href=/x>X</a></nav>",
    "empty": "<a href=/x></a>",
}


@pytest.mark.parametrize("html", UNSEEN.values(), ids=UNSEEN.keys())
async def test_what_is_not_shown_is_not_offered_but_counted(html: str, walker: Walker) -> None:
    frame = await walker.show(f"{html}<button>Seen</button>")
    assert names(frame) == ["button Seen"]
    assert texts(frame) == []
    assert frame.hidden == 1


async def test_a_part_that_is_visible_again_inside_something_hidden_is_offered(
    walker: Walker,
) -> None:
    frame = await walker.show(
        '<div style="visibility:hidden">no <button style="visibility:visible">Yes</button> no</div>'
    )
    assert (names(frame), texts(frame)) == (["button Yes"], [])


async def test_a_control_in_an_aria_hidden_part_is_offered_though_its_text_is_not(
    walker: Walker,
) -> None:
    frame = await walker.show("<div aria-hidden=true>decoration <button>Real</button></div>")
    assert (names(frame), texts(frame)) == (["button Real"], [])


async def test_a_price_drawn_twice_is_read_once(walker: Walker) -> None:
    frame = await walker.show(
        f'<span style="{CLIPPED}">$12.99</span><span aria-hidden=true>$12<sup>99</sup></span>'
    )
    assert texts(frame) == ["$12.99"]


async def test_what_scrolling_brings_into_view_is_off_screen(walker: Walker) -> None:
    frame = await walker.show(
        '<button>Here</button><div style="overflow:auto;height:60px"><div style="height:900px">'
        '</div><button>In the box</button></div><div style="height:5000px"></div>'
        '<button>Far down</button><div style="overflow:hidden;width:200px;display:flex">'
        '<a href=/1 style="flex:none;width:200px">One</a>'
        '<a href=/2 style="flex:none;width:200px">Two</a></div>'
    )
    off = {node.name: bool(node.flags & Flag.OFFSCREEN) for node in usable(frame)}
    assert off == {"Here": False, "In the box": True, "Far down": True, "One": True, "Two": True}
    assert [node.tag for node in frame.nodes if node.flags & Flag.SCROLLS] == ["div"]


async def test_what_no_scrolling_brings_back_is_not_offered(walker: Walker) -> None:
    frame = await walker.show(
        '<div style="width:200px;overflow:hidden"><div style="display:flex;transform:'
        'translateX(-200px)"><a href=/1 style="flex:none;width:200px">One</a>'
        '<a href=/2 style="flex:none;width:200px">Two</a></div></div>'
    )
    assert (names(frame), texts(frame)) == (["link Two"], [])


HIDDEN_BOXES = {
    "before its label": "<input id=b type=checkbox {}><label for=b>Agree</label>",
    "after its label": "<label for=b>Agree</label><input id=b type=checkbox {}>",
    "in its label": "<label><input type=checkbox {}><span>Agree</span></label>",
}
HIDINGS = ["style=display:none", "style=opacity:0;position:absolute;width:0", f'style="{CLIPPED}"']


@pytest.mark.parametrize("hiding", HIDINGS)
@pytest.mark.parametrize("html", HIDDEN_BOXES.values(), ids=HIDDEN_BOXES.keys())
async def test_a_hidden_check_box_is_offered_once_where_its_label_is(
    html: str, hiding: str, walker: Walker
) -> None:
    frame = await walker.show(html.format(hiding))
    (box,) = usable(frame)
    assert (box.role, box.name, box.tag) == ("checkbox", "Agree", "input")
    assert box.width > 30
    assert texts(frame) == []


async def test_a_transparent_control_over_a_drawn_one_is_offered(walker: Walker) -> None:
    frame = await walker.show(
        '<div style="position:relative;width:90px;height:30px">Upload'
        '<input type=file style="position:absolute;inset:0;opacity:0"></div>'
    )
    (field,) = usable(frame)
    assert (field.role, field.facts.hint) == ("file", "~Upload")
    assert (field.width, field.height) == (90, 30)


async def test_a_link_round_a_floating_picture_has_the_box_of_the_picture(walker: Walker) -> None:
    frame = await walker.show('<a href=/x><img alt=Pic style="float:left" width=50 height=40></a>')
    assert box(usable(frame)[0])[2:] == (50, 40)


async def test_an_area_of_a_picture_has_its_place_in_the_picture(walker: Walker) -> None:
    dot = "data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw=="
    frame = await walker.show(
        '<map name=m><area shape=rect coords="10,20,60,50" href=/a alt=Door></map>'
        f'<img usemap="#m" src="{dot}" style="position:absolute;left:0;top:0" width=90 height=90>'
    )
    assert box(only(usable(frame), "Door")) == Box(10, 20, 50, 30)


def box(node: RawNode) -> Box:
    return Box(node.x, node.y, node.width, node.height)

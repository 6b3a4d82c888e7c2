"""Shadow roots, slots and frames: one tree, as it is drawn."""

from __future__ import annotations

from subterminator.types import Flag
from tests.page.walking import Walker, names, only, texts

ATTACH = "document.getElementById('{}').attachShadow({{mode: '{}'}}).innerHTML = `{}`"


async def test_open_roots_and_slots_are_read_in_the_order_they_are_drawn(walker: Walker) -> None:
    frame = await walker.show(
        "<div id=host>unslotted<b slot=s>slotted</b></div>",
        ATTACH.format(
            "host", "open", "<p>before</p><button><slot name=s></slot></button><p>after</p>"
        ),
    )
    assert texts(frame) == ["before", "after"]
    assert names(frame) == ["button slotted"]


async def test_a_closed_root_is_asked_for_and_read_once_it_was_adopted(walker: Walker) -> None:
    await walker.put("<div id=host></div><x-card></x-card><div></div>")
    await walker.run(
        "globalThis.root = document.getElementById('host').attachShadow({mode: 'closed'});"
        "root.innerHTML = '<button>Inside</button><input>'; root.lastChild.focus()"
    )
    frame = await walker.walk()
    assert names(frame) == []
    assert len(frame.hosts) == 2
    await walker.run(f"walker.asked({list(frame.hosts)})")
    await walker.run("walker.adopt(document.getElementById('host'), root)")
    frame = await walker.walk()
    assert names(frame) == ["button Inside", "textbox"]
    assert frame.hosts == ()
    assert frame.focus == frame.nodes[1].id and frame.nodes[1].flags & Flag.FOCUSED


async def test_a_frame_tells_where_its_content_begins(walker: Walker) -> None:
    frame = await walker.show(
        "<iframe title=F width=100 height=50 style='position:absolute;left:10px;top:20px;padding:3px;"
        "border:2px solid;transform:scale(2);transform-origin:0 0'></iframe>"
    )
    node = only(frame.nodes, "F")
    assert (node.role, node.x, node.y, node.width, node.height) == ("iframe", 10, 20, 220, 120)
    assert node.facts.content_box == (20, 30, 200, 100)
    assert node.facts.scale == (2, 2)


async def test_a_frame_nobody_can_see_is_left_out(walker: Walker) -> None:
    frame = await walker.show(
        "<iframe width=1 height=1></iframe><iframe style=display:none></iframe>"
    )
    assert frame.nodes == []


async def test_an_aria_label_across_a_root_is_not_followed(walker: Walker) -> None:
    frame = await walker.show(
        "<p id=l>Outside</p><div id=host></div>",
        ATTACH.format("host", "open", "<button aria-labelledby=l>Own</button>"),
    )
    assert names(frame) == ["button Own"]

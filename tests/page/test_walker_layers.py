"""What lies over what: the top layer, overlays, and what they cover."""

from __future__ import annotations

from subterminator.types import Flag, RawFrame
from tests.page.walking import Walker, names, only

LAYERS = Flag.TOP | Flag.OVERLAY | Flag.COVERED
DIALOG = "position:fixed;left:0;top:0;width:300px;height:200px;background:#fff;z-index:9"


def layers(frame: RawFrame) -> dict[str, Flag]:
    return {node.name: Flag(node.flags & LAYERS) for node in frame.nodes if node.name}


async def test_a_modal_dialog_is_on_top_and_everything_else_under_it(walker: Walker) -> None:
    frame = await walker.show(
        "<button>Under</button><p>Page text</p><dialog aria-label=Ask><p>Sure?</p><button>Yes</button></dialog>",
        "document.querySelector('dialog').showModal()",
    )
    assert layers(frame) == {
        "Under": Flag.COVERED,
        "Page text": Flag.COVERED,
        "Ask": Flag.TOP,
        "Sure?": Flag.TOP,
        "Yes": Flag.TOP,
    }
    assert frame.focus == only(frame.nodes, "Yes").id
    assert only(frame.nodes, "Yes").flags & Flag.FOCUSED


async def test_a_popover_is_on_top_and_covers_only_what_it_lies_on(walker: Walker) -> None:
    frame = await walker.show(
        "<button>Free</button><div popover>Pop <button>In</button></div>",
        "document.querySelector('[popover]').showPopover()",
    )
    assert layers(frame) == {"Free": Flag(0), "Pop": Flag.TOP, "In": Flag.TOP}


async def test_a_positioned_dialog_is_an_overlay_and_what_is_under_it_covered(
    walker: Walker,
) -> None:
    frame = await walker.show(
        "<button>Under</button><div style='height:300px'></div><button>Free</button>"
        f"<div style='{DIALOG}'><div role=dialog aria-label=Ask><button>Yes</button></div></div>"
    )
    assert layers(frame) == {
        "Under": Flag.COVERED,
        "Free": Flag(0),
        "Ask": Flag.OVERLAY,
        "Yes": Flag.OVERLAY,
    }


async def test_a_large_fixed_box_over_the_page_is_an_overlay(walker: Walker) -> None:
    frame = await walker.show(
        "<a href=/x>Under</a><div style='position:fixed;inset:0;z-index:9;background:#0008'>"
        "<p>We use cookies</p><button>Fine</button></div>"
    )
    assert layers(frame) == {
        "Under": Flag.COVERED,
        "We use cookies": Flag.OVERLAY,
        "Fine": Flag.OVERLAY,
    }


async def test_a_fixed_box_that_is_the_whole_page_is_no_overlay(walker: Walker) -> None:
    frame = await walker.show(
        "<div style='position:fixed;inset:0;z-index:1'><button>App</button></div>"
    )
    assert layers(frame) == {"App": Flag(0)}


async def test_what_shows_past_a_cover_is_not_covered(walker: Walker) -> None:
    frame = await walker.show(
        "<button style='position:absolute;left:0;top:0;width:200px;height:100px'>Half</button>"
        "<div style='position:absolute;left:60px;top:0;width:300px;height:300px;background:#fff'></div>"
        "<div style='position:fixed;inset:0;pointer-events:none'></div>"
    )
    assert layers(frame) == {"Half": Flag(0)}


async def test_a_captcha_is_marked(walker: Walker) -> None:
    frame = await walker.show(
        "<iframe src='https://www.google.com/recaptcha/api2/anchor' width=300 height=80></iframe>"
        "<div class=h-captcha style='width:300px;height:80px'></div><iframe title=Plain></iframe>"
    )
    assert [node.facts.captcha for node in frame.nodes] == [True, True, False]
    assert names(frame) == []

"""Finding elements by selector, and describing one."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from subterminator.types import Flag
from tests.page.walking import Walker, usable

PAGE = """
<button id=plan>Cancel <b>plan</b></button> <a id=link href=/c>cancel</a> <span id=span>Cancel</span>
<p style="display:none">Cancel</p> <input id=submit type=submit value="Cancel it">
<label>Email <input id=mail placeholder="you@site"></label> <button id=test data-testid=go>Go</button>
<div id=click onclick="x()"><span>Inner words</span></div> <label><input id=box type=checkbox>Agree</label>
<div id=host></div>"""
SHADOW = """document.getElementById('host').attachShadow({mode: 'open'}).innerHTML =
  '<button id=deep class=s>Shadow cancel</button>'"""
FOUND: list[tuple[dict[str, Any], list[str]]] = [
    ({"type": "text", "value": "cancel"}, ["plan", "link", "span", "submit", "deep"]),
    ({"type": "text", "value": "Cancel", "exact": True}, ["span"]),
    ({"type": "text", "value": "inner  words"}, ["click"]),
    ({"type": "text", "value": "agree"}, ["box"]),
    ({"type": "role", "role": "button"}, ["plan", "submit", "test", "deep"]),
    ({"type": "role", "role": "button", "name": "PLAN"}, ["plan"]),
    ({"type": "role", "role": "link", "name": "Cancel", "exact": True}, []),
    ({"type": "label", "value": "email"}, ["mail"]),
    ({"type": "placeholder", "value": "YOU"}, ["mail"]),
    ({"type": "testId", "value": "go"}, ["test"]),
    ({"type": "css", "value": "button.s"}, ["deep"]),
    ({"type": "xpath", "value": "//button[@data-testid]"}, ["test"]),
]


async def ids(walker: Walker, selector: dict[str, Any]) -> list[str]:
    written = msgspec.json.encode(selector).decode()
    found: list[str] = await walker.run(
        f"walker.locate({written}).map((id) => walker.element(id).id)"
    )
    return found


@pytest.mark.parametrize(("selector", "expected"), FOUND, ids=lambda part: str(part)[:40])
async def test_a_selector_finds_these(
    selector: dict[str, Any], expected: list[str], walker: Walker
) -> None:
    await walker.put(PAGE, SHADOW)
    assert await ids(walker, selector) == expected


async def test_a_point_finds_the_usable_thing_there(walker: Walker) -> None:
    await walker.put("<button id=b style='position:absolute;left:0;top:0'><b>Press</b></button>")
    assert await ids(walker, {"type": "coordinates", "x": 20, "y": 10}) == ["b"]


@pytest.mark.parametrize("kind", ["css", "xpath", "nonsense"])
async def test_an_invalid_selector_is_an_error_that_says_so(kind: str, walker: Walker) -> None:
    await walker.put("")
    written = msgspec.json.encode({"type": kind, "value": "]["}).decode()
    told = await walker.run(
        f"(() => {{ try {{ walker.locate({written}) }} catch (e) {{ return e.message }} }})()"
    )
    assert kind in told


async def describe(walker: Walker, html: str, selector: str) -> dict[str, Any]:
    await walker.put(html)
    found: dict[str, Any] = await walker.run(
        f"walker.describe(walker.idOf(document.querySelector('{selector}')))"
    )
    return found


REASONS = {
    "<a href=# style=display:none>x</a>": "display: none",
    "<div style=display:none><a href=#>x</a></div>": "display: none",
    "<a href=# style=visibility:hidden>x</a>": "visibility: hidden",
    "<div style=opacity:0><a href=#>x</a></div>": "opacity: 0",
    "<a href=#></a>": "zero size",
    "<div style='height:0;overflow:hidden'><a href=#>x</a></div>": "clipped",
    "<div inert><a href=#>x</a></div>": "inert",
    "<a href=# style='position:absolute;left:-999px'>x</a>": "outside the page",
    "<a href=#>x</a>": "",
}


@pytest.mark.parametrize(("html", "why"), REASONS.items(), ids=REASONS.keys())
async def test_a_description_says_why_something_cannot_be_seen(
    html: str, why: str, walker: Walker
) -> None:
    told = await describe(walker, html, "a")
    assert (told["why"], told["visible"]) == (why, not why)


async def test_a_description_tells_what_a_press_would_submit(walker: Walker) -> None:
    told = await describe(
        walker,
        "<form action='http://pay.test/now' method=post><button>Pay</button></form>",
        "button",
    )
    assert told["submits"] and told["form"]["action"] == "http://pay.test/now"
    assert told["form"]["method"] == "post"
    assert (told["role"], told["name"], told["text"]) == ("button", "Pay", "Pay")


async def test_an_element_that_left_the_page_is_not_described(walker: Walker) -> None:
    await walker.put("<button>x</button>")
    (node,) = usable(await walker.walk())
    await walker.run("document.querySelector('button').remove()")
    assert await walker.run(f"walker.describe({node.id})") is None
    assert await walker.run("walker.describe(99999)") is None


ALIKE = """<div style="cursor:pointer">Own <button>In</button></div><ul><li style="cursor:pointer">Item</ul>
<label for=b>Box</label><input id=b type=checkbox style="display:none"><a href=/x>Link</a>
<table><tr><th>h<td tabindex=0 role=gridcell>cell</table><div onclick="x()"><img alt=Pic width=9 height=9></div>
<button role=tab>T <span onclick="x()">×</span></button><select aria-label=S size=2><option>o</select>
<div style="cursor:pointer"><i>1</i><i>2</i></div><div aria-disabled=true><input aria-label=D></div>"""


async def test_a_description_calls_an_element_what_the_walk_called_it(walker: Walker) -> None:
    frame = await walker.show(ALIKE)
    assert len(usable(frame)) == 14
    for node in usable(frame):
        told = await walker.run(f"walker.describe({node.id})")
        assert (told["role"], told["name"]) == (node.role, node.name)
        assert told["box"] == [node.x, node.y, node.width, node.height]
        assert told["flags"] & Flag.INTERACTIVE
        assert told["flags"] & Flag.DISABLED == node.flags & Flag.DISABLED

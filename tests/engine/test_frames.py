"""Frames of every kind and depth: what is in them is seen, and a press lands where it was meant."""

from __future__ import annotations

import pytest

import subterminator
from subterminator import errors
from subterminator.types import Element
from tests.site import Site

Session = subterminator.Session
PRESS = "<button onclick=\"fetch('/pressed')\">Press</button>"


def frame(src: str, style: str = "", extra: str = "") -> str:
    return f"<iframe src='{src}' style='width:400px;height:200px;{style}' {extra}></iframe>"


async def button_in(session: Session, name: str = "Press") -> Element:
    snapshot = await session.snapshot()
    [element] = [e for e in snapshot.elements if e.role == "button" and e.name == name]
    return element


# Nesting


def _nested(site: Site, hosts: list[str]) -> str:
    """A page with one frame in the other, the button in the innermost. `hosts` from outside in."""
    inner = PRESS
    for level, host in reversed(list(enumerate(hosts))):
        site.page(f"<p>Level {level}</p>{inner}", f"/level{level}")
        inner = frame(f"{host}/level{level}")
    return site.page(inner)


NESTINGS = {
    "two of the same site": "ss",
    "one of another site": "o",
    "another site in the same": "so",
    "the same site in another": "os",
    "three levels, both ways": "sos",
    "three levels, the other way": "oso",
    "two of another site": "oo",
}


@pytest.mark.parametrize("nesting", NESTINGS)
async def test_a_button_in_nested_frames_is_seen_and_pressed_once(
    session: Session, site: Site, nesting: str
) -> None:
    hosts = [site.address if kind == "s" else site.other for kind in NESTINGS[nesting]]
    await session.navigate(_nested(site, hosts))
    element = await button_in(session)
    frames = await session.frames()
    assert [found.parent for found in frames] == list(range(-1, len(hosts)))
    assert [found.origin for found in frames[1:]] == hosts
    assert all(found.accessible for found in frames)
    assert element.frame == len(hosts)
    text = (await session.snapshot()).text()
    assert all(f"Level {level}" in text for level in range(len(hosts)))
    result = await session.click(element.ref)
    assert site.hits["/pressed"] == 1
    assert result.target and result.target.origin == hosts[-1]


async def test_fields_of_frames_are_filled_and_read(session: Session, site: Site) -> None:
    field = """<label>Name <input onchange="fetch('/changed?' + value)"></label>
        <select aria-label=Plan onchange="fetch('/chosen?' + value)"><option>A<option>B</select>
        <label><input type=checkbox onchange="fetch('/ticked?' + checked)"> Agree</label>"""
    for host in (site.address, site.other):
        site.clear()
        site.page(field, "/inner")
        await session.navigate(site.page(frame(f"{host}/inner")))
        await session.fill("label:Name", "Ada")
        await session.press("Enter", "label:Name")
        await session.select("label:Plan", "B")
        await session.check("label:Agree")
        queries = {r.path: r.query for r in site.requests}
        changes = (queries["/changed"], queries["/chosen"], queries["/ticked"])
        assert changes == ("Ada", "B", "true")
        assert "Ada" in (await session.snapshot()).text()


async def test_elements_of_a_frame_have_their_place_in_the_page(
    session: Session, site: Site
) -> None:
    box = "position:absolute;left:30px;top:40px;width:100px;height:20px"
    site.page(f"<button style='{box}'>Press</button>", "/inner")
    for host in (site.address, site.other):
        style = "position:absolute;left:200px;top:100px;border:5px solid;padding:7px"
        await session.navigate(site.page(frame(f"{host}/inner", style)))
        assert (await button_in(session)).box == (200 + 12 + 30, 100 + 12 + 40, 100, 20)


# Places


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("kind", "style"),
    [
        ("same", "border:30px solid red;padding:25px"),
        ("other", "border:30px solid red;padding:25px"),
        ("same", "transform:scale(0.5)"),
        ("other", "transform:scale(0.5)"),
        ("other", "transform:scale(1.7);transform-origin:0 0"),
        ("same", "transform:translate(300px, 200px)"),
        ("other", "transform:scaleX(0.4)"),
        ("same", "zoom:1.5"),
        ("other", "zoom:1.5"),
        ("other", "position:fixed;right:10px;bottom:10px"),
    ],
)
async def test_a_press_lands_in_a_frame_however_it_is_drawn(
    session: Session, site: Site, style: str, kind: str
) -> None:
    host = site.address if kind == "same" else site.other
    inner = f"""<style>body {{ margin: 0 }} button {{ position: absolute; width: 30px; height: 20px;
        left: 200px; top: 120px; padding: 0 }}</style>{PRESS}
        <script>onclick = (e) => e.target.localName === 'button' || fetch('/missed')</script>"""
    site.page(inner, "/inner")
    await session.navigate(site.page(f"<body style='margin:50px'>{frame(f'{host}/inner', style)}"))
    await session.click("text:Press")
    assert (site.hits["/pressed"], site.hits["/missed"]) == (1, 0)


@pytest.mark.parametrize("kind", ["same", "other"])
async def test_a_button_below_the_fold_of_a_frame_below_the_fold_is_pressed(
    session: Session, site: Site, kind: str
) -> None:
    host = site.address if kind == "same" else site.other
    site.page(f"<div style='height:3000px'></div>{PRESS}", "/inner")
    await session.navigate(site.page(f"<div style='height:4000px'></div>{frame(f'{host}/inner')}"))
    element = await button_in(session)
    assert element.has(2)  # off-screen
    await session.click(element.ref)
    assert site.hits["/pressed"] == 1
    # Once more where both have been scrolled: nothing may count the scrolling twice.
    await session.click("text:Press")
    assert site.hits["/pressed"] == 2


@pytest.mark.parametrize("kind", ["same", "other"])
async def test_a_frame_in_a_box_that_scrolls_is_reached(
    session: Session, site: Site, kind: str
) -> None:
    host = site.address if kind == "same" else site.other
    site.page(f"<div style='width:2000px;height:900px'></div>{PRESS}", "/inner")
    box = "<div style='overflow:auto;height:300px;width:500px;border:1px solid'>"
    tall = "<div style='height:2000px'></div>"
    await session.navigate(site.page(f"{box}{tall}{frame(f'{host}/inner')}{tall}</div>{tall}"))
    await session.click("text:Press")
    assert site.hits["/pressed"] == 1


# What covers a frame


@pytest.mark.parametrize("kind", ["same", "other"])
async def test_a_frame_covered_by_its_parent_is_obscured(
    session: Session, site: Site, kind: str
) -> None:
    host = site.address if kind == "same" else site.other
    site.page(PRESS, "/inner")
    cover = "<div id=cookies style='position:fixed;inset:0;background:white'>Accept cookies</div>"
    await session.navigate(site.page(frame(f"{host}/inner") + cover))
    with pytest.raises(errors.ElementObscured, match="ookies"):
        await session.click("text:Press")
    assert site.hits["/pressed"] == 0


@pytest.mark.parametrize("kind", ["same", "other"])
async def test_a_frame_covered_two_levels_up_is_obscured(
    session: Session, site: Site, kind: str
) -> None:
    host = site.address if kind == "same" else site.other
    site.page(PRESS, "/inner")
    site.page(frame(f"{host}/inner"), "/middle")
    cover = "<div id=banner style='position:fixed;inset:0;opacity:0'></div>"
    await session.navigate(site.page(frame(f"{site.address}/middle") + cover))
    element = await button_in(session)
    with pytest.raises(errors.ElementObscured, match="banner"):
        await session.click(element.ref)
    assert site.hits["/pressed"] == 0


async def test_a_frame_that_catches_no_press_is_obscured_by_what_is_below(
    session: Session, site: Site
) -> None:
    site.page(PRESS, "/inner")
    await session.navigate(site.page(frame(f"{site.other}/inner", "pointer-events:none")))
    with pytest.raises(errors.ElementObscured):
        await session.click("text:Press")
    assert site.hits["/pressed"] == 0


# Listing and choosing


async def test_frames_are_listed_with_name_address_and_place(session: Session, site: Site) -> None:
    site.page(PRESS, "/inner")
    style = "position:absolute;left:100px;top:50px;border:0"
    named = frame(f"{site.other}/inner?a=1", style, "name=pay")
    await session.navigate(site.page(named))
    main, inner = await session.frames()
    assert (main.index, main.parent, main.url) == (0, -1, f"{site.address}/")
    assert (inner.name, inner.url, inner.origin) == ("pay", f"{site.other}/inner?a=1", site.other)
    assert inner.box == (100, 50, 400, 200)


@pytest.mark.parametrize("by", ["name", "address", "id"])
async def test_a_selected_frame_limits_what_selectors_and_descriptions_find(
    session: Session, site: Site, by: str
) -> None:
    site.page(PRESS.replace("pressed", "first"), "/one")
    site.page(PRESS.replace("pressed", "second"), "/two")
    frames = frame("/one", extra="name=one") + frame(f"{site.other}/two", extra="name=two")
    await session.navigate(site.page(frames))
    with pytest.raises(errors.SelectorAmbiguous):
        await session.click("text:Press")
    second = (await session.frames())[2]
    await session.select_frame({"name": "two", "address": "/two", "id": second.id}[by])
    await session.click("text:Press")
    await session.click("semantic:Press button")
    assert (site.hits["/first"], site.hits["/second"]) == (0, 2)
    await session.select_frame(None)
    with pytest.raises(errors.SelectorAmbiguous):
        await session.click("text:Press")


async def test_an_unknown_or_vanished_frame_gives_a_typed_error(
    session: Session, site: Site
) -> None:
    site.page(PRESS, "/inner")
    take = "document.querySelector('iframe').remove()"
    await session.navigate(site.page(f'{frame("/inner")}<button onclick="{take}">Take</button>'))
    with pytest.raises(errors.FrameNotFound) as caught:
        await session.select_frame("nothing like it")
    assert caught.value.advice
    taker = await button_in(session, "Take")
    await session.select_frame("/inner")
    await session.click(taker.ref)
    with pytest.raises(errors.FrameNotFound):
        await session.click("text:Press")
    await session.select_frame(None)
    assert site.hits["/pressed"] == 0

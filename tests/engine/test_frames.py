"""Frames of every kind and depth: what is in them is seen, and a press lands where it was meant."""

from __future__ import annotations

import asyncio
import time

import pytest

import subterminator
from subterminator import errors
from subterminator.types import Element
from tests.site import Answer, Request, Site

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


@pytest.mark.parametrize("kind", ["same", "other"])
@pytest.mark.parametrize(
    "style",
    [
        "border:30px solid red;padding:25px",
        "transform:scale(0.5)",
        "transform:scale(1.7);transform-origin:0 0",
        "transform:translate(300px, 200px)",
        "transform:scaleX(0.4)",
        "zoom:1.5",
        "margin-left:700px",
        "position:fixed;right:10px;bottom:10px",
        "border-radius:40px",
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


# Kinds of frames


KINDS = {
    "srcdoc": f"<iframe srcdoc='{PRESS.replace(chr(39), '&#39;')}'></iframe>",
    "about:blank, filled by the page": f"""<iframe id=f></iframe><script>
        f.contentDocument.body.innerHTML = `{PRESS}`</script>""",
    "written by the page": f"""<iframe id=f></iframe><script>
        f.contentDocument.write(`{PRESS}`); f.contentDocument.close()</script>""",
    "a javascript address": f"""<iframe src="javascript:`{PRESS.replace('"', "&quot;")}`">
        </iframe>""",
    "sandboxed": "<iframe src=/inner sandbox='allow-scripts allow-same-origin'></iframe>",
    "sandboxed, opaque origin": "<iframe src=/inner sandbox=allow-scripts></iframe>",
    "in an open shadow root": """<div id=host></div><script>
        host.attachShadow({mode: 'open'}).innerHTML = '<iframe src=/inner></iframe>'</script>""",
    "in a closed shadow root": """<div id=host></div><script>
        host.attachShadow({mode: 'closed'}).innerHTML = '<iframe src=/inner></iframe>'</script>""",
    "of another site in a closed shadow root": """<x-host></x-host><script>
        document.querySelector('x-host').attachShadow({mode: 'closed'}).innerHTML =
        `<iframe src="http://localhost:${location.port}/inner"></iframe>`</script>""",
    "object": "<object data=/inner type='text/html' width=300 height=150></object>",
    "loading lazily": "<iframe src=/inner loading=lazy></iframe>",
}


@pytest.mark.parametrize("kind", KINDS)
async def test_a_frame_of_every_kind_is_seen_and_used(
    session: Session, site: Site, kind: str
) -> None:
    site.page(PRESS, "/inner")
    await session.navigate(site.page(KINDS[kind]))
    await session.click((await button_in(session)).ref)
    assert site.hits["/pressed"] == 1


async def test_a_frameset_is_seen_and_used(session: Session, site: Site) -> None:
    site.page(PRESS, "/inner")
    site.page("Menu", "/menu")
    site.pages["/"] = "<title>Old</title><frameset cols='30%,*'><frame src=/menu><frame src=/inner>"
    await session.navigate(f"{site.address}/")
    await session.click((await button_in(session)).ref)
    assert site.hits["/pressed"] == 1


async def test_a_hidden_frame_offers_nothing(session: Session, site: Site) -> None:
    site.page(PRESS, "/inner")
    hidden = frame("/inner", "display:none") + frame(f"{site.other}/inner", "visibility:hidden")
    await session.navigate(site.page(hidden))
    assert "Press" not in (await session.snapshot()).text()


# Changes between the look and the press


@pytest.mark.parametrize("kind", ["same", "other"])
async def test_a_ref_into_a_frame_that_went_elsewhere_fails(
    session: Session, site: Site, kind: str
) -> None:
    """H24, also where the new document has the very same button."""
    host = site.address if kind == "same" else site.other
    site.page(PRESS, "/inner")
    site.page(PRESS.replace("pressed", "wrong"), "/evil")
    move = f"document.querySelector('iframe').src = '{host}/evil'"
    await session.navigate(
        site.page(f'{frame(f"{host}/inner")}<button onclick="{move}">Move</button>')
    )
    old = await button_in(session)
    await session.click("text:Move")
    with pytest.raises(errors.RefInvalid) as caught:
        await session.click(old.ref)
    assert caught.value.snapshot
    assert (site.hits["/pressed"], site.hits["/wrong"]) == (0, 0)
    new = await button_in(session)
    assert new.ref != old.ref
    await session.click(new.ref)
    assert (site.hits["/pressed"], site.hits["/wrong"]) == (0, 1)


@pytest.mark.parametrize("kind", ["same", "other"])
async def test_a_frame_that_is_removed_or_added_is_followed(
    session: Session, site: Site, kind: str
) -> None:
    host = site.address if kind == "same" else site.other
    site.page(PRESS, "/inner")
    script = f"""add = () => {{ f = document.createElement('iframe'); f.src = '{host}/inner';
        document.body.append(f) }}; take = () => f.remove()"""
    buttons = "<button onclick=add()>Add</button><button onclick=take()>Take</button>"
    await session.navigate(site.page(f"{buttons}<script>{script}</script>"))
    await session.click("text:Add")
    await session.wait("text:Press")
    element = await button_in(session)
    await session.click("text:Take")
    assert len(await session.frames()) == 1
    with pytest.raises(errors.RefInvalid):
        await session.click(element.ref)
    assert site.hits["/pressed"] == 0
    await session.click("text:Add")
    await session.click("text:Press")
    assert site.hits["/pressed"] == 1


async def test_a_frame_that_changes_its_process_there_and_back_is_followed(
    session: Session, site: Site
) -> None:
    for number in range(3):
        site.page(f"<p>Page {number}</p>{PRESS}<a href='/go{number}'>Next</a>", f"/page{number}")
    there = Answer(status="302 Found", headers=(("Location", f"{site.other}/page1"),))
    back = Answer(status="302 Found", headers=(("Location", f"{site.address}/page2"),))
    site.pages.update({"/go0": there, "/go1": back})
    await session.navigate(site.page(frame("/page0")))
    for number, origin in enumerate((site.address, site.other, site.address)):
        element = await button_in(session)
        frames = await session.frames()
        assert [found.origin for found in frames[1:]] == [origin]
        await session.click(element.ref)
        assert site.hits["/pressed"] == number + 1
        if number < 2:
            result = await session.click("text:Next")
            assert f"Page {number + 1}" in (result.snapshot or await session.snapshot()).text()
            with pytest.raises(errors.RefInvalid):
                await session.click(element.ref)


async def test_a_page_that_goes_to_another_site_and_back_keeps_no_old_frames(
    session: Session, site: Site
) -> None:
    site.page(PRESS, "/inner")
    url = site.page(frame("/inner") + frame(f"{site.other}/inner"), "/both")
    await session.navigate(url)
    assert len(await session.frames()) == 3
    site.page("Alone", "/alone")
    await session.navigate(f"{site.other}/alone")
    assert len(await session.frames()) == 1
    await session.back()
    assert len(await session.frames()) == 3
    await session.forward()
    assert [found.url for found in await session.frames()] == [f"{site.other}/alone"]


SLOW = {
    "never answered": "<iframe src=/never></iframe>",
    "never answered, another site": "<iframe src='//localhost:{port}/never'></iframe>",
    "not loaded until seen": "<iframe src=/x loading=lazy style='margin-top:20000px'></iframe>",
    "without scripts": "<iframe src=/x sandbox></iframe>",
    "without content": "<iframe src=/empty></iframe>",
    "unreachable": "<iframe src='http://127.0.0.1:1/'></iframe>",
}


@pytest.mark.parametrize("kind", SLOW)
async def test_a_frame_that_cannot_be_read_yet_slows_nothing_down(
    session: Session, site: Site, kind: str
) -> None:
    release = asyncio.Event()

    async def never(_: Request) -> Answer:
        await release.wait()
        return Answer()

    site.pages["/never"] = never
    site.pages["/empty"] = Answer(status="204 No Content")
    site.page("Here", "/x")
    url = site.page(PRESS + SLOW[kind].format(port=site.port))
    await session.navigate(url, wait_until="domcontentloaded")
    begun = time.monotonic()
    assert len((await session.snapshot()).frames) == 2
    for _ in range(4):
        await session.click("text:Press")
    await session.wait(text_gone="Nothing like it")
    # Each of these would take two seconds if it waited for the frame.
    assert time.monotonic() - begun < 4
    assert site.hits["/pressed"] == 4
    release.set()


async def test_a_frame_without_scripts_is_seen_and_used(session: Session, site: Site) -> None:
    site.page("<a href=/next>Next</a> <label>Name <input></label>", "/inner")
    site.page("Arrived", "/next")
    await session.navigate(site.page(frame("/inner", extra="sandbox=allow-forms")))
    await session.fill("label:Name", "Ada")
    assert "Ada" in (await session.snapshot()).text()
    await session.click("text:Next")
    await session.wait(text="Arrived")
    assert site.hits["/next"] == 1


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

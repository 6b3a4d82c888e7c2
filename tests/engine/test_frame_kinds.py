"""Frames by the way they are made, and by what becomes of them between the look and the press."""

from __future__ import annotations

import asyncio
import time

import pytest

import subterminator
from subterminator import errors
from tests.conftest import Person
from tests.engine.test_frames import PRESS, button_in, frame
from tests.site import Answer, Request, Site

Session = subterminator.Session

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
    "embed": "<embed src=/inner type='text/html' width=300 height=150>",
    "loading lazily": "<iframe src=/inner loading=lazy></iframe>",
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", KINDS)
async def test_a_frame_of_every_kind_is_seen_and_used(
    session: Session, site: Site, person: Person, kind: str
) -> None:
    # What lies in a frame of no site is pressed only with a yes.
    person.says = True
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


@pytest.mark.one_in(2)
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


async def test_a_frame_without_scripts_is_seen_and_used(
    session: Session, site: Site, person: Person
) -> None:
    person.says = True
    site.page("<a href=/next>Next</a> <label>Name <input></label>", "/inner")
    site.page("Arrived", "/next")
    await session.navigate(site.page(frame("/inner", extra="sandbox=allow-forms")))
    await session.fill("label:Name", "Ada")
    assert "Ada" in (await session.snapshot()).text()
    await session.click("text:Next")
    await session.wait(text="Arrived")
    assert site.hits["/next"] == 1

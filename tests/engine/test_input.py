"""A press lands on the element that was meant, or it is not made and the error says why."""

from __future__ import annotations

import asyncio

import pytest

from subterminator import Session, errors
from tests.reports import SAY, reporting, reports
from tests.site import Site

BUTTON = "<button id=b onclick=say('hit')>Save</button>"


async def test_all_input_is_trusted(session: Session, site: Site) -> None:
    page = """<input id=f><button id=b>Go</button><script>
      for (const kind of ['mousemove', 'pointerdown', 'mousedown', 'mouseup', 'click', 'keydown',
        'keyup', 'beforeinput', 'input'])
        addEventListener(kind, (e) => { if (!e.isTrusted) say('untrusted', kind); }, true);
      b.onclick = (e) => say('clicked', e.isTrusted, e.clientX > 0, e.pointerType);</script>"""
    await session.navigate(reporting(site, page))
    await session.fill("#f", "words")
    await session.type("more", "#f")
    await session.press("Tab")
    await session.hover("#b")
    await session.click("#b")
    assert reports(site) == ["clicked true true mouse"]


async def test_the_pages_document_is_never_marked(session: Session, site: Site) -> None:
    page = """<main><input id=f><button id=b>Go</button><x-a></x-a></main><script>
      document.querySelector('x-a').attachShadow({ mode: 'closed' }).innerHTML = '<i>In</i>';
      const before = document.documentElement.outerHTML;
      let changes = 0;
      new MutationObserver((all) => { changes += all.length; }).observe(document,
        { subtree: true, childList: true, attributes: true, characterData: true });
      b.onclick = () => say(changes, document.documentElement.outerHTML === before,
        Object.keys(window).filter((name) => /walker|actor|subterminator/.test(name)).length);
      </script>"""
    await session.navigate(reporting(site, page))
    await session.snapshot()
    await session.find("Go")
    await session.fill("#f", "words")
    await session.screenshot("#b")
    await session.click("#b")
    assert reports(site) == ["0 true 0"]


# What is in the way


@pytest.mark.parametrize(
    "page",
    [
        "<button disabled id=b onclick=say('hit')>Save</button>",
        f"<fieldset disabled>{BUTTON}</fieldset>",
        f"<div aria-disabled=true>{BUTTON}</div>",
        "<div role=button aria-disabled=true id=b onclick=say('hit')>Save</div>",
    ],
    ids=["native", "fieldset", "aria on a parent", "aria"],
)
async def test_a_disabled_element_is_not_pressed(session: Session, site: Site, page: str) -> None:
    await session.navigate(reporting(site, page))
    with pytest.raises(errors.ElementDisabled, match="'Save' is disabled") as info:
        await session.click("#b")
    assert not info.value.delivered and info.value.snapshot
    assert reports(site) == []


async def test_the_legend_of_a_disabled_group_is_not_disabled(session: Session, site: Site) -> None:
    page = f"<fieldset disabled><legend>{BUTTON}</legend></fieldset>"
    await session.navigate(reporting(site, page))
    await session.click("#b")
    assert reports(site) == ["hit"]


async def test_what_covers_an_element_is_named(session: Session, site: Site) -> None:
    page = f"""{BUTTON}<div role=dialog aria-label='Cookie choices'
      style='position: fixed; inset: 0; background: white'>We use cookies</div>"""
    await session.navigate(reporting(site, page))
    with pytest.raises(errors.ElementObscured, match="Cookie choices") as info:
        await session.click("#b")
    assert "Cookie" in str(info.value.details["covered_by"])
    assert reports(site) == []


async def test_a_cover_that_lets_presses_through_is_none(session: Session, site: Site) -> None:
    page = f"{BUTTON}<div style='position: fixed; inset: 0; pointer-events: none'></div>"
    await session.navigate(reporting(site, page))
    await session.click("#b")
    assert reports(site) == ["hit"]


async def test_a_free_part_of_a_partly_covered_element_is_pressed(
    session: Session, site: Site
) -> None:
    page = """<button id=b style='width: 400px; height: 60px' onclick=say('hit')>Save</button>
      <div style='position: fixed; left: 0; top: 0; width: 250px; height: 100px;
        background: red'>Badge</div>"""
    await session.navigate(reporting(site, page))
    await session.click("#b")
    assert reports(site) == ["hit"]


async def test_a_cover_outside_the_frame_is_seen_too(session: Session, site: Site) -> None:
    for origin in (site.address, site.other):
        site.page(SAY + BUTTON, "/inner")
        page = f"""<iframe src={origin}/inner></iframe>
          <div style='position: fixed; inset: 0; background: white'>Please wait</div>"""
        await session.navigate(reporting(site, page))
        with pytest.raises(errors.ElementObscured, match="Please wait"):
            await session.click("#b")
    assert reports(site) == []


HIDING = {
    "display: none": "b.style.display = 'none'",
    "visibility: hidden": "b.style.visibility = 'hidden'",
    "opacity: 0": "b.style.opacity = 0",
    "zero size": "b.style.cssText = 'width:0;height:0;padding:0;border:0;overflow:hidden'",
    "inert": "b.inert = true",
    "outside the page": "b.style.cssText = 'position:absolute;left:-900px'",
}


@pytest.mark.parametrize("why", HIDING)
async def test_an_element_hidden_since_the_snapshot_is_not_pressed_and_the_reason_given(
    session: Session, site: Site, why: str
) -> None:
    page = f"""{BUTTON}<button onclick="{HIDING[why]}">Hide</button>"""
    await session.navigate(reporting(site, page))
    ref = (await session.find("Save"))[0].ref
    await session.click("text:Hide")
    with pytest.raises(errors.ElementNotVisible, match=why):
        await session.click(ref)
    assert reports(site) == []


async def test_a_collapsed_section_hides_what_is_in_it(session: Session, site: Site) -> None:
    page = f"""<div id=s style='overflow: hidden'>{BUTTON}</div>
      <a href=# onclick="s.style.height = 0; return false">Fold</a>"""
    await session.navigate(reporting(site, page))
    ref = (await session.find("Save"))[0].ref
    await session.click("text:Fold")
    with pytest.raises(errors.ElementNotVisible, match="clipped|outside"):
        await session.click(ref)
    assert reports(site) == []


# Coming into view


async def test_a_target_clipped_in_a_box_in_a_box_is_scrolled_to_and_hit(
    session: Session, site: Site
) -> None:
    page = f"""<div style='height: 1800px'>Top</div>
      <div style='height: 260px; width: 300px; overflow: auto'><div style='height: 700px'></div>
        <div style='height: 120px; overflow: scroll'><div style='height: 600px'></div>
          <div style='width: 900px; text-align: right'>{BUTTON}</div></div>
        <div style='height: 900px'></div></div>"""
    await session.navigate(reporting(site, page))
    await session.click("#b")
    assert reports(site) == ["hit"]


@pytest.mark.parametrize("edge", ["top", "bottom"])
async def test_what_a_sticky_bar_covers_is_scrolled_free(
    session: Session, site: Site, edge: str
) -> None:
    bar = f"position: fixed; {edge}: 0; left: 0; right: 0; height: 200px; background: #ccc"
    page = f"""<div style='{bar}'>Bar</div><div style='height: 900px'></div>{BUTTON}
      <div style='height: 900px'></div>"""
    await session.navigate(reporting(site, page))
    place = 900 if edge == "top" else 300
    await session.scroll(to=(0, place))
    result = await session.click("#b")
    assert result.target and reports(site) == ["hit"]


async def test_a_bar_that_covers_the_middle_is_evaded(session: Session, site: Site) -> None:
    bar = "position: fixed; top: 200px; left: 0; right: 0; height: 320px; background: #ccc"
    page = f"""<div style='{bar}'>Player</div><div style='height: 1500px'></div>{BUTTON}
      <div style='height: 1500px'></div>"""
    await session.navigate(reporting(site, page))
    await session.click("#b")
    assert reports(site) == ["hit"]


async def test_an_element_far_down_in_nested_frames_is_hit(session: Session, site: Site) -> None:
    low = "<div style='height: 1200px'></div>"
    site.page(SAY + low + BUTTON + low, "/inner")
    site.page(f"{low}<iframe src={site.address}/inner></iframe>{low}", "/middle")
    page = f"{low}<iframe src={site.other}/middle style='height: 300px'></iframe>{low}"
    await session.navigate(reporting(site, page))
    await session.click("#b")
    assert reports(site) == ["hit"]


async def test_a_frame_that_is_scaled_and_padded_is_hit_where_it_shows(
    session: Session, site: Site
) -> None:
    site.page(f"{SAY}<div style='padding: 60px'>{BUTTON}</div>", "/inner")
    for origin in (site.address, site.other):
        page = f"""<iframe src={origin}/inner style='transform: scale(0.5); padding: 20px;
          border: 7px solid; transform-origin: 0 0'></iframe>"""
        await session.navigate(reporting(site, page))
        await session.click("#b")
    assert reports(site) == ["hit", "hit"]


# Moving targets


async def test_a_target_that_slides_in_is_awaited(session: Session, site: Site) -> None:
    page = f"""<style>@keyframes in {{ from {{ transform: translateX(600px) }} }}
      #b {{ animation: in 400ms linear }}</style>{BUTTON}"""
    await session.navigate(reporting(site, page))
    await session.click("#b")
    assert reports(site) == ["hit"]


async def test_a_target_that_never_stops_is_not_pressed(session: Session, site: Site) -> None:
    page = f"""<style>@keyframes to {{ to {{ transform: translateX(600px) }} }}
      #b {{ animation: to 300ms linear infinite alternate }}</style>{BUTTON}"""
    await session.navigate(reporting(site, page))
    with pytest.raises(errors.ActionFailed, match="does not stop moving"):
        await session.click("#b")
    assert reports(site) == []


async def test_a_press_is_stopped_when_something_jumps_under_the_pointer(
    session: Session, site: Site
) -> None:
    page = f"""{BUTTON}<button id=trap style='position: fixed; left: 0; top: 0; width: 100%;
        height: 100%; display: none' onclick=say('trapped')>Buy</button>
      <script>addEventListener('mousemove', () => {{ trap.style.display = 'block'; }}, true)
      </script>"""
    await session.navigate(reporting(site, page))
    with pytest.raises(errors.ElementObscured, match="Buy") as info:
        await session.click("#b")
    assert info.value.delivered
    assert reports(site) == []


async def test_an_element_that_is_renamed_at_the_last_moment_is_not_pressed(
    session: Session, site: Site
) -> None:
    page = f"""<div style='height: 2000px'></div>{BUTTON}
      <script>onscroll = () => {{ b.textContent = 'Buy'; }}</script>"""
    await session.navigate(reporting(site, page))
    with pytest.raises(errors.RefInvalid, match="now button 'Buy'"):
        await session.click("#b")
    assert reports(site) == []


# Dragging


async def test_dragging_with_the_mouse_sorts_a_list(session: Session, site: Site) -> None:
    page = """<div id=list><p id=x>One</p><p>Two</p><p id=z>Three</p></div><script>let held = null;
      list.onmousedown = (e) => { held = e.target; e.preventDefault(); };
      addEventListener('mousemove', (e) => { if (!held || !e.buttons) return;
        const over = document.elementFromPoint(e.clientX, e.clientY);
        if (over?.localName === 'p' && over !== held) over.after(held); });
      addEventListener('mouseup', () => {
        if (held) say(list.innerText.split(/\\s+/)); held = null; });
      </script>"""
    await session.navigate(reporting(site, page))
    await session.drag("#x", "#z")
    assert reports(site) == ["Two,Three,One"]


async def test_dragging_completes_the_browsers_own_drag_and_drop(
    session: Session, site: Site
) -> None:
    page = """<p id=card draggable=true>Card</p><div id=bin style='padding: 40px; background: #ddd'>
      Bin</div><script>
      card.ondragstart = (e) => { e.dataTransfer.setData('text/plain', 'card'); say('start'); };
      bin.ondragover = (e) => e.preventDefault();
      bin.ondrop = (e) => say('drop', e.dataTransfer.getData('text/plain'), e.isTrusted);
      card.ondragend = () => say('end'); </script>"""
    await session.navigate(reporting(site, page))
    await session.drag("#card", "#bin")
    assert reports(site) == ["start", "drop card true", "end"]
    await session.click("#card")
    assert len(reports(site)) == 3


async def test_dragging_what_cannot_be_seen_together_is_refused(
    session: Session, site: Site
) -> None:
    page = """<p id=x onmousedown=say('down')>One</p><div style='height: 4000px'></div>
      <p id=z>Two</p>"""
    await session.navigate(reporting(site, page))
    with pytest.raises(errors.ActionFailed, match="at the same time"):
        await session.drag("#x", "#z")
    assert reports(site) == []


async def test_a_dialog_opened_by_a_drop_is_reported_not_raised(
    session: Session, site: Site
) -> None:
    page = """<p id=x draggable=true>One</p><div id=z style='padding: 40px'>Two</div><script>
      z.ondragover = (e) => e.preventDefault();
      z.ondrop = () => { confirm('Move it?'); say('moved'); };</script>"""
    await session.navigate(reporting(site, page))
    result = await session.drag("#x", "#z")
    assert result.happened.dialog and result.happened.dialog.message == "Move it?"
    await session.dialog(accept=False)
    assert reports(site) == ["moved"]


# Nothing stays pressed


async def test_a_press_that_is_cut_short_is_released(session: Session, site: Site) -> None:
    page = """<button id=b>Hold</button><script>
      b.onmousedown = () => say('down'); addEventListener('mouseup', () => say('up'));</script>"""
    await session.navigate(reporting(site, page))
    holding = asyncio.ensure_future(session.click("#b", hold_ms=20_000))
    while not reports(site):
        await asyncio.sleep(0.02)
    holding.cancel()
    with pytest.raises(asyncio.CancelledError):
        await holding
    await session.wait(quiet=True)
    assert reports(site) == ["down", "up"]

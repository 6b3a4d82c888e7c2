"""The guard of a press: what comes between the look and the click never gets it (H17, H18)."""

from __future__ import annotations

import pytest

import subterminator
from subterminator import errors
from tests.engine import processes
from tests.site import Site

Session = subterminator.Session
PRESS = "<button id=b onclick=\"fetch('/pressed')\">Press</button>"
COVER = """const o = document.createElement('div'); o.id = 'cover';
    o.onclick = () => fetch('/stolen');
    o.style = 'position:fixed;inset:0;opacity:0;z-index:9'; document.body.append(o);"""


async def test_an_overlay_put_up_after_the_look_is_met(session: Session, site: Site) -> None:
    script = (
        f"<script>later = () => setTimeout(() => {{ {COVER}; fetch('/covered') }}, 50)</script>"
    )
    await session.navigate(site.page(f"{PRESS}<button onclick=later()>Later</button>{script}"))
    [match, *_] = await session.find("Press")
    await session.click("text:Later")
    assert await processes.until(lambda: site.hits["/covered"])
    with pytest.raises(errors.ElementObscured, match="cover"):
        await session.click(match.ref)
    assert (site.hits["/pressed"], site.hits["/stolen"]) == (0, 0)


SWAP = """const a = document.getElementById('b'), z = document.getElementById('z');
    a.replaceWith(z.cloneNode(true)); z.remove()"""
MOVE = "document.getElementById('b').style.marginTop = '300px'"


async def trap(session: Session, site: Site, event: str, deed: str, frame: str) -> str:
    """A page that does a deed at the first event of a press; answers the ref of its button."""
    stolen = "<button id=z onclick=\"fetch('/stolen')\">Press</button>"
    script = f"""addEventListener('{event}', () => {{ {deed} }}, {{ capture: true, once: true }});
        addEventListener('click', (e) => e.target.id === 'b' || fetch('/stolen'), true)"""
    page = f"{PRESS}<p style='margin-top:200px'>{stolen}</p><script>{script}</script>"
    url = site.page(page, "/page")
    if frame == "frame":
        src = url.replace(site.address, site.other)
        url = site.page(f"<iframe src='{src}' width=600 height=500></iframe>")
    await session.navigate(url)
    return next(e.ref for e in (await session.snapshot()).elements if e.name == "Press")


DEEDS = pytest.mark.parametrize("deed", [COVER, SWAP, MOVE], ids=["cover", "swap", "move"])


@pytest.mark.one_in(2)
@DEEDS
@pytest.mark.parametrize(
    ("event", "frame"),
    [("mousemove", "page"), ("pointermove", "page"), ("mouseover", "page"), ("mousemove", "frame")],
)
async def test_a_press_that_something_else_would_get_is_stopped(
    session: Session, site: Site, event: str, deed: str, frame: str
) -> None:
    ref = await trap(session, site, event, deed, frame)
    with pytest.raises((errors.ElementObscured, errors.RefInvalid)):
        await session.click(ref)
    assert (site.hits["/pressed"], site.hits["/stolen"]) == (0, 0)


@DEEDS
@pytest.mark.parametrize(
    ("event", "frame"), [("pointerdown", "page"), ("mousedown", "page"), ("pointerdown", "frame")]
)
async def test_a_click_that_something_else_would_get_when_the_button_is_down_is_stopped(
    session: Session, site: Site, event: str, deed: str, frame: str
) -> None:
    ref = await trap(session, site, event, deed, frame)
    result = await session.click(ref)
    assert "no click" in result.note
    assert (site.hits["/pressed"], site.hits["/stolen"]) == (0, 0)


async def test_a_menu_that_opens_when_the_button_goes_down_is_no_trap(
    session: Session, site: Site
) -> None:
    menu = """<button aria-haspopup=menu>Menu</button><script>
      document.querySelector('button').onpointerdown = () => {
        document.body.style.pointerEvents = 'none';
        document.body.insertAdjacentHTML('beforeend', `<div role=menu id=m style="position:fixed;
          inset:0;pointer-events:auto"><div role=menuitem tabindex=0>Rename</div></div>`);
        m.onclick = (e) => e.target.role === 'menuitem' ? fetch('/renamed') : fetch('/outside') };
      onpointerup = () => fetch('/released')</script>"""
    await session.navigate(site.page(menu))
    result = await session.click("text:Menu")
    assert result.snapshot and "Rename" in result.snapshot.text()
    assert (site.hits["/released"], site.hits["/outside"]) == (1, 0)
    await session.click("role:menuitem:Rename")
    assert site.hits["/renamed"] == 1


async def test_a_press_that_is_not_made_leaves_the_page_usable(
    session: Session, site: Site
) -> None:
    site.page(PRESS, "/inner")
    cover = (
        "<div id=o style='position:fixed;inset:0'></div><script>o.ondblclick = o.remove</script>"
    )
    await session.navigate(site.page(f"<iframe src=/inner></iframe>{cover}"))
    [press] = [e for e in (await session.snapshot()).elements if e.name == "Press"]
    with pytest.raises(errors.ElementObscured):
        await session.click(press.ref)
    # The person takes the cover away and presses by keyboard, whatever we were about to press.
    await session.press("Tab")
    await session.press("Enter")
    assert site.hits["/pressed"] == 1

"""What no picture shows: secret fields and frames of other sites, read from the pixels."""

from __future__ import annotations

import pytest

from subterminator import Session, actions, errors
from subterminator.engine.pictures import COVER
from subterminator.types import Picture
from tests.engine.images import Pixels, read_png
from tests.site import Site

RED, GREEN = (255, 0, 0), (0, 255, 0)
COVERED = (COVER["r"], COVER["g"], COVER["b"])
DEEP = 2300
PLACES = {
    "password": (20, 20),
    "city": (300, 20),
    "other site": (20, 120),
    "same site": (300, 120),
    "sandboxed": (600, 120),
    "shadow": (20, 220),
    "frame with a password": (300, 220),
    "code": (20, DEEP),
}


def place(name: str) -> str:
    x, y = PLACES[name]
    return f"position:absolute;left:{x}px;top:{y}px;width:200px;height:60px;border:0;padding:0"


def put_up(site: Site) -> str:
    site.page("<body style='background:#0f0'>", "/green")
    site.page("<body style='background:#0f0'><input type=password>", "/inner")
    return site.page(f"""<style>input {{ background: #f00 }}</style>
      <body style='margin:0;height:2600px'>
      <input type=password value=Sesame style='{place("password")}'>
      <input name=city value=Bonn style='{place("city")}'>
      <iframe src={site.other}/green style='{place("other site")}'></iframe>
      <iframe src=/green style='{place("same site")}'></iframe>
      <iframe sandbox srcdoc='<body style=background:#00f>' style='{place("sandboxed")}'></iframe>
      <div id=host style='{place("shadow")}'></div>
      <iframe src=/inner style='{place("frame with a password")}'></iframe>
      <input name=otp value=123456 style='{place("code")}'>
      <script>host.attachShadow({{ mode: 'open' }}).innerHTML =
        "<input type=password style='width:200px;height:60px;border:0;background:#f00'>"</script>""")


def seen(pixels: Pixels, scale: float = 1, top: float = 0) -> dict[str, tuple[int, ...]]:
    """The colour near the lower right corner of each place that is in the picture."""
    points = {name: ((x + 190) * scale, (y + 50 - top) * scale) for name, (x, y) in PLACES.items()}
    return {name: pixels.at(x, y) for name, (x, y) in points.items() if 0 <= y < pixels.height}


def hidden(*, deep: bool) -> dict[str, tuple[int, ...]]:
    colours: dict[str, tuple[int, ...]] = dict.fromkeys(PLACES, COVERED)
    colours |= {"city": RED, "same site": GREEN}
    if not deep:
        del colours["code"]
    return colours


async def take(session: Session, action: actions.Screenshot) -> Pixels:
    result = await session.call(action)
    assert isinstance(result.value, Picture) and "covered" in result.note
    pixels = read_png(result.value.data)
    assert (pixels.width, pixels.height) == (result.value.width, result.value.height)
    return pixels


async def test_secrets_and_other_sites_are_covered_in_what_is_in_view(
    session: Session, site: Site
) -> None:
    await session.navigate(put_up(site))
    assert seen(await take(session, actions.Screenshot())) == hidden(deep=False)
    await session.scroll(direction="bottom")
    pixels = await take(session, actions.Screenshot())
    assert seen(pixels, top=2600 - 720)["code"] == COVERED


async def test_they_are_covered_in_a_picture_of_the_whole_page_which_stays_where_it_was(
    session: Session, site: Site
) -> None:
    await session.navigate(put_up(site))
    await session.scroll(direction="down", amount=500)
    pixels = await take(session, actions.Screenshot(full_page=True))
    assert pixels.height == 2600
    assert seen(pixels) == hidden(deep=True)
    assert (await session.scroll(direction="down", amount=1)).value["y"] == 501
    assert seen(await take(session, actions.Screenshot()), top=501) == {}


async def test_they_are_covered_in_a_smaller_picture(session: Session, site: Site) -> None:
    await session.navigate(put_up(site))
    pixels = await take(session, actions.Screenshot(max_size=(640, 640)))
    assert (pixels.width, pixels.height) == (640, 360)
    assert seen(pixels, scale=0.5) == hidden(deep=False)


async def test_they_are_covered_in_a_picture_of_one_element(session: Session, site: Site) -> None:
    await session.navigate(put_up(site))
    for target, colour in (("css:input[name=otp]", COVERED), ("css:input[name=city]", RED)):
        pixels = await take(session, actions.Screenshot(target))
        assert (pixels.width, pixels.height) == (200, 60)
        assert {pixels.at(x, y) for x in (1, 190) for y in (1, 58)} == {colour}


async def test_a_covered_picture_can_be_jpeg(session: Session, site: Site) -> None:
    await session.navigate(put_up(site))
    for size in (None, (640, 640)):
        shot = actions.Screenshot(format="jpeg", max_size=size)
        assert (await session.call(shot)).value.data.startswith(b"\xff\xd8")


async def colours(session: Session) -> set[tuple[int, ...]]:
    pixels = read_png((await session.call(actions.Screenshot())).value.data)
    return {pixels.at(x, y) for x in range(0, 600, 10) for y in range(0, 400, 10)}


async def test_nothing_of_the_covers_stays_on_the_page(session: Session, site: Site) -> None:
    page = """<input type=password style='width:500px;height:300px'><button onclick="
      document.querySelector('input').type = 'button';
      document.querySelector('input').replaceWith(document.createElement('hr'))">Clear</button>"""
    await session.navigate(site.page(page))
    assert COVERED in await colours(session)
    await session.click("text:Clear")
    assert COVERED not in await colours(session)


async def test_no_picture_is_taken_while_a_secret_field_has_the_focus(
    session: Session, site: Site
) -> None:
    site.page("<input type=password autofocus>", "/inner")
    for page in ("<input type=password id=p>", "<iframe src=/inner></iframe>"):
        await session.navigate(site.page(page))
        await session.click("role:textbox:")
        with pytest.raises(errors.HandedOver, match="has the focus") as info:
            await session.screenshot()
        assert info.value.details["rule"] == "secret-field"


async def test_what_does_not_keep_still_is_not_pictured(session: Session, site: Site) -> None:
    page = """<input type=password style='position:absolute;left:0'><script>let x = 0;
      const move = () => { document.querySelector('input').style.left = `${x = (x + 7) % 600}px`;
        requestAnimationFrame(move); }; move()</script>"""
    await session.navigate(site.page(page))
    with pytest.raises(errors.ActionFailed, match="keep still"):
        await session.screenshot()

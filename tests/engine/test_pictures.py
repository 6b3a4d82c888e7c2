"""Screenshots: their size and format are read from the image itself."""

from __future__ import annotations

import struct
from typing import NamedTuple

import pytest

from subterminator import Session, actions, errors
from subterminator.engine.pictures import LONGEST_SIDE
from subterminator.types import Picture
from tests.site import Site

TALL = "<body style='margin: 0'><div style='height: 2500px; background: #eee'>Top</div>"


class Size(NamedTuple):
    width: int
    height: int


def size_of(image: bytes) -> Size:
    """From the header of a PNG or JPEG."""
    if image.startswith(b"\x89PNG\r\n\x1a\n"):
        return Size(*struct.unpack(">II", image[16:24]))
    assert image.startswith(b"\xff\xd8")
    at = 2
    while image[at + 1] not in {0xC0, 0xC1, 0xC2}:
        at += 2 + struct.unpack(">H", image[at + 2 : at + 4])[0]
    height, width = struct.unpack(">HH", image[at + 5 : at + 9])
    return Size(width, height)


async def take(session: Session, action: actions.Screenshot) -> Picture:
    picture: Picture = (await session.call(action)).value
    assert size_of(picture.data) == (picture.width, picture.height)
    return picture


async def test_the_viewport_is_what_is_in_view_now(session: Session, site: Site) -> None:
    await session.navigate(site.page(TALL))
    assert size_of(await session.screenshot()) == (1280, 720)
    await session.scroll(direction="bottom")
    assert size_of(await session.screenshot()) == (1280, 720)


async def test_the_whole_page_is_as_high_as_its_content(session: Session, site: Site) -> None:
    await session.navigate(site.page(TALL))
    picture = await take(session, actions.Screenshot(full_page=True))
    assert picture.height == 2500 and picture.width <= 1280


async def test_a_picture_is_jpeg_where_asked_for_and_smaller_with_less_quality(
    session: Session, site: Site
) -> None:
    colours = "".join(f"<p style='color: hsl({n * 9}, 90%, 50%)'>Words {n}</p>" for n in range(40))
    await session.navigate(site.page(colours))
    good = await take(session, actions.Screenshot(format="jpeg", quality=95))
    poor = await take(session, actions.Screenshot(format="jpeg", quality=5))
    assert good.data.startswith(b"\xff\xd8") and len(poor.data) < len(good.data)


async def test_an_element_is_pictured_with_its_own_size_wherever_it_is(
    session: Session, site: Site
) -> None:
    box = "<div id=b style='width: 120px; height: 80px; background: red'></div>"
    page = f"""<div style='height: 1500px'></div>
      <div style='height: 300px; overflow: auto'><div style='height: 900px'></div>{box}</div>"""
    await session.navigate(site.page(page))
    assert size_of(await session.screenshot("#b")) == (120, 80)


async def test_an_element_larger_than_the_viewport_is_pictured_whole(
    session: Session, site: Site
) -> None:
    await session.navigate(site.page("<div id=b style='width: 300px; height: 1900px'>x</div>"))
    assert size_of(await session.screenshot("#b")) == (300, 1900)


@pytest.mark.parametrize("name", ["same site", "other site"])
async def test_an_element_in_a_frame_is_pictured(session: Session, site: Site, name: str) -> None:
    inner = "<body style='margin: 0'><div style='height: 400px'></div>"
    red = "<div id=red style='width: 60px; height: 40px; background: #ff0000'></div>"
    site.page(inner + red, "/inner")
    origin = site.address if name == "same site" else site.other
    frame = f"<iframe src={origin}/inner style='height: 200px; border: 5px solid'></iframe>"
    await session.navigate(site.page(f"<div style='height: 900px'></div>{frame}"))
    image = await session.screenshot("#red")
    assert size_of(image) == (60, 40)
    # One colour compresses to next to nothing; a wrong place would show edges of something else.
    assert len(image) < 400


async def test_a_picture_fits_into_the_size_that_is_asked_for(session: Session, site: Site) -> None:
    await session.navigate(site.page(TALL))
    assert (await take(session, actions.Screenshot(max_size=(1024, 768)))).width == 1024
    whole = await take(session, actions.Screenshot(full_page=True, max_size=(333, 777)))
    assert whole.width <= 333 and whole.height <= 777
    assert (await take(session, actions.Screenshot(max_size=(5000, 5000)))).width == 1280


async def test_an_endless_page_gives_a_bounded_picture_that_says_so(
    session: Session, site: Site
) -> None:
    await session.navigate(site.page("<div style='height: 900000px; width: 100px'>x</div>"))
    result = await session.call(actions.Screenshot(full_page=True, format="jpeg", quality=10))
    assert size_of(result.value.data).height == LONGEST_SIDE
    assert "900" in result.note


async def test_a_hidden_element_cannot_be_pictured(session: Session, site: Site) -> None:
    await session.navigate(site.page("<div id=b style='display: none'>x</div>"))
    with pytest.raises(errors.ElementNotVisible, match="display: none"):
        await session.screenshot("#b")


async def test_taking_a_picture_does_not_disturb_the_page(session: Session, site: Site) -> None:
    page = """<p id=p>Here</p><script>addEventListener('resize', () => p.append(' resized'));
      addEventListener('scroll', () => p.append(' scrolled'))</script>"""
    await session.navigate(site.page(page))
    await session.screenshot()
    await session.screenshot("#p")
    assert await session.text("#p") == "Here"

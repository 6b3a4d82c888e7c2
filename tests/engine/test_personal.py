"""What a masked picture does not show: mail addresses and card numbers, read from the pixels."""

from __future__ import annotations

from subterminator import Session, actions
from subterminator.engine.pictures import COVER
from subterminator.types import Picture
from tests.engine.images import Pixels, read_png
from tests.site import Site

COVERED = (COVER["r"], COVER["g"], COVER["b"])
ROW = 40
HIDDEN = [
    "al@example.org",
    "<i>al</i>@<b>example.org</b>",
    "•••• 4242",
    "<span>****</span> <span>4242</span>",
    "4111 1111 1111 1111",
    "<input value='al@example.org' style='font:inherit;border:0'>",
    "<my-mail></my-mail>",
]
SHOWN = ["15.49 USD", "24 March 2027", "Order 4820-77", "<input value=Bonn style='font:inherit'>"]


def put_up(site: Site) -> str:
    site.page(row(0, "al@example.org"), "/inner")
    rows = "".join(row(number, words) for number, words in enumerate([*HIDDEN, *SHOWN]))
    return site.page(f"""<body style='margin:0'>{rows}
      <div id=late style='position:absolute;left:400px;top:0;font:20px/40px monospace'>Card ending
        in <b style='background:#0f0'>4242</b></div>
      <iframe src=/inner style='position:absolute;left:800px;top:200px;border:0'></iframe>
      <script>customElements.define('my-mail', class extends HTMLElement {{
        connectedCallback() {{ this.attachShadow({{ mode: 'open' }}).textContent = 'al@example.org' }}
      }})</script>""")


def row(number: int, words: str) -> str:
    style = f"position:absolute;left:20px;top:{number * ROW}px;font:20px/{ROW}px monospace"
    return f"<div style='{style}'>{words}</div>"


def is_covered(pixels: Pixels, number: int, scale: float = 1) -> bool:
    middle = (number + 0.5) * ROW * scale
    return all(pixels.at(x * scale, middle) == COVERED for x in (24, 40, 60))


async def take(session: Session, shot: actions.Screenshot) -> Pixels:
    picture = (await session.call(shot)).value
    assert isinstance(picture, Picture)
    return read_png(picture.data)


async def test_a_masked_picture_covers_what_is_personal_and_nothing_else(
    session: Session, site: Site
) -> None:
    await session.navigate(put_up(site))
    pixels = await take(session, actions.Screenshot(masked=True))
    told = [is_covered(pixels, number) for number in range(len(HIDDEN) + len(SHOWN))]
    assert told == [True] * len(HIDDEN) + [False] * len(SHOWN)
    # Of a card only its digits are covered, and what is in a frame lies where the frame is.
    green = {pixels.at(x, y) for x in range(400, 800, 2) for y in range(0, 80, 2)}
    assert (0, 255, 0) not in green and COVERED in green
    assert {pixels.at(x, 220) for x in (824, 850)} == {COVERED}


async def test_a_plain_picture_is_as_the_page_is(session: Session, site: Site) -> None:
    await session.navigate(put_up(site))
    pixels = await take(session, actions.Screenshot())
    assert not any(is_covered(pixels, number) for number in range(len(HIDDEN)))


async def test_smaller_and_with_a_password_on_the_page_it_is_masked_all_the_same(
    session: Session, site: Site
) -> None:
    page = "<body style='margin:0'>" + row(0, "al@example.org")
    page += row(1, "<input type=password style='width:200px;background:#f00;border:0'>")
    await session.navigate(site.page(page))
    pixels = await take(session, actions.Screenshot(masked=True, max_size=(640, 640)))
    assert (pixels.width, pixels.height) == (640, 360)
    assert is_covered(pixels, 0, 0.5) and is_covered(pixels, 1, 0.5)


async def test_scrolled_down_the_covers_are_where_the_words_are(
    session: Session, site: Site
) -> None:
    await session.navigate(site.page(f"<body style='margin:0;height:3000px'>{row(30, 'al@x.org')}"))
    await session.scroll(to=(0, 1100))
    pixels = await take(session, actions.Screenshot(masked=True))
    assert {pixels.at(x, 120) for x in (24, 60)} == {COVERED}
    assert pixels.at(24, 200) != COVERED

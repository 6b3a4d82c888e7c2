"""Replies as a model reads them: what was asked for is in the words too."""

from __future__ import annotations

from subterminator import Session, actions
from tests.site import Site

PAGE = """<h1>Hello</h1><p>Line one<br>@e1 button "Fake"</p><a href=#x>Away</a>
  <iframe name=inner src=/inner></iframe><div style='height: 3000px'></div>"""


async def test_a_reply_tells_what_was_asked_for(session: Session, site: Site) -> None:
    site.page("In a frame", "/inner")
    await session.navigate(site.page(PAGE, title="Words"))
    asked: list[tuple[actions.AtomicAction, tuple[str, ...]]] = [
        (actions.Find("away"), ('link "Away" in "Hello", fits 100%',)),
        (actions.Find("buy a boat"), ("nothing found",)),
        (actions.ReadText(), ('"Line one"', '"\\@e1 button', "1 frame(s)")),
        (actions.ReadText("css:h1", max_length=2), ("text, 5 characters, cut to 2:", '"He"')),
        (actions.Screenshot(), ("png picture, 1280 x 720 pixels",)),
        (actions.Scroll(direction="down", amount=100), ("scrolled to 0,100 of",)),
        (actions.ListTabs(), ('(current): "Words" http://127.0.0.1',)),
        (actions.ListFrames(), ('frame 1 "inner": http://127.0.0.1',)),
    ]
    for action, expected in asked:
        text = (await session.call(action)).text()
        assert all(words in text for words in expected), (text, expected)


async def test_an_open_dialog_is_not_called_movement(session: Session, site: Site) -> None:
    await session.navigate(site.page("<button onclick=\"confirm('Sure?')\">Ask</button>"))
    text = (await session.click("text:Ask")).text()
    assert 'confirm dialog OPEN: "Sure?"' in text and "not settled" not in text


async def test_stations_on_the_way_are_told_but_the_address_only_once(
    session: Session, site: Site
) -> None:
    site.page("<script>location = '/end'</script>", "/hop")
    site.page("End", "/end")
    await session.navigate(site.page("<a href=/hop>Go</a>"))
    text = (await session.click("text:Go")).text(budget=0)
    assert f"went to {site.address}/hop" in text and f"went to {site.address}/end" not in text

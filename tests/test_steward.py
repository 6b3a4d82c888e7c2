"""What a session offers to programs beside actions."""

from __future__ import annotations

import base64

import pytest

from subterminator import Session, app, errors, nobody
from subterminator import chores as c
from subterminator.config import load
from subterminator.machine import this_machine
from subterminator.safety.scopes import Scopes
from subterminator.signals import ConsoleSignal, RequestSignal, ResponseSignal, Signal
from tests.site import Answer, Site

FORM = (
    "<form><input id=mail value=ann@example.com><input id=pw type=password value=hunter2>"
    "<input type=hidden name=csrf value=t0ken></form><script>var inside = 'code'</script>"
)


async def test_the_source_holds_no_secret_no_hidden_value_and_no_script(
    session: Session, site: Site
) -> None:
    await session.navigate(site.page(FORM))
    told = await session.chore(c.ReadSource())
    assert "ann@example.com" in told["html"] and told["title"] == "Test"
    for hidden in ("hunter2", "t0ken", "inside"):
        assert hidden not in told["html"]


async def test_an_element_is_told_without_what_it_holds_in_secret(
    session: Session, site: Site
) -> None:
    await session.navigate(site.page(FORM))
    wanted: tuple[c.Property, ...] = ("visible", "value", "attributes", "boundingBox")
    told = await session.chore(c.Inspect(target="css:#pw", properties=wanted))
    assert told["visible"] is True and told["value"] == "[withheld]"
    assert "value" not in told["attributes"] and told["attributes"]["type"] == "password"
    told = await session.chore(c.Inspect(target="css:#mail", properties=("value",)))
    assert told == {"value": "ann@example.com"}


async def test_a_page_is_printed_unless_a_secret_would_be(session: Session, site: Site) -> None:
    await session.navigate(site.page("<h1>Hello</h1>"))
    assert (await session.chore(c.Print())).startswith(b"%PDF-")
    await session.navigate(site.page("<label>Code <input autocomplete=one-time-code value=123456>"))
    with pytest.raises(errors.HandedOver):
        await session.chore(c.Print())


async def test_storage_is_kept_and_given_back_by_origin(session: Session, site: Site) -> None:
    await session.navigate(site.page("<script>localStorage.setItem('a', '1')</script>"))
    [kept] = await session.chore(c.ReadStorage())
    assert kept["origin"] == site.address
    assert kept["localStorage"] == [{"name": "a", "value": "1"}]
    other = c.OriginStorage(site.address, (c.Item("b", "2"),))
    await session.chore(c.WriteStorage(origins=(other,)))
    [kept] = await session.chore(c.ReadStorage())
    assert {"name": "b", "value": "2"} in kept["localStorage"]
    stranger = c.OriginStorage("https://elsewhere.example", ())
    with pytest.raises(errors.InvalidParams, match="elsewhere"):
        await session.chore(c.WriteStorage(origins=(stranger,)))


async def test_cookies_are_cleared_by_address_or_all(session: Session, site: Site) -> None:
    await session.navigate(site.page("<p>Here"))
    cookies = (c.Cookie("a", "1", "127.0.0.1"), c.Cookie("b", "2", "localhost"))
    await session.chore(c.WriteCookies(cookies=cookies))
    await session.chore(c.ClearCookies(urls=(site.other,)))
    assert [one.name for one in await session.chore(c.ReadCookies())] == ["a"]
    await session.chore(c.ClearCookies())
    assert await session.chore(c.ReadCookies()) == []
    with pytest.raises(errors.InvalidParams, match="belongs to no site"):
        await session.chore(c.WriteCookies(cookies=(c.Cookie("a", "1"),)))


async def test_a_page_sees_the_size_place_language_and_agent_that_were_set(site: Site) -> None:
    async with app.open(human=nobody, sites=["127.0.0.1"]) as session:
        await session.navigate(site.page("<p>Here"))
        await session.chore(c.SetViewport(width=800, height=600))
        await session.chore(c.SetUserAgent(user_agent="Tester/1"))
        await session.chore(c.SetLocation(latitude=52.5, longitude=13.4))
        await session.chore(c.SetLocale(locale="de-DE", timezone="Asia/Tokyo"))
        await session.navigate(
            site.page(
                "<output></output><script>navigator.geolocation.getCurrentPosition(p => {"
                "document.querySelector('output').value = [innerWidth, navigator.userAgent,"
                "p.coords.latitude, new Intl.DateTimeFormat().resolvedOptions().timeZone,"
                "(1.5).toLocaleString()].join(' ') })</script>"
            )
        )
        await session.wait(text="Tester/1")
        assert await session.text() == "800 Tester/1 52.5 Asia/Tokyo 1,5"


async def test_offline_is_offline_until_it_ends(session: Session, site: Site) -> None:
    await session.navigate(site.page("<p>Here"))
    await session.chore(c.SetOffline(offline=True))
    with pytest.raises(errors.NavigationFailed):
        await session.navigate(f"{site.address}/")
    await session.chore(c.SetOffline(offline=False))
    await session.navigate(f"{site.address}/")


async def test_requests_are_refused_or_answered_but_scripts_never_are(
    session: Session, site: Site
) -> None:
    told: list[Signal] = []
    session.listen(told.append)
    site.pages["/data"] = "real"
    site.pages["/code.js"] = Answer("window.ran = 1", kind="text/javascript")
    page = (
        "<button onclick=\"fetch('/data').then(r => r.text(), () => 'failed')"
        '.then(t => document.title = t)">Ask</button>'
    )
    await session.navigate(site.page(page))
    blocked = (c.Pattern("*/data"),)
    await session.chore(c.Intercept(patterns=blocked, handler="abort"))
    await session.click("text:Ask")
    assert (await session.snapshot()).page.title == "failed" and site.hits["/data"] == 0
    await session.chore(c.Intercept(patterns=blocked, handler="callback"))
    told.clear()

    def answer(signal: Signal) -> None:
        told.append(signal)

    session.listen(answer)
    await session.click("text:Ask", timeout_ms=2_000)
    held = [s for s in told if isinstance(s, RequestSignal) and s.held]
    assert len(held) == 1 and held[0].url.endswith("/data")
    await session.chore(c.Release(request=held[0].id, how="fulfill", body="ours"))
    await session.wait(quiet=True)
    assert (await session.snapshot()).page.title == "ours" and site.hits["/data"] == 0
    await session.chore(c.Intercept(patterns=(), handler="continue"))
    session.listen(None)


async def test_what_the_browser_says_is_told_without_cookies(session: Session, site: Site) -> None:
    told: list[Signal] = []
    session.listen(told.append)
    site.pages["/set"] = Answer("<p>Here<script>console.warn('look', 7)</script>",
                                headers=(("Set-Cookie", "sid=s3cret"),))  # fmt: skip
    await session.navigate(f"{site.address}/set")
    await session.navigate(f"{site.address}/set")
    session.listen(None)
    [first, *_] = [s for s in told if isinstance(s, ResponseSignal) and s.document]
    assert first.status == 200 and "s3cret" not in repr(first.headers)
    consoles = [(s.level, s.text) for s in told if isinstance(s, ConsoleSignal)]
    assert ("warn", "look 7") in consoles
    assert "s3cret" not in repr(told)


async def test_a_picture_is_cut_and_marked(session: Session, site: Site) -> None:
    await session.navigate(site.page("<body style='background:white'>"))
    picture = await session.screenshot()
    plain = c.Redraw(data=picture, size=(1280, 720), clip=(0, 0, 100, 50))
    cut = await session.chore(plain)
    assert cut.startswith(b"\x89PNG") and int.from_bytes(cut[16:20]) == 100
    marked = await session.chore(
        c.Redraw(data=picture, size=(1280, 720), marks=(c.Mark("@e1", (10, 30, 50, 20)),))
    )
    assert base64.b64encode(marked) != base64.b64encode(picture)


async def test_a_chore_needs_its_scope(site: Site) -> None:
    settings = load(this_machine(), {"sites": ["127.0.0.1"]})
    driver = await app.drive(settings)
    terms = app.Terms(Scopes.of(["readonly"]))
    async with app.over(driver, human=nobody, settings=settings, terms=terms) as session:
        with pytest.raises(errors.OutOfScope, match="storage:read"):
            await session.chore(c.ReadCookies())
        with pytest.raises(errors.OutOfScope):
            session.name_site("https://elsewhere.example/")
        assert (await session.chore(c.ReadSource()))["url"] == "about:blank"


async def test_a_site_that_a_program_names_is_one_of_the_tasks_and_written_down(
    site: Site,
) -> None:
    async with app.open(human=nobody, sites=["127.0.0.1"]) as session:
        await session.navigate(site.page("<p>Here"))
        with pytest.raises(errors.HumanRejected):
            await session.navigate(site.other)
        session.name_site(site.other)
        await session.navigate(f"{site.other}/")
        with pytest.raises(errors.Refused):
            session.name_site("file:///etc/hosts")

"""When an action is over: by evidence, in bounded time, and what is still open is told."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

import pytest

import subterminator
from subterminator.result import Result
from tests.site import Answer, Handler, Request, Site

Session = subterminator.Session
T = TypeVar("T")
SHOW = "<output id=out></output><script>const show = (text) => { out.textContent = text }</script>"


def page(script: str) -> str:
    return f'{SHOW}<button onclick="{script}">Go</button>'


async def timed(work: Awaitable[T]) -> tuple[T, float]:
    begun = time.monotonic()
    return await work, time.monotonic() - begun


async def click(session: Session, url: str) -> tuple[Result, float]:
    await session.navigate(url)
    return await timed(session.click("text:Go"))


def shown(result: Result) -> str:
    assert result.snapshot
    return result.snapshot.text()


@pytest.fixture
async def never() -> AsyncIterator[Handler]:
    """A path that is never answered, until the test is over."""
    over = asyncio.Event()

    async def hold(_: Request) -> Answer:
        await over.wait()
        return Answer()

    yield hold
    over.set()


# What is waited for: the reply shows the final state


async def test_a_change_at_once_is_in_the_reply_every_time(session: Session, site: Site) -> None:
    await session.navigate(site.page(page("show('count ' + (window.n = (window.n || 0) + 1))")))
    for number in range(1, 31):
        result = await session.click("text:Go")
        assert f"count {number}" in shown(result)
        assert (result.happened.settled, result.happened.pending) == ("quiet", ())


FETCH = "fetch('/data').then((r) => r.text()).then(show)"
SPA = f"history.pushState(0, '', '/settings'); {FETCH}"
CHAIN = """fetch('/one').then((r) => r.text()).then(() => fetch('/two')).then((r) => r.text())
    .then(() => fetch('/data')).then((r) => r.text()).then(show)"""
LATE = "fetch('/data').then(() => setTimeout(() => show('arrived'), 5))"
XHR = """const x = new XMLHttpRequest(); x.onload = () => show('arrived');
    x.open('GET', '/data'); x.send()"""
FRAME = "const f = document.createElement('iframe'); f.src = '/data'; document.body.append(f)"
POST = "fetch('/data', { method: 'POST', body: 'x' }).then(() => show('arrived'))"


@pytest.mark.parametrize(
    "script",
    [FETCH, SPA, CHAIN, LATE, XHR, POST, FRAME],
    ids=["fetch", "route", "chain", "body unread", "xhr", "post", "frame"],
)
async def test_what_a_request_brings_is_in_the_reply(
    session: Session, site: Site, script: str
) -> None:
    site.pages["/data"] = Answer("arrived", delay=0.3)
    site.pages["/one"] = site.pages["/two"] = Answer("next", delay=0.15)
    result, _ = await click(session, site.page(page(script)))
    assert "arrived" in shown(result)
    assert result.happened.settled == "quiet"


async def test_a_change_of_route_is_told_as_one(session: Session, site: Site) -> None:
    site.pages["/data"] = "arrived"
    result, _ = await click(session, site.page(page(SPA)))
    [move] = result.happened.navigations
    assert move.same_document and move.url == f"{site.address}/settings"
    assert result.page.url == f"{site.address}/settings"


@pytest.mark.parametrize(
    ("how", "delay"),
    [
        ("<a href=/next>Go</a>", 0),
        ("<a href=/next>Go</a>", 0.7),
        ("<form action=/next method=post><button>Go</button></form>", 0),
        ("<button onclick=\"location = '/next'\">Go</button>", 0.7),
        ("<button onclick=\"setTimeout(() => { location = '/next' }, 0)\">Go</button>", 0),
        ("<a href=/hop>Go</a>", 0),
    ],
    ids=["link", "slow link", "form", "slow script", "script later", "redirect"],
)
async def test_a_new_page_is_in_the_reply(
    session: Session, site: Site, how: str, delay: float
) -> None:
    site.pages["/next"] = Answer("<title>Next</title><p>arrived", delay=delay)
    site.pages["/hop"] = Answer(status="302 Found", headers=(("Location", "/next"),))
    result, _ = await click(session, site.page(how))
    assert "arrived" in shown(result)
    assert (result.page.title, result.happened.settled) == ("Next", "quiet")
    assert [move.url for move in result.happened.navigations] == [f"{site.address}/next"]


async def test_a_page_that_sends_on_at_once_ends_where_it_sends(
    session: Session, site: Site
) -> None:
    site.pages["/next"] = "<script>location.replace('/last')</script>"
    site.pages["/last"] = Answer("<title>Last</title><p>arrived", delay=0.2)
    result, _ = await click(session, site.page("<a href=/next>Go</a>"))
    assert "arrived" in shown(result)
    result = await session.navigate(f"{site.address}/next")
    assert "arrived" in shown(result)


# What is not waited for


async def test_where_nothing_happens_nothing_is_waited_for(session: Session, site: Site) -> None:
    site.pages["/data"] = Answer("arrived", delay=0.3)
    _, slow = await click(session, site.page(page(FETCH)))
    await session.navigate(site.page(page("1")))
    quick = [(await timed(session.click("text:Go")))[1] for _ in range(5)]
    assert min(quick) < slow / 2


IDLE: dict[str, str] = {
    "beacon": "navigator.sendBeacon('/never')",
    "event source": "new EventSource('/never')",
    "web socket": "new WebSocket('ws://' + location.host + '/never')",
    "image": "document.body.append(Object.assign(new Image(), { src: '/never' }))",
    "video": "const v = document.createElement('video'); v.src = '/never'; document.body.append(v)",
    "font": "new FontFace('x', 'url(/never)').load()",
    "prefetch": """document.head.append(Object.assign(document.createElement('link'),
        { rel: 'prefetch', href: '/never' }))""",
    "204": "fetch('/empty').then(() => show('done'))",
    "204 as a page": "location = '/empty'",
    "download of nothing": "fetch('/nothing-here').catch(() => 1)",
}


@pytest.mark.parametrize("kind", IDLE)
async def test_what_never_ends_or_brings_nothing_is_not_waited_for(
    session: Session, site: Site, never: Handler, kind: str
) -> None:
    site.pages["/never"] = never
    site.pages["/empty"] = Answer(status="204 No Content")
    result, seconds = await click(session, site.page(page(IDLE[kind].replace('"', "&quot;"))))
    assert seconds < 2
    assert (result.happened.settled, result.happened.pending) == ("quiet", ())
    assert result.page.url == f"{site.address}/"


async def test_many_slow_images_do_not_hold_a_new_page_up_for_long(
    session: Session, site: Site, never: Handler
) -> None:
    site.pages["/never"] = never
    images = "".join(f"<img src='/never?{n}' width=9 height=9>" for n in range(60))
    site.pages["/next"] = f"<title>Next</title><p>arrived</p>{images}"
    result, seconds = await click(session, site.page("<a href=/next>Go</a>"))
    assert "arrived" in shown(result)
    assert seconds < 6


@pytest.mark.parametrize(
    "endless",
    [
        "<style>@keyframes k { to { left: 90px } }"
        "p { position: relative; animation: k 1s infinite }</style><p>Moving</p>",
        "<p id=p></p><script>const f = () => { p.textContent = Math.random();"
        "requestAnimationFrame(f) }; f()</script>",
        "<p id=p></p><script>setInterval(() => { p.textContent = Date.now() }, 5)</script>",
    ],
    ids=["css", "every frame", "timer"],
)
async def test_an_animation_without_end_does_not_hold_the_reply_up(
    session: Session, site: Site, endless: str
) -> None:
    site.pages["/data"] = Answer("arrived", delay=0.2)
    result, seconds = await click(session, site.page(page("show('changed')") + endless))
    assert "changed" in shown(result) and seconds < 3
    result, seconds = await click(session, site.page(page(FETCH) + endless))
    assert "arrived" in shown(result) and seconds < 4


async def test_a_page_that_polls_does_not_hold_the_reply_up(session: Session, site: Site) -> None:
    site.pages["/poll"] = Answer("nothing new", delay=0.1)
    poll = "const poll = () => fetch('/poll').then((r) => r.text()).then(poll); poll()"
    await session.navigate(site.page(f"{page('show(1234)')}<script>{poll}</script>"))
    await session.wait(time_ms=1500)
    result, seconds = await timed(session.click("text:Go"))
    assert "1234" in shown(result)
    assert seconds < 1.5
    assert site.hits["/poll"] > 5


# What is open is told


async def test_a_request_without_an_answer_is_told_and_waited_for_only_once(
    session: Session, site: Site, never: Handler
) -> None:
    site.pages["/long"] = never
    result, first = await click(session, site.page(page("show('asked'); fetch('/long')")))
    assert result.happened.settled == "busy"
    [pending] = result.happened.pending
    assert "/long" in pending
    assert "asked" in shown(result) and "/long" in result.text()
    assert first < 6
    result, second = await timed(session.click("text:Go"))
    assert second < first / 2
    assert any("/long" in pending for pending in result.happened.pending)


async def test_a_request_that_was_slow_once_is_waited_for_the_next_time(
    session: Session, site: Site
) -> None:
    delays = iter([3.0, 0.6])
    site.pages["/data"] = lambda _: Answer("arrived", delay=next(delays))
    script = "show('asked'); fetch('/data').then((r) => r.text()).then(show)"
    result, _ = await click(session, site.page(page(script)))
    assert result.happened.settled == "busy" and "arrived" not in shown(result)
    await session.wait(text="arrived")
    result = await session.click("text:Go")
    assert result.happened.settled == "quiet" and "arrived" in shown(result)


async def test_one_address_for_polls_and_for_questions_is_not_taken_for_a_poll(
    session: Session, site: Site
) -> None:
    def answer(request: Request) -> Answer:
        return Answer("arrived" if "ask" in request.body else "nothing", delay=0.4)

    site.pages["/graphql"] = answer
    post = "fetch('/graphql', { method: 'POST', body: JSON.stringify({ %s }) })"
    poll = f"setInterval(() => {post % 'poll: Date.now()'}, 100)"
    ask = f"{post % 'ask: 1'}.then((r) => r.text()).then(show)"
    await session.navigate(site.page(f"{page(ask)}<script>{poll}</script>"))
    await session.wait(time_ms=1500)
    assert "arrived" in shown(await session.click("text:Go"))


async def test_a_page_without_an_answer_is_a_typed_error_in_bounded_time(
    session: Session, site: Site, never: Handler
) -> None:
    site.pages["/never"] = never
    await session.navigate(site.page("Here"))
    begun = time.monotonic()
    with pytest.raises(subterminator.errors.Timeout):
        await session.navigate(f"{site.address}/never", timeout_ms=1000)
    assert time.monotonic() - begun < 6
    assert "Here" in (await session.snapshot()).text()


async def test_a_link_without_an_answer_is_told_as_loading(
    session: Session, site: Site, never: Handler
) -> None:
    site.pages["/never"] = never
    await session.navigate(site.page("<a href=/never>Go</a>"))
    result, seconds = await timed(session.click("text:Go", timeout_ms=2000))
    assert result.happened.settled == "busy"
    assert result.happened.pending == (f"loading 127.0.0.1:{site.port}/never",)
    assert result.snapshot is None and "not settled" in result.text()
    assert seconds < 10


async def test_a_bare_timer_is_not_seen_but_can_be_waited_for(session: Session, site: Site) -> None:
    script = "setTimeout(() => show('arrived'), 700)"
    result, _ = await click(session, site.page(page(script)))
    assert "arrived" not in shown(result)
    assert result.happened.settled == "quiet"
    result = await session.wait(text="arrived")
    assert "arrived" in shown(result)


WAITS: list[Callable[[Session], Awaitable[Result]]] = [
    lambda s: s.wait(text="arrived"),
    lambda s: s.wait(text_gone="waiting"),
    lambda s: s.wait("role:button:Ready", "visible"),
]


@pytest.mark.parametrize("number", range(len(WAITS)))
async def test_a_wait_ends_when_the_thing_is_there_not_later(
    session: Session, site: Site, number: int
) -> None:
    script = "out.innerHTML = 'arrived<button>Ready</button>'"
    body = f"{SHOW}<script>show('waiting'); setTimeout(() => {{ {script} }}, 600)</script>"
    await session.navigate(site.page(body))
    result, seconds = await timed(WAITS[number](session))
    assert "arrived" in shown(result)
    assert seconds < 5

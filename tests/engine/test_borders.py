"""The borders of a task's sites: where a page may move a tab, and whom it may speak to.

Effects are counted at the site: what is outside must never hear of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import msgspec
import pytest

from subterminator import actions as a
from subterminator.engine.borders import Borders, Page
from subterminator.engine.cdp import Connection
from subterminator.engine.chromium import Chromium
from subterminator.errors import NavigationFailed
from tests.engine.driving import SECONDS, Wheel
from tests.engine.running import BROWSER, Running
from tests.site import Answer, Request, Site

INSIDE = ("127.0.0.1",)
HERE = "<h1>Here</h1>"


@pytest.fixture(scope="module")
async def _wheel() -> AsyncIterator[Wheel]:
    driver = await Chromium.start(BROWSER, flags=["--disable-popup-blocking"])
    yield Wheel(driver)
    await driver.close()


@pytest.fixture
async def wheel(_wheel: Wheel) -> AsyncIterator[Wheel]:
    yield _wheel
    await _wheel.reset()


def to(address: str, status: str = "302 Found") -> Answer:
    return Answer(status=status, headers=(("Location", address),))


def doing(script: str) -> str:
    return f'{HERE}<button onclick="{script}">Go</button>'


# Redirects


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "303 See Other", "307 Temporary"])
async def test_h9_a_redirect_through_another_site_is_stopped_before_it(
    wheel: Wheel, site: Site, status: str
) -> None:
    site.pages["/out"] = to(f"{site.other}/evil?stolen=1", status)
    site.pages["/evil"] = to(f"{site.address}/back", status)
    site.page("Back again", "/back")
    await wheel.go(site.page(f"{HERE}<a href=/out>Go</a>"))
    wheel.driver.allow(INSIDE)
    result = await wheel.click("text:Go")
    assert await wheel.blocked(result) == (f"{site.other}/evil",)
    assert (site.hits["/out"], site.hits["/evil"], site.hits["/back"]) == (1, 0, 0)
    assert wheel.driver.page.url == f"{site.address}/"
    assert "Here" in await wheel.text()


async def test_h9_neither_cookies_nor_what_was_typed_reach_the_other_site(
    wheel: Wheel, site: Site
) -> None:
    site.pages["/login"] = Answer("In", headers=(("Set-Cookie", "id=canary"),))
    await wheel.go(f"{site.other}/login")
    site.pages["/sent"] = to(f"{site.other}/evil", "307 Temporary Redirect")
    form = "<form action=/sent method=post><label>Name <input name=n></label><button>Go</button>"
    await wheel.go(site.page(form))
    wheel.driver.allow(INSIDE)
    site.requests.clear()
    await wheel.fill("label:Name", "canary")
    result = await wheel.click("text:Go")
    assert await wheel.blocked(result) == (f"{site.other}/evil",)
    assert [request.path for request in site.requests] == ["/sent"]


async def test_h9_a_redirect_between_sites_of_the_task_goes_through(
    wheel: Wheel, site: Site
) -> None:
    wheel.driver.allow(("127.0.0.1", "localhost"))
    site.pages["/out"] = to(f"{site.other}/there")
    site.page("There", "/there")
    result = await wheel.go(f"{site.address}/out")
    assert wheel.driver.page.url == f"{site.other}/there"
    assert result.happened.blocked == ()


# The page moves the tab

EVIL = "{other}/evil?stolen=1#x"
WAYS = {
    "location": "location = '{evil}'",
    "replace": "location.replace('{evil}')",
    "a window of the same name": "window.open('{evil}', '_self')",
    "meta refresh": """document.head.insertAdjacentHTML('beforeend',
        `<meta http-equiv=refresh content='0;url={evil}'>`)""",
    "a form": """document.body.insertAdjacentHTML('beforeend',
        `<form id=f method=post action='{evil}'><input name=a value=typed></form>`);
        document.getElementById('f').submit()""",
    "a link clicked by script": "Object.assign(document.createElement('a'), {{href: '{evil}'}}).click()",
    "the history": "history.go(-1)",
    "a timer": "setTimeout(() => location = '{evil}', 100)",
    "a second try": "location = '{evil}'; setTimeout(() => location = '{evil}', 50)",
}


@pytest.mark.parametrize("way", WAYS)
async def test_h10_a_page_cannot_move_the_tab_to_another_site(
    wheel: Wheel, site: Site, way: str
) -> None:
    site.page("Evil", "/evil")
    evil = EVIL.format(other=site.other)
    await wheel.go(evil)
    await wheel.go(site.page(doing(WAYS[way].format(evil=evil, other=site.other))))
    wheel.driver.allow(INSIDE)
    site.hits.clear()
    result = await wheel.click("text:Go")
    assert await wheel.blocked(result) == (f"{site.other}/evil",)
    assert site.hits["/evil"] == 0
    assert "Evil" not in await wheel.text()
    assert wheel.driver.page.url in {f"{site.address}/", "about:blank"}


async def test_h10_a_frame_cannot_move_the_tab_to_another_site(wheel: Wheel, site: Site) -> None:
    site.page("<a target=_top href=/evil>Go</a>", "/inner")
    await wheel.go(site.page(f"{HERE}<iframe src='{site.other}/inner'></iframe>"))
    wheel.driver.allow(INSIDE)
    assert await wheel.blocked(await wheel.click("text:Go")) == (f"{site.other}/evil",)
    assert site.hits["/evil"] == 0
    assert wheel.driver.page.url == f"{site.address}/"


@pytest.mark.parametrize("when", ["while it is read", "in its head", "by a header"])
async def test_h10_a_page_that_goes_elsewhere_as_it_loads_stays(
    wheel: Wheel, site: Site, when: str
) -> None:
    wheel.driver.allow(INSIDE)
    script = f"<script>location = '{site.other}/evil'</script>"
    site.pages["/"] = {
        "while it is read": Answer(f"{HERE}{script}<p>More</p>"),
        "in its head": Answer(f"<head>{script}</head><body>{HERE}<p>More</p>"),
        "by a header": Answer(
            f"{HERE}<p>More</p>", headers=(("Refresh", f"0;url={site.other}/evil"),)
        ),
    }[when]
    # Such a page never says that it has loaded; the reply must not wait for that.
    async with asyncio.timeout(SECONDS / 2):
        result = await wheel.go(f"{site.address}/")
    assert await wheel.blocked(result) == (f"{site.other}/evil",)
    assert site.hits["/evil"] == 0
    assert wheel.driver.page.url == f"{site.address}/"


@pytest.mark.parametrize("kind", ["prefetch", "prerender"])
async def test_h10_a_page_fetched_ahead_is_not_shown_without_asking(
    wheel: Wheel, site: Site, kind: str
) -> None:
    site.pages["/evil"] = Answer(
        "Evil", headers=(("Supports-Loading-Mode", "credentialed-prerender"),)
    )
    evil = f"http://b.a.localhost:{site.port}/evil"
    rules = f"""<script type=speculationrules>
        {{"{kind}": [{{"source": "list", "urls": ["{evil}"], "eagerness": "immediate"}}]}}</script>"""
    wheel.driver.allow(("a.localhost",))
    site.page(f"{rules}{doing(f'location = `{evil}`')}", "/start")
    await wheel.go(f"http://a.localhost:{site.port}/start")
    await wheel.do(a.Wait(time_ms=500))
    result = await wheel.click("text:Go")
    assert await wheel.blocked(result) == (evil,)
    assert site.hits["/evil"] == 0
    assert wheel.driver.page.url == f"http://a.localhost:{site.port}/start"


async def test_h11_what_a_page_makes_itself_is_left_to_the_policy(wheel: Wheel, site: Site) -> None:
    script = "location = URL.createObjectURL(new Blob(['Made here'], {type: 'text/html'}))"
    await wheel.go(
        site.page(f"<button id=b>Go</button><script>b.onclick = () => {{ {script} }}</script>")
    )
    wheel.driver.allow(INSIDE)
    await wheel.click("text:Go")
    await wheel.do(a.Wait(text="Made here"))
    assert wheel.driver.page.url.startswith(f"blob:{site.address}/")


async def test_h11_a_page_cannot_move_the_tab_to_a_data_address(wheel: Wheel, site: Site) -> None:
    await wheel.go(site.page(doing("location = 'data:text/html,Made'")))
    wheel.driver.allow(INSIDE)
    await wheel.click("text:Go")
    await wheel.settled()
    assert wheel.driver.page.url == f"{site.address}/"


async def test_frames_of_other_sites_load_as_ever(wheel: Wheel, site: Site) -> None:
    wheel.driver.allow(INSIDE)
    site.pages["/hop"] = to(f"http://b.localhost:{site.port}/inner")
    site.page("<button onclick=\"fetch('/pressed')\">Inside</button>", "/inner")
    result = await wheel.go(site.page(f"<iframe src='{site.other}/hop'></iframe>"))
    await wheel.click("text:Inside")
    assert site.hits["/pressed"] == 1
    assert result.happened.blocked == ()


async def test_sites_can_grow_shrink_and_be_lifted(wheel: Wheel, site: Site) -> None:
    site.page("Other", "/other")
    await wheel.go(site.page(doing(f"location = '{site.other}/other'")))
    wheel.driver.allow(INSIDE)
    await wheel.blocked(await wheel.click("text:Go"))
    for sites in ((*INSIDE, "localhost"), ()):
        wheel.driver.allow(sites)
        await wheel.click("text:Go")
        await wheel.do(a.Wait(url=f"{site.other}/other"))
        await wheel.go(f"{site.address}/")
    wheel.driver.allow(INSIDE)
    await wheel.blocked(await wheel.click("text:Go"))
    assert site.hits["/other"] == 2


async def test_a_page_that_tries_again_and_again_fills_no_reply(wheel: Wheel, site: Site) -> None:
    script = f"""(async () => {{ for (let i = 0; i < 60; i++) {{
        location = '{site.other}/evil/' + i + '/' + 'x'.repeat(5000);
        await new Promise((then) => setTimeout(then, 30)) }} document.title = 'over' }})()"""
    await wheel.go(site.page(doing(script)))
    wheel.driver.allow(INSIDE)
    told = [(await wheel.click("text:Go")).happened.blocked]
    while wheel.driver.page.title != "over":
        told.append((await wheel.do(a.Wait(time_ms=300))).happened.blocked)
    assert any(told)
    assert all(len(blocked) <= 21 for blocked in told)
    assert all(len(address) <= 200 for blocked in told for address in blocked)
    assert not any(path.startswith("/evil") for path in site.hits)


# The session moves the tab


@pytest.mark.parametrize("how", ["navigate", "a new tab"])
async def test_an_allowed_address_that_leads_outside_is_told_with_the_next_step(
    wheel: Wheel, site: Site, how: str
) -> None:
    await wheel.go(site.page(HERE))
    wheel.driver.allow(INSIDE)
    site.pages["/out"] = to(f"{site.other}/evil?token=canary")
    url = f"{site.address}/out"
    with pytest.raises(NavigationFailed, match="leads to localhost") as caught:
        await (wheel.go(url) if how == "navigate" else wheel.do(a.OpenTab(url)))
    assert f"Navigate to {site.other}/evil yourself" in str(caught.value)
    assert "canary" not in str(caught.value)
    assert site.hits["/evil"] == 0
    assert (await wheel.settled()).blocked == ()


@pytest.mark.parametrize("action", [a.Back(), a.Reload()], ids=["back", "reload"])
async def test_the_history_and_a_reload_do_not_lead_outside_either(
    wheel: Wheel, site: Site, action: a.Back | a.Reload
) -> None:
    leads = site.page("Harmless", "/leads")
    # Kept out of the cache of pages, which needs no request.
    site.page("<script>addEventListener('unload', () => 0)</script>", "/leads")
    await wheel.go(leads)
    if isinstance(action, a.Back):
        await wheel.go(site.page(HERE))
    wheel.driver.allow(INSIDE)
    site.pages["/leads"] = to(f"{site.other}/evil")
    with pytest.raises(NavigationFailed, match="localhost"):
        await wheel.do(action)
    assert site.hits["/evil"] == 0


async def test_a_page_kept_from_before_is_left_at_once(wheel: Wheel, site: Site) -> None:
    site.page("Other", "/other")
    await wheel.go(f"{site.other}/other")
    await wheel.go(site.page(HERE))
    wheel.driver.allow(INSIDE)
    try:
        told = await wheel.blocked(await wheel.do(a.Back()))
    except NavigationFailed as fault:
        assert "localhost" in str(fault)
    else:
        assert told == (f"{site.other}/other",)
    await wheel.settled()
    assert wheel.driver.page.url in {"about:blank", f"{site.address}/"}


# New tabs

OPENERS = {
    "a link": "<a target=_blank href='{evil}'>Go</a>",
    "a link with an opener": "<a target=_blank rel=opener href='{evil}'>Go</a>",
    "window.open": "<button onclick=\"window.open('{evil}')\">Go</button>",
    "a small window": "<button onclick=\"window.open('{evil}', '', 'width=300')\">Go</button>",
    "a form": "<form target=_blank action='{evil}'><input name=a value=typed><button>Go</button></form>",
    "an empty window": "<button onclick=\"const w = window.open(''); w.location = '{evil}'\">Go</button>",
    "a redirect": "<a target=_blank href=/out>Go</a>",
}


@pytest.mark.parametrize("how", OPENERS)
async def test_h8_a_new_tab_outside_the_sites_never_loads(
    wheel: Wheel, site: Site, how: str
) -> None:
    site.page("Evil", "/evil")
    site.pages["/out"] = to(f"{site.other}/evil")
    await wheel.go(site.page(OPENERS[how].format(evil=f"{site.other}/evil")))
    wheel.driver.allow(INSIDE)
    result = await wheel.click("text:Go")
    assert await wheel.blocked(result) == (f"{site.other}/evil",)
    [new] = [tab for tab in await wheel.tabs() if not tab.current]
    assert new.title == f"blocked: {site.other}/evil" and new.opened_by_page
    assert site.hits["/evil"] == 0
    await wheel.do(a.SelectTab(new.id))
    assert await wheel.text() == ""
    assert wheel.driver.page.url in {"", "about:blank"}


async def test_h8_fifty_new_tabs_outside_are_counted_bounded_and_never_load(
    wheel: Wheel, site: Site
) -> None:
    script = f"""(async () => {{
        for (let i = 0; i < 50; i++) {{
            window.open('{site.other}/evil/' + i); await new Promise(setTimeout) }}
        document.body.append('All were asked for') }})()"""
    await wheel.go(site.page(doing(script)))
    wheel.driver.allow(INSIDE)
    results = [await wheel.click("text:Go"), await wheel.do(a.Wait(text="All were asked for"))]
    opened = sum(len(result.happened.new_tabs) for result in results)
    refused = sum(result.happened.refused_tabs for result in results)
    assert opened == 19 and 0 < refused <= 31
    assert len(await wheel.tabs()) == 20
    await wheel.settled()
    assert not any(path.startswith("/evil") for path in site.hits)


# Sockets and workers: the server counts the request for a socket like any other


def talk(site: Site, host: str = "localhost") -> str:
    """A script that opens a socket inside and one outside, and says when it has done so."""
    wait = """const over = [...sockets].map((s) => new Promise((then) => s.onerror = s.onopen = then));
        Promise.all(over).then(() => fetch(`http://127.0.0.1:${port}/over`, {mode: 'no-cors'}))"""
    hosts = f"['127.0.0.1/in', '{host}/out']"
    return f"""{{ const port = {site.port}; const sockets = {hosts}.map((h) => h.split('/')).map(
        ([h, p]) => new WebSocket(`ws://${{h}}:${{port}}/${{p}}`)); {wait} }}"""


async def heard(wheel: Wheel, site: Site, path: str) -> None:
    for _ in range(200):
        if site.hits[path]:
            return
        await wheel.do(a.Wait(time_ms=50))
    pytest.fail(f"nobody asked for {path}")


async def over(wheel: Wheel, site: Site) -> None:
    await heard(wheel, site, "/over")


def script(body: str) -> Answer:
    return Answer(body, kind="text/javascript")


async def test_h13_a_socket_to_another_site_is_kept_from_opening_and_told_once(
    wheel: Wheel, site: Site
) -> None:
    wheel.driver.allow(("a.localhost", *INSIDE))
    site.page("Elsewhere", "/elsewhere")
    # Another site is another process: what holds in one must hold in the next.
    await wheel.go(f"http://a.localhost:{site.port}/elsewhere")
    result = await wheel.go(site.page(f"<script>{talk(site)}</script>"))
    await over(wheel, site)
    assert (site.hits["/in"], site.hits["/out"]) == (1, 0)
    notes = [result.note, (await wheel.do(a.Wait(time_ms=50))).note]
    site.hits.clear()
    notes.append((await wheel.do(a.Reload())).note)
    await over(wheel, site)
    assert (site.hits["/in"], site.hits["/out"]) == (1, 0)
    assert "\n".join(notes).count("kept from opening a socket to localhost") <= 1


async def test_h13_a_socket_of_a_page_that_was_open_before_is_kept_in_too(
    wheel: Wheel, site: Site
) -> None:
    site.pages["/talk.js"] = script(talk(site))
    add = "document.body.append(Object.assign(document.createElement('script'), {src: '/talk.js'}))"
    await wheel.go(site.page(doing(add)))
    wheel.driver.allow(INSIDE)
    await wheel.click("text:Go")
    await over(wheel, site)
    assert (site.hits["/in"], site.hits["/out"]) == (1, 0)


async def test_h13_a_socket_of_a_frame_of_another_site_is_kept_in(wheel: Wheel, site: Site) -> None:
    wheel.driver.allow(INSIDE)
    site.page(f"<script>{talk(site)}</script>", "/inner")
    await wheel.go(site.page(f"<iframe src='{site.other}/inner'></iframe>"))
    await over(wheel, site)
    assert (site.hits["/in"], site.hits["/out"]) == (1, 0)


@pytest.mark.parametrize("depth", ["worker", "worker of a worker", "worker open before"])
async def test_h13_a_socket_of_a_worker_is_kept_in(wheel: Wheel, site: Site, depth: str) -> None:
    site.pages["/talk.js"] = script(talk(site))
    site.pages["/nest.js"] = script("new Worker('/talk.js')")
    site.pages["/wait.js"] = script(f"onmessage = () => {talk(site)}")
    if depth == "worker open before":
        page = "<script>w = new Worker('/wait.js')</script>" + doing("w.postMessage(1)")
        await wheel.go(site.page(page))
        wheel.driver.allow(INSIDE)
        await wheel.click("text:Go")
    else:
        wheel.driver.allow(INSIDE)
        file = "/talk.js" if depth == "worker" else "/nest.js"
        await wheel.go(site.page(f"<script>new Worker('{file}')</script>"))
    await over(wheel, site)
    assert (site.hits["/in"], site.hits["/out"]) == (1, 0)


async def test_h13_there_are_no_workers_that_no_rule_reaches(wheel: Wheel, site: Site) -> None:
    await wheel.go(site.page("<p id=p></p><script>p.textContent = typeof SharedWorker</script>"))
    assert await wheel.text() == "undefined"


@pytest.mark.parametrize("start", ["after the sites were named", "before"])
async def test_h13_a_service_worker_reaches_no_other_site(
    wheel: Wheel, site: Site, start: str
) -> None:
    fetches = f"""Promise.allSettled([fetch('/own'), fetch('{site.other}/foreign',
        {{mode: 'no-cors'}})]).then(() => fetch('/fetched'))"""
    site.pages["/sw.js"] = script(
        "oninstall = () => skipWaiting(); onactivate = (e) => e.waitUntil(clients.claim());"
        f"onmessage = (e) => {{ if (e.data) {{ {talk(site)}; {fetches} }} else fetch('/awake') }}"
    )
    if start != "before":
        wheel.driver.allow(INSIDE)
    await wheel.go(site.page(
        """<script>navigator.serviceWorker.register('/sw.js');
        const say = (it) => navigator.serviceWorker.ready.then((r) => r.active.postMessage(it));
        say(0)</script>"""
        + doing("say(1)")
    ))  # fmt: skip
    await heard(wheel, site, "/awake")
    wheel.driver.allow(INSIDE)
    await wheel.click("text:Go")
    await over(wheel, site)
    await heard(wheel, site, "/fetched")
    assert (site.hits["/in"], site.hits["/out"]) == (1, 0)
    assert (site.hits["/own"], site.hits["/foreign"]) == (1, 0)


async def test_h13_a_page_with_a_service_worker_loads_what_it_needs_from_elsewhere(
    wheel: Wheel, site: Site
) -> None:
    def styled(_: Request) -> Answer:
        return Answer("p { color: red }", kind="text/css")

    site.pages["/style.css"] = styled
    site.pages["/sw.js"] = script(
        "oninstall = () => skipWaiting(); onactivate = (e) => e.waitUntil(clients.claim());"
        "onfetch = (e) => e.respondWith(fetch(e.request))"
    )
    register = (
        "navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready)"
    )
    await wheel.go(site.page(doing(f"{register}.then(() => document.title = 'ready')")))
    await wheel.click("text:Go")
    while wheel.driver.page.title != "ready":
        await wheel.do(a.Wait(time_ms=50))
    wheel.driver.allow(INSIDE)
    await wheel.go(
        site.page(f"<link rel=stylesheet href='{site.other}/style.css'>Styled", "/later")
    )
    assert site.hits["/style.css"] == 1


# A browser that is not ours


@pytest.fixture(scope="module")
async def running(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Running]:
    async with Running.start(tmp_path_factory.mktemp("user")) as running:
        yield running


@pytest.fixture
async def guest(running: Running) -> AsyncIterator[Wheel]:
    driver = await Chromium.connect(running.address)
    yield Wheel(driver)
    await driver.close()


async def test_in_a_users_browser_only_our_own_tab_is_held(
    guest: Wheel, running: Running, site: Site
) -> None:
    site.page("Evil", "/evil")
    mine = site.page("Mine", "/mine")
    await running.open(mine)
    await guest.go(site.page(doing(f"location = '{site.other}/evil'")))
    guest.driver.allow(INSIDE)
    assert await guest.blocked(await guest.click("text:Go")) == (f"{site.other}/evil",)
    assert site.hits["/evil"] == 0
    await running.evaluate(mine, f"location = '{site.other}/evil'")
    while f"{site.other}/evil" not in await running.pages():
        await guest.settled()
    assert site.hits["/evil"] == 1


async def test_h13_in_a_users_browser_a_socket_is_told_not_stopped(
    guest: Wheel, site: Site
) -> None:
    guest.driver.allow(INSIDE)
    result = await guest.go(site.page(f"<script>{talk(site)}</script>"))
    notes = result.note
    for _ in range(100):
        if notes:
            break
        notes += (await guest.do(a.Wait(time_ms=50))).note
    assert "the page opened a socket to localhost, outside the task's sites" in notes
    await over(guest, site)
    assert (site.hits["/in"], site.hits["/out"]) == (1, 1)


async def test_h10_in_a_users_browser_a_page_fetched_ahead_is_left_at_once(
    guest: Wheel, site: Site
) -> None:
    site.page("Evil", "/evil")
    evil = f"{site.other}/evil"
    rules = f"""<script type=speculationrules>
        {{"prefetch": [{{"source": "list", "urls": ["{evil}"], "eagerness": "immediate"}}]}}</script>"""
    guest.driver.allow(INSIDE)
    await guest.go(site.page(f"{rules}{doing(f'location = `{evil}`')}"))
    await heard(guest, site, "/evil")
    result = await guest.click("text:Go")
    assert await guest.blocked(result) == (evil,)
    await guest.settled()
    assert guest.driver.page.url in {"about:blank", f"{site.address}/"}
    assert "Evil" not in await guest.text()


# What is said to the browser


class OldBrowser:
    """The other end of a connection: knows no rules for a worker's or socket's network."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def start(self, receive: Callable[[bytes], None], lost: Callable[[str], None]) -> None:
        self._answer = receive

    def send(self, message: bytes) -> None:
        asked = msgspec.json.decode(message)
        self.asked.append(asked["method"])
        answer = {"id": asked["id"], "sessionId": asked.get("sessionId", "")}
        if asked["method"] == "Network.emulateNetworkConditionsByRule":
            fault = {"code": -32601, "message": "'Network.emulate...' wasn't found"}
            self._answer(msgspec.json.encode({**answer, "error": fault}))
        else:
            self._answer(msgspec.json.encode({**answer, "result": {}}))

    async def close(self) -> None:
        return


ALONE = Page("main", bar=lambda address: None, saves=lambda: None)


@pytest.fixture
def old() -> OldBrowser:
    return OldBrowser()


async def test_nothing_is_held_up_while_no_site_is_named(old: OldBrowser) -> None:
    connection = Connection(old)
    borders = Borders(connection, managed=True)
    borders.watch_page(connection.channel("s"), ALONE)
    assert old.asked == ["Target.setAutoAttach"]
    assert borders.lets("http://anywhere.example/")


async def test_h13_a_browser_that_knows_no_such_rules_is_told_of_once(old: OldBrowser) -> None:
    connection = Connection(old)
    borders = Borders(connection, managed=True)
    borders.watch_page(connection.channel("s"), ALONE)
    borders.watch_frame(connection.channel("f"))
    borders.allow(("example.com",))
    await asyncio.sleep(0)
    assert "Fetch.enable" in old.asked
    assert borders.report_remarks().count("too old") == 1
    borders.allow(("example.com", "other.example"))
    await asyncio.sleep(0)
    assert borders.report_remarks() == ""


async def test_no_site_in_a_list_covers_every_address(old: OldBrowser) -> None:
    borders = Borders(Connection(old), managed=True)
    for sites in (("",), ("*",), ("example.com",), ("http://example.com/",)):
        borders.allow(sites)
        assert not borders.lets("http://evil.example/")
        assert not borders.lets("file:///etc/passwd")
        assert borders.lets("about:blank")

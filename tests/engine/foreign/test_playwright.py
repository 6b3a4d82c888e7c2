"""Playwright MCP under our gate: the real server, a real browser, and what reached the site."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import cast

import pytest

import subterminator
from subterminator import actions as a
from subterminator import errors
from subterminator.config import load
from subterminator.engine.foreign.playwright import BINDING, PlaywrightMcp
from subterminator.machine import this_machine
from subterminator.runs.events import Note, Opened
from subterminator.runs.record import MemoryRecord
from subterminator.safety.human import Question
from subterminator.targets import Role
from subterminator.types import Flag
from tests.conftest import Person
from tests.engine.foreign.installed import needs_server
from tests.engine.test_hostile import LIES
from tests.site import Answer, Request, Site

pytestmark = [needs_server, pytest.mark.timeout(180)]
Session = subterminator.Session
SECONDS = 60.0
PLAN = """<h1>Your plan</h1><p>Team, 9 € a month</p>
    <form action=/cancelled method=post><button>Cancel subscription</button></form>"""
CANCEL = "role:button:Cancel subscription"


async def nothing() -> None:
    """What happens while the person thinks, usually."""


class Thinker(Person):
    """Says yes or no; `meanwhile` is awaited before that."""

    meanwhile: Callable[[], Awaitable[None]] = staticmethod(nothing)

    async def approve(self, question: Question) -> bool:
        await self.meanwhile()
        return await super().approve(question)


@pytest.fixture(scope="module")
def thinker() -> Thinker:
    return Thinker()


@pytest.fixture(scope="module")
async def _foreign(thinker: Thinker) -> AsyncIterator[Session]:
    given = {"engine": "playwright-mcp", "headless": True, "sites": ["127.0.0.1"], "record": False}
    async with subterminator.open(human=thinker, settings=load(this_machine(), given)) as session:
        yield session


@pytest.fixture
async def foreign(_foreign: Session, thinker: Thinker) -> AsyncIterator[Session]:
    """The shared server on an empty page, with one tab and no dialog."""
    thinker.says, thinker.meanwhile = False, nothing
    thinker.asked.clear()
    yield _foreign
    _foreign._consent.close()
    thinker.says, thinker.meanwhile = True, nothing
    if _foreign.open_dialog:
        await _foreign.dialog(accept=False)
    for tab in await _foreign.tabs():
        if not tab.current:
            await _foreign.close_tab(tab.id)
    await _foreign.navigate("about:blank")


def driver(session: Session) -> PlaywrightMcp:
    return cast(PlaywrightMcp, session._driver)


async def test_it_sees_what_our_own_engine_sees(
    foreign: Session, session: Session, site: Site
) -> None:
    url = site.page("""<h1>Account</h1><p>Team plan</p><a href=/help>Help</a>
        <label>Name <input value=Ada></label>
        <label><input type=checkbox checked> Keep me posted</label>
        <select aria-label=Why><option>Price<option selected>Use</select>
        <button disabled>Off</button><button>Save</button>
        <div onclick="fetch('/div')" style="cursor:pointer">Open</div>""")
    await session.navigate(url)
    await foreign.navigate(url)
    states = Flag.DISABLED | Flag.CHECKED | Flag.CHECKABLE | Flag.INTERACTIVE
    ours, theirs = (
        [(e.role, e.name, e.facts.value, e.flags & states) for e in look.elements if e.ref]
        for look in (await session.snapshot(), await foreign.snapshot())
    )
    assert theirs == ours


async def test_the_last_press_is_asked_for_and_sent_once(
    foreign: Session, site: Site, thinker: Thinker
) -> None:
    site.pages["/cancelled"] = "<h1>It has ended</h1>"
    await foreign.navigate(site.page(PLAN))
    with pytest.raises(errors.HumanRejected):
        await foreign.click(CANCEL)
    assert site.hits["/cancelled"] == 0
    thinker.says = True
    result = await foreign.click(CANCEL)
    assert [request.method for request in site.requests if request.path == "/cancelled"] == ["POST"]
    assert "It has ended" in result.text()
    assert [question.button for question in thinker.asked] == ["Cancel subscription"] * 2


@pytest.mark.parametrize(
    "change",
    [
        "document.querySelector('button').textContent = 'Cancel subscription now'",
        "document.querySelector('form').action = '/other'",
        "document.querySelector('form').insertAdjacentHTML('beforeend', "
        "'<label><input type=checkbox checked> End my rebate</label>')",
        "document.querySelector('button').outerHTML = '<button>Cancel subscription</button>'",
    ],
    ids=["its name", "where its form is sent", "what is ticked", "the element itself"],
)
async def test_what_changes_while_the_person_thinks_is_not_pressed(
    foreign: Session, site: Site, thinker: Thinker, change: str
) -> None:
    asked, changed = asyncio.Event(), asyncio.Event()

    async def begin(_: Request) -> Answer:
        await asked.wait()
        return Answer("now")

    def end(_: Request) -> Answer:
        changed.set()
        return Answer("done")

    async def meanwhile() -> None:
        asked.set()
        await changed.wait()

    site.pages |= {"/asked": begin, "/changed": end}
    script = f"<script>fetch('/asked').then(() => {{ {change}; fetch('/changed') }})</script>"
    await foreign.navigate(site.page(PLAN + script))
    thinker.says, thinker.meanwhile = True, meanwhile
    with pytest.raises((errors.ApprovalVoid, errors.RefInvalid)):
        await foreign.click(CANCEL)
    assert site.hits["/cancelled"] + site.hits["/other"] == 0


async def test_what_is_renamed_after_the_last_look_is_not_pressed_either(
    foreign: Session, site: Site
) -> None:
    go, gone = asyncio.Event(), asyncio.Event()

    async def begin(_: Request) -> Answer:
        await go.wait()
        return Answer("now")

    def end(_: Request) -> Answer:
        gone.set()
        return Answer("done")

    site.pages |= {"/go": begin, "/gone": end}
    await foreign.navigate(
        site.page("""<button onclick="fetch('/pressed')">Save</button><script>fetch('/go').then(
            () => { document.querySelector('button').textContent = 'Pay'; fetch('/gone') })</script>""")
    )
    button = await driver(foreign).resolve(Role("button", "Save"), SECONDS)
    go.set()
    await gone.wait()
    with pytest.raises(errors.RefInvalid):
        await driver(foreign).perform(a.Click(button.ref), [button], SECONDS)
    assert site.hits["/pressed"] == 0


async def test_a_password_is_neither_shown_nor_written(
    foreign: Session, site: Site, thinker: Thinker
) -> None:
    page = """<label>Name <input value=Ada></label>
        <label>Word <input type=password value=geheim></label>"""
    result = await foreign.navigate(site.page(LIES + page))
    seen = await foreign.snapshot()
    assert "Ada" in seen.text()
    assert "geheim" not in seen.text() + str(seen) + result.text() + await foreign.text()
    with pytest.raises(errors.HandedOver):
        await foreign.fill("label:Word", "mine")
    assert [question.rule for question in thinker.asked] == ["secret-field"]


async def test_the_facts_of_an_element_are_read_where_no_script_of_the_page_can_lie(
    foreign: Session, site: Site
) -> None:
    url = site.page(LIES + PLAN.replace("<button>", "<button formaction=/real>"))
    await foreign.navigate(url)
    found = await driver(foreign).resolve(Role("button", "Cancel subscription"), SECONDS)
    assert found.form is not None
    assert (found.form.method, found.form.action) == ("post", f"{site.address}/real")
    assert (found.tag, bool(found.flags & Flag.SUBMITS)) == ("button", True)
    assert found.frames == (site.address,)


async def test_a_name_in_any_letters_and_quotes_is_pressed(foreign: Session, site: Site) -> None:
    name = """Öffnen: "C:\\\\x" 'é' [2] ›"""
    url = site.page(f"<button onclick=\"fetch('/pressed')\">{name}</button>")
    await foreign.navigate(url)
    await foreign.click("role:button:Öffnen")
    assert site.hits["/pressed"] == 1


async def test_a_page_that_leaves_the_sites_is_taken_back_and_that_is_told(
    foreign: Session, site: Site
) -> None:
    site.pages["/away"] = "<p>elsewhere"
    url = site.page(f"""<button onclick="location = '{site.other}/away'">Go on</button>
        <button onclick="window.open('/more')">More</button>
        <button onclick="window.open('{site.other}/away')">Others</button>""")
    site.pages["/more"] = "<p>more"
    await foreign.navigate(url)
    result = await foreign.click("role:button:Go on")
    assert result.happened.blocked == (f"{site.other}/away",)
    assert result.page.url == url
    assert "taken back" in result.note
    result = await foreign.click("role:button:More")
    assert result.happened.blocked == ()
    assert [tab.url for tab in result.happened.new_tabs] == [f"{site.address}/more"]
    result = await foreign.click("role:button:Others")
    assert result.happened.blocked == (f"{site.other}/away",)
    assert len(await foreign.tabs()) == 2


async def test_a_button_in_a_frame_of_another_site_asks_and_one_of_the_same_does_not(
    foreign: Session, site: Site, thinker: Thinker
) -> None:
    site.pages["/in"] = "<button onclick=\"fetch('/inner')\">Inside</button>"
    await foreign.navigate(site.page(f"<iframe src='{site.other}/in'></iframe>"))
    with pytest.raises(errors.HumanRejected):
        await foreign.click("role:button:Inside")
    assert thinker.asked[0].rule == "foreign-frame"
    await foreign.navigate(site.page("<iframe src=/in></iframe>"))
    await foreign.click("role:button:Inside")
    assert site.hits["/inner"] == 1


async def test_a_native_dialog_is_shown_and_answered(
    foreign: Session, site: Site, thinker: Thinker
) -> None:
    url = site.page("<button onclick=\"if (confirm('Sure?')) fetch('/sure')\">Ask</button>")
    await foreign.navigate(url)
    result = await foreign.click("role:button:Ask")
    assert result.happened.dialog is not None
    assert (result.happened.dialog.kind, result.happened.dialog.message) == ("confirm", "Sure?")
    with pytest.raises(errors.DialogOpen):
        await foreign.click("role:button:Ask")
    thinker.says = True
    await foreign.dialog(accept=True)
    assert site.hits["/sure"] == 1


async def test_fields_lists_boxes_tabs_and_files_are_used(
    foreign: Session, site: Site, tmp_path: Path
) -> None:
    url = site.page("""<form action=/sent><label>Why <textarea name=t></textarea></label>
        <label><input type=checkbox name=c> Agree</label>
        <select name=s aria-label=Pick><option>One<option>Two</select>
        <label>Paper <input type=file name=f></label></form>
        <script>document.addEventListener('change', e => fetch('/changed?' + e.target.name
            + '=' + (e.target.files ? e.target.files[0].name : e.target.checked || e.target.value)))
        </script>""")
    await foreign.navigate(url)
    await foreign.fill("label:Why", "no need")
    await foreign.check("label:Agree")
    await foreign.select("label:Pick", "Two")
    await foreign.upload("role:button:Paper", a.File("note.txt", b"x"))
    told = {request.query for request in site.requests if request.path == "/changed"}
    assert told == {"t=no%20need", "c=true", "s=Two", "f=note.txt"}
    await foreign.open_tab(site.page("<p>second", "/second"))
    assert [tab.url for tab in await foreign.tabs() if tab.current] == [f"{site.address}/second"]
    await foreign.select_tab("t1")
    assert foreign.task.sites == ("127.0.0.1",)
    assert (await foreign.snapshot()).page.url == url


async def test_it_waits_for_text_that_comes_late(foreign: Session, site: Site) -> None:
    site.pages["/late"] = Answer("x", delay=0.5)
    url = site.page(
        "<p id=p>…</p><script>fetch('/late').then(() => p.textContent = 'Here')</script>"
    )
    await foreign.navigate(url)
    result = await foreign.wait(text="Here")
    assert "Here" in result.text()
    with pytest.raises(errors.Timeout):
        await foreign.wait(text="Never", timeout_ms=300)


async def test_the_same_address_is_loaded_afresh_also_with_a_fragment(
    foreign: Session, site: Site
) -> None:
    url = site.page("<p>page", "/p")
    for _ in range(2):
        await foreign.navigate(f"{url}#part")
    await foreign.reload()
    assert site.hits["/p"] == 3


@pytest.mark.parametrize(
    "action",
    [
        a.Forward(),
        a.Click("css:button"),
        a.Click("role:button:Go", count=3),
        a.Screenshot(masked=True),
        a.SelectFrame("x"),
        a.Press("Enter", "role:button:Go"),
    ],
    ids=lambda action: type(action).__name__,
)
async def test_what_it_cannot_do_is_refused_with_the_next_step(
    foreign: Session, site: Site, action: a.AtomicAction
) -> None:
    await foreign.navigate(site.page("<button onclick=\"fetch('/went')\">Go</button>"))
    with pytest.raises(errors.InvalidParams) as caught:
        await foreign.call(action)
    assert caught.value.advice
    assert site.hits["/went"] == 0


def test_the_record_says_which_engine_it_was_and_how_far_a_yes_is_bound(_foreign: Session) -> None:
    record = cast(MemoryRecord, _foreign.record)
    opened, note = [event for event in record.events if isinstance(event, Opened | Note)][:2]
    assert isinstance(opened, Opened) and opened.engine == "playwright-mcp"
    assert isinstance(note, Note) and note.text == BINDING


async def test_a_server_that_dies_is_told_at_once_started_anew_once_and_then_no_more(
    site: Site, thinker: Thinker
) -> None:
    reached = asyncio.Event()

    async def slow(_: Request) -> Answer:
        reached.set()
        await asyncio.Event().wait()
        return Answer()

    given = {"engine": "playwright-mcp", "headless": True, "record": False}
    async with subterminator.open(human=thinker, settings=load(this_machine(), given)) as session:
        url = site.page("<h1>Still here</h1>")
        site.pages["/slow"] = slow
        await session.navigate(url)
        going = asyncio.ensure_future(session.navigate(f"{site.address}/slow"))
        await reached.wait()
        os.killpg(driver(session).pid, signal.SIGKILL)
        with pytest.raises(errors.BrowserClosed, match="ended"):
            await going
        again = await session.call(a.Wait(time_ms=1))
        assert "started anew" in again.note
        assert again.page.url == url
        os.killpg(driver(session).pid, signal.SIGKILL)
        with pytest.raises(errors.BrowserClosed, match="ended"):
            await session.snapshot()

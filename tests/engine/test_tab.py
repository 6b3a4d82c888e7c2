"""One tab: its end, its dialogs. Nothing of it may ever look like a hang."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

import subterminator
from subterminator import actions as a
from subterminator import errors, nobody
from tests.conftest import SITES, Person
from tests.engine import processes
from tests.engine.running import Hands, address_in
from tests.site import Site

Session = subterminator.Session

# The end of a tab or browser


class Fragile:
    """A session of its own, and hands that can break its tabs."""

    def __init__(self, session: Session, hands: Hands) -> None:
        self.session, self.hands = session, hands


@pytest.fixture(scope="module")
async def _fragile(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Fragile]:
    profile = tmp_path_factory.mktemp("fragile")
    flags = ["--remote-debugging-port=0"]
    async with subterminator.open(
        human=nobody, sites=SITES, profile_dir=profile, flags=flags
    ) as session:
        async with Hands.at(await address_in(profile)) as hands:
            yield Fragile(session, hands)


@pytest.fixture
async def fragile(_fragile: Fragile, site: Site) -> AsyncIterator[Fragile]:
    """Two tabs of two sites; the second is the current one and may be broken."""
    session = _fragile.session
    site.page("<button onclick=\"fetch('/pressed')\">Press</button>", "/first")
    site.page("Second<iframe src='/first'></iframe>", "/second")
    await session.navigate(f"{site.other}/first")
    await session.open_tab(f"{site.address}/second")
    yield _fragile
    first, *others = await session.tabs()
    await session.select_tab(first.id)
    for tab in others:
        await session.close_tab(tab.id)


async def test_f2_a_crashed_tab_is_told_at_once_and_the_other_tabs_go_on(
    fragile: Fragile, site: Site
) -> None:
    session = fragile.session
    await fragile.hands.crash(f"{site.address}/second")
    begun = time.monotonic()
    with pytest.raises(errors.TargetClosed, match="crashed") as caught:
        await session.wait(text="what never comes")
    assert not isinstance(caught.value, errors.BrowserClosed)
    for action in (session.snapshot, session.reload, session.text, session.frames):
        with pytest.raises(errors.TargetClosed, match="crashed"):
            await action()
    assert time.monotonic() - begun < 5
    first = (await session.tabs())[0]
    await session.select_tab(first.id)
    await session.click("text:Press")
    assert site.hits["/pressed"] == 1


async def test_a_tab_that_crashes_while_an_action_waits_ends_it_at_once(
    fragile: Fragile, site: Site
) -> None:
    waiting = asyncio.create_task(fragile.session.wait(text="what never comes"))
    await asyncio.sleep(0)
    begun = time.monotonic()
    await fragile.hands.crash(f"{site.address}/second")
    with pytest.raises(errors.TargetClosed, match="crashed"):
        await waiting
    assert time.monotonic() - begun < 5


async def test_a_tab_that_is_closed_by_the_user_is_told(fragile: Fragile, site: Site) -> None:
    session = fragile.session
    waiting = asyncio.create_task(session.wait(text="what never comes"))
    await asyncio.sleep(0)
    await fragile.hands.close(f"{site.address}/second")
    with pytest.raises(errors.TargetClosed, match="closed"):
        await waiting
    with pytest.raises(errors.TargetClosed, match="closed"):
        await session.snapshot()
    [tab] = await session.tabs()
    assert (tab.url, tab.current) == (f"{site.other}/first", False)
    chosen = (await session.select_tab(tab.id)).snapshot
    assert chosen and "Press" in chosen.text()


async def test_f2_a_crashed_tab_stays_dead_and_no_new_page_comes_by_itself(
    fragile: Fragile, site: Site
) -> None:
    session = fragile.session
    before = [tab.id for tab in await session.tabs()]
    await fragile.hands.crash(f"{site.address}/second")
    with pytest.raises(errors.TargetClosed, match="crashed"):
        await session.wait(url="/nowhere")
    site.hits.clear()
    with pytest.raises(errors.TargetClosed, match="crashed"):
        await session.navigate(f"{site.address}/second")
    with pytest.raises(errors.TargetClosed, match="crashed"):
        await session.select_tab(before[1])
    assert [tab.id for tab in await session.tabs()] == before
    assert site.hits["/second"] == 0
    await session.open_tab(f"{site.address}/first")
    await session.click("text:Press")
    assert site.hits["/pressed"] == 1


async def test_a_crashed_frame_of_another_site_leaves_the_page_alive(
    fragile: Fragile, site: Site
) -> None:
    session = fragile.session
    first, second = await session.tabs()
    # Away from the other site: a crash takes all of its documents along.
    await session.select_tab(first.id)
    await session.navigate(f"{site.address}/first")
    await session.select_tab(second.id)
    page = "<button onclick=\"fetch('/kept')\">Keep</button>"
    url = site.page(f"{page}<iframe src='{site.other}/first'></iframe>", "/third")
    await session.navigate(url)
    [inner] = await session.find("Press", role="button")
    await fragile.hands.crash_frame(f"{site.other}/first")
    with pytest.raises((errors.RefInvalid, errors.TargetClosed)):
        await session.click(inner.ref)
    result = await session.click("text:Keep")
    assert (site.hits["/kept"], site.hits["/pressed"]) == (1, 0)
    assert result.snapshot
    assert [frame.reason for frame in result.snapshot.frames[1:]] == ["The frame crashed."]


@pytest.mark.parametrize("busy", [False, True], ids=["idle", "while an action waits"])
async def test_a_killed_browser_is_told_at_once(busy: bool, site: Site) -> None:
    async with subterminator.open(site.page("Here"), human=nobody) as session:
        if busy:
            waiting = asyncio.create_task(session.wait(text="what never comes"))
            await asyncio.sleep(0)
        pid = processes.newest_browser()
        os.kill(pid, signal.SIGKILL)
        begun = time.monotonic()
        if busy:
            with pytest.raises(errors.BrowserClosed):
                await waiting
        await processes.ended([pid])
        for action in (session.snapshot, session.reload, session.tabs, session.text):
            with pytest.raises(errors.BrowserClosed) as caught:
                await action()
            assert caught.value.advice
        assert time.monotonic() - begun < 5


# Dialogs


def button(script: str, label: str = "Go") -> str:
    return f'<button onclick="{script}">{label}</button>'


async def test_an_alert_is_answered_by_itself_and_reported(session: Session, site: Site) -> None:
    await session.navigate(site.page(button("alert('Saved'); fetch('/after')")))
    result = await session.click("text:Go")
    [dialog] = result.happened.dialogs
    assert (dialog.kind, dialog.message, dialog.answer) == ("alert", "Saved", "accepted")
    assert result.happened.dialog is None and result.snapshot
    assert "Saved" in result.text()
    assert site.hits["/after"] == 1


OTHERS: list[Callable[[Session], Awaitable[object]]] = [
    lambda s: s.click("text:Other"),
    lambda s: s.hover("text:Other"),
    lambda s: s.fill("label:Field", "x"),
    lambda s: s.type("x"),
    lambda s: s.press("Enter"),
    lambda s: s.scroll(direction="down"),
    lambda s: s.snapshot(),
    lambda s: s.find("Other"),
    lambda s: s.text(),
    lambda s: s.screenshot(),
    lambda s: s.frames(),
    lambda s: s.reload(),
    lambda s: s.back(),
    lambda s: s.navigate("about:blank"),
    lambda s: s.wait(text="Other"),
    lambda s: s.wait(quiet=True),
]


async def test_while_a_dialog_is_open_every_other_action_fails_with_dialog_open(
    session: Session, site: Site
) -> None:
    page = "<label>Field <input></label>" + button("fetch('/other')", "Other")
    await session.navigate(site.page(page + button("document.title = confirm('Really?')")))
    result = await session.click("text:Go")
    assert result.happened.dialog and result.happened.dialog.kind == "confirm"
    assert result.snapshot is None
    assert "Really?" in result.text()
    begun = time.monotonic()
    for other in OTHERS:
        with pytest.raises(errors.DialogOpen, match=r"Really\?"):
            await other(session)
    assert time.monotonic() - begun < 5
    assert len(await session.tabs()) == 1
    answered = await session.dialog(accept=False)
    assert answered.page.title == "false"
    assert site.hits["/other"] == 0


async def test_a_prompt_gets_the_text_and_shows_its_default(
    session: Session, site: Site, person: Person
) -> None:
    await session.navigate(site.page(button("document.title = prompt('Name?', 'Ada')")))
    result = await session.click("text:Go")
    dialog = result.happened.dialog
    assert dialog and (dialog.kind, dialog.message, dialog.default) == ("prompt", "Name?", "Ada")
    person.says = True
    assert (await session.dialog(accept=True, text="Grace")).page.title == "Grace"
    await session.click("text:Go")
    assert (await session.dialog(accept=True)).page.title == "Ada"
    await session.click("text:Go")
    assert (await session.dialog(accept=False)).page.title == "null"


async def test_one_dialog_after_the_other_is_reported(
    session: Session, site: Site, person: Person
) -> None:
    person.says = True
    script = "alert('One'); document.title = [confirm('Two'), prompt('Three')]"
    await session.navigate(site.page(button(script)))
    first = await session.click("text:Go")
    assert [dialog.message for dialog in first.happened.dialogs] == ["One"]
    assert first.happened.dialog and first.happened.dialog.message == "Two"
    second = await session.dialog(accept=True)
    assert second.happened.dialog and second.happened.dialog.message == "Three"
    assert (await session.dialog(accept=True, text="3")).page.title == "true,3"


async def test_a_dialog_that_opens_between_two_actions_is_met_and_needs_the_person(
    session: Session, site: Site, person: Person
) -> None:
    later = "setTimeout(() => { fetch('/opening'); document.title = confirm('Delete?') }, 50)"
    await session.navigate(site.page(button(later)))
    await session.click("text:Go")
    assert await processes.until(lambda: site.hits["/opening"])
    with pytest.raises(errors.DialogOpen, match=r"Delete\?"):
        await session.wait(text="what never comes")
    with pytest.raises(errors.HumanRejected):
        await session.dialog(accept=True)
    assert [question.rule for question in person.asked] == ["native-dialog"]
    person.says = True
    assert (await session.dialog(accept=True)).page.title == "true"


async def test_a_dialog_while_the_page_loads_is_reported_and_does_not_hang(
    session: Session, site: Site
) -> None:
    begun = time.monotonic()
    result = await session.navigate(
        site.page("<script>document.title = confirm('Enter?')</script><p>Inside")
    )
    assert result.happened.dialog and result.happened.dialog.message == "Enter?"
    assert time.monotonic() - begun < 5
    shown = (await session.dialog(accept=False)).snapshot
    assert shown and "Inside" in shown.text()


@pytest.mark.parametrize("site_of_frame", ["same", "other"])
async def test_dialogs_of_a_frame_are_like_those_of_the_page(
    session: Session, site: Site, site_of_frame: str
) -> None:
    host = site.address if site_of_frame == "same" else site.other
    site.page(button("alert('A'); fetch('/' + confirm('B'))"), "/inner")
    await session.navigate(site.page(f"<iframe src='{host}/inner'></iframe>"))
    result = await session.click("text:Go")
    assert [dialog.message for dialog in result.happened.dialogs] == ["A"]
    assert result.happened.dialog and result.happened.dialog.message == "B"
    for other in (session.snapshot, session.text, session.reload):
        with pytest.raises(errors.DialogOpen):
            await other()
    await session.dialog(accept=False)
    assert (site.hits["/false"], site.hits["/true"]) == (1, 0)


async def test_answering_a_dialog_that_is_not_open_is_an_error(
    session: Session, site: Site
) -> None:
    await session.navigate(site.page("Nothing"))
    with pytest.raises(errors.DialogOpen, match="No dialog"):
        await session.dialog(accept=False)


async def test_a_dialog_ends_a_sequence_before_its_next_step(session: Session, site: Site) -> None:
    page = button("confirm('Sure?')") + button("fetch('/other')", "Other")
    await session.navigate(site.page(page))
    outcome = await session.execute(a.Click("text:Go"), a.Click("text:Other"))
    assert (outcome.completed, outcome.failed_at) == (1, 1)
    assert isinstance(outcome.results[1].error, errors.DialogOpen)
    await session.dialog(accept=False)
    assert site.hits["/other"] == 0


# H5: dialogs without end; H7: a page that does not let go


@pytest.mark.parametrize(
    "script",
    [
        "for (let i = 0; i < 1000; i++) alert(i)",
        "while (true) alert('again')",
        "while (true) (() => alert('again'))()",
        "setInterval(() => alert('again'), 1)",
    ],
)
async def test_a_storm_of_alerts_ends_in_bounded_time_with_a_count(
    sacrificed: Session, site: Site, script: str
) -> None:
    await sacrificed.navigate(site.page(button(script)))
    begun = time.monotonic()
    with pytest.raises(errors.LimitReached, match="over 20 dialogs") as caught:
        await sacrificed.click("text:Go")
        await sacrificed.wait(text="what never comes")
    assert caught.value.advice
    await _leave(sacrificed, site)
    assert time.monotonic() - begun < 10


async def _leave(session: Session, site: Site) -> None:
    """Go elsewhere in the same tab, or if that is lost with a word, in another."""
    url = site.page("Elsewhere", "/elsewhere")
    try:
        await session.navigate(url)
    except errors.TargetClosed as lost:
        assert "dialog" in lost.message
        await session.open_tab(url)
    assert "Elsewhere" in (await session.snapshot()).text()


async def test_dialogs_in_many_actions_are_no_storm(session: Session, site: Site) -> None:
    await session.navigate(site.page(button("for (let i = 0; i < 15; i++) alert(i)")))
    for _ in range(3):
        assert len((await session.click("text:Go")).happened.dialogs) == 15


async def test_a_page_that_asks_to_stay_is_left(session: Session, site: Site) -> None:
    script = "onbeforeunload = (event) => { event.preventDefault(); return 'Stay' }"
    await session.navigate(site.page(f"<script>{script}</script>{button('1')}", "/trap"))
    await session.click("text:Go")  # Without a gesture the browser does not ask.
    result = await session.navigate(site.page("Elsewhere"))
    assert [dialog.kind for dialog in result.happened.dialogs] == ["beforeunload"]
    assert "Elsewhere" in (await session.snapshot()).text()


async def test_a_page_that_computes_for_ever_when_it_is_left_ends_in_bounded_time(
    sacrificed: Session, site: Site
) -> None:
    trap = "<script>onbeforeunload = () => { while (true); }</script>"
    await sacrificed.navigate(site.page(trap + button("1"), "/trap"))
    await sacrificed.click("text:Go")
    begun = time.monotonic()
    with pytest.raises(errors.Timeout):
        await sacrificed.navigate(site.page("Elsewhere"), timeout_ms=1000)
    assert time.monotonic() - begun < 10


async def test_a_tab_that_computes_for_ever_can_be_closed(sacrificed: Session, site: Site) -> None:
    await sacrificed.navigate(site.page("Here"))
    await sacrificed.open_tab(site.page(button("setTimeout(() => { while (true); })"), "/trap"))
    begun = time.monotonic()
    with pytest.raises(errors.Timeout):
        await sacrificed.click("text:Go", timeout_ms=2000)
        await sacrificed.wait(text="what never comes", timeout_ms=2000)
    await sacrificed.close_tab()
    assert [tab.url for tab in await sacrificed.tabs()] == [f"{site.address}/"]
    assert time.monotonic() - begun < 20

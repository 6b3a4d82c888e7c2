"""Waiting ends when what is waited for comes, and fails with its name when it does not."""

from __future__ import annotations

import time

import pytest

from subterminator import Session, actions, errors, targets
from tests.site import Answer, Site


def later(script: str, ms: int = 150) -> str:
    return f"<script>setTimeout(() => {{ {script} }}, {ms})</script>"


async def test_a_text_that_appears_ends_the_wait(session: Session, site: Site) -> None:
    await session.navigate(site.page("<p id=p>Loading</p>" + later("p.textContent = 'Ready now'")))
    await session.wait(text="ready  NOW")
    assert "Ready now" in await session.text()


async def test_a_text_that_goes_away_ends_the_wait(session: Session, site: Site) -> None:
    await session.navigate(site.page("<p id=p>Updating...</p>" + later("p.remove()")))
    await session.wait(text_gone="Updating")
    assert "Updating" not in await session.text()


@pytest.mark.parametrize("where", ["same site", "other site"])
async def test_a_text_in_a_frame_counts(session: Session, site: Site, where: str) -> None:
    site.page("<p id=p></p>" + later("p.textContent = 'Paid'"), "/inner")
    origin = site.address if where == "same site" else site.other
    await session.navigate(site.page(f"<iframe src={origin}/inner></iframe>"))
    await session.wait(text="Paid")
    with pytest.raises(errors.Timeout, match="still there"):
        await session.wait(text_gone="Paid", timeout_ms=300)


async def test_text_that_nobody_sees_does_not_count(session: Session, site: Site) -> None:
    site.page("Success", "/inner")
    page = """<p hidden>Success</p><iframe src=/inner style='display: none'></iframe>
      <template>Success</template>"""
    await session.navigate(site.page(page))
    await session.wait(text_gone="Success")
    with pytest.raises(errors.Timeout, match="'Success' did not appear"):
        await session.wait(text="Success", timeout_ms=300)


async def test_text_in_a_shadow_root_counts(session: Session, site: Site) -> None:
    page = "<x-a></x-a>" + later(
        "document.querySelector('x-a').attachShadow({ mode: 'open' }).innerHTML = '<p>Inside'"
    )
    await session.navigate(site.page(page))
    await session.wait(text="Inside")


async def test_the_wait_goes_on_through_a_new_document(session: Session, site: Site) -> None:
    site.page("Welcome back", "/next")
    await session.navigate(site.page(later("location = '/next'")))
    await session.wait(text="Welcome back")
    assert site.hits["/next"] == 1


STATES = {
    "visible": ("<button id=b hidden>Go</button>", "b.hidden = false"),
    "hidden": ("<button id=b>Go</button>", "b.hidden = true"),
    "enabled": ("<button id=b disabled>Go</button>", "b.disabled = false"),
    "disabled": ("<button id=b>Go</button>", "b.disabled = true"),
    "exists": ("", "document.body.innerHTML = '<button id=b hidden>Go'"),
    "gone": ("<button id=b>Go</button>", "b.remove()"),
    "checked": ("<input id=b type=checkbox>", "b.checked = true"),
    "unchecked": ("<input id=b type=checkbox checked>", "b.checked = false"),
}


@pytest.mark.parametrize("state", STATES)
async def test_every_state_of_an_element_can_be_waited_for(
    session: Session, site: Site, state: actions.ElementState
) -> None:
    before, change = STATES[state]
    change = f"document.title = 'done'; {change}"
    await session.navigate(site.page(before + later(change)))
    result = await session.wait("#b", state)
    assert result.page.title == "done"


@pytest.mark.parametrize("state", ["visible", "enabled", "gone"])
async def test_a_state_that_does_not_come_is_a_timeout_that_names_it(
    session: Session, site: Site, state: actions.ElementState
) -> None:
    await session.navigate(site.page(STATES[state][0]))
    with pytest.raises(errors.Timeout, match=f"#b did not become {state}"):
        await session.wait("#b", state, timeout_ms=150)


@pytest.mark.parametrize("state", STATES)
async def test_every_state_of_a_ref_can_be_waited_for(
    session: Session, site: Site, state: actions.ElementState
) -> None:
    before, change = STATES[state]
    if state in {"visible", "exists"}:
        before, change = STATES["hidden"][0], "b.hidden = false"
    page = f"""{before}<button onclick="b.hidden = {str(state == "visible").lower()};
      setTimeout(() => {{ document.title = 'done'; {change} }}, 150)">Start</button>"""
    await session.navigate(site.page(page))
    element = (await session.scroll("#b")).target
    await session.click("text:Start")
    assert element
    result = await session.wait(element.ref, state)
    assert result.page.title == "done" or state == "exists"


async def test_a_countdown_on_the_button_itself_is_waited_out_by_its_ref(
    session: Session, site: Site
) -> None:
    page = """<button id=b disabled>Continue (3)</button><script>let left = 3;
      const timer = setInterval(() => {
        b.textContent = --left ? `Continue (${left})` : 'Continue';
        b.disabled = left > 0;
        if (!left) clearInterval(timer); }, 150);</script>"""
    await session.navigate(site.page(page))
    found = await session.find("Continue")
    result = await session.wait(found[0].ref, "enabled")
    assert result.snapshot and "Continue" in [e.name for e in result.snapshot.elements if e.ref]


async def test_a_renamed_element_is_not_gone(session: Session, site: Site) -> None:
    await session.navigate(site.page("<button id=b onclick=\"this.textContent='On'\">Off</button>"))
    ref = (await session.click("#b")).target.ref  # type: ignore[union-attr]
    with pytest.raises(errors.Timeout):
        await session.wait(ref, "gone", timeout_ms=200)


async def test_a_ref_that_was_never_given_cannot_be_waited_for(
    session: Session, site: Site
) -> None:
    await session.navigate(site.page("x"))
    with pytest.raises(errors.RefInvalid, match="never given"):
        await session.wait("@e999999", "gone")


SELECTORS: dict[str, targets.Target] = {
    "css": targets.Css("#b"),
    "xpath": targets.XPath("//input[@id='b']"),
    "role": targets.Role("textbox", "City"),
    "text": targets.Text("City name"),
    "label": targets.Label("City"),
    "placeholder": targets.Placeholder("Bonn"),
    "testId": targets.TestId("city"),
    "semantic": targets.Semantic("City field"),
    "coordinates": targets.Coordinates(20, 20),
}


@pytest.mark.parametrize("kind", SELECTORS)
async def test_every_kind_of_selector_can_be_waited_for(
    session: Session, site: Site, kind: str
) -> None:
    field = (
        "<label style='position: fixed; left: 0; top: 0'>City name"
        " <input id=b placeholder=Bonn data-testid=city></label>"
    )
    show = f"document.body.innerHTML = `{field}`"
    hide = "document.body.innerHTML = ''"
    if kind == "coordinates":  # A point always hits something: what is there must become enabled.
        field = field.replace("<input", "<input style='position:fixed;left:0;top:0' disabled")
        await session.navigate(site.page(field + later("b.disabled = false")))
        await session.wait(SELECTORS[kind], "enabled")
        return
    await session.navigate(site.page(later(show)))
    await session.wait(SELECTORS[kind], "visible")
    await session.navigate(site.page(field + later(hide)))
    await session.wait(SELECTORS[kind], "gone")


async def test_only_the_selected_frame_counts_for_selectors(session: Session, site: Site) -> None:
    site.page("<p>Inner", "/inner")
    await session.navigate(site.page("<button>Outer</button><iframe name=f src=/inner></iframe>"))
    await session.wait("role:button:Outer")
    await session.select_frame("f")
    with pytest.raises(errors.Timeout):
        await session.wait("role:button:Outer", timeout_ms=150)
    await session.select_frame(None)


@pytest.mark.parametrize("pattern", ["*/done?*", "/done?id=7", "done"])
async def test_an_address_is_waited_for_by_pattern_or_part(
    session: Session, site: Site, pattern: str
) -> None:
    await session.navigate(site.page(later("history.pushState(0, '', '/done?id=7')")))
    result = await session.wait(url=pattern)
    assert result.page.url.endswith("/done?id=7")


async def test_signs_of_other_pattern_languages_mean_themselves(
    session: Session, site: Site
) -> None:
    await session.navigate(site.page("x", "/donexid=7"))
    with pytest.raises(errors.Timeout, match="address did not become"):
        await session.wait(url="*/done?id=[7]", timeout_ms=100)


@pytest.mark.parametrize("state", ["commit", "domcontentloaded", "load", "networkidle"])
async def test_the_steps_of_loading_can_be_waited_for(
    session: Session, site: Site, state: actions.LoadState
) -> None:
    site.pages["/slow.png"] = Answer("", kind="image/png", delay=0.4)
    begun = time.monotonic()
    await session.navigate(site.page("<img src=/slow.png>"), wait_until="commit")
    await session.wait(load=state)
    waited = time.monotonic() - begun
    assert waited >= 0.4 or state in {"commit", "domcontentloaded"}


async def test_quiet_waits_for_a_request_that_was_under_way_before(
    session: Session, site: Site
) -> None:
    site.pages["/slow"] = Answer("late", delay=3.2)
    page = """<button onclick="fetch('/slow').then((r) => r.text()).then((t) => this.after(t))">
      Load</button>"""
    await session.navigate(site.page(page))
    clicked = await session.click("text:Load")
    assert clicked.happened.settled == "busy" and "late" not in clicked.text()
    result = await session.wait(quiet=True)
    assert result.happened.settled == "quiet" and "late" in result.text()


async def test_quiet_waits_for_changes_to_end(session: Session, site: Site) -> None:
    page = """<p id=p>0</p><script>let n = 0;
      const timer = setInterval(() => { p.textContent = ++n; if (n === 12) clearInterval(timer); },
        50);</script>"""
    await session.navigate(site.page(page))
    assert "12" in (await session.wait(quiet=True)).snapshot.text()  # type: ignore[union-attr]


async def test_a_page_that_never_rests_is_a_timeout(session: Session, site: Site) -> None:
    page = "<p id=p></p><script>setInterval(() => { p.title = Math.random(); }, 20)</script>"
    await session.navigate(site.page(page))
    with pytest.raises(errors.Timeout, match="did not come to rest"):
        await session.wait(quiet=True, timeout_ms=600)


async def test_a_time_is_waited_for_exactly(session: Session) -> None:
    begun = time.monotonic()
    await session.wait(time_ms=200)
    assert 0.2 <= time.monotonic() - begun < 1.0


async def test_a_dialog_ends_the_wait_at_once(session: Session, site: Site) -> None:
    await session.navigate(site.page(later("confirm('Really?')")))
    begun = time.monotonic()
    with pytest.raises(errors.DialogOpen, match="Really"):
        await session.wait(text="never", timeout_ms=5000)
    assert time.monotonic() - begun < 2


async def test_a_selector_that_cannot_be_read_is_the_callers_fault(
    session: Session, site: Site
) -> None:
    await session.navigate(site.page("x"))
    for selector in "css:a[[", "xpath://a[":
        with pytest.raises(errors.InvalidParams, match="cannot be read"):
            await session.wait(selector)

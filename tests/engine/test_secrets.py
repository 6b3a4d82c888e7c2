"""Fields disguised as ordinary ones (H25): nothing is typed into them, whenever they show it."""

from __future__ import annotations

import pytest

from subterminator import Session, actions, errors
from tests.engine.opened import opened, resolved
from tests.reports import reporting, reports
from tests.site import Site

TYPED = "oninput=\"say('typed')\""
KNOWN = {
    "autocomplete": f"<input id=f autocomplete=current-password {TYPED}>",
    "name": f"<input id=f name=passwd {TYPED}>",
    "label": f"<label>Código de verificación <input id=f {TYPED}></label>",
    "text before it": f"<div>Kennwort</div><input id=f {TYPED}>",
    "masked": f"<input id=f style='-webkit-text-security: disc' {TYPED}>",
    "card": f"<input id=f autocomplete=cc-number {TYPED}>",
}


@pytest.mark.parametrize("html", KNOWN.values(), ids=KNOWN.keys())
async def test_h25_a_disguised_field_is_left_to_the_person(
    session: Session, site: Site, html: str
) -> None:
    await session.navigate(reporting(site, html))
    for attempt in (session.fill("#f", "x"), session.type("x", "#f"), session.press("x", "#f")):
        with pytest.raises(errors.HandedOver):
            await attempt
    assert reports(site) == []


SWAPS = {
    "at the focus": "f.onfocus = () => { f.type = 'password' }",
    "after the focus": "f.onfocus = () => Promise.resolve().then(() => { f.type = 'password' })",
    "by another at the focus": """f.onfocus = () => { const p = document.createElement('input');
      p.type = 'password'; p.oninput = f.oninput; f.replaceWith(p); p.focus() }""",
    "by masking at the focus": "f.onfocus = () => { f.style.webkitTextSecurity = 'disc' }",
    "and back": """f.onfocus = () => { f.type = 'password';
      setTimeout(() => { f.type = 'text' }) }""",
}


@pytest.mark.parametrize("by", ["fill", "type"])
@pytest.mark.parametrize("script", SWAPS.values(), ids=SWAPS.keys())
async def test_h25_a_field_that_becomes_secret_gets_nothing(
    session: Session, site: Site, script: str, by: str
) -> None:
    page = f"<input id=f aria-label=City {TYPED}><script>{script}</script>"
    await session.navigate(reporting(site, page))
    field = await resolved(session, "#f")
    assert not field.is_secret
    action = actions.Fill("#f", "Bonn") if by == "fill" else actions.Type("Bonn", "#f")
    with pytest.raises(errors.HandedOver) as info:
        await opened(session).performer.do(action, [field], 5)
    assert info.value.details["rule"] == "secret-field"
    await session.wait(quiet=True)
    assert reports(site) == []


async def test_h25_a_field_that_becomes_secret_at_the_first_key_gets_not_even_that(
    session: Session, site: Site
) -> None:
    page = f"""<input id=f aria-label=City {TYPED}>
      <script>f.onkeydown = () => {{ f.type = 'password' }}</script>"""
    await session.navigate(reporting(site, page))
    with pytest.raises(errors.HandedOver):
        await session.type("Bonn", "#f")
    await session.wait(quiet=True)
    assert reports(site) == []


async def test_h25_a_date_field_that_becomes_secret_is_not_set(
    session: Session, site: Site
) -> None:
    page = f"""<input type=date id=f aria-label=Day {TYPED}>
      <script>f.onfocus = () => {{ f.type = 'password' }}</script>"""
    await session.navigate(reporting(site, page))
    with pytest.raises(errors.HandedOver):
        await session.fill("#f", "2030-01-02")
    assert reports(site) == []


async def test_h25_a_secret_that_is_text_of_the_page_is_not_read(
    session: Session, site: Site
) -> None:
    page = "<p>Before</p><div contenteditable aria-label=Password id=f>Sesame</div><p>After</p>"
    await session.navigate(site.page(page))
    text = await session.text()
    assert "Before" in text and "After" in text and "Sesame" not in text
    assert "Sesame" not in await session.text("#f")
    assert "Sesame" not in (await session.snapshot()).text()
    assert "Sesame" not in str(await resolved(session, "#f"))


async def test_keys_that_are_stopped_are_told_without_what_the_field_holds(
    session: Session, site: Site
) -> None:
    page = """<input id=name><div contenteditable role=textbox id=f
      style='-webkit-text-security: disc'>Sesame</div>"""
    await session.navigate(site.page(page))
    name = await resolved(session, "#name")
    with pytest.raises(errors.HandedOver, match="focus moved") as info:
        await opened(session).performer.do(actions.Type("me\tx", "#name"), [name], 5)
    assert "Sesame" not in str(info.value)

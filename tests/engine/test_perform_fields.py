"""Writing: fill, clear, type and press, on the kinds of fields that pages have."""

from __future__ import annotations

import pytest

from subterminator import Session, actions, errors
from tests.engine.opened import opened, resolved
from tests.reports import reporting, reports
from tests.site import Site

FIELDS = {
    "text": ("<input id=text value=old>", "new words"),
    "textarea": ("<textarea id=textarea>old</textarea>", "two\nlines"),
    "email": ("<input id=email type=email value=old@x.org>", "me@example.com"),
    "number": ("<input id=number type=number value=1>", "42.5"),
    "search": ("<input id=search type=search>", "shoes"),
    "date": ("<input id=date type=date value=2020-01-01>", "2026-11-15"),
    "time": ("<input id=time type=time>", "13:45"),
    "datetime": ("<input id=datetime type=datetime-local>", "2026-11-15T08:30"),
    "month": ("<input id=month type=month>", "2026-11"),
    "color": ("<input id=color type=color>", "#ff8000"),
    "range": ("<input id=range type=range min=0 max=100 value=50>", "80"),
}


async def test_fill_replaces_what_a_field_holds_and_the_page_hears_of_it(
    session: Session, site: Site
) -> None:
    fields = "".join(field for field, _ in FIELDS.values())
    script = "<script>oninput = (e) => say(e.target.id, e.target.value)</script>"
    await session.navigate(reporting(site, fields + script))
    for kind, (_, value) in FIELDS.items():
        assert not (await session.fill(f"#{kind}", value)).note, kind
    # A line break is an event of its own.
    heard = list(dict.fromkeys(reports(site)))
    assert heard == [f"{kind} {value}" for kind, (_, value) in FIELDS.items()]


async def test_fill_writes_into_editable_text(session: Session, site: Site) -> None:
    page = """<div id=f contenteditable>old <b>bold</b></div>
      <button onclick='say(f.innerText.trimEnd())'>Read</button>"""
    await session.navigate(reporting(site, page))
    assert not (await session.fill("#f", "one\ntwo ")).note
    await session.click("text:Read")
    assert reports(site) == ["one\ntwo"]


async def test_a_controlled_field_hears_the_change_like_a_person_typing(
    session: Session, site: Site
) -> None:
    """As React does it: a trap on the element's own value tells real changes from its own."""
    page = """<input id=f value=old><input id=d type=date><script>
      const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
      for (const field of [f, d]) {
        let known = field.value;
        Object.defineProperty(field, 'value', { configurable: true,
          get() { return own.get.call(this); },
          set(value) { known = String(value); own.set.call(this, value); } });
        field.addEventListener('input', () => {
          const now = own.get.call(field);
          if (now === known) return;
          known = now; say(now); });
      }</script>"""
    await session.navigate(reporting(site, page))
    await session.fill("#f", "new")
    await session.fill("#d", "2026-11-15")
    assert reports(site) == ["new", "2026-11-15"]


async def test_a_field_that_rewrites_its_value_is_told_in_the_reply(
    session: Session, site: Site
) -> None:
    page = """<input id=f oninput="this.value = this.value.replace(/(\\d{3})(?=\\d)/g, '$1-')">
      <input id=short maxlength=3>"""
    await session.navigate(site.page(page))
    result = await session.fill("#f", "123456")
    assert "'123-456', not what was written" in result.text()
    assert "'abc', not" in (await session.fill("#short", "abcdef")).note


async def test_a_value_that_a_field_cannot_take_is_an_error_and_changes_nothing(
    session: Session, site: Site
) -> None:
    await session.navigate(site.page("<input id=d type=date value=2020-01-01>"))
    with pytest.raises(errors.ActionFailed, match="date field"):
        await session.fill("#d", "next Tuesday")
    assert "2020-01-01" in (await session.snapshot()).text()


async def test_clear_empties_a_field_and_says_so_to_the_page(session: Session, site: Site) -> None:
    page = """<input id=a value=old oninput="say('a', this.value)">
      <textarea id=b oninput="say('b', this.value)">old</textarea>
      <input id=c type=date value=2020-01-01 oninput="say('c', this.value)">
      <div id=d contenteditable oninput="say('d', this.innerText.trim())">old</div>"""
    await session.navigate(reporting(site, page))
    for field in "#a", "#b", "#c", "#d":
        assert not (await session.clear(field)).note
    assert reports(site) == ["a ", "b ", "c ", "d "]


@pytest.mark.parametrize(
    ("page", "fault", "words"),
    [
        ("<input id=f readonly value=x>", errors.ElementDisabled, "read-only"),
        ("<input id=f type=date readonly>", errors.ElementDisabled, "read-only"),
        ("<input id=f disabled>", errors.ElementDisabled, "disabled"),
        ("<fieldset disabled><input id=f></fieldset>", errors.ElementDisabled, "disabled"),
        ("<input id=f type=checkbox>", errors.ActionFailed, "not a text field"),
        ("<select id=f><option>A</select>", errors.ActionFailed, "not a text field"),
        ("<button id=f>Go</button>", errors.ActionFailed, "not a text field"),
    ],
)
async def test_what_cannot_be_written_into_is_refused_with_the_reason(
    session: Session, site: Site, page: str, fault: type[errors.SubTerminatorError], words: str
) -> None:
    await session.navigate(site.page(page))
    with pytest.raises(fault, match=words):
        await session.fill("#f", "words")


async def test_a_field_inside_the_named_element_is_found(session: Session, site: Site) -> None:
    page = "<div role=combobox aria-label=City><input oninput='say(this.value)'></div>"
    await session.navigate(reporting(site, page))
    await session.fill("role:combobox:City", "Bonn")
    assert reports(site) == ["Bonn"]


async def test_typing_goes_to_the_end_key_by_key(session: Session, site: Site) -> None:
    page = """<input id=f value=ab><script>
      for (const kind of ['keydown', 'keypress', 'input', 'keyup'])
        f.addEventListener(kind, (e) => say(kind, e.key ?? e.data, e.isTrusted));</script>"""
    await session.navigate(reporting(site, page))
    await session.type("c!", "#f")
    keys = ["keydown", "keypress", "input", "keyup"]
    expected = [f"{kind} {key} true" for key in "c!" for kind in keys]
    assert reports(site) == expected
    assert "abc!" in (await session.snapshot()).text()


@pytest.mark.parametrize("field", ["<input id=f>", "<textarea id=f></textarea>"])
async def test_typing_takes_every_script_and_emoji(
    session: Session, site: Site, field: str
) -> None:
    words = "Grüße, 你好, ñ, 👍🏽 👨‍👩‍👧 é"
    await session.navigate(reporting(site, f"{field}<button onclick='say(f.value)'>Read</button>"))
    await session.type(words, "#f")
    await session.click("text:Read")
    assert reports(site) == [words]


async def test_typing_without_a_target_goes_where_the_focus_is(
    session: Session, site: Site
) -> None:
    frame = "<input id=g oninput='parent.postMessage(this.value, \"*\")'>"
    site.page(frame, "/frame")
    page = f"""<input id=f oninput='say(this.value)'><iframe src={site.other}/frame></iframe>
      <script>onmessage = (e) => say('frame', e.data)</script>"""
    await session.navigate(reporting(site, page))
    await session.click("#f")
    await session.type("x")
    await session.click("#g")
    await session.type("y")
    assert reports(site) == ["x", "frame y"]


async def test_enter_submits_the_form(session: Session, site: Site) -> None:
    site.page("Found", "/search")
    await session.navigate(site.page("<form action=/search><input name=q id=q></form>"))
    await session.fill("#q", "shoes")
    result = await session.press("Enter", "#q")
    assert result.page.url.endswith("/search?q=shoes")
    assert site.hits["/search"] == 1


async def test_typing_a_line_break_is_the_enter_key(session: Session, site: Site) -> None:
    page = "<textarea id=f></textarea><button onclick='say(f.value)'>Read</button>"
    await session.navigate(reporting(site, page))
    await session.type("a\r\nb\nc", "#f")
    await session.click("text:Read")
    assert reports(site) == ["a\nb\nc"]


async def test_a_combination_of_keys_is_one_command(session: Session, site: Site) -> None:
    page = """<input id=f value='to be replaced'><script>
      f.onkeydown = (e) => say(e.key, e.ctrlKey, e.code)</script>"""
    await session.navigate(reporting(site, page))
    await session.press("Control+A", "#f")
    assert reports(site) == ["A true KeyA"]
    await session.press("Backspace")
    result = await session.type("new")
    assert "new" in result.text() and "replaced" not in (await session.snapshot()).text()


async def test_a_key_is_pressed_as_often_as_asked_for(session: Session, site: Site) -> None:
    page = "<div id=list tabindex=0 onkeydown='say(event.key)'>List</div>"
    await session.navigate(reporting(site, page))
    await session.press("ArrowDown", "#list", count=4)
    await session.wait(quiet=True)
    assert reports(site) == ["ArrowDown"] * 4


async def test_a_held_key_stays_down(session: Session, site: Site) -> None:
    page = """<div id=game tabindex=0>Game</div><script>let at;
      game.onkeydown = () => { at = performance.now(); };
      game.onkeyup = () => say(performance.now() - at >= 190 ? 'long' : 'short');</script>"""
    await session.navigate(reporting(site, page))
    await session.press("ArrowRight", "#game", hold_ms=200)
    assert reports(site) == ["long"]


async def test_a_key_is_not_pressed_on_what_cannot_have_the_focus(
    session: Session, site: Site
) -> None:
    page = "<body onkeydown=say('heard')><p id=p>Text</p>"
    await session.navigate(reporting(site, page))
    with pytest.raises(errors.ActionFailed, match="does not take the keyboard focus"):
        await session.press("Enter", "#p")
    assert reports(site) == []
    await session.press("Enter")
    assert reports(site) == ["heard"]


async def test_a_password_field_takes_no_key_without_the_person(
    session: Session, site: Site
) -> None:
    page = "<input id=p type=password oninput=say('typed')>"
    await session.navigate(reporting(site, page))
    for attempt in (
        actions.Fill("#p", "x"),
        actions.Type("x", "#p"),
        actions.Press("a", "#p"),
        actions.Clear("#p"),
    ):
        with pytest.raises(errors.HandedOver):
            await session.call(attempt)
    assert reports(site) == []


async def test_typing_into_the_focused_password_field_is_handed_over_too(
    session: Session, site: Site
) -> None:
    page = "<input id=p type=password autofocus oninput=say('typed')>"
    await session.navigate(reporting(site, page))
    await session.click("#p")
    with pytest.raises(errors.HandedOver):
        await session.type("x")
    with pytest.raises(errors.HandedOver):
        await session.press("a")
    assert reports(site) == []


async def test_keys_that_wander_into_a_password_field_are_stopped_there(
    session: Session, site: Site
) -> None:
    page = """<input id=name oninput=say('name',this.value)>
      <x-field></x-field><script>
        const root = document.querySelector('x-field').attachShadow({ mode: 'closed' });
        root.innerHTML = '<input type=password>';
        root.firstChild.oninput = () => say('typed');</script>"""
    await session.navigate(reporting(site, page))
    await session.snapshot()
    name = await resolved(session, "#name")
    with pytest.raises(errors.HandedOver, match="focus moved"):
        await opened(session).performer.do(actions.Type("me\tsecret", "#name"), [name], 5)
    await session.wait(quiet=True)
    assert reports(site) == ["name m", "name me"]

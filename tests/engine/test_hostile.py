"""Pages that lie, flood, hang or grab: what is seen stays true, and a press never goes astray."""

from __future__ import annotations

import asyncio
import re
import time

import pytest

import subterminator
from subterminator import errors
from tests.conftest import Person
from tests.engine import processes
from tests.site import Answer, Site, listening

Session = subterminator.Session
PRESS = "<button id=b onclick=\"fetch('/pressed')\">Press</button>"
NORMAL = f"""<h1>Account</h1><p>Your plan: <b>Pro</b></p>{PRESS}
    <label>Name <input value=Ada></label> <a href=/more>More</a>
    <select aria-label=Plan><option>A<option selected>B</select>
    <label><input type=checkbox checked> Agree</label>
    <div onclick="fetch('/div')" style="cursor:pointer">Open</div>
    <my-box></my-box><script>
    const root = document.querySelector('my-box').attachShadow({{mode: 'closed'}});
    root.innerHTML = '<button>Inside</button>'</script>"""

# H1: everything we might call, replaced by the page.
LIES = """<script>(() => {
  const evil = () => { throw new Error('gotcha') };
  const { defineProperty, entries, getOwnPropertyDescriptors, getOwnPropertyNames } = Object;
  for (const owner of [Element, HTMLElement, Node, Document, ShadowRoot, HTMLInputElement,
      Window, Performance, EventTarget, CharacterData, DOMRect, DOMRectReadOnly,
      CSSStyleDeclaration, Range, Animation]) {
    for (const [name, { get, value, configurable, writable }] of
        entries(getOwnPropertyDescriptors(owner.prototype))) {
      if (name === 'constructor' || name === 'location') continue;
      if (get && configurable) defineProperty(owner.prototype, name, { get: evil });
      else if (typeof value === 'function' && (configurable || writable))
        defineProperty(owner.prototype, name, { value: evil });
    }
  }
  for (const owner of [Array, Object, String, Map, Set, WeakMap, Promise, JSON, Math, Reflect,
      Number, Array.prototype, String.prototype, Map.prototype, Set.prototype, WeakMap.prototype,
      RegExp.prototype, Promise.prototype, Function.prototype]) {
    for (const name of getOwnPropertyNames(owner)) {
      if (name === 'constructor') continue;
      try { defineProperty(owner, name, { value: evil }) } catch {}
    }
  }
  for (const name of ['getComputedStyle', 'Promise', 'MutationObserver', 'JSON', 'Map', 'WeakMap',
      'WeakRef', 'requestAnimationFrame', 'setTimeout', 'performance', 'scheduler', 'innerWidth',
      'innerHeight', 'addEventListener', 'FinalizationRegistry', 'AbortController', 'walker',
      'actor', 'home', 'Object', 'Array', 'String', 'RegExp']) {
    try { defineProperty(window, name, { get: evil }) } catch {}
  }
})()</script>"""


def without_refs(text: str) -> str:
    return re.sub(r"@e\d+", "@e", text)


async def test_a_page_that_replaces_every_function_looks_like_a_clean_one(
    session: Session, site: Site
) -> None:
    await session.navigate(site.page(NORMAL))
    clean = without_refs((await session.snapshot()).text())
    proof = "<script>try { JSON.stringify([]) } catch { fetch('/lies') }</script>"
    await session.navigate(site.page(NORMAL + LIES + proof))
    assert site.hits["/lies"] == 1
    assert without_refs((await session.snapshot()).text()) == clean
    await session.fill("label:Name", "Grace")
    await session.click("text:More")
    assert site.hits["/more"] == 1


async def test_getters_that_throw_or_never_end_change_nothing(session: Session, site: Site) -> None:
    trap = """<script>
      const hang = () => { for (;;); }, fail = () => { throw 1 };
      for (const [name, get] of [['innerText', hang], ['textContent', fail], ['value', hang]])
        for (const owner of [HTMLElement, Node, Element, HTMLInputElement])
          if (name in owner.prototype || owner === HTMLElement)
            Object.defineProperty(owner.prototype, name, { get, configurable: true });
      for (const name of ['offsetWidth', 'getBoundingClientRect', 'parentNode', 'shadowRoot'])
        Object.defineProperty(document.getElementById('b'), name, { get() { for (;;); } });
    </script>"""
    await session.navigate(site.page(NORMAL))
    clean = without_refs((await session.snapshot()).text())
    begun = time.monotonic()
    await session.navigate(site.page(NORMAL + trap))
    assert without_refs((await session.snapshot()).text()) == clean
    await session.click("text:Press")
    assert site.hits["/pressed"] == 1
    assert time.monotonic() - begun < 10


# H2: a page that does not answer


async def test_a_page_that_computes_for_ever_ends_a_look_with_a_typed_error(
    sacrificed: Session, site: Site
) -> None:
    hang = "setTimeout(() => { navigator.sendBeacon('/hangs'); for (;;); }, 50)"
    await sacrificed.navigate(site.page(f'<button onclick="{hang}">Hang</button>'))
    await sacrificed.click("text:Hang")
    assert await processes.until(lambda: site.hits["/hangs"])
    begun = time.monotonic()
    with pytest.raises(errors.Timeout, match="does not answer") as caught:
        await sacrificed.snapshot()
    assert caught.value.advice
    assert time.monotonic() - begun < 10


async def test_a_press_that_makes_the_page_compute_for_ever_is_told_as_delivered(
    sacrificed: Session, site: Site
) -> None:
    script = "navigator.sendBeacon('/pressed'); for (;;);"
    await sacrificed.navigate(site.page(f'<button onclick="{script}">Press</button>'))
    begun = time.monotonic()
    with pytest.raises(errors.Timeout) as caught:
        await sacrificed.click("text:Press", timeout_ms=2000)
    assert caught.value.delivered
    assert time.monotonic() - begun < 10
    assert site.hits["/pressed"] == 1


# H3: more than anyone can read


async def test_a_page_that_grows_with_every_frame_is_read_in_bounded_time(
    session: Session, site: Site
) -> None:
    grow = """<div id=d></div><script>
      const grow = () => { for (let i = 0; i < 200; i++) d.append(Object.assign(
        document.createElement('button'), { textContent: 'More' })); requestAnimationFrame(grow) };
      grow()</script>"""
    await session.navigate(site.page(PRESS + grow))
    begun = time.monotonic()
    snapshot = await session.snapshot()
    assert len(snapshot.elements) > 200
    result = await session.click("text:Press")
    assert site.hits["/pressed"] == 1
    assert len(result.text()) < 20_000
    assert time.monotonic() - begun < 20


async def test_a_page_of_a_million_nodes_is_capped_and_marked(
    sacrificed: Session, site: Site
) -> None:
    # Without boxes: to lay a million out takes the browser itself half a minute.
    flood = """<style>i { display: contents }</style><script>
      const part = document.createDocumentFragment();
      for (let i = 0; i < 1000; i++) part.append(document.createElement('i'));
      for (let i = 0; i < 1000; i++) document.body.append(part.cloneNode(true));
    </script><button>Below</button>"""
    await sacrificed.navigate(site.page(f"<h1>Top</h1>{PRESS}{flood}"))
    begun = time.monotonic()
    snapshot = await sacrificed.snapshot()
    await sacrificed.click("text:Press")
    assert time.monotonic() - begun < 20
    assert site.hits["/pressed"] == 1
    assert snapshot.left_out.partial
    text = snapshot.text()
    assert "Top" in text and "Press" in text and "too large" in text


async def test_a_page_without_end_is_read_as_far_as_it_came(
    sacrificed: Session, site: Site
) -> None:
    async with listening(send_for_ever) as port:
        begun = time.monotonic()
        result = await sacrificed.navigate(f"http://127.0.0.1:{port}/", timeout_ms=1500)
        assert result.happened.settled == "busy"
        assert "Row" in (await sacrificed.snapshot()).text()
        assert time.monotonic() - begun < 20


async def send_for_ever(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<!doctype html>")
    while True:
        writer.write(b"<p>Row <button>B</button></p>" * 10)
        await writer.drain()
        await asyncio.sleep(0.01)


# H4: names that are too long or not what they seem


async def test_a_name_of_ten_megabytes_is_cut_and_marked(session: Session, site: Site) -> None:
    huge = """<script>const s = 'x'.repeat(10_000_000);
      for (const set of [(b) => b.setAttribute('aria-label', s), (b) => b.append(s.slice(0, 1e6)),
          (b) => b.title = s, (b) => { const i = document.createElement('input');
            i.placeholder = i.value = s.slice(0, 1_000_000); b.replaceWith(i) }]) {
        const b = document.createElement('button'); document.body.append(b); set(b) }
      document.title = s</script>"""
    begun = time.monotonic()
    await session.navigate(site.page(PRESS + huge))
    snapshot = await session.snapshot()
    assert time.monotonic() - begun < 20
    assert all(len(element.name) < 5_000 for element in snapshot.elements)
    assert all(len(element.facts.value or "") < 30_000 for element in snapshot.elements)
    assert "…" in snapshot.text() and len(snapshot.text()) < 100_000
    long = [e for e in snapshot.elements if e.role == "button" and e.name.startswith("xxx")]
    await session.click(long[0].ref)
    await session.click("text:Press")
    assert site.hits["/pressed"] == 1


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "name",
    [
        "safe\u202eexe.tidua", "a\u200bb\u200dc", "a\u0007b\u0000c\u001bd", "a\u2066b\u2069",
        "a\ufeffb", "one\ntwo", 'quo"te', "a\\nb", "a\u2028b", "\U000e0041tag", "\ud83d\ude00",
    ],
)  # fmt: skip
async def test_characters_that_deceive_are_shown_as_what_they_are(
    session: Session, site: Site, person: Person, name: str
) -> None:
    person.says = True  # the eye reads "x": such a label asks
    written = "".join(
        f"&#{ord(c)};" for c in name.encode("utf-16", "surrogatepass").decode("utf-16")
    )
    site.pages["/"] = Answer(
        f"<!doctype html><meta charset=utf-8><title>T</title>"
        f"<button aria-label='{written}' onclick=\"fetch('/pressed')\">x</button>"
    )
    await session.navigate(f"{site.address}/")
    text = (await session.snapshot()).text()
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u200b-\u200f\u2028-\u202e\u2066-\u2069]", text)
    [element] = [e for e in (await session.snapshot()).elements if e.role == "button"]
    [line] = [line for line in text.splitlines() if element.ref in line]
    assert line.count('"') - line.count('\\"') == 2
    await session.click(element.ref)
    assert site.hits["/pressed"] == 1


# H27 and clobbering: identity, never a name


async def test_twins_are_told_apart_by_what_they_are(session: Session, site: Site) -> None:
    one = "<button id=x name=x data-testid=x onclick=\"fetch('/hit/{0}')\">Press</button>"
    shadow = f"""<div id=x></div><script>document.querySelector('div')
        .attachShadow({{mode: 'closed'}}).innerHTML = `{one.format(3)}`</script>"""
    await session.navigate(site.page("".join(one.format(n) for n in range(3)) + shadow))
    refs = [e.ref for e in (await session.snapshot()).elements if e.name == "Press"]
    assert len(set(refs)) == 4
    for number in (2, 0, 3, 1):
        await session.click(refs[number])
        assert site.hits[f"/hit/{number}"] == 1
    assert sum(site.hits[f"/hit/{number}"] for number in range(4)) == 4
    for words in ("text:Press", "testId:x", "role:button:Press"):
        with pytest.raises(errors.SelectorAmbiguous):
            await session.click(words)


FORM_NAMES = """tagName parentNode parentElement nodeType firstChild childNodes children localName
    attributes getAttribute hasAttribute querySelectorAll closest matches getBoundingClientRect
    getClientRects isConnected assignedSlot ownerDocument getRootNode labels innerText textContent
    id className style nodeName contains scrollIntoView shadowRoot offsetWidth clientWidth
    scrollHeight clientHeight scrollTop elements action method submit isContentEditable""".split()
DOCUMENT_NAMES = """querySelectorAll querySelector elementFromPoint body documentElement head title
    scrollingElement activeElement getElementById createTreeWalker getAnimations URL defaultView
    forms cookie evaluate createRange styleSheets readyState""".split()


async def test_a_form_whose_fields_are_named_like_the_dom_is_read_and_used(
    session: Session, site: Site
) -> None:
    names = "".join(f"<input type=hidden name={name}>" for name in FORM_NAMES)
    press = PRESS.replace("<button", "<button type=button")
    body = f"<label>Name <input name=who value=Ada></label>{press}"
    await session.navigate(site.page(f"<form action=/sent>{body}<button>Store</button></form>"))
    clean = without_refs((await session.snapshot()).text())
    url = site.page(f"<form action=/sent>{names}{body}<button>Store</button></form>")
    await session.navigate(url)
    assert without_refs((await session.snapshot()).text()) == clean
    await session.click("text:Press")
    await session.fill("label:Name", "Grace")
    assert site.hits["/pressed"] == 1
    await session.click("text:Store")
    assert any(r.path == "/sent" and "who=Grace" in r.query for r in site.requests)


async def test_a_form_that_is_itself_a_control_is_pressed_though_it_is_clobbered(
    session: Session, site: Site
) -> None:
    names = "".join(f"<input type=hidden name={name}>" for name in FORM_NAMES)
    form = "<form role=button aria-label=Whole tabindex=0 onclick=\"fetch('/whole')\">"
    page = f"<style>form {{ width: 99px; height: 40px; margin-top: 3000px }}</style>{form}{names}"
    await session.navigate(site.page(page))
    await session.click("role:button:Whole")
    assert site.hits["/whole"] == 1


@pytest.mark.parametrize("tag", ["img", "form", "embed", "object"])
async def test_a_document_whose_images_and_forms_are_named_like_the_dom_is_read_and_used(
    session: Session, site: Site, tag: str
) -> None:
    names = "".join(f"<{tag} name={name} hidden></{tag}>" for name in DOCUMENT_NAMES)
    await session.navigate(site.page(NORMAL))
    clean = without_refs((await session.snapshot()).text())
    await session.navigate(site.page(NORMAL + names))
    assert without_refs((await session.snapshot()).text()) == clean
    await session.click("text:Press")
    await session.fill("label:Name", "Grace")
    await session.scroll(direction="down")
    assert "Account" in await session.text()
    await session.wait(text="Account")
    assert site.hits["/pressed"] == 1


async def test_frames_and_ids_named_like_globals_change_nothing(
    session: Session, site: Site
) -> None:
    names = "walker actor home getComputedStyle innerWidth scheduler JSON Node Element document"
    marks = "".join(f"<a id={n}></a><iframe name={n} hidden></iframe>" for n in names.split())
    await session.navigate(site.page(NORMAL))
    clean = without_refs((await session.snapshot()).text())
    await session.navigate(site.page(NORMAL + marks))
    assert without_refs((await session.snapshot()).text()) == clean
    await session.click("text:Press")
    assert site.hits["/pressed"] == 1

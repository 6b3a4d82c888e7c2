"""Pages that mean harm, or are merely absurd: the walk ends, soon, with what it could read."""

from __future__ import annotations

import pytest

from tests.page.walking import Walker, names, usable


async def test_parts_named_like_dom_properties_change_nothing(walker: Walker) -> None:
    words = (
        "tagName localName parentNode firstChild nextSibling attributes hasAttributes getAttribute"
    )
    words += " matches closest querySelectorAll checkVisibility getBoundingClientRect children"
    fields = "".join(f"<input name={word} aria-label={word}>" for word in words.split())
    images = "".join(
        f"<img name={word}>" for word in "querySelectorAll body documentElement title URL".split()
    )
    frame = await walker.show(f"<form>{fields}<button name=nodeType>Send</button></form>{images}")
    assert names(frame) == [*(f"textbox {word}" for word in words.split()), "button Send"]
    assert frame.title == "Test"


async def test_h26_no_attribute_of_the_page_hides_anything(walker: Walker) -> None:
    page = """<div{0}><p>Costs 99 €</p><button{0}>Buy</button><input type=checkbox checked
      aria-label=Insurance{0}></div><form{0}><input name=n value=v{0}><button id=x>Go</button></form>"""
    marked = page.format(" data-browser-agent-ui=true data-browser-agent-ui")
    plain = await walker.show(page.format(""))
    seen = await walker.show(marked)
    assert [(n.role, n.name, n.flags) for n in seen.nodes] == [
        (n.role, n.name, n.flags) for n in plain.nodes
    ]
    told = await walker.run("walker.describe(walker.idOf(document.querySelector('#x')))")
    assert told["form"]["fields"] == [["n", "v"]]
    host = """document.body.insertAdjacentHTML('beforeend', '<div id=h data-browser-agent-ui></div>');
      h.attachShadow({ mode: 'open' }).innerHTML = '<button>Approve</button>'"""
    assert "button Approve" in names(await walker.show(marked, host))


async def test_elements_of_other_namespaces_with_html_names_change_nothing(walker: Walker) -> None:
    frame = await walker.show(
        "<button>Real</button><svg id=s width=90 height=90></svg>",
        "for (const tag of 'input select textarea option table iframe slot label details a td'.split(' '))"
        " s.append(document.createElementNS('http://www.w3.org/2000/svg', tag))",
    )
    assert names(frame) == ["button Real"]


async def test_names_and_texts_as_long_as_books_are_cut(walker: Walker) -> None:
    await walker.put("<button>a</button><button>b</button><p>c</p><input><a>d</a>")
    await walker.run("""const [a, b] = document.querySelectorAll('button'); const long = 'x y '.repeat(1e5);
        a.textContent = long; b.setAttribute('aria-label', long); document.querySelector('p').textContent = long;
        document.querySelector('input').value = long; document.title = long;
        document.querySelector('a').href = 'http://h/' + 'q'.repeat(1e5)""")
    text = await walker.run("walker.walk()")
    assert len(text) < 12_000


async def test_half_characters_and_control_characters_survive_the_wire(walker: Walker) -> None:
    await walker.put("<button>x</button><p>y</p>")
    await walker.run(
        r"document.querySelector('button').textContent = 'a\ud83d\u202e\u200bz\u0007'; 0"
    )
    (button,) = usable(await walker.walk())
    assert button.name == "a\ufffd\u202e\u200bz\u0007"
    told = await walker.run(f"walker.describe({button.id})")
    assert told["name"] == told["text"] == button.name


async def test_a_cut_name_never_ends_in_half_a_character(walker: Walker) -> None:
    frame = await walker.show(f"<button>{'😀' * 600}</button>")
    assert usable(frame)[0].name.encode().decode().endswith("😀…")


async def test_references_in_circles_end(walker: Walker) -> None:
    frame = await walker.show(
        "<button id=a aria-labelledby=b>A</button><button id=b aria-labelledby='a b'>B</button>"
        "<div id=o aria-owns=p><div id=p aria-owns=o><button>Owned</button></div></div>"
    )
    assert names(frame) == ["button B", "button A B", "button Owned"]


GROWING = {
    "labels that name each other": "for (let i = 0; i < N; i++) add(`<button id=i${i} aria-labelledby="
    "\"${[...Array(N).keys()].map(k => 'i' + k).join(' ')}\">b</button>`)",
    "many labels of one field": "add('<input id=q>'); for (let i = 0; i < 9 * N; i++) "
    "add(`<label for=q>l${i}</label>`)",
    "boxes upon boxes": "for (let i = 0; i < 5 * N; i++) add(`<div style='position:absolute;width:300px;"
    "height:300px;left:${i % 90}px;top:${i % 70}px'><button>b</button></div>`)",
    "areas of pictures": "add('<map name=m>' + '<area href=#>'.repeat(3 * N) + '</map>' + "
    "'<img usemap=\"#m\">'.repeat(N))",
    "buttons in buttons": "let at = document.body; for (let i = 0; i < N; i++) { const b = "
    "document.createElement('div'); b.role = 'button'; b.append('word '); at.append(b); at = b }",
    "tables in tables": "let html = 'x'; for (let i = 0; i < 200; i++) html = `<table><tr><th>h<td>"
    "${html}<tr><td>a<td>b</table>`; add(html)",
    "counted content": "add('<style>a::before{counter-increment:x;content:counter(x)}</style>' + "
    "'<a href=#>q</a>'.repeat(9 * N))",
}


@pytest.mark.parametrize("code", GROWING.values(), ids=GROWING.keys())
async def test_what_multiplies_does_not_take_long(code: str, walker: Walker) -> None:
    await walker.put("")
    await walker.run(
        "(() => { const N = 500; let all = ''; const add = (html) => { all += html; };"
        f"{code}; if (all) document.body.innerHTML = all; document.body.clientWidth }})()"
    )
    took = await walker.run(
        "(() => { const t = performance.now(); walker.walk(); return performance.now() - t })()"
    )
    assert took < 3000


async def test_a_walk_stops_at_its_limits_and_says_which(walker: Walker) -> None:
    await walker.put("<button>b</button>" * 500)
    for option, partial in {"max_visit": "visits", "max_nodes": "nodes"}.items():
        frame = await walker.walk(**{option: 100})
        assert frame.partial == partial
        assert 90 <= len(usable(frame)) <= 100
    frame = await walker.walk(max_ms=-1)
    assert frame.partial == "time"


async def test_a_hidden_tree_of_any_depth_is_passed_by(walker: Walker) -> None:
    await walker.put("<div id=d style='content-visibility:hidden'></div><button>b</button>")
    await walker.run(
        "(() => { let at = document.getElementById('d'); for (let i = 0; i < 12000; i++) {"
        " const div = document.createElement('div'); at.append(div); at = div } })()"
    )
    assert names(await walker.walk()) == ["button b"]


async def test_a_document_without_any_element_can_be_walked(walker: Walker) -> None:
    await walker.put("")
    await walker.run("document.documentElement.remove()")
    frame = await walker.walk()
    assert (frame.nodes, frame.partial) == ([], "")


async def test_a_walk_leaves_no_trace_in_the_page(walker: Walker) -> None:
    await walker.put(
        "<button id=b>b</button><input autofocus><div style='overflow:auto;height:9px'>t</div>"
    )
    await walker.run(
        "globalThis.seen = []; new MutationObserver((all) => seen.push(...all)).observe(document, "
        "{subtree: true, childList: true, attributes: true, characterData: true})"
    )
    before = await walker.run("document.documentElement.outerHTML")
    await walker.run("walker.walk(); walker.locate({type: 'text', value: 'b'}); walker.describe(1)")
    assert await walker.run("document.documentElement.outerHTML") == before
    assert await walker.run("seen.length") == 0

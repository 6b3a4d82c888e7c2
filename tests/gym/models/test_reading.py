"""The text of a page read back: what the good practice model thinks by is what a model is shown."""

from __future__ import annotations

import pytest

from subterminator import Session
from subterminator.gym.models.lines import elements_of, split_cells, unquote
from subterminator.gym.models.reading import read_page
from subterminator.types import Flag
from tests.site import Site

FORM = """<main><h1>Leave us?</h1><p>Ends on 3 May. It said "bye".</p>
<form method=post action=/x><fieldset><legend>When</legend>
<label><input type=radio name=r> At the end</label><label><input type=radio name=r checked> Today</label></fieldset>
<label><input type=checkbox checked> Send me news</label>
<label>Why <select><option>Choose</option><option>Too dear</option></select></label>
<label>Comment <input placeholder="Say it" required minlength=3></label>
<label>Password <input type=password></label><button disabled>Continue</button></form>
<button aria-expanded=false aria-haspopup=menu>More</button></main>
<footer><a href=/terms>Terms</a> <a href=/privacy>Privacy</a> <a href=https://other.example/>Other</a></footer>"""


async def test_a_page_is_read_back_with_roles_names_states_and_facts(
    session: Session, site: Site
) -> None:
    await session.navigate(site.page(FORM, title='A "title"'))
    seen = await session.snapshot()
    read = read_page(f"noise\n{seen.text()}\n</page-x>\nmore noise")
    assert read is not None
    assert (read.page.url, read.page.title) == (seen.page.url, 'A "title"')
    kinds = {e.ref: (e.role, e.name) for e in seen.elements if e.ref}
    assert {e.ref: (e.role, e.name) for e in read.elements if e.ref} == kinds
    by_name = {element.name: element for element in read.elements}
    for name, flag in [
        ("Today", Flag.CHECKED),
        ("Send me news", Flag.CHECKED),
        ("Comment", Flag.REQUIRED),
        ("Password", Flag.SECRET),
        ("Continue", Flag.DISABLED | Flag.SUBMITS),
        ("More", Flag.EXPANDABLE),
    ]:
        assert by_name[name].flags & flag == flag, name
    assert not by_name["At the end"].flags & Flag.CHECKED
    assert by_name["Why"].facts.options == ("Choose", "Too dear")
    assert by_name["Comment"].facts.placeholder == "Say it"
    assert by_name["Comment"].facts.min_length == 3
    assert by_name["Leave us?"].role == "heading"
    assert any("bye" in element.name for element in read.elements if element.role == "text")


async def test_what_is_around_a_control_is_read_back(session: Session, site: Site) -> None:
    rows = "".join(
        f"<tr><td>Plan {n}</td><td>{n}.50 EUR</td><td><button>Manage</button></td></tr>"
        for n in range(3)
    )
    await session.navigate(
        site.page(f"<nav><a href=/>Home</a></nav><h2>Plans</h2><table>{rows}</table>")
    )
    seen = await session.snapshot()
    read = read_page(seen.text())
    assert read is not None
    roles = [element.role for element in read.elements]
    assert roles.count("row") == 3 and "navigation" in roles
    parents = [e for e in read.elements if e.role == "row"]
    assert all(row.depth < e.depth for row in parents for e in read.elements if e.name == "Manage")


async def test_of_a_dialog_on_top_only_the_dialog_counts(session: Session, site: Site) -> None:
    page = "<h1>Account</h1><button>Under</button><dialog id=d aria-label=Sure><button>Yes</button></dialog>"
    await session.navigate(site.page(f"{page}<script>d.showModal()</script>"))
    read = read_page((await session.snapshot()).text())
    assert read is not None
    top = [element.name for element in read.elements if element.flags & Flag.TOP]
    assert "Yes" in top and "Under" not in top


def test_a_text_without_a_page_is_none() -> None:
    assert read_page("click @e7: done.\nno visible change") is None


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ('@e1 button "Save"', [("@e1", "button", "Save")]),
        ('links @e1 "Home" @e2 "Help"', [("@e1", "link", "Home"), ("@e2", "link", "Help")]),
        ('radios unchecked @e1 "A" @e2 "B"', [("@e1", "radio", "A"), ("@e2", "radio", "B")]),
        ('"Read the" @e3 link "terms"', [("", "text", "Read the"), ("@e3", "link", "terms")]),
        ('@e4 clickable "Tile"', [("@e4", "generic", "Tile")]),
    ],
)
def test_one_line_is_read_as_what_stands_on_it(
    words: str, expected: list[tuple[str, str, str]]
) -> None:
    found = [(e.ref, e.role, e.name) for e in elements_of(words, 1, "http://x.example/")]
    assert found == expected


def test_quotes_and_bars_inside_a_name_are_part_of_it() -> None:
    assert unquote(r'"say \"a | b\" \u{200b}x3"') == 'say "a | b" \u200b'
    assert list(split_cells('"a | b" | @e1 button "c"')) == ['"a | b"', '@e1 button "c"']

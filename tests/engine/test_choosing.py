"""Selecting: native drop-downs and lists, and those that pages build themselves."""

from __future__ import annotations

import pytest

from subterminator import Session, actions, errors
from subterminator.types import Resolved
from tests.engine.opened import opened, resolved
from tests.reports import reporting, reports
from tests.site import Site

NATIVE = """<label>Country <select onchange="say([...this.selectedOptions].map((o) => o.value))">
  <option value=de>Germany</option><option value=fr>France</option>
  <option value=xx disabled>Nowhere</option>
  <optgroup label=Old disabled><option>Prussia</option></optgroup></select></label>"""


@pytest.mark.parametrize(("wanted", "value"), [("France", "fr"), ("fr", "fr"), ("  france ", "fr")])
async def test_an_option_is_chosen_by_label_or_value(
    session: Session, site: Site, wanted: str, value: str
) -> None:
    await session.navigate(reporting(site, NATIVE))
    result = await session.select("label:Country", wanted)
    assert "selected 'France'" in result.text()
    assert reports(site) == [value]


async def test_choosing_what_is_chosen_already_tells_the_page_nothing(
    session: Session, site: Site
) -> None:
    await session.navigate(reporting(site, NATIVE))
    assert "already" in (await session.select("label:Country", "Germany")).note
    assert reports(site) == []


async def test_a_missing_option_is_an_error_that_lists_the_options(
    session: Session, site: Site
) -> None:
    await session.navigate(reporting(site, NATIVE))
    with pytest.raises(errors.ActionFailed, match="no option 'Spain'.*'Germany', 'France'") as info:
        await session.select("label:Country", "Spain")
    assert not info.value.delivered
    assert reports(site) == []


@pytest.mark.parametrize("wanted", ["Nowhere", "Prussia"])
async def test_a_disabled_option_is_not_chosen(session: Session, site: Site, wanted: str) -> None:
    await session.navigate(reporting(site, NATIVE))
    with pytest.raises(errors.ElementDisabled, match=wanted):
        await session.select("label:Country", wanted)
    assert reports(site) == []


async def test_several_options_are_chosen_where_the_list_allows_it(
    session: Session, site: Site
) -> None:
    options = "<option>A<option selected>B<option>C"
    page = f"""<select id=many multiple
        onchange="say([...this.selectedOptions].map((o) => o.value))">
      {options}</select><select id=one>{options}</select>"""
    await session.navigate(reporting(site, page))
    await session.select("#many", "A", "C")
    assert reports(site) == ["A,C"]
    with pytest.raises(errors.ActionFailed, match="one option only"):
        await session.select("#one", "A", "C")


# Drop-downs of the page's own making

OWN = """<style>[role=listbox] { position: absolute; border: 1px solid }</style>
  <div role=listbox aria-label=Other><div role=option onclick="say('wrong')">Green</div></div><br>
  <div id=box role=combobox aria-expanded=false tabindex=0 aria-label=Colour>Choose</div>
  <script>
    let opened = 0;
    box.onclick = () => { say('opened', ++opened); setTimeout(() => {
      const list = document.createElement('div');
      list.setAttribute('role', 'listbox');
      list.innerHTML = '<div role=option>Red</div><div role=option>Green</div>' +
        '<div role=option aria-disabled=true>Blue</div>';
      list.onclick = (e) => { box.textContent = e.target.textContent; say(box.textContent);
        list.remove(); };
      document.body.append(list); }, 100); };
  </script>"""


async def test_a_drop_down_of_the_pages_own_is_opened_once_and_its_option_pressed_once(
    session: Session, site: Site
) -> None:
    await session.navigate(reporting(site, OWN))
    result = await session.select("role:combobox:Colour", "Green")
    assert "chose 'Green'" in result.text()
    assert reports(site) == ["opened 1", "Green"]


async def test_a_missing_option_of_such_a_drop_down_lists_what_it_shows(
    session: Session, site: Site
) -> None:
    await session.navigate(reporting(site, OWN))
    with pytest.raises(errors.ActionFailed, match="It shows: 'Red', 'Green', 'Blue'") as info:
        await session.select("role:combobox:Colour", "Pink", timeout_ms=1000)
    assert info.value.delivered
    assert reports(site) == ["opened 1"]


async def test_a_disabled_option_of_such_a_drop_down_is_not_pressed(
    session: Session, site: Site
) -> None:
    await session.navigate(reporting(site, OWN))
    with pytest.raises(errors.ElementDisabled, match="Blue"):
        await session.select("role:combobox:Colour", "Blue")
    assert reports(site) == ["opened 1"]


async def test_an_option_of_an_open_list_is_pressed_without_opening(
    session: Session, site: Site
) -> None:
    rows = "".join(f"<div role=option>Row {n}</div>" for n in range(120))
    page = f"""<div role=listbox aria-label=Rows style='height: 80px; overflow: auto'
      onclick='say(event.target.textContent)'>{rows}</div>"""
    await session.navigate(reporting(site, page))
    await session.select("role:listbox:Rows", "Row 100")
    assert reports(site) == ["Row 100"]


async def test_several_options_of_an_open_list_that_allows_it_are_pressed(
    session: Session, site: Site
) -> None:
    page = """<div role=listbox aria-label=Tags aria-multiselectable=true
        onclick="event.target.ariaSelected = true; say(event.target.textContent)">
      <div role=option>A</div><div role=option aria-selected=true>B</div>
      <div role=option>C</div></div>"""
    await session.navigate(reporting(site, page))
    await session.select("role:listbox:Tags", "A", "B", "C")
    assert reports(site) == ["A", "C"]


async def test_a_button_that_opens_a_list_is_a_drop_down_too(session: Session, site: Site) -> None:
    page = """<button aria-haspopup=listbox aria-controls=l onclick='l.hidden = false'>Sort</button>
      <ul id=l role=listbox hidden onclick='say(event.target.dataset.value)'>
        <li role=option data-value=new>Newest</li><li role=option data-value=old>Oldest</li></ul>"""
    await session.navigate(reporting(site, page))
    await session.select("role:button:Sort", "old")
    assert reports(site) == ["old"]


async def test_anything_else_is_told_to_be_clicked(session: Session, site: Site) -> None:
    await session.navigate(reporting(site, "<button onclick=say('no')>Menu</button>"))
    with pytest.raises(errors.ActionFailed, match="then click the option") as info:
        await session.select("role:button:Menu", "Open")
    assert not info.value.delivered
    assert reports(site) == []


async def test_a_drop_down_that_shows_nothing_is_not_pressed_again(
    session: Session, site: Site
) -> None:
    page = "<input role=combobox aria-label=City onclick=say('pressed')>"
    await session.navigate(reporting(site, page))
    with pytest.raises(errors.ActionFailed, match="shows no options"):
        await session.select("role:combobox:City", "Bonn", timeout_ms=500)
    assert reports(site) == ["pressed"]


# The option of such a drop-down is judged by itself


async def test_an_option_that_is_judged_unfit_is_not_pressed(session: Session, site: Site) -> None:
    await session.navigate(reporting(site, OWN))
    judged: list[Resolved] = []

    async def refuse(option: Resolved) -> None:
        judged.append(option)
        raise errors.ApprovalRequired("This needs a yes.", rule="test")

    target = await resolved(session, "role:combobox:Colour")
    select = actions.Select("role:combobox:Colour", ("Green",))
    with pytest.raises(errors.ApprovalRequired) as info:
        await opened(session).performer.do(select, [target], 5, refuse)
    assert info.value.delivered
    assert [(option.role, option.name) for option in judged] == [("option", "Green")]
    assert reports(site) == ["opened 1"]


async def test_where_nobody_judges_an_option_is_not_pressed(session: Session, site: Site) -> None:
    await session.navigate(reporting(site, OWN))
    target = await resolved(session, "role:combobox:Colour")
    select = actions.Select("role:combobox:Colour", ("Green",))
    with pytest.raises(errors.Refused, match="judged by nobody"):
        await opened(session).performer.do(select, [target], 5)
    assert reports(site) == ["opened 1"]

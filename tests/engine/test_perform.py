"""What each action does to a page: going, pointing, scrolling, reading, uploading."""

from __future__ import annotations

from pathlib import Path

import pytest

from subterminator import Session, actions, errors
from tests.conftest import Person
from tests.reports import SAY, reporting, reports
from tests.site import Site

# Going


async def test_navigate_back_forward_and_reload_move_through_the_history(
    session: Session, site: Site
) -> None:
    first, second = site.page("one", "/one", "One"), site.page("two", "/two", "Two")
    assert (await session.navigate(first)).page.title == "One"
    assert (await session.navigate(second)).page.title == "Two"
    assert (await session.back()).page.url == first
    assert (await session.forward()).page.url == second
    before = site.hits["/two"]
    assert (await session.reload()).page.title == "Two"
    assert site.hits["/two"] == before + 1


async def test_going_back_where_there_is_no_earlier_page_fails(
    session: Session,
) -> None:
    await session.open_tab()
    with pytest.raises(errors.ActionFailed, match="no earlier page"):
        await session.back()


async def test_an_address_that_nobody_serves_is_a_navigation_failure(session: Session) -> None:
    with pytest.raises(errors.NavigationFailed, match="cannot be opened"):
        await session.navigate("http://127.0.0.1:9/")


async def test_history_within_one_document_is_gone_through_too(
    session: Session, site: Site
) -> None:
    page = "<button onclick=\"history.pushState(0, '', '/step')\">Next</button>"
    first = site.page(page)
    await session.navigate(first)
    assert (await session.click("text:Next")).happened.navigations[0].same_document
    assert (await session.back()).page.url == first


# Pointing

EVENTS = """<button id=b>Press</button><script>
  for (const kind of ['mousedown', 'click', 'dblclick', 'auxclick', 'contextmenu'])
    b.addEventListener(kind, (e) => { e.preventDefault(); say(kind, e.button, e.detail,
      [e.ctrlKey && 'Control', e.shiftKey && 'Shift'].filter(Boolean).join('+')); });
</script>"""


async def test_a_click_is_one_press_of_the_left_button(session: Session, site: Site) -> None:
    await session.navigate(reporting(site, EVENTS))
    await session.click("text:Press")
    assert reports(site) == ["mousedown 0 1 ", "click 0 1 "]


@pytest.mark.parametrize(
    ("button", "expected"),
    [
        ("right", ["mousedown 2 1 ", "contextmenu 2 0 ", "auxclick 2 1 "]),
        ("middle", ["mousedown 1 1 ", "auxclick 1 1 "]),
    ],
)
async def test_a_click_takes_the_button_that_is_asked_for(
    session: Session, site: Site, button: actions.Button, expected: list[str]
) -> None:
    await session.navigate(reporting(site, EVENTS))
    await session.click("text:Press", button=button)
    assert sorted(reports(site)) == sorted(expected)


async def test_two_clicks_in_a_row_are_a_double_click(session: Session, site: Site) -> None:
    await session.navigate(reporting(site, EVENTS))
    await session.click("text:Press", count=2)
    said = reports(site)
    assert said[-2:] == ["click 0 2 ", "dblclick 0 2 "]
    assert said.count("click 0 1 ") == 1


async def test_modifiers_are_held_during_the_click(session: Session, site: Site) -> None:
    await session.navigate(reporting(site, EVENTS))
    await session.click("text:Press", modifiers=("Control", "Shift"))
    assert reports(site)[-1] == "click 0 1 Control+Shift"


async def test_a_held_click_lasts_as_long_as_asked_for(session: Session, site: Site) -> None:
    page = """<button id=b>Hold</button><script>let at;
      b.onmousedown = () => { at = performance.now(); };
      b.onmouseup = () => say(performance.now() - at >= 240 ? 'long' : 'short');</script>"""
    await session.navigate(reporting(site, page))
    await session.click("text:Hold", hold_ms=250)
    assert reports(site) == ["long"]


async def test_hovering_opens_a_menu_whose_items_can_then_be_clicked(
    session: Session, site: Site
) -> None:
    page = """<style>ul { display: none; margin: 0 } nav:hover ul { display: block }</style>
      <nav><a href=#>Products</a><ul><li><a href=# onclick="say('shoes')">Shoes</a></ul></nav>"""
    await session.navigate(reporting(site, page))
    result = await session.hover("text:Products")
    assert "Shoes" in result.text()
    await session.click("text:Shoes")
    assert reports(site) == ["shoes"]


async def test_hovering_over_a_disabled_button_is_possible(session: Session, site: Site) -> None:
    page = "<div onmouseover=\"this.append('Not yet')\"><button disabled>Buy</button></div>"
    await session.navigate(site.page(page))
    assert "Not yet" in (await session.hover("role:button:Buy")).text()


# Ticking

BOXES = {
    "native": "<label><input type=checkbox onchange='say(this.checked)'> News</label>",
    "hidden behind its label": """<style>.x { position: absolute; opacity: 0; width: 0; height: 0 }
      </style><input class=x id=c type=checkbox onchange='say(this.checked)'>
      <label for=c>News</label>""",
    "ARIA checkbox": """<div role=checkbox aria-checked=false tabindex=0 onclick="
      this.ariaChecked = this.ariaChecked !== 'true'; say(this.ariaChecked)">News</div>""",
    "switch drawn late": """<div role=switch aria-checked=false tabindex=0
      onclick="setTimeout(() => { this.ariaChecked = this.ariaChecked !== 'true';
        say(this.ariaChecked); }, 50)">News</div>""",
}


@pytest.mark.parametrize("kind", BOXES)
async def test_ticking_and_unticking_reach_every_kind_of_box_once(
    session: Session, site: Site, kind: str
) -> None:
    await session.navigate(reporting(site, BOXES[kind]))
    assert not (await session.check("text:News")).note
    assert "already" in (await session.check("text:News")).note
    assert not (await session.uncheck("text:News")).note
    assert "already" in (await session.uncheck("text:News")).note
    assert reports(site) == ["true", "false"]


async def test_a_radio_button_can_be_ticked_but_not_unticked(session: Session, site: Site) -> None:
    page = """<label><input type=radio name=r onchange="say('one')"> One</label>
      <label><input type=radio name=r onchange="say('two')"> Two</label>"""
    await session.navigate(reporting(site, page))
    await session.check("label:Two")
    with pytest.raises(errors.ActionFailed, match="Tick another one"):
        await session.uncheck("label:Two")
    assert reports(site) == ["two"]


async def test_a_box_that_refuses_the_tick_is_reported(session: Session, site: Site) -> None:
    page = "<label><input type=checkbox onclick='event.preventDefault()'> Agree</label>"
    await session.navigate(site.page(page))
    assert "did not take" in (await session.check("label:Agree")).note


async def test_what_cannot_be_ticked_is_not_clicked_either(session: Session, site: Site) -> None:
    await session.navigate(reporting(site, "<button onclick=say()>Save</button>"))
    with pytest.raises(errors.ActionFailed, match="cannot be ticked"):
        await session.check("text:Save")
    assert reports(site) == []


# Scrolling


async def test_scrolling_by_direction_amount_and_place_says_when_the_end_is_reached(
    session: Session, site: Site
) -> None:
    await session.navigate(site.page("<div style='height: 3000px; width: 3000px'>x</div>"))
    assert (await session.scroll(direction="down", amount=300)).value["y"] == 300
    assert (await session.scroll(direction="right", amount=70)).value["x"] == 70
    assert (await session.scroll(direction="up", amount=100)).value["y"] == 200
    assert (await session.scroll(to=(10, 500))).value["y"] == 500
    bottom = await session.scroll(direction="bottom")
    assert bottom.value["y"] == bottom.value["max_y"] and not bottom.note
    assert "at the end already" in (await session.scroll(direction="bottom")).note
    assert (await session.scroll(direction="top")).value["y"] == 0


async def test_an_element_is_scrolled_into_view_through_nested_boxes(
    session: Session, site: Site
) -> None:
    page = """<div style='height: 2000px'></div>
      <div style='height: 200px; overflow: auto'><div style='height: 900px'></div>
        <div style='height: 100px; overflow: auto'><div style='height: 700px'></div>
          <button>Deep</button></div></div>"""
    await session.navigate(site.page(page))
    result = await session.scroll("text:Deep")
    box = next(e.box for e in result.snapshot.elements if e.name == "Deep")  # type: ignore[union-attr]
    assert box and 0 < box.y < 720
    assert "in view already" in (await session.scroll("text:Deep")).note


async def test_a_direction_with_a_target_scrolls_the_box_around_it(
    session: Session, site: Site
) -> None:
    page = """<div style='height: 200px; overflow: auto' onscroll="say('box')">
        <button>In the box</button><div style='height: 900px'></div></div>
      <div style='height: 2000px'></div>"""
    await session.navigate(reporting(site, page))
    assert (await session.scroll("text:In the box", direction="down", amount=50)).value["y"] == 50
    assert reports(site) == ["box"]


@pytest.mark.parametrize(
    "around",
    [
        "<div id=box style='height: 100vh; overflow: auto'>",
        "<nav style='float: left; width: 70%; height: 90vh'>Menu</nav>"
        "<div id=box style='height: 90vh; overflow: auto'>",
        "<div style='height: 3000px'></div><style>body { overflow: hidden }</style>"
        "<div id=box style='position: fixed; inset: 10%; overflow: auto'>",
    ],
    ids=["the page is in a box", "the box is not in the middle", "the page is locked"],
)
async def test_scrolling_a_page_that_cannot_scroll_moves_its_main_box(
    session: Session, site: Site, around: str
) -> None:
    page = f"""<body style='margin: 0'>{around}<div style='height: 3000px'>x</div></div>
      <script>box.onscroll = () => say('box')</script>"""
    await session.navigate(reporting(site, page))
    assert (await session.scroll(direction="down", amount=40)).value["y"] == 40
    assert reports(site) == ["box"]


async def test_scrolling_loads_what_a_page_loads_on_scrolling(session: Session, site: Site) -> None:
    page = """<div style='height: 3000px'></div><p id=end></p><script>
      new IntersectionObserver(async ([seen]) => {
        if (seen.isIntersecting) end.textContent = await (await fetch('/more')).text(); })
        .observe(end);</script>"""
    site.pages["/more"] = "Twenty more"
    await session.navigate(site.page(page))
    assert "Twenty more" in (await session.scroll(direction="bottom")).text()


# Uploading


async def test_files_given_by_content_reach_the_page_without_asking(
    session: Session, site: Site, person: Person
) -> None:
    page = """<label>Papers <input type=file multiple onchange="Promise.all([...this.files].map(
      async (f) => `${f.name}:${await f.text()}`)).then((all) => say(all))"></label>"""
    await session.navigate(reporting(site, page))
    await session.upload(
        "label:Papers", actions.File("a.txt", b"one"), actions.File("../b.txt", b"two")
    )
    await session.wait(quiet=True)
    assert reports(site) == ["a.txt:one,b.txt:two"]
    assert person.asked == []


async def test_a_file_of_this_machine_is_uploaded_only_if_the_person_agrees(
    session: Session, site: Site, person: Person, tmp_path: Path
) -> None:
    paper = tmp_path / "bill.txt"
    paper.write_text("11.99", encoding="utf-8")
    page = "<label>Bill <input type=file onchange='say(this.files[0].name)'></label>"
    await session.navigate(reporting(site, page))
    with pytest.raises(errors.HumanRejected):
        await session.upload("label:Bill", str(paper))
    assert person.asked[0].rule == "upload-from-disk" and str(paper) in person.asked[0].reason
    assert reports(site) == []
    person.says = True
    await session.upload("label:Bill", str(paper))
    assert reports(site) == ["bill.txt"]
    with pytest.raises(errors.InvalidParams, match="no file"):
        await session.upload("label:Bill", str(tmp_path / "none.txt"))


async def test_the_hidden_file_field_of_a_drop_area_is_found(session: Session, site: Site) -> None:
    page = """<div id=area style='border: 1px solid' onclick='f.click()'>Drop files here
      <input id=f type=file style='display: none' onchange='say(this.files[0].name)'></div>"""
    await session.navigate(reporting(site, page))
    assert (await session.click("text:Drop files")).happened.file_chooser
    await session.upload("#area", actions.File("x.txt", b"x"))
    await session.upload("#f", actions.File("y.txt", b"y"))
    assert reports(site) == ["x.txt", "y.txt"]


async def test_upload_refuses_what_is_no_file_field_or_takes_fewer_files(
    session: Session, site: Site
) -> None:
    page = """<label>Name <input></label><label>One <input type=file></label>
      <label>Off <input type=file disabled></label>"""
    await session.navigate(site.page(page))
    one, two = actions.File("1.txt", b"1"), actions.File("2.txt", b"2")
    with pytest.raises(errors.ActionFailed, match="not a file field"):
        await session.upload("label:Name", one)
    with pytest.raises(errors.ActionFailed, match="one file only"):
        await session.upload("label:One", one, two)
    with pytest.raises(errors.ElementDisabled):
        await session.upload("label:Off", one)


# Reading


async def test_text_reads_the_page_a_frame_or_one_element(session: Session, site: Site) -> None:
    site.page("<p>Inside", "/inner")
    page = """<h1>Out</h1><p id=p>One <b>two</b></p><p hidden>Secret</p>
      <iframe name=inner src=/inner></iframe>"""
    await session.navigate(site.page(page))
    whole = await session.text()
    assert "Out" in whole and "One two" in whole and "Secret" not in whole
    assert await session.text("#p") == "One two"
    assert await session.text(frame="inner") == "Inside"
    assert await session.text("#p", max_length=3) == "One"
    told = await session.call(actions.ReadText())
    assert "1 frame(s)" in told.note
    with pytest.raises(errors.FrameNotFound):
        await session.text(frame="nowhere")


async def test_text_looks_into_shadow_roots_in_the_order_they_are_shown(
    session: Session, site: Site
) -> None:
    page = """<p>First</p><x-card><b slot=name>Slotted</b></x-card><p>Last</p><script>
      document.querySelector('x-card').attachShadow({ mode: 'open' }).innerHTML =
        '<style>b {}</style><h2>Card</h2><slot name=name></slot><i style="display:none">No</i>';
    </script>"""
    await session.navigate(site.page(page))
    words = (await session.text()).split()
    assert words == ["First", "Card", "Slotted", "Last"]


async def test_find_ranks_refs_by_words_role_and_frame(session: Session, site: Site) -> None:
    site.page(SAY + "<button onclick=say('inner')>Show</button>", "/inner")
    page = """<a href=#>Show account</a> <button onclick=say('outer')>Show</button>
      <button>Keep</button><iframe name=inner src=/inner></iframe>"""
    await session.navigate(reporting(site, page))
    found = await session.find("show")
    assert [m.role for m in found] == ["button", "button", "link"]
    assert found == await session.find("show") and found[0].score >= found[2].score
    assert [m.name for m in await session.find("show", role="link")] == ["Show account"]
    assert len(await session.find("show", limit=1)) == 1
    inner = await session.find("show", frame="inner")
    await session.click(inner[0].ref)
    assert len(inner) == 1 and reports(site) == ["inner"]
    assert await session.find("buy a boat") == []


async def test_a_reload_does_not_send_a_form_again(session: Session, site: Site) -> None:
    site.pages["/sent"] = "<p>Sent</p>"
    form = "<form method=post action=/sent><input name=a value=1><button>Next page</button></form>"
    await session.navigate(site.page(form))
    await session.click("text:Next page")
    for _ in range(2):
        assert (await session.reload()).page.url.endswith("/sent")
    await session.back()
    await session.forward()
    sent = [request.method for request in site.requests if request.path == "/sent"]
    assert sent.count("POST") == 1
    assert sent.count("GET") >= 2

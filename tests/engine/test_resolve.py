"""From words to the one element meant: refs, the ten kinds of selector, and their short forms."""

from __future__ import annotations

import time

import pytest

from subterminator import Session, errors, targets
from tests.reports import SAY, reporting, reports
from tests.site import Site

FORM = """<form onsubmit="return false"><label>City name <input id=city name=c
    placeholder='e.g. Bonn' data-testid=city-field onclick="say('city')"></label>
  <label>Street <input id=street placeholder=Road onclick="say('street')"></label>
  <button class=go onclick="say('go')">Save it</button>
  <button onclick="say('no')">Leave</button></form>"""

KINDS: dict[str, tuple[targets.Target, str]] = {
    "css": (targets.Css("input[name=c]"), "city"),
    "xpath": (targets.XPath("//button[contains(., 'Save')]"), "go"),
    "role": (targets.Role("button", "save"), "go"),
    "role, exact": (targets.Role("button", "Save it", exact=True), "go"),
    "text": (targets.Text("save IT"), "go"),
    "text, exact": (targets.Text("Leave", exact=True), "no"),
    "label": (targets.Label("city"), "city"),
    "placeholder": (targets.Placeholder("bonn"), "city"),
    "testId": (targets.TestId("city-field"), "city"),
    "semantic": (targets.Semantic("the Save it button"), "go"),
    "semantic field": (targets.Semantic("street field"), "street"),
    "short role": ("role:button:Save it", "go"),
    "short text": ("text:Leave", "no"),
    "short label": ("label:Street", "street"),
    "short css": ("css:button.go", "go"),
    "short xpath": ("xpath://input[2] | //input[@id='street']", "street"),
    "short placeholder": ("placeholder:Road", "street"),
    "short testId": ("testId:city-field", "city"),
    "short semantic": ("semantic:leave button", "no"),
    "id": ("#street", "street"),
    "class": (".go", "go"),
    "plain text": ("Leave", "no"),
}


async def test_every_kind_of_selector_and_its_short_form_hits_its_element(
    session: Session, site: Site
) -> None:
    await session.navigate(reporting(site, FORM))
    for kind, (target, said) in KINDS.items():
        before = len(reports(site))
        await session.click(target)
        assert reports(site)[before:] == [said], kind


async def test_a_ref_is_accepted_in_all_its_forms(session: Session, site: Site) -> None:
    await session.navigate(reporting(site, FORM))
    ref = (await session.find("Save it"))[0].ref
    for form in (ref, ref[1:], ref[2:], f"ref:{ref}", targets.ByRef(ref)):
        await session.click(form)
    assert reports(site) == ["go"] * 5


async def test_a_point_means_the_element_under_it_through_frames(
    session: Session, site: Site
) -> None:
    style = "style='position: fixed; left: 0; top: 0; width: 100px; height: 50px'"
    site.page(f"{SAY}<button {style} onclick=say('inner')>Inner</button>", "/inner")
    page = f"""<body style='margin: 0'><button {style} onclick=say('outer')>Outer</button>
      <iframe style='position: fixed; left: 200px; top: 100px; border: 10px solid'
        src={site.address}/inner></iframe>"""
    await session.navigate(reporting(site, page))
    await session.click("coords:50,25")
    result = await session.click(targets.Coordinates(260, 135))
    assert result.target and result.target.name == "Inner"
    assert reports(site) == ["outer", "inner"]
    with pytest.raises(errors.ElementNotFound):
        await session.click("coords:5000,5000")


FRAMED = "<button data-testid=look title=Look onclick=say('seen')>Look here</button>"


@pytest.mark.parametrize("where", ["same site", "other site", "nested", "open", "closed"])
async def test_selectors_reach_into_frames_and_shadow_roots(
    session: Session, site: Site, where: str
) -> None:
    site.page(SAY + FRAMED, "/look")
    site.page(f"<iframe src={site.other}/look></iframe>", "/middle")
    page = (
        {
            "same site": "<iframe src=/look></iframe>",
            "other site": f"<iframe src={site.other}/look></iframe>",
            "nested": "<iframe src=/middle></iframe>",
        }.get(where)
        or f"""<x-look></x-look><script>document.querySelector('x-look')
      .attachShadow({{ mode: '{where}' }}).innerHTML = `{FRAMED}`</script>"""
    )
    await session.navigate(reporting(site, page))
    await session.snapshot()
    selectors = ["role:button:Look here", "text:Look here", "testId:look", "semantic:Look here"]
    selectors += ["css:button"]
    for selector in selectors:
        await session.click(selector)
    assert len(reports(site)) == len(selectors)


async def test_a_selected_frame_limits_selectors_to_itself(session: Session, site: Site) -> None:
    site.page(SAY + "<button onclick=say('inner')>Go</button>", "/inner")
    page = "<button onclick=say('outer')>Go</button><iframe name=f src=/inner></iframe>"
    await session.navigate(reporting(site, page))
    with pytest.raises(errors.SelectorAmbiguous):
        await session.click("text:Go")
    await session.select_frame("f")
    await session.click("text:Go")
    await session.select_frame(None)
    assert reports(site) == ["inner"]


async def test_an_ambiguous_selector_names_the_candidates_by_ref(
    session: Session, site: Site
) -> None:
    page = "<button onclick=say(1)>Show</button><button onclick=say(2)>Show all</button>"
    await session.navigate(reporting(site, page))
    with pytest.raises(errors.SelectorAmbiguous, match="'Show all'") as info:
        await session.click("role:button:Show")
    assert info.value.details["count"] == 2
    second = next(w for w in str(info.value).split() if w.startswith("@e") and w[2:].isdigit())
    assert reports(site) == []
    await session.click(second)
    assert reports(site) == ["1"]


async def test_a_description_that_fits_several_is_ambiguous(session: Session, site: Site) -> None:
    page = "<button onclick=say(1)>Show</button><p>x</p><button onclick=say(2)>Show</button>"
    await session.navigate(reporting(site, page))
    with pytest.raises(errors.SelectorAmbiguous, match="@e"):
        await session.click(targets.Semantic("Show"))
    assert reports(site) == []


async def test_what_matches_nothing_fails_within_the_time_given(
    session: Session, site: Site
) -> None:
    await session.navigate(site.page("<p>Nothing here"))
    for selector in ("#none", "text:None of it", targets.Semantic("Buy a boat")):
        begun = time.monotonic()
        with pytest.raises(errors.ElementNotFound):
            await session.click(selector, timeout_ms=300)
        assert 0.25 <= time.monotonic() - begun < 1.5


async def test_an_element_that_appears_later_is_awaited(session: Session, site: Site) -> None:
    page = """<script>setTimeout(() => {
      document.body.innerHTML = "<button onclick=say('late')>Late</button>"; }, 300)</script>"""
    await session.navigate(reporting(site, page))
    await session.click("text:Late")
    assert reports(site) == ["late"]


async def test_text_that_nobody_sees_is_not_found(session: Session, site: Site) -> None:
    page = """<p hidden>Ghost</p><script>const words = 'Ghost'</script>
      <div style='display: none'><button>Ghost</button></div>"""
    await session.navigate(site.page(page))
    with pytest.raises(errors.ElementNotFound):
        await session.click("text:Ghost", timeout_ms=100)


async def test_the_text_of_a_label_means_its_field(session: Session, site: Site) -> None:
    await session.navigate(reporting(site, FORM))
    result = await session.fill("text:City name", "Bonn")
    assert result.target and result.target.tag == "input"


@pytest.mark.parametrize("selector", ["css:a[[", "xpath://a["])
async def test_a_selector_that_cannot_be_read_is_the_callers_fault(
    session: Session, site: Site, selector: str
) -> None:
    await session.navigate(site.page("x"))
    with pytest.raises(errors.InvalidParams, match="cannot be read"):
        await session.click(selector)


# Refs over time


async def test_a_ref_lives_as_long_as_its_element_shown_or_not(
    session: Session, site: Site
) -> None:
    page = """<details open><summary>More</summary>
      <button onclick=say('in')>Inside</button></details><p id=p>Text</p>"""
    await session.navigate(reporting(site, page))
    ref = (await session.find("Inside"))[0].ref
    await session.click("text:More")
    with pytest.raises(errors.ElementNotVisible, match="Inside"):
        await session.click(ref)
    await session.click("text:More")
    await session.click(ref)
    assert reports(site) == ["in"]


REDRAW = """<div id=list></div><script>
  const draw = (names) => { list.innerHTML = names.map((n) =>
    `<button onclick="say('${n}')">${n}</button>`).join(' '); };
  draw(['Save', 'Leave']);
</script>"""


async def test_a_redrawn_element_with_a_unique_twin_is_used_and_the_reply_says_so(
    session: Session, site: Site
) -> None:
    page = REDRAW + "<a href=# onclick=\"draw(['Leave', 'Save']); return false\">Redraw</a>"
    await session.navigate(reporting(site, page))
    ref = (await session.find("Save"))[0].ref
    await session.click("text:Redraw")
    result = await session.click(ref)
    assert result.target and result.target.twin_of == ref
    assert f"{ref} was drawn anew" in result.text()
    assert reports(site) == ["Save"]


@pytest.mark.parametrize("names", [["Save", "Save"], ["Leave"]])
async def test_a_redrawn_element_without_a_unique_twin_is_invalid(
    session: Session, site: Site, names: list[str]
) -> None:
    page = REDRAW + f"<a href=# onclick='draw({names}); return false'>Redraw</a>".replace(
        "'draw(", '"draw('
    ).replace("return false'", 'return false"')
    await session.navigate(reporting(site, page))
    ref = (await session.find("Save"))[0].ref
    await session.click("text:Redraw")
    with pytest.raises(errors.RefInvalid, match="'Save'.*no longer in the page") as info:
        await session.click(ref)
    assert info.value.snapshot and reports(site) == []


async def test_a_renamed_element_is_invalid_with_what_it_was_and_is_and_a_fresh_snapshot(
    session: Session, site: Site
) -> None:
    page = """<button id=b onclick=say('bought')>Cancel</button>
      <a href=# onclick="b.textContent = 'Buy'; return false">Swap</a>"""
    await session.navigate(reporting(site, page))
    ref = (await session.find("Cancel"))[0].ref
    await session.click("text:Swap")
    with pytest.raises(errors.RefInvalid, match="'Cancel'.*now button 'Buy'") as info:
        await session.click(ref)
    snapshot = info.value.snapshot
    assert snapshot and any(e.name == "Buy" and e.ref not in {"", ref} for e in snapshot.elements)
    assert reports(site) == []


async def test_refs_of_another_page_are_invalid(session: Session, site: Site) -> None:
    await session.navigate(site.page("<button>Go</button>"))
    ref = (await session.find("Go"))[0].ref
    await session.navigate(site.page("<button>Go</button>", "/two"))
    with pytest.raises(errors.RefInvalid, match="no longer shown"):
        await session.click(ref)
    with pytest.raises(errors.RefInvalid, match="never given out"):
        await session.click("@e99999999")

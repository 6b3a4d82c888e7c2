"""What the gate is told about one element: its form, its surroundings, what Enter would do there."""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.walking import Walker


async def describe(
    walker: Walker, html: str, selector: str = "#x", script: str = ""
) -> dict[str, Any]:
    await walker.put(html, script)
    found: dict[str, Any] = await walker.run(
        f"walker.describe(walker.idOf(document.querySelector('{selector}')))"
    )
    return found


FORM = """<form action='http://pay.test/now' method=post><input type=hidden name=token value=abc>
  <label>Name <input name=n value=Bob></label> <input name=city value=Bonn>
  <label>Plan <select><option>Basic<option selected>Gold</select></label>
  <label>Why <textarea>Too dear</textarea></label>
  <label>Password <input value=Sesame></label> <input type=password value=Sesame>
  <label><input type=checkbox checked> Keep me informed</label>
  <label><input type=checkbox> Not this</label>
  <fieldset><legend>When</legend><label><input type=radio name=w checked> Today</label>
    <label><input type=radio name=w> Later</label></fieldset>
  <div role=switch aria-checked=true tabindex=0>Auto-renew</div>
  <button id=x>Send</button></form>
  <label><input type=checkbox checked> Elsewhere</label>"""


async def test_a_form_tells_its_fields_but_never_a_secret_one(walker: Walker) -> None:
    told = await describe(walker, FORM)
    assert told["form"]["fields"] == [
        ["Name", "Bob"],
        ["city", "Bonn"],
        ["Plan", "Gold"],
        ["Why", "Too dear"],
    ]
    assert "Sesame" not in str(told)


async def test_what_is_ticked_in_a_form_is_told_by_name(walker: Walker) -> None:
    told = await describe(walker, FORM)
    assert told["form"]["ticked"] == ["Keep me informed", "When: Today", "Auto-renew"]


async def test_boxes_bound_to_a_form_from_outside_and_in_shadow_roots_are_its_own(
    walker: Walker,
) -> None:
    html = """<form id=f><button id=x>Go</button><x-box></x-box></form>
      <label><input type=checkbox checked form=f> Outside</label>"""
    script = """document.querySelector('x-box').attachShadow({ mode: 'open' }).innerHTML =
      '<label><input type=checkbox checked> Inside</label>'"""
    told = await describe(walker, html, script=script)
    assert told["form"]["ticked"] == ["Outside", "Inside"]


NO_FORM = {
    "the dialog": (
        "<input type=checkbox checked aria-label=No><div role=dialog><button id=x>Go</button>"
        "<label><input type=checkbox checked> Yes</label></div>",
        ["Yes"],
    ),
    "the section": (
        "<input type=checkbox checked aria-label=No><section><button id=x>Go</button>"
        "<label><input type=checkbox checked> Yes</label></section>",
        ["Yes"],
    ),
    "the page": (
        "<button id=x>Go</button><div><label><input type=checkbox checked> Yes</label></div>"
        "<label hidden><input type=checkbox checked> Unseen</label>",
        ["Yes"],
    ),
}


@pytest.mark.parametrize(("html", "ticked"), NO_FORM.values(), ids=NO_FORM.keys())
async def test_without_a_form_what_is_ticked_around_counts(
    html: str, ticked: list[str], walker: Walker
) -> None:
    told = await describe(walker, html)
    assert (told["form"]["ticked"], told["form"]["id"]) == (ticked, 0)


async def test_a_button_with_an_address_of_its_own_sends_there(walker: Walker) -> None:
    html = """<form action=http://a.test/ method=post><input id=field>
      <button id=x formaction=http://b.test/ formmethod=get>Go</button></form>"""
    for selector in ("#x", "#field"):
        form = (await describe(walker, html, selector))["form"]
        assert (form["action"], form["method"]) == ("http://b.test/", "get")


async def test_a_form_without_bounds_is_told_within_bounds(walker: Walker) -> None:
    rows = (
        "<label>F <input value='{}'></label><label><input type=checkbox checked> c{}</label>".format(
            "v" * 300, n
        )
        for n in range(2500)
    )
    told = await describe(walker, f"<form>{''.join(rows)}<button id=x>Go</button></form>")
    fields, ticked = told["form"]["fields"], told["form"]["ticked"]
    assert (len(fields), len(ticked)) == (50, 20)
    assert len(fields[0][1]) == 100 and len(told["around"]) <= 400
    took = await walker.run("""(() => { const id = walker.idOf(document.getElementById('x'));
      const begun = performance.now(); walker.describe(id); return performance.now() - begun })()""")
    assert took < 200


LONG = "word " * 200
AROUND = {
    "a dialog, named": (
        "<p>Page</p><div role=dialog aria-label='Really end it?'><p>You lose all.</p>"
        "<button id=x>Yes</button></div>",
        "Really end it? … You lose all. Yes",
    ),
    "a dialog with a heading": (
        "<h1>Page</h1><dialog open><h2>Delete account?</h2><p>For good.</p><form>"
        "<button id=x>OK</button></form></dialog>",
        "Delete account? For good. OK",
    ),
    "a form under a heading": (
        "<h1>Plans</h1><h2>Leave us</h2><form><p>Your plan ends today.</p><button id=x>Go on</button>"
        "</form><p>Footer</p>",
        "Leave us … Your plan ends today. Go on",
    ),
    "a row": (
        "<h2>Subscriptions</h2><table><tr><th>What<th>How<tr><td>Films<td>12 €<td>"
        "<button id=x>End</button><tr><td>Music<td>9 €</table>",
        "Subscriptions … Films 12 € End",
    ),
    "a list of buttons": (
        "<h2>End the plan?</h2><ul><li><button id=x>Yes</button><li><button>No</button></ul>"
        "<h2>Next</h2>",
        "End the plan? Yes No",
    ),
    "a card": (
        "<div><h3>Basic</h3><p>5 €</p><button>Take</button></div><div><h3>Gold</h3><p>50 €</p>"
        "<button id=x>Take</button></div><h3>More</h3>",
        "Gold 50 € Take",
    ),
    "words in pieces": (
        "<form><p>Can<b>cel</b> it<br>now</p><div><span>Or</span></div><div><span>not</span></div>"
        "<button id=x>OK</button></form>",
        "Cancel it now Or not OK",
    ),
    "a word of a sentence": (
        "<p>Keep<a id=x href=#>ing</a> or <a href=#>end</a> it</p>",
        "Keeping or end it",
    ),
    "a box that is not ticked": (
        "<form><p>It ends.</p><label><input type=checkbox> Extra, charged today</label>"
        "<input type=checkbox id=b><label for=b>And a call</label><button id=x>OK</button></form>",
        "It ends. OK",
    ),
    "a box that is ticked": (
        "<form><p>It ends.</p><label><input type=checkbox checked> Extra</label>"
        "<button id=x>OK</button></form>",
        "It ends. Extra OK",
    ),
    "a label of a box that nobody sees": (
        "<form><label><input type=checkbox hidden> Charged today</label><button id=x>OK</button>"
        "</form>",
        "Charged today OK",
    ),
    "a button in the label of a box": (
        "<form><label><input type=checkbox> Charged today <button id=x>OK</button></label></form>",
        "Charged today OK",
    ),
    "what is not shown": (
        "<form><p hidden>Ghost</p><p style='position:absolute;left:-999px'>Ghost</p>"
        "<script>Ghost</script><textarea>Ghost</textarea><p style='-webkit-text-security:disc'>Ghost</p>"
        "<div contenteditable>Ghost</div><p>Seen</p><button id=x>OK</button></form>",
        "Seen OK",
    ),
}


@pytest.mark.parametrize(("html", "around"), AROUND.values(), ids=AROUND.keys())
async def test_the_words_around_an_element_are_those_a_person_reads_with_it(
    html: str, around: str, walker: Walker
) -> None:
    assert (await describe(walker, html))["around"] == around


async def test_of_a_long_text_the_heading_and_what_stands_nearest_are_told(walker: Walker) -> None:
    told = await describe(
        walker,
        f"<h2>Leave</h2><form><p>{LONG}</p><p>It ends.</p><button id=x>OK</button><p>{LONG}</p></form>",
    )
    assert told["around"].startswith("Leave … ")
    assert "It ends. OK word" in told["around"] and len(told["around"]) <= 400


async def test_words_outside_a_shadow_root_are_read_with_what_is_inside(walker: Walker) -> None:
    script = """document.querySelector('x-b').attachShadow({ mode: 'open' }).innerHTML =
      '<button>Yes</button>'"""
    await walker.put("<div role=dialog><h2>End it?</h2><x-b></x-b></div>", script)
    told = await walker.run(
        "walker.describe(walker.idOf(document.querySelector('x-b').shadowRoot.firstChild))"
    )
    assert told["around"].startswith("End it?")


ENTER = {
    "<form><input id=x><button>Pay</button></form>": "Pay",
    "<form><input id=x><button type=button>No</button><input type=submit value=Order></form>": "Order",
    "<form><input id=x></form>": "submit",
    "<form><input id=x><input></form>": "",
    "<form><input id=x><button disabled>Pay</button><button>Buy</button></form>": "",
    "<form><input type=checkbox id=x><button disabled>Pay</button><button>Buy</button></form>": "Buy",
    "<form><select id=x></select><button>Pay</button></form>": "Pay",
    "<form id=f><input id=x></form><button form=f>Pay</button>": "Pay",
    "<form><textarea id=x></textarea><button>Pay</button></form>": "",
    "<form><div id=x contenteditable>t</div><button>Pay</button></form>": "",
    "<form><button id=x>Delete</button><button>Pay</button></form>": "Delete",
    "<input id=x>": "",
    "<a id=x href=#>Elsewhere</a>": "Elsewhere",
    "<div role=listbox tabindex=0 id=x aria-activedescendant=o><p role=option id=o>One</p></div>": "One",
    "<p id=x>Text</p>": "",
}


@pytest.mark.parametrize(("html", "enter"), ENTER.items(), ids=ENTER.keys())
async def test_what_enter_would_press_is_told(html: str, enter: str, walker: Walker) -> None:
    assert (await describe(walker, html))["enter"] == enter


PUZZLES = {
    "<div class=g-recaptcha><span id=x tabindex=0>check</span></div>": True,
    "<div id=x class=h-captcha style='width:300px;height:80px'></div>": True,
    "<iframe id=x src='https://challenges.cloudflare.com/turnstile' width=300 height=80></iframe>": True,
    "<label><input type=checkbox id=x> I'm not a robot</label>": True,
    "<label><input type=checkbox id=x> Ich bin kein Roboter</label>": True,
    "<label><input type=checkbox id=x> Je ne suis pas un robot</label>": True,
    "<label><input type=checkbox id=x> No soy un robot</label>": True,
    "<label><input type=checkbox id=x> Non sono un robot</label>": True,
    "<button id=x>Verify you are human</button>": True,
    "<label>Characters you see <input id=x name=answer></label>": True,
    "<input id=x name=captcha_code>": True,
    "<button id=x class=g-recaptcha data-sitekey=k>Sign in</button>": False,
    "<form class=needs-captcha><button id=x>Sign in</button></form>": False,
    "<a id=x href=#>Why do I prove that I am human?</a>": False,
    "<label><input type=checkbox id=x> Robot vacuum</label>": False,
    "<button id=x>Human resources</button>": False,
}


@pytest.mark.parametrize(("html", "puzzle"), PUZZLES.items(), ids=PUZZLES.keys())
async def test_a_puzzle_against_programs_is_known_as_one(
    html: str, puzzle: bool, walker: Walker
) -> None:
    assert (await describe(walker, html))["captcha"] is puzzle


CHANGES = {
    "label": "el.textContent = 'Upgrade'",
    "form action": "el.form.action = 'http://b.test/'",
    "address of the button": "el.formAction = 'http://b.test/'",
    "disabled": "el.disabled = true",
    "ticked box": "document.querySelector('[type=checkbox]').click()",
    "value": "document.querySelector('[name=n]').value = 'Eve'",
}


@pytest.mark.parametrize("script", CHANGES.values(), ids=CHANGES.keys())
async def test_h19_a_change_after_approval_shows_in_a_second_reading(
    script: str, walker: Walker
) -> None:
    before = await describe(walker, FORM)
    again = "walker.describe(walker.idOf(document.querySelector('#x')))"
    assert await walker.run(again) == before
    await walker.run(f"(() => {{ const el = document.querySelector('#x'); {script} }})()")
    after = await walker.run(again)
    told = ("role", "name", "flags", "form")
    assert [after[key] for key in told] != [before[key] for key in told]

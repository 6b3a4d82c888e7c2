"""States, values and hints of single elements."""

from __future__ import annotations

import pytest

from subterminator.types import Flag, RawNode
from tests.page.walking import Walker, only, usable

I = Flag.INTERACTIVE  # noqa: E741
FLAGS = {
    "<button disabled>x</button>": Flag.DISABLED,
    "<fieldset disabled><input aria-label=x></fieldset>": Flag.DISABLED | Flag.EDITABLE,
    "<div aria-disabled=true><button>x</button></div>": Flag.DISABLED,
    "<button aria-disabled=true>x</button>": Flag.DISABLED,
    "<input readonly aria-label=x>": Flag.READONLY | Flag.EDITABLE,
    "<input required aria-label=x>": Flag.REQUIRED | Flag.EDITABLE,
    "<input aria-invalid=true aria-label=x>": Flag.INVALID | Flag.EDITABLE,
    "<input type=checkbox checked aria-label=x>": Flag.CHECKABLE | Flag.CHECKED,
    "<input type=radio aria-label=x>": Flag.CHECKABLE,
    "<div role=checkbox aria-checked=mixed tabindex=0>x</div>": Flag.CHECKABLE | Flag.MIXED,
    "<div role=switch aria-checked=true tabindex=0>x</div>": Flag.CHECKABLE | Flag.CHECKED,
    "<button aria-pressed=true>x</button>": Flag.CHECKABLE | Flag.CHECKED,
    "<button aria-expanded=false>x</button>": Flag.EXPANDABLE,
    "<button aria-expanded=true>x</button>": Flag.EXPANDABLE | Flag.EXPANDED,
    "<details open><summary>x</summary>y</details>": Flag.EXPANDABLE | Flag.EXPANDED,
    "<details><summary>x</summary>y</details>": Flag.EXPANDABLE,
    "<button aria-busy=true>x</button>": Flag.BUSY,
    "<div role=tab aria-selected=true>x</div>": Flag.SELECTED,
    "<form action=/go><button>x</button></form>": Flag.SUBMITS,
    "<form action=/go><button type=button>x</button></form>": Flag(0),
    "<form target=_blank><input type=submit value=x></form>": Flag.SUBMITS | Flag.NEWTAB,
    "<a href=/x target=_blank>x</a>": Flag.NEWTAB,
    "<a href=/x target=_self>x</a>": Flag(0),
    "<div draggable=true tabindex=0>x</div>": Flag.DRAGGABLE,
    "<select multiple aria-label=x></select>": Flag.MULTI,
    "<div contenteditable aria-label=x>y</div>": Flag.EDITABLE,
    "<input type=password aria-label=x value=s>": Flag.SECRET | Flag.EDITABLE,
    "<button onclick='y()'>x</button>": Flag.LISTENER,
    "<div style=cursor:pointer>x</div>": Flag.POINTER,
}


@pytest.mark.parametrize(("html", "flags"), FLAGS.items(), ids=FLAGS.keys())
async def test_an_element_has_exactly_these_flags(html: str, flags: Flag, walker: Walker) -> None:
    frame = await walker.show(html)
    assert Flag(only(usable(frame), "x").flags) == flags | I


async def first(walker: Walker, html: str) -> RawNode:
    return usable(await walker.show(html))[0]


async def test_a_field_tells_its_value_and_its_rules(walker: Walker) -> None:
    html = "<input type=email value=a@b minlength=3 maxlength=9 placeholder=you@x pattern=.+>"
    facts = (await first(walker, html)).facts
    assert (facts.value, facts.type, facts.placeholder, facts.pattern) == (
        "a@b",
        "email",
        "you@x",
        ".+",
    )
    assert (facts.min_length, facts.max_length) == (3, 9)
    facts = (await first(walker, "<input type=date value=2030-01-02 min=2029-01-01 step=7>")).facts
    assert (facts.value, facts.min, facts.step) == ("2030-01-02", "2029-01-01", "7")


VALUES = {
    "<textarea aria-label=x>one\ntwo</textarea>": "one\ntwo",
    "<div role=slider aria-valuenow=3 aria-valuetext='three of five' tabindex=0>|</div>": "three of five",
    "<input type=range value=7 max=9>": "7",
    "<div contenteditable>some <b>text</b></div>": "some text",
    "<div role=combobox tabindex=0 aria-label=x>Chosen</div>": "Chosen",
    "<select multiple><option selected>a<option>b<option selected>c</select>": "a, c",
}


@pytest.mark.parametrize(("html", "value"), VALUES.items(), ids=VALUES.keys())
async def test_a_value_is_told(html: str, value: str, walker: Walker) -> None:
    assert (await first(walker, html)).facts.value == value


async def test_other_facts_are_told_where_they_apply(walker: Walker) -> None:
    frame = await walker.show(
        "<h3>Head</h3><div role=heading aria-level=5>Deep</div><a href=/a/b aria-current=page>Here</a>"
        "<button aria-haspopup=true data-testid=go title='More about it'>Menu</button>"
        "<input aria-label=Name aria-describedby=d><p id=d>As on the card</p>"
        "<input aria-label=List list=l><datalist id=l><option>x<option value=y></datalist>"
    )
    facts = {node.name: node.facts for node in frame.nodes}
    assert (facts["Head"].level, facts["Deep"].level) == (3, 5)
    assert (facts["Here"].current, facts["Here"].href) == ("page", "/a/b")
    menu = facts["Menu"]
    assert (menu.popup, menu.test_id, menu.description) == ("menu", "go", "More about it")
    assert facts["Name"].description == "As on the card"
    assert (facts["List"].options, facts["List"].option_count) == (("x", "y"), 2)


HINTS = {
    "<button><svg width=9 height=9><use href='#icon-trash'/></svg></button>": "~trash",
    "<button class='btn btn-close'></button>": "~close",
    "<a href=/me/settings.html><img src=/i/gear_icon.png width=9 height=9></a>": "~gear",
    "<button><i class='fa fa-envelope'></i></button>": "~envelope",
    "<button id=send-reply></button>": "~send-reply",
    "<button id=x9f3kq2 data-testid=cart-remove></button>": "~cart-remove",
    "<table><tr><td>Amount:<td><input></table>": "~Amount",
    "<div><div>Zip code</div><input></div>": "~Zip code",
    "<span>Email *</span> <input type=email>": "~Email",
}


@pytest.mark.parametrize(("html", "hint"), HINTS.items(), ids=HINTS.keys())
async def test_what_has_no_name_has_a_marked_hint(html: str, hint: str, walker: Walker) -> None:
    node = await first(walker, html)
    assert (node.name, node.facts.hint) == ("", hint)


async def test_the_text_before_one_field_is_no_hint_for_the_next(walker: Walker) -> None:
    frame = await walker.show("From <input> <input name=until>")
    assert [node.facts.hint for node in usable(frame)] == ["~From", "~until"]


async def test_a_glyph_of_an_icon_font_is_no_name(walker: Walker) -> None:
    node = await first(walker, "<button class=icon-star>\uf005</button>")
    assert (node.name, node.facts.hint) == ("", "~star")

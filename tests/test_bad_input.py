"""Whatever is handed in wrong is answered with a typed error and its next step; nothing is done."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from subterminator import Session, actions, errors, targets
from subterminator.intake import NAMES, parse_action, schema
from tests.reports import reporting, reports
from tests.site import Site

HUGE = "x" * 10_000_000


def refused(action: Any) -> errors.InvalidParams:
    with pytest.raises(errors.InvalidParams) as info:
        parse_action(action)
    fault = info.value
    assert fault.advice and fault.code == "invalid_params" and len(str(fault)) < 1500
    return fault


@pytest.mark.parametrize(
    "given",
    [
        None, 7, 7.5, True, [], [{"action": "click"}], object(), {}, {"action": None},
        {"action": 7}, {"action": ["click"]}, {1: 2}, {"Action": "click"}, b"", b"\xff\xfe", "",
        "click", b"{", b"[]", b"null", "NaN", b'{"action": "click", "target": NaN}',
        '{"action": "click"} trailing', "\ud800", Session, {"action": "click", "target": object()},
    ],
    ids=lambda given: repr(given).partition(" at 0x")[0],
)  # fmt: skip
def test_what_is_not_an_action_at_all_is_refused(given: Any) -> None:
    refused(given)


def test_an_unknown_action_is_answered_with_the_known_ones() -> None:
    for call in ({"action": "fly"}, {"action": HUGE}, {"target": "#x"}):
        assert all(name in str(refused(call)) for name in NAMES)


WRONG: dict[str, dict[str, Any]] = {
    "missing field": {"action": "click"},
    "extra field": {"action": "click", "target": "#x", "force": True},
    "extra field with a huge name": {"action": "reload", HUGE: 1},
    "field of another action": {"action": "click", "target": "#x", "value": "y"},
    "number for text": {"action": "fill", "target": "#x", "value": 7},
    "text for number": {"action": "click", "target": "#x", "count": "2"},
    "fraction for number": {"action": "click", "target": "#x", "count": 1.5},
    "boolean for number": {"action": "click", "target": "#x", "count": True},
    "null for text": {"action": "fill", "target": "#x", "value": None},
    "word outside the list": {"action": "click", "target": "#x", "button": "top"},
    "zero clicks": {"action": "click", "target": "#x", "count": 0},
    "too many clicks": {"action": "click", "target": "#x", "count": 101},
    "negative time": {"action": "click", "target": "#x", "timeout_ms": -1},
    "endless time": {"action": "wait", "text": "x", "timeout_ms": 10**9},
    "number beyond all bounds": {"action": "scroll", "direction": "down", "amount": 10**40},
    "place beyond all bounds": {"action": "scroll", "to": [10**12, 0]},
    "place below zero": {"action": "scroll", "to": [-1, 0]},
    "one number for a place": {"action": "scroll", "to": [1]},
    "huge target": {"action": "click", "target": HUGE},
    "empty target": {"action": "click", "target": ""},
    "huge value": {"action": "fill", "target": "#x", "value": HUGE},
    "huge description": {"action": "find", "description": HUGE},
    "huge label": {"action": "execute", "steps": [{"do": {"action": "back"}, "label": HUGE}]},
    "huge role name": {"action": "click", "target": {"type": "role", "role": "a", "name": HUGE}},
    "unknown key": {"action": "press", "key": "Hyper+Q"},
    "empty key": {"action": "press", "key": ""},
    "no values": {"action": "select", "target": "#x", "values": []},
    "text for values": {"action": "select", "target": "#x", "values": "abc"},
    "no files": {"action": "upload", "target": "#x", "files": []},
    "file without content": {"action": "upload", "target": "#x", "files": [{"name": "a"}]},
    "file that is not base64": {
        "action": "upload", "target": "#x", "files": [{"name": "a", "content": "%%"}],
    },
    "unknown kind of selector": {"action": "click", "target": {"type": "smell", "value": "x"}},
    "selector without a kind": {"action": "click", "target": {"value": "x"}},
    "selector with extra field": {
        "action": "click", "target": {"type": "css", "value": "x", "nth": 2},
    },
    "number as target": {"action": "click", "target": 7},
    "point that is none": {
        "action": "click", "target": {"type": "coordinates", "x": math.nan, "y": 1},
    },
    "point at infinity": {
        "action": "click", "target": {"type": "coordinates", "x": math.inf, "y": 1},
    },
    "point far away": {"action": "click", "target": {"type": "coordinates", "x": 1e12, "y": 1}},
    "text that is no text": {"action": "type", "text": "\ud800"},
    "dialog without answer": {"action": "dialog"},
    "sequence in a sequence": {
        "action": "execute",
        "steps": [{"do": {"action": "execute", "steps": [{"do": {"action": "back"}}]}}],
    },
    "51 steps": {"action": "execute", "steps": [{"do": {"action": "back"}}] * 51},
}  # fmt: skip


@pytest.mark.parametrize("kind", WRONG)
def test_wrong_fields_are_refused_with_the_place(kind: str) -> None:
    refused(WRONG[kind])


EXCLUSIVE: dict[str, dict[str, Any]] = {
    "wait for nothing": {"action": "wait"},
    "wait for two things": {"action": "wait", "text": "a", "url": "b"},
    "wait with a state of nothing": {"action": "wait", "text": "a", "state": "hidden"},
    "scroll nowhere": {"action": "scroll"},
    "scroll to two places": {"action": "scroll", "to": [1, 1], "direction": "down"},
    "scroll an amount of nothing": {"action": "scroll", "target": "#x", "amount": 5},
    "scroll an amount to the end": {"action": "scroll", "direction": "bottom", "amount": 5},
    "text of two things": {"action": "text", "target": "#x", "frame": "f"},
    "picture of two things": {"action": "screenshot", "target": "#x", "full_page": True},
    "quality of a png": {"action": "screenshot", "quality": 50},
}


@pytest.mark.parametrize("kind", EXCLUSIVE)
def test_both_or_neither_of_exclusive_fields_is_refused(kind: str) -> None:
    given = EXCLUSIVE[kind]
    fault = refused(given)
    assert str(given["action"]) in fault.message


def test_deep_nesting_is_refused_in_every_form() -> None:
    deep: Any = "x"
    for _ in range(100_000):
        deep = {"target": deep}
    refused(deep)
    refused(b'{"action": "click", "target": ' + b'{"a":' * 100_000)
    refused("[" * 100_000)
    loop: dict[str, Any] = {"action": "click"}
    loop["target"] = loop
    refused(loop)


def test_an_action_built_in_python_is_checked_like_any_other() -> None:
    refused(actions.Click("#x", count=-3))
    refused(actions.Fill("#x", 7))  # type: ignore[arg-type]
    refused(actions.Click(None))  # type: ignore[arg-type]
    with pytest.raises(errors.InvalidParams):
        actions.Wait()
    with pytest.raises(errors.InvalidParams):
        actions.Press("Hyperspace")


def test_a_good_action_survives_every_form() -> None:
    built = actions.Upload(targets.Role("button", "Söhne"), (actions.File("a", b"\x00\xff"),))
    wire = b'{"action":"upload","target":{"type":"role","role":"button","name":"S\xc3\xb6hne"},'
    wire += b'"files":[{"name":"a","content":"AP8="}]}'
    assert parse_action(built) == parse_action(wire) == parse_action(wire.decode()) == built
    assert parse_action(json.loads(wire)) == built


# Targets that are read after the fields


@pytest.mark.parametrize(
    "target",
    ["@", "@e", "@e0", "@x7", "ref:", "css:", "xpath:  ", "text:", "role:", "role::x", "coords:1",
     "coords:a,b", "coords:nan,1", "coords:inf,0", "coords:1,2,3", "semantic: ", " ", "\t\n",
     "css:a[style='url(javascript:x)']", "xpath:document('x')", "css:a{expression(1)}"],
)  # fmt: skip
def test_targets_that_mean_nothing_are_refused(target: str) -> None:
    with pytest.raises(errors.InvalidParams):
        targets.parse_target(target)


@given(st.text(max_size=40))
@example("role:")
@example("coords:1e308,1e309")
def test_every_text_is_a_target_or_refused(text: str) -> None:
    try:
        selector = targets.parse_target(text or "x")
    except errors.InvalidParams:
        return
    assert targets.show(selector)


# Anything at all, as the schema describes it and beside it

SCHEMA = schema()
PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
JSON = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


def fields_of(name: str) -> dict[str, Any]:
    kinds = SCHEMA["$defs"].values()
    kind = next(k for k in kinds if k["properties"].get("action", {}).get("enum") == [name])
    properties: dict[str, Any] = kind["properties"]
    return {field: rules for field, rules in properties.items() if field != "action"}


def test_the_schema_describes_every_action() -> None:
    for name in NAMES:
        assert "timeout_ms" in fields_of(name)


def values_for(rules: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Sometimes what the schema asks for, sometimes something near it, sometimes anything."""
    if "enum" in rules:
        return st.sampled_from(rules["enum"]) | JSON
    if "anyOf" in rules:
        return st.one_of(*(values_for(one) for one in rules["anyOf"]))
    match rules.get("type"):
        case "integer":
            return st.integers(-5, 400_000) | JSON
        case "boolean":
            return st.booleans() | JSON
        case "string":
            return st.sampled_from(["#x", "Enter", "@e1", "text:a", ""]) | st.text(max_size=9)
        case _:
            return JSON


@st.composite
def calls(draw: st.DrawFn) -> dict[str, Any]:
    name = draw(st.sampled_from(NAMES))
    call: dict[str, Any] = {"action": name}
    for field, rules in fields_of(name).items():
        if draw(st.booleans()):
            call[field] = draw(values_for(rules))
    if draw(st.integers(0, 9)) == 0:
        call[draw(st.text(max_size=9))] = draw(JSON)
    return call


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(calls())
def test_any_call_is_an_action_or_refused(call: dict[str, Any]) -> None:
    try:
        action = parse_action(call)
    except errors.InvalidParams as fault:
        assert fault.advice
        return
    assert parse_action(action) == action


@given(st.binary(max_size=60) | st.text(max_size=60))
def test_any_bytes_are_an_action_or_refused(data: bytes | str) -> None:
    try:
        parse_action(data)
    except errors.InvalidParams as fault:
        assert fault.advice


# Through the session


async def test_bad_input_does_nothing_to_the_page(session: Session, site: Site) -> None:
    page = "<input id=x oninput=say('typed')><button id=b onclick=say('hit')>Go</button>"
    await session.navigate(reporting(site, page))
    for wrong in (*WRONG.values(), *EXCLUSIVE.values()):
        with pytest.raises(errors.InvalidParams):
            await session.call(wrong)
    for call in (b"\xff", "{", None):
        with pytest.raises(errors.InvalidParams):
            await session.call(call)  # type: ignore[arg-type]
    assert reports(site) == []


async def test_an_unknown_ref_tab_or_frame_is_a_typed_error(session: Session, site: Site) -> None:
    await session.navigate(site.page("x"))
    with pytest.raises(errors.RefInvalid, match="never given out"):
        await session.click("@e123456")
    with pytest.raises(errors.TargetClosed, match="no tab 'zz'"):
        await session.select_tab("zz")
    with pytest.raises(errors.TargetClosed):
        await session.close_tab("zz")
    with pytest.raises(errors.FrameNotFound):
        await session.select_frame("zz")
    with pytest.raises(errors.FrameNotFound):
        await session.find("x", frame="zz")
    with pytest.raises(errors.DialogOpen, match="No dialog is open"):
        await session.dialog(accept=False)


async def test_an_address_that_is_no_web_page_is_refused(session: Session) -> None:
    for url in (
        "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "chrome://settings",
        "about:", "view-source:http://127.0.0.1/", "http://", "https:///x", "//host", "x",
        "blob:http://x/1", "FILE:///etc/passwd", " javascript:alert(1)", "http:\\\\",
    ):  # fmt: skip
        with pytest.raises(errors.Refused):
            await session.navigate(url)
        with pytest.raises(errors.Refused):
            await session.open_tab(url)


async def test_a_value_of_a_million_characters_is_written(session: Session, site: Site) -> None:
    await session.navigate(reporting(site, "<textarea id=x oninput=say(this.value.length)>"))
    assert not (await session.fill("#x", "y" * 1_000_000)).note
    assert reports(site) == ["1000000"]

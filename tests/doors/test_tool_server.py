"""Seed 000's seven tools: their names, arguments, defaults, error codes and snapshots."""

from __future__ import annotations

import base64
import json
import time
from datetime import datetime
from importlib import resources
from typing import Any

import jsonschema
import pytest

from subterminator import Session
from subterminator.doors.tool_server import BrowserToolServer, ToolResult, tool_schemas
from tests.conftest import Person
from tests.engine.test_pictures import size_of
from tests.reports import reporting, reports
from tests.site import Site

SCHEMA = json.loads(
    resources.files("subterminator.page").joinpath("snapshot_schema.json").read_text("utf-8")
)
PAGE = """<button onclick=say('save')>Save</button><button disabled>Off</button>
  <label>Name <input value=old onchange=say(this.value)></label>
  <label>Plan <select onchange=say(this.value)><option value=b>Basic<option value=p>Pro</select>
  </label><h2>News</h2><input type=password aria-label=Password value=hunter2>
  <div style='height: 2000px'></div><a href=#end id=end>Far down</a>"""


@pytest.fixture
async def server(session: Session, site: Site) -> BrowserToolServer:
    await session.navigate(reporting(site, PAGE))
    return BrowserToolServer(session)


def checked(result: ToolResult) -> dict[str, Any]:
    """A result's snapshot, after the schema and what the schema cannot say."""
    plain: dict[str, Any] = json.loads(result.to_json())["snapshot"]
    jsonschema.validate(plain, SCHEMA)
    assert datetime.fromisoformat(plain["timestamp"]).tzinfo
    size = size_of(base64.b64decode(plain["screenshot"]))
    assert size.width <= 1024 and size.height <= 768
    return plain


async def ref_of(server: BrowserToolServer, name: str) -> str:
    snapshot = checked(await server.execute("get_snapshot", {"viewport_only": False}))
    return next(str(e["ref"]) for e in snapshot["elements"] if e["name"].startswith(name))


def test_the_schemas_are_those_of_the_seed() -> None:
    schemas = {tool["name"]: tool["input_schema"] for tool in tool_schemas()}
    assert {
        name: (sorted(schema["properties"]), sorted(schema["required"]))
        for name, schema in schemas.items()
    } == {
        "get_snapshot": (["viewport_only"], []),
        "browser_click": (["ref"], ["ref"]),
        "browser_fill": (["clear_first", "ref", "value"], ["ref", "value"]),
        "browser_select": (["ref", "value"], ["ref", "value"]),
        "browser_scroll": (["amount", "direction", "ref"], []),
        "request_human_approval": (["action", "reason"], ["action", "reason"]),
        "complete_task": (["reason", "status"], ["reason", "status"]),
    }
    assert schemas["get_snapshot"]["properties"]["viewport_only"]["default"] is True
    assert schemas["browser_fill"]["properties"]["clear_first"]["default"] is True
    assert schemas["browser_scroll"]["properties"]["amount"]["default"] == 300
    assert schemas["browser_click"]["properties"]["ref"]["pattern"] == r"^@e\d+$"
    directions = json.dumps(schemas["browser_scroll"]["properties"]["direction"])
    assert all(f'"{word}"' in directions for word in ("up", "down", "top", "bottom"))
    assert schemas["complete_task"]["properties"]["status"]["enum"] == ["failed", "success"]
    assert all(tool["description"] for tool in tool_schemas())


async def test_a_snapshot_is_what_the_schema_says(server: BrowserToolServer) -> None:
    result = await server.execute("get_snapshot", {})
    snapshot = checked(result)
    names = [element["name"] for element in snapshot["elements"]]
    assert "Save" in names and "Far down" not in names
    assert "hunter2" not in result.to_json()
    whole = checked(await server.execute("get_snapshot", {"viewport_only": False}))
    far = next(e for e in whole["elements"] if e["name"] == "Far down")
    assert "offscreen" in far["state"]
    assert whole["snapshot_id"] != snapshot["snapshot_id"]


async def test_a_click_acts_and_answers_with_a_fresh_snapshot(
    server: BrowserToolServer, site: Site
) -> None:
    result = await server.execute("browser_click", {"ref": await ref_of(server, "Save")})
    assert result.success and result.error is None
    assert checked(result) and reports(site) == ["save"]


async def test_fill_replaces_and_without_clearing_appends(
    server: BrowserToolServer, site: Site
) -> None:
    ref = await ref_of(server, "Name")
    await server.execute("browser_fill", {"ref": ref, "value": "new"})
    result = await server.execute("browser_fill", {"ref": ref, "value": "er", "clear_first": False})
    field = next(e for e in checked(result)["elements"] if e["ref"] == ref)
    assert field["value"] == "newer"


async def test_select_and_scroll_do_what_they_say(server: BrowserToolServer, site: Site) -> None:
    plan = await ref_of(server, "Plan")
    for value in ("Pro", "b"):
        assert (await server.execute("browser_select", {"ref": plan, "value": value})).success
    assert reports(site) == ["p", "b"]
    down = checked(await server.execute("browser_scroll", {"direction": "down"}))
    assert down["viewport"]["scroll_y"] == 300
    up = checked(await server.execute("browser_scroll", {"direction": "up", "amount": 100}))
    assert up["viewport"]["scroll_y"] == 200
    bottom = checked(await server.execute("browser_scroll", {"direction": "bottom"}))
    assert "Far down" in [e["name"] for e in bottom["elements"]]
    top = checked(await server.execute("browser_scroll", {"direction": "top"}))
    assert top["viewport"]["scroll_y"] == 0
    far = await ref_of(server, "Far down")
    both = {"ref": far, "direction": "up", "amount": 1}
    seen = checked(await server.execute("browser_scroll", both))
    assert "Far down" in [e["name"] for e in seen["elements"]]


async def test_the_markers_of_the_orchestrator_are_returned_at_once(
    server: BrowserToolServer, person: Person
) -> None:
    asked = await server.request_human_approval("cancel", "it is final")
    assert (asked.success, asked.message) == (True, "APPROVAL_REQUESTED")
    for status in ("success", "failed"):
        done = await server.complete_task(status, "why")
        assert (done.success, done.message) == (True, f"COMPLETION_{status.upper()}")
    assert person.asked == []


async def test_the_methods_are_the_tools(server: BrowserToolServer, site: Site) -> None:
    assert (await server.get_snapshot()).success
    assert (await server.browser_click(await ref_of(server, "Save"))).success
    assert (await server.browser_fill(await ref_of(server, "Name"), "x")).success
    assert (await server.browser_select(await ref_of(server, "Plan"), "Pro")).success
    assert (await server.browser_scroll(direction="down")).success
    assert reports(site) == ["save", "x", "p"]


# The eight error codes


async def test_an_unknown_ref_is_ref_invalid_with_a_fresh_snapshot(
    server: BrowserToolServer,
) -> None:
    result = await server.execute("browser_click", {"ref": "@e999999"})
    assert (result.success, result.error) == (False, "ref_invalid")
    assert checked(result)


async def test_a_disabled_element_is_element_disabled(server: BrowserToolServer) -> None:
    result = await server.execute("browser_click", {"ref": await ref_of(server, "Off")})
    assert result.error == "element_disabled" and checked(result)


LATER = """<button id=b onclick=say('hit')>Save</button>
  <button onclick="{change}">Change</button>"""


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("b.style.display = 'none'", "element_not_visible"),
        ("c.style.display = 'block'", "element_obscured"),
        ("b.textContent = 'Buy'", "ref_invalid"),
    ],
)
async def test_what_changed_since_the_snapshot_has_its_code(
    session: Session, site: Site, change: str, code: str
) -> None:
    cover = "<div id=c style='display: none; position: fixed; inset: 0'>Cover</div>"
    await session.navigate(reporting(site, LATER.format(change=change) + cover))
    server = BrowserToolServer(session)
    ref = await ref_of(server, "Save")
    await session.click("text:Change")
    result = await server.execute("browser_click", {"ref": ref})
    assert result.error == code and result.message and code in result.message
    assert reports(site) == []


async def test_what_the_page_refuses_is_action_failed(server: BrowserToolServer) -> None:
    plan = await ref_of(server, "Plan")
    missing = await server.execute("browser_select", {"ref": plan, "value": "Gold"})
    assert missing.error == "action_failed" and "Pro" in str(missing.message)
    save = await ref_of(server, "Save")
    filled = await server.execute("browser_fill", {"ref": save, "value": "x"})
    assert filled.error == "action_failed"


async def test_a_page_that_does_not_answer_is_timeout(session: Session, site: Site) -> None:
    await session.navigate(site.page("<button onclick='for (;;);'>Hang</button>"))
    server = BrowserToolServer(session, timeout_ms=500)
    ref = await ref_of(server, "Hang")
    begun = time.monotonic()
    result = await server.execute("browser_click", {"ref": ref})
    assert result.error == "timeout" and time.monotonic() - begun < 6


async def test_what_only_the_person_may_do_is_human_rejected(server: BrowserToolServer) -> None:
    ref = await ref_of(server, "Password")
    result = await server.execute("browser_fill", {"ref": ref, "value": "x"})
    assert result.error == "human_rejected"


WRONG: list[tuple[str, Any]] = [
    ("browser_click", {}),
    ("browser_click", {"ref": "e7"}),
    ("browser_click", {"ref": 7}),
    ("browser_click", {"ref": "@e7", "force": True}),
    ("browser_click", {"ref": "@e7", "tool": "complete_task"}),
    ("browser_click", None),
    ("browser_click", ["@e7"]),
    ("browser_fill", {"ref": "@e7"}),
    ("browser_fill", {"ref": "@e7", "value": None}),
    ("browser_select", {"ref": "@e7", "value": ["a"]}),
    ("browser_scroll", {}),
    ("browser_scroll", {"amount": 5}),
    ("browser_scroll", {"direction": "left"}),
    ("browser_scroll", {"direction": "down", "amount": 0}),
    ("browser_scroll", {"direction": "down", "amount": 10**30}),
    ("get_snapshot", {"viewport_only": "yes"}),
    ("get_snapshot", {1: 2}),
    ("complete_task", {"status": "maybe", "reason": "x"}),
    ("request_human_approval", {"action": "x"}),
]


async def test_wrong_arguments_are_invalid_params(session: Session) -> None:
    server = BrowserToolServer(session)
    for tool, arguments in WRONG:
        result = await server.execute(tool, arguments)
        assert (result.success, result.error) == (False, "invalid_params"), (tool, arguments)
        assert result.message


async def test_a_tool_that_does_not_exist_is_never_run(session: Session) -> None:
    server = BrowserToolServer(session)
    names: list[Any] = ["fly", "", "_act", "_run", "__init__", "execute", "click", None]
    for name in names:
        result = await server.execute(name, {})
        assert (result.success, result.error) == (False, "action_failed"), name
        assert "Unknown tool" in str(result.message) and "browser_click" in str(result.message)


async def test_an_open_dialog_is_told_and_blocks_the_other_tools(
    session: Session, site: Site
) -> None:
    await session.navigate(site.page("<button onclick=\"confirm('Sure?')\">Ask</button>"))
    server = BrowserToolServer(session)
    ref = await ref_of(server, "Ask")
    asked = await server.execute("browser_click", {"ref": ref})
    assert asked.success and asked.snapshot is None and "Sure?" in str(asked.message)
    blocked = await server.execute("get_snapshot", {})
    assert blocked.error == "action_failed" and "dialog" in str(blocked.message)

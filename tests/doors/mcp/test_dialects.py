"""Clients written to other contracts get what they expect, through the same gate."""

from __future__ import annotations

import asyncio
import json
from importlib.resources import files
from typing import Any

import jsonschema

from tests.doors.mcp.conftest import Office, words
from tests.site import Site

SCHEMA = json.loads(files("subterminator.page").joinpath("snapshot_schema.json").read_text("utf-8"))
PAGE = """
<h1>Profile</h1><label>Name <input></label>
<label>Plan <select><option>Basic<option>Large</select></label>
<button onclick="fetch('/saved?' + document.querySelector('input').value)">Save</button>
<button onclick="fetch('/harm')">Finish cancellation</button>
<iframe srcdoc="<p>Inside</p>" title=Inner></iframe>
"""


async def test_the_seven_answer_with_success_snapshot_and_error(office: Office, site: Site) -> None:
    site.pages["/saved"] = "done"
    async with office.host(profile="seeds") as host:
        await host.do("browser_navigate", url=site.page(PAGE))
        seen = (await host.call("get_snapshot")).structured_content
        assert seen["success"]
        jsonschema.validate(seen["snapshot"], SCHEMA)
        ref = {e["name"]: e["ref"] for e in seen["snapshot"]["elements"]}
        await host.do("browser_fill", ref=ref["Name"], value="Ada")
        await host.do("browser_select", ref=ref["Plan"], value="Large")
        await host.do("browser_click", ref=ref["Save"], element="the button")
        assert [r.query for r in site.requests if r.path == "/saved"] == ["Ada"]
        failed = json.loads(await host.fail("browser_click", ref="@e9999"))
        assert failed["error"] == "ref_invalid"
        assert "COMPLETION_SUCCESS" in await host.do("complete_task", status="success", reason="x")


async def test_steps_and_selectors_of_the_composite_contract(office: Office, site: Site) -> None:
    site.pages["/saved"] = "done"
    async with office.host(profile="seeds") as host:
        await host.do("browser_navigate", url=site.page(PAGE))
        steps: list[dict[str, Any]] = [
            {"label": "name", "action": "action/fill", "selector": "label:Name", "value": "Bo"},
            {"action": "action/click", "selector": "role:button:Save"},
        ]
        told = await host.do("browser_execute", steps=steps, stopOnFirstError=True)
        assert told.startswith("Executed 2/2 steps successfully")
        assert "Step 1 (name): OK" in told
        shown = await host.call("browser_snapshot", maxElements=2, includeScreenshot=True)
        assert "Interactive Elements (2/4):" in words(shown)
        assert '[1] textbox: "Name" - ' in words(shown)
        assert [block.type for block in shown.content] == ["text", "image"]
        steps[1]["selector"] = "ref:@e999"
        assert "Failed at step 2" in await host.fail("browser_execute", steps=steps)
    assert [r.query for r in site.requests if r.path == "/saved"] == ["Bo"]


async def test_the_tools_of_a_team_answer_in_their_envelope(office: Office, site: Site) -> None:
    site.pages["/saved"] = "done"
    async with office.host(profile="seeds") as host:
        await host.do("navigate", url=site.page(PAGE))
        await host.do("type_text", element_description="Name field", text="Li")
        told = (await host.call("click", element_description="Save")).structured_content
        assert told["success"] and told["error"] is None and told["metadata"]["tool"] == "click"
        assert "Profile" in (await host.call("get_page_text")).structured_content["data"]
        frames = (await host.call("list_frames")).structured_content["data"]
        assert [frame["name"] for frame in frames][-1:] == ["Inner"], frames
        missing = (await host.call("click", element_description="No such thing")).structured_content
        assert not missing["success"] and missing["metadata"]["category"] == "retriable"
        shot = await host.call("screenshot")
        assert [block.type for block in shot.content] == ["text", "image"]
    assert [r.query for r in site.requests if r.path == "/saved"] == ["Li"]


async def test_none_of_them_goes_round_the_gate(office: Office, site: Site) -> None:
    site.pages["/harm"] = "done"
    async with office.host(profile="seeds", patience=1) as host:
        await host.do("browser_navigate", url=site.page(PAGE))
        target = "role:button:Finish cancellation"
        calls: list[tuple[str, dict[str, Any]]] = [
            ("click", {"element_description": "Finish cancellation"}),
            ("browser_execute", {"steps": [{"action": "action/click", "selector": target}]}),
            ("request_human_approval", {"action": "press", "reason": "it"}),
        ]
        for name, arguments in calls:
            await host.call(name, **arguments)
            if job := office.desk.pending:
                office.answer("no")
                await asyncio.wait({job.task})
    assert site.hits["/harm"] == 0

"""The tools as a host calls them, over both generations of the protocol."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError

from subterminator.page.tokens import estimate
from tests.doors.mcp.conftest import GENERATIONS, Office, ref_of, words
from tests.site import Answer, Site

FORM = """
<h1>Profile</h1>
<label>Name <input></label>
<label>Plan <select><option>Basic<option>Large</select></label>
<label><input type=checkbox name=news> News</label>
<label><input type=radio name=pay value=m> Monthly</label>
<button onclick="fetch('/saved?' + document.querySelector('input').value)">Save</button>
<button onclick="fetch('/harm')">Finish cancellation</button>
<button onclick="fetch('/harm')">Pay 12.00 EUR now</button>
"""


@pytest.fixture
def form(site: Site) -> str:
    site.pages["/harm"] = "done"
    site.pages["/saved"] = "done"
    return site.page(FORM)


@pytest.mark.parametrize("mode", GENERATIONS)
async def test_a_form_is_filled_and_sent_in_two_calls(
    office: Office, site: Site, form: str, mode: str
) -> None:
    async with office.host(mode) as host:
        page = await host.do("browser_navigate", url=form)
        ref = ref_of(page, "Name")
        fields = [
            {"target": ref, "value": "Ada"},
            {"target": "label:Plan", "value": "Large"},
            {"target": {"type": "label", "value": "News"}, "value": True},
            {"target": "label:Monthly", "value": "true"},
        ]
        filled = await host.do("browser_fill", fields=fields)
        assert '="Ada" (was empty)' in filled and "Large" in filled and "checked" in filled
        clicked = await host.do("browser_click", ref="role:button:Save")
        assert 'button "Save": done' in clicked
    assert [r.query for r in site.requests if r.path == "/saved"] == ["Ada"]


async def test_a_field_that_fails_says_which_and_what_was_done(office: Office, form: str) -> None:
    async with office.host() as host:
        await host.do("browser_navigate", url=form)
        fields = [{"target": "label:Name", "value": "Ada"}, {"target": "@e999", "value": "x"}]
        told = await host.fail("browser_fill", fields=fields)
        assert told.startswith("FAILED Field 2 of 2 (@e999): ref_invalid")
        assert 'textbox "Name": done' in told


async def test_one_field_may_be_said_as_other_servers_say_it(office: Office, form: str) -> None:
    async with office.host() as host:
        await host.do("browser_navigate", url=form)
        assert '="Bo"' in await host.do("browser_fill", ref="label:Name", text="Bo")


async def test_a_double_click_may_be_said_as_other_servers_say_it(
    office: Office, site: Site
) -> None:
    site.pages["/twice"] = "done"
    async with office.host() as host:
        await host.do(
            "browser_navigate", url=site.page("<p ondblclick=\"fetch('/twice')\">Here</p>")
        )
        await host.do("browser_click", target="text:Here", double_click=True, element="the words")
        await host.do("browser_wait", quiet=True)
    assert site.hits["/twice"] == 1


async def test_steps_are_flat_and_take_every_action(office: Office, site: Site, form: str) -> None:
    async with office.host() as host:
        await host.do("browser_navigate", url=form)
        steps: list[dict[str, Any]] = [
            {"action": "type", "target": "label:Name", "value": "Li"},
            {"action": "action/select", "selector": "label:Plan", "value": "Large"},
            {"action": "check", "target": "label:News", "condition": {"selector": "label:News"}},
            {
                "action": "hover",
                "target": "role:button:Save",
                "label": "over it",
                "onError": "skip",
            },
            {"action": "click", "target": "role:button:Save"},
        ]
        assert "all 5 steps done" in await host.do("browser_execute", steps=steps)
        assert site.hits["/saved"] == 1
        bad = [{"action": "click", "target": "@e999"}, steps[-1]]
        told = await host.fail("browser_execute", steps=bad)
        assert told.startswith("FAILED step 1: ref_invalid") and "2: not run" in told
        nothing = [{"target": "x"}, steps[-1]]
        assert "Step 1 has no action" in await host.fail("browser_execute", steps=nothing)
    assert site.hits["/saved"] == 1


async def test_a_budget_bounds_every_reply(office: Office, site: Site) -> None:
    many = "".join(f"<p>Paragraph {n} of many</p><button>Do {n}</button>" for n in range(300))
    url = site.page(f'<button onclick="box.innerHTML = `{many}`">More</button><div id=box></div>')
    async with office.host() as host:
        await host.do("browser_navigate", url=url)
        assert estimate(await host.do("browser_click", target="text:More", budget=300)) < 380
        assert estimate(await host.do("browser_snapshot", budget=300)) < 380
        assert estimate(await host.do("browser_snapshot", budget=3000)) > 1000


async def test_an_unsettled_page_says_so_and_a_picture_comes_only_when_asked(
    office: Office, site: Site
) -> None:
    site.pages["/slow"] = Answer("late", delay=30)
    url = site.page("<button onclick=\"fetch('/slow')\">Load</button>")
    async with office.host() as host:
        await host.do("browser_navigate", url=url)
        clicked = await host.call("browser_click", target="text:Load")
        assert "not settled" in words(clicked)
        assert [block.type for block in clicked.content] == ["text"]
        shot = await host.call("browser_screenshot")
        assert [block.type for block in shot.content] == ["text", "image"]


async def test_data_has_a_schema_and_the_same_words(office: Office, site: Site) -> None:
    url = site.page(
        "<table><tr><th>Item</th><th>Price</th></tr><tr><td>Tea</td><td>3</td></tr></table>"
    )
    schema = {
        "type": "array",
        "items": {"type": "object", "properties": {"Item": {"type": "string"}}},
    }
    async with office.host() as host:
        await host.do("browser_navigate", url=url)
        # The client checks what comes against the schema of the list.
        result = await host.call("browser_extract", schema=schema)
        assert result.structured_content == json.loads(words(result))
        assert result.structured_content["data"] == [{"Item": "Tea"}]


async def test_verify_loads_anew_and_tells_before_and_after(office: Office, site: Site) -> None:
    counted = iter(["Your plan is active until March", "Your plan has ended"])
    site.pages["/"] = lambda _: Answer(f"<h1>Account</h1><p>{next(counted)}</p><p>Other words</p>")
    async with office.host() as host:
        await host.do("browser_navigate", url=f"{site.address}/")
        told = await host.do("browser_verify", about="your plan")
        assert 'before: "Your plan is active until March"' in told
        assert 'now: "Your plan has ended"' in told and "DIFFERENT" in told
        assert "Other words" not in told


async def test_the_gate_says_beforehand_what_an_action_would_do(office: Office, form: str) -> None:
    async with office.host(profile="full") as host:
        await host.do("browser_navigate", url=form)
        step = {"action": "click", "target": "role:button:Finish cancellation"}
        verdict = json.loads(await host.do("browser_judge", step=step))
        assert (verdict["verdict"], verdict["effect"]) == ("ask", "irreversible")
        step["target"] = "role:button:Save"
        assert json.loads(await host.do("browser_judge", step=step))["verdict"] == "allow"


async def test_what_is_wrong_with_a_call_is_told_and_nothing_is_done(
    office: Office, form: str
) -> None:
    async with office.host() as host:
        await host.do("browser_navigate", url=form)
        for name, arguments in (
            ("browser_click", {}),
            ("browser_click", {"target": "@e1", "nope": 1}),
            ("browser_navigate", {}),
            ("browser_tabs", {"do": "select"}),
            ("browser_wait", {}),
            ("browser_press", {"key": "NoSuchKey"}),
            ("browser_fill", {"fields": []}),
            ("browser_extract", {"schema": "x"}),
        ):
            assert (await host.fail(name, **arguments)).startswith("invalid_params: "), name
        with pytest.raises(MCPError, match="Unknown tool"):
            await host.call("browser_evaluate")


async def test_l1_of_several_calls_at_once_one_runs_and_the_others_are_told(
    office: Office, site: Site, form: str
) -> None:
    async with office.host() as host:
        await host.do("browser_navigate", url=form)
        calls = [host.call("browser_click", target="role:button:Save") for _ in range(3)]
        results = await asyncio.gather(*calls)
        refused = [words(result) for result in results if result.is_error]
    assert len(refused) == 2 and all("one tool at a time" in told for told in refused)
    assert site.hits["/saved"] == 1


# The person


@pytest.mark.parametrize("mode", GENERATIONS)
async def test_what_cannot_be_undone_waits_for_the_terminal_and_is_collected_later(
    office: Office, site: Site, form: str, mode: str
) -> None:
    async def never(context: Any, params: Any) -> types.ElicitResult:
        raise AssertionError("the host is not asked this")

    async with office.host(mode, patience=1, elicited=never) as host:
        await host.do("browser_navigate", url=form)
        told = await host.do("browser_click", target="role:button:Finish cancellation")
        assert told.startswith("PENDING") and "subterminator approve" in told
        assert site.hits["/harm"] == 0
        assert "still waits" in await host.fail("browser_click", target="role:button:Save")
        office.answer("yes")
        assert 'button "Finish cancellation": done' in await host.do("request_approval")
        assert "No call is pending" in await host.do("request_approval")
    assert site.hits["/harm"] == 1


async def test_a_result_that_nobody_collected_comes_with_the_next_call(
    office: Office, site: Site, form: str
) -> None:
    async with office.host(patience=1) as host:
        await host.do("browser_navigate", url=form)
        await host.do("browser_click", target="role:button:Finish cancellation")
        job = office.desk.pending
        assert job
        office.answer("no")
        await asyncio.wait({job.task})
        told = await host.do("browser_find", description="save")
        assert "Meanwhile" in told and "human_rejected" in told and '"Save"' in told
    assert site.hits["/harm"] == 0


Given = dict[str, Any] | None


@pytest.mark.parametrize("mode", GENERATIONS)
@pytest.mark.parametrize(
    ("button", "action", "content", "presses"),
    [
        ("Finish cancellation", "accept", {"answer": True}, 1),
        # Submitting the window is not a yes.
        ("Finish cancellation", "accept", {"answer": False}, 0),
        ("Finish cancellation", "accept", {}, 0),
        ("Finish cancellation", "accept", {"answer": "yes"}, 0),
        ("Finish cancellation", "decline", None, 0),
        ("Finish cancellation", "cancel", None, 0),
        ("Pay 12.00 EUR now", "accept", {"answer": "12.00 EUR"}, 1),
        ("Pay 12.00 EUR now", "accept", {"answer": "yes"}, 0),
        ("Pay 12.00 EUR now", "accept", {"answer": True}, 0),
    ],
)
async def test_where_the_user_wanted_it_the_host_asks_and_its_field_decides(
    office: Office, site: Site, form: str, mode: str, button: str, action: Any, content: Given, presses: int
) -> None:  # fmt: skip
    asked: list[str] = []

    async def answer(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        asked.append(params.message)
        return types.ElicitResult(action=action, content=content)

    async with office.host(mode, approve_by="elicitation", elicited=answer) as host:
        await host.do("browser_navigate", url=form)
        result = await host.call("browser_click", target=f"role:button:{button}")
        assert result.is_error == (not presses)
    assert len(asked) == 1 and f'"{button}"' in asked[0]
    assert site.hits["/harm"] == presses


@pytest.mark.parametrize("mode", GENERATIONS)
async def test_lesser_questions_may_be_answered_in_the_host(
    office: Office, site: Site, form: str, mode: str
) -> None:
    asked: list[str] = []

    async def answer(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        asked.append(params.message)
        return types.ElicitResult(action="accept", content={"answer": True})

    async with office.host(mode, elicited=answer) as host:
        await host.do("browser_navigate", url=form)
        assert "answers yes" in await host.do("request_approval", question="May I go on?")
        await host.do("browser_navigate", url=f"http://for-{mode}.localhost:{site.port}/")
    assert len(asked) == 2
    assert "May I go on?" in asked[0] and ".localhost" in asked[1]


async def test_a_host_that_cannot_ask_leaves_the_question_to_the_terminal(
    office: Office, site: Site, form: str
) -> None:
    async with office.host(approve_by="elicitation", patience=1) as host:
        await host.do("browser_navigate", url=form)
        told = await host.do("browser_click", target="role:button:Finish cancellation")
        assert told.startswith("PENDING")
        assert len(office.waiting()) == 1
    assert site.hits["/harm"] == 0


async def test_an_answer_to_another_question_is_none(office: Office, site: Site, form: str) -> None:
    """On the newer generation the client carries the state: made up or used twice it is void."""
    async with office.host("2026-07-28", approve_by="elicitation", patience=1) as host:
        await host.do("browser_navigate", url=form)
        yes: dict[str, Any] = {
            "answer": types.ElicitResult(action="accept", content={"answer": True})
        }
        made_up = await host.client.session.call_tool(
            "browser_click", {"target": "role:button:Finish cancellation"},
            input_responses=yes, request_state="made-up",
        )  # fmt: skip
        assert made_up.is_error and "no longer open" in words(made_up)
    assert site.hits["/harm"] == 0


async def test_a_call_that_is_cancelled_takes_its_question_along(
    office: Office, site: Site, form: str
) -> None:
    async with office.host() as host:
        await host.do("browser_navigate", url=form)
        call = asyncio.ensure_future(
            host.call("browser_click", target="role:button:Finish cancellation")
        )
        async with asyncio.timeout(30):
            while not office.waiting():
                await asyncio.sleep(0.05)
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)
            while office.waiting():
                await asyncio.sleep(0.05)
    assert site.hits["/harm"] == 0


@pytest.mark.parametrize("mode", GENERATIONS)
async def test_a_call_that_waits_reports_it(office: Office, form: str, mode: str) -> None:
    heard: list[str] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(message or "")

    async with office.host(mode, patience=1) as host:
        await host.do("browser_navigate", url=form)
        arguments = {"target": "role:button:Finish cancellation"}
        await host.client.call_tool("browser_click", arguments, progress_callback=hear)
    assert any("Waiting for a person" in line for line in heard)


# Beside the tools


@pytest.mark.parametrize("mode", GENERATIONS)
async def test_the_record_can_be_read_and_nothing_else(
    office: Office, form: str, mode: str
) -> None:
    async with office.host(mode) as host:
        await host.do("browser_navigate", url=form)
        [run] = (await host.client.list_resources()).resources
        [content] = (await host.client.read_resource(run.uri)).contents
        assert isinstance(content, types.TextResourceContents)
        assert "navigate" in content.text
        for uri in ("subterminator://run/other", "file:///etc/passwd", "subterminator://proof/x"):
            with pytest.raises(MCPError, match="no resource"):
                await host.client.read_resource(uri)


async def test_prompts_ask_for_what_people_want(office: Office) -> None:
    async with office.host() as host:
        names = [prompt.name for prompt in (await host.client.list_prompts()).prompts]
        assert names == ["cancel_subscription", "check_subscription"]
        given = {"service": "Flix", "url": "https://flix.example"}
        [message] = (await host.client.get_prompt(names[0], given)).messages
        assert isinstance(message.content, types.TextContent)
        assert "Cancel my Flix subscription" in message.content.text
        assert "https://flix.example" in message.content.text
        with pytest.raises(MCPError, match="needs the argument service"):
            await host.client.get_prompt(names[0], {})
        with pytest.raises(MCPError, match="no prompt"):
            await host.client.get_prompt("other", {})


async def test_the_name_of_a_service_is_completed(office: Office) -> None:
    async with office.host() as host:
        reference = types.PromptReference(name="cancel_subscription")
        found = await host.client.complete(reference, {"name": "service", "value": "netf"})
        assert found.completion.values == ["Netflix"]
        other = await host.client.complete(reference, {"name": "url", "value": "netf"})
        assert other.completion.values == []

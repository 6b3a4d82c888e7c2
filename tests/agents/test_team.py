"""A team of roles leads: one plans, the others look, act and check. The models here are scripts."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from subterminator import Session
from subterminator.agents import roles, team_tools, verification
from subterminator.agents.envelope import CATEGORIES, STRATEGIES, category_of
from subterminator.agents.guide import Desk
from subterminator.agents.loop import run
from subterminator.agents.models.base import Call, Request, Spoken
from subterminator.agents.models.scripted import ScriptedModel
from subterminator.agents.planning import by_team
from subterminator.agents.team import TASK_ANSWERS, Team
from subterminator.errors import InvalidParams, Refused
from subterminator.safety.fence import Fence
from subterminator.safety.limits import Limits
from tests.agents.shop import DAY, Customer, Shop, button, lead, plan
from tests.agents.talking import all_text, call, calls, done, last_text, says
from tests.conftest import Person
from tests.site import Site

LAST = (
    f"<h1>Cancel your plan?</h1><p>Your plan ends on {DAY}. There is no refund.</p>"
    "<a href=/account>Keep plan</a>" + button("Confirm cancellation", "/do/end")
)
TOOLS_OF_THE_CONTRACT = (
    "navigate go_back go_forward reload click type_text scroll hover select_option list_frames "
    "get_frame_content switch_to_frame wait_for_load wait_for_selector wait_for_text wait_for_url "
    "sleep get_accessibility_tree find_interactive_elements get_page_text screenshot "
    "save_screenshot get_viewport_info is_element_visible"
).split()


@pytest.fixture
def shop(site: Site, monkeypatch: pytest.MonkeyPatch) -> Shop:
    monkeypatch.setattr(verification, "RESULT_WAITS", (0, 500))
    monkeypatch.setattr(verification, "FRESH_WAITS", (0, 100))
    shop = Shop(site, plan("<a href=/last>Cancel plan</a>" + button("Save", "/do/harm")))
    shop.page("/last", LAST)
    return shop


def task(agent: str, prompt: str = "Do it.") -> Spoken:
    return calls(call("task", agent=agent, prompt=prompt))


class Cast:
    """A script for each role; a role is known by the tools it is given."""

    def __init__(self, **scripts: list[Spoken]) -> None:
        self._scripts = {role: iter(lines) for role, lines in scripts.items()}
        self.asked: list[tuple[str, Request]] = []
        self.model = ScriptedModel(self._decide)

    def _decide(self, request: Request) -> Spoken:
        names = frozenset(tool.name for tool in request.tools)
        role = next(role.name for role in roles.ROLES if frozenset(role.tools) == names)
        self.asked.append((role, request))
        return next(self._scripts.get(role, iter(())), says("Done."))

    def of(self, role: str) -> list[Request]:
        return [request for name, request in self.asked if name == role]


async def led(session: Session, shop: Shop, cast: Cast, customer: Customer | None = None) -> Any:
    models = {"large": cast.model, "small": cast.model}
    return await lead(session, shop, customer or Customer(), plan=by_team(models))  # type: ignore[arg-type]


def envelope(request: Request) -> dict[str, Any]:
    lines = [line for line in last_text(request).splitlines() if line.startswith('{"success"')]
    return msgspec.json.decode(lines[-1], type=dict[str, Any])


def test_there_are_the_24_tools_of_the_contract_and_two_of_ours() -> None:
    assert sorted(team_tools.BY_NAME) == sorted(
        [*TOOLS_OF_THE_CONTRACT, "answer_dialog", "switch_to_tab"]
    )
    assert len(TOOLS_OF_THE_CONTRACT) == 24
    for name in team_tools.BY_NAME:
        tool = team_tools.tool_named(name)
        assert tool.description and tool.schema["type"] == "object"


def test_each_role_has_the_tools_of_the_contract_and_no_other_power() -> None:
    by_name = {role.name: role for role in roles.ROLES}
    assert {"task", "get_accessibility_tree", "screenshot"} <= set(by_name["planner"].tools)
    assert set(by_name["dom_analyzer"].tools) == {
        "get_accessibility_tree",
        "find_interactive_elements",
        "list_frames",
        "get_page_text",
    }
    acts = team_tools.ACTING
    assert not acts & set(by_name["validator"].tools)
    assert not acts & set(by_name["planner"].tools)
    assert not acts & set(by_name["dom_analyzer"].tools)
    for name in ("dom_analyzer", "executor", "validator"):
        assert not {"complete_task", "request_human_approval", "task"} & set(by_name[name].tools)


async def test_a_team_leads_to_the_gate_and_code_proves_it(session: Session, shop: Shop) -> None:
    cast = Cast(
        planner=[task("executor", "Open Cancel plan"), task("executor", "Confirm it")],
        executor=[
            calls(call("click", element_description="Cancel plan link")),
            says("Opened."),
            calls(call("click", element_description="Confirm cancellation")),
        ],
    )
    customer = Customer()
    result = await led(session, shop, cast, customer)
    assert (result.outcome, result.success) == ("cancelled", True)
    assert (customer.buttons, shop.presses) == (["Confirm cancellation"], 1)
    assert result.spent.answers == 5


async def test_a_member_starts_afresh_and_knows_only_its_task(session: Session, shop: Shop) -> None:
    cast = Cast(
        planner=[task("dom_analyzer", "What is there?"), done("failed")],
        dom_analyzer=[calls(call("get_accessibility_tree")), says("A link Cancel plan.")],
    )
    await led(session, shop, cast)
    first, second = cast.of("dom_analyzer")
    assert len(first.messages) == 1
    assert all_text(first).startswith("Task: What is there?")
    assert "Goal:" not in all_text(first)
    got = envelope(second)
    assert got["success"] is True and "Cancel plan" in got["data"]["tree"]
    assert envelope(cast.of("planner")[1])["data"]["report"] == "A link Cancel plan."


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (call("click", element_description=""), "element_description"),
        (call("click", element_description="Save", timeout_ms=999), "timeout_ms"),
        (call("click", element_description="Save", timeout_ms=60_001), "timeout_ms"),
        (call("sleep", duration_ms=30_001), "duration_ms"),
        (call("click", element_description="Save", frame="Nowhere"), "frame"),
        (call("save_screenshot", file_path="/etc/passwd"), "file_path"),
        (call("complete_task", status="success", reason=""), "Unknown tool"),
        (call("request_human_approval", action="x", reason="y"), "Unknown tool"),
        (call("task", agent="executor", prompt="x"), "Unknown tool"),
    ],
    ids=str,
)
async def test_l3_what_a_member_may_not_ask_for_does_nothing(
    session: Session, shop: Shop, wrong: Call, words: str
) -> None:
    cast = Cast(planner=[task("executor"), done("failed")], executor=[calls(wrong)])
    await led(session, shop, cast)
    got = envelope(cast.of("executor")[1])
    assert got["success"] is False and words in got["error"]
    assert got["metadata"]["category"] in STRATEGIES
    assert shop.harms == []


async def test_who_only_looks_cannot_act(session: Session, shop: Shop) -> None:
    cast = Cast(
        planner=[task("validator"), done("failed")],
        validator=[calls(call("click", element_description="Save"))],
    )
    await led(session, shop, cast)
    assert envelope(cast.of("validator")[1])["success"] is False
    assert shop.harms == []


async def test_what_is_not_there_is_looked_for_again_and_the_chain_is_told(
    session: Session, shop: Shop
) -> None:
    cast = Cast(
        planner=[task("executor"), done("failed")],
        executor=[calls(call("click", element_description="Frobnicate the turbine"))],
    )
    await led(session, shop, cast)
    got = envelope(cast.of("executor")[1])
    chain = got["metadata"]["retry_chain"]
    assert (chain["exhausted"], len(chain["attempts"])) == (True, 3)
    assert got["metadata"]["retries"] == 2
    assert (got["metadata"]["category"], got["success"]) == ("retriable", False)


async def test_what_comes_late_is_found_after_all(session: Session, shop: Shop) -> None:
    late = "<script>setTimeout(() => document.body.append(Object.assign(document.createElement('button'), {textContent: 'Late one', onclick: () => fetch('/late')})), 300)</script>"
    shop.page("/last", f"<h1>Wait</h1>{late}")
    cast = Cast(
        planner=[task("executor"), done("failed")],
        executor=[
            calls(call("click", element_description="Cancel plan link")),
            calls(call("click", element_description="Late one")),
        ],
    )
    await led(session, shop, cast)
    got = envelope(cast.of("executor")[2])
    assert got["success"] is True
    assert shop.site.hits["/late"] == 1


async def test_two_that_fit_are_named_and_none_is_pressed(session: Session, shop: Shop) -> None:
    twice = button("Remove", "/do/harm") + button("Remove", "/do/harm")
    shop.page("/last", f"<h1>Things</h1>{twice}")
    cast = Cast(
        planner=[task("executor"), done("failed")],
        executor=[
            calls(call("click", element_description="Cancel plan link")),
            calls(call("click", element_description="Remove")),
        ],
    )
    await led(session, shop, cast)
    got = envelope(cast.of("executor")[2])
    assert (got["success"], got["metadata"]["category"]) == (False, "recoverable")
    assert shop.harms == []


async def test_a_frame_of_its_own_is_searched_and_reported(session: Session, shop: Shop) -> None:
    shop.page("/inner", "<button onclick=\"fetch('/inside')\">Inside</button>")
    shop.page("/last", "<h1>Frames</h1><iframe title=Payment src=/inner></iframe>")
    cast = Cast(
        planner=[task("executor"), task("dom_analyzer"), done("failed")],
        executor=[
            calls(call("click", element_description="Cancel plan link")),
            calls(call("click", element_description="Inside button", frame="Payment")),
        ],
        dom_analyzer=[calls(call("list_frames"))],
    )
    await led(session, shop, cast)
    assert envelope(cast.of("executor")[2])["metadata"]["frame"] == "Payment"
    assert shop.site.hits["/inside"] == 1
    (frame,) = envelope(cast.of("dom_analyzer")[1])["data"]
    assert (frame["name"], frame["accessible"]) == ("Payment", True)


async def test_a_task_has_a_budget_of_its_own(session: Session, shop: Shop) -> None:
    look = [calls(call("get_viewport_info")) for _ in range(20)]
    cast = Cast(planner=[task("executor"), done("failed")], executor=look)
    await led(session, shop, cast)
    assert len(cast.of("executor")) == TASK_ANSWERS
    got = envelope(cast.of("planner")[1])
    assert got["success"] is False and "budget" in got["error"]


async def test_a_team_that_only_delegates_is_ended(session: Session, shop: Shop) -> None:
    cast = Cast(planner=[task("validator") for _ in range(200)])
    result = await led(session, shop, cast, Customer(says=False))
    assert (result.reason, result.outcome) == ("llm_no_action", "stopped")


async def test_l10_an_offer_is_refused_to_a_team_too(session: Session, shop: Shop) -> None:
    shop.page("/last", "<h1>Stay for half</h1>" + button("Accept this offer", "/do/harm"))
    cast = Cast(
        planner=[task("executor"), done("failed")],
        executor=[
            calls(call("click", element_description="Cancel plan link")),
            calls(call("click", element_description="Accept this offer")),
        ],
    )
    await led(session, shop, cast)
    got = envelope(cast.of("executor")[2])
    assert (got["success"], got["metadata"]["category"]) == (False, "non_retriable")
    assert shop.harms == []


def test_every_error_has_one_of_four_categories_and_each_a_strategy() -> None:
    assert set(STRATEGIES) == {"retriable", "recoverable", "non_retriable", "terminal"}
    assert set(CATEGORIES.values()) <= set(STRATEGIES)
    assert category_of(InvalidParams("x")) == "non_retriable"
    assert category_of(Refused("x")) == "non_retriable"


async def test_the_state_of_the_work_is_known_and_delegations_are_on_record(
    session: Session, site: Site, person: Person
) -> None:
    address = site.page("<h1>Papers</h1>", title="Papers")
    await session.navigate(address)
    cast = Cast(planner=[task("validator", "Is it called Papers?"), done("failed")])
    desk = Desk(Fence(), session.record)
    team = Team({"large": cast.model, "small": cast.model}, desk, goal="Look.")
    limits = Limits(turns=5)
    await run(session, team, human=person, limits=limits, fence=desk.fence, verify=None)
    state = team.state
    assert (state.page_url, state.page_title, state.original_prompt) == (address, "Papers", "Look.")
    assert [(t.agent, t.prompt) for t in state.sub_tasks] == [("validator", "Is it called Papers?")]
    assert state.current_step == 1

"""The real Claude Agent SDK and the program it brings along lead a real browser on the gym."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from subterminator import Session
from subterminator.agents.models.base import Request
from subterminator.agents.roles import EXECUTOR, PLANNER, ROLES, VALIDATOR
from subterminator.doors.agent_sdk import Claim, Person, options
from subterminator.gym.flows import p01_plain
from subterminator.gym.harness import Examiner, Gym
from subterminator.gym.models.clues import ask, calls
from subterminator.gym.models.personalities import become
from subterminator.gym.models.replies import Asks, Reply, Script
from subterminator.gym.models.server import Practice, practising
from subterminator.gym.server import gym
from subterminator.safety.human import Question
from tests.conftest import Person as Scripted
from tests.site import Site

sdk = pytest.importorskip(
    "claude_agent_sdk", reason="the Claude Agent SDK is not installed; run: make agent-sdk"
)
FLOW = p01_plain.FLOW
LAST = "Confirm cancellation"
ANSWERS = [("yes", "Cancel subscription"), ("no", LAST), ("yes", LAST)]
GUIDE = Path(__file__).parents[3] / "docs" / "agent-sdk.md"


class Hesitant:
    """Says no to the last press the first time, then looks what the gym says and agrees."""

    def __init__(self, calls: Gym) -> None:
        self._calls = calls
        self._examiner = Examiner(calls, FLOW.id, "s")
        self.asked: list[str] = []
        self.when_refused: dict[str, Any] = {}

    async def approve(self, question: Question) -> bool:
        self.asked.append(question.button)
        if question.button != LAST:
            return True
        if self.asked.count(LAST) == 1:
            return False
        self.when_refused = await self._calls.score(FLOW.id, "s")
        return await self._examiner.approve(question)

    async def hand_over(self, question: Question) -> bool:
        return await self._examiner.hand_over(question)


@asynccontextmanager
async def meeting(session: Session, human: Any) -> AsyncIterator[Person]:
    consent = session._consent
    before, consent._human = consent._human, Person(human)
    try:
        yield consent._human
    finally:
        consent._human = before


def at(practice: Practice, made: Any, folder: Path) -> Any:
    """The options with the practice model for a provider, and a home of their own."""
    home = {
        "HOME": str(folder),
        "CLAUDE_CONFIG_DIR": str(folder / "config"),
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "ANTHROPIC_BASE_URL": practice.address,
        "ANTHROPIC_API_KEY": "practice",
    }
    return replace(made, cwd=folder, env={**made.env, **home})


async def talk(made: Any, words: str) -> list[Any]:
    async with asyncio.timeout(150), sdk.ClaudeSDKClient(made) as client:
        await client.query(words)
        return [message async for message in client.receive_response()]


async def test_a_flow_is_solved_after_the_permission_was_refused_once(
    session: Session, tmp_path: Path
) -> None:
    claims: list[Claim] = []
    async with gym(flows=(FLOW,)) as addresses, practising(become("good")) as practice:
        calls = Gym(addresses.site)
        human = Hesitant(calls)
        async with meeting(session, human) as person:
            await session.navigate(addresses.start(FLOW, "s"))
            made = options(session, person, expect=FLOW.sign, ended=claims.append)
            messages = await talk(at(practice, made, tmp_path), f"Goal: {FLOW.task}")
        await calls.post("claim", FLOW.id, "s", {"claim": "cancelled"})
        score = await calls.score(FLOW.id, "s")
    assert human.when_refused["account_state"] == "active"
    assert (score["success"], score["harms"]) == (True, [])
    assert human.asked == [button for _, button in ANSWERS]
    assert [(claim.status, claim.verified) for claim in claims] == [("success", True)]
    assert messages[-1].subtype == "success"


def sending(member: str) -> Script:
    """A planner that has one member press Buy, and a member that tries."""

    def script(request: Request) -> Reply:
        if calls(request):
            return Reply(text="That was it.")
        step = {"subagent_type": member, "description": "buy", "prompt": "Press Buy now."}
        if delegates := ask(request, "Agent", **step):
            return Reply(calls=delegates)
        wanted = {"element_description": "Buy now"}
        return Reply(calls=(Asks("mcp__browser__click", wanted),))

    return script


async def shop(session: Session, site: Site) -> None:
    site.pages["/bought"] = "ok"
    await session.navigate(site.page("<button onclick=\"fetch('/bought')\">Buy now</button>"))


async def test_the_gate_asks_even_where_the_callback_was_never_called(
    session: Session, site: Site, person: Scripted, asked: Person, tmp_path: Path
) -> None:
    await shop(session, site)
    made = replace(options(session, asked), allowed_tools=["mcp__browser__click"])
    async with practising(sending("executor")) as practice:
        with pytest.warns(sdk.CanUseToolShadowedWarning):
            await talk(at(practice, made, tmp_path), "Buy it.")
        told = "".join(str(seen.request.messages) for seen in practice.seen)
    await session.wait(quiet=True)
    assert [question.button for question in person.asked] == ["Buy now"]
    assert "human_rejected" in told
    assert site.hits["/bought"] == 0


async def test_a_validator_cannot_act_whatever_it_asks_for(
    session: Session, site: Site, person: Scripted, asked: Person, tmp_path: Path
) -> None:
    await shop(session, site)
    person.says = True
    async with practising(sending("validator")) as practice:
        await talk(at(practice, options(session, asked), tmp_path), "Buy it.")
        offered = [{tool.name for tool in seen.request.tools} for seen in practice.seen]
        told = "".join(str(seen.request.messages) for seen in practice.seen)
    await session.wait(quiet=True)
    assert any("mcp__browser__is_element_visible" in names for names in offered)
    assert not any("mcp__browser__click" in names for names in offered)
    assert "No such tool" in told
    assert (site.hits["/bought"], person.asked) == (0, [])


async def test_a_task_goes_to_a_member_only_and_the_planner_waits_for_it(
    session: Session, site: Site, asked: Person, tmp_path: Path
) -> None:
    await shop(session, site)
    for member in ("executor", "general-purpose"):
        async with practising(sending(member)) as practice:
            messages = await talk(at(practice, options(session, asked), tmp_path), "Buy it.")
            told = str(practice.seen[-1].request.messages)
        assert messages[-1].subtype == "success"
        assert ("The report follows" in told) is (member == "executor"), told
        assert ("no such member" in told) is (member != "executor"), told
        assert "in the background" not in told
    assert site.hits["/bought"] == 0


def test_the_roles_are_agents_with_their_own_tools_and_models(
    session: Session, asked: Person
) -> None:
    made: Any = options(session, asked, models={"small": "inherit"})
    assert list(made.agents) == [role.name for role in ROLES]
    assert made.agents[PLANNER.name].tools[0] == "Agent"
    for role in (EXECUTOR, VALIDATOR):
        assert made.agents[role.name].tools == [f"mcp__browser__{name}" for name in role.tools]
    assert [agent.model for agent in made.agents.values()] == [
        "sonnet", "inherit", "sonnet", "inherit",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("Bash", {"command": "true"}),
        ("mcp__other__click", {"element_description": "Buy now"}),
        ("Agent", {"subagent_type": "general-purpose", "prompt": "x"}),
    ],
)
async def test_the_callback_refuses_what_is_not_of_this_session(
    session: Session, asked: Person, name: str, arguments: dict[str, Any]
) -> None:
    decide: Any = options(session, asked).can_use_tool
    answer = await decide(name, arguments, sdk.ToolPermissionContext())
    assert isinstance(answer, sdk.PermissionResultDeny) and answer.message


def test_the_guide_shows_code_that_runs(tmp_path: Path) -> None:
    shown = GUIDE.read_text(encoding="utf-8").partition("<!-- example -->\n```python\n")[2]
    script = tmp_path / "example.py"
    script.write_text(shown.partition("```")[0], encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=150, cwd=tmp_path
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[:3] == [f"{said} to {button}" for said, button in ANSWERS]
    assert lines[3].startswith("Claim(status='success'") and "verified=True" in lines[3]

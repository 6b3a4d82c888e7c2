"""Any goal with a model in the lead, from Python; and planners by name with a practice model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import subterminator
from subterminator import errors
from subterminator.agents.models.base import Request
from subterminator.config import Settings
from subterminator.goals import Wanted, leader_of, run_goal
from subterminator.gym.flows import p01_plain
from subterminator.gym.models.clues import calls, elements, press
from subterminator.gym.models.personalities import become
from subterminator.gym.models.replies import Asks, Reply
from subterminator.gym.models.server import Practice, practising
from subterminator.gym.scene import Setup
from subterminator.gym.server import gym
from subterminator.safety.human import Question
from tests.gym.visitor import Visitor
from tests.site import Answer, Site
from tests.site import Request as SiteRequest

PAGE = (
    "<h1>Papers</h1><p id=s>Not saved</p>"
    "<button onclick=\"fetch('/saved', {method: 'POST'}).then(() => location.reload())\">Save it"
    "</button>"
)


class Agreeing:
    """Says yes, and remembers."""

    def __init__(self) -> None:
        self.asked: list[Question] = []
        self.handed: list[Question] = []

    async def approve(self, question: Question) -> bool:
        self.asked.append(question)
        return True

    async def hand_over(self, question: Question) -> bool:
        self.handed.append(question)
        return False


def saves(request: Request) -> Reply:
    """Presses what saves, once, then says that it is done."""
    button = next((e for e in elements(request) if e.name == "Save it"), None)
    if calls(request) or button is None:
        return Reply(calls=(Asks("complete_task", {"status": "success", "reason": "Saved."}),))
    return Reply(text="I save it.", calls=press(request, button))


def saves_together(request: Request) -> Reply:
    """The same as a team: the planner delegates, the executor presses."""
    done = bool(calls(request))
    if any(tool.name == "task" for tool in request.tools):
        task = {"agent": "executor", "prompt": "Press the button Save it."}
        complete = {"status": "success", "reason": "Saved."}
        return Reply(calls=(Asks("complete_task", complete) if done else Asks("task", task),))
    if done:
        return Reply(text="Pressed.")
    return Reply(calls=(Asks("click", {"element_description": "Save it"}),))


@pytest.fixture
async def practice() -> AsyncIterator[Practice]:
    async with practising(saves) as practice:
        yield practice


def settings(folder: Path, practice: Practice | None, wire: str = "openai") -> Settings:
    named: dict[str, Any] = {} if practice is None else at(practice, wire)
    return Settings(state_dir=str(folder / "state"), output_dir=str(folder / "proofs"), **named)


def at(practice: Practice, wire: str) -> dict[str, Any]:
    if wire == "anthropic":
        return {"model": "claude-practice", "base_url": practice.address}
    return {"model": "openai:practice", "base_url": practice.openai_address}


def papers(site: Site) -> str:
    def save(_: SiteRequest) -> Answer:
        site.page(PAGE.replace("Not saved", "All is saved"))
        return Answer("ok")

    site.pages["/saved"] = save
    return site.page(PAGE)


@pytest.mark.parametrize("wire", ["openai", "anthropic"])
async def test_a_goal_is_reached_and_what_the_page_shows_proves_it(
    tmp_path: Path, site: Site, practice: Practice, wire: str
) -> None:
    told: list[str] = []
    result = await run_goal(
        Wanted(goal="Save it.", url=papers(site), expect="all is saved"),
        human=Agreeing(),
        settings=settings(tmp_path, practice, wire),
        tell=lambda progress: told.append(f"{progress.stage} {progress.turn} {progress.text}"),
    )
    assert (result.success, result.verified, result.reason) == (True, True, "completed")
    assert (result.claim, result.planner) == ("success: Saved.", "llm")
    assert site.hits["/saved"] == 1
    assert (result.spent.answers, result.spent.cost) == (2, 0.0)
    assert result.spent.input > 0
    assert any("I save it." in line for line in told)
    assert result.run


async def test_a_team_reaches_it_too(tmp_path: Path, site: Site) -> None:
    async with practising(saves_together) as practice:
        result = await subterminator.run(
            "Save it.",
            url=papers(site),
            expect="all is saved",
            human=Agreeing(),
            planner="team",
            settings=settings(tmp_path, practice),
        )
    assert (result.success, result.planner, site.hits["/saved"]) == (True, "team", 1)


async def test_without_words_to_look_for_success_is_only_a_claim(
    tmp_path: Path, site: Site, practice: Practice
) -> None:
    result = await subterminator.run(
        "Save it.", url=papers(site), human=Agreeing(), settings=settings(tmp_path, practice)
    )
    assert (result.success, result.reason) == (False, "verification_failed")
    assert result.claim == "success: Saved."


async def test_l5_what_the_page_does_not_show_is_no_success(
    tmp_path: Path, site: Site, practice: Practice
) -> None:
    result = await subterminator.run(
        "Save it.",
        url=site.page("<p>Nothing here</p>"),
        expect="all is saved",
        human=Agreeing(),
        settings=settings(tmp_path, practice),
    )
    assert (result.success, result.reason) == (False, "verification_failed")


async def test_what_cannot_be_undone_is_asked_about_whatever_the_goal(
    tmp_path: Path, site: Site
) -> None:
    site.pages["/do/buy"] = "ok"
    page = site.page("<form method=post action=/do/buy><button>Buy now</button></form>")

    def buys(request: Request) -> Reply:
        return Reply(calls=press(request, elements(request)[0]))

    async with practising(buys) as practice:
        result = await subterminator.run(
            "Buy it.", url=page, human=subterminator.nobody, settings=settings(tmp_path, practice)
        )
    assert (result.reason, site.hits["/do/buy"]) == ("human_rejected", 0)


async def test_l7_a_sign_in_is_handed_over_before_the_model_sees_it(
    tmp_path: Path, site: Site, practice: Practice
) -> None:
    page = site.page(
        "<h1>Sign in</h1><label>Password <input type=password></label><button>Go</button>"
    )
    person = Agreeing()
    result = await subterminator.run(
        "Save it.", url=page, human=person, settings=settings(tmp_path, practice)
    )
    assert (result.reason, len(person.handed), practice.arrived) == ("human_rejected", 1, 0)


async def test_without_a_model_it_says_what_to_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(errors.InvalidParams) as caught:
        await subterminator.run(
            "x", url="http://127.0.0.1/", human=Agreeing(), settings=settings(tmp_path, None)
        )
    assert "ANTHROPIC_API_KEY" in f"{caught.value.message} {caught.value.advice}"
    assert "Cancelling needs no model" in caught.value.advice


@pytest.mark.parametrize(
    ("goal", "url"), [("", "http://127.0.0.1/"), ("x", "nowhere"), ("x", "file:///etc/passwd")]
)
async def test_what_makes_no_sense_opens_no_browser(tmp_path: Path, goal: str, url: str) -> None:
    with pytest.raises(errors.InvalidParams):
        await subterminator.run(goal, url=url, human=Agreeing(), settings=settings(tmp_path, None))


def test_only_a_model_can_pursue_any_goal() -> None:
    assert [leader_of(name) for name in ("", "auto", "llm", "team")] == [
        "llm",
        "llm",
        "llm",
        "team",
    ]
    with pytest.raises(errors.InvalidParams, match="only cancels"):
        leader_of("heuristic")


# Planners by name


@pytest.mark.parametrize(
    ("planner", "wire"),
    [("llm", "anthropic"), pytest.param("team", "openai", marks=pytest.mark.soak)],
)
async def test_a_model_cancels_and_later_nobody_needs_it(
    tmp_path: Path, planner: str, wire: str
) -> None:
    async with gym(Setup(seed=3)) as addresses:
        async with practising(become("good")) as practice:
            first = await subterminator.cancel(
                url=addresses.start(p01_plain.FLOW, "one"),
                goal=p01_plain.FLOW.task,
                human=Agreeing(),
                planner=planner,
                settings=settings(tmp_path, practice, wire),
            )
        again = await subterminator.cancel(
            url=addresses.start(p01_plain.FLOW, "two"),
            goal=p01_plain.FLOW.task,
            human=Agreeing(),
            planner="replay",
            settings=Settings(state_dir=str(fresh(tmp_path)), output_dir=str(tmp_path / "proofs")),
        )
        states = [
            (await Visitor(addresses.site, "p01-plain", sid).state())["account_state"]
            for sid in ("one", "two")
        ]
    assert (first.outcome, first.planner) == ("cancelled", planner)
    assert first.spent.answers > 0
    assert (again.outcome, again.planner, again.spent.answers) == ("cancelled", "replay", 0)
    assert states == ["cancelled", "cancelled"]


def fresh(folder: Path) -> Path:
    """The recorded way in another state: the ledger knows that it was pressed this month."""
    other = folder / "other"
    (other / "ways").mkdir(parents=True)
    for path in (other, other / "ways"):
        path.chmod(0o700)
    for way in (folder / "state" / "ways").iterdir():
        (other / "ways" / way.name).write_bytes(way.read_bytes())
    return other

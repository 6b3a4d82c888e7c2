"""What a tool of the SDK does to a session: one gate, one question, no press before the tool runs."""

from __future__ import annotations

import asyncio
import sys
from inspect import signature
from pathlib import Path
from typing import Any

import msgspec
import pytest

from subterminator import Session
from subterminator.agents.team_tools import BY_NAME
from subterminator.doors.agent_sdk import Claim, Person, options
from subterminator.doors.agent_sdk.work import BUSY, Work
from subterminator.errors import InvalidParams
from subterminator.safety.approval import PRESS_SECONDS
from tests.conftest import Person as Scripted
from tests.site import Answer as Reply
from tests.site import Request, Site

BUY = "<button onclick=\"fetch('/bought')\">Buy now</button>"
CLICK_BUY = ("click", {"element_description": "Buy now"})


def envelope(text: str) -> dict[str, Any]:
    """What stands in the fence."""
    [line] = [line for line in text.splitlines() if line.startswith("{")]
    return msgspec.json.decode(line, type=dict[str, Any])


class Late:
    """An answer that comes when it is wanted. `told`: the page has said that it has it."""

    def __init__(self) -> None:
        self.now = asyncio.Event()
        self.told = asyncio.Event()

    async def __call__(self, _: Request) -> Reply:
        await self.now.wait()
        return Reply("ok")

    def hear(self, _: Request) -> Reply:
        self.told.set()
        return Reply("ok")


async def at(session: Session, site: Site, body: str) -> None:
    site.pages["/bought"] = "ok"
    await session.navigate(site.page(body))


async def bought(session: Session, site: Site) -> int:
    await session.wait(quiet=True)
    return site.hits["/bought"]


async def test_what_needs_nobody_may_run_and_asks_nobody(
    session: Session, site: Site, person: Scripted, asked: Person
) -> None:
    await at(session, site, "<button onclick=\"fetch('/bought')\">Show more</button>")
    work = Work(session, asked)
    wanted = {"element_description": "Show more"}
    assert await work.permit("click", wanted) == ""
    assert await bought(session, site) == 0
    answer = await work.perform("click", wanted)
    assert envelope(answer.text)["success"] is True
    assert (await bought(session, site), person.asked) == (1, [])


async def test_a_no_refuses_the_permission_and_nothing_is_pressed(
    session: Session, site: Site, person: Scripted, asked: Person
) -> None:
    await at(session, site, BUY)
    work = Work(session, asked)
    refusal = await work.permit(*CLICK_BUY)
    assert refusal.startswith("human_rejected:")
    assert (await bought(session, site), len(person.asked)) == (0, 1)
    assert await work.permit("get_page_text", {}) == ""


async def test_a_yes_is_asked_for_once_and_pressed_only_when_the_tool_runs(
    session: Session, site: Site, person: Scripted, asked: Person
) -> None:
    await at(session, site, BUY)
    person.says = True
    work = Work(session, asked)
    assert await work.permit(*CLICK_BUY) == ""
    assert site.hits["/bought"] == 0
    answer = await work.perform(*CLICK_BUY)
    assert (answer.failed, envelope(answer.text)["metadata"]["tool"]) == (False, "click")
    assert (await bought(session, site), len(person.asked)) == (1, 1)
    assert person.asked[0].said == "click Buy now"


async def test_a_yes_whose_tool_never_runs_presses_nothing(
    session: Session, site: Site, person: Scripted
) -> None:
    await at(session, site, BUY)
    person.says = True
    consent = session._consent
    before, consent._human = consent._human, (hasty := Person(person, seconds=0.05))
    try:
        work = Work(session, hasty)
        assert await work.permit(*CLICK_BUY) == ""
        await session.snapshot()  # Waits for its turn, which the held call gives up.
        assert not hasty.is_held
        answer = await work.perform(*CLICK_BUY)
    finally:
        consent._human = before
    assert "approval_void" in answer.text
    assert await bought(session, site) == 0


async def test_what_has_changed_since_the_yes_is_not_pressed(
    session: Session, site: Site, person: Scripted, asked: Person
) -> None:
    # It changes its words as soon as the site says so, which is after the yes.
    site.pages["/go"] = late = Late()
    site.pages["/gone"] = late.hear
    rename = "document.querySelector('button').textContent = 'Buy two'; fetch('/gone')"
    changes = f"fetch('/go').then(() => {{ {rename} }})"
    await at(session, site, f"{BUY}<script>{changes}</script>")
    person.says = True
    work = Work(session, asked)
    assert await work.permit(*CLICK_BUY) == ""
    late.now.set()
    await late.told.wait()
    answer = await work.perform(*CLICK_BUY)
    assert answer.failed and "ref_invalid" in answer.text
    assert await bought(session, site) == 0


async def test_while_one_call_waits_another_one_is_told_to_come_later(
    session: Session, site: Site, person: Scripted, asked: Person
) -> None:
    await at(session, site, BUY)
    person.says = True
    work = Work(session, asked)
    assert await work.permit(*CLICK_BUY) == ""
    assert await work.permit("get_page_text", {}) == BUSY
    looking = asyncio.create_task(work.perform("get_page_text", {}))
    assert not (await work.perform(*CLICK_BUY)).failed
    assert "Buy now" in (await looking).text
    assert await bought(session, site) == 1


async def test_who_stops_waiting_for_a_permission_takes_the_question_back(
    session: Session, site: Site
) -> None:
    class Slow:
        def __init__(self) -> None:
            self.asked = asyncio.Event()

        async def approve(self, _: object) -> bool:
            self.asked.set()
            await asyncio.Event().wait()
            return True

        async def hand_over(self, _: object) -> bool:
            return False

    await at(session, site, BUY)
    consent, slow = session._consent, Slow()
    before, consent._human = consent._human, (patient := Person(slow))
    try:
        permitting = asyncio.create_task(Work(session, patient).permit(*CLICK_BUY))
        await slow.asked.wait()
        permitting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await permitting
        assert await bought(session, site) == 0
    finally:
        consent._human = before


async def test_what_is_never_done_is_refused_before_it_runs(
    session: Session, site: Site, person: Scripted, asked: Person
) -> None:
    await at(session, site, "Here")
    refusal = await Work(session, asked).permit("navigate", {"url": "file:///etc/passwd"})
    assert refusal.startswith("refused:")
    assert person.asked == []


async def test_an_element_that_is_not_there_is_looked_for_and_then_told(
    session: Session, site: Site, asked: Person
) -> None:
    await at(session, site, "<button>Help</button>")
    work = Work(session, asked)
    wanted = {"element_description": "Unsubscribe from everything"}
    assert await work.permit("click", wanted) == ""
    told = envelope((await work.perform("click", wanted)).text)
    assert (told["success"], told["metadata"]["category"]) == (False, "retriable")
    assert told["metadata"]["retry_chain"]["exhausted"] is True
    assert len(told["metadata"]["retry_chain"]["attempts"]) >= 3


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("click", {}), ("click", {"element_description": "x", "tool": "navigate"}), ("paint", {})],
)
async def test_a_call_that_makes_no_sense_is_answered_and_does_nothing(
    session: Session, site: Site, asked: Person, name: str, arguments: dict[str, Any]
) -> None:
    await at(session, site, BUY)
    answer = await Work(session, asked).perform(name, arguments)
    assert answer.failed and "invalid_params" in answer.text
    assert await bought(session, site) == 0


async def test_a_picture_comes_with_the_words(session: Session, site: Site, asked: Person) -> None:
    await at(session, site, "Here")
    answer = await Work(session, asked).perform("screenshot", {})
    [picture] = answer.pictures
    assert picture.data and not answer.failed


async def test_a_page_that_asks_who_you_are_is_handed_over_first(
    session: Session, site: Site, person: Scripted, asked: Person
) -> None:
    form = "<h1>Sign in</h1><form><input type=email name=e><input type=password name=p>"
    await at(session, site, f"{form}<button>Sign in</button></form>")
    await session.snapshot()
    answer = await Work(session, asked).perform("click", {"element_description": "Sign in"})
    assert "handed_over" in answer.text
    assert [question.hand_over for question in person.asked] == [True]


async def test_success_is_a_claim_until_the_page_shows_it(
    session: Session, site: Site, asked: Person
) -> None:
    claims: list[Claim] = []
    await at(session, site, "Your plan renews")
    work = Work(session, asked, expect="Your plan has ended", ended=claims.append)
    claim = {"status": "success", "reason": "done"}
    assert "Not proven" in (await work.perform("complete_task", claim)).text
    assert claims == []
    site.page("<p>Your plan has <b>ended</b>")
    assert not (await work.perform("complete_task", claim)).failed
    await Work(session, asked, ended=claims.append).perform("complete_task", claim)
    await work.perform("complete_task", {"status": "failed", "reason": "no way"})
    assert claims == [
        Claim("success", "done", verified=True),
        Claim("success", "done"),
        Claim("failed", "no way"),
    ]


async def test_a_question_of_the_model_permits_nothing(
    session: Session, site: Site, person: Scripted, asked: Person
) -> None:
    await at(session, site, BUY)
    person.says = True
    work = Work(session, asked)
    answer = await work.perform("request_human_approval", {"action": "Buy", "reason": "nice"})
    assert answer.text.startswith("The person answers yes.")
    person.says = False
    assert (await work.permit(*CLICK_BUY)).startswith("human_rejected:")
    assert await bought(session, site) == 0


def test_without_the_sdk_it_says_what_to_install(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "claude_agent_sdk", None)
    monkeypatch.delitem(sys.modules, "subterminator.doors.agent_sdk.kit", raising=False)
    with pytest.raises(InvalidParams, match=r"pip install \"subterminator\[agent-sdk\]\""):
        options(session, Person(Scripted()))


def test_a_human_that_is_not_wrapped_is_told_how(session: Session) -> None:
    with pytest.raises(InvalidParams, match="Person"):
        options(session, Scripted())  # type: ignore[arg-type]


def test_the_guide_names_every_argument_and_what_comes_of_a_claim() -> None:
    guide = (Path(__file__).parents[3] / "docs" / "agent-sdk.md").read_text(encoding="utf-8")
    wanted = [*signature(options).parameters, "request_human_approval", "complete_task"]
    assert [word for word in wanted if f"`{word}`" not in guide] == []
    assert f"`Claim({', '.join(Claim.__struct_fields__)})`" in guide
    assert f"at most {PRESS_SECONDS:.0f} seconds" in guide
    assert f"the {len(BY_NAME)} of a team" in guide

"""Where an errand leads, and what a run leaves behind when the planner has ended."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import subterminator
from subterminator import errors
from subterminator.cancellations import Errand, by_hand, destination, planner_of
from subterminator.config import Settings
from subterminator.gym.flows import p01_plain
from subterminator.gym.scene import Setup
from subterminator.gym.server import gym
from subterminator.packs.registry import Registry, assemble
from subterminator.session import Session
from tests.doors.conducts import ended, plain
from tests.gym.visitor import Visitor
from tests.site import Site


@pytest.fixture(scope="module")
def packs() -> Registry:
    return assemble([])


class Agreeing:
    async def approve(self, question: subterminator.Question) -> bool:
        return True

    async def hand_over(self, question: subterminator.Question) -> bool:
        return False


def settings(folder: Path) -> Settings:
    return Settings(state_dir=str(folder / "state"), output_dir=str(folder / "proofs"))


def test_a_service_leads_to_its_own_start_and_sites(packs: Registry) -> None:
    goes = destination(Errand(service="Netflix"), packs)
    assert (goes.service, goes.pack.id) == ("netflix", "netflix")
    assert goes.start.startswith("https://www.netflix.com/")
    assert goes.sites == ("netflix.com",)


def test_an_address_of_a_known_service_brings_its_pack(packs: Registry) -> None:
    goes = destination(Errand(url="https://www.netflix.com/somewhere"), packs)
    assert (goes.pack.id, goes.start) == ("netflix", "https://www.netflix.com/somewhere")


def test_an_address_goes_before_what_the_pack_knows(packs: Registry) -> None:
    goes = destination(Errand(service="netflix", url="https://account.example/end"), packs)
    assert (goes.pack.id, goes.start) == ("netflix", "https://account.example/end")
    assert goes.sites == ("netflix.com", "account.example")


def test_a_service_without_a_pack_is_led_by_words_alone(packs: Registry) -> None:
    goes = destination(Errand(url="https://www.papers.example/account"), packs)
    assert (goes.pack.kind, goes.service, goes.sites) == (
        "generic",
        "papers.example",
        ("www.papers.example",),
    )
    named = destination(Errand(service="My Papers", url="https://papers.example"), packs)
    assert (named.service, named.pack.names) == ("My Papers", ("My Papers",))


@pytest.mark.parametrize(
    ("errand", "words"),
    [
        (Errand(), "There is nothing to cancel"),
        (Errand(service="netflx"), "Did you mean netflix?"),
        (Errand(url="ftp://a.example"), "is not the address of a web page"),
        (Errand(url="netflix.com"), "with https://"),
    ],
)
def test_what_leads_nowhere_is_refused(packs: Registry, errand: Errand, words: str) -> None:
    with pytest.raises(errors.InvalidParams, match=words.replace("?", r"\?")):
        destination(errand, packs)


def test_what_the_web_cannot_do_comes_with_a_letter(packs: Registry) -> None:
    result = by_hand(destination(Errand(service="planet-fitness"), packs))
    assert (result.outcome, result.success, result.reason) == ("manual_required", False, "off_site")
    assert "certified mail" in result.next_steps[0]
    assert "Planet Fitness" in result.next_steps[1]


def test_an_unknown_planner_is_refused_and_one_of_your_own_is_taken() -> None:
    with pytest.raises(errors.InvalidParams, match="Known: auto, heuristic"):
        planner_of("oracle")
    assert planner_of(plain) is plain
    assert callable(planner_of("heuristic"))


async def test_a_program_cancels_and_gets_the_proof(tmp_path: Path) -> None:
    told: list[str] = []
    async with gym(Setup(seed=3)) as addresses:
        result = await subterminator.cancel(
            url=addresses.start(p01_plain.FLOW, "me"),
            goal=p01_plain.FLOW.task,
            human=Agreeing(),
            settings=settings(tmp_path),
            tell=lambda progress: told.append(progress.text),
        )
        state = await Visitor(addresses.site, "p01-plain", "me").state()
    assert (result.outcome, result.success, result.verified) == ("cancelled", True, True)
    assert state["account_state"] == "cancelled"
    assert (Path(result.proof) / "report.html").is_file()
    assert result.run
    assert told


async def test_a_proof_that_cannot_be_written_changes_nothing_about_the_end(
    tmp_path: Path,
) -> None:
    async def done(*_: object, **__: Any) -> subterminator.TaskResult:
        return ended("cancelled", success=True, verified=True)

    (tmp_path / "proofs").write_text("not a folder", "utf-8")
    async with gym(Setup(seed=3)) as addresses:
        result = await subterminator.cancel(
            url=addresses.start(p01_plain.FLOW, "me"),
            planner=done,
            human=subterminator.nobody,
            settings=settings(tmp_path),
        )
    assert (result.outcome, result.success, result.proof) == ("cancelled", True, "")
    assert result.next_steps[-1].startswith("There is no proof: ")


async def test_what_a_pack_never_presses_is_refused_whoever_plans(
    tmp_path: Path, site: Site
) -> None:
    refused: list[str] = []

    async def stubborn(session: Session, *_: object, **rest: Any) -> subterminator.TaskResult:
        await session.navigate(rest["start_url"])
        for name in ("Keep plan", "Plans to keep"):
            try:
                await session.click(f"text:{name}")
            except errors.Refused as fault:
                refused.append(f"{name}: {fault.message}")
        return ended("stopped")

    page = "<button>Keep plan</button> <button>Plans to keep</button>"
    await subterminator.cancel(
        service="adobe",
        url=site.page(page),
        planner=stubborn,
        human=subterminator.nobody,
        settings=settings(tmp_path),
    )
    assert len(refused) == 1
    assert refused[0].startswith("Keep plan: The rules of this service say that this is never")

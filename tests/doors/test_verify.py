"""`subterminator verify`: looks, says, proves, and presses nothing."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from subterminator.agents.outcome import TaskResult
from subterminator.agents.proof import write_proof
from subterminator.cancellations import Errand, run_verification
from subterminator.config import Settings
from subterminator.doors.cli import main
from subterminator.gym.harness import Examiner, Gym
from subterminator.gym.scene import Setup
from subterminator.gym.server import Addresses, gym
from subterminator.packs.model import Outcome
from subterminator.runs.letters import shows_cancellation
from subterminator.runs.proofs import changed, read
from tests.gym.visitor import Visitor
from tests.runs.proving import result
from tests.terminals import ROOT

TODAY = date.today()


class Account:
    """An account page that is looked at without a browser."""

    def __init__(self, answer: TaskResult) -> None:
        self.answer = answer
        self.looked: list[tuple[str, Path | None]] = []

    async def check(self, errand: Errand, first: Path | None) -> TaskResult:
        self.looked.append((errand.service or errand.url, first))
        if first is None:
            return self.answer
        second = write_proof(self.answer, folder=first.parent, first=first)
        return replace(self.answer, proof=str(second))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def made(data: Path, **changes: object) -> Path:
    proofs = data / "subterminator" / "proofs"
    return write_proof(result(**{"service": "netflix", **changes}), folder=proofs)


def run(data: Path, *arguments: str, account: Account | None = None, **environ: str) -> Result:
    clean = {name: None for name in os.environ if name.startswith("SUBTERMINATOR_")}
    folders = {"XDG_DATA_HOME": str(data), "XDG_CONFIG_HOME": str(data / "config")}
    check = (account or Account(result())).check
    return CliRunner().invoke(
        main, ["verify", *arguments], env={**clean, **folders, **environ}, obj=check
    )


def test_it_says_what_the_page_shows_and_where_the_second_proof_is(data: Path) -> None:
    folder = made(data)
    account = Account(
        result(service="netflix", outcome="already_cancelled", reason="completed", success=True)
    )
    done = run(data, "netflix", account=account)
    assert account.looked == [("netflix", folder)]
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "netflix: It has ended: the account page shows it."
    assert lines[-1] == f"Report: {folder / 'second'}/report.html"
    assert changed(folder) == ()


@pytest.mark.parametrize(
    ("outcome", "reason", "code", "words"),
    [
        ("stopped", "completed", 7, "It is still running."),
        ("stopped", "verification_failed", 7, "Nothing shows whether it has ended."),
        ("pending", "pending", 6, "the service waits for you"),
        ("third_party", "off_site", 5, "somebody else bills it"),
        ("failed", "browser_error", 1, "It failed."),
        ("stopped", "human_rejected", 8, "Stopped: nobody has signed in."),
    ],
)
def test_the_exit_code_is_that_of_the_outcome(
    data: Path, outcome: Outcome, reason: str, code: int, words: str
) -> None:
    made(data)
    facts = {"outcome": outcome, "reason": reason, "verified": False, "success": False}
    account = Account(result(service="netflix", **facts))
    done = run(data, "netflix", "--json", account=account)
    assert done.exit_code == code
    assert json.loads(done.stdout)["outcome"] == outcome
    assert words in run(data, "netflix", account=account).stdout


def test_a_proof_that_shows_no_cancellation_is_not_added_to(data: Path) -> None:
    made(data, outcome="stopped", verified=False)
    account = Account(result(service="netflix"))
    run(data, "netflix", account=account)
    assert account.looked == [("netflix", None)]


def test_a_changed_proof_is_told(data: Path) -> None:
    folder = made(data)
    (folder / "steps.jsonl").write_text("{}", encoding="utf-8")
    done = run(data, "netflix", account=Account(result(service="netflix")))
    assert f"WARNING: {folder / 'steps.jsonl'} is missing or was changed." in done.stderr


def test_on_a_day_ahead_it_makes_a_calendar_entry_and_opens_no_browser(data: Path) -> None:
    folder = made(data)
    account = Account(result())
    day = TODAY + timedelta(days=30)
    done = run(data, "netflix", "--on", day.isoformat(), account=account)
    path = folder / f"verify_{day}.ics"
    assert done.stdout == f"reminder: {path}\n"
    text = path.read_text("utf-8")
    assert f"DTSTART;VALUE=DATE:{day:%Y%m%d}" in text and "subterminator verify netflix" in text
    assert account.looked == [] and done.exit_code == 0


def test_on_today_it_looks_at_once_and_on_a_day_past_is_refused(data: Path) -> None:
    made(data)
    account = Account(result(service="netflix"))
    run(data, "netflix", "--on", TODAY.isoformat(), account=account)
    assert len(account.looked) == 1
    past = run(data, "netflix", "--on", "2020-01-01", account=account)
    assert past.exit_code == 2 and "has passed" in past.stderr
    assert len(account.looked) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "There is nothing to look at. Name a service, or give its --url."),
        (["netflx"], "There is no pack for 'netflx'. Did you mean netflix?"),
        (["nope"], "There is no pack for 'nope'. `subterminator services list` shows all"),
        (["--url", "nowhere"], "is not the address of a web page."),
        (["netflix", "--on", "2999-01-01"], "There is no proof about 'netflix'"),
    ],
)
def test_what_cannot_be_looked_at_is_one_sentence(
    tmp_path: Path, arguments: list[str], words: str
) -> None:
    done = CliRunner().invoke(
        main, ["verify", *arguments, "--headless"], env={"XDG_DATA_HOME": str(tmp_path)}
    )
    assert done.exit_code == 2
    assert words in done.stderr and done.stderr.count("\n") == 1


# In a browser, on the practice site


@pytest.fixture(scope="module")
async def addresses() -> AsyncIterator[Addresses]:
    async with gym(Setup(seed=3)) as running:
        yield running


async def look(folder: Path, visitor: Visitor, *arguments: str) -> tuple[int, dict[str, Any]]:
    """The real command, without a terminal; gives the exit code and the last line of JSON."""
    names = ("XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")
    own = {name: str(folder / name) for name in names} | {"DISPLAY": "", "WAYLAND_DISPLAY": ""}
    url = f"{visitor.site}/{visitor.flow}/account?sid={visitor.sid}"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "subterminator", "verify", "--url", url, "--json", *arguments),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={**os.environ, **own},
        start_new_session=True,
    )
    output, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, msgspec.json.decode(output.splitlines()[-1])


async def test_an_active_subscription_is_seen_as_one_and_touched_nowhere(
    tmp_path: Path, addresses: Addresses
) -> None:
    visitor = Visitor(addresses.site, "p01-plain", "active")
    code, told = await look(tmp_path, visitor)
    assert (code, told["outcome"], told["reason"]) == (7, "stopped", "completed")
    assert "still running" in told["error"]
    truth = await visitor.state()
    assert (truth["account_state"], truth["harms"]) == ("active", [])
    steps = msgspec.convert(truth["steps"], list[dict[str, Any]])
    assert [step for step in steps if step["kind"] not in ("load", "view", "get")] == []
    report = (Path(told["proof"]) / "report.html").read_text("utf-8")
    assert "127.0.0.1 is not cancelled" in report and "Renews on" in report
    # A look is nothing that a letter could be based on.
    assert not shows_cancellation(read(Path(told["proof"])).proof)


async def test_an_ended_one_is_proven_with_a_picture_and_then_proven_again(
    tmp_path: Path, addresses: Addresses
) -> None:
    visitor = Visitor(addresses.site, "p21-already", "over")
    code, told = await look(tmp_path, visitor)
    assert (code, told["outcome"], told["verified"]) == (0, "already_cancelled", True)
    first = Path(told["proof"])
    code, told = await look(tmp_path, visitor)
    second = Path(told["proof"])
    assert (code, second.parent) == (0, first)
    assert changed(first) == ()
    proof = json.loads((second / "report.json").read_text("utf-8"))
    assert (second / proof["evidence"][0]["screenshot"]).is_file()
    assert "is still cancelled" in (second / "report.html").read_text("utf-8")


async def test_a_sign_in_without_a_person_is_code_4_and_leaves_no_proof(
    tmp_path: Path, addresses: Addresses
) -> None:
    code, told = await look(tmp_path, Visitor(addresses.site, "p17-login", "out"), "--no-input")
    assert (code, told["outcome"], told["proof"]) == (4, "stopped", "")
    assert "sign in" in told["needed"]


async def test_the_person_signs_in_and_then_it_is_looked_at(
    tmp_path: Path, addresses: Addresses
) -> None:
    visitor = Visitor(addresses.site, "p17-login", "in")
    person = Examiner(Gym(addresses.site), visitor.flow, visitor.sid)
    settings = Settings(state_dir=str(tmp_path / "state"), output_dir=str(tmp_path / "proofs"))
    told: list[str] = []
    found = await run_verification(
        Errand(url=f"{visitor.site}/{visitor.flow}/account?sid={visitor.sid}"),
        human=person,
        settings=settings,
        tell=lambda progress: told.append(progress.stage),
    )
    truth = await visitor.state()
    assert (found.outcome, found.reason) == ("stopped", "completed")
    assert list(dict.fromkeys(told)) == ["START", "AUTH_REQUIRED", "VERIFYING"]
    assert (truth["account_state"], truth["harms"]) == ("active", [])
    assert found.before.price and Path(found.proof).is_dir()

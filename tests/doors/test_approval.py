"""`subterminator approve` at a real terminal, against a hub in a process that is no kin of it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import IO

import msgspec
import pytest

from subterminator.doors.approval import look_around
from subterminator.hub import Hub
from subterminator.inbox import Asker, Waiting
from subterminator.machine import this_machine
from subterminator.peers import only_people
from tests.questions import CANCEL
from tests.terminals import CTRL_C, CTRL_D, ROOT, SECONDS, window

APPROVE = [sys.executable, "-c", "from subterminator.doors.approval import approve; approve()"]
# It leaves its parent before it asks, so that it descends from nobody.
HUB = """
import asyncio, os, sys
if os.fork():
    os._exit(0)
os.setsid()
from subterminator.hub import Hub
from subterminator.inbox import Asker
from subterminator.machine import this_machine
from subterminator.peers import only_people
from tests.questions import CANCEL, PASSWORD, PAY

async def main(state, *names):
    async with Hub(check=only_people(this_machine())) as hub:
        await hub.listen(state)
        human = hub.human(Asker("a test"))
        ask = {"CANCEL": human.approve, "PAY": human.approve, "PASSWORD": human.hand_over}
        waits = [asyncio.ensure_future(ask[name](globals()[name])) for name in names]
        await asyncio.wait(waits, timeout=0)
        print("asking", os.getpid(), flush=True)
        results = await asyncio.gather(*waits)
        print("RESULT", *results, flush=True)

asyncio.run(main(*sys.argv[1:]))
"""


class Run:
    """A process that asks and tells what it was answered."""

    def __init__(self, output: IO[str], state: Path) -> None:
        self._output = output
        self.environ = {"SUBTERMINATOR_STATE_DIR": str(state)}
        self.state = str(state)

    async def line(self) -> str:
        async with asyncio.timeout(SECONDS):
            return (await asyncio.to_thread(self._output.readline)).strip()


@asynccontextmanager
async def asking(state: Path, *questions: str) -> AsyncIterator[Run]:
    process = subprocess.Popen(
        [sys.executable, "-c", HUB, str(state), *questions],
        stdout=subprocess.PIPE,
        encoding="utf-8",
        cwd=ROOT,
    )
    assert process.stdout
    process.wait()
    run = Run(process.stdout, state)
    with process.stdout:
        asked, pid = (await run.line()).split()
        assert asked == "asking"
        try:
            yield run
        finally:
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


async def test_a_person_at_a_terminal_approves(state: Path) -> None:
    async with asking(state, "CANCEL") as run:
        async with window(APPROVE, run.environ) as seen:
            shown = await seen.until("Type yes to agree")
            assert '"Finish cancellation"' in shown
            assert "www.example.com" in shown
            assert "Asked by  a test" in shown
            seen.type("yes\n")
            await seen.until("Answered: yes.")
            assert await seen.exit_code() == 0
        assert await run.line() == "RESULT True"


@pytest.mark.parametrize("keys", ["\n", "no\n", CTRL_C, CTRL_D])
async def test_g2_everything_else_is_a_no(state: Path, keys: str) -> None:
    async with asking(state, "CANCEL") as run:
        async with window(APPROVE, run.environ) as seen:
            await seen.until("Type yes to agree")
            seen.type(keys)
            await seen.until("Answered: no.")
            assert await seen.exit_code() == 8
        assert await run.line() == "RESULT False"


async def test_g9_with_two_open_questions_one_is_named(state: Path) -> None:
    async with asking(state, "CANCEL", "PAY") as run:
        async with window(APPROVE, run.environ) as seen:
            shown = await seen.until("pay  a test: click")
            assert "2 questions wait" in shown
            assert "cancel  a test: click" in shown
        async with window([*APPROVE, "pay"], run.environ) as seen:
            await seen.until("Type 15.49 USD to agree")
            seen.type("15.49\n")
            await seen.until("Answered: yes.")
        async with window([*APPROVE, "can"], run.environ) as seen:
            await seen.until("Type yes to agree")
            seen.type("\n")
            await seen.until("Answered: no.")
        assert await run.line() == "RESULT False True"


async def test_a_hand_over_is_reported_as_done(state: Path) -> None:
    async with asking(state, "PASSWORD") as run:
        async with window(APPROVE, run.environ) as seen:
            assert "Only you may type" in await seen.until("Type done")
            seen.type("done\n")
            await seen.until("Answered: yes.")
        assert await run.line() == "RESULT True"


async def test_a_question_that_is_not_open_any_more_is_not_answered(state: Path) -> None:
    async with asking(state, "CANCEL") as run:
        async with window(APPROVE, run.environ) as slow, window(APPROVE, run.environ) as quick:
            await slow.until("Type yes to agree")
            await quick.until("Type yes to agree")
            quick.type("\n")
            await quick.until("Answered: no.")
            assert await run.line() == "RESULT False"
            slow.type("yes\n")
            # The hub has ended, or says that nothing is open under that number.
            await slow.exit_code()
            assert "Answered: yes" not in slow.shown


RAW = """
import sys
from pathlib import Path
from subterminator.control import Answer, Client
from tests.questions import CANCEL
with Client(Path(sys.argv[1])) as client:
    client.ask(Answer(CANCEL.id, CANCEL.digest, "yes"))
"""


@pytest.mark.parametrize("raw", [False, True], ids=["the command", "the bare socket"])
async def test_g14_without_a_terminal_there_is_no_answer(state: Path, raw: bool) -> None:
    async with asking(state, "CANCEL") as run:
        (found,) = look_around(run.state)
        done = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-c", RAW, str(found.path)] if raw else APPROVE,
            input=b"yes\n",
            capture_output=True,
            cwd=ROOT,
            env={**os.environ, **run.environ},
            start_new_session=True,
            timeout=SECONDS,
        )
        assert done.returncode != 0
        assert b"Only a person at a terminal can answer" in done.stderr
        assert look_around(run.state)


async def test_g14_what_descends_from_the_asker_cannot_answer_even_at_a_terminal(
    state: Path,
) -> None:
    async with Hub(check=only_people(this_machine())) as hub:
        await hub.listen(str(state))
        task = asyncio.ensure_future(hub.human(Asker("a test")).approve(CANCEL))
        async with window(APPROVE, {"SUBTERMINATOR_STATE_DIR": str(state)}) as seen:
            await seen.until("Type yes to agree")
            seen.type("yes\n")
            await seen.until("belongs to who asked")
            assert await seen.exit_code() != 0
        assert not task.done()
    assert not await task


async def test_listing_needs_no_terminal_and_answers_nothing(state: Path) -> None:
    async with asking(state, "CANCEL") as run:
        for flag in ("--json", "--list"):
            done = await asyncio.to_thread(
                subprocess.run,
                [*APPROVE, flag],
                capture_output=True,
                cwd=ROOT,
                env={**os.environ, **run.environ},
                check=True,
            )
            if flag == "--json":
                waiting = msgspec.json.decode(done.stdout, type=Waiting)
                assert waiting.question == CANCEL
            else:
                assert done.stdout.startswith(b"cancel  a test: click")
        assert look_around(run.state)


def test_with_nothing_to_answer_it_says_so(state: Path) -> None:
    done = subprocess.run(
        APPROVE,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "SUBTERMINATOR_STATE_DIR": str(state)},
        check=True,
    )
    assert done.stdout == "Nothing waits for an answer.\n"


def approve(state: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "SUBTERMINATOR_STATE_DIR": str(state)}
    return subprocess.run(
        [sys.executable, "-m", "subterminator", "approve", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environ,
    )


def test_an_empty_list_says_so(state: Path) -> None:
    assert approve(state, "--list").stdout == "Nothing waits for an answer.\n"
    assert approve(state, "--list", "--json").stdout == ""


def test_a_question_that_does_not_wait_is_one_sentence_and_no_success(state: Path) -> None:
    done = approve(state, "zzz")
    assert done.returncode == 2
    assert done.stderr == "No question 'zzz' waits. See what does: subterminator approve --list\n"


@pytest.mark.parametrize("flag", ["--yes", "-y", "--force", "--approve"])
def test_g10_no_flag_says_yes(state: Path, flag: str) -> None:
    done = subprocess.run(
        [*APPROVE, flag],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "SUBTERMINATOR_STATE_DIR": str(state)},
    )
    assert "yes" not in done.stdout.casefold()

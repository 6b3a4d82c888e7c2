"""The person at the terminal, a real one: what is shown, what is typed, and what that means."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.terminals import CTRL_C, CTRL_D, ROOT, Window, window

GO_ON = "I will press it myself:"
PLAIN = "Enter alone: no."
PROGRAM = """
import asyncio, signal, sys
from msgspec.structs import replace
from subterminator.doors.terminal import Terminal
from subterminator.errors import HandedOver
from tests.questions import CANCEL, PASSWORD, PAY

async def main():
    terminal = Terminal()
    try:
        {body}
    except HandedOver as fault:
        print("RESULT handed over", fault.details["done"], flush=True)

asyncio.run(main())
"""
APPROVE = 'print("RESULT", await terminal.approve({question}), flush=True)'
AGAIN = 'while True: print("RESULT", await terminal.approve({question}), flush=True)'
HAND_OVER = 'print("RESULT", await terminal.hand_over({question}), flush=True)'


def program(body: str) -> list[str]:
    return [sys.executable, "-c", PROGRAM.format(body=body)]


@asynccontextmanager
async def asking(
    question: str = "CANCEL", body: str = APPROVE, **environ: str
) -> AsyncIterator[Window]:
    async with window(program(body.format(question=question)), environ) as seen:
        yield seen


async def test_the_gate_shows_facts_and_a_yes_is_a_yes() -> None:
    async with asking() as seen:
        shown = await seen.until(GO_ON)
        assert '"Finish cancellation"' in shown
        assert "www.example.com" in shown
        assert "It ends your membership." in shown
        assert "Money     none found" in shown
        seen.type("y\n")
        await seen.until("RESULT True")


async def test_g2_everything_but_a_yes_is_a_no() -> None:
    async with asking(body=AGAIN) as seen:
        for number, typed in enumerate(["", "n", "no", "yes please", "x", " ", "1", "Y E S!"], 1):
            await seen.until(GO_ON, number)
            seen.type(f"{typed}\n")
            await seen.until("RESULT False", number)
        assert "RESULT True" not in seen.shown


@pytest.mark.parametrize("key", [CTRL_C, CTRL_D])
async def test_g2_ctrl_c_and_the_end_of_input_are_a_no(key: str) -> None:
    async with asking() as seen:
        await seen.until(GO_ON)
        seen.type(key)
        await seen.until("RESULT False")
        assert await seen.exit_code() == 0


async def test_after_the_answer_ctrl_c_ends_the_program_as_always() -> None:
    body = "await terminal.approve(CANCEL); print('GOING ON', flush=True); await asyncio.Event().wait()"
    async with asking(body=body) as seen:
        await seen.until(GO_ON)
        seen.type("\n")
        await seen.until("GOING ON")
        seen.type(CTRL_C)
        assert "KeyboardInterrupt" in await seen.until("KeyboardInterrupt")
        assert await seen.exit_code() != 0


def test_g2_without_a_terminal_nobody_is_asked_and_the_answer_is_no() -> None:
    done = subprocess.run(
        program(APPROVE.format(question="CANCEL")),
        input="y\n" * 3,
        capture_output=True,
        text=True,
        cwd=ROOT,
        start_new_session=True,
        timeout=60,
    )
    assert done.stdout == "RESULT False\n"


async def test_g2_a_pipe_cannot_answer_for_the_person_at_the_terminal() -> None:
    command = program(APPROVE.format(question="CANCEL"))
    quoted = ["/bin/sh", "-c", 'echo y | "$@"', "sh", *command]
    async with window(quoted) as seen:
        await seen.until(GO_ON)
        seen.type("\n")
        await seen.until("RESULT False")


async def test_g2_a_job_in_the_background_is_not_stopped_and_answers_no() -> None:
    body = (
        "import os; signal.signal(signal.SIGTTOU, signal.SIG_IGN); os.setpgid(0, 0); "
        + APPROVE.format(question="CANCEL")
    )
    # The leader of a session cannot leave its group, so another program leads.
    command = ["/bin/sh", "-c", '"$@"; true', "sh", *program(body)]
    async with window(command) as seen:
        await seen.until("RESULT False")


async def test_g3_no_answer_in_time_is_a_no() -> None:
    async with asking("replace(CANCEL, seconds=0.2)") as seen:
        assert "No answer in time" in await seen.until("RESULT False")


async def test_f11_an_answer_after_the_computer_slept_is_a_no() -> None:
    body = (
        "from subterminator.safety.clock import Clock; import itertools; "
        "hours = itertools.count(0, 3600); "
        "terminal = Terminal(clock=Clock(wall=lambda: float(next(hours)))); "
        + APPROVE.format(question="CANCEL")
    )
    async with asking(body=body) as seen:
        await seen.until(GO_ON)
        seen.type("y\n")
        await seen.until("RESULT False")


async def test_what_was_typed_before_the_question_answers_nothing() -> None:
    body = "print('READY', flush=True); sys.stdin.readline(); " + APPROVE.format(question="CANCEL")
    async with asking(body=body) as seen:
        await seen.until("READY")
        seen.type("go\ny\ny\n")
        await seen.until(GO_ON)
        assert "RESULT" not in seen.shown
        seen.type("\n")
        await seen.until("RESULT False")


async def test_a_red_gate_wants_the_amount() -> None:
    async with asking("PAY") as seen:
        await seen.until("Type 15.49 USD to go on")
        seen.type("15.49\n")
        await seen.until("RESULT True")


async def test_a_red_gate_takes_nothing_else_for_a_yes() -> None:
    async with asking("PAY", AGAIN) as seen:
        for number, typed in enumerate(["y", "yes", "15.48", "1", "", "USD"], 1):
            await seen.until("Type 15.49 USD to go on", number)
            seen.type(f"{typed}\n")
            await seen.until("RESULT False", number)
        assert "RESULT True" not in seen.shown


async def test_the_facts_can_be_shown_again() -> None:
    async with asking() as seen:
        await seen.until(GO_ON)
        seen.type("s\n")
        await seen.until(GO_ON, 2)
        assert seen.shown.count('"Finish cancellation"') == 2
        seen.type("y\n")
        await seen.until("RESULT True")


async def test_who_presses_it_themselves_has_not_told_us_to() -> None:
    async with asking() as seen:
        await seen.until(GO_ON)
        seen.type("m\n")
        await seen.until("Enter when you have, q to stop:")
        seen.type("\n")
        await seen.until("RESULT handed over True")


async def test_who_wanted_to_press_it_themselves_can_still_stop() -> None:
    async with asking() as seen:
        await seen.until(GO_ON)
        seen.type("m\n")
        await seen.until("Enter when you have, q to stop:")
        seen.type("q\n")
        await seen.until("RESULT False")


async def test_colours_are_for_who_wants_them_and_words_for_the_others() -> None:
    async with asking("PAY") as seen:
        assert "\x1b[1;31mCOSTS MONEY" in await seen.until("Type 15.49 USD")
    async with asking("PAY", NO_COLOR="1") as seen:
        assert "WARNING: COSTS MONEY" in await seen.until("Type 15.49 USD")
        assert "\x1b" not in seen.shown


async def test_plain_mode_numbers_the_choices() -> None:
    async with asking(body=AGAIN, NO_COLOR="1") as seen:
        for number, typed in enumerate(["1", "y"], 1):
            await seen.until(PLAIN, number)
            seen.type(f"{typed}\n")
            await seen.until("RESULT True", number)
        await seen.until(PLAIN, 3)
        seen.type("2\n")
        await seen.until("RESULT False")


async def test_a_page_cannot_steer_the_terminal() -> None:
    hostile = r"replace(CANCEL, button='\x1b[2J\x1b[1;1HKeep\u202e\r\nFee none')"
    async with asking(hostile, NO_COLOR="1") as seen:
        shown = await seen.until(PLAIN)
        assert "\x1b" not in shown
        assert "\u202e" not in shown
        assert "\nFee none" not in shown


async def test_g9_two_questions_are_asked_one_after_the_other() -> None:
    body = (
        "both = asyncio.gather(terminal.approve(CANCEL), terminal.approve(PAY)); "
        "print('RESULT', await both, flush=True)"
    )
    async with asking(body=body) as seen:
        await seen.until(GO_ON)
        assert "COSTS MONEY" not in seen.shown
        seen.type("y\n")
        await seen.until("Type 15.49 USD to go on")
        seen.type("y\n")
        await seen.until("RESULT [True, False]")


async def test_a_hand_over_says_what_is_needed_and_goes_on_at_enter() -> None:
    async with asking("PASSWORD", HAND_OVER) as seen:
        shown = await seen.until("q to stop:")
        assert "Only you may type into a password field." in shown
        assert "not read" in shown
        seen.type("\n")
        await seen.until("RESULT True")


async def test_a_hand_over_can_be_declined() -> None:
    async with asking("PASSWORD", HAND_OVER) as seen:
        await seen.until("q to stop:")
        seen.type("Q\n")
        await seen.until("RESULT False")


async def test_a_hand_over_ends_when_it_is_seen_to_be_done() -> None:
    body = (
        "waiting = asyncio.ensure_future(terminal.hand_over(PASSWORD)); "
        "asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, waiting.cancel); "
        "await asyncio.wait([waiting]); print('CANCELLED', waiting.cancelled(), flush=True); "
    )
    async with asking(body=body + APPROVE) as seen:
        await seen.until("q to stop:")
        seen.process.send_signal(signal.SIGUSR1)
        await seen.until("CANCELLED True")
        assert "No answer is needed here any more." in seen.shown
        await seen.until(GO_ON)
        seen.type("y\n")
        await seen.until("RESULT True")


async def test_a_no_may_carry_a_sentence_for_who_asked() -> None:
    body = (
        "from subterminator.errors import HumanRejected\n"
        "        try: await terminal.approve(CANCEL)\n"
        "        except HumanRejected as no: print('SAID', no.details['said'], no, flush=True)"
    )
    async with asking(body=body) as seen:
        await seen.until(GO_ON)
        seen.type("n, I want to keep it until Friday\n")
        await seen.until("SAID I want to keep it until Friday human_rejected: Not approved:")


async def test_ctrl_c_at_a_hand_over_does_not_say_that_it_is_done() -> None:
    body = HAND_OVER + "; print('STOPPED', terminal.interrupted, flush=True)"
    async with asking("PASSWORD", body) as seen:
        await seen.until("q to stop:")
        seen.type(CTRL_C)
        await seen.until("RESULT False")
        await seen.until("STOPPED True")

"""Open questions: one answer each, from someone else, to what was shown, in time."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine

import pytest
from msgspec.structs import replace

from subterminator.errors import ApprovalVoid, Refused
from subterminator.inbox import MOST_WAITING, Asked, Asker, Inbox, Settled
from subterminator.safety.clock import Clock
from subterminator.safety.human import Question
from tests.questions import CANCEL, PASSWORD, PAY, asked

AGENT = Asker("agent")


class Told(list[Asked | Settled]):
    def outcomes(self) -> list[str]:
        return [notice.outcome for notice in self if isinstance(notice, Settled)]


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def inbox(told: Told) -> Inbox:
    return Inbox(told.append)


async def asking(wait: Coroutine[None, None, bool]) -> asyncio.Task[bool]:
    task = asyncio.ensure_future(wait)
    await asyncio.wait({task}, timeout=0)
    return task


def answer(inbox: Inbox, question: Question, words: str, by: str = "window") -> bool:
    return inbox.answer(question.id, question.digest, words, by)


async def test_a_yes_is_a_yes_and_is_told(inbox: Inbox, told: Told) -> None:
    task = await asking(inbox.ask("approve", CANCEL, AGENT))
    assert [waiting.question for waiting in inbox.waiting()] == [CANCEL]
    assert answer(inbox, CANCEL, "yes")
    assert await task
    assert inbox.waiting() == ()
    assert told.outcomes() == ["yes"]


@pytest.mark.parametrize("words", ["", "no", "yes!", "ja", "true", "15.49"])
async def test_g1_other_words_are_a_no(inbox: Inbox, words: str) -> None:
    task = await asking(inbox.ask("approve", CANCEL, AGENT))
    assert not answer(inbox, CANCEL, words)
    assert not await task


async def test_a_red_question_wants_its_words(inbox: Inbox) -> None:
    for words, result in [("yes", False), ("15.49 USD", True), ("15.49", True)]:
        question = asked(PAY)
        task = await asking(inbox.ask("approve", question, AGENT))
        assert answer(inbox, question, words) is result
        assert await task is result


async def test_a_hand_over_is_done_when_the_person_says_so(inbox: Inbox) -> None:
    for words, result in [("done", True), ("", False), ("later", False)]:
        question = asked(PASSWORD)
        task = await asking(inbox.ask("hand_over", question, AGENT))
        assert answer(inbox, question, words) is result
        assert await task is result


async def test_g3_nobody_answers_in_time_and_that_is_a_no(inbox: Inbox, told: Told) -> None:
    question = replace(CANCEL, seconds=0.01)
    assert not await inbox.ask("approve", question, AGENT)
    assert told.outcomes() == ["expired"]
    with pytest.raises(ApprovalVoid, match="not open"):
        answer(inbox, question, "yes")


async def test_f11_after_the_computer_slept_the_question_is_too_old(told: Told) -> None:
    now = 1000.0
    inbox = Inbox(told.append, Clock(wall=lambda: now))
    task = await asking(inbox.ask("approve", CANCEL, AGENT))
    now += 3600
    assert inbox.waiting() == ()
    with pytest.raises(ApprovalVoid, match="too old"):
        answer(inbox, CANCEL, "yes")
    task.cancel()


async def test_g7_an_answer_counts_once(inbox: Inbox) -> None:
    task = await asking(inbox.ask("approve", CANCEL, AGENT))
    answer(inbox, CANCEL, "no")
    with pytest.raises(ApprovalVoid):
        answer(inbox, CANCEL, "yes")
    assert not await task


async def test_g9_answers_to_two_open_questions_cannot_cross(inbox: Inbox) -> None:
    first, second = asked(), asked()
    both = [await asking(inbox.ask("approve", question, AGENT)) for question in (first, second)]
    with pytest.raises(ApprovalVoid, match="another question"):
        inbox.answer(first.id, second.digest, "yes", "window")
    answer(inbox, second, "yes")
    answer(inbox, first, "no")
    assert [await task for task in both] == [False, True]


async def test_g9_a_question_cannot_take_the_place_of_an_open_one(inbox: Inbox) -> None:
    task = await asking(inbox.ask("approve", CANCEL, AGENT))
    assert not await inbox.ask("approve", replace(PAY, id=CANCEL.id), AGENT)
    answer(inbox, CANCEL, "yes")
    assert await task


async def test_g14_who_asked_cannot_answer(inbox: Inbox) -> None:
    task = await asking(inbox.ask("approve", CANCEL, AGENT))
    with pytest.raises(Refused, match="Who asked"):
        answer(inbox, CANCEL, "yes", by=AGENT.id)
    answer(inbox, CANCEL, "no")
    assert not await task


async def test_a_question_that_is_withdrawn_cannot_be_answered(inbox: Inbox, told: Told) -> None:
    task = await asking(inbox.ask("hand_over", PASSWORD, AGENT))
    task.cancel()
    await asyncio.wait({task})
    assert told.outcomes() == ["withdrawn"]
    with pytest.raises(ApprovalVoid):
        answer(inbox, PASSWORD, "done")


async def test_at_the_end_whoever_waits_is_told_no(inbox: Inbox) -> None:
    task = await asking(inbox.ask("approve", CANCEL, AGENT))
    inbox.close()
    assert not await task
    assert not await inbox.ask("approve", asked(), AGENT)


async def test_a_flood_of_questions_is_refused(inbox: Inbox) -> None:
    tasks = [await asking(inbox.ask("approve", asked(), AGENT)) for _ in range(MOST_WAITING)]
    assert not await inbox.ask("approve", asked(), AGENT)
    inbox.close()
    assert not any([await task for task in tasks])


async def test_a_question_without_a_time_does_not_wait_for_ever(inbox: Inbox) -> None:
    task = await asking(inbox.ask("approve", replace(CANCEL, seconds=0), AGENT))
    assert 0 < inbox.find(CANCEL.id).seconds_left < float("inf")
    inbox.close()
    assert not await task

"""The hub over its real socket: sessions, questions, watching, and clients that misbehave."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import msgspec
import pytest

from subterminator import control
from subterminator import hub as hubs
from subterminator.errors import (
    ApprovalVoid,
    ElementNotFound,
    HandedOver,
    InvalidParams,
    LimitReached,
    Refused,
    SubTerminatorError,
)
from subterminator.hub import Hub
from subterminator.inbox import Asked, Asker, Settled
from subterminator.machine import this_machine
from subterminator.page.snapshot import Snapshot
from subterminator.peers import Peer, only_people
from subterminator.runs.events import Event, Note
from subterminator.runs.record import MemoryRecord
from subterminator.safety.human import Human, Question
from tests.page.nodes import look
from tests.questions import CANCEL, PASSWORD, asked

AGENT = Asker("agent")


class Browser:
    """What a hub knows of a session."""

    def __init__(self, last_snapshot: Snapshot | None = None) -> None:
        self.last_snapshot = last_snapshot
        self.closed = False

    async def close(self) -> None:
        self.closed = True


class Somebody:
    """A channel that gives a fixed answer, or waits until it is no longer asked."""

    def __init__(self, says: bool | SubTerminatorError | None) -> None:
        self.says = says
        self.left = asyncio.Event()

    async def approve(self, question: Question) -> bool:
        if isinstance(self.says, SubTerminatorError):
            raise self.says
        if self.says is not None:
            return self.says
        try:
            return await asyncio.Event().wait()
        finally:
            self.left.set()

    hand_over = approve


def a_person(peer: Peer, askers: Iterable[int]) -> None:
    """Whoever connects sits at a terminal of their own."""


@pytest.fixture
async def hub(tmp_path: Path) -> AsyncIterator[Hub]:
    async with Hub(check=only_people(this_machine())) as hub:
        await hub.listen(str(tmp_path / "state"))
        yield hub


class Line:
    """A connection that can say anything, right or wrong."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer

    @classmethod
    async def to(cls, hub: Hub) -> Line:
        assert hub.path
        return cls(*await asyncio.open_unix_connection(hub.path, limit=control.LONGEST_REPLY))

    async def say(self, data: bytes) -> control.AnyReply:
        self.writer.write(data)
        return msgspec.json.decode(await self.hear(), type=control.AnyReply)  # type: ignore[no-any-return]

    async def ask(self, request: control.AnyRequest) -> control.AnyReply:
        return await self.say(control.write(request))

    async def hear(self) -> bytes:
        async with asyncio.timeout(20):
            return await self._reader.readline()

    async def notice(self) -> control.Notice:
        return msgspec.json.decode(await self.hear(), type=control.Notice)  # type: ignore[no-any-return]


@pytest.fixture
async def line(hub: Hub) -> AsyncIterator[Line]:
    line = await Line.to(hub)
    yield line
    line.writer.close()


async def begin(human: Human, question: Question) -> asyncio.Task[bool]:
    task = asyncio.ensure_future(human.approve(question))
    await asyncio.wait({task}, timeout=0)
    return task


# Sessions


def test_sessions_have_labels_or_numbers(hub: Hub) -> None:
    with hub.holding(Browser(), "netflix") as first, hub.holding(Browser()) as second:
        assert (first, second) == ("netflix", "s1")
        assert [info.id for info in hub.sessions()] == ["netflix", "s1"]
    assert hub.sessions() == ()


@pytest.mark.parametrize("label", ["Netflix", "../up", "a b", "-x", "x" * 41, "ü"])
def test_a_label_that_could_be_a_path_or_a_flag_is_refused(hub: Hub, label: str) -> None:
    with pytest.raises(InvalidParams), hub.holding(Browser(), label):
        pass


def test_two_sessions_cannot_have_one_label(hub: Hub) -> None:
    with (
        hub.holding(Browser(), "one"),
        pytest.raises(InvalidParams, match="already"),
        hub.holding(Browser(), "one"),
    ):
        pass


async def test_there_is_a_limit_to_how_many_sessions_there_are() -> None:
    hub = Hub(check=a_person, sessions=1)
    with hub.holding(Browser()), pytest.raises(LimitReached), hub.holding(Browser()):
        pass


async def test_sessions_are_listed_without_what_follows_the_path(hub: Hub, line: Line) -> None:
    browser = Browser(look(url="https://user:pass@shop.example/account?token=secret#x"))
    with hub.holding(browser, "shop"):
        reply = await line.ask(control.ListSessions())
        info = control.SessionInfo("shop", "https://shop.example/account")
        assert reply == control.SessionList((info,))


async def test_a_session_is_stopped_from_outside(hub: Hub, line: Line) -> None:
    browser = Browser()
    with hub.holding(browser, "shop"):
        assert await line.ask(control.Stop("shop")) == control.Stopped("shop")
        assert browser.closed
        reply = await line.ask(control.Stop("shop"))
        assert isinstance(reply, control.Fault)
        assert reply.code == ElementNotFound.code


# Questions


@pytest.fixture
async def trusting(tmp_path: Path) -> AsyncIterator[Hub]:
    """A hub to which every client is a person."""
    async with Hub(check=a_person) as hub:
        await hub.listen(str(tmp_path / "trusting"))
        yield hub


async def test_a_person_answers_over_the_socket(trusting: Hub) -> None:
    line = await Line.to(trusting)
    task = await begin(trusting.human(AGENT), CANCEL)
    listed = await line.ask(control.ListWaiting())
    assert isinstance(listed, control.WaitingList)
    shown = await line.ask(control.Show(CANCEL.id))
    assert isinstance(shown, control.Shown)
    assert listed.waiting[0].question == shown.waiting.question == CANCEL
    reply = await line.ask(control.Answer(CANCEL.id, CANCEL.digest, "yes"))
    assert reply == control.Taken(CANCEL.id, True)
    assert await task
    again = await line.ask(control.Answer(CANCEL.id, CANCEL.digest, "yes"))
    assert isinstance(again, control.Fault)
    line.writer.close()


async def test_g1_a_no_over_the_socket_is_a_no(trusting: Hub) -> None:
    line = await Line.to(trusting)
    task = await begin(trusting.human(AGENT), CANCEL)
    reply = await line.ask(control.Answer(CANCEL.id, CANCEL.digest, "no"))
    assert reply == control.Taken(CANCEL.id, False)
    assert not await task
    line.writer.close()


async def test_g9_an_answer_to_one_question_cannot_be_given_to_another(trusting: Hub) -> None:
    line = await Line.to(trusting)
    first, second = asked(), asked()
    tasks = [await begin(trusting.human(AGENT), question) for question in (first, second)]
    crossed = await line.ask(control.Answer(first.id, second.digest, "yes"))
    assert isinstance(crossed, control.Fault)
    assert crossed.code == ApprovalVoid.code
    await line.ask(control.Answer(second.id, second.digest, "no"))
    await line.ask(control.Answer(first.id, first.digest, "yes"))
    assert [await task for task in tasks] == [True, False]
    line.writer.close()


async def test_g14_the_process_that_asks_cannot_answer(hub: Hub, line: Line) -> None:
    task = await begin(hub.human(AGENT), CANCEL)
    reply = await line.ask(control.Answer(CANCEL.id, CANCEL.digest, "yes"))
    assert isinstance(reply, control.Fault)
    assert reply.code == Refused.code
    assert not task.done()
    assert hub.inbox.waiting()
    task.cancel()


async def test_g14_every_asker_named_for_a_question_is_checked(tmp_path: Path) -> None:
    checked: list[set[int]] = []
    async with Hub(check=lambda peer, askers: checked.append(set(askers))) as hub:
        await hub.listen(str(tmp_path / "state"))
        line = await Line.to(hub)
        task = await begin(hub.human(Asker("agent", (4711,))), CANCEL)
        await line.ask(control.Answer(CANCEL.id, CANCEL.digest, "no"))
        assert not await task
        assert checked == [{os.getpid(), 4711}]
        line.writer.close()


async def test_when_the_hub_ends_the_answer_is_no(tmp_path: Path) -> None:
    async with Hub(check=a_person) as hub:
        path = await hub.listen(str(tmp_path / "state"))
        task = await begin(hub.human(AGENT), CANCEL)
    assert not await task
    assert not path.exists()


# Channels


async def test_the_first_channel_that_answers_counts_and_the_others_are_left(hub: Hub) -> None:
    slow = Somebody(None)
    assert await hub.human(AGENT, slow, Somebody(True)).approve(CANCEL)
    assert slow.left.is_set()
    assert hub.inbox.waiting() == ()


async def test_channels_that_disagree_mean_no(hub: Hub) -> None:
    assert not await hub.human(AGENT, Somebody(True), Somebody(False)).approve(CANCEL)


async def test_a_person_may_answer_elsewhere_than_in_the_terminal(trusting: Hub) -> None:
    terminal = Somebody(None)
    task = asyncio.ensure_future(trusting.human(AGENT, terminal).hand_over(PASSWORD))
    line = await Line.to(trusting)
    await line.ask(control.ListWaiting())
    await line.ask(control.Answer(PASSWORD.id, PASSWORD.digest, "done"))
    assert await task
    assert terminal.left.is_set()
    line.writer.close()


async def test_who_presses_it_themselves_is_heard_through_the_hub(hub: Hub) -> None:
    themselves = Somebody(HandedOver("They press it.", done=True))
    with pytest.raises(HandedOver):
        await hub.human(AGENT, themselves).approve(CANCEL)
    assert hub.inbox.waiting() == ()


# Watching


async def test_who_watches_sees_questions_and_what_happens(hub: Hub, line: Line) -> None:
    early = await begin(hub.human(AGENT), CANCEL)
    assert await line.ask(control.Watch()) == control.Watching()
    first = await line.notice()
    assert isinstance(first, Asked)
    assert first.waiting.question == CANCEL
    early.cancel()
    assert await line.notice() == Settled(CANCEL.id, "withdrawn")
    record = MemoryRecord()
    hub.watched(record, "s1").append(Note("Next, 4111 1111 1111 1111"))
    told = await line.notice()
    assert isinstance(told, control.Told)
    assert told.session == "s1"
    assert b"Next" in bytes(told.event) and b"4111" not in bytes(told.event)
    assert msgspec.json.decode(told.event, type=Event) == record.events[0]


async def test_who_watches_and_leaves_is_forgotten(hub: Hub, line: Line) -> None:
    await line.ask(control.Watch())
    line.writer.close()
    await line.writer.wait_closed()
    async with asyncio.timeout(20):
        await asyncio.gather(*hub._talking)
    assert not hub._watchers


async def test_p15_who_watches_but_does_not_read_is_dropped_and_harms_nobody(hub: Hub) -> None:
    deaf, other = await Line.to(hub), await Line.to(hub)
    await deaf.ask(control.Watch())
    deaf.writer.transport.pause_reading()  # type: ignore[attr-defined]
    record = hub.watched(MemoryRecord(), "s1")
    for _ in range(20 * hubs.MOST_NOTICES):
        record.append(Note("x" * 400))
    assert not hub._watchers
    assert isinstance(await other.ask(control.ListWaiting()), control.WaitingList)
    deaf.writer.close()
    other.writer.close()


# Clients that misbehave


@pytest.mark.parametrize("junk", [b"hello\n", b"{}\n", b"\xff\xfe\n", b"[" * 9000 + b"\n"])
async def test_p12_junk_is_answered_and_the_conversation_goes_on(line: Line, junk: bytes) -> None:
    reply = await line.say(junk)
    assert isinstance(reply, control.Fault)
    assert reply.code == InvalidParams.code
    assert isinstance(await line.ask(control.ListWaiting()), control.WaitingList)


async def test_p13_a_line_without_end_is_answered_and_ends_the_conversation(line: Line) -> None:
    reply = await line.say(b"x" * (control.LONGEST_REQUEST * 2))
    assert isinstance(reply, control.Fault)
    assert await line.hear() == b""


async def test_half_a_line_is_not_taken_for_a_request(hub: Hub, line: Line) -> None:
    with hub.holding(browser := Browser(), "shop"):
        line.writer.write(control.write(control.Stop("shop")).rstrip(b"\n"))
        line.writer.write_eof()
        assert b"fault" in await line.hear()
        assert not browser.closed


async def test_too_many_connections_are_refused(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "MOST_CONNECTIONS", 2)
    lines = [await Line.to(hub) for _ in range(3)]
    replies = [await line.ask(control.ListWaiting()) for line in lines]
    assert [isinstance(reply, control.Fault) for reply in replies] == [False, False, True]
    for line in lines:
        line.writer.close()


async def test_who_says_nothing_is_not_waited_for(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hubs, "IDLE_SECONDS", 0.01)
    line = await Line.to(hub)
    assert await line.hear() == b""
    line.writer.close()


async def test_two_hubs_live_side_by_side(hub: Hub, trusting: Hub, tmp_path: Path) -> None:
    async with Hub(check=a_person) as third:
        path = await third.listen(str(tmp_path / "trusting"))
        assert set(control.sockets(str(tmp_path / "trusting"))) == {path, trusting.path}
    assert control.sockets(str(tmp_path / "trusting")) == [trusting.path]

"""The control socket: who can reach it, where it is, and what its messages may be."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from subterminator import control
from subterminator.errors import ActionFailed, InvalidParams
from subterminator.inbox import Waiting
from tests.questions import CANCEL


@pytest.fixture
def state(tmp_path: Path) -> str:
    return str(tmp_path / "state")


@pytest.fixture
def listening(state: str) -> Iterator[Path]:
    server, path = control.listen(state, "first")
    with server:
        yield path


def test_p20_only_this_user_can_reach_the_socket(listening: Path) -> None:
    assert stat.S_IMODE(listening.stat().st_mode) == 0o600
    assert stat.S_IMODE(listening.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(listening.parent.parent.stat().st_mode) == 0o700


def test_p20_a_folder_others_can_look_into_is_refused(state: str) -> None:
    Path(state).mkdir(mode=0o700)
    folder = Path(state, "hubs")
    folder.mkdir()
    folder.chmod(0o755)
    with pytest.raises(InvalidParams, match="open to other users"):
        control.listen(state, "hub")
    with pytest.raises(InvalidParams, match="open to other users"):
        control.sockets(state)


def test_p20_a_link_in_place_of_the_folder_is_refused(state: str, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    Path(state).mkdir(mode=0o700)
    Path(state, "hubs").symlink_to(elsewhere)
    for use in (lambda: control.listen(state, "hub"), lambda: control.sockets(state)):
        with pytest.raises(InvalidParams, match="is a link"):
            use()
    assert list(elsewhere.iterdir()) == []


def test_p20_a_link_in_place_of_a_socket_is_passed_over(listening: Path, state: str) -> None:
    (listening.parent / "fake.sock").symlink_to(listening)
    (listening.parent / "file.sock").write_text("", encoding="utf-8")
    assert control.sockets(state) == [listening]


def test_p20_a_link_under_the_name_of_a_new_socket_is_not_followed(state: str) -> None:
    Path(state).mkdir(mode=0o700)
    folder = Path(state, "hubs")
    folder.mkdir(mode=0o700)
    (folder / ".hub.new").symlink_to("/nowhere/at/all")
    with pytest.raises(ActionFailed):
        control.listen(state, "hub")


def test_the_socket_of_a_dead_hub_is_removed_and_of_a_living_one_kept(
    listening: Path, state: str
) -> None:
    dead, gone = control.listen(state, "dead")
    dead.close()
    assert set(control.sockets(state)) == {listening, gone}
    with control.listen(state, "new")[0]:
        assert {path.name for path in control.sockets(state)} == {"first.sock", "new.sock"}


def test_a_path_too_long_for_a_socket_gets_a_short_folder(tmp_path: Path) -> None:
    state = str(tmp_path / ("deep" * 30))
    server, path = control.listen(state, "hub")
    try:
        assert len(os.fsencode(path)) < 100
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert control.sockets(state) == [path]
        other = control.socket_folders(str(tmp_path))[1]
        assert other != path.parent
    finally:
        server.close()
        path.unlink()
        path.parent.rmdir()


def test_no_hubs_no_sockets(state: str) -> None:
    assert control.sockets(state) == []


def test_a_hub_that_is_gone_is_an_error_that_says_so(state: str, listening: Path) -> None:
    with pytest.raises(ActionFailed, match="No hub answers"):
        control.Client(listening.with_name("other.sock"))


def test_a_hub_that_says_nothing_does_not_hold_its_client_for_ever(listening: Path) -> None:
    with control.Client(listening) as client:
        client._socket.settimeout(0.05)
        with pytest.raises(Exception, match="does not answer"):
            client.ask(control.ListWaiting())


def test_a_question_survives_the_wire() -> None:
    shown = control.Shown(Waiting("approve", "agent", CANCEL, 60.0))
    line = control.write(shown)
    assert line.count(b"\n") == 1
    assert msgspec.json.decode(line, type=control.AnyReply) == shown


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"null",
        b"[]",
        b"{}",
        b'{"ask":"waiting","ask":1}',
        b'{"ask":"approve"}',
        b'{"ask":"answer","id":"a","digest":"b"}',
        b'{"ask":"answer","id":"a","digest":"b","words":1}',
        b'{"ask":"answer","id":"a","digest":"b","words":"y","yes":true}',
        b'{"ask":"waiting","more":NaN}',
        b'{"ask":"\xff"}',
        b"[" * 10_000,
        b'{"ask":{"ask":' * 3_000,
    ],
)
def test_what_is_no_request_is_refused(line: bytes) -> None:
    with pytest.raises(InvalidParams, match="no request"):
        control.read_request(line)


@given(st.binary(max_size=200))
def test_no_bytes_at_all_break_the_reader(line: bytes) -> None:
    try:
        control.read_request(line)
    except InvalidParams:
        pass


@pytest.mark.parametrize(
    "request_",
    [
        control.ListWaiting(),
        control.Show("a"),
        control.Answer("a", "b", "yes"),
        control.Watch(),
        control.ListSessions(),
        control.Stop("s1"),
    ],
)
def test_every_request_reads_as_it_was_written(request_: control.AnyRequest) -> None:
    assert control.read_request(control.write(request_)) == request_


def test_a_system_without_unix_sockets_says_so(monkeypatch: pytest.MonkeyPatch, state: str) -> None:
    monkeypatch.delattr(socket, "AF_UNIX")
    with pytest.raises(ActionFailed, match="no Unix sockets"):
        control.listen(state, "hub")

"""Who may answer: process trees written down, and the real one."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest

from subterminator.errors import Refused
from subterminator.machine import this_machine
from subterminator.peers import Peer, Process, check_person, peer_of, processes
from tests.machines import Computer

PTS0, PTS1, PTS2, CONSOLE = 136 << 8, (136 << 8) + 1, (137 << 8) + 2, (4 << 8) + 1

Row = tuple[int, str, int, int, int]
"""Number, name, parent, session, terminal."""

WINDOWS: list[Row] = [
    (1, "systemd", 0, 1, 0),
    (50, "systemd", 1, 50, 0),
    (60, "gnome-terminal", 50, 60, 0),
    (70, "bash", 60, 70, PTS0),
    (80, "bash", 60, 80, PTS1),
    (81, "subterminator", 80, 80, PTS1),
]
"""Two windows of one terminal program; `approve` (81) runs in the second."""

APPROVE = 81


def tree(*more: Row, rows: list[Row] = WINDOWS) -> Computer:
    return Computer(
        files={
            f"/proc/{pid}/stat": f"{pid} ({name}) S {parent} {session} {session} {tty} -1 0"
            for pid, name, parent, session, tty in [*rows, *more]
        }
    )


def may_answer(computer: Computer, *askers: int, peer: int = APPROVE) -> bool:
    try:
        check_person(processes(computer.machine()), Peer(peer, 1000), askers)
    except Refused as fault:
        assert "terminal" in str(fault)
        return False
    return True


def test_a_person_in_another_window_may_answer() -> None:
    hub = (71, "subterminator", 70, 70, PTS0)
    assert may_answer(tree(hub), 71)


def test_g14_what_has_no_terminal_is_no_person() -> None:
    hub = (71, "subterminator", 70, 70, PTS0)
    daemon = (90, "curl", 1, 90, 0)
    assert not may_answer(tree(hub, daemon), 71, peer=90)


def test_g14_the_asker_cannot_answer_itself() -> None:
    assert not may_answer(tree(), APPROVE)


def test_g14_the_session_of_the_asker_cannot_answer() -> None:
    hub = (71, "subterminator", 70, 70, PTS0)
    other = (72, "subterminator", 70, 70, PTS0)
    assert not may_answer(tree(hub, other), 71, peer=72)


def test_g14_an_agent_in_a_terminal_cannot_answer_through_a_terminal_it_makes() -> None:
    agent = (71, "agent", 70, 70, PTS0)
    hub = (72, "subterminator", 71, 72, 0)
    made = (73, "subterminator", 71, 73, PTS2)
    assert not may_answer(tree(agent, hub, made), 72, peer=73)
    assert may_answer(tree(agent, hub, made), 72)


def test_g14_an_agent_that_gives_every_command_a_terminal_cannot_answer() -> None:
    agent = (71, "agent", 70, 70, PTS0)
    shell = (72, "sh", 71, 72, PTS2)
    hub = (73, "subterminator", 72, 72, PTS2)
    made = (74, "subterminator", 71, 74, PTS2 + 1)
    assert not may_answer(tree(agent, shell, hub, made), 73, peer=74)


def test_g14_an_agent_without_a_terminal_cannot_answer_through_one_it_makes() -> None:
    editor = (90, "editor", 50, 90, 0)
    wrapper = (91, "uvx", 90, 90, 0)
    hub = (92, "subterminator", 91, 90, 0)
    shell = (93, "bash", 90, 93, PTS2)
    made = (94, "subterminator", 93, 93, PTS2)
    assert not may_answer(tree(editor, wrapper, hub, shell, made), 92, peer=94)
    assert may_answer(tree(editor, wrapper, hub, shell, made), 92)


def test_g14_a_program_that_asked_over_a_connection_cannot_answer() -> None:
    hub = (71, "subterminator", 50, 71, 0)
    client = (72, "agent", 70, 70, PTS0)
    made = (73, "subterminator", 72, 73, PTS2)
    assert not may_answer(tree(hub, client, made), 71, 72, peer=73)
    assert may_answer(tree(hub, client, made), 71, 72)


def test_a_desktop_started_from_the_console_does_not_make_all_windows_one() -> None:
    rows: list[Row] = [
        (40, "login", 1, 40, CONSOLE),
        (41, "sway", 40, 40, CONSOLE),
        (42, "foot", 41, 40, CONSOLE),
        (70, "bash", 42, 70, PTS0),
        (71, "subterminator", 70, 70, PTS0),
        (43, "foot", 41, 40, CONSOLE),
        (80, "bash", 43, 80, PTS1),
        (81, "subterminator", 80, 80, PTS1),
    ]
    assert may_answer(tree(rows=rows), 71)


def test_on_the_bare_console_another_console_answers() -> None:
    hub = (71, "subterminator", 41, 40, CONSOLE)
    rows: list[Row] = [(40, "login", 1, 40, CONSOLE), (41, "agent", 40, 40, CONSOLE), hub]
    made = (73, "subterminator", 41, 73, PTS2)
    other = (81, "subterminator", 1, 81, CONSOLE + 1)
    assert not may_answer(tree(made, other, rows=rows), 71, peer=73)
    assert may_answer(tree(made, other, rows=rows), 71)


def test_what_cannot_be_seen_is_no_person() -> None:
    hub = (71, "subterminator", 70, 70, PTS0)
    with pytest.raises(Refused, match="cannot be seen"):
        check_person(processes(tree(hub).machine()), Peer(4711, 1000), [71])


def test_an_asker_that_has_ended_stands_in_nobodys_way() -> None:
    assert may_answer(tree(), 4711)


@pytest.mark.parametrize("name", ["a b", "a) S 1 1 1", "(", ")", ""])
def test_a_program_cannot_lie_with_its_name(name: str) -> None:
    look = processes(tree((90, name, 70, 70, PTS0)).machine())
    assert look(90) == Process(90, 70, 70, "pseudo", name)


@pytest.mark.parametrize("text", ["", "90", "90 (sh) S", "90 (sh) S a b c d"])
def test_what_cannot_be_read_is_nothing(text: str) -> None:
    assert processes(Computer(files={"/proc/90/stat": text}).machine())(90) is None


def test_a_circle_of_parents_ends() -> None:
    first, second = (90, "a", 91, 90, PTS2), (91, "b", 90, 90, PTS2)
    assert may_answer(tree((71, "subterminator", 70, 70, PTS0), first, second), 71, peer=90)


@pytest.mark.parametrize(
    ("terminal", "kind"),
    [("ttys003", "pseudo"), ("pts/1", "pseudo"), ("console", "console"), ("??", "none")],
)
def test_where_there_is_no_proc_ps_answers(terminal: str, kind: str) -> None:
    computer = Computer("darwin", programs={"ps": f"  {os.getppid()} {terminal}  /bin/my shell\n"})
    found = processes(computer.machine())(os.getpid())
    assert found
    assert (found.parent, found.terminal, found.name) == (os.getppid(), kind, "my shell")
    assert found.session == os.getsid(0)


def test_where_ps_says_nothing_there_is_nothing() -> None:
    assert processes(Computer("darwin").machine())(os.getpid()) is None


def test_this_process_is_seen_as_it_is() -> None:
    found = processes(this_machine())(os.getpid())
    assert found
    assert (found.parent, found.session) == (os.getppid(), os.getsid(0))


def test_the_other_end_of_a_socket_is_known() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert peer_of(ours) == Peer(os.getpid(), os.geteuid())


def test_a_socket_that_says_nothing_of_its_peer_is_refused() -> None:
    with socket.socket() as unconnected:
        unconnected.close()
        with pytest.raises(Refused):
            peer_of(unconnected)


def test_a_process_that_has_ended_is_not_seen() -> None:
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    assert processes(this_machine())(done.pid) is None

"""`subterminator cancel` as a person and a script use it; the planner plays a fixed part."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from subterminator.doors.approval import look_around
from subterminator.doors.browsing import has_screen
from subterminator.doors.cancel import exit_code
from subterminator.doors.menu import listed
from subterminator.gym.scene import Setup
from subterminator.gym.server import Addresses, gym
from subterminator.runs.events import Closed
from subterminator.runs.store import Store
from subterminator.safety.ledger import Ledger
from tests.doors.conducts import ended
from tests.engine import processes
from tests.gym.visitor import Visitor
from tests.machines import Computer
from tests.terminals import CTRL_C, ROOT, Window, window

GO_ON = "I will press it myself:"
CODES = [
    ("cancelled", "completed", True, 0),
    ("cancelled", "completed", False, 7),
    ("already_cancelled", "completed", True, 0),
    ("third_party", "off_site", False, 5),
    ("manual_required", "off_site", False, 5),
    ("pending", "pending", False, 6),
    ("unverified", "verification_failed", False, 7),
    ("failed", "completed", False, 1),
    ("failed", "browser_error", False, 1),
    ("stopped", "human_rejected", False, 8),
    ("stopped", "unsafe", False, 8),
    ("stopped", "loop", False, 8),
    ("stopped", "time_limit", False, 8),
    ("stopped", "max_turns_exceeded", False, 8),
    ("stopped", "llm_error", False, 1),
]


class Home:
    """A user with folders of their own, who can start the command in any way."""

    def __init__(self, folder: Path) -> None:
        self.state = folder / "state" / "subterminator"
        self.environ = {
            **{name: "" for name in os.environ if name.startswith("SUBTERMINATOR_")},
            "XDG_STATE_HOME": str(folder / "state"),
            "XDG_DATA_HOME": str(folder / "data"),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "TMPDIR": str(folder),
            "DISPLAY": "",
            "WAYLAND_DISPLAY": "",
        }

    def run(self, *arguments: str, part: str = "plain", **more: str) -> tuple[int, str, str]:
        """Without a terminal; gives exit code, output and errors."""
        done = subprocess.run(
            command(part, *arguments),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**os.environ, **self.environ, **more},
            start_new_session=True,
            timeout=50,
        )
        return done.returncode, done.stdout, done.stderr

    async def run_meanwhile(self, *arguments: str, **more: str) -> tuple[int, str, str]:
        """The same while the practice site answers."""
        return await asyncio.to_thread(lambda: self.run(*arguments, **more))

    @asynccontextmanager
    async def at_terminal(
        self, *arguments: str, part: str = "plain", **more: str
    ) -> AsyncIterator[Window]:
        async with window(command(part, *arguments), {**self.environ, **more}) as seen:
            yield seen

    def ledger(self) -> list[str]:
        ledger = Ledger(self.state)
        try:
            return [row.state for row in ledger.rows()]
        finally:
            ledger.close()

    def last_line(self) -> object:
        store = Store(self.state)
        return store.read(store.find("last")).lines[-1].event


def command(part: str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "tests.doors.conducts", part, *arguments]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.fixture(scope="module")
async def addresses() -> AsyncIterator[Addresses]:
    async with gym(Setup(seed=4)) as running:
        yield running


@pytest.fixture
def visitor(addresses: Addresses, request: pytest.FixtureRequest) -> Visitor:
    return Visitor(addresses.site, "p01-plain", f"s{abs(hash(request.node.name)) % 10**9}")


def at(visitor: Visitor) -> tuple[str, str]:
    return "--url", f"{visitor.site}/{visitor.flow}/account?sid={visitor.sid}"


async def state(visitor: Visitor) -> object:
    return (await visitor.state())["account_state"]


# Exit codes


@pytest.mark.parametrize(("outcome", "reason", "success", "code"), CODES)
def test_every_end_has_its_exit_code(outcome: str, reason: str, success: bool, code: int) -> None:
    assert exit_code(ended(outcome, reason=reason, success=success)) == code


def test_a_dry_run_at_the_gate_is_3_and_a_missing_person_4() -> None:
    stopped = ended("stopped", reason="human_rejected")
    assert exit_code(stopped, rehearsed=True) == 3
    assert exit_code(stopped, needed=True) == 4
    assert exit_code(ended("failed", reason="llm_error"), needed=True) == 4
    assert exit_code(ended("stopped", reason="loop"), needed=True) == 8


# One clear sentence, before any browser


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["netflx"], 2, "There is no pack for 'netflx'. Did you mean netflix?"),
        ([], 2, "Name the service: there is no terminal here to choose at."),
        (["--no-input"], 2, "Name the service."),
        (["netflix", "--service", "hulu"], 2, "Two services are named."),
        (["--url", "file:///etc/passwd"], 2, "is not the address of a web page."),
        (["netflix", "--approve", "final"], 2, "--approve goes with --no-input."),
        (["netflix", "--browser", "/nowhere/chrome"], 9, "/nowhere/chrome"),
        (["netflix", "--show"], 9, "There is no screen here to show a window on."),
        (["netflix", "--attach", "http://127.0.0.1:9"], 9, "No browser answers at"),
    ],
)
def test_what_cannot_begin_is_one_sentence_and_its_code(
    home: Home, arguments: list[str], code: int, words: str
) -> None:
    got, output, errors = home.run(*arguments)
    assert (got, output) == (code, "")
    assert words in errors
    assert errors.count("\n") == 1


def test_a_busy_profile_is_one_sentence_and_code_9(home: Home, tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    profile.mkdir()
    with socket.socket(socket.AF_UNIX) as browser:
        browser.bind(str(tmp_path / "s"))
        browser.listen()
        (profile / "SingletonSocket").symlink_to(tmp_path / "s")
        code, _, errors = home.run("netflix", "--no-input", "--profile-dir", str(profile))
    assert code == 9
    assert "is in use by another browser. Close that one" in errors
    assert errors.count("\n") == 1


def test_a_wrong_variable_is_code_2(home: Home) -> None:
    code, _, errors = home.run("netflix", SUBTERMINATOR_MAX_TURNS="many")
    assert code == 2
    assert "max_turns is 'many'; expected a whole number" in errors


def test_what_the_web_cannot_do_needs_no_browser(home: Home) -> None:
    code, output, _ = home.run("planet fitness", "--browser", "/nowhere/chrome")
    assert code == 5
    assert "Not cancelled: this cannot be done on the web." in output
    assert "certified mail" in output
    assert "[your name]" in output
    report = output.rpartition("Report: ")[2].strip()
    assert Path(report).is_file()


def test_no_json_line_is_anything_but_json(home: Home) -> None:
    code, output, errors = home.run("planet-fitness", "--json", "--no-checkpoint")
    events = [msgspec.json.decode(line) for line in output.splitlines()]
    assert (code, errors) == (5, "")
    assert [event["event"] for event in events] == ["note", "result"]
    assert "still ask" in events[0]["text"]
    assert (events[1]["outcome"], events[1]["exit_code"]) == ("manual_required", 5)
    code, output, _ = home.run("netflx", "--json")
    assert (code, msgspec.json.decode(output)["exit_code"]) == (2, 2)


# In a browser


async def test_without_a_terminal_it_stops_at_the_gate(home: Home, visitor: Visitor) -> None:
    code, output, _ = await home.run_meanwhile(*at(visitor))
    lines = output.splitlines()
    assert code == 4
    assert lines[:4] == [
        "[1/4] Opening it in your browser",
        "[1/4] Found it: active",
        "[2/4] Declined: 50 % for 3 months",
        "[3/4] The last step",
    ]
    assert "WARNING: 127.0.0.1: Stopped: a person is needed. Nothing was cancelled." in lines
    assert any(line.startswith("A person has to answer: It ends") for line in lines)
    assert home.ledger() == ["REVOKED"]
    assert isinstance(home.last_line(), Closed)


async def test_g10_no_flag_covers_the_last_step(home: Home, visitor: Visitor) -> None:
    flags = ("--no-checkpoint", "--no-input", "--approve", "final")
    code, output, _ = await home.run_meanwhile(*at(visitor), *flags)
    assert (code, await state(visitor)) == (4, "active")
    assert "The last step, money and deleting still ask: no flag covers these." in output
    assert "There is no" in output and "Make it with a dry run." in output
    assert home.ledger() == ["REVOKED"]


async def test_g10_an_approval_file_of_a_dry_run_presses_once(home: Home, visitor: Visitor) -> None:
    code, output, _ = await home.run_meanwhile(
        *at(visitor), "--dry-run", "--json", SUBTERMINATOR_NO_PROMPTS="1"
    )
    last = msgspec.json.decode(output.splitlines()[-1])
    assert (code, last["dry_run"], await state(visitor)) == (3, True, "active")
    file = Path(last["approval_file"])
    assert file.stat().st_mode & 0o777 == 0o600
    code, output, _ = await home.run_meanwhile(*at(visitor), "--no-input", "--approve", "final")
    assert (code, await state(visitor)) == (0, "cancelled")
    assert not file.exists()
    await visitor.request("POST", f"{visitor.site}/__reset?flow=p01-plain&sid={visitor.sid}")
    (home.state / "ledger.sqlite").unlink(missing_ok=True)
    code, output, _ = await home.run_meanwhile(*at(visitor), "--no-input", "--approve", "final")
    assert (code, await state(visitor)) == (4, "active")
    assert "Make it with a dry run." in output


async def test_a_person_chooses_sees_the_gate_and_says_yes(home: Home) -> None:
    async with home.at_terminal("--target", "mock") as seen:
        await seen.until("Number or name; Enter alone: nothing:")
        assert "  1  " in seen.shown
        seen.type("spotfy\n")
        await seen.until("Did you mean spotify?")
        await seen.until("Number or name; Enter alone: nothing:", times=2)
        seen.type("Spotify\n")
        shown = await seen.until(GO_ON)
        assert "This is the practice site" in shown
        assert "[2/4] Declined: 50 % for 3 months" in shown
        assert '"Confirm cancellation"' in shown
        seen.type("y\n")
        await seen.until("Report: ")
        assert "\x1b[1;32m" in seen.shown
        assert "Cancelled, and the account page shows it." in seen.shown
        assert await seen.exit_code() == 0
    assert not (home.state / "ledger.sqlite").exists()


async def test_a_no_with_a_sentence_reaches_the_result(home: Home, visitor: Visitor) -> None:
    async with home.at_terminal(*at(visitor), "--plain") as seen:
        await seen.until("Enter alone: no.")
        seen.type("n, I want to keep it until Friday\n")
        await seen.until("Report: ")
        assert 'You said no: "I want to keep it until Friday"' in seen.shown
        assert "\x1b" not in seen.shown
        assert await seen.exit_code() == 8
    assert await state(visitor) == "active"


async def test_ctrl_c_at_the_gate_presses_nothing(home: Home, visitor: Visitor) -> None:
    async with home.at_terminal(*at(visitor)) as seen:
        await seen.until(GO_ON)
        seen.type(CTRL_C)
        assert await seen.exit_code() == 130
    assert await state(visitor) == "active"
    assert home.ledger() == ["REVOKED"]
    assert isinstance(home.last_line(), Closed)


async def test_ctrl_c_on_the_way_closes_the_browser_and_the_record(
    home: Home, visitor: Visitor
) -> None:
    async with home.at_terminal(*at(visitor), part="stuck") as seen:
        await seen.until("Thinking")
        family = processes.family(seen.process.pid)[1:]
        assert processes.browsers(seen.process.pid)
        seen.type(CTRL_C)
        assert await seen.exit_code() == 130
        assert "Interrupted." in await seen.until("Interrupted.")
        assert "Traceback" not in seen.shown
    assert await processes.ended(family) == []
    assert isinstance(home.last_line(), Closed)


async def test_ctrl_c_after_the_press_says_so_and_the_ledger_knows(
    home: Home, visitor: Visitor
) -> None:
    async with home.at_terminal(*at(visitor), part="stuck_after_press") as seen:
        await seen.until(GO_ON)
        seen.type("y\n")
        await seen.until("Checking the account page...")
        seen.type(CTRL_C)
        await seen.until("The last button was pressed before it was stopped.")
        assert await seen.exit_code() == 130
    assert await state(visitor) == "cancelled"
    assert home.ledger() == ["UNKNOWN"]


async def test_verbose_tells_every_action(home: Home, visitor: Visitor) -> None:
    code, output, _ = await home.run_meanwhile(*at(visitor), "--verbose", "--no-input")
    assert code == 4
    assert "intent: navigate" in output
    assert "ledger: REVOKED" in output


@pytest.mark.skipif(sys.platform != "linux", reason="asks processes")
async def test_a_practice_run_that_waits_is_found_by_approve(home: Home) -> None:
    process = await asyncio.create_subprocess_exec(
        *command("plain", "spotify", "--target", "mock", "--wait"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        cwd=ROOT,
        env={**os.environ, **home.environ},
        start_new_session=True,
    )
    try:
        assert await processes.until(lambda: look_around(str(home.state)), 60)
        (found,) = look_around(str(home.state))
        assert found.waiting.asker.startswith("cancel ")
    finally:
        process.terminate()
        await process.wait()


# Small things


def test_a_screen_is_known_by_its_variables() -> None:
    assert not has_screen(Computer().machine())
    assert has_screen(Computer(environ={"WAYLAND_DISPLAY": "wayland-0"}).machine())
    assert has_screen(Computer("darwin").machine())


def test_the_menu_has_columns_where_there_is_room() -> None:
    names = ["Adobe", "Hulu", "Netflix"]
    assert list(listed(names, 0)) == ["  1  Adobe", "  2  Hulu", "  3  Netflix"]
    assert list(listed(names, 40)) == ["  1  Adobe       3  Netflix", "  2  Hulu"]


def test_help_is_short_and_loads_nothing_heavy() -> None:
    probe = (
        "import sys; from subterminator.doors.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "print([m for m in ('asyncio', 'msgspec', 'websockets') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


def test_the_list_of_commands_says_what_each_command_says() -> None:
    import click

    from subterminator.doors.cli import ELSEWHERE, main

    context = click.Context(main)
    for name, there in ELSEWHERE.items():
        loaded: Any = main.get_command(context, name)
        assert loaded.name == name
        assert loaded.get_short_help_str(80) == there.help

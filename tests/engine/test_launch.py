"""A browser of our own: it is gone when we are, opens no port, and says what is wrong with it."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

import subterminator
from subterminator import errors, nobody
from subterminator.engine.profiles import forbid_fetching_ahead
from tests.engine import processes
from tests.site import Site

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

CHILD = """
import asyncio, sys
import subterminator

async def main():
    async with subterminator.open("about:blank", human=subterminator.nobody) as session:
        print("open", flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)

asyncio.run(main())
"""


@asynccontextmanager
async def another_program(folder: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """A Python program of its own with an open session, its temporary files in a folder of ours."""
    program = await asyncio.create_subprocess_exec(
        sys.executable, "-c", CHILD,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(folder)},
    )  # fmt: skip
    assert program.stdout
    try:
        assert await program.stdout.readline() == b"open\n"
        yield program
    finally:
        await program.communicate(b"\n")


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files of this process go, empty at first."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def litter(folder: Path) -> list[str]:
    """What of ours lies in a temporary folder."""
    return [str(path.relative_to(folder)) for path in folder.glob("subterminator*/*")]


async def test_nothing_is_left_of_the_browser_after_close(temporary: Path) -> None:
    async with subterminator.open("about:blank", human=nobody):
        pid = processes.newest_browser()
        members = processes.family(pid)
        profile = processes.profile_of(pid)
        assert len(members) > 2
        assert profile.is_relative_to(temporary)
        assert stat.S_IMODE(profile.stat().st_mode) == 0o700
    assert await processes.ended(members) == []
    assert not profile.exists()
    assert litter(temporary) == []


async def test_nothing_is_left_of_the_browser_after_an_exception(temporary: Path) -> None:
    members: list[int] = []
    with pytest.raises(ZeroDivisionError):
        async with subterminator.open("about:blank", human=nobody):
            members = processes.family(processes.newest_browser())
            raise ZeroDivisionError
    assert members and await processes.ended(members) == []
    assert litter(temporary) == []


async def test_nothing_is_left_of_the_browser_when_the_first_address_is_refused(
    temporary: Path,
) -> None:
    before = processes.browsers(os.getpid())
    with pytest.raises(errors.Refused):
        async with subterminator.open("file:///etc/passwd", human=nobody):
            pytest.fail("the session must not open")
    assert processes.browsers(os.getpid()) == before
    assert litter(temporary) == []


async def test_the_browser_ends_with_a_program_that_is_killed_and_the_next_start_sweeps(
    tmp_path: Path,
) -> None:
    async with another_program(tmp_path) as program:
        [pid] = processes.browsers(program.pid)
        members = processes.family(pid)
        program.kill()
        await program.wait()
        assert await processes.ended(members) == []
    left = litter(tmp_path)
    assert left
    async with another_program(tmp_path):
        assert await processes.until(lambda: not set(left) & set(litter(tmp_path)))
    assert litter(tmp_path) == []


async def test_the_profile_of_a_program_that_still_runs_is_not_swept(tmp_path: Path) -> None:
    async with another_program(tmp_path) as first:
        profile = processes.profile_of(processes.browsers(first.pid)[0])
        async with another_program(tmp_path):
            pass
        assert (profile / "Local State").exists()


async def test_p21_no_debug_port_is_open_to_anyone() -> None:
    async with subterminator.open("about:blank", human=nobody):
        pid = processes.newest_browser()
        assert not any("remote-debugging-port" in word for word in processes.command(pid))
        assert processes.listening_ports(processes.family(pid)) == []
        assert not (processes.profile_of(pid) / "DevToolsActivePort").exists()


async def test_a_profile_folder_is_kept_with_what_the_page_stored(
    tmp_path: Path, site: Site
) -> None:
    url = site.page(
        "<p id=seen></p><script>"
        "seen.textContent = 'visit ' + (localStorage.n = 1 + Number(localStorage.n || 0))</script>"
    )
    profile = tmp_path / "my profile"
    for visit in (1, 2):
        async with subterminator.open(url, human=nobody, profile_dir=profile) as session:
            assert f"visit {visit}" in (await session.snapshot()).text()
    assert stat.S_IMODE(profile.stat().st_mode) == 0o700


async def test_a_kept_profile_keeps_its_settings_but_fetches_no_page_ahead(tmp_path: Path) -> None:
    file = tmp_path / "Default" / "Preferences"
    file.parent.mkdir()
    file.write_text('{"net": {"other": 1}, "homepage": "mine"}', "utf-8")
    forbid_fetching_ahead(tmp_path)
    assert msgspec.json.decode(file.read_bytes()) == {
        "net": {"other": 1, "network_prediction_options": 2},
        "homepage": "mine",
    }
    written = file.stat().st_mtime_ns
    forbid_fetching_ahead(tmp_path)
    assert file.stat().st_mtime_ns == written
    for strange in ("not json", "[]", '{"net": 1}'):
        file.write_text(strange, "utf-8")
        forbid_fetching_ahead(tmp_path)
        assert file.read_text("utf-8") == strange


async def test_two_sessions_at_once_do_not_disturb_each_other(site: Site) -> None:
    url = site.page("<button onclick=\"fetch('/pressed')\">Press</button>")
    async with (
        subterminator.open(url, human=nobody) as one,
        subterminator.open(url, human=nobody) as two,
    ):
        await asyncio.gather(one.click("text:Press"), two.click("text:Press"))
    assert site.hits["/pressed"] == 2


async def test_a_profile_that_another_session_uses_is_refused_at_once(
    tmp_path: Path, site: Site
) -> None:
    async with subterminator.open(site.page("Mine"), human=nobody, profile_dir=tmp_path) as session:
        begun = time.monotonic()
        with pytest.raises(errors.BrowserMissing, match="use") as caught:
            async with subterminator.open(site.page("Mine"), human=nobody, profile_dir=tmp_path):
                pytest.fail("two sessions share a profile")
        assert time.monotonic() - begun < 5
        assert str(tmp_path) in str(caught.value) and caught.value.advice
        assert "Mine" in (await session.snapshot()).text()
        assert len(await session.tabs()) == 1


async def test_a_profile_whose_browser_was_killed_can_be_used_again(tmp_path: Path) -> None:
    async with subterminator.open("about:blank", human=nobody, profile_dir=tmp_path):
        pid = processes.newest_browser()
        os.kill(pid, signal.SIGKILL)
        assert await processes.ended([pid]) == []
    async with subterminator.open("about:blank", human=nobody, profile_dir=tmp_path) as session:
        assert (await session.snapshot()).page.url == "about:blank"


@pytest.mark.parametrize(
    "path", ["/nowhere/chrome", "/etc", "/etc/passwd", "/bin/true", "/bin/cat"]
)
async def test_what_is_no_browser_gives_one_clear_error(path: str, temporary: Path) -> None:
    begun = time.monotonic()
    with pytest.raises(errors.BrowserMissing) as caught:
        async with subterminator.open("about:blank", human=nobody, browser=path):
            pytest.fail("that is no browser")
    assert time.monotonic() - begun < 10
    assert caught.value.code == "browser_missing" and caught.value.advice
    assert "\n" not in str(caught.value)
    assert litter(temporary) == []


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("#!/nowhere/sh\n", "cannot be started"),
        ("#!/bin/sh\necho the library is missing >&2\nexit 1\n", "the library is missing"),
        # It closes its end but does not go by itself.
        ("#!/bin/sh\necho stuck >&2\nexec 3<&- 4>&-\nexec tail -f /dev/null\n", "stuck"),
    ],
)
async def test_a_broken_browser_is_ended_and_its_last_words_are_told(
    script: str, words: str, temporary: Path
) -> None:
    fake = temporary / "browser"
    fake.write_text(script, "utf-8")
    fake.chmod(0o700)
    before = processes.family(os.getpid())
    begun = time.monotonic()
    with pytest.raises(errors.BrowserMissing, match=words):
        async with subterminator.open("about:blank", human=nobody, browser=str(fake)):
            pytest.fail("that is no browser")
    assert time.monotonic() - begun < 10
    assert processes.family(os.getpid()) == before
    assert litter(temporary) == []


@pytest.mark.parametrize("seconds", [0, 0.05, 0.3])
async def test_nothing_is_left_of_a_start_that_is_given_up(seconds: float, temporary: Path) -> None:
    before = processes.browsers(os.getpid())
    with pytest.raises(TimeoutError):
        async with (
            asyncio.timeout(seconds),
            subterminator.open("about:blank", human=nobody) as session,
        ):
            await session.wait(text="what never comes")
    assert processes.browsers(os.getpid()) == before
    assert litter(temporary) == []

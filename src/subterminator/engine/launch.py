"""Starts a browser of our own: over a pipe where there are pipes, else a loopback port."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from subterminator.config import Settings
from subterminator.engine.browsers import sandbox_flags
from subterminator.engine.cdp import Connection, Pipe, WebSocket
from subterminator.engine.profiles import TemporaryFolder, forbid_fetching_ahead, is_in_use
from subterminator.errors import BrowserMissing

QUIET_FLAGS = (
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-breakpad",
    "--disable-search-engine-choice-screen",
    "--disable-prompt-on-repost",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    # The suggestions under the address bar are two web pages in a process of their own: most of the
    # CPU time of a start (0.7 instead of 1.8 s), and nothing of ours ever types there.
    "--disable-features=Translate,OptimizationHints,MediaRouter,GlobalMediaControls,HttpsUpgrades,"
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup",
    "--password-store=basic",
    "--use-mock-keychain",
    "--metrics-recording-only",
    "--mute-audio",
    # No rule reaches the sockets of a worker that belongs to no page.
    "--disable-shared-workers",
)
if os.name == "posix":
    import fcntl

WINDOW = (Settings().viewport_width, Settings().viewport_height)
LOW_DESCRIPTOR = 20
START_SECONDS = 30
END_SECONDS = 5
KILLS = (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM))
HAS_PIPES = os.name == "posix"


class Process:
    """A browser process we started. It ends when its pipe closes, whatever happens to us."""

    def __init__(self, pid: int, wait: Callable[[], object], log: Path) -> None:
        self.pid = pid
        self.log = log
        self._wait = wait

    async def end(self, seconds: float = END_SECONDS) -> None:
        """Give the browser the time to go, then make it."""
        await asyncio.to_thread(self._reap, seconds)

    def end_helpers(self) -> None:
        """What outlives the browser for a moment may still write into a profile we remove."""
        if HAS_PIPES:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)

    def last_words(self) -> str:
        with contextlib.suppress(OSError):
            lines = self.log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            return " / ".join(line.strip()[:200] for line in lines[-3:])
        return ""

    def _reap(self, seconds: float) -> None:
        # Waiting with a time limit exists on no two platforms alike; a thread waits on all of them.
        waiter = threading.Thread(target=self._wait, daemon=True)
        waiter.start()
        waiter.join(seconds)
        for kill in KILLS:
            if not waiter.is_alive():
                return
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, kill)
            waiter.join(END_SECONDS)


class Launched(NamedTuple):
    """A browser that answers. `profile` is its folder if that is a temporary one."""

    connection: Connection
    process: Process
    profile: TemporaryFolder | None

    async def end(self, seconds: float = END_SECONDS) -> None:
        """Close the connection, which ends the browser, and remove its temporary profile."""
        await self.connection.close()
        await self.process.end(seconds)
        if self.profile:
            self.process.end_helpers()
            await asyncio.to_thread(self.profile.remove)


async def launch(
    executable: str,
    *,
    headless: bool = True,
    profile_dir: Path | None = None,
    window: tuple[int, int] = WINDOW,
    flags: Sequence[str] = (),
    over_pipe: bool = HAS_PIPES,
) -> Launched:
    """Start the browser and connect to it.

    `profile_dir` is kept; otherwise the profile is temporary.
    """
    if profile_dir and is_in_use(profile_dir):
        raise _in_use(profile_dir)
    profile = None if profile_dir else TemporaryFolder.create("profile")
    folder = profile_dir or (profile.path if profile else Path())
    async with contextlib.AsyncExitStack() as undo:
        if profile:
            undo.callback(profile.remove)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        forbid_fetching_ahead(folder)
        command = [
            executable,
            *QUIET_FLAGS,
            *sandbox_flags(),
            *(["--headless=new"] if headless else []),
            f"--window-size={window[0]},{window[1]}",
            f"--user-data-dir={folder}",
            *flags,
        ]
        start = _launch_with_pipe if over_pipe else _launch_with_port
        launched = Launched(*await start(command, folder), profile)
        undo.pop_all()
        undo.push_async_callback(launched.end, 0)
        await _until_it_answers(launched, folder)
        undo.pop_all()
    return launched


async def _until_it_answers(launched: Launched, folder: Path) -> None:
    connection, process, profile = launched
    version = connection.root.post("Browser.getVersion")
    answers: set[asyncio.Future[Any]] = {version, connection.lost}
    done, _ = await asyncio.wait(
        answers, timeout=START_SECONDS, return_when=asyncio.FIRST_COMPLETED
    )
    if done and not connection.lost.done():
        return
    if profile is None and is_in_use(folder):
        raise _in_use(folder)
    raise _failed("ended at once" if done else f"did not answer within {START_SECONDS} s", process)


def _failed(what: str, process: Process) -> BrowserMissing:
    words = process.last_words()
    return BrowserMissing(
        f"The browser {what}." + (f" Its last words: {words}" if words else ""),
        next_step="Run `subterminator doctor`.",
    )


def _in_use(folder: Path) -> BrowserMissing:
    return BrowserMissing(
        f"The profile {folder} is in use by another browser.",
        next_step="Close that one, or choose another profile folder.",
    )


async def _launch_with_pipe(command: list[str], folder: Path) -> tuple[Connection, Process]:
    """The browser reads commands from descriptor 3 and answers on 4."""
    log = folder / "browser.log"
    theirs_in, ours_out = os.pipe()
    ours_in, theirs_out = os.pipe()
    # Duplicated out of the way first, so that filling 3 does not overwrite the other end.
    high = [
        fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, LOW_DESCRIPTOR) for end in (theirs_in, theirs_out)
    ]
    try:
        pid = os.posix_spawn(
            command[0],
            [*command, "--remote-debugging-pipe", "about:blank"],
            dict(os.environ),
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_OPEN, 2, str(log), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
                (os.POSIX_SPAWN_DUP2, high[0], 3),
                (os.POSIX_SPAWN_DUP2, high[1], 4),
            ],
            setpgroup=0,
        )
    except OSError as fault:
        os.close(ours_in)
        os.close(ours_out)
        raise _cannot_start(command[0], fault) from fault
    finally:
        for end in (theirs_in, theirs_out, *high):
            os.close(end)
    process = Process(pid, lambda: _wait_for(pid), log)
    return Connection(Pipe(ours_in, ours_out)), process


def _wait_for(pid: int) -> None:
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


def _cannot_start(program: str, fault: OSError) -> BrowserMissing:
    return BrowserMissing(
        f"{program} cannot be started: {fault.strerror}.", next_step="Run `subterminator doctor`."
    )


async def _launch_with_port(command: list[str], folder: Path) -> tuple[Connection, Process]:
    """Where pipes cannot be passed on: a random loopback port, read from the profile."""
    log = folder / "browser.log"
    port_file = folder / "DevToolsActivePort"
    port_file.unlink(missing_ok=True)
    try:
        with log.open("wb") as words:
            child = subprocess.Popen(
                [*command, "--remote-debugging-port=0", "about:blank"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=words,
                process_group=0 if HAS_PIPES else None,
            )  # fmt: skip
    except OSError as fault:
        raise _cannot_start(command[0], fault) from fault
    process = Process(child.pid, child.wait, log)
    async with contextlib.AsyncExitStack() as undo:
        undo.push_async_callback(process.end, 0)
        port, path = await _read_port(port_file, child, process)
        socket = await WebSocket.connect(f"ws://127.0.0.1:{port}{path}")
        undo.pop_all()
    return Connection(socket), process


async def _read_port(
    file: Path, child: subprocess.Popen[bytes], process: Process
) -> tuple[str, str]:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(START_SECONDS):
            while child.poll() is None:
                lines = file.read_text("utf-8").splitlines() if file.exists() else []
                if len(lines) >= 2:
                    return lines[0], lines[1]
                await asyncio.sleep(0.02)  # a file cannot be awaited
    raise _failed("ended at once" if child.poll() is not None else "opened no port", process)

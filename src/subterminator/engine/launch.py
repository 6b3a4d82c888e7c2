"""Starts a browser of our own: over a pipe where there are pipes, else a loopback port."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from subterminator.engine.browsers import sandbox_flags
from subterminator.engine.cdp import Connection, Pipe, WebSocket
from subterminator.engine.profiles import TemporaryProfile
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
    "--disable-features=Translate,OptimizationHints,MediaRouter,GlobalMediaControls,HttpsUpgrades",
    "--password-store=basic",
    "--use-mock-keychain",
    "--metrics-recording-only",
    "--mute-audio",
)
if os.name == "posix":
    import fcntl

LOW_DESCRIPTOR = 20
START_SECONDS = 30
END_SECONDS = 5


class Process:
    """A browser process we started. It ends when its pipe closes, whatever happens to us."""

    def __init__(self, pid: int, profile: TemporaryProfile | None, log: Path) -> None:
        self.pid = pid
        self._profile = profile
        self._log = log

    async def end(self) -> None:
        """Wait for the browser to go, then make it, and remove its temporary profile."""
        await asyncio.to_thread(self._reap)
        if self._profile:
            await asyncio.to_thread(self._profile.remove)

    def last_words(self) -> str:
        with contextlib.suppress(OSError):
            lines = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            return " / ".join(line.strip()[:200] for line in lines[-3:])
        return ""

    def _reap(self) -> None:
        for wait, kill in ((END_SECONDS, signal.SIGTERM), (END_SECONDS, signal.SIGKILL), (1, 0)):
            if _wait_for_exit(self.pid, wait):
                return
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, kill)


def _wait_for_exit(pid: int, seconds: float) -> bool:
    """Whether the child has exited within the time. Uses a pid descriptor, so nothing is polled."""
    try:
        descriptor = os.pidfd_open(pid)
    except (AttributeError, ProcessLookupError):
        return _poll_exit(pid)
    try:
        exited, _, _ = select.select([descriptor], [], [], seconds)
    finally:
        os.close(descriptor)
    return bool(exited) and _poll_exit(pid)


def _poll_exit(pid: int) -> bool:
    try:
        done, _ = os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        return True
    return done == pid


async def launch(
    executable: str,
    *,
    headless: bool,
    profile_dir: Path | None = None,
    window: tuple[int, int] = (1280, 720),
    flags: Sequence[str] = (),
) -> tuple[Connection, Process]:
    """Start the browser and connect to it.

    `profile_dir` is kept; otherwise the profile is temporary.
    """
    profile = None if profile_dir else TemporaryProfile.create()
    folder = profile_dir or (profile.path if profile else Path())
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    command = [
        executable,
        *QUIET_FLAGS,
        *sandbox_flags(),
        *(["--headless=new"] if headless else []),
        f"--window-size={window[0]},{window[1]}",
        f"--user-data-dir={folder}",
        *flags,
    ]
    log = folder / "browser.log"
    start = _launch_with_pipe if os.name == "posix" else _launch_with_port
    connection, pid = await start(command, folder, log)
    process = Process(pid, profile, log)
    try:
        async with asyncio.timeout(START_SECONDS):
            version = connection.root.post("Browser.getVersion")
            answers: set[asyncio.Future[Any]] = {version, connection.lost}
            await asyncio.wait(answers, return_when=asyncio.FIRST_COMPLETED)
    except TimeoutError:
        await _give_up(connection, process, f"did not answer within {START_SECONDS} s")
    if connection.lost.done():
        await _give_up(connection, process, "ended at once")
    return connection, process


async def _give_up(connection: Connection, process: Process, what: str) -> None:
    words = process.last_words()
    await connection.close()
    await process.end()
    raise BrowserMissing(
        f"The browser {what}." + (f" Its last words: {words}" if words else ""),
        next_step="Run `subterminator doctor`; no two browsers can share a profile.",
    )


async def _launch_with_pipe(command: list[str], folder: Path, log: Path) -> tuple[Connection, int]:
    """The browser reads commands from descriptor 3 and answers on 4."""
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
        raise BrowserMissing(
            f"{command[0]} cannot be started: {fault.strerror}.",
            next_step="Run `subterminator doctor`.",
        ) from fault
    finally:
        for end in (theirs_in, theirs_out, *high):
            os.close(end)
    return Connection(Pipe(ours_in, ours_out)), pid


async def _launch_with_port(command: list[str], folder: Path, log: Path) -> tuple[Connection, int]:
    """Where pipes cannot be passed on: a random loopback port, read from the profile."""
    port_file = folder / "DevToolsActivePort"
    port_file.unlink(missing_ok=True)
    with log.open("wb") as words:
        child = subprocess.Popen(
            [*command, "--remote-debugging-port=0", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=words,
        )  # fmt: skip
    async with asyncio.timeout(START_SECONDS):
        while not (port_file.exists() and len(port_file.read_text("utf-8").splitlines()) >= 2):
            if child.poll() is not None:
                break
            await asyncio.sleep(0.02)  # a file cannot be awaited
    if child.poll() is not None:
        raise BrowserMissing(f"The browser ended at once, code {child.returncode}.")
    port, path = port_file.read_text("utf-8").splitlines()[:2]
    return Connection(await WebSocket.connect(f"ws://127.0.0.1:{port}{path}")), child.pid

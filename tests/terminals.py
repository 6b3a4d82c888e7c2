"""A person at a real terminal: a program runs in a pseudo terminal that controls it."""

from __future__ import annotations

import asyncio
import os
import pty
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

ROOT = Path(__file__).parent.parent
SECONDS = 90
# A terminal becomes the controlling one of a new session only when it is asked for.
TAKE_IT = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "os.execv(sys.argv[1], sys.argv[1:])"
)
CTRL_C, CTRL_D = "\x03", "\x04"


class Window:
    """What the program writes, and what the person types."""

    def __init__(self, process: subprocess.Popen[bytes], fd: int) -> None:
        self.process = process
        self.shown = ""
        self.is_open = True
        self._fd = fd
        self._more = asyncio.Event()
        asyncio.get_running_loop().add_reader(fd, self._read)

    def _read(self) -> None:
        try:
            data = os.read(self._fd, 65536)
        except OSError:
            data = b""  # All who had the terminal open are gone.
        if not data:
            self.is_open = False
            asyncio.get_running_loop().remove_reader(self._fd)
        self.shown += data.decode("utf-8", "replace").replace("\r\n", "\n")
        self._more.set()

    async def until(self, words: str, times: int = 1) -> str:
        """Wait until the words were shown so often."""
        async with asyncio.timeout(SECONDS):
            while self.shown.count(words) < times:
                self._more.clear()
                await self._more.wait()
        return self.shown

    async def until_any(self, words: str, *, after: int, end: str) -> str:
        """Wait for these words once more than that, for the last ones, or for the end itself."""
        async with asyncio.timeout(SECONDS):
            while self.is_open and self.shown.count(words) <= after and end not in self.shown:
                self._more.clear()
                await self._more.wait()
        return self.shown

    def type(self, keys: str) -> None:
        os.write(self._fd, keys.encode())

    async def exit_code(self) -> int:
        return await asyncio.to_thread(self.process.wait, SECONDS)


@asynccontextmanager
async def window(
    command: Sequence[str], environ: Mapping[str, str] | None = None, *, terminal: bool = True
) -> AsyncIterator[Window]:
    """Run a program at a terminal; with `terminal` false it writes there but does not own it."""
    master, slave = pty.openpty()
    start = [sys.executable, "-c", TAKE_IT, *command] if terminal else list(command)
    process = subprocess.Popen(
        start,
        stdin=slave if terminal else subprocess.DEVNULL,
        stdout=slave,
        stderr=slave,
        cwd=ROOT,
        env={**os.environ, "TERM": "xterm", **(environ or {})},
        start_new_session=True,
    )
    os.close(slave)
    seen = Window(process, master)
    try:
        yield seen
    finally:
        asyncio.get_running_loop().remove_reader(master)
        process.kill()
        process.wait()
        os.close(master)

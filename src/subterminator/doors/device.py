"""The terminal that this process belongs to. Not standard input: a pipe cannot answer for a person.

There is none on Windows yet, and none for a job in the background.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

if sys.platform != "win32":
    import termios

LONGEST_LINE = 4096


class Device:
    """Lines to and from the person. Reading blocks nothing else."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self.interrupted = False
        """Whether Ctrl-C was pressed at a question."""

    def say(self, line: str = "", style: str = "") -> None:
        """One line. What a page wrote cannot steer the terminal, nor turn the text around."""
        text = printable(line)
        self._write(f"\x1b[{style}m{text}\x1b[0m\n" if style else f"{text}\n")

    async def ask(self, prompt: str) -> str:
        """What is typed after the prompt; empty for Enter alone, end of file and Ctrl-C."""
        # What was typed before the question could be read answers something else.
        self._forget_input()
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        with self._reading(answer), _interrupts(lambda: self._interrupt(answer)):
            self._write(f"{printable(prompt)} ")
            line = await answer
        if not line.endswith("\n"):
            self._write("\n")
        return line.strip()

    def _interrupt(self, answer: asyncio.Future[str]) -> None:
        self.interrupted = True
        _settle(answer, "")

    def _forget_input(self) -> None:
        if sys.platform != "win32":
            termios.tcflush(self._fd, termios.TCIFLUSH)

    @contextmanager
    def _reading(self, answer: asyncio.Future[str]) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        loop.add_reader(self._fd, lambda: _settle(answer, self._read()))
        try:
            yield
        finally:
            loop.remove_reader(self._fd)

    def _read(self) -> str:
        try:
            # The terminal gives whole lines, so this does not wait.
            return os.read(self._fd, LONGEST_LINE).decode("utf-8", "replace")
        except OSError:
            return ""  # The terminal is gone.

    def _write(self, text: str) -> None:
        left = text.encode("utf-8", "replace")
        while left:
            left = left[os.write(self._fd, left) :]


@contextmanager
def opened() -> Iterator[Device | None]:
    """The terminal, or nothing where nobody could answer."""
    fd = _open()
    try:
        yield Device(fd) if fd is not None else None
    finally:
        if fd is not None:
            os.close(fd)


def _open() -> int | None:
    if sys.platform == "win32":
        return None
    try:
        fd = os.open(_path(), os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        # In the background a read would stop the whole process.
        if os.tcgetpgrp(fd) == os.getpgrp():
            return fd
    except OSError:
        pass  # It is a terminal, but not the one that controls this process.
    os.close(fd)
    return None


def _path() -> str:
    if sys.platform != "darwin":
        return "/dev/tty"
    # The event loop of macOS cannot wait for /dev/tty, only for the device behind it.
    return next((os.ttyname(fd) for fd in (0, 1, 2) if os.isatty(fd)), "/dev/tty")


def printable(text: str) -> str:
    return "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text
    )


def _settle(answer: asyncio.Future[str], line: str) -> None:
    if not answer.done():
        answer.set_result(line)


@contextmanager
def _interrupts(do: Callable[[], None]) -> Iterator[None]:
    """While a person is asked, Ctrl-C is their answer; afterwards it is what it was."""
    if threading.current_thread() is not threading.main_thread() or sys.platform == "win32":
        yield
        return
    loop = asyncio.get_running_loop()
    before = signal.getsignal(signal.SIGINT)
    loop.add_signal_handler(signal.SIGINT, do)
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
        signal.signal(signal.SIGINT, before)

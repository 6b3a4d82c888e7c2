"""A process that makes runs for a score through the extension, each in a browser that has it."""

from __future__ import annotations

import sys
import tempfile
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Literal

import msgspec

from subterminator import app
from subterminator.config import Settings
from subterminator.doors.extension.files import extension_folder
from subterminator.doors.extension.route import only_extension
from subterminator.doors.server.application import bound_socket
from subterminator.errors import BrowserMissing
from subterminator.gym.harness import Row, Trial, attempt
from subterminator.gym.worker import main

CONNECT_SECONDS = 20.0
Hand = Literal["debugger", "content"]


async def attempt_through(trial: Trial, hand: Hand) -> Row:
    """One run; browser, server and pairing are its own."""
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="subterminator-own-"))
        server = stack.enter_context(closing(bound_socket(0)))
        board = await stack.enter_async_context(only_extension(Path(folder), server))
        browser = await app.extended(Settings(browser=trial.browser), extension_folder())
        stack.push_async_callback(browser.close)
        await browser.pair(board.new_code(), hand)
        line = await board.line("", CONNECT_SECONDS)
        if line.hand != hand:
            raise BrowserMissing(f"The extension works with the {line.hand}, not the {hand}.")
        return await attempt(trial, line.portion())


if __name__ == "__main__":
    chosen = msgspec.convert(sys.argv[1], Hand)
    main(lambda trial: attempt_through(trial, chosen))

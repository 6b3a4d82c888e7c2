"""A process that makes runs for a score: trials in on standard input, rows out, one a line.

Its CPU time is that of one run at a time, and what breaks in a run breaks no other.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable

import msgspec
from msgspec import Struct

from subterminator.errors import SubTerminatorError
from subterminator.gym.harness import Row, Trial, attempt
from subterminator.machine import this_machine
from subterminator.packs import registry


class Reply(Struct, frozen=True):
    """A row, or why no run can be made: no browser here, no gym there."""

    row: Row | None = None
    code: str = ""
    message: str = ""
    advice: str = ""


def main(make: Callable[[Trial], Awaitable[Row]] = attempt) -> None:
    """`make` makes one run and scores it."""
    # Read once for all runs of this process, so that no run pays for it.
    registry.load(this_machine())
    for line in sys.stdin.buffer:
        try:
            reply = Reply(asyncio.run(_make(make, msgspec.json.decode(line, type=Trial))))
        except SubTerminatorError as fault:
            reply = Reply(None, fault.code, fault.message, fault.advice)
        sys.stdout.buffer.write(msgspec.json.encode(reply) + b"\n")
        sys.stdout.buffer.flush()


async def _make(make: Callable[[Trial], Awaitable[Row]], trial: Trial) -> Row:
    return await make(trial)


if __name__ == "__main__":
    main()

"""A program that presses one dangerous button and is killed on the way: itself, or its browser.

python -m tests.safety.victim ADDRESS MOMENT us|browser|nobody
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import subterminator
from subterminator import app
from subterminator.safety.human import Question
from subterminator.safety.ledger import Claim, Key, Ledger

MOMENTS = ("PROPOSED", "APPROVED", "ARMED", "FIRED", "PRESSED", "UNKNOWN")
MOMENT, WHO = sys.argv[2:4] if len(sys.argv) > 3 else ("", "")


def kill(moment: str) -> None:
    if moment != MOMENT:
        return
    if WHO == "us":
        os.kill(os.getpid(), signal.SIGKILL)
    if WHO == "browser":
        os.kill(browser(), signal.SIGKILL)


def browser() -> int:
    """The process we launched."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text("utf-8").split()
    return int(children[0])


class Mortal(Ledger):
    """Dies, or kills, right after a state was reached."""

    def propose(self, key: Key, seconds: float = 600) -> Claim:
        return self._reached(super().propose(key, seconds))

    def approve(self, claim: Claim, digest: str) -> Claim:
        return self._reached(super().approve(claim, digest))

    def arm(self, claim: Claim, seconds: float = 20) -> Claim:
        return self._reached(super().arm(claim, seconds))

    def fire(self, claim: Claim) -> Claim:
        return self._reached(super().fire(claim))

    def doubt(self, claim: Claim, reason: str) -> Claim:
        return self._reached(super().doubt(claim, reason))

    def _reached(self, claim: Claim) -> Claim:
        kill(claim.state)
        return claim


class Agreeing:
    async def approve(self, question: Question) -> bool:
        return True

    async def hand_over(self, question: Question) -> bool:
        return False


async def main() -> None:
    vars(app)["Ledger"] = Mortal
    async with subterminator.open(sys.argv[1], human=Agreeing()) as session:
        print("ready", flush=True)
        await session.click("css:button")
        kill("PRESSED")


if __name__ == "__main__":
    asyncio.run(main())

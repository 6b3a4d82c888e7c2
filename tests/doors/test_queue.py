"""`subterminator audit FILE --cancel` on the practice site: choose, one gate each, go on later."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest

from subterminator.gym.scene import Setup
from subterminator.gym.server import Addresses, gym
from subterminator.queues import Entry, summary
from tests.gym.visitor import Visitor
from tests.packs.writing import put
from tests.terminals import CTRL_C, ROOT, window

# What the statement calls it, and the flow of the gym behind it.
SERVICES = {"Quillmark": "p01-plain", "Harbourline": "p21-already", "Oldgate": "p20-phone"}
GATE = "I will press it myself:"


class Home:
    """A user with a statement, and packs of their own that lead to the practice site."""

    def __init__(self, folder: Path, addresses: Addresses, sid: str) -> None:
        self.folder = folder
        self.sid = sid
        self.site = addresses.site
        for name, flow in SERVICES.items():
            put(folder / "config" / "subterminator" / "packs", name.lower(), self._pack(name, flow))
        days = [date.today() - timedelta(days=3 + 30 * month) for month in range(8)]
        lines = [f"{day},{name.upper()},-12.00" for day in days for name in SERVICES]
        self.statement = folder / "statement.csv"
        self.statement.write_text("\n".join(["Date,Text,Amount", *lines]), encoding="utf-8")
        self.environ = {
            **{name: "" for name in os.environ if name.startswith("SUBTERMINATOR_")},
            **{
                f"XDG_{kind.upper()}_HOME": str(folder / kind)
                for kind in ("state", "data", "config")
            },
            "DISPLAY": "",
            "WAYLAND_DISPLAY": "",
        }

    def _pack(self, name: str, flow: str) -> str:
        start = f"{self.site}/{flow}/account?sid={self.sid}"
        return (
            f'id = "{name.lower()}"\nnames = ["{name}"]\nlocales = ["en"]\nextends = ["generic-en"]\n'
            f'checked_on = "2026-11"\nconfidence = "?"\nsites = ["127.0.0.1"]\n'
            f'start_urls = ["{start}"]\n'
        )

    def command(self, *arguments: str) -> list[str]:
        audit = [sys.executable, "-m", "subterminator", "audit", str(self.statement), "--cancel"]
        return [*audit, *arguments]

    async def run(self, *arguments: str) -> tuple[int, list[dict[str, Any]]]:
        """Without a terminal, in JSON."""
        process = await asyncio.create_subprocess_exec(
            *self.command("--json", *arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, **self.environ},
            start_new_session=True,
        )
        output, _ = await process.communicate()
        assert process.returncode is not None
        return process.returncode, [msgspec.json.decode(line) for line in output.splitlines()]

    async def state(self, name: str) -> object:
        return (await Visitor(self.site, SERVICES[name], self.sid).state())["account_state"]


@pytest.fixture(scope="module")
async def addresses() -> AsyncIterator[Addresses]:
    async with gym(Setup(seed=6)) as running:
        yield running


@pytest.fixture
def home(tmp_path: Path, addresses: Addresses, request: pytest.FixtureRequest) -> Home:
    return Home(tmp_path, addresses, f"s{abs(hash(request.node.name)) % 10**9}")


async def test_a_person_chooses_is_asked_once_for_each_and_gets_a_summary(home: Home) -> None:
    async with window(home.command(), home.environ) as seen:
        await seen.until("Enter alone: none:")
        seen.type("7\n")
        await seen.until("'7' is none of the numbers 1 to 3.")
        await seen.until("Enter alone: none:", times=2)
        seen.type("all\n")
        await seen.until(GATE)
        seen.type("y\n")
        await seen.until("a month stopped.")
        assert await seen.exit_code() == 5
        assert seen.shown.count(GATE) == 1
        assert "1 of 3: " in seen.shown and "3 of 3: " in seen.shown
        told = "1 cancelled and proven, 1 cancelled before, 1 to end by letter or call"
        assert told in seen.shown
        assert seen.shown.rpartition("letter or call; ")[2].startswith("12.00 a month stopped.")
    assert await home.state("Quillmark") == "cancelled"
    proofs = home.folder / "data" / "subterminator" / "proofs"
    assert len(list(proofs.iterdir())) == 3


async def test_ctrl_c_stops_the_rest_and_the_same_command_goes_on(home: Home) -> None:
    async with window(home.command("--choose", "all"), home.environ) as seen:
        await seen.until(GATE)
        seen.type(CTRL_C)
        await seen.until("goes on with what is left")
        assert await seen.exit_code() == 130
        assert "not begun; nothing stopped yet." in seen.shown
    assert await home.state("Quillmark") == "active"
    async with window(home.command(), home.environ) as seen:
        await seen.until("`rest` goes on with those left")
        assert "Left from last time." in seen.shown
        seen.type("rest\n")
        await seen.until(GATE)
        seen.type("y\n")
        await seen.until("a month stopped.")
        assert await seen.exit_code() == 0
    assert await home.state("Quillmark") == "cancelled"
    async with window(home.command(), home.environ) as seen:
        await seen.until("Enter alone: none:")
        assert "Cancelled on 20" in seen.shown
        assert "`rest`" not in seen.shown
        seen.type("\n")
        await seen.until("Nothing was chosen, and nothing was done.")
        assert await seen.exit_code() == 0


async def test_without_a_person_each_stops_at_its_gate_and_is_still_to_be_done(home: Home) -> None:
    code, told = await home.run("--choose", "all", "--no-input")
    # In the order of the queue, the letter comes before the gate.
    assert code == 5
    last = told[-1]
    assert last["event"] == "summary"
    outcomes = {entry["service"]: entry["outcome"] for entry in last["entries"]}
    assert outcomes == {
        "Quillmark": None,
        "Harbourline": "already_cancelled",
        "Oldgate": "manual_required",
    }
    assert await home.state("Quillmark") == "active"


# The sentence at the end


def entry(service: str, **rest: Any) -> Entry:
    facts = {"key": service, "pack": "p", "how": "web", "currency": "EUR", "yearly": Decimal(120)}
    return Entry(service=service, **{**facts, **rest})


def test_the_summary_counts_and_adds_up_only_what_is_proven() -> None:
    done = [
        entry("a", outcome="cancelled", success=True),
        entry("b", outcome="cancelled", success=True, currency="USD", yearly=Decimal("59.88")),
        entry("c", outcome="cancelled", success=False),
        entry("d", outcome="pending"),
        entry("e"),
    ]
    assert summary(done) == (
        "2 cancelled and proven, 1 pending, to be confirmed by you, 1 pressed but not proven, "
        "1 not begun; 10.00 EUR and 4.99 USD a month stopped."
    )
    assert summary([]) == "Nothing was done; nothing stopped yet."

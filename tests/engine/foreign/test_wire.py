"""The wire to a server: answers find their calls, and a server that is gone is noticed at once."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from subterminator.engine.foreign.wire import Wire
from subterminator.errors import ActionFailed, BrowserClosed

FAR_END = str(Path(__file__).with_name("far_end.py"))
SECONDS = 60.0
Serve = Callable[[str], "AsyncIterator[Wire]"]


@asynccontextmanager
async def serving(mode: str, folder: Path) -> AsyncIterator[Wire]:
    wire = await Wire.start([sys.executable, FAR_END, mode], folder, {})
    try:
        yield wire
    finally:
        await wire.end()


async def test_whatever_else_a_server_prints_the_answer_finds_its_call(tmp_path: Path) -> None:
    async with serving("babbles", tmp_path) as wire:
        result = await wire.request("tools/call", {}, SECONDS)
    assert result["content"][0]["text"] == "ok"


async def test_a_server_that_dies_ends_the_open_call_and_every_later_one(tmp_path: Path) -> None:
    async with serving("dies", tmp_path) as wire:
        for _ in range(2):
            with pytest.raises(BrowserClosed):
                await wire.request("tools/call", {}, SECONDS)
        assert wire.is_gone


async def test_a_refused_call_is_an_error_with_the_servers_words(tmp_path: Path) -> None:
    async with serving("answers", tmp_path) as wire:
        with pytest.raises(ActionFailed, match="no such tool"):
            await wire.request("tools/call", {}, SECONDS)


async def test_a_silent_server_costs_the_time_of_the_call_and_no_more(tmp_path: Path) -> None:
    async with serving("silent", tmp_path) as wire:
        with pytest.raises(TimeoutError):
            await wire.request("tools/call", {}, 0.1)


async def test_a_server_that_does_not_start_says_why(tmp_path: Path) -> None:
    with pytest.raises(BrowserClosed):
        await Wire.start([sys.executable, FAR_END, "refuses"], tmp_path, {})
    assert "nothing is here" in (tmp_path / "server.log").read_text(encoding="utf-8")

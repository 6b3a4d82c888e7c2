"""`--browser mine` from end to end: pair, run, be asked in the panel or the terminal, stop, prove."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from subterminator.doors.extension.pairing import Pairings
from subterminator.engine.extended import Extended
from subterminator.gym.scene import Setup
from subterminator.gym.server import Addresses, gym
from tests.doors.extension.owned import extended
from tests.gym.visitor import Visitor
from tests.terminals import ROOT, window

CODE = re.compile(r"\b\d+(?:-[0-9A-Z]{4}){4}\b")
LISTEN = """new Promise((done) => {
  globalThis.heard ??= [];
  const look = () => {
    const found = heard.find((each) => each.type === %s);
    if (found) { heard.splice(0, heard.indexOf(found) + 1); done(JSON.stringify(found.data)); }
    return found;
  };
  if (globalThis.ears) return look() || (globalThis.waits = look);
  globalThis.ears = chrome.runtime.connect({ name: 'panel' });
  globalThis.waits = look;
  ears.onMessage.addListener((message) => {
    if (message.type !== 'State') { heard.push(message); waits(); }
  });
})"""


class User:
    """A user with folders, a browser of their own and its panel."""

    def __init__(self, folder: Path, browser: Extended) -> None:
        self.browser = browser
        self.state = folder / "state" / "subterminator"
        self.environ = {
            **{name: "" for name in os.environ if name.startswith("SUBTERMINATOR_")},
            "XDG_STATE_HOME": str(folder / "state"),
            "XDG_DATA_HOME": str(folder / "data"),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "DISPLAY": "",
            "WAYLAND_DISPLAY": "",
        }

    async def sees(self, kind: str) -> dict[str, Any]:
        """The next message of this kind in the panel."""
        async with asyncio.timeout(60):
            told: dict[str, Any] = json.loads(await self.browser.run(LISTEN % json.dumps(kind)))
            return told

    async def answers(self, *, yes: bool) -> dict[str, Any]:
        question = await self.sees("Question")
        words = question["red"] or "yes"
        said = {"id": question["id"], "digest": question["digest"], "yes": yes, "words": words}
        await self.browser.say("Answer", **(said if yes else said | {"words": ""}))
        return question

    @asynccontextmanager
    async def running(self, *arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
        """A command of ours without a terminal."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "subterminator", *arguments,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            cwd=ROOT,
            env={**os.environ, **self.environ},
            start_new_session=True,
        )  # fmt: skip
        try:
            yield process
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()


async def ended(process: asyncio.subprocess.Process) -> tuple[int, str]:
    async with asyncio.timeout(60):
        output, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, output.decode()


@pytest.fixture(scope="module")
async def user(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[User]:
    folder = tmp_path_factory.mktemp("user")
    async with extended() as browser:
        yield User(folder, browser)


@pytest.fixture(scope="module")
async def addresses() -> AsyncIterator[Addresses]:
    async with gym(Setup(seed=4)) as running:
        yield running


@pytest.fixture
def visitor(addresses: Addresses, request: pytest.FixtureRequest) -> Visitor:
    return Visitor(addresses.site, "p01-plain", f"s{abs(hash(request.node.name)) % 10**9}")


def at(visitor: Visitor) -> tuple[str, ...]:
    account = f"{visitor.site}/{visitor.flow}/account?sid={visitor.sid}"
    return ("--url", account, "--goal", "Cancel the subscription.", "--plain")


async def is_cancelled(visitor: Visitor) -> bool:
    return bool((await visitor.state())["account_state"] == "cancelled")


async def paired(user: User, visitor: Visitor) -> None:
    """Whatever test runs first pairs the browser, and it is connected to nobody afterwards."""
    if Pairings(user.state / "server").all():
        return
    async with user.running("extension", "pair") as process:
        assert process.stdout
        while not (found := CODE.search((await process.stdout.readline()).decode())):
            continue
        await user.browser.pair(found[0])
        code, output = await ended(process)
        assert code == 0 and "Paired: Chromium on Linux" in output


async def test_without_a_paired_browser_it_shows_a_code_and_then_cancels(
    tmp_path: Path, user: User, visitor: Visitor
) -> None:
    async with user.running("cancel", *at(visitor), "--browser", "mine") as process:
        assert process.stdout
        while not (found := CODE.search((await process.stdout.readline()).decode())):
            continue
        await user.browser.pair(found[0])
        run = await user.sees("Run")
        assert run["run"] and run["goal"] == "Cancel the subscription."
        assert (await user.sees("Told"))["words"]
        question = await user.answers(yes=True)
        assert question["kind"] == "approve" and "FINAL STEP" in question["title"]
        labels = [label for label, _ in question["facts"]]
        assert {"Effect", "Site", "Button", "Money"} <= set(labels)
        assert (await user.sees("Settled")) == {"id": question["id"], "how": "yes"}
        end = await user.sees("Ended")
        code, output = await ended(process)
    assert code == 0, output
    assert end["outcome"] == "cancelled" and Path(end["proof"], "report.html").is_file()
    assert await is_cancelled(visitor)
    tabs = await user.browser.run("chrome.tabs.query({}).then((all) => all.length)")
    assert tabs == 2  # the browser's first one, and the panel


async def test_a_no_in_the_panel_is_a_no(user: User, visitor: Visitor) -> None:
    await paired(user, visitor)
    async with user.running("cancel", *at(visitor), "--browser", "mine:chromium on linux") as it:
        await come_back(user)
        await user.answers(yes=False)
        code, output = await ended(it)
    assert code == 8, output
    assert not await is_cancelled(visitor)


async def test_stop_in_the_panel_stops_it(user: User, visitor: Visitor) -> None:
    await paired(user, visitor)
    async with user.running("cancel", *at(visitor), "--browser", "mine") as process:
        await come_back(user)
        await user.sees("Question")
        await user.browser.say("Stop", run="")
        code, output = await ended(process)
    assert code == 8 and "Stopped in the panel" in output
    assert not await is_cancelled(visitor)


async def test_with_a_server_running_the_terminal_answers_as_well(
    user: User, visitor: Visitor
) -> None:
    await paired(user, visitor)
    async with user.running("serve") as server:
        assert server.stdout
        while b"Paired browsers: Chromium on Linux." not in await server.stdout.readline():
            continue
        await come_back(user)
        command = [sys.executable, "-m", "subterminator", "cancel", *at(visitor)]
        async with window([*command, "--browser", "mine"], user.environ) as seen:
            question = await user.sees("Question")
            await seen.until("4 I will press it myself")
            seen.type("1\r")
            assert (await user.sees("Settled"))["id"] == question["id"]
            assert await seen.exit_code() == 0, seen.shown
        async with user.running("extension") as listed:
            _, output = await ended(listed)
            assert "Chromium on Linux: paired" in output and ", connected" in output
        async with user.running("extension", "revoke", "Chromium on Linux") as revoked:
            assert await ended(revoked) == (0, "Chromium on Linux is no longer paired.\n")
        async with user.running("extension", "--json") as listed:
            _, output = await ended(listed)
            assert json.loads(output)["browsers"] == []
    assert await is_cancelled(visitor)


async def come_back(user: User) -> None:
    """Sooner than by itself: the person looks at the panel."""
    await user.browser.run(
        """new Promise((done) => {
          const port = chrome.runtime.connect({ name: 'panel' });
          const again = setInterval(() => port.postMessage({ type: 'Connect' }), 200);
          port.onMessage.addListener(({ type, data }) => {
            if (type === 'State' && data.connected) { clearInterval(again); done(); } });
        })"""
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("cancel", "netflix", "--browser", "mine:Work"), "No browser 'Work' is paired."),
        (("cancel", "netflix", "--browser", "mine", "--attach", "ws://x"), "name two browsers"),
        (("verify", "netflix", "--browser", "mine"), "cannot use your own browser"),
        (("extension", "revoke", "Work"), "No browser 'Work' is paired."),
    ],
)
async def test_what_cannot_be_is_said_in_one_sentence(
    tmp_path: Path, user: User, arguments: tuple[str, ...], words: str
) -> None:
    async with User(tmp_path, user.browser).running(*arguments) as process:
        code, output = await ended(process)
    assert code == 2 and words in output and "Traceback" not in output

"""Nothing is done twice, whatever happens to the line. The ids are those of the threat list."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from subterminator import actions as a
from subterminator import app
from subterminator.config import Settings
from subterminator.errors import BrowserClosed, SubTerminatorError
from subterminator.safety.ledger import Ledger
from subterminator.safety.task import Task
from subterminator.targets import parse_target
from tests.conftest import SITES, Person
from tests.doors.extension.owned import SOON, Owned, Stranger, extended, owned
from tests.site import Site

SECRET = "ABCDEFGH01234567"
CODE = "ABCD-EFGH-0123-4567"


class Sender:
    """The far end of a line: numbers what it sends, or does not."""

    def __init__(self, stranger: Stranger, epoch: str) -> None:
        self.stranger = stranger
        self.epoch = epoch
        self.seq = 0

    async def send(self, kind: str, data: Any, **changed: Any) -> dict[str, Any]:
        """The answer to a request that may be wrong in some way."""
        self.seq += 1
        later = round(time.time() * 1000) + 10_000
        usual = {"id": f"r{self.seq}", "seq": self.seq, "epoch": self.epoch, "not_after": later}
        whole = usual | changed
        heard = len(self.stranger.heard)
        await self.stranger.say(kind, data, **whole)
        async with asyncio.timeout(SOON):
            while True:
                for message in self.stranger.heard[heard:]:
                    if message.get("reply") == whole["id"]:
                        return message
                await self.stranger.news()


@pytest.fixture(scope="module")
async def sender() -> AsyncIterator[Sender]:
    stranger = Stranger()
    async with stranger.listening(), extended() as browser:
        pairing = asyncio.ensure_future(browser.pair(f"{stranger.port}-{CODE}"))
        await stranger.welcome(secret=SECRET, epoch="first")
        await pairing
        yield Sender(stranger, "first")


async def test_what_is_sent_as_it_should_be_is_done(sender: Sender, site: Site) -> None:
    site.page("Hit", "/hit")
    done = await sender.send("OpenTab", {"url": f"{site.address}/hit"})
    assert "error" not in done and done["data"]["targetId"]
    await until(site, "/hit", 1)


async def test_p17_a_message_that_comes_twice_is_done_once(sender: Sender, site: Site) -> None:
    site.page("Hit", "/hit")
    url = {"url": f"{site.address}/hit"}
    first = await sender.send("OpenTab", url)
    again = await sender.send("OpenTab", url, id=f"r{sender.seq}", seq=sender.seq)
    assert "error" not in first and again["error"]["code"] == -32011
    # The same with a number of its own, as a peer would send it that tries once more.
    once_more = await sender.send("OpenTab", url, id=f"r{sender.seq - 1}")
    assert once_more["error"]["code"] == -32012
    await sender.send("Tabs", {})
    assert site.hits["/hit"] == 1


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"epoch": "other"}, -32010),
        ({"epoch": None}, -32010),
        ({"seq": 1}, -32011),
        ({"seq": "99"}, -32011),
        ({"not_after": 1}, -32013),
        ({"not_after": None}, -32013),
    ],
)
async def test_p17_p18_of_another_time_or_connection_or_out_of_order_it_is_refused(
    sender: Sender, site: Site, changed: dict[str, Any], code: int
) -> None:
    site.page("Hit", "/hit")
    told = await sender.send("OpenTab", {"url": f"{site.address}/hit"}, **changed)
    assert told["error"]["code"] == code
    await sender.send("Tabs", {})
    assert site.hits["/hit"] == 0


async def test_p16_on_the_next_connection_what_was_done_is_refused(
    sender: Sender, site: Site
) -> None:
    """Also by a server that has forgotten that it sent it."""
    site.page("Hit", "/hit")
    url = {"url": f"{site.address}/hit"}
    await sender.send("OpenTab", url)
    done = f"r{sender.seq}"
    stranger = sender.stranger
    assert stranger.socket
    stranger.heard.clear()
    await stranger.socket.close()
    await stranger.welcome(token="t" * 43, epoch="second")
    sender.epoch, sender.seq = "second", 0
    assert (await sender.send("OpenTab", url, epoch="first"))["error"]["code"] == -32010
    assert (await sender.send("OpenTab", url, id=done))["error"]["code"] == -32012
    assert site.hits["/hit"] == 1


# A worker that dies


async def until(site: Site, path: str, count: int) -> None:
    async with asyncio.timeout(SOON):
        while site.hits[path] < count:
            await asyncio.sleep(0.02)  # the site tells nobody


BUTTON = (
    "<button onclick=\"fetch('/hit'); const till = Date.now() + 1500; while (Date.now() < till);\">"
    "Finish cancellation</button>"
)


@asynccontextmanager
async def pressing(mine: Owned, site: Site, person: Person, state: Path) -> AsyncIterator[Any]:
    settings = Settings(state_dir=str(state), record=False)
    driver = await app.drive(settings, (await mine.line()).portion())
    task = Task("one", SITES, service="gym", goal="Cancel it")
    async with app.over(driver, human=person, settings=settings, task=task) as session:
        await session.navigate(site.page(BUTTON))
        yield session


async def kill_worker(mine: Owned) -> None:
    """As the browser does it when it wants its memory back."""
    root = mine.browser.launched.connection.root
    for info in (await root.call("Target.getTargets"))["targetInfos"]:
        if info["type"] == "service_worker" and info["url"].endswith("/background.js"):
            await root.call("Target.closeTarget", targetId=info["targetId"])


async def reload_extension(mine: Owned) -> None:
    """As an update does it; the panel's own page ends with it."""
    connection = mine.browser.launched.connection
    made = await connection.root.call("Target.createTarget", url="chrome://extensions")
    there = await connection.root.call(
        "Target.attachToTarget", targetId=made["targetId"], flatten=True
    )
    # Without it an unpacked extension is not loaded again; who has installed one has it on.
    await connection.channel(there["sessionId"]).call(
        "Runtime.evaluate",
        expression="""new Promise((done) => { const till = () => chrome.developerPrivate ? done(
          chrome.developerPrivate.updateProfileConfiguration({inDeveloperMode: true})) :
          setTimeout(till, 10); till(); })""",
        awaitPromise=True,
    )
    mine.browser.panel.post(
        "Runtime.evaluate", expression="setTimeout(() => chrome.runtime.reload())"
    )


@pytest.mark.parametrize(
    ("end", "moment"),
    [
        (kill_worker, "in the middle"),
        (reload_extension, "in the middle"),
        (kill_worker, "at once"),
        pytest.param(reload_extension, "at once", marks=pytest.mark.soak),
    ],
)
async def test_f4_f5_p16_a_worker_that_dies_in_the_middle_of_a_press_leads_to_no_second_one(
    end: Any, moment: str, site: Site, person: Person, tmp_path: Path
) -> None:
    person.says = True
    async with owned(tmp_path / "o") as mine:
        line = await mine.line()
        async with pressing(mine, site, person, tmp_path / "state") as session:
            press = asyncio.ensure_future(session.click("role:button"))
            if moment == "in the middle":
                await until(site, "/hit", 1)
            else:
                await asyncio.wait_for(asked(person), SOON)
            await end(mine)
            with pytest.raises(SubTerminatorError) as told:
                await press
            pressed = moment == "in the middle"
            assert isinstance(told.value, BrowserClosed)
            assert told.value.delivered or not pressed
        await line.lost
        again = await mine.line()  # It is back, by itself.
        assert again is not line
        hits = site.hits["/hit"]
        assert hits == 1 or (hits == 0 and not pressed)
        await again.post("Tabs", {})
        assert site.hits["/hit"] == hits
    ledger = Ledger(tmp_path / "state")
    [row] = ledger.rows()
    ledger.close()
    # Nobody claims to know what nobody has seen.
    assert row.state == "UNKNOWN" if pressed else row.state in {"UNKNOWN", "REVOKED"}


async def asked(person: Person) -> None:
    while not person.asked:
        await asyncio.sleep(0.01)  # a list cannot be awaited


async def test_what_comes_too_late_after_a_suspension_is_refused(mine: Owned, site: Site) -> None:
    """P18 with the real server: its clock says when a command was sent, and nothing waits longer."""
    async with mine.driver() as driver:
        await driver.perform(a.Navigate(site.page(BUTTON)), (), 10)
        target = await driver.resolve(parse_target("role:button"), 5)
        # As a laptop that was closed: the browser's time has gone on.
        worker = await mine.worker()
        await worker.call(
            "Runtime.evaluate",
            expression="globalThis.was = Date.now; Date.now = () => was() + 60000",
        )
        with pytest.raises(SubTerminatorError):
            await driver.perform(a.Click("role:button"), (target,), 5)
        await worker.call("Runtime.evaluate", expression="Date.now = was")
        assert site.hits["/hit"] == 0

"""A click and a fresh snapshot: through the extension's relay against the browser we launch.

Both browsers are alive together and visited in turn, so that noise falls on both.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

from subterminator import actions as a
from subterminator.config import load
from subterminator.doors.extension.files import extension_folder
from subterminator.doors.extension.route import only_extension
from subterminator.doors.server.application import bound_socket
from subterminator.engine.browsers import locate
from subterminator.engine.cdp import Connection
from subterminator.engine.chromium import Chromium
from subterminator.engine.extended import Extended
from subterminator.engine.relay import Relay
from subterminator.gym.site import serve
from subterminator.machine import this_machine
from subterminator.targets import parse_target

ROUNDS, WARM = 60, 5
MOST = 2.0
ROWS = 100
COUNT = (
    "<button onclick=\"n.textContent = 'Pressed ' + ++times\">Count</button><h1 id=n>Not yet</h1>"
    "<script>times = 0</script>"
)
PAGES = {
    "/small": COUNT,
    "/medium": COUNT
    + "".join(
        f"<p>Row {row} <a href=/r{row}>Open</a> <button>Edit</button><input aria-label=F{row}></p>"
        for row in range(ROWS)
    ),
}
BUTTON = parse_target("role:button:Count")


@asynccontextmanager
async def launched(path: str) -> AsyncIterator[Chromium]:
    driver = await Chromium.start(path)
    try:
        yield driver
    finally:
        await driver.close()


@asynccontextmanager
async def relayed(path: str) -> AsyncIterator[Chromium]:
    with tempfile.TemporaryDirectory() as folder, closing(bound_socket(0)) as server:
        async with only_extension(Path(folder), server) as board:
            browser = await Extended.start(path, extension_folder())
            try:
                await browser.pair(board.new_code())
                line = await board.line("", 20)
                driver = await Chromium(Connection(Relay(line.portion())), None).attach()
                yield driver
                await driver.close()
            finally:
                await browser.close()


async def timed_click(driver: Chromium, count: int) -> float:
    """Until the snapshot shows the new state."""
    target = await driver.resolve(BUTTON, 5)
    begun = time.perf_counter()
    done = await driver.perform(a.Click(target.ref), (target,), 10)
    took = (time.perf_counter() - begun) * 1000
    assert done.snapshot
    assert any(element.name == f"Pressed {count}" for element in done.snapshot.elements)
    return took


async def compare(ours: Chromium, theirs: Chromium, url: str) -> None:
    for driver in (ours, theirs):
        await driver.perform(a.Navigate(url), (), 15)
    direct: list[float] = []
    through: list[float] = []
    for number in range(1, ROUNDS + WARM + 1):
        direct.append(await timed_click(ours, number))
        through.append(await timed_click(theirs, number))
    here, there = (statistics.median(times[WARM:]) for times in (direct, through))
    ratio = there / here
    verdict = "met" if ratio <= MOST else "MISSED"
    print(
        f"{url.rpartition('/')[2]}: click and fresh snapshot {here:.1f} ms launched, "
        f"{there:.1f} ms through the relay: {ratio:.2f} x (at most {MOST:g}): {verdict}"
    )


async def main() -> None:
    machine = this_machine()
    path = locate(machine, load(machine).browser).path
    async with serve(PAGES) as address, launched(path) as ours, relayed(path) as theirs:
        print()
        for page in PAGES:
            await compare(ours, theirs, f"{address}{page}")


if __name__ == "__main__":
    asyncio.run(main())

"""What the gate costs: CPU per click through a session, less that of the bare driver.

Both click the same button in the same browser, by turns; the record is on.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time

from subterminator import app, nobody
from subterminator.actions import Click
from subterminator.config import load
from subterminator.gym.site import serve
from subterminator.machine import this_machine
from subterminator.targets import ByRef

ROUNDS = 300
TARGET_MS = 3.0
PAGE = "<!doctype html><title>Gate</title><p>Clicks: <output>0</output></p>" + (
    "<form><label>Name <input value=Ada></label><label><input type=checkbox checked> News</label>"
    "<button type=button onclick='document.querySelector(\"output\").value++'>Count</button></form>"
)


async def measure() -> tuple[list[float], list[float]]:
    through, bare = [], []
    with tempfile.TemporaryDirectory() as state:
        settings = load(this_machine(), {"state_dir": state})
        driver = await app.drive(settings)
        async with (
            serve({"/": PAGE}) as address,
            app.over(driver, human=nobody, settings=settings) as session,
        ):
            await session.navigate(address)
            ref = (await session.find("Count"))[0].ref
            for _ in range(ROUNDS):
                begun = time.process_time()
                await session.click(ref)
                through.append(time.process_time() - begun)
                begun = time.process_time()
                target = await driver.resolve(ByRef(ref), 2)
                await driver.perform(Click(ref), [target], 10)
                bare.append(time.process_time() - begun)
    return through, bare


def main() -> None:
    through, bare = (statistics.median(times) * 1000 for times in asyncio.run(measure()))
    cost = through - bare
    met = "met" if cost <= TARGET_MS else "MISSED"
    print(
        f"\nthe gate, CPU per click, record on: {cost:.2f} ms (at most {TARGET_MS:g}): {met}"
        f"   [{through:.2f} through the session, {bare:.2f} bare, medians of {ROUNDS}]"
    )


if __name__ == "__main__":
    main()

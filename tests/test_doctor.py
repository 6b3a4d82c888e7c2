from __future__ import annotations

from pathlib import Path

import pytest

from subterminator.config import Settings
from subterminator.doctor import Finding, Prove, Report, examine
from subterminator.engine.browsers import Browser
from subterminator.errors import BrowserMissing
from tests.machines import Computer

CHROMIUM = {"/usr/bin/chromium": "Chromium 156.0.8078.79 built on Debian\n"}


async def starts(browser: Browser) -> str:
    return f"Chrome/{browser.version}"


async def dies(browser: Browser) -> str:
    raise BrowserMissing("The browser ended at once.")


async def never(browser: Browser) -> str:
    raise AssertionError("nothing to start")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(state_dir=str(tmp_path / "state"))


async def look(computer: Computer, settings: Settings, prove: Prove) -> dict[str, Finding]:
    report = await examine(computer.machine(), settings, prove)
    assert report.ok is all(one.ok for one in report.findings if one.essential)
    return {finding.name: finding for finding in report.findings}


async def test_a_fit_machine_is_told_so(settings: Settings) -> None:
    computer = Computer(programs=CHROMIUM)
    report = await examine(computer.machine(), settings, starts)
    assert report.ok
    assert report.browser == Browser("/usr/bin/chromium", "Chromium", "156.0.8078.79")


async def test_without_a_browser_the_command_to_get_one_is_named(settings: Settings) -> None:
    found = await look(Computer(programs={"/usr/bin/dnf": ""}), settings, never)
    assert not found["browser"].ok
    assert "sudo dnf install -y chromium" in found["browser"].todo
    assert not found["launch"].ok


async def test_a_browser_that_does_not_start_is_missing_all_the_same(settings: Settings) -> None:
    found = await look(Computer(programs=CHROMIUM), settings, dies)
    assert found["browser"].ok
    assert found["launch"].found == "The browser ended at once."
    assert found["launch"].todo.endswith("/usr/bin/chromium --headless --dump-dom about:blank")


async def test_a_browser_without_a_usable_sandbox_is_helped_to_one(settings: Settings) -> None:
    async def complains(browser: Browser) -> str:
        raise BrowserMissing("The browser ended at once. Its last words: No usable sandbox! If ...")

    found = await look(Computer(programs=CHROMIUM), settings, complains)
    assert "chromium-sandbox" in found["launch"].todo


async def test_a_sandbox_that_is_off_is_reported_but_not_essential(settings: Settings) -> None:
    root = await look(Computer(programs=CHROMIUM, root=True), settings, starts)
    assert (root["sandbox"].ok, root["sandbox"].essential) == (False, False)
    assert "root" in root["sandbox"].found
    user = await look(Computer(programs=CHROMIUM), settings, starts)
    assert user["sandbox"].found == "on"


async def test_no_value_of_a_key_is_anywhere_in_the_report(settings: Settings) -> None:
    computer = Computer(programs=CHROMIUM, environ={"OPENAI_API_KEY": "sk-secret"})
    report: Report = await examine(computer.machine(), settings, starts)
    assert "sk-secret" not in repr(report)
    assert {one.name: one.found for one in report.findings}["OPENAI_API_KEY"] == "set"
